"""A line that all similar ports of a part of a configuration have but one, which sets the class up as they do."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy import Policy

PORT = "interface Eth1/{n}\n mtu 9216\n no shutdown\n qos-map dscp-tc ROCE\n priority-flow-control priority 3\n{watchdog}!\n"
WATCHDOG = (
    " priority-flow-control watchdog action drop\n priority-flow-control watchdog on detect-time 200\n"
    " priority-flow-control watchdog restore-time 400\n"
)
MAP = "qos map dscp-tc ROCE\n dscp 26 traffic-class 3\n!\n"


def odd(folder: Path, *ports: str) -> list[str]:
    (folder / "part.cfg").write_text(MAP + "".join(ports))
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return [f"{one.subject}" for one in report.findings if one.rule == "fleet/odd-port-out" and one.verdict == "fails"]


def test_the_port_without_the_line_is_told(tmp_path: Path) -> None:
    with_all = [PORT.format(n=n, watchdog=WATCHDOG) for n in (1, 2, 4)]
    assert odd(tmp_path, *with_all, PORT.format(n=3, watchdog="")) == ["Eth1/3"]
    assert odd(tmp_path, *with_all, PORT.format(n=3, watchdog=WATCHDOG)) == []


def test_two_without_it_or_too_few_with_it_are_not(tmp_path: Path) -> None:
    with_it = [PORT.format(n=n, watchdog=WATCHDOG) for n in (1, 2)]
    assert odd(tmp_path, *with_it, *(PORT.format(n=n, watchdog="") for n in (3, 4))) == []
    assert odd(tmp_path, *with_it, PORT.format(n=3, watchdog="")) == []


def test_a_port_that_trusts_what_similar_ports_trust_lacks_their_profile(tmp_path: Path) -> None:
    profile = "qos profile ROCE\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"
    port = "interface Ethernet{n}/1\n   mtu 9214\n   qos trust dscp\n{bound}!\n"
    ports = [port.format(n=n, bound="   service-profile ROCE\n") for n in (1, 2, 4)]
    assert odd(tmp_path, profile, *ports, port.format(n=3, bound="")) == ["Ethernet3/1"]
    assert odd(tmp_path, profile, *ports, port.format(n=3, bound="   service-profile ROCE\n")) == []
    assert odd(tmp_path, profile, *ports, port.format(n=3, bound="").replace("   qos trust dscp\n", "")) == []


def test_a_port_that_sets_nothing_of_the_class_up_is_not(tmp_path: Path) -> None:
    with_all = [PORT.format(n=n, watchdog=WATCHDOG) for n in (1, 2, 4)]
    assert odd(tmp_path, *with_all, "interface Eth1/3\n mtu 9216\n no shutdown\n!\n") == []
