"""One cause that breaks several classes is one finding, with all of them in it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.engine import baseline
from roce_audit.engine.byclass import alike, likewise, order
from roce_audit.engine.findings import Finding, distinct
from roce_audit.model import Class
from roce_audit.policy import load_text
from roce_audit.values import known

BASE = Path(roce_audit.__file__).parent / "platforms" / "eos" / "examples" / "base"
POLICY = """
classes:
  - {name: train, dscp: [26], priority: 3, lossless: true}
  - {name: storage, dscp: [34], priority: 4, lossless: true}
cnp: {dscp: [48], priority: [6]}
mtu: {roce: 4096}
cables: [{between: [leaf, leaf], length_m: 30}]
"""
PORT = "   ip address 10.1.2.0/31\n   service-profile ROCE\n"


def _class(name: str, dscp: int, priority: int) -> Class:
    return Class(
        name,
        known(frozenset({dscp})),
        known(frozenset({priority})),
        known(frozenset({priority})),
        known(True),
        known(4096),
    )


TRAIN, STORAGE = _class("train", 26, 3), _class("storage", 34, 4)


@pytest.fixture(autouse=True)
def two_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    shutil.copytree(BASE, site)
    (site / "roce-audit.yaml").write_text(POLICY)
    for leaf in site.glob("*.cfg"):
        text = leaf.read_text()
        queue = text[text.index("   uc-tx-queue 3\n") : text.index("   uc-tx-queue 6\n")]
        text = text.replace(queue, (queue + queue.replace("queue 3", "queue 4")).replace("percent 80", "percent 40"))
        text = text.replace("qos map dscp 48", "qos map dscp 34 to traffic-class 4\nqos map dscp 48")
        third = "   priority-flow-control priority 3 no-drop\n"
        leaf.write_text(text.replace(third, third + third.replace("3", "4")))
    monkeypatch.chdir(site)


def _failing() -> list[Finding]:
    found = check(Request((".",), load_text(POLICY, "roce-audit.yaml"))).report.findings
    return [finding for finding in found if finding.verdict == "fails"]


def _edit(old: str, new: str) -> None:
    leaf = Path("leaf1.cfg")
    text = leaf.read_text()
    assert text.count(old) == 1
    leaf.write_text(text.replace(old, new))


def test_a_port_without_pfc_is_told_once_for_both_classes() -> None:
    assert _failing() == []
    _edit(PORT, PORT + "   no priority-flow-control\n")
    (found,) = [finding for finding in _failing() if finding.rule == "pfc/priority-off"]
    assert found.message == (
        "PFC is off for priority 3, which class train needs; it is on for no priority; likewise for class storage, priority 4"
    )
    assert found.subject == "Ethernet1/2"
    assert found.spread.startswith("on 1 of 12 ")
    assert found.fix is not None
    assert found.fix.note.endswith("; likewise for class storage, priority 4")


def test_each_class_stays_a_member_so_that_an_accepted_one_does_not_hide_the_other() -> None:
    _edit(PORT, PORT + "   no priority-flow-control\n")
    (found,) = [finding for finding in _failing() if finding.rule == "pfc/priority-off"]
    assert len({member.fingerprint for member in found.members}) == len(found.members) == 2
    assert len(distinct(found.members)) == 1
    assert {entry.fingerprint for entry in baseline.of([found]).accepted.values()} == {
        member.fingerprint for member in found.members
    }


def test_one_class_alone_is_told_alone() -> None:
    _edit("   priority-flow-control priority 4 no-drop\n", "")
    (found,) = [finding for finding in _failing() if finding.rule == "pfc/priority-off"]
    assert "priority 4" in found.message
    assert "likewise" not in found.message
    assert len(found.members) == len(distinct(found.members)) == 6


def test_messages_are_alike_when_only_the_class_differs() -> None:
    assert alike("queue 3 of class train", TRAIN) == alike("queue 4 of class storage", STORAGE)
    assert alike("queue 3 of class train at 10 B", TRAIN) != alike("queue 4 of class storage at 20 B", STORAGE)
    assert alike("DSCP 26", TRAIN) != alike("DSCP 26", STORAGE)
    assert alike("no class: 3", None) == "no class: 3"


def test_other_classes_are_named_by_priority() -> None:
    assert sorted((STORAGE, None, TRAIN), key=order) == [TRAIN, STORAGE, None]
    assert likewise([STORAGE, None]) == "; likewise for class storage, priority 4"
    assert likewise([]) == likewise([None]) == ""
