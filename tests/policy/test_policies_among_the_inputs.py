"""A policy below the paths that holds for nothing is said, and first."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

LEAF = Path(__file__).parents[2] / "fixtures/fabric/backend/leaf1.cfg"


def test_it_is_the_first_of_the_notes(tmp_path: Path) -> None:
    for site in ("a", "b", "c"):
        folder = tmp_path / site
        folder.mkdir()
        (folder / "leaf1.cfg").write_text(f"! {site}\n{LEAF.read_text()}")
    (tmp_path / "b" / "roce-audit.yaml").write_text("profile: base\n")
    notes = check(Request((str(tmp_path),), Policy.empty())).report.coverage.notes
    assert "b/roce-audit.yaml is not in force" in notes[0]
    assert any("claim the name as well" in note for note in notes[1:])
