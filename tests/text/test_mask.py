"""Masked texts: no secret, no moved line, JSON stays JSON, equal secrets stay equal."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.text.secrets.mask import Keyed, Masker

MASKER = Masker(Keyed(b"key"), ["the-login-password"])


def test_equal_secrets_get_equal_masks_wherever_they_stand() -> None:
    text = 'username a password 7 S3cretS3cret role x\nkey 7 S3cretS3cret\nsecret "S3cretS3cret"; ## SECRET-DATA\n'
    masked = MASKER.text(text)
    assert masked.count(MASKER.mask("S3cretS3cret")) == 3
    assert Masker(Keyed(b"other")).mask("S3cretS3cret") != MASKER.mask("S3cretS3cret")
    assert MASKER.text(masked) == masked


def test_json_keeps_its_form() -> None:
    value = {
        "SNMP_COMMUNITY": {"planet": {"TYPE": "RO"}},
        "TACPLUS": {"global": {"passkey": "planet", "auth_key": 12345, "on": True}},
        "NTP_KEY": {"1": {"type": "md5", "value": "planet"}},
        "cmds": {"username x secret sha512 planet": {}, 'say "password planet"': None},
        "BUFFER_PROFILE": {"pg_lossless_100000_5m_profile": {"xoff": "100", "pool": "[BUFFER_POOL|x]"}},
        "PORT": {"Ethernet0": {"mtu": "9100", "description": "to the key account"}},
    }
    for indent in (None, 2):
        text = json.dumps(value, indent=indent)
        masked = MASKER.text(text)
        found = json.loads(masked)
        assert masked.count("\n") == text.count("\n")
        assert "planet" not in masked
        assert "12345" not in masked
        assert (found["BUFFER_PROFILE"], found["PORT"]) == (value["BUFFER_PROFILE"], value["PORT"])
        assert found["TACPLUS"]["global"]["on"] is True


def test_private_keys_go_line_by_line() -> None:
    text = "a\n-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz\n  aC1rZXk\n-----END OPENSSH PRIVATE KEY-----\nmtu 9214\n"
    masked = MASKER.text(text).split("\n")
    assert len(masked) == len(text.split("\n"))
    assert not [line for line in masked if "b3Bl" in line or "aC1r" in line]
    assert masked[5] == "mtu 9214"


@given(st.text(st.sampled_from('password "{}[],:\\ \n$6$x key7'), max_size=200))
def test_any_text_keeps_its_lines(text: str) -> None:
    once = MASKER.text(text)
    assert once.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    "piece", ['{"a":', '"', "[", '{"password":"', "password ", "\\", "-----BEGIN PRIVATE KEY-----"]
)
def test_hostile_repetition_comes_to_an_end(piece: str) -> None:
    assert MASKER.text(piece * 20_000) is not None
    assert MASKER.text("{" + piece * 20_000) is not None


def test_the_runs_own_secrets_go_from_words_as_well() -> None:
    assert "the-login-password" not in MASKER.words("% bad: the-login-password")
    assert Masker(Keyed(b"key"), ["admin"]).words("username admin") == "username admin", (
        "a short one is a word like others"
    )
