"""`ip link` and `ip addr` without -j: what people paste."""

from __future__ import annotations

import pytest
from host_answers import answer, host

LINK = (
    "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN mode DEFAULT group default qlen 1000\n"
    "    link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00\n"
    "4: ens1f0np0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc mq state UP mode DEFAULT group default qlen 1000\n"
    "    link/ether 02:00:00:00:00:01 brd ff:ff:ff:ff:ff:ff\n"
    "    altname enp59s0f0np0\n"
    "9: docker0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state DOWN mode DEFAULT group default\n"
)
LISTED = answer("ibdev2netdev", "mlx5_0 port 1 ==> ens1f0np0 (Up)\n")


@pytest.mark.parametrize(
    "command", ["ip link", "ip link show", "ip -d link show ens1f0np0", "ip a", "ip -s addr show dev ens1f0np0", "ip l"]
)
def test_the_mtu_of_a_nic_that_another_answer_knows(command: str) -> None:
    (port,) = host(LISTED, answer(command, LINK)).ports
    assert (port.name, port.facts.ip_mtu_bytes.get(), port.facts.admin_up.get()) == ("ens1f0np0", 1500, True)


def test_what_no_other_answer_knows_is_no_nic() -> None:
    assert [port.name for port in host(answer("ip link", LINK)).ports] == []


def test_what_is_read_as_json_wins() -> None:
    link = '[{"ifindex": 4, "ifname": "ens1f0np0", "flags": ["UP"], "mtu": 9000, "link_type": "ether"}]'
    (port,) = host(LISTED, answer("ip link", LINK), answer("ip -j link show", link)).ports
    assert port.facts.ip_mtu_bytes.get() == 9000


def test_addresses_but_those_of_the_link_alone() -> None:
    text = (
        "4: ens1f0np0: <BROADCAST,MULTICAST,LOWER_UP> mtu 9000 qdisc mq state DOWN group default qlen 1000\n"
        "    inet 10.1.0.3/31 brd 10.1.0.3 scope global ens1f0np0\n"
        "    inet6 fe80::1/64 scope link\n"
    )
    (port,) = host(LISTED, answer("ip addr", text)).ports
    assert port.facts.admin_up.get() is False
    assert port.labels.addresses == ("10.1.0.3/31",)
