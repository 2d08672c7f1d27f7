"""Two values that stand in each other's place are swapped where they are said: in one statement, or in two."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing.planning import plan
from roce_audit.platforms.repair import reworded
from roce_audit.proof.examples import case_tree
from roce_audit.proof.exampletext import ExampleSet
from tests.fixing.test_plan import EXAMPLES, lay_out, site

RULE = "ecn/min-above-max"


@pytest.mark.parametrize("found", [one for one in EXAMPLES if one.rule == RULE], ids=lambda found: found.platform)
def test_the_smaller_threshold_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: ExampleSet) -> None:
    monkeypatch.chdir(tmp_path)
    tree = dict(case_tree(found, found.bad[0]).tree)
    lay_out(tmp_path, {name: text for name, text in tree.items() if not name.startswith("leaf2")})
    done = plan(site(tmp_path, select=(RULE,)))
    (one,) = done.fixed
    assert not done.left
    assert "swapped" in one.proposal.how or "similar port" in one.proposal.how


def test_a_word_that_is_there_twice_stays() -> None:
    assert reworded(("random-detect", "10", "3"), {"3": "10", "10": "3"}) == ("random-detect", "3", "10")
    assert reworded(("queue", "3", "low", "10", "high", "3"), {"3": "10", "10": "3"}) == ()
    assert reworded(("ecn", "on"), {"3": "10"}) == ()
