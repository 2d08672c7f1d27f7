"""What `ip link` and `ip addr` print as text."""

from __future__ import annotations

import pytest
from host_answers import answer, host

from roce_audit.platforms import platform

DETAILED = """1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000
    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00 promiscuity 0 minmtu 0 maxmtu 0
3: ens1: <NO-CARRIER,BROADCAST,MULTICAST,SLAVE,UP> mtu 4200 qdisc mq master bond0 state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff permaddr 02:00:00:00:00:07 promiscuity 0 parentbus pci parentdev 0000:1a:00.0
    bond_slave state ACTIVE mii_status UP link_failure_count 0
    alias rail one
    altname enp26s0
4: bond0: <BROADCAST,MULTICAST,MASTER,UP,LOWER_UP> mtu 9000 qdisc noqueue state UP mode DEFAULT group default qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff promiscuity 0 minmtu 68 maxmtu 65535
    bond mode 802.3ad miimon 100 updelay 0
5: bond0.100@bond0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc noqueue state UP
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff promiscuity 0
    vlan protocol 802.1Q id 100 <REORDER_HDR>
6: docker0: <BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state DOWN
    link/ether 02:00:00:00:00:09 brd ff:ff:ff:ff:ff:ff promiscuity 0
    bridge forward_delay 1500 hello_time 200
"""
BRIEF = """2: ens1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP group default qlen 1000
    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff
    inet 10.1.0.1/31 brd 10.1.0.1 scope global ens1
    inet6 fe80::1/64 scope link
7: docker0: <BROADCAST,MULTICAST> mtu 1500 qdisc noqueue state DOWN
    link/ether 02:00:00:00:00:09 brd ff:ff:ff:ff:ff:ff
"""


def test_the_details_of_devices() -> None:
    reading = host(answer("ip -d link show", DETAILED))
    ports = {port.name: port for port in reading.ports}
    said = {name: (port.facts.kind.get(), port.facts.ip_mtu_bytes.get()) for name, port in ports.items()}
    assert said == {"ens1": ("ethernet", 4200), "bond0": ("lag", 9000), "bond0.100": ("subinterface", 1500)}
    assert (ports["ens1"].labels.lag, ports["ens1"].labels.description) == ("bond0", "rail one")
    assert ports["ens1"].labels.no_link
    assert ports["ens1"].facts.nic.get().bond_mode.get() == "802.3ad"
    assert ports["bond0.100"].labels.vlans == {100}
    assert [s.observation.kind for s in reading.seen] == ["no-link"]


@pytest.mark.parametrize("command", ["ip addr", "ip a", "ip -4 addr show", "ip -d a s"])
def test_without_details(command: str) -> None:
    reading = host(answer(command.replace(" s", " show") if command.endswith(" s") else command, BRIEF))
    (port,) = reading.ports
    assert (port.name, port.facts.ip_mtu_bytes.get(), port.labels.addresses) == ("ens1", 1500, ("10.1.0.1/31",))


@pytest.mark.parametrize("kind", ["vrf", "dummy"])
def test_the_mtu_of_a_device_of_software_is_no_unread_line(kind: str) -> None:
    blue = "8: blue: <NOARP,MASTER,UP,LOWER_UP> mtu 65575 qdisc noqueue state UP\n    link/ether 02:00:00:00:00:0a brd ff:ff:ff:ff:ff:ff\n"
    assert (
        len(host(answer("ip -d link show", DETAILED + blue + f"    {kind} table 10\n")).seen) == 1
    )  # that ens1 has no link


def test_a_line_that_belongs_to_no_device_is_unread() -> None:
    reading = host(answer("ip link show", "ens1f0np0: mtu 1500\n"))
    assert [seen.observation.kind for seen in reading.seen] == ["unread-line"]


def test_a_lone_text_is_recognised() -> None:
    assert platform("linux").recognise(answer(None, DETAILED)) > 0
    assert platform("linux").recognise(answer(None, "1: lo: a list of things, mtu 5\n")) == 0


def test_addresses_of_the_link_alone_are_left_out() -> None:
    text = (
        "4: ens1f0np0: <BROADCAST,MULTICAST,LOWER_UP> mtu 9000 qdisc mq state DOWN group default qlen 1000\n"
        "    inet 10.1.0.3/31 brd 10.1.0.3 scope global ens1f0np0\n"
        "    inet6 fe80::1/64 scope link\n"
    )
    (port,) = host(answer("ip addr", text)).ports
    assert port.facts.admin_up.get() is False
    assert port.labels.addresses == ("10.1.0.3/31",)
