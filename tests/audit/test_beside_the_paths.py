"""A device that is asked for and lies, as it was before, among what is only read beside the paths."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("spine1.cfg", b""),
        ("spine1.cfg", b"404: Not Found\n"),
        ("spine1.cfg", b"<html><body>Please log in</body></html>\n"),
        ("spine1.cfg.gz", b"\x1f\x8b\x08\x00"),
        ("spine1", bytes(range(256)) * 9),
        ("spine1/running-config", b""),
        ("spine1.cfg", b"ssh: connect to host spine1 port 22: Connection refused\n"),
        ("spine1.txt", b'{"error": "timeout"}\n'),
        ("spine1.json", json.dumps({"stdout": SWITCH.format(name="spine1", priority=3)}).encode()),
    ],
)
def test_a_file_without_a_configuration_of_a_device_that_cables_lead_to_is_told(
    tmp_path: Path, name: str, content: bytes
) -> None:
    files = {f"{leaf}.cfg": SWITCH.format(name=leaf, priority=3) for leaf in ("leaf1", "leaf2")}
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(content)
    found = judged(tmp_path, files | {"topology.yaml": CABLES}, {})
    assert not told_unreadable(found)  # only the leaves were asked for by their names
    found = check(Request((str(tmp_path),), Policy.empty()))
    assert told_unreadable(found) == [f"{tmp_path}/{name}"]


@pytest.mark.parametrize(
    "content",
    [
        'config system interface\n    edit "port1"\n        set ip 10.0.0.1 255.255.255.254\n    next\nend\n',
        "".join(f"set interfaces ethernet eth{number} address 10.0.{number}.1/31\n" for number in range(12)),
    ],
    ids=["a known one", "any"],
)
def test_a_configuration_of_another_system_is_one(tmp_path: Path, content: str) -> None:
    files = {f"{leaf}.cfg": SWITCH.format(name=leaf, priority=3) for leaf in ("leaf1", "leaf2")}
    for file, text in (files | {"topology.yaml": CABLES, "spine1.cfg": content}).items():
        (tmp_path / file).write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty()))
    assert not told_unreadable(found)
    assert any("cables lead there: spine1" in note for note in found.report.coverage.notes)


def test_a_host_all_of_whose_answers_are_empty_is_told(tmp_path: Path) -> None:
    (tmp_path / "gpu1").mkdir()
    for name in ("mlnx_qos_-i_eth1_-a.txt", "ethtool_-a_eth1.txt", "ibv_devinfo_-d_mlx5_0.txt"):
        (tmp_path / "gpu1" / name).write_text("\n")
    assert told_unreadable(check(Request((str(tmp_path),), Policy.empty()))) == [f"{tmp_path}/gpu1"]
    (tmp_path / "gpu1" / "ethtool_-a_eth1.txt").write_text(
        "Pause parameters for eth1:\nAutonegotiate:\toff\nRX:\toff\n"
    )
    assert not told_unreadable(check(Request((str(tmp_path),), Policy.empty())))


def test_so_is_a_link_that_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "spine1.cfg").write_text(SWITCH.format(name="spine1", priority=3))
    site = tmp_path / "site"
    site.mkdir()
    (site / "spine1.cfg").symlink_to("../spine1.cfg")
    (site / "leaf1.cfg").write_text(SWITCH.format(name="leaf1", priority=3))
    (site / "topology.yaml").write_text(CABLES)
    assert told_unreadable(check(Request((str(site),), Policy.empty()))) == [f"{site}/spine1.cfg"]


@pytest.mark.parametrize("name", ["notes.txt", "spine1.md", "spine1.yaml", "spine9.cfg"])
def test_other_files_and_files_of_nobody_stay_unrecognised(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("rack: r1\n" if name.endswith("yaml") else "see the plan\n")
    files = {f"{leaf}.cfg": SWITCH.format(name=leaf, priority=3) for leaf in ("leaf1", "leaf2")}
    for file, text in (files | {"topology.yaml": CABLES}).items():
        (tmp_path / file).write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty()))
    assert not told_unreadable(found)
    assert [path for path, _ in found.report.coverage.unrecognised] == [f"{tmp_path}/{name}"]


def test_labs_make_their_files_when_they_begin(tmp_path: Path) -> None:
    (tmp_path / "lab.clab.yml").write_text(
        "name: lab\ntopology:\n  nodes: {leaf1: {kind: ceos}, spine1: {kind: ceos}}\n  links:\n"
        "    - endpoints: ['leaf1:Ethernet1/1', 'spine1:Ethernet1/1']\n"
    )
    (tmp_path / "leaf1.cfg").write_text(SWITCH.format(name="leaf1", priority=3))
    (tmp_path / "spine1").write_text("")
    assert not told_unreadable(check(Request((str(tmp_path),), Policy.empty())))


def test_a_topology_that_was_named_and_is_none_is_told_wherever_it_lies(tmp_path: Path) -> None:
    (tmp_path / "cables.txt").write_text("leaf1 goes to spine1\n")
    found = repository()
    for name, text in found.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    repo, plan = str(tmp_path / "repo"), str(tmp_path / "cables.txt")
    done = check(Request((f"{repo}/leaf1.cfg",), Policy.empty(), context=(repo,), topology=plan))
    assert told_unreadable(done) == [plan]


@pytest.mark.parametrize(("name", "is_told"), [("repo/topology.yaml", True), ("repo/lab/topology.yaml", False)])
def test_a_broken_topology_around_the_paths_is_told(name: str, is_told: bool, tmp_path: Path) -> None:
    found = repository() | {name: "links:\n  - [leaf1:Ethernet1/1, spine1]\n"}
    for path, text in found.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    repo = str(tmp_path / "repo")
    done = check(Request((f"{repo}/leaf1.cfg",), Policy.empty(), context=(repo,)))
    assert told_unreadable(done) == ([str(tmp_path / name)] if is_told else [])


def told_unreadable(found: Checked) -> list[str]:
    return [one.locations[0].path for one in found.report.findings if one.rule == "input/unreadable"]
