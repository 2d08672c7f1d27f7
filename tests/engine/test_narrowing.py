"""A file judged with its repository as context says of it what a check of the whole repository says, and counts it alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.baseline import Accepted, Baseline
from roce_audit.engine.findings import Report
from roce_audit.platforms.base import DeviceReading
from roce_audit.policy import load, load_text
from roce_audit.policy.values import Policy
from roce_audit.readings.parcel import outcome, read_device
from roce_audit.text.document import DeviceInput

FABRICS = Path(__file__).parents[2] / "fixtures"
LEAF = """\
hostname {name}
vlan 10
qos map dscp 26 to traffic-class 3
qos rewrite dscp
interface Ethernet1/1
   description gpu
   mtu {mtu}
   no switchport
   priority-flow-control on
   priority-flow-control priority {priority} no-drop
"""


def _wide_and_narrow(path: str, policy: Policy, **other: object) -> tuple[Report, Report]:
    wide = Request((path,), policy, context=(".",), **other)  # type: ignore[arg-type]
    return check(wide).report, check(replace(wide, narrow=True)).report


def _failures(report: Report, path: str) -> set[tuple[object, ...]]:
    """What fails in a file: rule, member, severity, line, whether it is suppressed; and rules that only name a line of it."""
    found: set[tuple[object, ...]] = set()
    for finding in report.findings:
        if finding.verdict == "fails":
            said = (finding.rule, finding.severity, finding.suppressed is not None, finding.baselined)
            mine = [member for member in finding.members if member.path == path]
            found |= {(*said, member.fingerprint, member.line, member.value) for member in mine} or {said}
    return found


@pytest.mark.parametrize("folder", ["fabric", "fabric-faulty", "mixed", "mixed-vendors", "mixed-lldp"])
def test_each_file_has_the_findings_of_the_whole(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FABRICS / folder)
    policy = load(Path("roce-audit.yaml")) if Path("roce-audit.yaml").is_file() else Policy.empty()
    site = check(Request((".",), policy)).site
    files = {device.first.path for fabric in site.fabrics for device in fabric.devices}
    assert len(files) > 4
    for path in sorted(files):
        wide, narrow = _wide_and_narrow(path, policy)
        assert _failures(wide, path) == _failures(narrow, path), path
        assert wide.coverage.blind == narrow.coverage.blind
        assert wide.coverage.devices == narrow.coverage.devices
        assert narrow.checks.passed < wide.checks.passed


def _written(folder: Path, *leaves: tuple[str, int, int]) -> None:
    for name, mtu, priority in leaves:
        (folder / f"{name}.cfg").write_text(LEAF.format(name=name, mtu=mtu, priority=priority))


def test_only_what_was_asked_for_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _written(tmp_path, *((f"leaf{n}", 9214, 3) for n in range(1, 5)))
    wide, narrow = _wide_and_narrow("leaf1.cfg", Policy.empty())
    assert wide.checks.passed > 2 * narrow.checks.passed > 0
    assert wide.checks.undetermined > 2 * narrow.checks.undetermined > 0
    assert any("4 devices" in need.input for need in wide.coverage.missing_input)
    assert any("on leaf1" in need.input for need in narrow.coverage.missing_input)
    assert not any("devices" in need.input or "leaf2" in need.input for need in narrow.coverage.missing_input)


def test_one_that_is_told_by_a_line_of_the_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """leaf4 is odd beside leaf1, whose line the comparison names."""
    monkeypatch.chdir(tmp_path)
    _written(tmp_path, *((f"leaf{n}", 9214, 3) for n in range(1, 4)), ("leaf4", 1500, 3))
    wide, narrow = _wide_and_narrow("leaf1.cfg", Policy.empty())
    rules = [{f.rule for f in report.findings if f.verdict == "fails"} for report in (wide, narrow)]
    assert "fleet/odd-port-out" in rules[0]
    assert rules[0] == rules[1]


@pytest.mark.parametrize(
    ("device", "rule", "unused"), [("leaf4", "mtu/*", False), ("leaf3", "mtu/*", True), ("leaf4", "pfc/*", True)]
)
def test_an_entry_that_matches_elsewhere_is_no_leftover(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str, rule: str, unused: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    _written(tmp_path, *((f"leaf{n}", 9214, 3) for n in range(1, 4)), ("leaf4", 1500, 3))
    Path("roce-audit.yaml").write_text(
        "roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n"
        f"ignore:\n  - {{rule: {rule}, device: {device}, reason: lab, until: 2999-12-31}}\n"
    )
    for report in _wide_and_narrow("leaf1.cfg", load(Path("roce-audit.yaml"))):
        assert ("input/suppression-unused" in {finding.rule for finding in report.findings}) is unused


def test_what_holds_for_all_is_judged_on_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy is among the paths: nothing is left out."""
    monkeypatch.chdir(tmp_path)
    _written(tmp_path, *((f"leaf{n}", 9214, 3) for n in range(1, 4)), ("leaf4", 1500, 3))
    text = "roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n"
    Path("roce-audit.yaml").write_text(text)
    policy = load_text(text, "roce-audit.yaml", folder=tmp_path)
    wide = Request(("leaf1.cfg", "roce-audit.yaml"), policy, context=(".",))
    assert check(replace(wide, narrow=True)).report.checks == check(wide).report.checks
    assert check(replace(wide, paths=("leaf1.cfg",), narrow=True)).report.checks != check(wide).report.checks


@pytest.mark.parametrize("context", [(), (".",)])
def test_what_was_accepted_on_a_device_that_nobody_could_read_is_not_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, context: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    _written(tmp_path, ("leaf1", 9214, 3), ("leaf2", 9214, 3), ("leaf3", 9214, 3))
    accepted = Baseline.holding([Accepted("f", "mtu/below-roce", "leaf2:Ethernet1/1", "error", "")])
    asked = Request(("leaf1.cfg", "leaf2.cfg"), Policy.empty(), context=context, baseline=accepted, narrow=True)
    assert any(note.startswith("fixed since") for note in check(asked).report.coverage.notes)

    def crashing(device: DeviceInput) -> DeviceReading:
        if device.name == "leaf2":
            raise RuntimeError
        return read_device(device)

    monkeypatch.setattr(outcome, "__defaults__", (crashing,))
    report = check(asked).report
    assert report.problems
    assert not any(note.startswith("fixed since") for note in report.coverage.notes)
