"""Of two members of one channel, the one without PFC is the odd one, whichever comes first."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

CHANNEL = "interface Port-Channel5\n   description spine1\n   no switchport\n   mtu 9214\n!\n"
PORT = "interface Ethernet{}\n   channel-group 5 mode active\n   qos trust dscp\n   {}\n   priority-flow-control priority 3 no-drop\n!\n"


@pytest.mark.parametrize("off", [1, 2])
def test_the_member_without_pause_is_told(tmp_path: Path, off: int) -> None:
    says = {n: "no priority-flow-control" if n == off else "priority-flow-control on" for n in (1, 2)}
    ports = "".join(PORT.format(*port) for port in says.items())
    (tmp_path / "leaf1.cfg").write_text(f"! Command: show running-config\nhostname leaf1\n!\n{CHANNEL}{ports}end\n")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [f for f in report.findings if f.severity == "error"]
    assert {f.rule for f in told} >= {"pfc/priority-off", "link/channel-members-differ"}
    assert {f.subject for f in told} == {f"Ethernet{off}"}


@pytest.mark.parametrize("second", ["no priority-flow-control", "priority-flow-control on"])
def test_members_that_may_lead_out_of_the_fabric_are_compared_as_well(tmp_path: Path, second: str) -> None:
    port = PORT.replace("   channel-group", "   description to border1\n   channel-group")
    ports = port.format(1, "priority-flow-control on") + port.format(2, second)
    (tmp_path / "leaf1.cfg").write_text(f"! Command: show running-config\nhostname leaf1\n!\n{CHANNEL}{ports}end\n")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [(f.severity, f.subject) for f in report.findings if f.rule == "link/channel-members-differ"]
    assert told == ([("warning", "Ethernet2")] if second.startswith("no ") else [])


@pytest.mark.parametrize("short", [31, 32])
def test_the_member_that_takes_shorter_packets_is_told_once(tmp_path: Path, short: int) -> None:
    own = " trust dscp\n dcb pfc enable mode manual\n eth-trunk 5\n"
    ports = "".join(
        f"interface 100GE1/0/{n}\n jumboframe enable {1600 if n == short else 9216}\n{own}#\n" for n in (31, 32)
    )
    text = f"!Software Version V300R023C10\n#\nsysname leaf1\n#\ninterface Eth-Trunk5\n mode lacp-static\n#\n{ports}return\n"
    (tmp_path / "leaf1.cfg").write_text(text)
    report = check(Request((str(tmp_path),), Policy.empty())).report
    differing = next(f for f in report.findings if f.rule == "link/channel-members-differ")
    small = next(f for f in report.findings if f.rule == "mtu/below-roce")
    assert differing.subject == small.subject == f"100GE1/0/{short}"
    assert differing.because_of is not None
