"""Traffic policies of EOS: which drop every RoCEv2 packet, and where that is told."""

from __future__ import annotations

import pytest

from roce_audit.model import Port
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place, Why

TEXT = """! device: leaf1 (DCS-7280CR3-32P4, EOS-4.33.1F)
hostname leaf1
traffic-policies
   traffic-policy EDGE
      match WEB ipv4
         protocol tcp destination port 80,443
         actions
            count
      !
      match ROCE ipv4
         {}
         actions
            {}
      !
      match ipv4-all-default ipv4
!
interface Ethernet1/1
   traffic-policy input EDGE
interface Ethernet2/1
   mtu 9214
end
"""


def dropped(condition: str, action: str = "drop") -> dict[str, list[int]]:
    document = Document("leaf1.cfg", TEXT.format(condition, action))
    ports = platform("eos").read(DeviceInput("leaf1", "eos", (document,))).ports
    found = {
        port.name: [resolve(at, port.parts) for at in port.facts.drops_roce.at]
        for port in ports
        if port.facts.drops_roce.value
    }
    return {name: [at.line for at in places if isinstance(at, Place)] for name, places in found.items()}


@pytest.mark.parametrize(
    "condition", ["protocol udp destination port 4791", "protocol udp destination port 53, 4000-5000", "protocol udp"]
)
def test_a_match_that_takes_all_of_roce_and_drops_is_told_at_its_line(condition: str) -> None:
    assert dropped(condition) == {"Ethernet1/1": [13, 18]}


@pytest.mark.parametrize(
    ("condition", "action"),
    [
        ("protocol udp destination port 4791", "count"),
        ("protocol udp destination port 4789", "drop"),
        ("protocol tcp destination port 4791", "drop"),
        ("source prefix 10.0.0.0/8", "drop"),
        ("protocol udp destination port 4791\n         destination prefix 10.1.0.0/16", "drop"),
    ],
    ids=["lets it through", "another port", "another protocol", "by address", "some of it"],
)
def test_a_policy_that_lets_roce_through_or_drops_some_is_not_blamed(condition: str, action: str) -> None:
    assert dropped(condition, action) == {}


def test_what_an_earlier_match_lets_through_is_not_dropped() -> None:
    assert dropped("protocol udp\n         actions\n            count\n      match LATER ipv4") == {}


def reading(matches: str, *, policy: str = "EDGE", end: str = "end\n") -> DeviceReading:
    text = (
        "! device: leaf1 (DCS-7280CR3-32P4, EOS-4.33.1F)\nhostname leaf1\n"
        f"traffic-policies\n   traffic-policy EDGE\n{matches}!\ninterface Ethernet1/1\n   no switchport\n"
        f"   traffic-policy input {policy}\n{end}"
    )
    return platform("eos").read(DeviceInput("leaf1", "eos", (Document("leaf1.cfg", text),)))


def match(name: str, conditions: str, *actions: str, family: str = "ipv4") -> str:
    inner = "".join(f"            {one}\n" for one in actions)
    asked = f"         {conditions}\n" if conditions else ""
    return f"      match {name} {family}\n{asked}         actions\n{inner}      !\n"


def facts(*matches: str) -> Port:
    return reading("".join(matches)).ports[0].facts


ROCE = "protocol udp destination port 4791"
REST = match("ipv4-all-default", "", "set traffic class 1")


@pytest.mark.parametrize(
    ("matches", "led"),
    [
        ((match("ROCE", ROCE, "count", "set traffic class 5"), REST), {26: 5, 0: 5}),
        ((match("ROCE", "protocol udp destination port 4719", "set traffic class 5"), REST), {26: 1}),
        ((match("ROCE", ROCE, "count"), REST), {26: 3, 8: 0}),
        ((match("MARKED", "dscp 24-26, cs6", "set traffic class 5"), REST), {26: 5, 48: 5, 27: 1}),
        ((match("SIX", ROCE, "set traffic class 5", family="ipv6"),), {26: 3}),
        (
            (
                match("HOSTS", "source prefix 10.0.0.0/8", "set traffic class 3"),
                match("R", ROCE, "set traffic class 3"),
            ),
            {26: 3},
        ),
        (
            (
                match("HOSTS", "source prefix 10.0.0.0/8", "set traffic class 2"),
                match("R", ROCE, "set traffic class 3"),
            ),
            {26: None},
        ),
    ],
)
def test_what_a_policy_sets_is_the_class_of_what_it_takes(matches: tuple[str, ...], led: dict[int, int | None]) -> None:
    table = facts(*matches).dscp.get()
    assert {mark: table[mark].value for mark in led} == led


def test_other_actions_are_read() -> None:
    its = facts(match("ROCE", ROCE, "set traffic class 3", "set dscp af11", "police rate 10 gbps"))
    assert its.policed.value is True
    assert its.rewrites_dscp.value == frozenset({3})
    assert its.classes.get()[3].new_dscp.value == 10
    assert its.trust.value == "acl"


def test_a_policy_of_which_nothing_is_known_is_told() -> None:
    whole, part = (reading(REST, policy="CORE", end=end) for end in ("end\n", ""))
    in_doubt = reading(match("HOSTS", "source prefix 10.0.0.0/8", "set traffic class 2"))
    assert [one.observation.kind for one in whole.seen] == ["undefined"]
    assert [one.observation.kind for one in in_doubt.seen] == ["unread-line"]
    assert whole.ports[0].facts.dscp.why is Why.NOT_PARSED
    assert part.ports[0].facts.dscp.why is Why.NOT_PARSED


@pytest.mark.parametrize(
    ("matches", "trust", "line"),
    [
        ((match("ROCE", ROCE, "set traffic class 3"), REST), "acl", 8),
        ((match("ROCE", ROCE, "set traffic class 3"), match("ALL", "", "set traffic class 3")), "dscp", 12),
        ((match("UDP", "protocol udp", "set traffic class 3"), REST), "dscp", 8),
        ((match("NONE", "dscp 0-7", "set traffic class 3"), match("ROCE", ROCE, "set traffic class 3")), "dscp", 8),
    ],
    ids=["RoCE alone", "the rest as well", "no port", "what nobody marked"],
)
def test_a_class_that_others_are_led_to_is_not_that_of_roce_alone(
    matches: tuple[str, ...], trust: str, line: int
) -> None:
    its = facts(*matches)
    (unmarked, *_) = its.dscp.get()
    assert (unmarked.value, its.trust.value) == (3, trust)
    assert [at.line for at in unmarked.at if isinstance(at, Place)] == [line]
