"""A device that is asked for and lies, as it was before, among what is only read beside the paths."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from roce_audit.audit import Checked, Request, check
from roce_audit.policy.values import Policy

SWITCH = """! device: {name} (DCS-7060X6-64PE, EOS-4.33.1F)
hostname {name}
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority {priority} no-drop
interface Ethernet1/1
   no switchport
   mtu 9214
   service-profile ROCE
interface Ethernet2/1
   no switchport
   mtu 9214
   service-profile ROCE
"""
NAMES = ("leaf1", "leaf2", "spine1")
CABLES = "links:\n  - [leaf1:Ethernet1/1, spine1:Ethernet1/1]\n  - [leaf2:Ethernet1/1, spine1:Ethernet2/1]\n"


def judged(folder: Path, asked: Mapping[str, str], beside: Mapping[str, str]) -> Checked:
    for name, text in {**beside, **asked}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    paths = tuple(str(folder / name) for name in asked)
    return check(Request(paths, Policy.empty(), context=(str(folder / "repo"),)))


def repository(*more: str) -> dict[str, str]:
    files = {f"repo/{name}.cfg": SWITCH.format(name=name, priority=3) for name in NAMES}
    return {
        **files,
        **{f"repo/{name}": SWITCH.format(name="leaf1", priority=3) for name in more},
        "repo/topology.yaml": CABLES,
    }


def test_what_is_asked_for_keeps_its_name_and_its_cables(tmp_path: Path) -> None:
    found = judged(tmp_path, {"now/leaf1.cfg": SWITCH.format(name="leaf1", priority=4)}, repository())
    assert sorted(device.name for device in found.devices) == ["leaf1", "leaf2", "spine1"]
    assert len(found.site.links) == 2
    assert "pfc/priority-mismatch" in {finding.rule for finding in found.report.findings if finding.severity == "error"}
    assert any("not read beside the paths" in note and "repo/leaf1.cfg" in note for note in found.report.coverage.notes)


def test_a_file_of_the_context_itself_replaces_nothing(tmp_path: Path) -> None:
    found = judged(tmp_path, {"repo/leaf1.cfg": SWITCH.format(name="leaf1", priority=4)}, repository())
    assert sorted(device.name for device in found.devices) == ["leaf1", "leaf2", "spine1"]
    assert not any("not read beside" in note for note in found.report.coverage.notes)


def test_nobody_knows_which_of_two_is_meant(tmp_path: Path) -> None:
    found = judged(tmp_path, {"now/leaf1.cfg": SWITCH.format(name="leaf1", priority=4)}, repository("other/leaf1.cfg"))
    assert len(found.devices) == 5
    assert not any("not read beside" in note for note in found.report.coverage.notes)


def test_a_file_without_a_name_of_its_own_replaces_nothing(tmp_path: Path) -> None:
    nameless = SWITCH.replace("hostname {name}\n", "").replace("device: {name}", "device: switch")
    found = judged(tmp_path, {"now/leaf1.cfg": nameless.format(priority=4)}, repository())
    assert not any("not read beside" in note for note in found.report.coverage.notes)
