"""`show policy-map interface`: policies that are installed, against those that are configured; link pause that runs."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.iosxr import PLATFORM
from roce_audit.text.document import DeviceInput, Document

CONFIGURED = """!! IOS XR Configuration 24.2.1
hostname leaf1
class-map match-any RDMA
 match dscp 26
 end-class-map
!
class-map match-any TC3
 match traffic-class 3
 end-class-map
!
policy-map IN
 class RDMA
  set traffic-class 3
 !
 class class-default
 !
 end-policy-map
!
policy-map OUT
 class TC3
  bandwidth remaining ratio 60
  random-detect ecn
 !
 class class-default
 !
 end-policy-map
!
policy-map PLAIN
 class class-default
 !
 end-policy-map
!
interface FourHundredGigE0/0/0/1
 mtu 9216
 service-policy input IN
 service-policy output OUT
 priority-flow-control mode on
!
end
"""
POLICIES = """FourHundredGigE0/0/0/1 input: IN

Class RDMA
  Classification statistics          (packets/bytes)     (rate - kbps)
    Matched             :           918273645/918273645000          0
FourHundredGigE0/0/0/1 output: OUT

Class TC3
  Classification statistics          (packets/bytes)     (rate - kbps)
    Matched             :           918273645/918273645000          0
"""
NONE = "FourHundredGigE0/0/0/1 direction {}: Service Policy not installed"


def reading(text: str, command: str = "show policy-map interface all") -> DeviceReading:
    documents = (Document("run.txt", CONFIGURED, "show running-config"), Document("policies.txt", text, command))
    return PLATFORM.read(DeviceInput("leaf1", "iosxr", documents))


def told(found: DeviceReading) -> list[str]:
    return [one.observation.text for one in found.seen if one.observation.kind == "conflict"]


def fact(found: DeviceReading, *path: Any) -> Any:
    cell = follow(found.ports[0].facts, path)
    assert cell is not None
    return cell.value


def test_installed_as_configured_says_nothing() -> None:
    found = reading(POLICIES)
    assert told(found) == []
    assert fact(found, "dscp", 26) == 3


@pytest.mark.parametrize(
    ("old", "new", "dscp", "words"),
    [
        ("FourHundredGigE0/0/0/1 input: IN", NONE.format("input"), 0, "service-policy input IN is configured"),
        ("FourHundredGigE0/0/0/1 output: OUT", NONE.format("output"), 3, "and none is installed"),
        ("FourHundredGigE0/0/0/1 input: IN", "FourHundredGigE0/0/0/1 input: PLAIN", 0, "and PLAIN is installed"),
    ],
)
def test_what_is_installed_counts(old: str, new: str, dscp: int, words: str) -> None:
    found = reading(POLICIES.replace(old, new))
    (text,) = told(found)
    assert words in text
    assert fact(found, "dscp", 26) == dscp
    assert fact(found, "ip_mtu_bytes") == 9202  # the rest of the port stands, and is whole


def test_a_port_without_policies_of_its_own_is_not_asked() -> None:
    other = NONE.format("input").replace("0/0/0/1", "0/0/0/7")
    assert told(reading(f"{other}\n{POLICIES}")) == []


def test_of_several_policies_of_a_direction_one_is_enough() -> None:
    assert told(reading(f"FourHundredGigE0/0/0/1 input: STEERING\n{POLICIES}")) == []


HARDWARE = (
    "Interface:FourHundredGigE0/0/0/1 input\nBandwidth configured: 400000000 kbps\nPolicy: {} Total number of classes: 2\n",
    "Interface FourHundredGigE0/0/0/1 ifh 0xf0001b0  -- input policy\nNPU Id: 0\nPolicy Name: {}\n",
)


@pytest.mark.parametrize("form", HARDWARE)
def test_what_the_hardware_has(form: str) -> None:
    command = "show qos interface FourHundredGigE0/0/0/1 input"
    assert told(reading(form.format("IN"), command)) == []
    found = reading(form.format("PLAIN"), command)
    assert told(found) == ["service-policy input IN is configured on FourHundredGigE0/0/0/1, and PLAIN is installed"]
    assert fact(found, "dscp", 26) == 0
    for other in ("nothing\n", "% Policy is not installed on FourHundredGigE0/0/0/1 input\n"):
        assert [path for path, _ in reading(other, command).unrecognised] == ["policies.txt"]


def test_link_pause_that_runs() -> None:
    text = """FourHundredGigE0/0/0/1 is up, line protocol is up
  Full-duplex, 400000Mb/s, unknown, link type is force-up
  output flow control is {}, input flow control is off
"""
    assert fact(reading(text.format("on"), "show interfaces"), "link_pause_tx") is True
    assert fact(reading(text.format("off"), "show interfaces"), "link_pause_tx") is not True
