"""Trials: an example that does not prove what it claims is found out, and says why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule
from roce_audit.proof import examples, selftest
from roce_audit.proof.exampletext import parse
from roce_audit.proof.trial import Workbench

RULE_FILE = """
title: The IP MTU is below 9,000 bytes
scope: port
asks: absent
require: port.ip_mtu_bytes >= 9000
severity: error
message: "{port.ip_mtu_bytes|bytes}"
why: a rule of the tests
source: [{kind: definition, title: the tests say so}]
confidence: consensus
owner: switch
"""


@pytest.fixture
def rule(tmp_path: Path) -> Rule:
    (tmp_path / "mtu").mkdir()
    (tmp_path / "mtu" / "small.yaml").write_text(RULE_FILE)
    (found,) = rulepack.load([tmp_path], use_cache=False)
    return found


@pytest.fixture
def bench() -> Iterator[Workbench]:
    with Workbench() as made:
        yield made


def wrong(bench: Workbench, rule: Rule, text: str) -> str:
    found = parse(text, "x.txt", rule.id, "eos")
    return bench.wrong(found, found.cases[-1], rule)


BAD = "== bad: small\n@ leaf1.cfg\n= interface Ethernet1/2{header}\n- mtu 9214\n+ mtu {mtu}{line}\n"


def test_a_true_example_is_right(bench: Workbench, rule: Rule) -> None:
    assert wrong(bench, rule, BAD.format(header="", mtu=1500, line=" <-")) == ""


def test_a_rule_that_does_not_fire_is_said(bench: Workbench, rule: Rule) -> None:
    assert "should be fails: it holds" in wrong(bench, rule, BAD.format(header="", mtu=9100, line=" <-"))


def test_a_finding_at_another_line_is_said(bench: Workbench, rule: Rule) -> None:
    assert "no location at leaf1.cfg:" in wrong(bench, rule, BAD.format(header=" <-", mtu=1500, line=""))


def test_an_unknown_example_must_not_fail(bench: Workbench, rule: Rule) -> None:
    bad = BAD.format(header="", mtu=1500, line=" <-")
    unread = BAD.format(header="", mtu="nine", line=" <-").replace("== bad", "== unknown")
    assert wrong(bench, rule, bad + unread) == ""
    assert "should be unknown: fails at leaf1.cfg:" in wrong(bench, rule, bad + bad.replace("== bad", "== unknown"))


def test_a_good_example_must_hold_and_be_asked(bench: Workbench, rule: Rule) -> None:
    base = examples.base("eos")
    assert bench.quiet(base, [rule]) == {}
    small = {name: text.replace("mtu 9214", "mtu 1500") for name, text in base.items()}
    assert "fails at leaf1.cfg" in bench.quiet(small, [rule])[rule.id]
    lossy = {name: text for name, text in base.items() if name.endswith(".yaml")} | {
        "x.cfg": "hostname x\ninterface Ethernet1\n   mtu 9214\n"
    }
    assert bench.quiet(lossy, [rule])[rule.id] == "nothing to judge"


def test_a_file_of_an_earlier_trial_is_gone(bench: Workbench, rule: Rule) -> None:
    base = examples.base("eos")
    bench.judge({**base, "host/leaf9.cfg": base["leaf1.cfg"].replace("leaf1", "leaf9")}, [rule])
    assert bench.judge(base, [rule]).coverage.devices == 2


def test_selftest_fails_for_a_rule_without_an_example(rule: Rule) -> None:
    done = selftest.run([rule])
    assert done.unproven == (rule.id,)
    assert not done.passed


def test_selftest_says_the_same_by_any_number_of_processes() -> None:
    rules = [one for one in rulepack.load([rulepack.builtin_folder()]) if one.id == "mtu/below-roce"]
    one, several = (selftest.run(rules, jobs) for jobs in (1, 3))
    assert len(one.platforms) > 3
    assert one == several
    assert several.passed
