"""NICs of one host that are too few for a majority are compared with each other."""

from __future__ import annotations

import shutil
from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.proof.examples import folder


def told(site: Path, old: str, new: str) -> list[tuple[str, str]]:
    """(rule, severity) of what fails of congestion control once a line of gpu1's files is another."""
    shutil.copytree(folder("linux") / "base", site)
    shutil.rmtree(site / "gpu2")
    file = site / "gpu1" / "sysfs.txt"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    report = check(Request((str(site),), load(site / "roce-audit.yaml"))).report
    return [(f.rule, f.severity) for f in report.findings if f.topic == "dcqcn" and f.verdict == "fails"]


def test_two_nics_that_differ_are_told_of_without_a_verdict_on_either(tmp_path: Path) -> None:
    line = "/sys/class/net/ens2f0np0/ecn/roce_rp/rpg_ai_rate:"
    assert told(tmp_path / "site", f"{line}5\n", f"{line}500\n") == [("dcqcn/parameters-differ", "info")]
