"""Counters beside findings: what was counted changes no verdict, no severity and no fingerprint."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding, Report
from roce_audit.policy import load
from roce_audit.proof.examples import base
from roce_audit.sources.files import shown

DROPS = """\
Ingress PG dropped packets:
     Port    PG0    PG1    PG2    PG3    PG4    PG5    PG6    PG7
---------  -----  -----  -----  -----  -----  -----  -----  -----
Ethernet0      0      0      0  {0:>5}      0      0      0      0
Ethernet8      0      0      0  {1:>5}      0      0      0      0
"""
NAME = "show_priority-group_drop_counters.txt"


def lay_out(root: Path, first: int, second: int, when: int, headroom: str) -> None:
    for name, text in base("sonic").items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace(headroom, '"xoff": "100"') if name.startswith("leaf1/") else text)
    (root / "leaf1" / NAME).write_text(DROPS.format(first, second))
    for path in root.rglob("*"):
        os.utime(path, (when, when))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A switch with too little headroom, read twice within 100 seconds."""
    config = base("sonic")["leaf1/config_db.json"]
    headroom = next(line.strip().rstrip(",") for line in config.split("\n") if line.strip().startswith('"xoff":'))
    lay_out(tmp_path / "now", 1204, 9, 1_800_000_100, headroom)
    lay_out(tmp_path / "now" / "yesterday", 4, 9, 1_800_000_000, headroom)
    return tmp_path / "now"


def judged(site: Path, since: str | None) -> Report:
    policy = load(site / "roce-audit.yaml")
    earlier = str(site / since) if since is not None else None
    return check(Request(paths=(str(site),), policy=policy, since=earlier)).report


def found(report: Report, rule: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.rule == rule and finding.verdict == "fails"]


def test_a_finding_about_configuration_gets_what_was_counted(site: Path) -> None:
    with_counters = found(judged(site, "yesterday"), "buffer/headroom-below-floor")
    assert with_counters
    notes = [at for finding in with_counters for at in finding.locations if at.note.startswith("counters: ")]
    (note,) = notes
    assert note.role == "related"
    assert note.line == 4
    assert note.path == shown(str(site / "leaf1" / NAME))
    assert "leaf1:Ethernet0: 1,200 packets dropped on entering for class roce (12 a second)" in note.note
    assert "times of the files" in note.note


def test_what_was_counted_decides_nothing_about_configuration(site: Path) -> None:
    (site / "leaf1" / NAME).unlink()
    for finding in found(judged(site, "yesterday"), "buffer/headroom-below-floor"):
        assert not any(at.note.startswith("counters: ") for at in finding.locations)
    without = {f.fingerprint: f.severity for f in judged(site, "yesterday").findings if f.verdict == "fails"}
    (site / "leaf1" / NAME).write_text(DROPS.format(1204, 9))
    counted = judged(site, "yesterday").findings
    assert {f.fingerprint: f.severity for f in counted if f.fingerprint in without} == without


def test_drops_are_a_consequence_of_the_missing_headroom(site: Path) -> None:
    (drops,) = found(judged(site, "yesterday"), "buffer/drops-in-lossless")
    assert [member.subject for member in drops.members] == ["Ethernet0"]
    assert drops.because_of is not None
    primary = next(at for at in drops.locations if at.role == "primary")
    assert primary.note.startswith("counters: leaf1:Ethernet0: 1,200 packets")
    assert "counters: the earlier snapshot" in [at.note for at in drops.locations]


def test_an_earlier_snapshot_below_the_paths_is_no_second_device(site: Path) -> None:
    report = judged(site, "yesterday")
    assert report.coverage.devices == 2
    assert not found(report, "input/same-device-twice")
    assert any("counters of 1 device were compared" in note for note in report.coverage.notes)


def test_a_snapshot_without_any_device_is_said(site: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    report = judged(site, str(tmp_path / "empty"))
    assert any("no device was recognised there" in note for note in report.coverage.notes)
    assert not found(report, "buffer/drops-in-lossless")
