"""Against OpenSSH itself: keys, jumps, ~/.ssh/config, whole outputs."""

from __future__ import annotations

import getpass
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.sources.live.credentials import Secrets
from roce_audit.sources.live.execchannel import run
from roce_audit.sources.live.ssh import Connector
from roce_audit.sources.live.targets import Target
from roce_audit.sources.live.trust import Trust
from roce_audit.sources.manifest import load
from roce_audit.values import Place
from tests.live.conftest import PATIENT
from tests.live.sshd import Sshd

pytestmark = pytest.mark.sshd


@pytest.fixture
def sshd(tmp_path: Path) -> Iterator[Sshd]:
    server = Sshd(tmp_path / "sshd")
    yield server
    server.close()


@pytest.mark.parametrize("text", ["no final newline", "a\nb# c\n$ d\nroot@gpu1:~# ", ""])
def test_no_output_is_lost(text: str, sshd: Sshd, tmp_path: Path) -> None:
    (tmp_path / "answer").write_text(text)
    (tmp_path / "known_hosts").write_text(sshd.known_hosts())
    target = Target("gpu1", "linux", Place("i", 1), "127.0.0.1", sshd.port, getpass.getuser(), key=str(sshd.key))
    connector = Connector(Trust([str(tmp_path / "known_hosts")]), Secrets({}), PATIENT, None)
    with connector.client(target) as client:
        ran = run(client, f"cat {tmp_path}/answer", b"", connector.limits)
        large = run(client, "cat; exit 7", b"y" * 5_000_000, connector.limits)
        deaf = [run(client, f"cat {tmp_path}/answer", b"y" * 5_000_000, connector.limits) for _ in range(5)]
    assert (ran.out, ran.status, ran.failure) == (text.encode(), 0, None)
    assert (len(large.out), large.status) == (5_000_000, 7)
    assert {(one.out, one.status, one.failure) for one in deaf} == {(text.encode(), 0, None)}


def test_a_server_that_says_late_how_the_command_ended_is_waited_for(sshd: Sshd, tmp_path: Path) -> None:
    """The data end when the command closes its outputs; how it ended comes when it does, on a busy host seconds later."""
    (tmp_path / "known_hosts").write_text(sshd.known_hosts())
    target = Target("gpu1", "linux", Place("i", 1), "127.0.0.1", sshd.port, getpass.getuser(), key=str(sshd.key))
    connector = Connector(Trust([str(tmp_path / "known_hosts")]), Secrets({}), PATIENT, None)
    with connector.client(target) as client:
        late = run(client, "echo whole; exec >&- 2>&-; sleep 2; exit 7", b"", connector.limits)
        never = run(client, "echo whole; exec >&- 2>&-; sleep 20", b"", replace(PATIENT, silent=4))
    assert (late.out, late.status, late.failure) == (b"whole\n", 7, None)
    assert never.status is None
    assert never.failure is not None
    assert "how the command ended" in never.failure.reason


def test_hosts_through_a_jump_as_ssh_config_says(
    sshd: Sshd, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = Sshd(tmp_path / "inner")
    try:
        (tmp_path / "config").write_text(
            f"Host bastion\n  HostName 127.0.0.1\n  Port {sshd.port}\n  IdentityFile {sshd.key}\n"
            f"Host gpu*\n  HostName 127.0.0.1\n  Port {inner.port}\n  IdentityFile {inner.key}\n"
            f"  IdentitiesOnly yes\n  ProxyJump bastion\nHost *\n  User {getpass.getuser()}\n"
        )
        (tmp_path / "known_hosts").write_text(sshd.known_hosts() + inner.known_hosts())
        (tmp_path / "i.yaml").write_text("devices: {'gpu[1-6]': {platform: linux}}\n")
        # a server on a machine that is busy with other tests drops a connection now and then
        options = ["-i", f"{tmp_path}/i.yaml", "--ssh-config", f"{tmp_path}/config", "--retries", "2"]
        options += ["--known-hosts", f"{tmp_path}/known_hosts"]
        assert main(["collect", *options, "-o", f"{tmp_path}/snapshot"]) == 0
        found = load(f"{tmp_path}/snapshot")
        assert found is not None
        assert {d.outcome for d in found.devices.values()} == {"collected"}
        assert len(found.devices) == 6
        assert main(["check", f"{tmp_path}/snapshot", "--fail-on", "never", "-f", "concise"]) == 0
        capsys.readouterr()
        sshd.close()
        assert main(["collect", *options, "-o", f"{tmp_path}/none"]) == 3
        assert "jump host bastion" in capsys.readouterr().out
    finally:
        inner.close()


@pytest.fixture
def agent(sshd: Sshd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An agent of OpenSSH that holds the key which the server lets in."""
    with tempfile.TemporaryDirectory() as folder:  # the path of a socket is short
        socket = f"{folder}/agent"
        running = subprocess.Popen(["ssh-agent", "-D", "-a", socket], stdout=subprocess.DEVNULL)
        monkeypatch.setenv("SSH_AUTH_SOCK", socket)
        while not Path(socket).exists() and running.poll() is None:
            time.sleep(0.02)
        subprocess.run(["ssh-add", "-q", sshd.key], check=True)
        sshd.key.unlink()
        yield
        running.terminate()
        running.wait()


def test_a_key_of_the_agent(agent: None, sshd: Sshd, tmp_path: Path) -> None:
    (tmp_path / "known_hosts").write_text(sshd.known_hosts())
    (tmp_path / "i.yaml").write_text(
        f"defaults: {{user: {getpass.getuser()}, password: agent}}\n"
        f"devices: {{gpu1: {{platform: linux, address: 127.0.0.1, port: {sshd.port}}}}}\n"
    )
    options = ["-i", f"{tmp_path}/i.yaml", "--ssh-config", "none", "--known-hosts", f"{tmp_path}/known_hosts"]
    assert main(["collect", *options, "-o", f"{tmp_path}/snapshot"]) == 0


def test_a_key_that_is_not_let_in_is_refused(sshd: Sshd, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sshd.folder / "authorized_keys").write_text("")
    (tmp_path / "known_hosts").write_text(sshd.known_hosts())
    (tmp_path / "i.yaml").write_text(
        f"devices: {{gpu1: {{platform: linux, address: 127.0.0.1, port: {sshd.port}, key: {sshd.key}}}}}\n"
    )
    options = ["-i", f"{tmp_path}/i.yaml", "--ssh-config", "none", "--known-hosts", f"{tmp_path}/known_hosts"]
    assert main(["collect", *options, "-o", f"{tmp_path}/snapshot"]) == 3
    assert "gpu1: refused: login refused" in capsys.readouterr().out
