"""A fabric of seven kinds of switches and four kinds of NICs whose links come from LLDP alone.

What its devices answer: port ids as names, aliases and MAC addresses, names with a domain, two agents on one port, ends that hear
nothing. It is the fabric of `fixtures/mixed`, which has a plan instead: both must have the same cables.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml
from golden_fabric import fabric_lines, golden_of

from roce_audit.audit import Checked, Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule
from roce_audit.policy import load
from roce_audit.proof.edits import Tree, apply
from roce_audit.proof.exampletext import Example, parse
from roce_audit.sources.files import shown

FIXTURES = Path(__file__).parent.parent / "fixtures"
RULES = {rule.id: rule for rule in rulepack.load([rulepack.builtin_folder()])}


ROOT = FIXTURES / "mixed-lldp"
PLAN = FIXTURES / "mixed/topology.yaml"


@cache
def tree() -> Tree:
    files = (file for file in ROOT.rglob("*") if file.is_file())
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


@cache
def plan() -> frozenset[frozenset[str]]:
    """The cables as `fixtures/mixed` has them."""
    told = yaml.safe_load(PLAN.read_text(encoding="utf-8"))
    return frozenset(frozenset(link) for link in told["links"])


def judged(changed: Tree, rules: tuple[Rule, ...] | None = None, plan: str | None = None) -> Checked:
    instead = {shown(str(ROOT / name)): text for name, text in changed.items() if text != tree().get(name)}
    policy = load(ROOT / "roce-audit.yaml")
    return check(Request((str(ROOT),), policy, topology=plan, instead=instead, rules=rules))


def inside(path: str) -> str:
    """A path of a report, as the tree names it."""
    return Path(path).resolve().relative_to(ROOT).as_posix()


def test_the_golden_fabric() -> None:
    assert "\n".join(fabric_lines(ROOT)) + "\n" == golden_of(ROOT).read_text(encoding="utf-8")


def test_lldp_finds_the_cables_of_the_plan() -> None:
    found = judged(tree())
    assert {frozenset((link.a.id, link.b.id)) for link in found.site.links} == plan()
    assert found.report.coverage.links_one_end == 0
    assert found.report.coverage.ports_roce["yes"] == 2 * len(plan())


def test_the_fabric_is_quiet() -> None:
    assert [f.message for f in judged(tree()).report.findings if f.verdict == "fails"] == []


def faults() -> tuple[Example, ...]:
    """Faults that no device shows alone: their titles begin with the rule."""
    file = FIXTURES.parent / "tests/lldp_faults.txt"
    return parse(file.read_text(encoding="utf-8"), file.name, "", "").cases


@pytest.mark.parametrize("fault", faults(), ids=lambda case: case.title)
def test_each_fault_is_told_with_the_lines_of_all_devices_at_fault(fault: Example) -> None:
    name = fault.title.partition(":")[0]
    rule, severity = RULES[name.removesuffix(" (warning)")], "warning" if name.endswith(" (warning)") else "error"
    changed = apply(tree(), fault)
    found = [f for f in judged(changed.tree, (rule,)).report.findings if f.verdict == "fails"]
    assert [f.severity for f in found] == [severity]
    told = {(inside(place.path), place.line) for place in found[0].locations}
    assert changed.marks <= told
    assert len({path.partition("/")[0] for path, _ in told}) > 1


def test_cables_in_each_others_place_are_a_difference_to_the_plan() -> None:
    answers = "leaf4/show_lldp_table.txt"
    first, second = (line for line in tree()[answers].split("\n") if "gpu3" in line or "gpu4" in line)
    swapped = tree()[answers].replace(first, first[:9] + second[9:]).replace(second, second[:9] + first[9:])
    swapped_only = {"gpu3/lldpctl_-f_json0.json": "{}", answers: swapped}
    rules = (RULES["link/not-as-planned"],)
    quiet = judged(tree(), rules, str(PLAN)).report.findings
    told = judged({**tree(), **swapped_only}, rules, str(PLAN)).report.findings
    assert [f for f in quiet if f.verdict == "fails"] == []
    places = {(Path(p.path).name, p.line) for f in told for p in f.locations}
    assert {
        ("topology.yaml", 8),
        ("topology.yaml", 10),
        ("show_lldp_table.txt", 4),
        ("show_lldp_table.txt", 5),
    } <= places


def test_the_value_that_few_nics_have_is_the_one_pointed_at() -> None:
    fault = next(case for case in faults() if case.title.startswith("cnp/two-dscps"))
    changed = apply(tree(), fault)
    (found,) = judged(changed.tree, (RULES["cnp/two-dscps"],)).report.findings
    pointed = {(inside(at.path), at.line) for at in found.locations if at.role == "primary"}
    assert pointed == changed.marks


def test_the_statement_that_the_nic_is_willing_is_the_one_pointed_at() -> None:
    fault = next(case for case in faults() if case.title.startswith("dcbx/host-willing"))
    changed = apply(tree(), fault)
    (found,) = judged(changed.tree, (RULES["dcbx/host-willing"],)).report.findings
    (pointed,) = (place for place in found.locations if place.role == "primary")
    assert "Willing: yes" in pointed.text


@pytest.mark.parametrize(("mode", "failing"), [("on", 0), ("active", 1)])
def test_a_static_channel_of_one_port_is_as_good_as_none(mode: str, failing: int) -> None:
    leaf = "leaf3/show_running-config.txt"
    port = "interface Ethernet35/1\n"
    changed = {**tree(), leaf: tree()[leaf].replace(port, f"{port}   channel-group 5 mode {mode}\n")}
    found = judged(changed, (RULES["link/channel-at-one-end"],)).report.findings
    assert sum(finding.verdict == "fails" for finding in found) == failing
