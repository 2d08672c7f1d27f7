"""A code point that triggers pause and is not classified to a no-loss class: both ends of what does not fit are shown."""

from __future__ import annotations

from roce_audit.engine.rules import rulepack
from roce_audit.proof import examples
from roce_audit.proof.trial import Workbench

LISTED = "set class-of-service classifiers dscp marks-in forwarding-class rdma loss-priority low code-points 011010"
TRIGGER = "set class-of-service congestion-notification-profile pause input dscp code-point 011010 pfc"


def test_what_the_classifier_lists_in_its_place_is_shown() -> None:
    tree = dict(examples.base("junos"))
    lines = tree["leaf1.set"].split("\n")
    tree["leaf1.set"] = tree["leaf1.set"].replace(LISTED, LISTED.replace("011010", "011100"))
    with Workbench() as bench:
        report = bench.judge(tree, tuple(rulepack.load()))
    (found,) = (f for f in report.findings if f.rule == "pfc/priority-off" and f.verdict == "fails")
    shown = {place.line for place in found.locations if place.path.endswith("leaf1.set")}
    assert {lines.index(LISTED) + 1, lines.index(TRIGGER) + 1} <= shown
