"""PFC in the hardware of line cards against the ports on them."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

CONFIGURATION = """!! IOS XR Configuration 24.2.1
hostname spine1
interface FourHundredGigE0/0/0/1
 priority-flow-control mode on
!
interface FourHundredGigE0/1/0/1
 mtu 9216
!
end
"""
COMMAND = "show controllers npu priority-flow-control location 0/0/CPU0"


@pytest.mark.parametrize(
    ("answer", "ports"),
    [
        ("Location Id:  0/0/CPU0\nPFC:          Disabled\n", ("FourHundredGigE0/0/0/1",)),
        ("Location:     0/0/CPU0\nPFC:          Enabled\nPFC-Mode:     buffer-internal\n", ()),
        ("Location Id:  0/RP0/CPU0\nPFC:          Disabled\n", ("FourHundredGigE0/0/0/1",)),
        ("Location Id:  0/1/CPU0\nPFC:          Disabled\n", ()),
    ],
)
def test_a_line_card_without_pfc_is_told_with_its_ports_that_have_it(answer: str, ports: tuple[str, ...]) -> None:
    documents = (Document("spine1.cfg", CONFIGURATION), Document("npu.txt", answer, command=COMMAND))
    reading = platform("iosxr").read(DeviceInput("spine1", "iosxr", documents))
    told = [one for one in reading.seen if one.observation.kind == "not-in-force"]
    assert [one.ports for one in told] == ([ports] if ports else [])
    assert bool(reading.unrecognised) is not bool(ports)  # nothing else of the answer is read


def test_an_answer_that_says_nothing_of_pfc_is_not_read() -> None:
    documents = (Document("spine1.cfg", CONFIGURATION), Document("npu.txt", "Location: 0/0/CPU0\n", command=COMMAND))
    assert platform("iosxr").read(DeviceInput("spine1", "iosxr", documents)).unrecognised
