"""Judging with shared verdicts must give what judging each subject alone gives; a crash is a judgement of its own."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.findings import distinct
from roce_audit.engine.finegroups import FineGroups
from roce_audit.engine.judging import Judge
from roce_audit.engine.rules.rule import Rule, RuleReads
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.engine.subjectgroups import of_subjects
from roce_audit.engine.subjects import PORT_SCOPES, Subject, Subjects
from roce_audit.engine.verdicts import SHARED, Keys
from roce_audit.policy import load_text
from roce_audit.policy.values import Policy
from roce_audit.report.words import subjects
from roce_audit.values import Why, known, unknown

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import likefiles
import synthetic

RULES = load([builtin_folder()])
NO_POLICY = Policy.empty()


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in synthetic.fleet(6, 6, diverse=True).items():
        odd = text.replace("   mtu 9214\n", "   mtu 1500\n", 1) if name == "leaf3" else text
        (tmp_path / f"{name}.cfg").write_text(odd)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def verdicts(judge: Judge, subjects: Subjects) -> set[tuple[str, str, bool, str, str]]:
    judged = judge.run(subjects)
    assert not judged.crashes
    return {(o.rule.id, subject.id, o.fails, o.severity, o.message) for subject, o in judged.each()}


def test_shared_verdicts_equal_single_ones(fleet: Path) -> None:
    site = check(Request((".",), Policy.empty())).site
    subjects = Subjects(site, ())
    together = verdicts(Judge(RULES, Policy.empty()), subjects)

    asked_alone: list[str] = []

    class OneByOne(Judge):
        def _said(self, group, batch, now):  # type: ignore[no-untyped-def]
            alone = replace(batch, rules=[(reads, asked, {}) for reads, asked, _ in batch.rules])
            for subject in group.subjects():
                one = of_subjects([subject])
                asked_alone.append(subject.id)
                said = super()._said(one, alone, replace(now, seen=()))
                self._count_all([(one, said)])
                for _, _, verdicts in alone.rules:
                    verdicts.clear()
            return replace(said, not_applicable=0, plain=[], told=[])  # it is counted

    assert together == verdicts(OneByOne(RULES, Policy.empty()), subjects)
    assert len(asked_alone) > len(set(asked_alone)) > 36
    assert any(fails for _, _, fails, _, _ in together)


def test_a_second_site_is_judged_as_in_a_process_of_its_own(fleet: Path) -> None:
    """What rules said of groups of ports is kept; where the class of the fabric is another one, it is asked anew."""
    policies = [
        Policy.empty(),
        load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml"),
        load_text("roce: {dscp: [30], priority: [4]}\nmtu: {roce: 4096}\n", "roce-audit.yaml"),
    ]
    asked = [(name, policy) for name in ("leaf1.cfg", "leaf3.cfg") for policy in policies]
    found = []
    for name, policy in (*asked, *asked):
        subjects = Subjects(check(Request((str(fleet / name),), policy)).site, ())
        kept = verdicts(Judge(RULES, policy), subjects)
        SHARED.__init__()  # type: ignore[misc]
        found.append(verdicts(Judge(RULES, policy), subjects))
        assert kept == found[-1]
    assert len(set(map(frozenset, found))) > len(policies)


def test_ports_in_a_fabric_of_another_name_are_known(fleet: Path) -> None:
    """What was said of a file by itself holds of its like in another folder; and one that breaks something is told of."""
    good = (fleet / "leaf1.cfg").read_text()
    bad = good.replace("   mtu 9214\n", "   mtu 1500\n", 1)
    found = []
    for folder, text in (("a", good), ("b", good), ("c", bad), ("d", good)):
        (fleet / folder).mkdir()
        (fleet / folder / "leaf1.cfg").write_text(text)
        found.append(check(Request((folder,), Policy.empty())))
    assert {fabric.name for one in found for fabric in one.site.fabrics} == {"a", "b", "c", "d"}
    rules = [{outcome.rule.id for _, outcome in checked.judged.each(fails=True)} for checked in found]
    assert rules[0] == rules[1] == rules[3]
    assert "mtu/below-roce" in rules[2] - rules[0]


def requiring(condition: str, **more: str) -> Rule:
    """A rule of its own that is told in words without values."""
    good = next(rule for rule in RULES if rule.id == "mtu/below-roce")
    fields = {name: getattr(good, name) for name in good.__dataclass_fields__}
    told = {"message": "it is odd", "let": {}, "fix": None, "points_at": (), "places": {}, "when": None}
    decides = {"id": "mtu/odd", "require": condition, "severities": (("warning", "True"),), "known_reads": None}
    return Rule(**{**fields, **told, **decides, **more})


def failing(path: Path, rule: Rule, policy: Policy = NO_POLICY) -> int:
    """How many subjects fail, in the process that judged others before."""
    found = verdicts(Judge((rule,), policy), Subjects(check(Request((str(path),), policy)).site, ()))
    return len([fails for _, _, fails, _, _ in found if fails])


def test_what_a_rule_says_of_the_name_of_a_nic_is_no_other_nics(tmp_path: Path) -> None:
    """NICs that differ in names alone share what rules say of them, but for rules that read names."""
    path = tmp_path / "gpu1.txt"
    path.write_text(likefiles.linux(1))
    for name in ("mlx5_3", "mlx5_4", "mlx5_3"):
        assert failing(path, requiring(f"nic.rdma_device != '{name}'", scope="nic")) == 1
    assert failing(path, requiring("port.ip_mtu_bytes < 0", scope="nic")) == likefiles.NICS


def test_what_a_rule_says_of_a_port_is_asked_anew_where_the_fabric_says_otherwise(fleet: Path) -> None:
    """Ports with the same facts differ in what is joined of them, and in whether they carry RoCE."""
    path = fleet / "leaf1.cfg"
    ports = len(check(Request((str(path),), Policy.empty())).site.fabrics[0].ports)
    has_many_like_it = requiring("port.similar_ports > 4", scope="port")
    assert failing(path, has_many_like_it) == 0
    path.write_text(path.read_text().replace("description host", "description storage", 3))
    assert 0 < failing(path, has_many_like_it) <= ports
    forbidden = requiring("port.ip_mtu_bytes < 0", scope="port", asks="forbidden")
    no_roce = load_text('ports: [{match: "leaf1:*1/1", roce: false}]', "roce-audit.yaml")
    assert [failing(path, forbidden, policy) for policy in (Policy.empty(), no_roce, Policy.empty())] == [0, 1, 0]


def test_a_failure_is_told_with_what_is_its_own(fleet: Path) -> None:
    """What only the message reads tells failures apart, and decides nothing."""
    good = next(rule for rule in RULES if rule.id == "mtu/below-roce")
    fields = {name: getattr(good, name) for name in good.__dataclass_fields__}
    told = {"message": "it has {port.ip_mtu_bytes|bytes}", "let": {}, "fix": None, "points_at": (), "places": {}}
    decides = {
        "when": None,
        "require": "not port.carries_roce",
        "severities": (("warning", "port.ip_mtu_bytes < 2000"), ("info", "True")),
    }
    rule = Rule(**{**fields, **told, **decides, "id": "mtu/told", "known_reads": None})
    assert ("port", "ip_mtu_bytes") in rule.wording_reads
    assert ("port", "ip_mtu_bytes") not in rule.deciding_reads
    site = check(Request((".",), Policy.empty())).site
    found = verdicts(Judge((rule,), Policy.empty()), Subjects(site, ()))
    said = {(name, severity, message) for _, name, fails, severity, message in found if fails}
    assert ("leaf3:Ethernet1/1", "warning", "it has 1,500 B") in said
    assert ("leaf3:Ethernet2/1", "info", "it has 9,214 B") in said


def test_finding_points_at_the_odd_line(fleet: Path) -> None:
    report = check(Request((".",), Policy.empty(), select=("mtu/below-roce",))).report
    (finding,) = [f for f in report.findings if f.verdict == "fails"]
    (primary,) = [place for place in finding.locations if place.role == "primary"]
    assert (primary.path, primary.text.strip()) == ("leaf3.cfg", "mtu 1500")
    assert finding.members[0].id == "leaf3:Ethernet1/1"


def test_a_crashing_rule_is_told_by_name_and_the_rest_is_judged(fleet: Path) -> None:
    class Broken(Rule):
        @property
        def reads_by_use(self):  # type: ignore[no-untyped-def, override]
            return RuleReads(frozenset({("port", "ip_mtu_bytes")}), frozenset())

        @property
        def uses_class(self):  # type: ignore[no-untyped-def, override]
            return False

        @property
        def compiled(self):  # type: ignore[no-untyped-def, override]
            raise RuntimeError("boom")

    good = next(rule for rule in RULES if rule.id == "mtu/below-roce")
    fields = {name: getattr(good, name) for name in good.__dataclass_fields__}
    broken = Broken(**{**fields, "id": "mtu/broken"})
    site = check(Request((".",), Policy.empty())).site
    judged = Judge((broken, good), Policy.empty()).run(Subjects(site, ()))
    assert judged.crashes == ["rule mtu/broken crashed: RuntimeError: boom"]
    assert any(outcome.rule.id == "mtu/below-roce" and outcome.fails for _, outcome in judged.outcomes)


def test_a_value_that_cannot_be_compared_is_the_crash_of_the_rules_that_read_it(fleet: Path) -> None:
    class Torn(Keys):
        def of(self, thing: object, name: str) -> int:
            if name == "ip_mtu_bytes":
                raise AttributeError("torn")
            return super().of(thing, name)

    judge = Judge(RULES, Policy.empty())
    judge.keys = Torn({})
    judged = judge.run(Subjects(check(Request((".",), Policy.empty())).site, ()))
    crashed = {outcome.rule.id for _, outcome in judged.outcomes if outcome.note.endswith("torn")}
    assert {f"rule {rule} crashed: AttributeError: torn" for rule in crashed} == set(judged.crashes)
    assert "mtu/below-roce" in crashed
    assert all(any(name == "ip_mtu_bytes" for _, name in rule.deciding_reads) for rule in RULES if rule.id in crashed)
    assert any(not outcome.note for _, outcome in judged.outcomes)
    assert judged.holds


def test_subjects_that_cannot_be_made_are_the_crash_of_the_rules_on_them(
    fleet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subjects = Subjects(check(Request((".",), Policy.empty())).site, ())

    def torn(scope: str, by_class: bool) -> Iterator[Subject]:
        raise KeyError(scope)

    def torn_links(by_class: bool) -> NoReturn:
        raise KeyError("link")

    monkeypatch.setattr(subjects, "of", torn)  # what is no single port and no link
    monkeypatch.setattr(subjects, "links_of", torn_links)
    judged = Judge(RULES, Policy.empty()).run(subjects)
    others = {rule for rule in RULES if rule.scope not in PORT_SCOPES}
    assert set(judged.crashes) == {f"rule {rule.id} crashed: KeyError: '{rule.scope}'" for rule in others}
    assert judged.holds


def test_policy_changes_severity_and_parameters(fleet: Path) -> None:
    policy = load_text("rules:\n  mtu/below-roce: {severity: info}\n", "roce-audit.yaml")
    report = check(Request((".",), policy, select=("mtu/below-roce",))).report
    assert {f.severity for f in report.findings if f.verdict == "fails"} == {"info"}


def test_suppression_in_a_comment_needs_a_reason_and_a_date(fleet: Path) -> None:
    path = fleet / "leaf3.cfg"
    text = path.read_text()
    with_reason = text.replace(
        "   mtu 1500", '   ! roce-audit: ignore[mtu/below-roce] reason="lab port" until=2999-12-31\n   mtu 1500', 1
    )
    path.write_text(with_reason)
    report = check(Request((".",), Policy.empty(), select=("mtu/below-roce",))).report
    (finding,) = [f for f in report.findings if f.verdict == "fails"]
    assert finding.suppressed is not None
    assert finding.suppressed.reason == "lab port"
    assert not [f for f in report.counted() if f.verdict == "fails"]
    for needed in (' reason="lab port"', " until=2999-12-31"):
        path.write_text(with_reason.replace(needed, ""))
        report = check(Request((".",), Policy.empty(), select=("mtu/below-roce",))).report
        assert [f.rule for f in report.counted() if f.verdict == "fails"] == ["mtu/below-roce"], needed


def test_without_suppressions_everything_counts(fleet: Path) -> None:
    policy = load_text("ignore:\n  - {rule: mtu/*, device: leaf3, reason: lab, until: 2999-12-31}\n", "roce-audit.yaml")
    request = Request((".",), policy, select=("mtu/below-roce",))
    assert not [f for f in check(request).report.counted() if f.verdict == "fails"]
    assert [f for f in check(replace(request, honour_suppressions=False)).report.counted() if f.verdict == "fails"]


def test_findings_outside_the_paths_are_not_shown(fleet: Path) -> None:
    inside = check(Request(("leaf1.cfg",), Policy.empty(), context=(".",), select=("mtu/below-roce",))).report
    assert not [f for f in inside.findings if f.verdict == "fails"]
    assert (inside.coverage.devices, inside.coverage.context.files, inside.coverage.context.folders) == (1, 5, (".",))
    about = check(Request(("leaf3.cfg",), Policy.empty(), context=(".",), select=("mtu/below-roce",))).report
    assert [f.rule for f in about.findings if f.verdict == "fails"] == ["mtu/below-roce"]


def test_two_classes_with_the_same_words_are_said_once(fleet: Path) -> None:
    text = (
        "mtu: {roce: 4096}\nclasses:\n"
        "  - {name: train, dscp: [26], priority: 3, lossless: true}\n"
        "  - {name: storage, dscp: [34], priority: 4, lossless: true}\n"
    )
    report = check(Request((".",), load_text(text, "roce-audit.yaml"), select=("mtu/below-roce",))).report
    (finding,) = [f for f in report.findings if f.verdict == "fails"]
    assert [member.id for member in distinct(finding.members)] == ["leaf3:Ethernet1/1"]
    assert len({member.fingerprint for member in finding.members}) == len(finding.members) == 2, "one for each class"


def test_a_group_over_devices_points_at_the_first_that_is_named(fleet: Path) -> None:
    for name in ("leaf5", "leaf2"):
        text = (fleet / f"{name}.cfg").read_text()
        (fleet / f"{name}.cfg").write_text(text.replace("   mtu 9214\n", "   mtu 1500\n", 3))
    policy = load_text("mtu: {roce: 4096}\nroce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((".",), policy, select=("mtu/below-roce",))).report
    (finding,) = [f for f in report.findings if f.verdict == "fails"]
    assert subjects(finding) == "7 ports on 3 devices: leaf2 (3), leaf3 (1), leaf5 (3)"
    assert finding.subject == "Ethernet1/1 and 6 more"
    assert [at.path for at in finding.locations if at.role == "primary"] == [m.path for m in finding.members]


def test_a_class_of_two_priorities_is_settled_by_the_policy_and_not_by_another_finding(fleet: Path) -> None:
    policy = load_text("roce: {dscp: [26], priority: [3, 4]}\n", "roce-audit.yaml")
    needs = check(Request((".",), policy)).report.coverage.missing_input
    asked = [need for need in needs if need.input.startswith("which of its priorities class roce")]
    assert [(need.how, need.decided_by) for need in asked] == [("policy classes: (a class for each priority)", "user")]
    assert not [need for need in needs if "sources disagree" in need.input]


def test_a_class_on_two_traffic_classes_refers_to_the_finding_about_it(fleet: Path) -> None:
    policy = load_text("roce: {dscp: [0, 26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((".",), policy)).report
    asked = {need.how: need.decided_by for need in report.coverage.missing_input}
    assert asked["see marking/class-broken-in-box"] == "finding"
    assert "marking/class-broken-in-box" in {finding.rule for finding in report.counted()}


def test_failures_that_are_mended_in_different_ways_are_told_apart(fleet: Path) -> None:
    rule = (
        "title: The MTU is odd\nscope: port\nasks: present\nrequire: port.ip_mtu_bytes < 0\nseverity: warning\n"
        "message: the MTU is odd\nwhy: For this test.\nsource: [{kind: definition, title: A test}]\nconfidence: debated\n"
        "owner: switch\nfix: {note: 'less than {port.ip_mtu_bytes|bytes}'}\n"
    )
    (fleet / "rules" / "mtu").mkdir(parents=True)
    (fleet / "rules" / "mtu" / "odd.yaml").write_text(rule)
    report = check(Request((".",), Policy.empty(), rules=load([fleet / "rules"]))).report
    found = {f.fix.note: len(f.members) for f in report.findings if f.verdict == "fails" and f.fix is not None}
    assert found.keys() == {"less than 1,500 B", "less than 9,214 B"}
    assert found["less than 1,500 B"] == 1


def test_members_that_are_not_listed_are_counted(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def doubts() -> dict[str, tuple[int, int]]:
        found = check(Request((".",), Policy.empty())).report.findings
        return {f.rule: (len(f.members), f.members_more) for f in found if f.verdict == "unknown"}

    whole = doubts()
    assert max(whole.values()) > (2, 0)
    monkeypatch.setattr("roce_audit.engine.doubts.MOST_MEMBERS", 2)
    cut = doubts()
    assert {rule: sum(numbers) for rule, numbers in cut.items()} == {rule: n for rule, (n, _) in whole.items()}
    assert max(listed for listed, _ in cut.values()) == 2


def test_all_ports_that_lean_on_a_line_are_listed(fleet: Path) -> None:
    text = (fleet / "leaf1.cfg").read_text()
    (fleet / "leaf1.cfg").write_text(text.replace("   priority-flow-control on\n", "   priority-flow-control onn\n", 1))
    report = check(Request((".",), Policy.empty(), select=("input/unread-line",))).report
    (finding,) = report.counted()
    bound = re.findall(r"^interface (Ethernet[0-9/]+)(?:\n .*)*\n   service-profile ", text, re.M)
    assert len(bound) > 1
    assert finding.values["input.ports"] == [f"leaf1:{port}" for port in bound]


_AT_LENGTHS = """
title: A cable is odd
scope: port
asks: present
{conditions}
severity: warning
message: "{{port.length_m|metres}} of cable"
why: For this test.
source: [{{kind: definition, title: A test}}]
confidence: debated
owner: switch
"""


@pytest.mark.parametrize(
    "conditions",
    [
        "require: port.length_m < 50",
        "when: port.length_m > 20\nrequire: port.ip_mtu_bytes < 2000",
        "when: port.ip_mtu_bytes > 2000\nrequire: port.length_m < 50",
        "let: {half: port.length_m / 2}\nwhen: half > 10\nrequire: half < 25 or port.ip_mtu_bytes < 2000",
        "let: {half: port.length_m / 2, most: half - port.ip_mtu_bytes}\nrequire: most < 25 - port.ip_mtu_bytes",
        "let: {size: port.ip_mtu_bytes}\nwhen: size > 2000\nrequire: size > 2000 and port.length_m < 50",
    ],
)
def test_ports_of_many_lengths_are_judged_as_one_by_one(
    fleet: Path, conditions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (fleet / "rules" / "link").mkdir(parents=True)
    (fleet / "rules" / "link" / "odd.yaml").write_text(_AT_LENGTHS.format(conditions=conditions))
    rules = load([fleet / "rules"])
    site = check(Request((".",), Policy.empty())).site
    for number, port in enumerate(port for fabric in site.fabrics for port in fabric.in_use):
        if port.joined is not None:
            length = known(float(number)) if number % 7 else unknown(Why.CONFLICT)
            port.joined = replace(port.joined, length_m=length)
    taken: list[bool] = []
    takes = FineGroups.takes
    monkeypatch.setattr(FineGroups, "takes", lambda *given: taken.append(takes(*given)) or taken[-1])
    judge = Judge(rules, Policy.empty())
    together = verdicts(judge, Subjects(site, ()))
    assert set(taken) == {True, False}

    class WithoutKinds(Judge):
        def _fine_groups(self, groups, batch):  # type: ignore[no-untyped-def]
            return None

    alone = WithoutKinds(rules, Policy.empty())
    assert together == verdicts(alone, Subjects(site, ()))
    assert judge.judged.tallies == alone.judged.tallies
    assert (judge.judged.holds, judge.judged.not_applicable) == (alone.judged.holds, alone.judged.not_applicable)
    assert judge.judged.asked_of == alone.judged.asked_of
