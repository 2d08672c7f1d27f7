"""A fabric of seven kinds of switches and four kinds of NICs whose links come from LLDP alone.

`fixtures/mixed-lldp` holds what the devices of `fixtures/mixed` answer: port ids as names, aliases and MAC addresses, names with a
domain, two agents on one port, ends that hear nothing. The plan is left out.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from roce_audit.audit import Checked, Request, check
from roce_audit.engine import rulepack
from roce_audit.engine.rule import Rule
from roce_audit.policy import load
from roce_audit.proof.edits import Tree, apply
from roce_audit.proof.exampletext import Example, parse

FIXTURES = Path(__file__).parent.parent / "fixtures"
ACROSS = sorted(rule.id for rule in rulepack.load([rulepack.builtin_folder()]) if rule.scope == "link")


def folder_of(path: str) -> str:
    """A configuration that lies by itself goes into the folder of its device, beside the answers."""
    name, dot, rest = path.partition(".cfg")
    shown = "show_running-configuration" if name == "spine2" else "show_running-config"
    return f"{name}/{shown}.txt" if dot and not rest and "/" not in name else path


def read(root: Path) -> Tree:
    files = (file for file in root.rglob("*") if file.is_file())
    return {folder_of(file.relative_to(root).as_posix()): file.read_text(encoding="utf-8") for file in files}


@cache
def tree() -> Tree:
    files = {**read(FIXTURES / "mixed"), **read(FIXTURES / "mixed-lldp")}
    del files["topology.yaml"]
    files["roce-audit.yaml"] = files["roce-audit.yaml"].replace('"spine2.cfg"', '"spine2/show_running-configuration.txt"')
    return files


@cache
def plan() -> frozenset[frozenset[str]]:
    """The cables as `fixtures/mixed` has them."""
    told = yaml.safe_load((FIXTURES / "mixed/topology.yaml").read_text(encoding="utf-8"))
    return frozenset(frozenset(link) for link in told["links"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("fabric")
    for name, text in tree().items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def judged(root: Path, changed: Tree, rules: tuple[Rule, ...] | None = None) -> Checked:
    instead = {str(root / name): text for name, text in changed.items() if text != tree().get(name)}
    return check(Request(paths=(str(root),), policy=load(root / "roce-audit.yaml"), instead=instead, rules=rules))


def test_lldp_finds_the_cables_of_the_plan(folder: Path) -> None:
    found = judged(folder, tree())
    assert {frozenset((link.a.id, link.b.id)) for link in found.site.links} == plan()
    assert found.report.coverage.links_one_end == 0
    assert found.report.coverage.ports_roce["yes"] == 2 * len(plan())


def test_the_fabric_is_quiet(folder: Path) -> None:
    assert [f.message for f in judged(folder, tree()).report.findings if f.verdict == "fails"] == []


def faults() -> list[Example]:
    """Every one-edit fault of the fabric that only both ends of a link together show."""
    found = []
    for file in sorted((FIXTURES.parent / "tests/mixed").glob("*.txt")):
        if file.stem not in ("junos", "vrp", "comware"):
            cases = parse(file.read_text(encoding="utf-8"), file.name, "", file.stem).cases
            found += [case for case in cases if case.title.partition(":")[0].partition(" ")[0] in ACROSS]
    return found


def placed(case: Example) -> Example:
    """The fault in the tree of folders."""
    from dataclasses import replace

    edits = [replace(edit, text=folder_of(edit.text)) if edit.step == "file" else edit for edit in case.edits]
    return replace(case, edits=tuple(edits))


@pytest.mark.parametrize("fault", faults(), ids=lambda case: f"{case.platform}-{case.title}")
def test_each_fault_is_told_with_the_lines_of_both_ends(folder: Path, fault: Example) -> None:
    rule = fault.title.partition(":")[0].partition(" ")[0]
    changed = apply(tree(), placed(fault))
    rules = tuple(one for one in rulepack.load([rulepack.builtin_folder()]) if one.id == rule)
    found = [f for f in judged(folder, changed.tree, rules).report.findings if f.verdict == "fails"]
    assert found
    for finding in found:
        told = {Path(place.path).relative_to(folder).parts[0] for place in finding.locations}
        assert len(told) > 1, finding.locations
    marked = {(str(folder / path), line) for path, line in changed.marks}
    assert marked <= {(place.path, place.line) for finding in found for place in finding.locations}


def test_there_are_enough_faults() -> None:
    assert len(faults()) >= 10
    assert len({case.platform for case in faults()}) >= 6


def test_a_cable_moved_by_one_port_is_a_difference_to_the_plan(folder: Path) -> None:
    (folder / "topology.yaml").write_text(
        (FIXTURES / "mixed/topology.yaml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    try:
        answers = "leaf4/show_lldp_table.txt"
        text = (
            tree()[answers]
            .replace("Ethernet0    gpu3", "Ethernet0    gpu4")
            .replace("Ethernet8    gpu4", "Ethernet8    gpu3")
        )
        rules = tuple(one for one in rulepack.load([rulepack.builtin_folder()]) if one.id == "link/not-as-planned")
        quiet = judged(folder, tree(), rules).report.findings
        told = judged(
            folder, {**tree(), answers: text.replace(MAC[0], "x").replace(MAC[1], MAC[0]).replace("x", MAC[1])}, rules
        )
    finally:
        (folder / "topology.yaml").unlink()
    assert [f for f in quiet if f.verdict == "fails"] == []
    places = {(Path(p.path).name, p.line) for f in told.report.findings for p in f.locations}
    assert {("topology.yaml", 8), ("topology.yaml", 10)} <= places


MAC = ("02:2c:03:fd:c9:04", "02:05:73:93:49:4d")
