"""Access lists of VLANs on AOS-CX: what they drop of RoCE, and at which ports."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

TEXT = """!Version AOS-CX GL.10.13.1040
hostname tor1
access-list ip GUARD
    10 deny udp any any eq 4791 count
    20 permit any any any
vlan 7
vlan 711,712
    apply access-list ip GUARD in
interface 1/1/1
    no routing
    vlan access 711
interface 1/1/2
    no routing
    vlan trunk native 7
    vlan trunk allowed 7,711
interface 1/1/3
    no routing
    vlan access 7
"""


def read(text: str) -> DeviceReading:
    return platform("aoscx").read(DeviceInput("tor1", "aoscx", (Document("tor1.cfg", text),)))


def dropping(reading: DeviceReading) -> dict[str, list[int]]:
    """Port -> the lines by which it drops RoCE."""
    cells = {port.name: port.facts.drops_roce for port in reading.ports}
    return {name: [place.line for place in cell.at] for name, cell in cells.items() if cell.value is True}  # type: ignore[union-attr]


def told(reading: DeviceReading) -> list[tuple[int, tuple[str, ...]]]:
    return [(one.place.line, one.ports) for one in reading.seen if one.observation.kind == "conflict"]


def test_a_list_drops_at_ports_all_of_whose_vlans_it_meets_and_is_told_of_the_others() -> None:
    reading = read(TEXT)
    assert dropping(reading) == {"1/1/1": [4, 8]}
    assert told(reading) == [(4, ("1/1/2",))]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("vlan 711,712", "vlan 800"),
        ("10 deny", "10 permit"),
        ("eq 4791", "eq 4789"),
        ("list ip GUARD in", "list ip GONE in"),
        ("list ip GUARD in", "list ipv6 GUARD in"),
    ],
    ids=["other VLANs", "permits", "another port", "undefined", "IPv6"],
)
def test_a_list_that_lets_roce_through_or_meets_none_of_it_is_not_blamed(old: str, new: str) -> None:
    reading = read(TEXT.replace(old, new))
    assert dropping(reading) == {}
    assert told(reading) == []


def test_what_no_line_takes_is_dropped_where_the_list_is_whole() -> None:
    text = TEXT.replace("10 deny udp any any eq 4791 count", "10 permit tcp any any eq 445").replace(
        "    20 permit any any any\n", ""
    )
    assert dropping(read(text)) == {"1/1/1": [4, 7]}
    assert dropping(read(text.replace("!Version AOS-CX GL.10.13.1040\nhostname tor1\n", ""))) == {}
