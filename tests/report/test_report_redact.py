"""Secrets are cut out of quoted lines; ordinary lines stay; hostile ones cost no time."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from roce_audit.text.secrets.redact import REDACTED, redact

SECRETS = [
    "snmp-server community {} ro",
    "snmp-server host 10.0.0.1 traps version 2c {}",
    "snmp-server user ops network-admin auth md5 {} priv {} localizedkey",
    "set snmp community {} authorization read-only",
    "snmp_rocommunity: {}",
    "  community {} {{",
    "username ops password 5 {} role network-admin",
    "username ops privilege 15 secret sha512 {}",
    "enable secret 5 {}",
    "enable password {}",
    'tacacs-server host 10.1.1.1 key 7 "{}"',
    "radius-server key {}",
    "ntp authentication-key 1 md5 {} 7",
    "neighbor 10.0.0.1 password 7 {}",
    " key 7 {}",
    " key-string {}",
    'encrypted-password "{}"; ## SECRET-DATA',
    "local-user ops password irreversible-cipher {}",
    "ip ospf message-digest-key 1 md5 3 {}",
    "crypto isakmp key {} address 10.0.0.1",
    '"auth_password": "{}", "mtu": "9100"',
    '{{"passkey":"{}"}}',
    "AWS_SECRET_ACCESS_KEY={}",
    "copy scp://ops:{}@10.0.0.1/x",
    "anything $6${}",
]


@pytest.mark.parametrize("template", SECRETS)
@given(st.text("abcdefXYZ0123456789+./%^", min_size=6, max_size=40).map(lambda s: "Q" + s.replace("/", "_")))
def test_no_secret_survives(template: str, secret: str) -> None:
    line = redact(template.format(secret, secret))
    assert secret not in line
    assert REDACTED in line


@pytest.mark.parametrize(
    "line",
    [
        " priority-flow-control mode on",
        " random-detect ecn minimum-threshold 150 kbytes",
        " description to the key account",
        "service password-encryption",
        "key chain underlay",
        '"pg_lossless_100000_5m_profile": {"xoff": "100", "key": "Ethernet0|3-4"}',
        " load-balance hash md5",
        "lldp run",
        "",
    ],
)
def test_ordinary_lines_stay(line: str) -> None:
    assert redact(line) == line


def test_a_quoted_value_is_cut_out_alone() -> None:
    assert redact('"password": "x\\"y", "mtu": 9100') == '"password": "<redacted>", "mtu": 9100'
    assert redact("set a secret 'x y' mtu 9100") == "set a secret '<redacted>' mtu 9100"


@given(
    st.lists(st.sampled_from(["password", "key 7", "snmp", "community", '"', "'", ":", " ", "x", "$6$", "://", "@"]))
)
@example(["password", "snmp", '"', "community", "key 7", '"', "community", "key 7"])
def test_twice_is_once(pieces: list[str]) -> None:
    once = redact("".join(pieces))
    assert redact(once) == once


@pytest.mark.parametrize(
    "piece", ['password "', "snmp ", "key 7 ", '"', "://", "$6$", "authentication ", "hmac-", "aaa ", " "]
)
def test_hostile_repetition_comes_to_an_end(piece: str) -> None:
    # a quadratic step would need many minutes
    for text in (piece * 50_000, "password" + piece * 50_000):
        once = redact(text)
        assert redact(once) == once
