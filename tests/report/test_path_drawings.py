"""The paths that the HTML report draws: one for each class, those that findings of links and paths name, and not too many."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.engine.findings import Finding
from roce_audit.engine.rules import rulepack
from roce_audit.policy import load
from roce_audit.policy.values import Policy
from roce_audit.proof import examples
from roce_audit.report import Options, render
from roce_audit.report.drawing import DrawnPath
from roce_audit.views import pathdrawings
from roce_audit.views.pathdrawings import path_drawings
from roce_audit.views.sitedrawing import site_drawing

FIXTURES = Path(__file__).parents[2] / "fixtures"


def checked(name: str) -> Checked:
    folder = FIXTURES / name
    return check(Request((str(folder),), load(folder / "roce-audit.yaml")))


@pytest.fixture(scope="module")
def faulty() -> Checked:
    return checked("fabric-faulty")


def fingerprint(run: Checked, rule: str) -> str:
    (found,) = (finding for finding in run.report.findings if finding.rule == rule and finding.verdict == "fails")
    return found.fingerprint


def on(drawn: DrawnPath, device: str) -> str:
    """The box of a device."""
    return next(box for box in drawn.markup.split('<li class="device') if f"<h3>{device}" in box)


def named(drawn: DrawnPath, device: str) -> list[str]:
    """The findings named in the box of a device, with the ports that are said."""
    return [
        rule + ports for rule, ports in re.findall('<a href="#/finding/[^"]*">(.*?)</a>(.*?)</p>', on(drawn, device))
    ]


def hops(drawn: DrawnPath, device: str) -> list[tuple[str, str]]:
    """What colour the hops in the box of a device have, and their ports."""
    return re.findall('<section class="hop ([a-z]+)"><h4>.*?</span> (.*?)</h4>', on(drawn, device))


@pytest.mark.parametrize("name", ["fabric", "mixed-vendors"])
def test_a_clean_fabric_draws_its_classes_and_no_break(name: str) -> None:
    run = checked(name)
    drawn = path_drawings(run)
    classes = [cls.name for fabric in run.site.fabrics for cls in fabric.classes.roce]
    assert [re.findall("class ([^,]+),", one.title) for one in drawn] == [[cls] for cls in classes]
    assert not [one.title for one in drawn if one.broken or one.findings]


def test_the_path_goes_to_another_host_at_another_leaf() -> None:
    assert path_drawings(checked("fabric"))[0].title == "backend, class roce, gpu1:ens11np0 → gpu2:ens12np0"


def test_a_finding_about_a_link_is_named_at_both_ends_of_its_path(faulty: Checked) -> None:
    found = fingerprint(faulty, "pfc/priority-mismatch")
    drawn = next(one for one in path_drawings(faulty) if found in one.findings)
    assert drawn.broken
    assert named(drawn, "leaf1") == ["pfc/priority-mismatch leaf1:Ethernet34/1"]
    assert named(drawn, "spine1") == ["pfc/priority-mismatch"]
    assert named(drawn, "leaf2") == []
    assert ("bad", "spine1:Ethernet1/2") in hops(drawn, "spine1")


def test_a_link_off_the_usual_path_gets_a_path_of_its_own(faulty: Checked) -> None:
    found = fingerprint(faulty, "mtu/receiver-below-sender")
    (drawn,) = (one for one in path_drawings(faulty) if found in one.findings)
    assert drawn.title.startswith("backend, class roce, gpu3:ens11np0 → ")
    assert named(drawn, "gpu3") == ["mtu/receiver-below-sender"]


def test_the_only_way_between_two_leaves_is_drawn_where_it_is_not_lossless(tmp_path: Path) -> None:
    (rule,) = (rule for rule in rulepack.load() if rule.id == "fabric/only-way-lossy")
    (found,) = (found for found in examples.of_rule(rule) if found.platform == "cumulus")
    bad = next(case for case in found.cases if case.kind == "bad")
    for name, text in examples.case_tree(found, bad).tree.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    run = check(Request((str(tmp_path),), Policy.empty()))
    told = {f.fingerprint for f in run.report.findings if f.rule == rule.id and f.verdict == "fails"}
    assert told
    (drawn,) = path_drawings(run)
    assert told <= set(drawn.findings)
    assert drawn.broken
    assert [colour for colour, _ in hops(drawn, "core1")] == ["bad", "bad"]
    assert all(one.startswith(rule.id) for one in named(drawn, "core1"))


def test_what_was_accepted_or_is_about_no_link_names_no_path(faulty: Checked) -> None:
    def accept(finding: Finding) -> Finding:
        return replace(finding, baselined=True)

    accepted = replace(faulty, report=replace(faulty.report, findings=tuple(map(accept, faulty.report.findings))))
    assert not [one for one in path_drawings(accepted) if one.findings]
    scopes = {rule.id: rule.scope for rule in faulty.rules}
    rule_of = {finding.fingerprint: finding.rule for finding in faulty.report.findings}
    named = {scopes[rule_of[found]] for one in path_drawings(faulty) for found in one.findings}
    assert named == {"link"}


def test_there_are_not_more_than_the_most(faulty: Checked, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = path_drawings(faulty)
    monkeypatch.setattr(pathdrawings, "MOST", len(whole) - 1)
    assert [one.title for one in path_drawings(faulty)] == [one.title for one in whole[:-1]]


def test_of_many_kinds_of_equal_ports_those_that_break_are_kept(
    faulty: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = path_drawings(faulty)[0]
    monkeypatch.setattr(pathdrawings, "ROWS", 1)
    first = path_drawings(faulty)[0]
    cut = len(re.findall('class="hop ', whole.markup)) - len(re.findall('class="hop ', first.markup))
    assert re.findall(r"(\d+) more kinds? of equal ports left out", first.markup) == [str(cut)]
    assert re.findall("left out", whole.markup) == []
    assert hops(first, "spine1") == [("bad", "spine1:Ethernet1/2"), ("good", "spine1:Ethernet1/3-4")]
    assert first.broken


def test_the_page_shows_them_and_the_script_knows_whose_they_are(faulty: Checked) -> None:
    page = "".join(render("html", faulty.report, Options(site=site_drawing(faulty))))
    told = re.findall(r'<details class="path" data-findings="([^"]*)"', page)
    assert told == [" ".join(one.findings) for one in path_drawings(faulty)]
    data = json.loads(re.findall(r'id="data">(.*?)</script>', page)[0])
    assert {found for one in told for found in one.split()} <= {row[0] for row in data["findings"]}
    assert ".hops {" in page.partition("</head>")[0]
