"""Room for pause of a priority that is not paused: what an undefined name sets for the groups is unknown, and no room."""

from __future__ import annotations

from roce_audit.engine.rules import rulepack
from roce_audit.proof import examples
from roce_audit.proof.trial import Workbench


def test_nobody_knows_what_an_undefined_group_sets() -> None:
    tree = dict(examples.base("junos"))
    tree["leaf1.set"] += "set apply-groups BUFFERS\n"
    with Workbench() as bench:
        report = bench.judge(tree, tuple(rulepack.load()))
    verdicts = {found.verdict for found in report.findings if found.rule == "buffer/room-for-other-priority"}
    assert verdicts == {"unknown"}
