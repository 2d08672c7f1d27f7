"""Groups, wildcards, ranges, and what is inactive or deleted: what holds in the end, and which lines say so."""

from __future__ import annotations

import pytest

from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.junos import PLATFORM
from roce_audit.platforms.junos.ranges import glob, members
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

HEAD = "set version 23.4R2\nset system host-name leaf\n"


def read(text: str) -> DeviceReading:
    return PLATFORM.read(DeviceInput("leaf", "junos", (Document("a.set", text),)))


def port(text: str, name: str = "et-0/0/1") -> PortReading:
    return next(one for one in read(HEAD + text).ports if one.name == name)


def lines(reading: PortReading, at: tuple[object, ...]) -> list[int]:
    places = [resolve(one, reading.parts) for one in at]  # type: ignore[arg-type]
    return [place.line for place in places if isinstance(place, Place)]


INHERITED = """\
set groups A interfaces <et-*> mtu 9000
set groups B interfaces <et-*> mtu 8000
set apply-groups A
set apply-groups B
set interfaces et-0/0/1 unit 0 family inet
"""


def test_the_group_named_first_wins_and_both_lines_are_shown() -> None:
    found = port(INHERITED)
    assert found.facts.ip_mtu_bytes.value == 9000 - 14
    assert lines(found, found.facts.ip_mtu_bytes.at) == [3, 5]
    assert found.header.line == 7


@pytest.mark.parametrize(
    ("more", "mtu", "line"),
    [
        ("set interfaces et-0/0/1 mtu 7000", 7000, 8),
        ("set interfaces et-0/0/1 apply-groups B", 8000, 4),
        ("set interfaces et-0/0/1 apply-groups-except A", 8000, 4),
        ("deactivate apply-groups A", 8000, 4),
        ("delete groups A\ndelete apply-groups A", 8000, 4),
        ("deactivate groups A interfaces <et-*> mtu\nactivate groups A interfaces <et-*> mtu", 9000, 3),
    ],
)
def test_what_stands_nearer_wins(more: str, mtu: int, line: int) -> None:
    found = port(INHERITED + more)
    assert found.facts.ip_mtu_bytes.value == mtu - 14
    assert lines(found, found.facts.ip_mtu_bytes.at)[0] == line


def test_a_group_within_a_group_is_inherited_through_it() -> None:
    text = (
        "set groups A apply-groups B\nset groups B interfaces <*> unit 0 apply-groups C\n"
        "set groups C interfaces <*> unit <*> family inet mtu 9100\nset interfaces et-0/0/1 mtu 9216\n"
        "set interfaces et-0/0/1 unit 0 family inet\nset apply-groups A"
    )
    assert port(text).facts.ip_mtu_bytes.value == 9100


def test_a_block_of_a_wildcard_group_that_only_leads_on_is_no_statement() -> None:
    text = (
        "groups { G { interfaces { <*> { unit <*> { family inet { filter {\ninput F;\n} } } } } } }\n"
        "interfaces {\net-0/0/1 {\napply-groups G;\nmtu 9216;\nunit 0 { family inet { address 10.0.0.1/31; } }\n}\n}\n"
    )
    document = Document("a.conf", f"version 23.4R2;\nsystem {{ host-name leaf; }}\n{text}")
    reading = PLATFORM.read(DeviceInput("leaf", "junos", (document,)))
    (found,) = reading.ports
    assert [one.observation.kind for one in reading.seen] == ["undefined"]  # the filter
    assert lines(found, found.facts.policed.at) == [4]


def test_groups_that_apply_each_other_come_to_an_end() -> None:
    text = (
        "set groups A apply-groups B\nset groups B apply-groups A\nset apply-groups A\nset interfaces et-0/0/1 mtu 9014"
    )
    assert port(text).facts.ip_mtu_bytes.value == 9000


def test_an_undefined_group_leaves_open_what_nothing_else_says() -> None:
    text = "set apply-groups A\nset interfaces et-0/0/1 speed 100g"
    found = port(text)
    assert found.facts.ip_mtu_bytes.is_unknown
    assert found.facts.speed_bps.value == 100 * 10**9
    assert [s.observation.kind for s in read(HEAD + text).seen] == ["undefined"]


def test_a_range_makes_its_members_and_their_own_statements_win() -> None:
    text = (
        "set interfaces interface-range R member et-0/0/[1-3]\nset interfaces interface-range R mtu 9014\n"
        "set interfaces et-0/0/2 mtu 1514"
    )
    assert {one.name: one.facts.ip_mtu_bytes.value for one in read(HEAD + text).ports} == {
        "et-0/0/1": 9000,
        "et-0/0/2": 1500,
        "et-0/0/3": 9000,
    }
    assert lines(port(text), port(text).facts.ip_mtu_bytes.at) == [4, 3]


def test_an_inactive_interface_is_not_there() -> None:
    text = (
        "version 23.4R2;\nsystem {\n host-name x;\n}\ninterfaces {\n inactive: et-0/0/1 {\n mtu 9000;\n }\n"
        " et-0/0/2 {\n mtu 9000;\n }\n}"
    )
    assert [one.name for one in read(text).ports] == ["et-0/0/2"]


def test_a_name_wins_over_a_wildcard_and_a_longer_wildcard_over_a_shorter_one() -> None:
    cos = "set class-of-service interfaces "
    text = (
        f"{cos}all scheduler-map one\n{cos}et-* scheduler-map two\n{cos}et-0/0/* scheduler-map three\n"
        f"{cos}et-0/0/2 scheduler-map four\nset interfaces et-0/0/1 mtu 9000\nset interfaces et-0/0/2 mtu 9000\n"
        "set interfaces xe-0/0/3 mtu 9000\n"
        + "".join(
            f"set class-of-service scheduler-maps {name} forwarding-class best-effort scheduler {name}\n"
            f"set class-of-service schedulers {name} transmit-rate percent {share}\n"
            for name, share in (("one", 1), ("two", 2), ("three", 3), ("four", 4))
        )
    )
    shares = {one.name: one.facts.queues.get()[0].share.value for one in read(HEAD + text).ports}
    assert shares == {"et-0/0/1": 3, "et-0/0/2": 4, "xe-0/0/3": 1}


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        ("et-*", "et-0/0/1", True),
        ("em[0,1]", "em1", True),
        ("em[0,1]", "em2", False),
        ("*", "", True),
        ("et-?", "et-10", False),
    ],
)
def test_wildcards(pattern: str, name: str, fits: bool) -> None:
    assert glob(pattern, name) is fits


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("member et-0/0/[1-2,5]", ["et-0/0/1", "et-0/0/2", "et-0/0/5"]),
        ("member-range et-0/0/8 to et-0/0/9", ["et-0/0/8", "et-0/0/9"]),
        ("member et-0/0/[1-99999]", None),
        ("member-range et-0/0/8 to xe-0/0/9", None),
    ],
)
def test_members_of_ranges(words: str, found: list[str] | None) -> None:
    assert members(tuple(words.split()), []) == found
