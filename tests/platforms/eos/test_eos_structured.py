"""Structured configurations of AVD: what they are taken for, and what odd ones do."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.fixing.planning import plan
from roce_audit.platforms.eos import PLATFORM, avd
from roce_audit.policy import Policy
from roce_audit.policy import load as load_policy
from roce_audit.text.document import Document

LEAF = (Path(__file__).parents[3] / "fixtures" / "eos" / "structured" / "leaf1.yml").read_text(encoding="utf-8")


def said(text: str) -> list[str]:
    return [statement.strip() for _, statement in avd.rendered(text, 1)]


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        (LEAF, True),
        ("ethernet_interfaces:\n  Ethernet1:\n    mtu: 9214\n", True),
        ("ethernet_interfaces: []\nvlans:\n  - id: 1\n", False),
        ("qos_profiles:\n  - name: ROCE\n    trust: dscp\n", False),
        ("interfaces:\n  - name: Ethernet1\n", False),
        ("ethernet_interfaces:  # of the leaf\n  # rail 1\n  - name: Ethernet1\n    mtu: 1\n", True),
        ("policy_maps:\n  foo: bar\n", False),
        ("# ethernet_interfaces:\nhosts:\n  - name: x\n", False),
    ],
)
def test_what_is_taken_for_one(text: str, ours: bool) -> None:
    assert avd.is_structured(text) is ours
    assert (PLATFORM.recognise(Document("x.yml", text)) >= 60) is ours


def test_names_as_keys_are_read_as_well() -> None:
    text = "ethernet_interfaces:\n  Ethernet1:\n    mtu: 9214\n    type: routed\n"
    assert avd.rendered(text, 1) == ((2, "interface Ethernet1"), (3, "   mtu 9214"), (4, "   no switchport"))


@pytest.mark.parametrize(
    ("key", "value", "statement"),
    [
        ("shutdown", "maybe", "shutdown 'maybe'"),
        ("qos", "{trust: disabled}", "no qos trust"),
        ("qos", "5", "qos: 5"),
        ("priority_flow_control", "{enabled: 1}", "priority-flow-control on 1"),
        ("priority_flow_control", "{enabled: false}", "no priority-flow-control on"),
        ("priority_flow_control", "{watch_dog: {}}", "priority_flow_control: watch_dog:"),
        ("mtu", '"9214\\nno priority-flow-control on"', "mtu 9214 no priority-flow-control on"),
    ],
)
def test_a_key_of_an_interface(key: str, value: str, statement: str) -> None:
    assert statement in said(f"ethernet_interfaces:\n  - name: Ethernet1\n    {key}: {value}\n")


@pytest.mark.parametrize("junk", ["5", "[]", "[5, x]", "{}", "x", "null", "[[1]]", "{a: {b: 1}}", "[{name: {a: 1}}]"])
def test_nothing_that_stands_anywhere_crashes(junk: str) -> None:
    keys = ["qos", "priority_flow_control", "class_maps", "policy_maps", "qos_profiles", "ethernet_interfaces"]
    keys += [
        "port_channel_interfaces",
        "interface_defaults",
        "mlag_configuration",
        "eos_cli",
        "access_lists",
        "hostname",
    ]
    texts = [f"{key}: {junk}\n" for key in keys]
    inner = ["uc_tx_queues", "priority_flow_control", "qos", "channel_group", "switchport", "eos_cli", "shape"]
    texts += [f"ethernet_interfaces:\n  - name: Ethernet1\n    {key}: {junk}\n" for key in inner]
    for key in ("random_detect", "priorities", "watchdog", "id"):
        texts.append(f"qos_profiles:\n  - name: X\n    uc_tx_queues:\n      - id: 3\n        {key}: {junk}\n")
        texts.append(f"qos_profiles:\n  - name: X\n    priority_flow_control:\n      {key}: {junk}\n")
    for text in texts:
        assert all(1 <= line <= text.count("\n") for line, _ in avd.rendered(text, 1)), text


def test_a_file_that_is_no_yaml_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "leaf1.yml").write_text(LEAF.replace("  - name: Ethernet2/1\n", "  - name: Ethernet2/1: [\n"))
    monkeypatch.chdir(tmp_path)
    report = check(Request((".",), Policy.empty())).report
    assert [f.rule for f in report.findings if f.verdict == "fails"] == ["input/unread-line"]


def test_pfc_off_everywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "leaf1.yml").write_text(
        LEAF.replace("priority_flow_control:\n  w", "priority_flow_control:\n  all_off: true\n  w", 1)
    )
    monkeypatch.chdir(tmp_path)
    (device,) = check(Request((".",), Policy.empty())).devices
    cell = device.device.pfc_disabled_globally
    assert cell.value is True
    assert [getattr(at, "line", None) for at in cell.at] == [20]


def test_it_is_not_fixed_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "leaf1.yml").write_text(LEAF.replace("mtu: 9000", "mtu: 1500"))
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\n")
    monkeypatch.chdir(tmp_path)
    found = plan(Request((".",), Policy.empty()))
    assert found.fixed == ()


def test_the_rendered_configuration_counts_where_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder, name in (("structured_configs", "leaf1.yml"), ("configs", "leaf1.cfg")):
        (tmp_path / folder).mkdir()
        text = (
            LEAF if name.endswith("yml") else "hostname leaf1\n" + "\n".join(line for _, line in avd.rendered(LEAF, 1))
        )
        (tmp_path / folder / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    report = check(Request((".",), Policy.empty())).report
    assert report.coverage.devices == 1
    assert not [f for f in report.findings if f.rule == "input/same-device-twice"]
    assert {m.path for f in report.findings for m in f.members} == {"configs/leaf1.cfg"}
    assert any("structured_configs/leaf1.yml" in note for note in report.coverage.notes)


def test_a_comment_of_yaml_suppresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = '    # roce-audit: ignore[mtu/below-roce] reason="lab" until=2999-12-31\n    mtu: 1500'
    (tmp_path / "leaf1.yml").write_text(LEAF.replace("    mtu: 9000", mark))
    (tmp_path / "roce-audit.yaml").write_text(
        "roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\nports: [{match: 'leaf1:Ethernet2/1', roce: true}]\n"
    )
    monkeypatch.chdir(tmp_path)
    report = check(Request((".",), load_policy(tmp_path / "roce-audit.yaml"))).report
    (found,) = [f for f in report.findings if f.rule == "mtu/below-roce" and f.verdict == "fails"]
    assert found.suppressed is not None
    assert found.suppressed.reason == "lab"
    assert not [f for f in report.findings if f.rule == "input/suppression-unused"]
