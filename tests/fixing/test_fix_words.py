"""What a finding says to do does no harm where it is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load

MIXED = Path(__file__).parents[2] / "fixtures" / "mixed"


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        (
            "gpu3/sysfs.txt",
            "cc/apply:cnp_dscp=0x30		# cnp dscp		: 48",
            "cc/apply:cnp_dscp=0x1a		# cnp dscp		: 26",
            "send CNPs with a DSCP of their own, usually 48, and keep them in a traffic class of their own, with strict priority",
        ),
        (
            "leaf3.cfg",
            "qos map dscp 48 to traffic-class 6",
            "qos map dscp 48 to traffic-class 3",
            "keep the CNPs in a traffic class of their own, with strict priority",
        ),
    ],
)
def test_the_code_point_of_the_data_is_not_moved_for_the_sake_of_cnps(
    file: str, old: str, new: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(MIXED, tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    text = Path(file).read_text()
    assert old in text
    Path(file).write_text(text.replace(old, new))
    report = check(Request((".",), load(Path("roce-audit.yaml")), select=("cnp/in-data-class",))).report
    assert {f.fix.note for f in report.findings if f.verdict == "fails" and f.fix is not None} == {words}
