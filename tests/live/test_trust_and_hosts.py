"""Host keys, secrets, and devices whose login is a shell."""

from __future__ import annotations

import stat
import subprocess
from dataclasses import replace
from pathlib import Path

import paramiko
import pytest

from roce_audit.sources.commands import file_name
from roce_audit.sources.live import remote
from roce_audit.sources.live.execchannel import run
from roce_audit.sources.live.trust import HostKeyRefused, Trust
from roce_audit.text.secrets.mask import Keyed, Masker
from tests.live import samples
from tests.live.conftest import LOGIN, PATIENT, Collect, Start, target
from tests.live.fake_switch import PASSWORD, Device, Faults
from tests.live.test_fault_matrix import SHELLS

ENABLE = PASSWORD


def test_unknown_keys_are_refused_and_taken_only_when_said(start: Start, gather: Collect, tmp_path: Path) -> None:
    fake = start(samples.device("nxos"))
    leaf = target("leaf1", fake, "nxos")
    record = gather([leaf], [fake], known="")["leaf1"]
    assert record.outcome == "refused"
    assert "is not known" in record.reason
    assert fake.device.typed == []
    assert gather([leaf], [fake], known="# none", accept_new=True, resume=True)["leaf1"].outcome == "collected"
    kept = (tmp_path / "known_hosts").read_text()
    assert fake.known_hosts() in kept
    assert "# none\n" in kept


@pytest.mark.parametrize("accept_new", [False, True])
def test_a_changed_key_is_never_taken(accept_new: bool, start: Start, gather: Collect) -> None:
    fake = start(samples.device("nxos"))
    other = paramiko.ECDSAKey.generate()
    known = f"[127.0.0.1]:{fake.port} {other.get_name()} {other.get_base64()}\n"
    record = gather([target("leaf1", fake, "nxos")], [fake], known=known, accept_new=accept_new)["leaf1"]
    assert record.outcome == "refused"
    assert "CHANGED" in record.reason


def test_a_revoked_key_is_refused(start: Start, gather: Collect) -> None:
    fake = start(samples.device("nxos"))
    known = fake.known_hosts() + f"@revoked * {fake.key.get_name()} {fake.key.get_base64()}\n"
    record = gather([target("leaf1", fake, "nxos")], [fake], known=known, accept_new=True)["leaf1"]
    assert (record.outcome, "revoked" in record.reason) == ("refused", True)


def test_known_hosts_as_openssh_writes_them(tmp_path: Path) -> None:
    key, other = paramiko.ECDSAKey.generate(), paramiko.ECDSAKey.generate()
    hashed = paramiko.HostKeys.hash_host("gpu7")
    text = f"{hashed} {key.get_name()} {key.get_base64()}\nleaf*,!leaf9 {key.get_name()} {key.get_base64()}\nbroken\n"
    (tmp_path / "known_hosts").write_text(text)
    trust = Trust([str(tmp_path / "known_hosts")])
    for name in ("gpu7", "leaf1"):
        trust.meet(name, key)
        with pytest.raises(HostKeyRefused, match="CHANGED"):
            trust.meet(name, other)
    for name in ("gpu8", "leaf9"):
        with pytest.raises(HostKeyRefused, match="not known"):
            trust.meet(name, key)


def test_a_host_is_one_exec_of_one_script(start: Start, gather: Collect, tmp_path: Path) -> None:
    fake = start(Device(shell=True))
    record = gather([target("gpu1", fake, "linux")], [fake])["gpu1"]
    assert (record.outcome, list(record.files)) == ("collected", ["bundle.txt"])
    assert fake.device.executed == ["sh -s"]
    assert fake.device.typed == []
    text = (tmp_path / "snapshot/gpu1/bundle.txt").read_text()
    assert text.startswith("@@ ROCE-AUDIT-BUNDLE")
    assert "\n@@ END" in text


@pytest.mark.parametrize("text", ["no final newline", "a\nb# c\n$ d\nroot@gpu1:~# ", "$ ", "", "\n\n"])
def test_no_output_is_lost(text: str, start: Start, tmp_path: Path) -> None:
    fake = start(Device(shell=True))
    client = paramiko.SSHClient()
    client.get_host_keys().add(f"[127.0.0.1]:{fake.port}", fake.key.get_name(), fake.key)
    client.connect("127.0.0.1", fake.port, "audit", PASSWORD, allow_agent=False, look_for_keys=False)
    (tmp_path / "answer").write_text(text)
    ran = run(client, f"cat {tmp_path}/answer; echo problem >&2; exit 3", b"", PATIENT)
    assert (ran.out, ran.err, ran.status, ran.failure) == (text.encode(), b"problem\n", 3, None)
    many = run(client, "cat; head -c 3000000 /dev/zero >&2", b"x" * 3_000_000, PATIENT)
    assert (len(many.out), len(many.err), many.status) == (3_000_000, 3_000_000, 0)
    client.close()


@pytest.mark.parametrize(
    ("device", "outcome", "words"),
    [
        (Device(exec_answers={"sh -s": (1, b"sudo: a password is required")}), "refused", "a password is required"),
        (Device(exec_answers={"x": (0, b"")}), "refused", "not found"),
        (Device(), "refused", "runs no commands"),
        (Device(shell=True, faults=Faults(exec_cut=True)), "truncated", "the connection ended after"),
        (Device(shell=True, faults=Faults(hang_at="sh -s")), "timed out", "silent for 2 s"),
        (Device(exec_answers={"sh -s": (0, b"@@ ROCE-AUDIT-BUNDLE 1\n@@ B a - a\n")}), "truncated", "has no `@@ END`"),
    ],
    ids=["sudo", "no-shell", "no-exec", "cut", "hang", "no-end"],
)
def test_faults_of_hosts(device: Device, outcome: str, words: str, start: Start, gather: Collect) -> None:
    fake = start(device)
    limits = replace(PATIENT, silent=2) if device.faults.hang_at else PATIENT
    record = gather([target("gpu1", fake, "linux")], [fake], limits=limits)["gpu1"]
    assert record.outcome == outcome, record.reason
    assert words in record.reason
    assert all(file.truncated for file in record.files.values())


def test_sudo_is_said_by_the_inventory(start: Start, gather: Collect) -> None:
    fake = start(Device(exec_answers={"sudo -n sh -s": (0, b"@@ ROCE-AUDIT-BUNDLE 1\n@@ END\n")}))
    assert gather([target("gpu1", fake, "linux", become="sudo -n")], [fake])["gpu1"].outcome == "collected"
    assert fake.device.executed == ["sudo -n sh -s"]


@pytest.mark.parametrize("platform", SHELLS)
def test_a_linux_switch_is_asked_command_by_command(
    platform: str, start: Start, gather: Collect, tmp_path: Path
) -> None:
    device = samples.shell(platform)
    config = samples.CONFIG_DB + b'{"note": "$ # no newline"}'
    fake = start(replace(device, exec_answers={device.configuration: (0, config)}))
    record = gather([target("leaf1", fake, platform)], [fake])["leaf1"]
    assert record.outcome == "collected"
    assert set(fake.device.executed) == set(target("x", fake, platform).commands)
    assert fake.device.typed == []
    assert (tmp_path / "snapshot/leaf1" / file_name(device.configuration)).read_bytes() == config


@pytest.mark.parametrize("typed", ["enable", "enable secret"])
def test_enable_is_typed_only_where_it_is_said(typed: str, start: Start, gather: Collect) -> None:
    fakes = {name: start(samples.device("eos", lines=40)) for name in ("plain", "told")}
    for fake in fakes.values():
        fake.device.prompt = "leaf1>"
        fake.device.enable = ENABLE if "secret" in typed else ""
    secret = LOGIN if "secret" in typed else None
    wanted = [target("plain", fakes["plain"]), target("told", fakes["told"], enable=True, enable_password=secret)]
    records = gather(wanted, list(fakes.values()))
    assert {record.outcome for record in records.values()} == {"collected"}
    assert "enable" not in fakes["plain"].device.typed
    assert fakes["told"].device.typed.count("enable") == 1
    assert fakes["told"].device.prompt == "leaf1#"


def test_what_enable_refuses_is_refused(start: Start, gather: Collect) -> None:
    fake = start(samples.device("eos", lines=40))
    fake.device.prompt, fake.device.enable = "leaf1>", "another one"
    wanted = target("leaf1", fake, enable=True, enable_password=LOGIN)
    record = gather([wanted], [fake], limits=replace(PATIENT, silent=2))["leaf1"]
    assert record.outcome == "refused", record.reason
    assert PASSWORD not in record.reason


def test_the_script_is_one_that_sh_understands() -> None:
    assert subprocess.run(["sh", "-n"], input=remote.script().encode(), check=False).returncode == 0


@pytest.mark.parametrize(
    "command", ["show x | tee /tmp/y", "show x; reboot", "show $(reboot)", "show x > y", "show\nreboot"]
)
def test_a_shell_gets_one_program_with_plain_words(command: str) -> None:
    with pytest.raises(ValueError, match="not sent"):
        remote._plain(command)


def test_secrets_leave_before_anything_is_written(start: Start, gather: Collect, tmp_path: Path) -> None:
    device = samples.device("eos")
    text = (
        f"! device: leaf1\nusername ops privilege 15 secret sha512 $6$abc$defghijk\nsnmp-server community planet ro\n"
        f"router bgp 1\n   neighbor 10.0.0.1 password 7 0123planet\ninterface Ethernet1\n   description {PASSWORD}\n"
        "   priority-flow-control on\nntp authentication-key 1 md5 planet\nend\n"
    )
    device.answers = {**device.answers, "show running-config": text.encode()}
    device.unknown = f"% Invalid input: {PASSWORD}".encode()
    fake = start(device)
    masker = Masker(Keyed(b"key"), [PASSWORD])
    assert gather([target("leaf1", fake)], [fake], masker=masker)["leaf1"].outcome == "collected"
    everything = "".join(p.read_text() for p in (tmp_path / "snapshot").rglob("*") if p.is_file())
    for word in ("defghijk", "planet", "0123planet", PASSWORD):
        assert word not in everything
    written = (tmp_path / "snapshot/leaf1/show_running-config.txt").read_text().split("\n")
    before = text.split("\n")
    assert len(written) == len(before)
    assert written[7] == before[7]
    mask = masker.mask("planet")
    assert [mask in line for line in written].count(True) == 2, "the same secret gets the same mask"
    for path in (tmp_path / "snapshot").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
