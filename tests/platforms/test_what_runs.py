"""What answers show as it runs, beside a configuration that says otherwise: settings of ports, modules, members and counters."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit import platforms
from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.counting import counts_of
from roce_audit.text.document import DeviceInput, Document

NXOS = """version 10.3(4a)
hostname a
priority-flow-control watch-dog-interval on
interface Ethernet1/2
  no switchport
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  mtu 9216
  fec rs-fec
  no shutdown
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 60
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
system qos
  service-policy type queuing output OUT
"""
EOS = """! device: a (DCS-7060DX5-64S, EOS-4.31.2F)
hostname a
qos profile R
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   uc-tx-queue 3
      random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 20
interface Ethernet1/2
   no switchport
   mtu 9214
   error-correction encoding reed-solomon
   service-profile R
end
"""
IOSXR = """!! IOS XR Configuration 24.4.2
hostname a
priority-flow-control watchdog interval 100
class-map match-any TC3
 match traffic-class 3
 end-class-map
interface FourHundredGigE0/0/0/2
 mtu 9216
 priority-flow-control mode on
!
end
"""
OS10 = """! Version 10.5.4.5
hostname a
interface ethernet1/1/2
 no shutdown
 mtu 9216
 fec CL91-RS
 flowcontrol receive off
 priority-flow-control mode on
"""
JUNOS = """set version 23.4R1
set system host-name a
set interfaces et-0/0/2 mtu 9216
"""
CONFIGURATION = {"nxos": NXOS, "eos": EOS, "iosxr": IOSXR, "os10": OS10, "junos": JUNOS}
NX = "Ethernet1/2 is up\n  MTU 9216 bytes, BW 400000000 Kbit, DLY 10 usec\n"
NX_WATCHDOG = """Global watch-dog interval [{}]
Forced Global watch-dog [Disabled]
Ethernet1/2 Interface PFC watchdog: [{}]
"""
EOS_PFC = """Global PFC : {}
W: PFC Watchdog Enabled
Et1/2    E A W  3          drop
"""
EOS_QOS = """Ethernet1/2:
   Trust Mode: {}
   3    80 / 80  ( -  )     - / -  ( - )     RR / RR      {}
ECN/WRED: L -> Queue Length ECN Enabled
"""
EOS_TRUST = "Port          Trust Mode\n              Operational  Configured\n--------------------\nEthernet1/2   {}         DSCP\n"
EOS_PAUSE = (
    "Port     Send FlowControl  Receive FlowControl  RxPause  TxPause\n         admin    oper     admin    oper\n"
    "Et1/2    desired  {}      off      {}      0        12\n"
)
PHY = "Ethernet1/2\n  PHY state    linkUp  3  1:00:00 ago\n  Forward Error Correction       {}\n"
EOS_UP = "Ethernet1/2 is up, line protocol is up (connected)\n  IP MTU {} bytes , BW 400000000 kbit\n"
XR = "Priority flow control information for interface FourHundredGigE0/0/0/2:\n  PFC watchdog state :  U  {0}  {0}\n"
D = "Ethernet 1/1/2 is up, line protocol is up\n"


def device(platform: str, command: str, text: str) -> DeviceInput:
    whole = {"os10": "show running-configuration", "junos": "show configuration | display set"}
    documents = (
        Document("a.cfg", CONFIGURATION[platform], whole.get(platform, "show running-config")),
        Document("b", text, command),
    )
    return DeviceInput("a", platform, documents)


def read(platform: str, command: str, text: str) -> DeviceReading:
    return platforms.platform(platform).read(device(platform, command, text))


def of(reading: DeviceReading, path: str) -> Any:
    steps = tuple(int(step) if step.isdigit() else step for step in path.split("."))
    ports = [port for port in reading.ports if port.name.endswith("/2")]
    cell = follow(ports[0].facts, steps)
    return None if cell is None or not cell.is_known else cell.get()


@pytest.mark.parametrize(
    ("platform", "command", "text", "fine", "odd", "path", "value"),
    [
        (
            "nxos",
            "show interface",
            NX + "  admin fec state is rs-fec, oper fec state is {}\n",
            ("rs-fec",),
            ("off",),
            "fec",
            "none",
        ),
        (
            "nxos",
            "show interface",
            NX + "  Input flow-control is {}, output flow-control is off\n",
            ("off",),
            ("on",),
            "link_pause_rx",
            True,
        ),
        (
            "nxos",
            "show queuing pfc-queue",
            "Global watch-dog interval [{}]\nForced Global watch-dog [Disabled]\n",
            ("Enabled",),
            ("Disabled",),
            "pfc.watchdog.on",
            False,
        ),
        (
            "nxos",
            "show queuing pfc-queue detail",
            NX_WATCHDOG,
            ("Enabled", "Enabled"),
            ("Enabled", "Disabled"),
            "pfc.watchdog.on",
            False,
        ),
        (
            "nxos",
            "show queuing pfc-queue detail",
            NX_WATCHDOG,
            ("Enabled", "Enabled"),
            ("Disabled", "Enabled"),
            "pfc.watchdog.on",
            False,
        ),
        ("eos", "show priority-flow-control", EOS_PFC, ("Enabled",), ("Disabled",), "pfc.operational", frozenset()),
        (
            "nxos",
            "show policy-map interface",
            (
                "Ethernet1/2\n  Service-policy (queuing) output: OUT\n    Class-map (queuing):   c-out-8q-q3 (match-any)\n"
                "      random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes{}\n"
            ),
            (" ecn",),
            ("",),
            "queues.3.ecn.drops",
            True,
        ),
        ("eos", "show qos interfaces", EOS_QOS, ("DSCP", "L"), ("COS", "L"), "trust", "pcp"),
        ("eos", "show qos interfaces ethernet 1/1", EOS_QOS, ("DSCP", "L"), ("COS", "L"), "trust", "pcp"),
        ("eos", "show qos interfaces", EOS_QOS, ("DSCP", "L"), ("DSCP", "D"), "queues.3.ecn", None),
        ("eos", "show qos interfaces trust", EOS_TRUST, ("DSCP",), ("COS",), "trust", "pcp"),
        ("eos", "show interfaces flow-control", EOS_PAUSE, ("off", "off"), ("on", "off"), "link_pause_tx", True),
        ("eos", "show interfaces flow-control", EOS_PAUSE, ("off", "off"), ("off", "on"), "link_pause_rx", True),
        ("eos", "show interfaces phy detail", PHY, ("Reed-Solomon",), ("Disabled",), "fec", "none"),
        ("eos", "show interfaces", EOS_UP, ("9214",), ("1500",), "ip_mtu_bytes", 1500),
        (
            "iosxr",
            "show controllers FourHundredGigE0/0/0/2 priority-flow-control",
            XR,
            ("Enabled(D)",),
            ("Disabled",),
            "pfc.watchdog.on",
            False,
        ),
        (
            "os10",
            "show interface",
            D + "Configured FEC is cl91-rs, Negotiated FEC is {}\n",
            ("cl91-rs",),
            ("off",),
            "fec",
            "none",
        ),
        ("os10", "show interface", D + "MTU {0} bytes, IP MTU {0} bytes\n", ("9216",), ("1532",), "ip_mtu_bytes", 1500),
        ("os10", "show interface", D + "Flowcontrol rx {} tx off\n", ("off",), ("on",), "link_pause_rx", True),
        (
            "junos",
            "show interfaces",
            "Physical interface: et-0/0/2, Enabled, Physical link is Up\n  Link-level type: Ethernet, MTU: {}, Speed: 400Gbps\n",
            ("9216",),
            ("1514",),
            "ip_mtu_bytes",
            1500,
        ),
    ],
)
def test_what_runs_counts(
    platform: str, command: str, text: str, fine: tuple[str, ...], odd: tuple[str, ...], path: str, value: object
) -> None:
    assert of(read(platform, command, text.format(*fine)), path) != value
    assert of(read(platform, command, text.format(*odd)), path) == value


NX_MODULE = "Ethernet1/2\n    transceiver is present\n  Lane Number:1 Network Lane\n  Rx Power     -12.30 dBm {}  7.00 dBm   -8.90 dBm\n"
JUNOS_MODULE = "Physical interface: et-0/0/2\n  Lane 3\n    Laser receiver power low alarm            :  {}\n"


@pytest.mark.parametrize(
    ("platform", "command", "text", "fine", "alarm", "said"),
    [
        (
            "nxos",
            "show interface transceiver details",
            NX_MODULE,
            "- ",
            "--",
            "Rx Power of lane 1 is -12.30 dBm: low alarm",
        ),
        (
            "junos",
            "show interfaces diagnostics optics",
            JUNOS_MODULE,
            "Off",
            "On",
            "Laser receiver power low alarm of lane 3",
        ),
    ],
)
def test_alarms_of_modules(platform: str, command: str, text: str, fine: str, alarm: str, said: str) -> None:
    told = {one.observation.kind: one.observation.text for one in read(platform, command, text.format(alarm)).seen}
    assert said in told["link-ailing"]
    assert "link-ailing" not in {one.observation.kind for one in read(platform, command, text.format(fine)).seen}


@pytest.mark.parametrize(
    ("command", "text", "name"),
    [
        (
            "show controllers FourHundredGigE0/0/0/2 priority-flow-control",
            XR.format("Enabled(D)") + "Watchdog Events          :   0  0  0  41  0  0  0  0\n",
            "queues.3.storms",
        ),
        (
            "show policy-map interface all",
            "FourHundredGigE0/0/0/2 output: OUT\nClass TC3\n    Total Dropped : N/A\n  Taildropped(packets/bytes)  : 41/812\n",
            "queues.3.drops",
        ),
    ],
)
def test_counters_of_a_router(command: str, text: str, name: str) -> None:
    counts = counts_of(device("iosxr", command, text)).by_port["fourhundredgige0/0/0/2"].values()
    assert [one.value for one in counts if one.name == name] == [41]


@pytest.mark.parametrize(
    ("state", "unused"), [("Negotiating", True), ("Configured", True), ("Active", False), ("Standby", False)]
)
def test_a_member_that_its_bundle_does_not_use(state: str, unused: bool) -> None:
    text = f"Bundle-Ether10\n  Status:   Up\n  FH0/0/0/2   Local   {state}   0x8000, 0x0002   400000000\n"
    configuration = IOSXR.replace(" mtu 9216", " description leaf1 port 2\n mtu 9216")
    documents = (Document("a.cfg", configuration, "show running-config"), Document("b", text, "show bundle"))
    seen = platforms.platform("iosxr").read(DeviceInput("a", "iosxr", documents)).seen
    assert ("no-link" in {one.observation.kind for one in seen}) is unused
