"""What is asked once for many ports: questions that facts answer by themselves, and the words of labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, join_site
from roce_audit.fabric import port as ports
from roce_audit.fabric.port import of_facts_alone
from roce_audit.fabric.words import label
from roce_audit.model import Port
from roce_audit.policy.values import Policy

CONFIG = """! Command: show running-config
hostname leaf1
interface Ethernet1
   mtu 9214
interface Ethernet2
   mtu 9214
interface Ethernet3
   mtu 1500
"""


def facts(tmp_path: Path) -> list[Port]:
    (tmp_path / "leaf1.cfg").write_text(CONFIG)
    return [port.reading.facts for port in join_site(Request((str(tmp_path),), Policy.empty())).site.fabrics[0].ports]


def test_facts_are_asked_once_for_each_question(tmp_path: Path) -> None:
    asked: list[object] = []

    @of_facts_alone
    def question(one: Port, more: int) -> int:
        asked.append(one)
        return one.ip_mtu_bytes.get() + more

    first, second, third = facts(tmp_path)
    assert first is second
    assert [question(one, 1) for one in (first, second, third, first)] == [9215, 9215, 1501, 9215]
    assert len(asked) == 2
    assert question(first, 2) == 9216
    assert len(asked) == 3


def test_answers_are_forgotten_before_they_are_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_MOST_ANSWERS", 2)
    asked: list[int] = []

    @of_facts_alone
    def question(_: Port, more: int) -> int:
        asked.append(more)
        return more

    first, *_ = facts(tmp_path)
    assert [question(first, more) for more in (1, 2, 3, 1, 3)] == [1, 2, 3, 1, 3]
    assert asked == [1, 2, 3, 1]


def test_labels_of_the_same_words_share_them() -> None:
    one, other = label("to gpu07 rail 3"), label("to gpu12 rail 1")
    assert one.kind == {"to", "gpu", "rail"}
    assert one.kind is other.kind
    assert one.is_for
    assert not one.against


@pytest.mark.parametrize(
    ("text", "against"), [("iLO of host7", {"ilo"}), ("uplink-customer a", {"uplink-customer"}), ("spine1", set())]
)
def test_what_speaks_against_roce(text: str, against: set[str]) -> None:
    assert label(text).against == against
    assert not label(text).is_for
