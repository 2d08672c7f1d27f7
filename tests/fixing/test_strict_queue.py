"""On a switch that has no similar one, the queue of the CNPs is made strict where its share is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing.planning import plan
from roce_audit.proof.examples import case_tree
from tests.fixing.test_plan import EXAMPLES, lay_out, site

RULE = "cnp/not-strict"


@pytest.mark.parametrize(
    ("platform", "line"),
    [
        ("nxos", "priority level 1"),
        ("os10", "priority"),
        ("iosxr", "priority level 1"),
        ("aoscx", "strict queue 7"),
        ("esonic", "type strict"),
        ("comware", "qos wfq cs6 group sp"),
        ("onyx", "traffic-class 6 dcb ets strict"),
        ("sonic", '"value": "STRICT"'),
    ],
)
def test_the_share_gives_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, line: str) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = [s for s in EXAMPLES if (s.rule, s.platform) == (RULE, platform)]
    tree = dict(case_tree(found, found.bad[0]).tree)
    lay_out(tmp_path, {name: text for name, text in tree.items() if not name.startswith("leaf2")})
    (one,) = plan(site(tmp_path, select=(RULE,))).fixed
    typed = [text for _, change in one.proposal.changes for text in change.do]
    assert any(line in text for text in typed)
