"""Files of netplan, networkd, udev and NetworkManager without a host; and what scripts set up for classes and buffers."""

from __future__ import annotations

import pytest

from roce_audit.model import NicSetup
from roce_audit.platforms import platform
from roce_audit.platforms.signature import forms_of, score
from roce_audit.text.document import DeviceInput, Document

NETPLAN = """# rails
network:
  version: 2
  ethernets:
    eno1:
      mtu: 1500
    rail0:
      match: {macaddress: "b8:ce:f6:00:00:01"}
      set-name: ens1f0np0
      mtu: 9000
"""
LINK = "[Match]\nPermanentMACAddress=b8:ce:f6:00:00:01\n[Link]\nName={}\nMTUBytes=9K\nRxFlowControl=no\n"
KEYFILE = "[connection]\ninterface-name=ens1\n[ethernet]\nmtu=4200\n[dcb]\npriority-flow-control=0,0,0,1,0,0,0,0\n"
SCRIPT = "#!/bin/sh\nmlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0\nmlnx_qos -i ens1 {}\n"


def document(text: str) -> Document:
    return Document("some/file", text)


def setups(text: str) -> tuple[NicSetup, ...]:
    reading = platform("linux").read(DeviceInput("file", "linux", (document(text),)))
    assert reading.host is not None
    assert not reading.seen
    found: tuple[NicSetup, ...] = reading.host.nic_setups.get()
    return found


def test_netplan() -> None:
    front, rail = setups(NETPLAN)
    assert (front.name, front.ip_mtu_bytes.get(), front.rdma.is_absent) == ("eno1", 1500, True)
    assert (rail.name, rail.ip_mtu_bytes.get(), rail.rdma.get()) == ("ens1f0np0", 9000, True)


@pytest.mark.parametrize(("name", "rdma"), [("rail0", True), ("front0", None), ("gpu-mgmt0", None), ("roce1", True)])
def test_a_link_of_udev_in_units_of_systemd(name: str, rdma: bool | None) -> None:
    (found,) = setups(LINK.format(name))
    assert (found.ip_mtu_bytes.get(), found.link_pause_rx.get(), found.rdma.value) == (9216, False, rdma)


def test_a_keyfile_of_networkmanager() -> None:
    (found,) = setups(KEYFILE)
    assert (found.name, found.ip_mtu_bytes.get(), found.pfc_priorities.get()) == ("ens1", 4200, {3})


NETDEV = "[NetDev]\nName=stga.300\nKind=vlan\n{}\n[VLAN]\nId=300\n{}"


@pytest.mark.parametrize(
    ("maps", "tags"), [("EgressQOSMaps=0-4 1-5\n", {4, 5}), ("", {0}), ("IngressQOSMaps=4-4\n", {0})]
)
def test_a_vlan_of_networkd_tags_what_leaves_by_the_nic_below_it(maps: str, tags: set[int]) -> None:
    assert score(forms_of(platform("linux").signature, ""), document(NETDEV.format("", maps))) > 0
    found = {one.name: one for one in setups(NETDEV.format("MTUBytes=9000\n", maps))}
    assert found["stga"].tag_priorities.get() == tags
    assert found["stga.300"].ip_mtu_bytes.get() == 9000


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        (NETPLAN, True),
        (LINK.format("rail0"), True),
        (KEYFILE, True),
        ("network:\n  version: 2\n  ethernets:\n    eno1:\n      dhcp4: true\n", False),
        ("[Match]\nName=eno1\n[Network]\nDHCP=yes\n", False),
        ("[connection]\nid=home\n[wifi]\nssid=x\n", False),
        ("[Unit]\nDescription=x\n", False),
    ],
)
def test_only_files_that_say_what_matters_are_read(text: str, ours: bool) -> None:
    assert bool(score(forms_of(platform("linux").signature, ""), document(text))) is ours


@pytest.mark.parametrize(
    ("options", "strict", "unserved"),
    [
        ("-s strict,strict,strict,strict,strict,strict,strict,strict", set(range(8)), None),
        ("-p 0,0,0,1,0,0,2,0 -s ets,ets,strict,ets,ets,ets,ets,ets -t 10,90,0,0,0,0,0,0", {6}, set()),
        ("-s ets,ets,ets,ets,ets,ets,strict,ets -t 50,50,0,0,0,0,0,0", {6}, {2, 3, 4, 5, 7}),
    ],
)
def test_traffic_classes(options: str, strict: set[int], unserved: set[int] | None) -> None:
    (found,) = setups(SCRIPT.format(options))
    assert found.strict_priorities.get() == strict
    assert found.unserved_priorities.value == unserved


@pytest.mark.parametrize(
    ("options", "outweighed"),
    [
        ("-p 0,1,2,3,4,5,6,7 -s ets,ets,ets,ets,ets,ets,strict,ets -t 80,0,0,20,0,0,0,0", {3}),
        ("-p 0,1,2,3,4,5,6,7 -s ets,ets,ets,ets,ets,ets,strict,ets -t 70,0,0,30,0,0,0,0", set()),
        ("-p 0,1,2,3,4,5,6,7 -s strict,ets,ets,ets,ets,ets,ets,ets -t 0,80,0,20,0,0,0,0", set()),
        (
            "-s ets,ets,ets,ets,ets,ets,strict,ets -t 80,0,0,20,0,0,0,0",
            set(),
        ),  # which of the first two has priority 0 is not said
        ("-s ets,ets,ets,ets,ets,ets,strict,ets -t 45,45,0,10,0,0,0,0", {3}),
        ("--trust dscp", None),
    ],
)
def test_shares_beside_those_of_unmarked_traffic(options: str, outweighed: set[int] | None) -> None:
    (found,) = setups(SCRIPT.format(options))
    assert found.outweighed_priorities.value == outweighed


@pytest.mark.parametrize(
    ("options", "least", "sharing"),
    [
        ("--prio2buffer 0,0,0,1,0,0,0,0 --buffer_size 65472,196544,0,0,0,0,0,0", 196544, set()),
        ("--prio2buffer 0,0,0,0,0,0,0,0", None, {0, 1, 2, 4, 5, 6, 7}),
        ("--buffer_size 65472,196544,0,0,0,0,0,0", 196544, None),
        ("--buffer_size 262016,0,0,0,0,0,0,0", None, None),
    ],
)
def test_receive_buffers(options: str, least: int | None, sharing: set[int] | None) -> None:
    (found,) = setups(SCRIPT.format(options))
    assert found.lossless_buffer_bytes.value == least
    assert found.shared_buffer_priorities.value == sharing


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "network: {version: 2, ethernets: {rail0: {mtu: 1500}, rail1: {mtu: 9000}}}\n",
            {"rail0": 1500, "rail1": 9000},
            id="flow",
        ),
        pytest.param(
            "network:\n  ethernets:\n    rail0: &all {mtu: &m 1500}\n    rail1: *all\n    rail2:\n      mtu: *m\n",
            {"rail0": 1500, "rail1": 1500, "rail2": 1500},
            id="aliases",
        ),
        pytest.param(
            'network:\n  renderer: NetworkManager\n  ethernets:\n    a:\n      match: {name: "rail*"}\n      mtu: "9000"\n',
            {"rail*": 9000},
            id="pattern",
        ),
        pytest.param(
            '{"network": {"version": 2, "ethernets": {"rail0": {"mtu": 4200}}}}\n', {"rail0": 4200}, id="JSON is YAML"
        ),
        pytest.param(
            "version: 2\nethernets:\n  rail0:\n    mtu: 1500\n", {"rail0": 1500}, id="cloud-init, second form"
        ),
        pytest.param(
            "version: 1\nconfig:\n  - type: physical\n    name: rail0\n    mtu: 1500\n  - {type: nameserver, address: 10.0.0.1}\n",
            {"rail0": 1500},
            id="cloud-init, first form",
        ),
    ],
)
def test_every_form_of_netplan(text: str, expected: dict[str, int]) -> None:
    assert {one.name: one.ip_mtu_bytes.get() for one in setups(text)} == expected


def test_a_file_that_netplan_refuses_is_unread() -> None:
    text = "network:\n  ethernets:\n    rail0: &r {mtu: 1500}\n    rail1:\n      <<: *r\n"
    reading = platform("linux").read(DeviceInput("file", "linux", (document(text),)))
    (seen,) = reading.seen
    assert (seen.observation.kind, seen.place.line) == ("unread-line", 5)


def test_of_several_files_the_last_one_counts() -> None:
    texts = [f"network: {{ethernets: {{rail0: {{mtu: {mtu}}}, rail1: {{mtu: {mtu}}}}}}}\n" for mtu in (1500, 9000)]
    texts.append("network:\n  ethernets:\n    rail1:\n      mtu: 4200\n")
    those = tuple(Document(f"etc/netplan/{number}.yaml", text) for number, text in enumerate(texts))
    reading = platform("linux").read(DeviceInput("netplan", "linux", those))
    assert reading.host is not None
    found = {one.name: one.ip_mtu_bytes for one in reading.host.nic_setups.get()}
    assert {name: cell.get() for name, cell in found.items()} == {"rail0": 9000, "rail1": 4200}
    assert [getattr(at, "path", "") for at in found["rail0"].at] == ["etc/netplan/1.yaml"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# Broadcom\nENABLE_FC=1\nFC_MODE=3\nROCE_PRI=4\nROCE_DSCP=26\n", ({4}, 4)),
        ("ENABLE_FC=1\nFC_MODE=1\nROCE_PRI=3\nROCE_DSCP=26\n", ({3}, 3)),
    ],
)
def test_the_file_of_a_family_without_a_host(text: str, expected: tuple[set[int], int]) -> None:
    (found,) = setups(text)
    assert (found.name, found.pfc_priorities.get(), found.dscp.get()[26].get()) == ("every NIC", *expected)


def test_a_file_of_a_family_that_nobody_understands_is_unread() -> None:
    text = "ENABLE_FC=1\nROCE_PRI: 4\n"
    reading = platform("linux").read(DeviceInput("file", "linux", (document(text),)))
    assert [(seen.observation.kind, seen.place.line) for seen in reading.seen] == [("unread-line", 2)]


@pytest.mark.parametrize(
    ("bond", "expected"),
    [
        ("{interfaces: [ens1, ens2], mtu: 1500}", {"ens1": 1500, "ens2": 1500, "bond0": 1500}),
        ("{interfaces: [ens1], mtu: 1500}", {"ens1": 1500, "ens2": 4200, "bond0": 1500}),
        ("{interfaces: [ens1, ens2], mtu: 9000}", {"ens1": 9000, "ens2": 4200, "bond0": 9000}),
        ("{interfaces: [ens1, ens2]}", {"ens1": 9000, "ens2": 4200}),
        ("{interfaces: all, mtu: 1500}", {"ens1": 9000, "ens2": 4200, "bond0": 1500}),
    ],
    ids=["all", "one", "a member's own is smaller", "no MTU", "no list"],
)
def test_members_have_the_mtu_of_their_bond(bond: str, expected: dict[str, int]) -> None:
    text = f"network:\n  version: 2\n  ethernets:\n    ens1: {{mtu: 9000}}\n    ens2: {{mtu: 4200}}\n  bonds:\n    bond0: {bond}\n"
    assert {one.name: one.ip_mtu_bytes.value for one in setups(text)} == expected


VLANS = """network:
  version: 2
  ethernets:
    ens1f0np0: {{mtu: {0}}}
  vlans:
    san.710: {{id: 710, link: ens1f0np0, mtu: {1}}}
    san.720: {{id: 720, link: ens1f0np0, mtu: {2}}}
    ens1f0np0.10: {{id: 10, link: ens1f0np0, mtu: 1500}}
"""


@pytest.mark.parametrize(
    ("mtus", "lines"),
    [
        ((9216, 9000, 9000), []),
        ((9216, 9000, 1500), [7]),
        ((9216, 1500, 1500), []),
        ((9216, 9600, 9000), [6]),
        ((1400, 9000, 9000), [4]),
    ],
)
def test_the_mtu_of_vlans_and_of_what_they_are_made_above(mtus: tuple[int, ...], lines: list[int]) -> None:
    text = VLANS.format(*mtus)
    reading = platform("linux").read(DeviceInput("file", "linux", (document(text),)))
    assert [(one.observation.kind, one.place.line) for one in reading.seen] == [("conflict", line) for line in lines]
