"""On a switch without a similar one: the queue of the CNPs is made strict where its share is said; a queue marks beside its profile."""

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


def test_a_queue_marks_beside_its_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (found,) = [s for s in EXAMPLES if (s.rule, s.platform) == ("ecn/off-on-lossless-queue", "vrp")]
    (example,) = [one for one in found.bad if one.title == "the profile is applied and does not mark"]
    tree = dict(case_tree(found, example).tree)
    text = tree["leaf1.cfg"].replace(" qos queue 3 ecn\n", "")
    lay_out(
        tmp_path, {name: text if name == "leaf1.cfg" else rest for name, rest in tree.items() if "leaf2" not in name}
    )
    (one,) = plan(site(tmp_path, select=("ecn/off-on-lossless-queue",))).fixed
    typed = {line for _, change in one.proposal.changes for line in change.do if not line.startswith("interface ")}
    assert typed == {"qos queue 3 ecn"}
