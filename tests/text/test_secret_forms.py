"""What devices, hosts and manifests keep secrets in: none survives, no line moves, and what stands around stays evidence."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from roce_audit.sources.splitting.bundle import recounted, split
from roce_audit.text.secrets.mask import Keyed, Masker, Numbered
from roce_audit.text.secrets.redact import lines_in_question, may_hold_secret, redact

FORMS = {
    "nxos": """\
username admin password 5 {} role network-admin
snmp-server user ops network-admin auth md5 {} priv aes-128 {} localizedkey
snmp-server community {} group network-operator
snmp-server host 10.0.0.9 traps version 2c {}
tacacs-server key 7 "{}"
radius-server host 10.0.0.9 key 7 "{}" authentication accounting
ntp authentication-key 1 md5 {} 7
  neighbor 10.0.0.1 password 3 {}
   key-string 7 {}
  ip ospf message-digest-key 1 md5 3 {}
  authentication text {}
""",
    "eos": """\
username ops privilege 15 role network-admin secret sha512 {}
enable password sha512 {}
snmp-server community {} ro
snmp-server user u g v3 localized 0abc auth sha {} priv aes {}
ntp authentication-key 1 md5 7 {}
   neighbor 10.0.0.1 password 7 {}
   key 0abcd1 7 {} fallback
   exec /usr/bin/TerminAttr -cvaddr=10.0.0.8:9910 -cvauth=key,{} -taillogs
""",
    "os9 and os10": """\
username admin password {} role sysadmin priv-lvl 15
system-user linuxadmin password {}
enable password 7 {}
radius-server host 10.0.0.9 key 9 {}
tacacs-server host 10.0.0.9 key 9 {}
snmp-server user u g 3 encrypted auth md5 {} priv des56 {}
""",
    "onyx": """\
   username monitor password 7 {}
   snmp-server user admin v3 encrypted auth md5 {} priv aes-128 {}
   ldap bind-password {}
   radius-server host 10.0.0.9 auth-port 1812 key {}
""",
    "junos": """\
set system root-authentication encrypted-password "{}"
set system tacplus-server 10.0.0.9 secret "{}"
            encrypted-password "{}"; ## SECRET-DATA
        secret "{}"; ## SECRET-DATA
    pre-shared-key ascii-text "{}"; ## SECRET-DATA
set snmp community {} authorization read-only
    community {} {{
set protocols bgp group x authentication-key "{}"
""",
    "vrp and comware": """\
 local-user ops password irreversible-cipher {}
 peer 10.0.0.1 password cipher {}
 snmp-agent community read cipher {}
 hwtacacs server shared-key {}
 ospf authentication-mode md5 1 plain {}
 key authentication simple {}
 password hash {}
""",
    "aoscx": """\
user admin group administrators password ciphertext {}
snmpv3 user u auth sha auth-pass ciphertext {} priv aes priv-pass ciphertext {}
tacacs-server key ciphertext {}
""",
    "cumulus": """\
nv set system aaa user ops hashed-password '{}'
nv set service snmp-server readonly-community {} access any
nv set system aaa tacacs server 1 secret {}
        system:
          aaa:
            user:
              ops:
                hashed-password: {}
          snmp-server:
            readonly-community:
              {}:
                access:
                  any: {{}}
            username:
              u:
                auth-md5: {}
                encrypt-aes: {}
          qos:
""",
    "srlinux": """\
        password {}
set / system aaa authentication admin-user password {}
            community {}
""",
    "sonic": """\
snmp_rocommunity: {}
 neighbor 10.0.0.1 password {}
enable password {}
TACPLUS global passkey {}
""",
    "hosts": """\
AWS_SECRET_ACCESS_KEY={}
export HF_TOKEN={}
WANDB_API_KEY="{}"
DB_PASS={}
MYSQL_PWD={}
SLACK_WEBHOOK={}
HTTPS_PROXY=http://ops:{}@proxy:3128
Authorization: Bearer {}
#SBATCH --export=ALL,HF_TOKEN={},NCCL_IB_TC=106
        - name: HF_TOKEN
          value: "{}"
        - name: NCCL_IB_TC
          value: "106"
  HF_TOKEN: |
    {}
""",
}
DOCUMENTS = (
    {"SNMP_COMMUNITY": {"{}": {"TYPE": "RO"}}},
    {"SNMP_USER": {"{}": {"SNMP_USER_AUTH_PASSWORD": "{}", "SNMP_USER_ENCRYPTION_PASSWORD": "{}"}}},
    {"TACPLUS": {"global": {"passkey": "{}"}}, "RADIUS_SERVER": {"10.0.0.9": {"passkey": "{}"}}},
    {"BGP_NEIGHBOR": {"default|10.0.0.1": {"auth_password": "{}"}}, "LDAP": {"global": {"bind_password": "{}"}}},
    {"NTP_KEY": {"1": {"type": "md5", "value": "{}"}}, "MACSEC_PROFILE": {"p": {"primary_cak": "{}"}}},
    {"system": {"aaa": {"user": {"ops": {"hashed-password": "{}"}}, "tacacs": {"server": {"1": {"secret": "{}"}}}}}},
    {"service": {"snmp-server": {"readonly-community": {"{}": {"access": {"any": {}}}}}}},
    {"env": [{"name": "HF_TOKEN", "value": "{}"}, {"name": "NCCL_IB_TC", "value": "106"}]},
    {"cert": "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n"},
    {"cmds": {"username x secret sha512 {}": {}, "neighbor 10.0.0.1 password 7 {}": {}}},
)
LOOKS = ("", "", "hf_0123456789abcdef", "ghp_0123456789abcdef", "$6$abc$def", "eyJabcdefgh.ijklmnopq")
"""What is known as a secret by its looks, also where it is a part of a longer one."""
SECRET = st.builds(
    lambda before, looks, behind: f"Q{before}{looks}{behind}z".replace("/", "_"),
    st.text("abcdefghjkXYZ0123456789+./%^", min_size=4, max_size=20),
    st.sampled_from(LOOKS),
    st.text("abcdefghjkXYZ0123456789+./%^", min_size=4, max_size=20),
)
MASKERS = pytest.mark.parametrize("naming", [lambda: Keyed(b"key"), Numbered], ids=["keyed", "numbered"])


def seeded(value: object, secret: str) -> object:
    """The document with a secret in every place."""
    if isinstance(value, dict):
        return {str(seeded(key, secret)): seeded(item, secret) for key, item in value.items()}
    if isinstance(value, list):
        return [seeded(item, secret) for item in value]
    return value.replace("{}", secret) if isinstance(value, str) else value


@MASKERS
@pytest.mark.parametrize("platform", FORMS)
@given(secret=SECRET)
@example(secret="Q.hf_00000000000z")
def test_no_secret_of_a_text_survives(platform: str, naming: type[Numbered], secret: str) -> None:
    text = FORMS[platform].replace("{{", "\0").replace("{}", secret).replace("\0", "{").replace("}}", "}")
    masker = Masker(naming())
    masked = masker.text(text)
    assert secret not in masked
    for before, after in zip(text.split("\n"), masked.split("\n"), strict=True):
        if secret in before:
            assert masker.mask(secret) in after, before
            assert after[: before.index(secret)].startswith(before[: len(before) - len(before.lstrip())])
        else:
            assert after == before
    assert masker.text(masked) == masked


@MASKERS
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda d: next(iter(d)))
@pytest.mark.parametrize("indent", [None, 4])
@given(secret=SECRET)
@example(secret="Q.hf_00000000000z")
def test_no_secret_of_json_survives(
    document: dict[str, object], indent: int | None, naming: type[Numbered], secret: str
) -> None:
    masker = Masker(naming())
    text = json.dumps(seeded(document, secret), indent=indent)
    masked = masker.text(text)
    assert secret not in masked
    assert masked.count("\n") == text.count("\n")
    expected = json.dumps(seeded(document, masker.mask(secret)), indent=indent)
    if "cert" not in document:
        assert json.loads(masked) == json.loads(expected)
    assert secret not in masker.text(text[: text.rindex(secret) + len(secret)]), "cut off behind the secret"


@MASKERS
def test_json_between_other_answers(naming: type[Numbered]) -> None:
    text = 'Loading ...\n{\n  "SNMP_COMMUNITY": {\n    "planet9": {"TYPE": "RO"}\n  }\n}\nleaf1# show run\nenable password planet9\n'
    masker = Masker(naming())
    assert masker.text(text) == text.replace("planet9", masker.mask("planet9"))


def test_a_variable_ends_with_its_word() -> None:
    assert redact("srun --export=ALL,HF_TOKEN=abc,NCCL_IB_TC=106 -N2") == (
        "srun --export=ALL,HF_TOKEN=<redacted>,NCCL_IB_TC=106 -N2"
    )


@given(
    st.lists(
        st.sampled_from(
            ["Pass", "PWD=", "KEY 7 x", "sha", " x", "$6$abc", "hf_", "A" * 14, "://u:p@h", "snmp community z"]
        )
    )
)
def test_the_quick_look_misses_nothing(pieces: list[str]) -> None:
    line = "".join(pieces)
    assert may_hold_secret(line) or redact(line) == line
    text = f"mtu 9216\n{line}\n\n{line}x\nno shutdown"
    assert list(lines_in_question(text)) == list(dict.fromkeys(filter(may_hold_secret, text.split("\n"))))


def test_a_masked_bundle_still_counts_its_lines() -> None:
    lines = ["|HF_TOKEN=planet-9-secret", "!café token=x", "|RX:\toff"]
    length = sum(len(line.encode()) + 1 for line in lines)
    body = "\n".join(["@@ B env - env", *lines, f"@@ E 0 {length}", "@@ B x - x", "|a", "@@ E 0 99"])
    text = f"@@ ROCE-AUDIT-BUNDLE 2\n{body}\n@@ END 2\n"
    masked = recounted(text, Masker(Numbered()).text(text))
    assert "planet" not in masked
    (before,), (after,) = split(text, "x"), split(masked, "x")
    assert [line for line, _ in after.problems] == [line for line, _ in before.problems] == [9]
