"""Ports that the switch itself has shut, in the words of every system: told once, with the device's own reason."""

from __future__ import annotations

import json

import pytest

from roce_audit import platforms
from roce_audit.model.counts import Count
from roce_audit.platforms.counting import counts_of
from roce_audit.text.document import DeviceInput, Document

CONFIGURATION = {
    "nxos": ("show running-config", "hostname a\ninterface Ethernet1/2\n  priority-flow-control mode on\n"),
    "eos": ("show running-config", "hostname a\ninterface Ethernet1/2\n   priority-flow-control on\nend\n"),
    "iosxr": ("show running-config", "hostname a\ninterface FourHundredGigE0/0/0/2\n mtu 9216\n!\nend\n"),
    "vrp": ("display current-configuration", "sysname a\n#\ninterface 100GE1/0/2\n dcb pfc enable\n#\nreturn\n"),
    "comware": ("display current-configuration", "#\n sysname a\n#\ninterface HundredGigE1/0/2\n#\nreturn\n"),
    "esonic": ("show running-configuration", "!\nhostname a\n!\ninterface Eth1/2\n mtu 9216\n!\n"),
    "junos": ("show configuration", "system { host-name a; }\ninterfaces { xe-0/0/2 { mtu 9192; } }\n"),
    "os9": ("show running-config", "hostname a\ninterface fortyGigE 0/48\n mtu 9416\n!\n"),
}
STATUS = "Eth1/2              gpu2           down     {}    off         400000      9216        Ethernet8"


def shut(platform: str, command: str, text: str) -> list[str]:
    documents = (
        Document("a.cfg", CONFIGURATION[platform][1], CONFIGURATION[platform][0]),
        Document("b", text, command),
    )
    reading = platforms.platform(platform).read(DeviceInput("a", platform, documents))
    told = [seen for seen in reading.seen if seen.observation.kind == "error-disabled"]
    assert all(seen.ports == (reading.ports[0].name,) for seen in told)
    return [seen.quote for seen in told]


@pytest.mark.parametrize(
    ("platform", "command", "line", "fine", "shown", "words"),
    [
        (
            "nxos",
            "show interface",
            "Ethernet1/2 is down ({})",
            "Link not connected",
            "linkFlapErrDisabled",
            "linkFlapErrDisabled",
        ),
        (
            "nxos",
            "show interface status",
            "Eth1/2        gpu 2            {} 100       full    100G    QSFP",
            "notconnec",
            "linkFlapE",
            "linkFlapErrDisabled",
        ),
        (
            "nxos",
            "show interface brief",
            "Eth1/2          --      eth  routed down    {}   auto(D)   --",
            "SFP not inserted",
            "BPDUGuard errDisable",
            "BPDUGuard errDisable",
        ),
        (
            "eos",
            "show interfaces status",
            "Et1/2  gpu 2  {}  1  full  100G  X",
            "notconnect",
            "errdisabled",
            "errdisabled",
        ),
        (
            "eos",
            "show interfaces",
            "Ethernet1/2 is down, line protocol is down ({})",
            "notconnect",
            "errdisabled",
            "errdisabled",
        ),
        (
            "eos",
            "show interfaces status errdisabled",
            "Et1/2        errdisabled port  {}",
            "notconnect  -",
            "errdisabled  bpduguard",
            "errdisabled bpduguard",
        ),
        (
            "iosxr",
            "show interfaces",
            "FourHundredGigE0/0/0/2 is {}, line protocol is down",
            "down",
            "err-disable",
            "err-disable",
        ),
        (
            "iosxr",
            "show interfaces description",
            "FH0/0/0/2  {}  admin-down  gpu err-disable",
            "down",
            "err-disable",
            "err-disable",
        ),
        (
            "vrp",
            "display interface",
            "100GE1/0/2 current state : {} (ifindex: 9)",
            "DOWN",
            "ERROR DOWN(bpdu-protection)",
            "ERROR DOWN(bpdu-protection)",
        ),
        (
            "comware",
            "display interface",
            "HundredGigE1/0/2\nCurrent state: {}",
            "DOWN",
            "Storm-Constrain",
            "Storm-Constrain",
        ),
        (
            "junos",
            "show interfaces extensive | no-more",
            "Physical interface: xe-0/0/2, Enabled, Up\n  Link-level type: Ethernet, MTU: 9192, {}, Loopback: None",
            "BPDU Error: None",
            "BPDU Error: Detected",
            "BPDU Error: Detected",
        ),
        ("esonic", "show interface status", STATUS, "phy-link-down", "err-disabled", "err-disabled"),
        (
            "os9",
            "show interfaces",
            "fortyGigE 0/48 is up, line protocol is down({})",
            "not connected",
            "error-disabled[BPDU]",
            "error-disabled[BPDU]",
        ),
    ],
)
def test_a_port_that_the_switch_has_shut(
    platform: str, command: str, line: str, fine: str, shown: str, words: str
) -> None:
    assert shut(platform, command, f"{line.format(fine)}\n") == []
    assert shut(platform, command, f"{line.format(shown)}\n") == [words]


def test_the_reason_is_told_where_one_answer_has_it() -> None:
    """NX-OS: the list of ports that are shut; EOS: the same as JSON."""
    assert shut("nxos", "show interface status err-disabled", "Eth1/2   gpu 2   down     udld\n") == ["udld"]
    entry = {
        "interfaceStatuses": {
            "Ethernet1/2": {"description": "errdisabled", "status": "errdisabled", "causes": ["link-flap"]}
        }
    }
    assert shut("eos", "show interfaces status errdisabled | json", json.dumps(entry)) == ["errdisabled link-flap"]
    entry["interfaceStatuses"]["Ethernet1/2"]["causes"] = {"a": [1]}  # type: ignore[assignment]
    assert shut("eos", "show interfaces status errdisabled | json", json.dumps(entry)) == ["errdisabled"]


@pytest.mark.parametrize(
    ("platform", "command", "text", "downs"),
    [
        (
            "eos",
            "show interfaces",
            "Ethernet1/2 is up, line protocol is up (connected)\n 812 link status changes since last clear\n",
            406,
        ),
        (
            "eos",
            "show interfaces Ethernet1/2",
            "Ethernet1/2 is down, line protocol is down (x)\n 13 link status changes since last clear\n",
            7,
        ),
        (
            "iosxr",
            "show interfaces",
            "FourHundredGigE0/0/0/2 is up, line protocol is up\n  Interface state transitions: 5\n",
            2,
        ),
        (
            "iosxr",
            "show interfaces",
            "FourHundredGigE0/0/0/2 is down, line protocol is down\n  Interface state transitions: 4\n",
            2,
        ),
        (
            "nxos",
            "show interface",
            "Ethernet1/2 is up\nadmin state is up, Dedicated Interface\n  214 interface resets\n",
            214,
        ),
    ],
)
def test_how_often_a_link_went_down(platform: str, command: str, text: str, downs: int) -> None:
    def counted(shown: str) -> list[Count]:
        by_port = counts_of(DeviceInput("a", platform, (Document("a", shown, command),))).by_port
        return [count for port in by_port.values() for count in port.values() if count.name == "link_downs"]

    (found,) = counted(text)
    assert (found.value, found.place.line) == (downs, text.count("\n"))
    assert not counted(text.partition("\n")[2]), "of no port"


def test_pfc_of_nxos_as_json() -> None:
    entries = [
        {"if_name_str": "Ethernet1/1", "admin": "On", "oper": "On", "vl_bmap": "(8)", "rx-stats": "4", "tx-stats": 12},
        {"if_name_str": "Ethernet1/2", "admin": "On", "oper": "Off", "rx-stats": "0", "tx-stats": "x"},
    ]
    command, configuration = CONFIGURATION["nxos"]
    ports = (
        *("hostname a\ninterface Ethernet1/1\n  priority-flow-control mode on\n", configuration.partition("\n")[2]),
    )

    def device(rows: object) -> DeviceInput:
        answer = {"TABLE_module": {"ROW_module": [{"module": 1, "TABLE_pfc_interface": {"ROW_pfc_interface": rows}}]}}
        asked = "show interface priority-flow-control | json-pretty"
        documents = (Document("a.cfg", "".join(ports), command), Document("b", json.dumps(answer, indent=1), asked))
        return DeviceInput("a", "nxos", documents)

    def running(rows: object) -> list[object]:
        found = platforms.platform("nxos").read(device(rows)).ports
        return [port.facts.pfc.get().operational.value for port in found]

    assert running(entries) == [frozenset({3}), frozenset()]
    assert running(entries[1]) == [None, frozenset()], "a table of one row"
    assert running([{"if_name_str": "Ethernet1/2", "oper": ["Off"]}, 7]) == [None, None]
    counts = counts_of(device(entries)).by_port
    assert {port: {c.name: c.value for c in found.values()} for port, found in counts.items()} == {
        "ethernet1/1": {"pause_received": 4, "pause_sent": 12},
        "ethernet1/2": {"pause_received": 0, "pause_sent": None},
    }
