"""A file with the marks of an unfinished merge is told as such on every platform and in every form, and is whole for nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from roce_audit.proof import golden
from roce_audit.sources.devices import load

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = golden.cases(FIXTURES)


@pytest.mark.parametrize("folder", CASES, ids=lambda p: p.relative_to(FIXTURES).as_posix())
def test_marks_are_told_in_every_form(folder: Path, tmp_path: Path) -> None:
    given = tmp_path / folder.name
    shutil.copytree(folder, given, ignore=shutil.ignore_patterns(golden.GOLDEN))
    marked = {document.path for device in load([str(given)]).devices for document in device.documents}
    for path in marked:
        lines = Path(path).read_bytes().split(b"\n")
        middle = len(lines) // 2
        lines[middle:middle] = [b"<<<<<<< HEAD", b"=======", b">>>>>>> other"]
        Path(path).write_bytes(b"\n".join(lines))
    loaded = load([str(given)])
    assert {problem.path for problem in loaded.problems if problem.kind == "merge-conflict"} == marked
    hit = [d for device in loaded.devices for d in device.documents if d.truncated]
    assert {document.path for document in hit} == marked
