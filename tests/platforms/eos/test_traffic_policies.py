"""Traffic policies of EOS: which drop every RoCEv2 packet, and where that is told."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

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
    cells = {port.name: port.facts.drops_roce for port in ports}
    return {name: [at.line for at in cell.at] for name, cell in cells.items() if cell.value is True}  # type: ignore[union-attr]


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
