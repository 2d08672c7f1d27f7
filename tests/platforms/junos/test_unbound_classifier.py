"""A port with a profile of PFC and no classifier: what is said names the classifier."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.proof import examples

BOUND = "set class-of-service interfaces et-0/0/2 unit 0 classifiers dscp marks-in\n"


def test_the_classifier_is_asked_for(tmp_path: Path) -> None:
    for name, text in examples.base("junos").items():
        (tmp_path / name).write_text(text.replace(BOUND, ""), encoding="utf-8")
    request = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("pfc/priority-off",))
    (found,) = [f for f in check(request).report.findings if f.verdict == "fails"]
    assert "is the classifier bound?" in found.message
