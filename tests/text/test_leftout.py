"""Where people left a part of a configuration out, nothing that is missing is taken as absent."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.policy.values import Policy
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.leftout import is_mark, left_out_at

NXOS = """!Command: show running-config
version 10.3(4a)
hostname leaf1
feature lldp
ntp server 10.0.0.1
logging server 10.0.0.2
spanning-tree mode rapid-pvst
router bgp 65001
vlan 1
line vty
class-map type qos match-all R
  match dscp 26
policy-map type qos I
  class R
    set qos-group 3
policy-map type network-qos N
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
system qos
  service-policy type network-qos N
interface Ethernet1/1
  mtu 9216
{first}
interface Ethernet1/2
  mtu 9216
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  service-policy type qos input I
"""


@pytest.mark.parametrize(
    "mark",
    [
        "<snip>",
        "  [...]",
        "...",
        "!! output omitted",
        "(output truncated)",
        " ......",
        "  --- snip ---",
        "<Output omitted>",
        "! <snip>",
        "# SNIP",
        "…",
        "! lines omitted for brevity",
    ],
)
def test_marks(mark: str) -> None:
    assert is_mark(mark)
    assert left_out_at(f"a\n{mark}\nb\n") == 2


@pytest.mark.parametrize(
    "line",
    [
        "description snip",
        "! omitted because of a defect, see the wiki",
        "banner truncated text",
        "snippet",
        "no ip route ...",
        "..",
        "!",
        "",
    ],
)
def test_lines_that_are_none(line: str) -> None:
    assert not is_mark(line)
    assert left_out_at(f"a\n{line}\nb\n") == -1


def test_three_dots_may_end_a_document() -> None:
    assert left_out_at("a: 1\n...\n") == -1


@pytest.mark.parametrize(
    ("first", "rules"),
    [
        ("  priority-flow-control mode on", {"marking/nothing-enters-lossless"}),
        ("  priority-flow-control mode on\n<snip>", {"input/truncated"}),
        ("  priority-flow-control mode on\n  ! output omitted", {"input/truncated"}),
        ("  priority-flow-control mode on\n  ...", {"input/truncated"}),
    ],
)
def test_what_is_left_out_of_a_port_is_not_absent_there(tmp_path: Path, first: str, rules: set[str]) -> None:
    (tmp_path / "leaf1.cfg").write_text(NXOS.format(first=first))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = {one.rule for one in found if one.verdict == "fails" and one.severity in ("error", "warning")}
    assert rules <= told
    assert not {"marking/nothing-enters-lossless", "input/truncated", "input/unread-line"} & told - rules


@pytest.mark.parametrize("mark", ["   <output omitted>", "   [...]", "   ...", "<snip>", "   ! output omitted"])
def test_what_is_left_out_of_a_block_may_have_set_anything_in_it(mark: str) -> None:
    """The line that turns PFC on may be among it; that a part is missing is told once."""
    text = f"hostname a\ninterface Ethernet1\n   mtu 9214\n{mark}\n   priority-flow-control priority 3 no-drop\n"
    reading = platform("eos").read(DeviceInput("a", "eos", (Document("a.cfg", text),)))
    pfc = reading.ports[0].facts.pfc
    assert pfc.is_unknown or pfc.get().priorities.is_unknown or not pfc.get().priorities.at
    assert [one.observation.kind for one in reading.seen if one.observation.kind in ("truncated", "unread-line")] == [
        "truncated"
    ]


def test_the_dots_of_a_ping_leave_nothing_out() -> None:
    ping = (
        "Sending 5, 100-byte ICMP Echos to 192.0.2.1, timeout is 2 seconds:\n.....\nSuccess rate is 0 percent (0/5)\n"
    )
    assert left_out_at(ping) == -1
    assert left_out_at(f"{ping}interface Ethernet1\n.....\n mtu 9214\n") == len(ping) + len("interface Ethernet1\n")
