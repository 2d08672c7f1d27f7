"""Mutated good configurations: no crash, no finding without evidence, no silent loss of a relevant line."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roce_audit import platforms
from roce_audit.audit import Checked, Request, check
from roce_audit.policy import find, load
from roce_audit.policy.values import Policy

PACKAGE = Path(platforms.__file__).parent
BASES = sorted(PACKAGE.glob("*/examples/base"))


def files(base: Path) -> list[Path]:
    return [p for p in sorted(base.rglob("*")) if p.is_file() and p.suffix != ".yaml"]


@st.composite
def mutations(draw: st.DrawFn, base: Path) -> tuple[Path, list[str]]:
    """One file of the base with up to three lines deleted, doubled, swapped or garbled."""
    path = draw(st.sampled_from(files(base)))
    lines = path.read_text(encoding="utf-8").split("\n")
    for _ in range(draw(st.integers(1, 3))):
        i = draw(st.integers(0, len(lines) - 1))
        how = draw(st.sampled_from(["delete", "double", "swap", "garble", "cut"]))
        if how == "delete" and len(lines) > 1:
            del lines[i]
        elif how == "double":
            lines.insert(i, lines[i])
        elif how == "swap" and i + 1 < len(lines):
            lines[i], lines[i + 1] = lines[i + 1], lines[i]
        elif how == "garble":
            lines[i] += draw(st.text(st.characters(min_codepoint=33, max_codepoint=0x2FFF), min_size=1, max_size=6))
        elif how == "cut":
            lines = lines[: i + 1]
    return path, lines


def run(base: Path, changed: Path, lines: list[str]) -> tuple[Checked, Path]:
    folder = Path(tempfile.mkdtemp(prefix="roce-audit-"))
    shutil.copytree(base, folder, dirs_exist_ok=True)
    (folder / changed.relative_to(base)).write_text("\n".join(lines), encoding="utf-8")
    found = find(folder)
    policy = Policy.empty() if found is None else load(found)
    return check(Request((str(folder),), policy)), folder


def located(checked: Checked) -> Iterator[tuple[str, str, int]]:
    for finding in checked.report.findings:
        for place in finding.locations:
            yield finding.rule, place.path, place.line


@pytest.mark.parametrize("base", BASES, ids=[b.parent.parent.name for b in BASES])
@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_mutated_network_is_judged_with_evidence(base: Path, data: st.DataObject) -> None:
    changed, lines = data.draw(mutations(base))
    checked, folder = run(base, changed, lines)
    try:
        assert checked.report.problems == ()
        for finding in checked.report.findings:
            assert finding.members
            assert any(place.role == "primary" for place in finding.locations), finding.rule
        for rule, path, line in located(checked):
            text = Path(path).read_text(encoding="utf-8", errors="replace").split("\n")
            assert 0 <= line <= len(text), f"{rule} points at {path}:{line}, beyond the end"
    finally:
        shutil.rmtree(folder)
