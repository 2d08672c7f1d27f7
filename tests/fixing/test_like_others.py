"""Changes as a neighbour has them: what proves them, which neighbour is the model, and what is typed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rulepack import builtin_folder, load
from roce_audit.fixing import rendering
from roce_audit.fixing.attaching import LIMITS
from roce_audit.fixing.planning import Limits, Plan, _in_one, plan
from roce_audit.platforms.repair import Change
from roce_audit.policy import Policy

RULES = load([builtin_folder()])

QOS = """qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
!
priority-flow-control pause watchdog default timeout 0.2
priority-flow-control pause watchdog default recovery-time 0.4
priority-flow-control pause watchdog default polling-interval 0.1
!
qos profile LOSSLESS
   qos trust dscp
   priority-flow-control on
   priority-flow-control pause watchdog
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 80
      random-detect ecn minimum-threshold 600 kbytes maximum-threshold 2400 kbytes max-mark-probability 20 weight 0
!
"""
JUNOS = """set system host-name leaf1
set class-of-service classifiers dscp IN forwarding-class rdma loss-priority low code-points 011010
set class-of-service forwarding-classes class rdma queue-num 3 no-loss pfc-priority 3
set class-of-service drop-profiles EARLY interpolate fill-level [ 30 80 ]
set class-of-service drop-profiles EARLY interpolate drop-probability [ 0 80 ]
set class-of-service schedulers OF-RDMA transmit-rate percent 60
set class-of-service schedulers OF-RDMA drop-profile-map loss-priority any protocol any drop-profile EARLY
set class-of-service scheduler-maps OUT forwarding-class rdma scheduler OF-RDMA
set class-of-service congestion-notification-profile PAUSE input dscp code-point 011010 pfc
"""


def switch(name: str, without: Iterable[int] = ()) -> str:
    ports = "".join(
        f"interface Ethernet{number}\n   description gpu{number}\n   mtu 9214\n   speed 400g-8\n   no switchport\n"
        + ("" if number in without else "   service-profile LOSSLESS\n")
        + "!\n"
        for number in range(1, 7)
    )
    return f"hostname {name}\n!\n{QOS}{ports}ip routing\n!\nend\n"


def junos(marks: bool) -> str:
    ports = "".join(
        f"set interfaces et-0/0/{n} mtu 9216\n"
        f"set class-of-service interfaces et-0/0/{n} scheduler-map OUT\n"
        f"set class-of-service interfaces et-0/0/{n} congestion-notification-profile PAUSE\n"
        f"set class-of-service interfaces et-0/0/{n} unit 0 classifiers dscp IN\n"
        for n in range(4)
    )
    more = "set class-of-service schedulers OF-RDMA explicit-congestion-notification\n" if marks else ""
    return JUNOS + more + ports


def written(folder: Path, **texts: str) -> Request:
    for name, text in texts.items():
        (folder / f"{name}.cfg").write_text(text, encoding="utf-8")
    return Request((".",), Policy.empty(), rules=RULES)


def told(request: Request) -> set[tuple[str, str]]:
    return {(f.rule, f.subject) for f in check(request).report.findings if f.verdict == "fails"}


def mended(found: Plan) -> None:
    for path, text in found.after.items():
        Path(path).write_text(text, encoding="utf-8")


def test_a_port_without_its_profile_gets_it_though_no_headroom_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How large the headroom behind PFC is, EOS does not say: that is in doubt of the neighbours as well, and no harm."""
    monkeypatch.chdir(tmp_path)
    request = written(tmp_path, leaf1=switch("leaf1", [3]), leaf2=switch("leaf2"))
    assert ("pfc/priority-off", "Ethernet3") in told(request)
    found = plan(request)
    lines = list(rendering.text(found))
    assert "   service-profile LOSSLESS" in lines
    assert lines.index("   interface Ethernet3") + 1 == lines.index("   service-profile LOSSLESS")
    mended(found)
    assert not {one for one in told(request) if one[1] == "Ethernet3"}


def test_marking_is_turned_on_beside_the_drop_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    request = written(tmp_path, leaf1=junos(marks=False))
    assert "ecn/wred-drops-lossless" in {rule for rule, _ in told(request)}
    found = plan(request)
    text = "\n".join(rendering.text(found))
    assert "set class-of-service schedulers OF-RDMA explicit-congestion-notification" in text
    assert "ECN marking of the queue: yes" in text
    assert "#   delete class-of-service schedulers OF-RDMA explicit-congestion-notification" in text
    mended(found)
    assert "ecn/wred-drops-lossless" not in {rule for rule, _ in told(request)}
    quiet = written(tmp_path, leaf1=junos(marks=True))
    assert "ecn/wred-drops-lossless" not in {rule for rule, _ in told(quiet)}


def test_two_changes_of_one_line_are_typed_as_one() -> None:
    earlier = Change((), ("nv unset x 4", "nv set x 3,4"), ("nv unset x 3,4", "nv set x 4"))
    later = Change((), ("nv unset x 3,4", "nv set x 3"), ("nv unset x 3", "nv set x 3,4"))
    both = _in_one(earlier, later)
    assert both.do == ("nv unset x 4", "nv set x 3")
    assert both.undo == ("nv unset x 3", "nv set x 4")
    inside = _in_one(
        Change((), ("interface 1/1", "mtu 4200"), ("interface 1/1", "mtu 1500")),
        Change((), ("interface 1/1", "mtu 9198"), ("interface 1/1", "mtu 4200")),
    )
    assert inside.do == ("interface 1/1", "mtu 9198")
    assert inside.undo == ("interface 1/1", "mtu 1500")


def test_the_search_for_a_report_ends_when_it_has_cost_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    request = written(tmp_path, leaf1=switch("leaf1", [3]), leaf2=switch("leaf2"))
    stopped = plan(request, Limits(work=1))
    assert stopped.tries == 1
    assert stopped.spared == len(stopped.left) or stopped.fixed
    assert plan(request, LIMITS).spared == 0
