"""A definition that nothing applies is shown with the failure it explains."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load_text

BASE = Path(roce_audit.__file__).parent / "platforms" / "nxos" / "examples" / "base"
APPLIED = "  service-policy type network-qos LOSSLESS\n"
DEFINED = "policy-map type network-qos LOSSLESS"


@pytest.mark.parametrize("applied", [True, False])
def test_what_is_applied_nowhere_stands_beside_the_port_that_lacks_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, applied: bool
) -> None:
    shutil.copytree(BASE, tmp_path / "site")
    monkeypatch.chdir(tmp_path / "site")
    leaf = Path("leaf1.cfg")
    text = leaf.read_text()
    assert text.count(APPLIED) == 1
    leaf.write_text(text if applied else text.replace(APPLIED, ""))
    policy = load_text(Path("roce-audit.yaml").read_text(), "roce-audit.yaml")
    found = [finding for finding in check(Request((".",), policy)).report.findings if finding.verdict == "fails"]
    off = [finding for finding in found if finding.rule == "pfc/priority-off"]
    assert len(off) == (not applied)
    for finding in off:
        assert _shown(finding) == [(f"{DEFINED}", "policy-map type network-qos LOSSLESS is defined and never applied")]
        assert finding.locations[0].role == "primary"


def _shown(finding: Finding) -> list[tuple[str, str]]:
    return [(at.text, at.note) for at in finding.locations if at.role == "related" and "applied" in at.note]
