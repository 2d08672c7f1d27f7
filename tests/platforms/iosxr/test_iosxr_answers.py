"""What `show policy-map interface` and `show controllers` count, and the speed that the latter shows."""

from __future__ import annotations

import pytest

from roce_audit import platforms
from roce_audit.platforms.counting import counts_of
from roce_audit.text.document import DeviceInput, Document

CONFIGURATION = """hostname a
class-map match-any TC3
 match traffic-class 3
 end-class-map
!
class-map match-any BOTH
 match traffic-class 4
 match traffic-class 5
 end-class-map
!
interface FourHundredGigE0/0/0/2
 mtu 9216
!
end
"""
POLICIES = """
FourHundredGigE0/0/0/2 input: IN

Class TC3
  Classification statistics          (packets/bytes)     (rate - kbps)
    Total Dropped       :                   9/900                  0

FourHundredGigE0/0/0/2 output: OUT

Class TC3
  Classification statistics          (packets/bytes)     (rate - kbps)
    Matched             :                1000/1344000              606
    Total Dropped       :                 925/1243200              0
  Queueing statistics
    Taildropped(packets/bytes)           : 925/1243200
      RED ecn marked & transmitted(packets/bytes): 12/4800
Class BOTH
    Total Dropped       :                   7/700                  0
Class class-default
    Total Dropped       :                   8/800                  0
FourHundredGigE0/0/0/3 direction output: Service Policy not installed
"""
CONTROLLER = """Operational data for interface FourHundredGigE0/0/0/2:

State:
    Administrative state: enabled
    Operational state: {}
    Statistics:
        FEC:
            Corrected Codeword Count: 1200  Valid: True   Start time: 10:01:11
            Uncorrected Codeword Count: 88  Valid: True   Start time: 10:01:11
Operational values:
    Speed: 100Gbps
"""


def device(command: str, text: str) -> DeviceInput:
    documents = (Document("a.cfg", CONFIGURATION, "show running-config"), Document("b", text, command))
    return DeviceInput("a", "iosxr", documents)


def test_drops_are_those_of_a_class_of_one_traffic_class_on_the_way_out() -> None:
    found = counts_of(device("show policy-map interface all", POLICIES)).by_port
    (counts,) = found.values()
    assert {count.name: count.value for count in counts.values()} == {"queues.3.drops": 925, "queues.3.marked": 12}
    assert not counts_of(device("show policy-map", POLICIES)).by_port


@pytest.mark.parametrize(("state", "is_up"), [("Up", True), ("Down (Reason: The link is down)", False)])
def test_a_controller_counts_code_words_and_shows_the_speed_of_a_port_that_is_up(state: str, is_up: bool) -> None:
    of_controller = device("show controllers FourHundredGigE0/0/0/2", CONTROLLER.format(state))
    (counts,) = counts_of(of_controller).by_port.values()
    assert {c.name: c.value for c in counts.values()} == {"fec_corrected": 1200, "fec_uncorrectable": 88}
    (port,) = platforms.platform("iosxr").read(of_controller).ports
    assert any("connected 100000" in part.block.texts.statements for part in port.parts) is is_up
