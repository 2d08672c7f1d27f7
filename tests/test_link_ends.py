"""Findings about links: which end a plan names first changes neither what is said nor by what it is known again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load

FIXTURE = Path(__file__).parent.parent / "fixtures" / "mixed"


def slow_spine(folder: Path, turned: int) -> list[Finding]:
    """What is said of the links of a spine whose ports are all slower; each `turned`-th cable is planned the other way round."""
    shutil.copytree(FIXTURE, folder)
    spine = folder / "spine3.cfg"
    spine.write_text(spine.read_text().replace("400000", "100000").replace("speed 400g-8", "speed 100g-1"))
    plan = yaml.safe_load((folder / "topology.yaml").read_text())
    plan["links"] = [link[::-1] if i % turned == 0 else link for i, link in enumerate(plan["links"])]
    (folder / "topology.yaml").write_text(yaml.safe_dump(plan))
    return [
        finding
        for finding in check(Request((str(folder),), load(folder / "roce-audit.yaml"))).report.findings
        if finding.rule == "link/speed-mismatch"
    ]


@pytest.mark.parametrize("turned", [1, 2])
def test_findings_are_the_same_whichever_end_is_planned_first(tmp_path: Path, turned: int) -> None:
    as_planned, other = slow_spine(tmp_path / "planned", 1000), slow_spine(tmp_path / "turned", turned)
    assert [finding.fingerprint for finding in other] == [finding.fingerprint for finding in as_planned]
    assert [finding.message for finding in other] == [finding.message for finding in as_planned]
    members = [member for finding in other for member in finding.members]
    assert len(members) == 3
    assert all(member.subject.partition(" <-> ")[2].startswith("spine3:") for member in members)
