"""What show commands of NX-OS tell of ports: the speed of those that are up, and the MTU that runs."""

from __future__ import annotations

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


def of(reading: DeviceReading, port: str, what: str) -> Cell[object]:
    found: Cell[object] = getattr(next(p.facts for p in reading.ports if p.name == port), what)
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
    assert not reading.seen


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
    assert [s.observation.kind for s in reading.seen] == ["unread-line"]
