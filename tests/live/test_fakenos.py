"""Switches that nobody here wrote: FakeNOS over SSH, with its prompts, and its own words for every command that it does not know."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import paramiko
import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import platform as platform_of
from roce_audit.policy import load
from roce_audit.sources.commands import file_name
from roce_audit.sources.live.targets import Target
from roce_audit.text.decode import decode
from roce_audit.values import Place
from tests.live.conftest import LOGIN, PATIENT, Collect
from tests.live.fake_switch import PASSWORD, USER

fakenos: Any = pytest.importorskip("fakenos", reason="FakeNOS is not installed: pip install fakenos")
pytestmark = pytest.mark.fakenos

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"


class Foreign(NamedTuple):
    """One of FakeNOS' platforms, and what it knows of the commands that are asked here."""

    platform: str
    prompt: str
    """Without the `>` that FakeNOS puts behind."""
    knows: frozenset[str]
    unknown: str
    """Its words for a command that it does not know."""
    configuration: str
    """A configuration of this platform among the fixtures."""


FOREIGN = {
    "comware": Foreign(
        "hp_comware",
        "<leaf3",
        frozenset({"display interface", "display lldp neighbor-information verbose"}),
        "Unknown command",
        "mixed-vendors/leaf3.cfg",
    ),
    "eos": Foreign(
        "arista_eos",
        "spine1",
        frozenset(
            {"show interfaces", "show interfaces status", "show lldp neighbors detail", "show port-channel summary"}
        ),
        "% Invalid input",
        "mixed-vendors/spine1.cfg",
    ),
    "junos": Foreign(
        "juniper_junos", "audit@leaf1", frozenset({"show version"}), "Unknown command", "mixed-vendors/leaf1.conf"
    ),
    "nxos": Foreign(
        "cisco_nxos",
        "spine2",
        frozenset(
            {
                "show version",
                "show module",
                "show interface brief",
                "show interface transceiver details",
                "show lldp neighbors detail",
                "show port-channel summary",
            }
        ),
        "Unknown command",
        "mixed-vendors/spine2.cfg",
    ),
    "os9": Foreign("dell_force10", "leaf1", frozenset({"show version"}), "Unknown command", "os9/leaf/s4810-a.cfg"),
    "vrp": Foreign(
        "huawei_vrp",
        "<leaf2",
        frozenset({"display version", "display lldp neighbor", "display interface"}),
        "Unknown command",
        "mixed-vendors/leaf2.cfg",
    ),
}
Serve = Callable[..., tuple[Target, str]]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Starts one switch of FakeNOS, and gives the target that leads to it and its line of a known_hosts file."""
    running: list[Any] = []

    def one(name: str, more: dict[str, str] | None = None) -> tuple[Target, str]:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port: int = free.getsockname()[1]
        key = paramiko.RSAKey.generate(2048)
        key.write_private_key_file(str(tmp_path / "host_key"))
        commands = {
            command: {"output": output, "help": "given by the test"} for command, output in (more or {}).items()
        }
        host = {
            "username": USER,
            "password": PASSWORD,
            "port": port,
            "platform": FOREIGN[name].platform,
            "server": {"plugin": "ParamikoSshServer", "configuration": {"ssh_key_file": str(tmp_path / "host_key")}},
            "shell": {"plugin": "CMDShell", "configuration": {"base_prompt": FOREIGN[name].prompt}},
            "nos": {"plugin": FOREIGN[name].platform, "configuration": {"commands": commands}},
        }
        net = fakenos.FakeNOS({"hosts": {"switch": host}})
        net.start()
        running.append(net)
        _wait_for(net.hosts["switch"].server)
        target = Target("switch", name, Place("inventory.yaml", 1), "127.0.0.1", port, USER, LOGIN)
        return target, f"[127.0.0.1]:{port} {key.get_name()} {key.get_base64()}\n"

    yield one
    for net in running:
        net.stop()


def _wait_for(server: Any) -> None:
    """It is a thread of FakeNOS that begins to listen; a connection that is only tried would make it complain."""
    for _ in range(600):
        if server._socket.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            return
        time.sleep(0.05)
    raise RuntimeError("FakeNOS did not start")


@pytest.mark.parametrize("name", FOREIGN)
def test_what_it_does_not_know_is_refused_and_told(name: str, serve: Serve, gather: Collect, tmp_path: Path) -> None:
    foreign, own = FOREIGN[name], platform_of(name)
    assert own.live is not None
    target, known = serve(name)
    record = gather([target], [], known=known, limits=PATIENT)["switch"]
    assert (record.outcome, record.reason) == ("refused", f"{own.live.configuration}: {foreign.unknown}")
    refused = {file.command: file.refused for file in record.files.values() if file.refused}
    assert refused == dict.fromkeys(set(own.commands) - foreign.knows, foreign.unknown)
    for command in foreign.knows:
        answer = (tmp_path / "snapshot/switch" / file_name(command)).read_bytes()
        assert len(answer.splitlines()) > 1
        assert foreign.unknown.encode() not in answer
        assert foreign.prompt.encode() + b">" not in answer


@pytest.mark.parametrize("name", FOREIGN)
def test_a_configuration_arrives_whole_and_is_judged(name: str, serve: Serve, gather: Collect, tmp_path: Path) -> None:
    foreign, own = FOREIGN[name], platform_of(name)
    assert own.live is not None
    text = (FIXTURES / foreign.configuration).read_text(encoding="utf-8")
    target, known = serve(name, {own.live.configuration: text})
    record = gather([target], [], known=known, limits=PATIENT)["switch"]
    assert (record.outcome, record.reason) == ("collected", "")
    asked = file_name(own.live.configuration)
    assert not record.files[asked].truncated
    folder = tmp_path / "snapshot"
    assert decode((folder / "switch" / asked).read_bytes()).text == text
    assert {f.command for f in record.files.values() if f.refused} == (
        set(own.commands) - foreign.knows - {own.live.configuration}
    )
    checked = check(Request(paths=(str(folder),), policy=load(FIXTURES / "mixed-vendors/roce-audit.yaml")))
    assert [device.platform for device in checked.devices] == [name]


def test_eos_shows_its_own_configuration_once_enabled(serve: Serve, gather: Collect, tmp_path: Path) -> None:
    target, known = serve("eos")
    record = gather([replace(target, enable=True)], [], known=known, limits=PATIENT)["switch"]
    assert (record.outcome, record.reason) == ("collected", "")
    assert {f.command for f in record.files.values() if f.refused} == (
        set(platform_of("eos").commands) - FOREIGN["eos"].knows - {"show version", "show running-config"}
    )
    assert b"\nhostname spine1" in (tmp_path / "snapshot/switch/show_running-config.txt").read_bytes()
