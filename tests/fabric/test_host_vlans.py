"""VLANs of hosts that the ports before them leave out."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, cables, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

ADDRESS = "    link/ether b8:3f:d2:06:01:0{0} brd ff:ff:ff:ff:ff:ff promiscuity 0 minmtu 68 maxmtu 9978\n"
TRUNK = "switchport mode trunk"


def host(*vlans: int, is_up: bool = True, bond: bool = True) -> dict[str, str]:
    """A host with two NICs, in a bond or not, and VLANs above them."""
    flags = "BROADCAST,MULTICAST,UP,LOWER_UP"
    lines = ""
    for number in (1, 2):
        lines += f"{number + 1}: eth{number}: <{flags}> mtu 9000 qdisc mq {'master bond0 ' if bond else ''}state UP\n"
        lines += ADDRESS.format(number) + ("    bond_slave state ACTIVE mii_status UP\n" if bond else "")
    if bond:
        lines += f"4: bond0: <{flags}> mtu 9000 qdisc noqueue state UP\n{ADDRESS.format(1)}    bond mode 802.3ad miimon 100\n"
    above = "bond0" if bond else "eth1"
    for number, vlan in enumerate(vlans, 5):
        lines += (
            f"{number}: {above}.{vlan}@{above}: <{flags if is_up else 'BROADCAST'}> mtu 9000 qdisc noqueue state UP\n"
        )
        lines += f"{ADDRESS.format(1)}    vlan protocol 802.1Q id {vlan} <REORDER_HDR>\n"
    return {"gpu1/hostname.txt": "gpu1\n", "gpu1/ip_-d_link_show.txt": lines}


def leaf(name: str, *said: str) -> dict[str, str]:
    return switch(
        name,
        {
            "Port-Channel7": ["mlag 7", *said],
            "Ethernet1/1": ["channel-group 7 mode active", ROCE],
            "Ethernet1/2": [ROCE, *said],
            "Ethernet1/3": [ROCE, TRUNK, "switchport trunk allowed vlan 610-615"],
        },
    )


def told(folder: Path, *files: dict[str, str], port: str = "Ethernet1/1") -> list[str]:
    return [message for _, message in loudly(folder, *files, port=port)]


def loudly(folder: Path, *files: dict[str, str], port: str = "Ethernet1/1") -> list[tuple[str, str]]:
    """(severity, message) of what is told."""
    lines = [f"leaf1:{port} gpu1:eth1", f"leaf2:{port} gpu1:eth2", "leaf1:Ethernet1/3 gpu2:eth1"]
    Network(folder, cables(*lines), *files)
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [(f.severity, f.message) for f in found if f.rule == "input/conflict"]


LEAVES = [leaf(name, TRUNK, "switchport trunk allowed vlan 610-611") for name in ("leaf1", "leaf2")]


def test_a_vlan_that_no_port_carries(tmp_path: Path) -> None:
    (message,) = told(tmp_path, host(610, 615), *LEAVES)
    assert message.startswith("gpu1:bond0 has VLAN 615, which leaf1:Port-Channel7 before it does not carry")


def test_of_a_nic_alone(tmp_path: Path) -> None:
    (message,) = told(tmp_path, host(610, 615, bond=False), *LEAVES, port="Ethernet1/2")
    assert message.startswith("gpu1:eth1 has VLAN 615, which leaf1:Ethernet1/2 before it")


@pytest.mark.parametrize(
    "files",
    [
        [host(610, 611), *LEAVES],
        [host(610), *LEAVES],
        [host(610, 615, is_up=False), *LEAVES],
        [host(700, 701), *LEAVES],
        [host(610, 615), *(leaf(name, TRUNK) for name in ("leaf1", "leaf2"))],
    ],
    ids=["carried", "fewer", "down", "nothing in common", "a trunk that names none"],
)
def test_what_is_carried_or_not_known(tmp_path: Path, files: list[dict[str, str]]) -> None:
    assert told(tmp_path, *files) == []


def test_a_vlan_that_one_of_two_switches_leaves_out_is_told_of_the_channel(tmp_path: Path) -> None:
    """Where switches make a channel together, that they differ is what is told."""
    short = leaf("leaf2", TRUNK, "switchport trunk allowed vlan 610")
    ((severity, message),) = loudly(tmp_path, host(610, 611), LEAVES[0], short)
    assert message.startswith("the channel mlag 7 carries VLAN 610 here and VLAN 610-611 on leaf1")
    assert severity == "error", "the host is in VLAN 611"


def test_a_vlan_that_the_switches_alone_have_is_perhaps_of_no_use(tmp_path: Path) -> None:
    short = leaf("leaf2", TRUNK, "switchport trunk allowed vlan 610")
    assert [severity for severity, _ in loudly(tmp_path, host(610), LEAVES[0], short)] == ["warning"]


@pytest.mark.parametrize(("other", "severity"), [((610, 615), "error"), ((610,), "warning")])
def test_a_vlan_that_another_host_has_through_is_lost(tmp_path: Path, other: tuple[int, ...], severity: str) -> None:
    second = {
        name.replace("gpu1", "gpu2"): text.replace("gpu1", "gpu2") for name, text in host(*other, bond=False).items()
    }
    ((loud, message),) = loudly(tmp_path, host(610, 615), second, *LEAVES)
    assert message.startswith("gpu1:bond0 has VLAN 615, which")
    assert loud == severity


@pytest.mark.parametrize(
    ("said", "count"),
    [([TRUNK, "switchport trunk allowed vlan 610-611"], 1), ([TRUNK], 0), (["switchport access vlan 610"], 0)],
)
def test_a_host_in_no_vlan_of_its_trunk_where_other_hosts_are_in_one_of_these(
    tmp_path: Path, said: list[str], count: int
) -> None:
    both = {**leaf("leaf1", *said), **leaf("leaf2", *said)}
    files = {name: text.replace("   no switchport\n   mlag 7", "   mlag 7") for name, text in both.items()}
    other = {file.replace("gpu1", "gpu2"): text.replace("gpu1", "gpu2") for file, text in host(610, bond=False).items()}
    found = told(tmp_path, host(701), other, files)
    assert len(found) == count
    assert all("gpu1:bond0 has VLAN 701" in one for one in found)


@pytest.mark.parametrize(
    ("address", "other", "count"),
    [
        ("10.20.2.13/24", "10.20.1.12/24", 1),
        ("10.20.1.13/24", "10.20.1.12/24", 0),
        ("10.20.1.13/16", "10.20.1.12/24", 0),
        ("10.20.2.13/24", "10.20.2.12/24", 0),
    ],
    ids=["another subnet", "the same", "a larger mask", "nobody is in that of the switch"],
)
def test_a_host_in_another_subnet_than_its_vlan(tmp_path: Path, address: str, other: str, count: int) -> None:
    said = [TRUNK, "switchport trunk allowed vlan 610-611"]
    files: dict[str, str] = {}
    for number, name in enumerate(("leaf1", "leaf2"), 2):
        svi = f"interface Vlan610\n   ip address 10.20.1.{number}/24\n!\nend\n"
        files |= {file: text.replace("end\n", svi) for file, text in leaf(name, *said).items()}
    for name, its in (("gpu1", address), ("gpu2", other)):
        one = host(610, bond=name == "gpu1")
        files |= {file.replace("gpu1", name): text.replace("gpu1", name) for file, text in one.items()}
        above = "bond0" if name == "gpu1" else "eth1"
        files[f"{name}/ip_addr_show.txt"] = (
            f"9: {above}.610@{above}: <UP> mtu 9000 qdisc noqueue state UP\n    inet {its} scope global {above}.610\n"
        )
    found = told(tmp_path, files)
    assert len(found) == count
    assert all(f"gpu1:bond0.610 has {address}, and leaf1:Vlan610" in one for one in found)
