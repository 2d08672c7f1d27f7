"""What netplan makes of VLANs, addresses and bonds at the next boot, against what runs."""

from __future__ import annotations

import json

import pytest
from host_answers import answer, host

NETPLAN = """network:
  version: 2
  ethernets:
    eno1: {addresses: [192.0.2.9/24]}
    left: {match: {macaddress: "00:00:5e:00:53:01"}, set-name: ens1np0}
    ens2np0: {mtu: 9000}
  bonds:
    bond0:
      interfaces: [left, ens2np0]
      mtu: 9000
      parameters: {mode: 802.3ad}
  vlans:
    storage:
      id: 30
      link: bond0
      mtu: 9000
      addresses:
        - 10.0.30.11/24
        - "2001:db8::11/64"
"""


def _link(name: str, **more: object) -> dict[str, object]:
    return {"ifname": name, "flags": ["UP"], "mtu": 9000, "link_type": "ether", **more}


def _member(name: str, number: int) -> dict[str, object]:
    slave = {"info_slave_kind": "bond"}
    return _link(name, parentbus="pci", parentdev=f"0000:3b:00.{number}", master="bond0", linkinfo=slave)


LINKS = [
    _link("eno1", parentbus="pci", parentdev="0000:01:00.0"),
    _member("ens1np0", 0),
    _member("ens2np0", 1),
    _link("bond0", linkinfo={"info_kind": "bond", "info_data": {"mode": "802.3ad"}}),
    _link("storage", link="bond0", linkinfo={"info_kind": "vlan", "info_data": {"id": 30}}),
]
ADDRESSES = {"eno1": "192.0.2.1/24", "storage": "10.0.30.11/24"}


def _told(netplan: str, device: str = "bond0", file: str = "/etc/netplan/60.yaml") -> list[str]:
    held = [
        {"ifname": name, "addr_info": [{"local": one.partition("/")[0], "prefixlen": int(one.partition("/")[2])}]}
        for name, one in ADDRESSES.items()
    ]
    answers = [
        answer("ip -j -d link show", json.dumps(LINKS)),
        answer("ip -j addr show", json.dumps(held)),
        answer("rdma -j link show", json.dumps([{"ifname": "mlx5_bond_0", "port": 1, "netdev": device}])),
    ]
    listing = "".join(f"{file}:{line}\n" for line in netplan.splitlines())
    seen = host(*answers, answer("boot", listing, None, "boot.txt")).seen
    return [one.observation.text.partition("this: ")[2] for one in seen if one.observation.kind == "conflict"]


def test_what_runs_as_planned() -> None:
    """`eno1` is no NIC with RDMA, and IPv6 is written in many ways."""
    assert _told(NETPLAN) == []


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        ("id: 30", "id: 31", "netplan gives storage VLAN 31, and VLAN 30 runs"),
        (
            "link: bond0\n      mtu: 9000",
            "link: bond0\n      mtu: 1500",
            "netplan gives storage an MTU of 1,500 B, and 9,000 B runs",
        ),
        ("10.0.30.11/24", "10.0.30.12/24", "netplan gives storage the address 10.0.30.12/24, and 10.0.30.11/24 runs"),
        (
            "- 10.0.30.11/24",
            "- 10.0.31.11/24: {label: a}",
            "netplan gives storage the address 10.0.31.11/24, and 10.0.30.11/24 runs",
        ),
        ("[left, ens2np0]", "[left]", "netplan makes bond0 of ens1np0, and ens1np0, ens2np0 run in it"),
        ("mode: 802.3ad", "mode: active-backup", "netplan gives bond0 the mode active-backup, and 802.3ad runs"),
    ],
)
def test_what_the_next_boot_changes(here: str, there: str, told: str) -> None:
    assert _told(NETPLAN.replace(here, there)) == [told]


def test_a_member_that_is_chosen_by_its_address_may_be_any() -> None:
    assert _told(NETPLAN.replace(", set-name: ens1np0", "").replace("[left, ens2np0]", "[left]")) == []


def test_nothing_is_asked_of_a_host_without_rdma() -> None:
    assert _told(NETPLAN.replace("id: 30", "id: 31"), device="other") == []
