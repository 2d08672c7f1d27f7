"""What is asked once for many ports: questions that facts answer by themselves, and the words of labels."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.audit import Request, join_site
from roce_audit.fabric import port as ports
from roce_audit.fabric.carrying.portconfig import PortConfig
from roce_audit.fabric.port import FabricPort, of_facts_alone
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


PROFILE = """qos profile ROCE
   priority-flow-control on
   priority-flow-control priority 3 no-drop
"""
OWN = """interface Ethernet1
   service-profile ROCE
interface Ethernet2
   service-profile ROCE
"""


@pytest.mark.parametrize(
    ("good", "bad", "of_bad"),
    [
        ("service-profile ROCE\ninterface", "service-profile NONE\ninterface", [None, True]),
        ("control on", "control off", [True, True]),  # it names a no-drop priority: one of the two lines was not meant
        ("priority 3 no-drop", "priority 4 no-drop", [True, True]),
    ],
)
def test_what_a_port_says_for_itself_follows_its_own_lines(
    tmp_path: Path, good: str, bad: str, of_bad: list[bool | None]
) -> None:
    """It is kept for all runs of a process, and so is the vote of a device with such ports."""
    config = f"! Command: show running-config\nhostname leaf1\n{PROFILE}{OWN}"
    found = []
    for text in (config, config.replace(good, bad), config):
        (tmp_path / "leaf1.cfg").write_text(text)
        (fabric,) = join_site(Request((str(tmp_path),), Policy.empty())).site.fabrics
        said = [None if port.config is None else port.config.carries for port in fabric.ports]
        found.append((said, set(fabric.classes.votes)))
    assert found[0] == found[2] == ([True, True], {frozenset({3})})
    assert found[1][0] == of_bad
    assert found[1] != found[0]


def test_what_a_port_says_for_itself_follows_what_its_lines_are_to_it(tmp_path: Path) -> None:
    """The same facts, read from statements for the whole switch, say nothing of this port alone."""
    (tmp_path / "leaf1.cfg").write_text(f"! Command: show running-config\nhostname leaf1\n{PROFILE}{OWN}")
    port = join_site(Request((str(tmp_path),), Policy.empty())).site.fabrics[0].ports[0]
    parts = tuple(replace(part, role="device") for part in port.reading.parts)
    of_device = FabricPort(port.device, replace(port.reading, parts=parts))
    assert [PortConfig().of(one) is None for one in (port, of_device, port)] == [False, True, False]
