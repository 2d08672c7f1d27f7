"""Changes as a neighbour has them: what proves them, which neighbour is the model, and what is typed."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check, join_site
from roce_audit.editor.buffers import fix
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.fixing import rendering
from roce_audit.fixing.attaching import LIMITS
from roce_audit.fixing.planning import Plan, _in_one, plan
from roce_audit.fixing.trying import FileTexts, Limits, State
from roce_audit.platforms.repair import Change, applied
from roce_audit.platforms.shared.path.repair import PathRepairs
from roce_audit.platforms.shared.path.texts import PathText
from roce_audit.policy import Policy
from roce_audit.policy import load as load_policy
from roce_audit.values import Place

RULES = load([builtin_folder()])
EXAMPLES = Path(platforms.__file__).parent

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


def test_a_port_gets_its_profile_though_all_ports_lack_the_watchdog(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = {
        name: "\n".join(line for line in switch(name, without).split("\n") if "watchdog" not in line)
        for name, without in (("leaf1", [3]), ("leaf2", []))
    }
    request = written(tmp_path, **plain)
    assert ("pfc/watchdog-off", "Ethernet3") not in told(request)
    lines = list(rendering.text(plan(request)))
    assert "   service-profile LOSSLESS" in lines
    assert lines.count("   priority-flow-control pause watchdog") == 12, "which is turned on for all of them then"
    in_editor = fix(
        str(tmp_path / "leaf1.cfg"),
        "pfc/priority-off",
        {},
        lambda path: Request((path,), Policy.empty()),
        [str(tmp_path)],
    )
    assert in_editor[0]
    assert in_editor[1] == "leaves warning[pfc/watchdog-off] on leaf1:Ethernet3, as on all similar ports"


def test_a_line_that_takes_back_is_taken_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the profile says holds again; how large the headroom is behind it nobody knew before, either."""
    monkeypatch.chdir(tmp_path)
    off = "no priority-flow-control on"
    text = switch("leaf1").replace("interface Ethernet3\n", f"interface Ethernet3\n   {off}\n")
    request = written(tmp_path, leaf1=text, leaf2=switch("leaf2"))
    assert ("pfc/priority-off", "Ethernet3") in told(request)
    found = plan(request)
    assert [change.do for one in found.fixed for _, change in one.proposal.changes]
    mended(found)
    assert off not in Path("leaf1.cfg").read_text()
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


def test_a_try_costs_more_where_more_fails_or_is_in_doubt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    request = written(tmp_path, leaf1=switch("leaf1", [3]), leaf2=switch("leaf2"))
    state = State(check(request), LIMITS, FileTexts())
    state.tried({})
    ports = sum(len(device.ports) for device in state.checked.devices)
    assert state.work - ports == (len(state.standing.fails) + len(state.standing.unknown)) // 4 > 0


SRL = """set / system name host-name leaf1
set / interface ethernet-1/1 admin-state enable
set / interface ethernet-1/1 mtu 1514
set / interface ethernet-1/1 subinterface 0 admin-state enable
set / interface ethernet-1/1 subinterface 0 ip-mtu 1500
set / interface ethernet-1/2 admin-state enable
set / interface ethernet-1/2 subinterface 0 admin-state enable
set / interface ethernet-1/2 subinterface 0 ip-mtu 9214
"""


def test_what_stands_for_the_same_setting_is_replaced_and_the_way_back_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second line about it would leave two, and without the first the way back ends elsewhere than it began."""
    monkeypatch.chdir(tmp_path)
    repairs = platforms.repairs("srlinux")
    assert repairs is not None
    lines = SRL.splitlines()
    port, similar = (
        next(
            port.reading
            for fabric in join_site(_of_text(SRL)).site.fabrics
            for port in fabric.ports
            if port.id == f"leaf1:{name}"
        )
        for name in ("ethernet-1/1", "ethernet-1/2")
    )
    changes = repairs.like(port, similar, [Place("leaf1.cfg", 3)], [Place("leaf1.cfg", 8)], {"leaf1.cfg": lines})
    mtu, ip_mtu = "/ interface ethernet-1/1 mtu", "/ interface ethernet-1/1 subinterface 0 ip-mtu"
    assert [change.do for change in changes] == [
        (f"set {ip_mtu} 9214",),
        (f"delete {mtu}", f"set {ip_mtu} 9214"),
    ]
    assert changes[-1].undo == (f"set {ip_mtu} 1500", f"set {mtu} 1514")
    after = applied(lines, changes[-1].edits)
    assert [line for line in after if "ethernet-1/1" in line and "mtu" in line] == [f"set {ip_mtu} 9214"]


def _of_text(text: str) -> Request:
    Path("leaf1.cfg").write_text(text, encoding="utf-8")
    return Request(("leaf1.cfg",), Policy.empty(), rules=RULES)


NAMES = """hostname leaf1
feature lldp
class-map type qos match-all {defined}
  match dscp 26
class-map type qos match-all CNP-MARK
  match dscp 48
policy-map type qos MARKS-IN
  class {used}
    set qos-group 3
  class CNP-MARK
    set qos-group 6
policy-map type network-qos LOSSLESS
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
  class type network-qos c-8q-nq-default
    mtu 9216
system qos
  service-policy type network-qos LOSSLESS
""" + "".join(
    f"interface Ethernet1/{n}\n  priority-flow-control mode on\n  mtu 9216\n  no shutdown\n"
    f"  service-policy type qos input MARKS-IN\n"
    for n in range(1, 6)
)


@pytest.mark.parametrize(("defined", "used", "is_meant"), [("ROCE-MARK", "ROCE-OLD", True), ("VOICE", "BULK", False)])
def test_the_only_name_that_nothing_applies_is_meant_where_it_begins_alike(
    defined: str, used: str, is_meant: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    request = written(tmp_path, leaf1=NAMES.format(defined=defined, used=used))
    asked = f"{defined} is defined and never applied: is it meant?"
    messages = [f.message for f in check(request).report.findings if f.rule == "input/undefined-or-unapplied"]
    assert any(asked in message for message in messages) is is_meant
    found = plan(request)
    assert any(f"class {defined}" in line for line in rendering.patch(found) if line.startswith("+")) is is_meant
    if is_meant:
        mended(found)
        assert "input/undefined-or-unapplied" not in {rule for rule, _ in told(request)}


def test_what_is_left_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A platform for which nothing is written is not one on which everything was tried."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(EXAMPLES / "windows" / "examples" / "base", tmp_path / "site")
    answer = tmp_path / "site" / "node1" / "Get-NetAdapterAdvancedProperty.json"
    text = answer.read_text(encoding="utf-8")
    answer.write_text(text.replace("9014", "1514"), encoding="utf-8")
    assert "9014" in text
    policy = load_policy(tmp_path / "site" / "roce-audit.yaml")
    found = plan(Request(("site",), policy, rules=RULES))
    reasons = {why for finding, why in found.left if finding.rule == "mtu/below-roce"}
    assert reasons == {"no changes are written for windows: `roce-audit explain mtu/below-roce` says what to look at"}


def test_what_ports_share_is_made_like_its_namesake_once_for_all_of_them(tmp_path: Path) -> None:
    """Each step is written into the text that the one before leaves: for each of sixty ports anew it took minutes."""
    ports = "".join(f"set interfaces et-0/0/{number} mtu 9216\n" for number in range(8))
    applied_to = "".join(
        f"set class-of-service interfaces et-0/0/{number} {what}\n"
        for number in range(8)
        for what in ("scheduler-map OUT", "congestion-notification-profile PAUSE", "classifiers dscp IN")
    )
    there = JUNOS.replace("leaf1", "leaf2").replace("[ 30 80 ]", "[ 20 60 ]")
    paths = [tmp_path / name for name in ("leaf1.conf", "leaf2.conf")]
    for path, text in zip(paths, (JUNOS, there), strict=True):
        path.write_text(text + ports + applied_to)
    here, other = (check(Request((str(path),), Policy.empty())).devices[0] for path in paths)
    texts = {str(path): path.read_text().split("\n") for path in paths}
    read: list[str] = []
    repairs = platforms.repairs("junos")
    assert isinstance(repairs, PathRepairs)

    def text(path: str, lines: Sequence[str]) -> PathText | None:
        read.append(path)
        return repairs.text(path, lines)

    counting = replace(repairs, text=text, _read={}, _turns={})
    found = [counting.mirror(port, other.ports[0], (), (), texts) for port in here.ports]
    assert found[0]
    assert all(one == found[0] for one in found)
    of_one = len(read)
    (changed,) = {line for change in found[0] for line in change.do if "fill-level" in line and "delete" not in line}
    assert "20" in changed or "60" in changed
    for port in here.ports:
        counting.mirror(port, other.ports[0], (), (), texts)
    assert len(read) == of_one
