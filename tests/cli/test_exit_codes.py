"""Exit codes, in the order of the contract: 70, 2, 3, 1, 4, 0."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from roce_audit.cli.main import main

GOOD = """! Command: show running-config
! device: leaf1 (DCS-7060X6-64PE, EOS-4.33.1F)
hostname leaf1
qos map dscp 26 to traffic-class 3
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      no priority
      bandwidth percent 60
      random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 20
priority-flow-control pause watchdog default timeout 0.2
interface Ethernet1/1
   description gpu1
   mtu 9214
   no switchport
   service-profile ROCE
   priority-flow-control pause watchdog
interface Ethernet2/1
   description gpu2
   mtu 9214
   no switchport
   service-profile ROCE
   priority-flow-control pause watchdog
end
"""
POLICY = "roce: {dscp: [26], priority: [3]}\nports:\n  - {description: 'gpu*', roce: true}\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "leaf1.cfg").write_text(GOOD)
    (tmp_path / "roce-audit.yaml").write_text(POLICY)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def change(site: Path, old: str, new: str) -> None:
    text = (site / "leaf1.cfg").read_text()
    assert old in text
    (site / "leaf1.cfg").write_text(text.replace(old, new, 1))


def test_all_holds(site: Path) -> None:
    assert main(["check", "leaf1.cfg"]) == 0


def test_a_finding(site: Path) -> None:
    change(site, "   mtu 9214", "   mtu 1500")
    assert main(["check", "leaf1.cfg"]) == 1
    assert main(["check", "leaf1.cfg", "--fail-on", "never"]) == 0


def test_a_warning_fails_only_when_asked(site: Path) -> None:
    change(site, "   priority-flow-control pause watchdog\n", "   no priority-flow-control pause watchdog\n")
    assert main(["check", "leaf1.cfg"]) == 0
    assert main(["check", "leaf1.cfg", "--fail-on", "warning"]) == 1


def test_a_core_family_that_unread_lines_blind(site: Path) -> None:
    change(site, "   priority-flow-control on\n", "   priority-flow-control onwards\n")
    assert main(["check", "leaf1.cfg", "-f", "json=out.json", "-f", "concise"]) == 4
    blind = json.loads((site / "out.json").read_text())["coverage"]["blind"]
    assert {"path": "leaf1.cfg", "family": "pfc"} in blind


def test_a_failure_comes_before_blindness(site: Path) -> None:
    change(site, "   priority-flow-control on\n", "   priority-flow-control onwards\n")
    change(site, "   mtu 9214", "   mtu 1500")
    assert main(["check", "leaf1.cfg"]) == 1


def test_unknown_fails_under_strict(site: Path) -> None:
    assert main(["check", "leaf1.cfg", "--strict"]) == 4


def test_nothing_recognised(site: Path) -> None:
    (site / "ci.yml").write_text("on: push\n")
    (site / "empty").mkdir()
    (site / "empty" / "notes.txt").write_text("words\n")
    (site / "roce-audit.yaml").unlink()
    assert main(["check", "empty"]) == 3


def test_a_changed_file_that_is_no_device_document_passes(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "ci.yml").write_text("on: push\n")
    assert main(["check", "ci.yml"]) == 0
    assert "ci.yml" in capsys.readouterr().out


def test_no_roce_evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "fe.cfg").write_text(
        "! Command: show running-config\n! device: fe (DCS-7050, EOS-4.30.1F)\nhostname fe\n"
        "interface Ethernet1\n   description user desk\nend\n"
    )
    assert main(["check", "fe.cfg"]) == 0
    assert "nothing to judge: no RoCE evidence" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "nowhere.cfg"],
        ["check", "leaf1.cfg", "--select", "pfc/priority-of"],
        ["check", "leaf1.cfg", "-f", "jsn"],
        ["check", "leaf1.cfg", "--policy", "other.yaml"],
        ["check", "leaf1.cfg", "--profile", "nobody"],
        ["check", "leaf1.cfg", "--fail-on", "sometimes"],
        ["check", "leaf1.cfg", "-f", "text", "-f", "json"],
        ["explain", "pfc/priority-of"],
        ["chekc"],
    ],
    ids=" ".join,
)
def test_usage_errors(site: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err.strip()


def test_policy_that_names_an_unknown_rule(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "roce-audit.yaml").write_text(POLICY + "rules:\n  pfc/watchdog-of: {severity: info}\n")
    assert main(["check", "leaf1.cfg"]) == 2
    said = capsys.readouterr().err
    assert "roce-audit.yaml:5" in said
    assert "pfc/watchdog-off" in said


def test_context_that_is_no_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(["check", str(tmp_path), "--context", str(tmp_path / "pipe")]) == 2
    assert "neither a file nor a folder" in capsys.readouterr().err


def test_what_is_in_maintenance_is_told_and_decides_nothing(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(site, "priority-flow-control priority 3 no-drop", "priority-flow-control priority 4 no-drop")
    assert main(["check", "leaf1.cfg"]) == 1
    (site / "roce-audit.yaml").write_text(POLICY + "maintenance: [leaf1]\n")
    capsys.readouterr()
    assert main(["check", "-f", "json", "leaf1.cfg"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    off = next(finding for finding in findings if finding["rule"] == "pfc/priority-off")
    assert (off["severity"], off["in_maintenance"]) == ("error", True)
    assert off["message"].endswith("(in maintenance)")


def test_what_a_text_in_maintenance_lacks_decides_nothing(site: Path) -> None:
    """A profile that somebody took off all of its ports for the time of the work."""
    text = (site / "leaf1.cfg").read_text()
    (site / "leaf1.cfg").write_text(text.replace("   service-profile ROCE\n", ""))
    only = ["check", "--select", "input/undefined-or-unapplied", "leaf1.cfg"]
    assert main(only) == 1
    (site / "roce-audit.yaml").write_text(POLICY + "maintenance: [leaf1]\n")
    assert main(only) == 0


def test_a_cable_to_a_device_in_maintenance_decides_nothing(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The other end of the cable is sound; what the two do not agree on is the one's that is worked on."""
    other = GOOD.replace("leaf1", "leaf2").replace("gpu", "leaf1 gpu")
    (site / "leaf2.cfg").write_text(other.replace("   mtu 9214\n", "   mtu 9214\n   speed 100g-2\n"))
    change(site, "   mtu 9214\n", "   mtu 9214\n   speed 400g-8\n")
    (site / "topology.yaml").write_text("links: [[leaf1:Ethernet1/1, leaf2:Ethernet1/1]]\n")
    assert main(["check", "--select", "link/speed-mismatch", "."]) == 1
    (site / "roce-audit.yaml").write_text(POLICY + "maintenance: [leaf2]\n")
    assert main(["check", "--select", "link/speed-mismatch", "."]) == 0
    (site / "roce-audit.yaml").write_text(POLICY + "maintenance: []\n")
    assert main(["check", "--select", "link/speed-mismatch", "."]) == 1


@pytest.mark.parametrize(
    "words", [("fix", "empty"), ("baseline", "empty"), ("diff", "empty", "empty"), ("diff", ".", "empty")]
)
def test_nothing_recognised_is_said_by_every_verb(
    site: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """A comparison with a folder that holds nothing must not pass: its name was misspelt."""
    (site / "empty").mkdir()
    (site / "roce-audit.yaml").unlink()
    assert main(list(words)) == 3
    assert "no device was recognised" in capsys.readouterr().err


def test_a_profile_that_is_not_there_is_told_with_its_line(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (site / "roce-audit.yaml").write_text("# ours\nprofile: cisco-al\n")
    assert main(["check", "leaf1.cfg"]) == 2
    assert capsys.readouterr().err.endswith(
        "roce-audit.yaml:2: there is no profile 'cisco-al', did you mean 'cisco-ai'?\n"
    )
