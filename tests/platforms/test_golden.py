"""Golden models: what is read from a fixture is what stands beside it. Written anew by `python -m roce_audit.proof.golden`."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.proof import golden
from roce_audit.proof.modeltext import decided_cells

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = golden.cases(FIXTURES)


@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.relative_to(FIXTURES).as_posix())
def test_the_model_is_the_golden_one(folder: Path) -> None:
    found = list(decided_cells(golden.read_case(folder)))
    assert found == (folder / golden.GOLDEN).read_text(encoding="utf-8").splitlines()


def test_a_golden_model_does_not_depend_on_the_working_directory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    here = list(decided_cells(golden.read_case(CASES[0])))
    monkeypatch.chdir(tmp_path)
    assert list(decided_cells(golden.read_case(CASES[0]))) == here
