"""What answers show of links beside the configuration: those that are down, those that are held down, and what runs."""

from __future__ import annotations

import json

import pytest

from roce_audit import platforms
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.counting import counts_of
from roce_audit.text.document import DeviceInput, Document

CUMULUS = """\
nv set system hostname a
nv set interface swp2 link speed 400G
nv set interface swp2 link fec rs
nv set interface swp2 link mtu 9216
"""
LINK = """\
                         operational  applied
-----------------------  -----------  -------
admin-status             up
oper-status              {oper}
protodown                {held}
  [protodown-reason]     linkflap
speed                    {speed}         400G
fec                      {fec}           rs
mtu                      {mtu}         9216
"""
FINE = {"oper": "up", "held": "disabled", "speed": "400G", "fec": "rs", "mtu": "9216"}


def read(platform: str, configuration: str, command: str, text: str) -> DeviceReading:
    documents = (Document("a.cfg", configuration), Document("b", text, command))
    return platforms.platform(platform).read(DeviceInput("a", platform, documents))


def told(reading: DeviceReading) -> list[tuple[str, int]]:
    kinds = ("no-link", "error-disabled", "conflict")
    return [(one.observation.kind, one.place.line) for one in reading.seen if one.observation.kind in kinds]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ({}, []),
        ({"oper": "down"}, [("no-link", 4)]),
        ({"oper": "down", "held": "enabled"}, [("error-disabled", 5)]),
        ({"speed": "200G"}, [("conflict", 7)]),
        ({"fec": "none"}, [("conflict", 8)]),
        ({"mtu": "1500"}, [("conflict", 9)]),
        ({"speed": "auto?"}, []),
    ],
)
def test_the_link_of_a_cumulus_port(shown: dict[str, str], expected: list[tuple[str, int]]) -> None:
    said = {**FINE, **shown}
    assert told(read("cumulus", CUMULUS, "nv show interface swp2 link", LINK.format(**said))) == expected
    words = {"oper": "oper-status", "held": "protodown"}
    link = {words.get(name, name): word for name, word in said.items()}
    as_json = json.dumps({"link": link, "type": "swp"}, indent=1)
    found = told(read("cumulus", CUMULUS, "nv show interface swp2 -o json", as_json))
    assert [kind for kind, _ in found] == [kind for kind, _ in expected]


def test_what_runs_on_a_cumulus_port_counts() -> None:
    reading = read("cumulus", CUMULUS, "nv show interface swp2 link", LINK.format(**{**FINE, "mtu": "1500"}))
    assert reading.ports[0].facts.ip_mtu_bytes.get() == 1500


def test_a_default_is_no_contradiction_to_what_runs() -> None:
    head = "Interface  Admin Status  Oper Status  MTU\n---------  ------------  -----------  ----\n"
    text = f"{head}swp2       up            up           1500\n"
    configuration = "nv set system hostname a\nnv set interface swp2 type swp\n"
    assert told(read("cumulus", configuration, "nv show interface", text)) == []


SRLINUX = """\
set / system name host-name a
set / interface ethernet-1/5 admin-state enable
set / interface ethernet-1/5 ethernet port-speed 400G
set / interface ethernet-1/5 transceiver forward-error-correction rs-544
"""
STATE = """\
    interface ethernet-1/5 {{
        admin-state enable
        oper-state {oper}
        ethernet {{
            auto-negotiate false
            port-speed {speed}
        }}
        transceiver {{
            forward-error-correction {fec}
        }}
    }}
"""


@pytest.mark.parametrize(
    ("oper", "speed", "fec", "expected"),
    [
        ("up", "400G", "rs-544", []),
        ("down", "400G", "rs-544", [("no-link", 3)]),
        ("up", "100G", "rs-544", [("conflict", 6)]),
        ("up", "400G", "disabled", [("conflict", 9)]),
        ("down", "100G", "disabled", [("no-link", 3)]),
    ],
)
def test_the_link_of_an_srlinux_port(oper: str, speed: str, fec: str, expected: list[tuple[str, int]]) -> None:
    text = STATE.format(oper=oper, speed=speed, fec=fec)
    reading = read("srlinux", SRLINUX, "info from state interface", text)
    assert told(reading) == expected
    assert not reading.ports[0].facts.autoneg.or_else(False)  # state shows it, configured or not


SONIC = json.dumps(
    {
        "DEVICE_METADATA": {"localhost": {"hostname": "a"}},
        "PORT": {"Ethernet8": {"admin_status": "up", "speed": "400000", "fec": "rs", "lanes": "8"}},
    }
)
STATUS = """\
  Interface    Lanes    Speed    MTU    FEC    Alias    Vlan    Oper    Admin    Type    Asym PFC
-----------  -------  -------  -----  -----  -------  ------  ------  -------  ------  ----------
  Ethernet8        8     400G   9100     rs     etp2  routed    {:>4}    {:>5}    OSFP         off
"""


@pytest.mark.parametrize(
    ("oper", "admin", "expected"), [("up", "up", []), ("down", "up", [("no-link", 3)]), ("down", "down", [])]
)
def test_the_link_of_a_sonic_port(oper: str, admin: str, expected: list[tuple[str, int]]) -> None:
    found = told(read("sonic", SONIC, "show interfaces status", STATUS.format(oper, admin)))
    assert [one for one in found if one[0] == "no-link"] == expected


FEC_STATUS = """\
  Interface    FEC Oper    FEC Admin
-----------  ----------  -----------
  Ethernet8        {:>4}           rs
"""


@pytest.mark.parametrize(
    ("code", "expected", "runs"), [("rs", [], "rs"), ("N/A", [], "rs"), ("none", [("conflict", 3)], "none")]
)
def test_the_error_correction_that_runs_on_a_sonic_port(code: str, expected: list[tuple[str, int]], runs: str) -> None:
    reading = read("sonic", SONIC, "show interfaces fec status", FEC_STATUS.format(code))
    assert told(reading) == expected
    assert reading.ports[0].facts.fec.get() == runs


AOSCX = """\
hostname a
interface 1/1/2
    no shutdown
    mtu 9198
    flow-control priority rxtx 3
    ip mtu 9198
    ip address 10.1.2.0/31
"""
INTERFACE = """\
Interface 1/1/2 is {state}
 Admin state is up
 State information: {why}
 MTU {mtu}
 Flow-control: {pause}
"""


@pytest.mark.parametrize(
    ("state", "why", "expected"),
    [
        ("up", "-", []),
        ("down", "Waiting for link", [("no-link", 1)]),
        ("down", "Error-disabled by link-flap", [("error-disabled", 3)]),
    ],
)
def test_the_link_of_an_aoscx_port(state: str, why: str, expected: list[tuple[str, int]]) -> None:
    text = INTERFACE.format(state=state, why=why, mtu=9198, pause="off")
    assert told(read("aoscx", AOSCX, "show interface", text)) == expected


def test_mtu_and_pause_that_run_on_an_aoscx_port() -> None:
    fine = INTERFACE.format(state="up", why="-", mtu=9198, pause="off")
    (port,) = read("aoscx", AOSCX, "show interface", fine).ports
    assert (port.facts.ip_mtu_bytes.get(), port.facts.link_pause_rx.or_else(False)) == (9198, False)
    (port,) = read("aoscx", AOSCX, "show interface", fine.replace("MTU 9198", "MTU 1500").replace("off", "rx")).ports
    assert port.facts.ip_mtu_bytes.get() == 1500
    assert (port.facts.link_pause_rx.get(), port.facts.link_pause_tx.get()) == (True, False)


ONYX = """\
## Running database "initial"
## Hostname: a
   interface ethernet 1/2 mtu 9216 force
   interface ethernet 1/2 dcb priority-flow-control mode on force
"""
ETHERNET = """\
Eth1/2:
  Admin state                               : Enabled
  Operational state                         : {state}
  MTU                                       : 9216 bytes (Maximum packet size 9238 bytes)
  Actual speed                              : 100 Gbps
"""


@pytest.mark.parametrize(
    ("state", "expected", "speed"),
    [
        ("Up", [], 100_000_000_000),
        ("Down", [("no-link", 3)], None),
        ("Down (Err-disabled)", [("error-disabled", 3)], None),
    ],
)
def test_the_link_of_an_onyx_port(state: str, expected: list[tuple[str, int]], speed: int | None) -> None:
    reading = read("onyx", ONYX, "show interfaces ethernet", ETHERNET.format(state=state))
    assert told(reading) == expected
    assert reading.ports[0].facts.speed_bps.value == speed


def test_a_smaller_mtu_that_runs_than_is_configured_is_told() -> None:
    configuration = "#\n sysname a\n#\ninterface HundredGigE1/0/2\n jumboframe enable 9416\n#\n"
    text = "HundredGigE1/0/2\nCurrent state: UP\nThe maximum frame length is {}\n"
    assert told(read("comware", configuration, "display interface", text.format(9416))) == []
    assert told(read("comware", configuration, "display interface", text.format(1536))) == [("conflict", 3)]


def counts(platform: str, command: str, text: str) -> dict[str, int | None]:
    (found,) = counts_of(DeviceInput("a", platform, (Document("b", text, command),))).by_port.values()
    return {one.name: one.value for one in found.values()}


@pytest.mark.parametrize(("state", "downs"), [("up", 4), ("down", 5)])
def test_counters_beside_the_state_of_a_link(state: str, downs: int) -> None:
    expected = {"receive_errors": 21, "link_downs": downs}
    stats = {"carrier-transitions": 9 if state == "down" else 8, "in-errors": 21}
    as_json = json.dumps({"link": {"oper-status": state, "stats": stats}})
    assert counts("cumulus", "nv show interface swp2 -o json", as_json) == expected
    table = f"oper-status  {state}  up\nstats\n  carrier-transitions  {stats['carrier-transitions']}\n  in-errors  21\n"
    assert counts("cumulus", "nv show interface swp2 link", table) == expected
    text = f"""interface ethernet-1/5 {{
    oper-state {state}
    statistics {{
        in-error-packets 21
        carrier-transitions {stats["carrier-transitions"]}
    }}
}}
"""
    assert counts("srlinux", "info from state interface", text) == expected
