"""What answers of Junos tell of links, as a table, as XML and as JSON: no link, half a link, a member left out, and counters."""

from __future__ import annotations

import json

import pytest

from roce_audit import platforms
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.counting import counts_of, uptime
from roce_audit.text.document import DeviceInput, Document

CONFIGURATION = """set version 23.4R1
set system host-name a
set interfaces et-0/0/2 description "gpu2 nic1"
set interfaces et-0/0/2 speed 400g
set interfaces et-0/0/2 mtu 9216
set class-of-service congestion-notification-profile pause input dscp code-point 011010 pfc
set class-of-service interfaces et-0/0/2 congestion-notification-profile pause
"""
TABLE = """Physical interface: et-0/0/2, Enabled, Physical link is {state}
  Link-level type: Ethernet, MTU: 9216, Speed: {speed}, Loopback: Disabled, Flow control: Disabled,
  Queue counters:       Queued packets  Transmitted packets      Dropped packets
    4                                1                    1                   {drops}
"""
XML = """<rpc-reply xmlns:junos="http://xml.juniper.net/junos/23.4R1/junos">
    <interface-information xmlns="http://xml.juniper.net/junos/23.4R1/junos-interface" junos:style="normal">
        <physical-interface>
            <name>et-0/0/2</name>
            <admin-status junos:format="Enabled">up</admin-status>
            <oper-status>{state}</oper-status>
            <mtu>9216</mtu>
            <speed>{speed}</speed>
            <queue>
                <queue-number>4</queue-number>
                <queue-counters-queued-packets>1</queue-counters-queued-packets>
                <queue-counters-trans-packets>1</queue-counters-trans-packets>
                <queue-counters-total-drop-packets>{drops}</queue-counters-total-drop-packets>
            </queue>
        </physical-interface>
    </interface-information>
</rpc-reply>
"""


def in_json(state: str, speed: str, drops: int) -> str:
    queue = {"queue-number": "4", "queue-counters-trans-packets": "1", "queue-counters-total-drop-packets": str(drops)}
    port = {"name": "et-0/0/2", "admin-status": "up", "oper-status": state.lower(), "speed": speed}
    told = {name: [{"data": value}] for name, value in port.items()}
    told["queue"] = [{name: [{"data": value}] for name, value in queue.items()}]  # type: ignore[dict-item]
    return json.dumps({"interface-information": [{"physical-interface": [told]}]}, indent=4)


def device(command: str | None, text: str) -> DeviceInput:
    return DeviceInput(
        "a",
        "junos",
        (Document("a.set", CONFIGURATION, "show configuration | display set"), Document("b", text, command)),
    )


def read(command: str | None, text: str) -> DeviceReading:
    return platforms.platform("junos").read(device(command, text))


def told(reading: DeviceReading) -> dict[str, tuple[str, int]]:
    return {s.observation.kind: (s.observation.text, s.place.line) for s in reading.seen if s.place.path == "b"}


FORMS = [
    ("show interfaces extensive", lambda *said: TABLE.format(state=said[0], speed=said[1], drops=said[2])),
    (
        "show interfaces extensive | display xml",
        lambda *said: XML.format(state=said[0].lower(), speed=said[1], drops=said[2]),
    ),
    (None, lambda *said: XML.format(state=said[0].lower(), speed=said[1], drops=said[2])),
    ("show interfaces extensive | display json | no-more", in_json),
    (None, in_json),
]


@pytest.mark.parametrize(("command", "form"), FORMS)
def test_links_in_every_form(command: str | None, form) -> None:  # type: ignore[no-untyped-def]
    assert "without link" in told(read(command, form("Down", "400Gbps", 0)))["no-link"][0]
    assert "400G is configured, and the link runs at 200G" in told(read(command, form("Up", "200Gbps", 0)))["slower"][0]
    assert told(read(command, form("Up", "400Gbps", 0))) == {}


@pytest.mark.parametrize(("command", "form"), FORMS)
def test_drops_in_every_form(command: str | None, form) -> None:  # type: ignore[no-untyped-def]
    text = form("Up", "400Gbps", 812)
    (drops,) = (
        one for one in counts_of(device(command, text)).by_port["et-0/0/2"].values() if one.name == "queues.4.drops"
    )
    assert drops.value == 812
    assert "812" in text.split("\n")[drops.place.line - 1]


@pytest.mark.parametrize(("state", "unused"), [("Detached", True), ("Collecting distributing", False)])
def test_a_member_that_its_channel_does_not_use(state: str, unused: bool) -> None:
    text = f"Aggregated interface: ae0\n    LACP protocol:\n      et-0/0/2      Current   Fast periodic {state}\n"
    found = told(read("show lacp interfaces", text))
    assert ("no-link" in found) is unused


def test_another_answer_in_xml_is_no_broken_configuration() -> None:
    reading = read(None, "<rpc-reply>\n<lldp-neighbors-information>\n</lldp-neighbors-information>\n</rpc-reply>\n")
    assert told(reading) == {}
    assert [path for path, _ in reading.unrecognised] == ["b"]


def test_how_long_it_runs() -> None:
    text = "System booted: 2025-01-20 07:07:11 UTC (5w6d 03:20 ago)\n"
    up = uptime(Document("u", text, "show system uptime"))
    assert up is not None
    assert up.seconds == 41 * 86_400 + 3 * 3_600 + 20 * 60
