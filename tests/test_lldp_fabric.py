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
RULES = {rule.id: rule for rule in rulepack.load([rulepack.builtin_folder()])}


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
    files["roce-audit.yaml"] = files["roce-audit.yaml"].replace(
        '"spine2.cfg"', '"spine2/show_running-configuration.txt"'
    )
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


def faults() -> tuple[Example, ...]:
    """Faults that no device shows alone: their titles begin with the rule."""
    file = FIXTURES.parent / "tests/lldp_faults.txt"
    return parse(file.read_text(encoding="utf-8"), file.name, "", "").cases


@pytest.mark.parametrize("fault", faults(), ids=lambda case: case.title)
def test_each_fault_is_told_with_the_lines_of_all_devices_at_fault(folder: Path, fault: Example) -> None:
    name = fault.title.partition(":")[0]
    rule, severity = RULES[name.removesuffix(" (warning)")], "warning" if name.endswith(" (warning)") else "error"
    changed = apply(tree(), fault)
    found = [f for f in judged(folder, changed.tree, (rule,)).report.findings if f.verdict == "fails"]
    assert [f.severity for f in found] == [severity]
    told = {(Path(place.path).relative_to(folder).as_posix(), place.line) for place in found[0].locations}
    assert changed.marks <= told
    assert len({path.partition("/")[0] for path, _ in told}) > 1


def test_cables_in_each_others_place_are_a_difference_to_the_plan(folder: Path) -> None:
    answers = "leaf4/show_lldp_table.txt"
    first, second = (line for line in tree()[answers].split("\n") if "gpu3" in line or "gpu4" in line)
    swapped = tree()[answers].replace(first, first[:9] + second[9:]).replace(second, second[:9] + first[9:])
    plan_file = folder / "topology.yaml"
    plan_file.write_text((FIXTURES / "mixed/topology.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    silent = {name: text for name, text in tree().items() if name != "gpu3/lldpctl_-f_json0.json"}
    try:
        rules = (RULES["link/not-as-planned"],)
        quiet = judged(folder, tree(), rules).report.findings
        told = judged(folder, {**silent, "gpu3/lldpctl_-f_json0.json": "{}", answers: swapped}, rules).report.findings
    finally:
        plan_file.unlink()
    assert [f for f in quiet if f.verdict == "fails"] == []
    places = {(Path(p.path).name, p.line) for f in told for p in f.locations}
    assert {
        ("topology.yaml", 8),
        ("topology.yaml", 10),
        ("show_lldp_table.txt", 4),
        ("show_lldp_table.txt", 5),
    } <= places


def test_the_value_that_few_nics_have_is_the_one_pointed_at(folder: Path) -> None:
    fault = next(case for case in faults() if case.title.startswith("cnp/two-dscps"))
    changed = apply(tree(), fault)
    (found,) = judged(folder, changed.tree, (RULES["cnp/two-dscps"],)).report.findings
    pointed = {
        (Path(at.path).relative_to(folder).as_posix(), at.line) for at in found.locations if at.role == "primary"
    }
    assert pointed == changed.marks


def test_the_statement_that_the_nic_is_willing_is_the_one_pointed_at(folder: Path) -> None:
    fault = next(case for case in faults() if case.title.startswith("dcbx/host-willing"))
    changed = apply(tree(), fault)
    (found,) = judged(folder, changed.tree, (RULES["dcbx/host-willing"],)).report.findings
    (pointed,) = (place for place in found.locations if place.role == "primary")
    assert "Willing: yes" in pointed.text


@pytest.mark.parametrize(("mode", "failing"), [("on", 0), ("active", 1)])
def test_a_static_channel_of_one_port_is_as_good_as_none(folder: Path, mode: str, failing: int) -> None:
    leaf = "leaf3/show_running-config.txt"
    port = "interface Ethernet35/1\n"
    changed = {**tree(), leaf: tree()[leaf].replace(port, f"{port}   channel-group 5 mode {mode}\n")}
    found = judged(folder, changed, (RULES["link/channel-at-one-end"],)).report.findings
    assert sum(finding.verdict == "fails" for finding in found) == failing
