"""Idle ports in columns: they come back as they were read, in their order, and what is not idle stays apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import KeptPorts, PortReading, facts_of, kept_ports
from roce_audit.readings.parcel import Parcel, parcel
from roce_audit.readings.portable import Damaged
from roce_audit.readings.portablereader import Reader
from roce_audit.readings.portablewriter import Writer
from roce_audit.sources.devices import load
from roce_audit.sources.planning import planned

SWITCH = """! Command: show running-config
! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)
!
hostname leaf1
!
interface Ethernet1/1
   description gpu1
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
interface Ethernet2/1
   description spare one
   shutdown
!
interface Ethernet3/1
   shutdown
   channel-group 5 mode active
!
interface Ethernet4/1
   description gpu2
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
interface Ethernet5/1
   description spare two
   shutdown
!
interface Loopback0
   ip address 192.0.2.1/32
!
interface Vlan10
   description storage
   vrf blue
   ip address 198.51.100.1/24
   ip address 203.0.113.1/24 secondary
!
end
"""
IDLE = ["Ethernet2/1", "Ethernet5/1", "Loopback0", "Vlan10"]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "leaf1.cfg"
    path.write_text(SWITCH)
    return path


@pytest.fixture
def read(file: Path) -> tuple[PortReading, ...]:
    """The ports as the platform gives them."""
    (device,) = load([str(file)]).devices
    ports = platforms.platform(device.platform).read(device).ports
    assert isinstance(ports, tuple)
    return ports


def columns(read: tuple[PortReading, ...]) -> KeptPorts:
    kept = kept_ports(read)
    assert isinstance(kept, KeptPorts)
    return kept


def told(port: PortReading) -> tuple[object, ...]:
    return port.name, port.labels, port.header, list(port.parts), port.family


def test_idle_ports_come_back_as_they_were(read: tuple[PortReading, ...]) -> None:
    kept = columns(read)
    assert kept.is_even
    assert [port.name for port in read if port not in kept.active] == IDLE
    assert list(map(told, kept)) == list(map(told, read))
    assert [port.facts is was.facts for port, was in zip(kept, read, strict=True)] == [True] * len(read)
    assert len(kept) == len(read)
    assert kept[0] is read[0]
    assert told(kept[-1]) == told(read[-1])
    assert {id(facts) for facts in facts_of(kept)} == {id(port.facts) for port in read}


def test_ports_that_differ_in_their_words_alone_are_of_one_kind(read: tuple[PortReading, ...]) -> None:
    vlan = next(port for port in read if port.name == "Vlan10")
    other = replace(vlan, labels=replace(vlan.labels, description="backup", vrf="red", addresses=("192.0.2.7/31",)))
    assert vlan.labels.vrf == "blue"
    first, second = columns((vlan, other)).kinds
    assert first is second


def test_an_idle_port_is_one_object_however_often_it_is_asked_for(read: tuple[PortReading, ...]) -> None:
    kept = columns(read)
    assert kept.made(1) is kept.made(1)
    assert next(port for port in kept if port.name == "Ethernet5/1") is kept.made(1)


def test_some_of_them_stand_in_the_order_of_all(read: tuple[PortReading, ...]) -> None:
    kept = columns(read)
    active = [port.name for port in kept.active]
    assert kept.in_order(active, {3: "vlan", 0: "spare"}) == [active[0], "spare", *active[1:], "vlan"]
    assert kept.in_order(active, {}) == active


@pytest.mark.parametrize("words", ["odd \x7f text", "\x7f"])
@pytest.mark.parametrize("label", ["description", "vrf"])
def test_a_separator_in_a_text_keeps_the_port_out_of_columns(
    read: tuple[PortReading, ...], label: str, words: str
) -> None:
    odd = replace(read[1], labels=replace(read[1].labels, **{label: words}))  # type: ignore[arg-type]
    kept = columns((read[0], odd, *read[2:]))
    assert [port.name for port in kept.active if port.name in IDLE] == ["Ethernet2/1"]
    assert getattr(list(kept)[1].labels, label) == words


def test_a_comma_in_a_text_separates_nothing(read: tuple[PortReading, ...]) -> None:
    odd = replace(read[1], labels=replace(read[1].labels, description="spare, row 4"))
    kept = columns((read[0], odd, *read[2:]))
    assert "Ethernet2/1" not in [port.name for port in kept.active]
    assert list(kept)[1].labels.description == "spare, row 4"


@pytest.mark.parametrize("address", ["", "192.0.2.1,192.0.2.3", "192.0.2.1\x7f"])
def test_an_odd_address_keeps_the_port_out_of_columns(read: tuple[PortReading, ...], address: str) -> None:
    odd = replace(read[1], labels=replace(read[1].labels, addresses=(address,)))
    kept = columns((read[0], odd, *read[2:]))
    assert [port.name for port in kept.active if port.name in IDLE] == ["Ethernet2/1"]


def test_a_device_without_idle_ports_is_left_as_it_is(read: tuple[PortReading, ...]) -> None:
    assert kept_ports(read[:1]) == read[:1]
    assert isinstance(kept_ports(read[:1]), tuple)
    assert kept_ports(()) == ()


def reading_of(one: Parcel) -> DeviceReading:
    (outcome,) = one.alone
    assert outcome.reading is not None
    return outcome.reading


def test_a_table_gives_them_back(file: Path, read: tuple[PortReading, ...]) -> None:
    plan = planned([str(file)])
    writer = Writer(Parcel)
    writer.add("0", parcel(plan.batches[0], plan))
    back = reading_of(Reader(Parcel).read(writer.data())["0"]).ports
    assert isinstance(back, KeptPorts)
    assert back.is_even
    assert list(map(told, back)) == list(map(told, read))
    assert [port.facts for port in back] == [port.facts for port in read]


@pytest.mark.parametrize(
    "change",
    [
        {"names": "Ethernet2/1"},
        {"descriptions": ""},
        {"vrfs": ""},
        {"addresses": ""},
        {"lines": "1\x7f2\x7f3\x7f4"},
        {"lines": "1,1\x7fx,1\x7f1,1\x7f1,1"},
        {"positions": "1\x7f1\x7f4\x7f5"},
        {"positions": "1\x7f2\x7f4\x7f99"},
        {"positions": "1\x7f2\x7f-4\x7f5"},
        {"kinds": ()},
    ],
)
def test_columns_that_do_not_fit_are_damage(
    file: Path, read: tuple[PortReading, ...], change: dict[str, object]
) -> None:
    from roce_audit.readings.checking import Checker

    plan = planned([str(file)])
    one = parcel(plan.batches[0], plan)
    assert Checker().checked(one) is one
    reading = reading_of(one)
    object.__setattr__(reading, "ports", replace(columns(read), **change))  # type: ignore[arg-type]
    with pytest.raises(Damaged):
        Checker().checked(one)
