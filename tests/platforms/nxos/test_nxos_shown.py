"""What show commands of NX-OS tell of ports: the speed of those that are up, and the MTU that runs."""

from __future__ import annotations

from typing import Any

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Why

CONFIGURATION = """!Command: show running-config
hostname leaf1
interface Ethernet1/1
  no switchport
  mtu 9216
interface Ethernet1/2
  speed 100000
interface Ethernet1/3
  no switchport
"""
BRIEF = """--------------------------------------------------------------------------------
Ethernet      VLAN    Type Mode   Status  Reason                   Speed     Port
Interface                                                                    Ch #
--------------------------------------------------------------------------------
Eth1/1        --      eth  routed up      none                       400G(D) --
Eth1/2        1       eth  access up      none                        40G(S) --
Eth1/3        --      eth  routed down    Link not connected         auto(D) --
"""
STATUS = """Port          Name               Status    Vlan      Duplex  Speed   Type
Eth1/1        gpu1 connected to  connected routed    full    400G    QSFP-DD-400G-DR4
Eth1/2        --                 connected 1         full    a-40G   QSFP-40G-SR4
Eth1/3        --                 notconnec routed    auto    auto    --
"""
WHOLE = """Ethernet1/1 is up
admin state is up, Dedicated Interface
  Hardware: 400000 Ethernet, address: 0011.2233.4455 (bia 0011.2233.4455)
  MTU {} bytes, BW 400000000 Kbit, DLY 10 usec
  full-duplex, 400 Gb/s, media type is 400G
Ethernet1/3 is down (Link not connected)
  MTU 1500 bytes, BW 100000000 Kbit, DLY 10 usec
  auto-duplex, auto-speed, media type is 400G
"""


def shown(command: str, answer: str) -> DeviceReading:
    documents = (Document("x.cfg", CONFIGURATION), Document("answer", answer, command=command))
    return platform("nxos").read(DeviceInput("leaf1", "nxos", documents))


def of(reading: DeviceReading, port: str, what: str) -> Cell[Any]:
    found: Cell[Any] = getattr(next(p.facts for p in reading.ports if p.name == port), what)
    return found


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("show interface brief", BRIEF),
        ("show interface status", STATUS),
        ("show interface", WHOLE.format(9216)),
        ("show interface Ethernet1/1-3", WHOLE.format(9216)),
    ],
)
def test_the_speed_of_a_port_that_is_up_is_what_the_switch_shows_unless_it_is_configured(
    command: str, answer: str
) -> None:
    reading = shown(command, answer)
    assert of(reading, "Ethernet1/1", "speed_bps").get() == 400_000_000_000
    assert of(reading, "Ethernet1/2", "speed_bps").get() == 100_000_000_000
    assert of(reading, "Ethernet1/3", "speed_bps").is_absent
    odd = {s.observation.kind: s.ports for s in reading.seen}
    assert odd == {"no-link": ("Ethernet1/3",), **({"slower": ("Ethernet1/2",)} if "slower" in odd else {})}


def test_the_mtu_that_runs_counts_and_what_is_written_is_shown_beside_it() -> None:
    mtu = of(shown("show interface", WHOLE.format(1500)), "Ethernet1/1", "ip_mtu_bytes")
    assert mtu.get() == 1500
    assert len(mtu.at) == 2


def test_a_shown_mtu_says_nothing_where_the_port_has_none_of_its_own() -> None:
    """Models whose MTU is that of the class show the same whatever it is."""
    answer = WHOLE.format(9216).replace("MTU 1500", "MTU 1400")
    assert of(shown("show interface", answer), "Ethernet1/3", "ip_mtu_bytes").get() == 1500


@pytest.mark.parametrize("answer", [BRIEF.replace("400G", "quick"), BRIEF.replace("400G", "4OOG")])
def test_a_shown_speed_that_is_not_understood_leaves_doubt(answer: str) -> None:
    reading = shown("show interface brief", answer)
    assert of(reading, "Ethernet1/1", "speed_bps").why is Why.NOT_PARSED
    assert [s.observation.kind for s in reading.seen if s.observation.kind != "slower"] == ["unread-line", "no-link"]


QUEUING = """slot  1
=======

Egress Queuing for Ethernet1/1 [System]
------------------------------------------------------------------------------
QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit
                                   Min          Max        Units
------------------------------------------------------------------------------
      7             -         1           -            -     -            9(D)
      3            {share}         -           -            -     -            9(D)
      0            40         -           -            -     -            9(D)
+-------------------------------------------------------------+
|                              QOS GROUP 3                    |
+-------------------------------------------------------------+
|                   Tx Pkts |             812|               0|

Ingress Queuing for Ethernet1/1
-----------------------------------------------------
QoS-Group#                 Pause
           Buff Size       Pause Th      Resume Th
-----------------------------------------------------
      7              -            -            -
      3         {buffer}        80000        78000
      0              -            -            -

Per Port Ingress Statistics
--------------------------------------------------------
     Hi Priority Drop Pkts                           0
"""
POLICIES = """!Command: show running-config
hostname leaf1
class-map type network-qos LOSSLESS
  match qos-group 3
policy-map type network-qos FABRIC
  class type network-qos LOSSLESS
    pause pfc-cos 3
    mtu 9216
policy-map type queuing IN
  class type queuing c-in-q3
    pause buffer-size 350000 pause-threshold 80000 resume-threshold 78000
system qos
  service-policy type network-qos FABRIC
interface Ethernet1/1
  priority-flow-control mode on
"""


def queuing(configuration: str, share: str = "60", buffer: str = "350000") -> DeviceReading:
    answer = QUEUING.format(share=share, buffer=buffer)
    documents = (
        Document("x.cfg", configuration),
        Document("answer", answer, command="show queuing interface"),
    )
    return platform("nxos").read(DeviceInput("leaf1", "nxos", documents))


def test_queues_and_buffers_are_those_that_are_shown_where_no_policy_says_them() -> None:
    reading = queuing(POLICIES)
    group, queue = of(reading, "Ethernet1/1", "groups").get()[3], of(reading, "Ethernet1/1", "queues").get()[3]
    assert (group.headroom_bytes.get(), group.xoff_at_bytes.get(), group.xon_at_bytes.get()) == (
        270_000,
        80_000,
        78_000,
    )
    assert group.lossless.get()
    assert (queue.scheduling.get(), queue.share.get()) == ("weighted", 60)
    first = of(reading, "Ethernet1/1", "queues").get()[7]
    assert (first.scheduling.get(), first.share.is_absent) == ("strict", True)
    assert not [seen for seen in reading.seen if seen.observation.kind == "conflict"]


def test_a_buffer_that_runs_otherwise_than_its_policy_is_told() -> None:
    bound = POLICIES + "  service-policy type queuing input IN\n"
    assert not [seen for seen in queuing(bound).seen if seen.observation.kind == "conflict"]
    reading = queuing(bound, buffer="160000")
    assert of(reading, "Ethernet1/1", "groups").get()[3].headroom_bytes.get() == 80_000
    (told,) = [seen.observation.text for seen in reading.seen if seen.observation.kind == "conflict"]
    assert told == "headroom of priority group 3: 270,000 B is configured, and 80,000 B runs"


@pytest.mark.parametrize(
    ("rows", "value", "share", "buffer"),
    [("queues", "scheduling", "6O", "350000"), ("groups", "headroom_bytes", "60", "35000O")],
)
def test_a_spoiled_row_is_no_value(rows: str, value: str, share: str, buffer: str) -> None:
    reading = queuing(POLICIES, share, buffer)
    found = of(reading, "Ethernet1/1", rows)
    assert (found if found.is_unknown else getattr(found.get()[3], value)).why is Why.NOT_PARSED
    assert "unread-line" in [seen.observation.kind for seen in reading.seen]


@pytest.mark.parametrize("command", ["show queuing interface", "show queuing interface ethernet 1/3", "sh queuing int"])
def test_an_answer_alone_is_recognised_by_its_own_heading(command: str) -> None:
    """A file of its own beside the configuration, as people paste it."""
    answer = QUEUING.format(share="60", buffer="350000")
    assert platform("nxos").recognise(Document("q.txt", answer, command)) >= 90
    assert platform("nxos").recognise(Document("q.txt", answer.replace("Egress Queuing for", "Output"), command)) < 90


PORTS = ("Ethernet1/1", "Ethernet1/2", "Ethernet1/3")
PAUSES = """
--------------------------------------------------------------------------------
Port         Send FlowControl  Receive FlowControl  RxPause TxPause
             admin    oper     admin    oper
--------------------------------------------------------------------------------
Eth1/1       on       off      off      off          0       0
Eth1/2       on       on       off      off          0       7
Eth1/3       off      off      desired  on           3       0
"""


def test_link_pause_is_what_is_in_force() -> None:
    reading = shown("show interface flowcontrol", PAUSES)
    ways = [(of(reading, port, "link_pause_tx").value, of(reading, port, "link_pause_rx").value) for port in PORTS]
    assert ways == [(False, False), (True, False), (False, True)]
