"""What is joined for rules: the length a headroom must pay for, and CNP code points that a switch does not know."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.policy import Policy, load
from roce_audit.values import Why

ROOT = Path(__file__).parents[2]
NIC = NicText("ens1f0np0", rdma="mlx5_0", pfc=(3,), trust="dscp")
OTHER = NicText("ens1f0np0", rdma="mlx5_0", pfc=(3,), trust="dscp", cnp_dscp=8)
POLICY = "roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n"


def test_the_real_cable_counts_before_the_configured_one(tmp_path: Path) -> None:
    wired = cables("leaf1:Ethernet1/1 host1:ens1f0np0 length_m: 30")
    network = Network(tmp_path, switch("leaf1", {"Ethernet1/1": [ROCE]}), host("host1", NIC), wired)
    length = network.port("host1:ens1f0np0").joined.assumed_length_m
    assert length.value == 30


def test_without_a_known_cable_the_configured_length_is_assumed(tmp_path: Path) -> None:
    wired = cables("leaf1:Ethernet1/1 host1:ens1f0np0")
    network = Network(tmp_path, switch("leaf1", {"Ethernet1/1": [ROCE]}), host("host1", NIC), wired)
    assert network.port("host1:ens1f0np0").joined.assumed_length_m.value == 5
    assert network.port("leaf1:Ethernet1/1").joined.assumed_length_m.why is Why.NOT_VISIBLE


def test_a_cnp_code_point_that_a_switch_treats_as_unmarked(tmp_path: Path) -> None:
    leaf = switch("leaf1", {"Ethernet1/1": [ROCE], "Ethernet1/2": [ROCE]}, "qos map dscp 8 to traffic-class 1\n")
    wired = cables("leaf1:Ethernet1/1 host1:ens1f0np0", "leaf1:Ethernet1/2 host2:ens1f0np0")
    network = Network(tmp_path, leaf, host("host1", NIC), host("host2", OTHER), wired)
    facts = network.site.fabrics[0].facts
    assert facts.cnp_dscps.value == {8, 48}
    assert facts.cnp_dscps_unmapped.value == {8}


def test_an_unknown_class_is_what_is_missing(tmp_path: Path) -> None:
    Network(tmp_path, switch("leaf1", {"Ethernet1/1": [ROCE]}), policy=POLICY)
    report = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("cnp/not-strict",))).report
    (finding,) = report.findings
    assert finding.verdict == "unknown"
    assert "the DSCP of the CNP class" in finding.unknown_because


@pytest.mark.parametrize(("address", "mtu_bytes"), [("   ip address 10.1.20.1/24\n", 1500), ("", None)])
def test_an_interface_of_a_vlan_routes_where_it_has_an_address(
    tmp_path: Path, address: str, mtu_bytes: int | None
) -> None:
    vlan = f"interface Vlan20\n   mtu 1500\n{address}"
    leaf = switch("leaf1", {"Ethernet1/1": [ROCE, "switchport access vlan 20"]}, vlan)
    network = Network(tmp_path, leaf)
    assert network.port("leaf1:Ethernet1/1").joined.vlan_mtu_bytes.value == mtu_bytes


_TRUNK = [ROCE, "switchport mode trunk", "switchport trunk allowed vlan 20,30"]


_FILTERED = "ip access-group GUARD in\n"
_GUARD = "ip access-list GUARD\n   10 permit tcp any any\n   20 deny udp any any eq 4791\n   30 permit ip any any\n"


@pytest.mark.parametrize(
    ("ways", "drops"),
    [((20,), None), ((20, 30), True), ((30, 40), None), ((), None)],
    ids=["one", "all", "another", "none"],
)
def test_what_routes_the_vlans_of_a_port_drops_roce(tmp_path: Path, ways: tuple[int, ...], drops: bool | None) -> None:
    routes = "".join(
        _routes(v, f"10.1.{v}.1/24", 9000) + ("   " + _FILTERED if v in ways else "") for v in (20, 30, 40)
    )
    network = Network(tmp_path, switch("leaf1", {"Ethernet1/1": _TRUNK}, _GUARD + routes))
    assert network.port("leaf1:Ethernet1/1").joined.vlan_drops_roce.value is drops


def _routes(vlan: int, address: str, mtu: int) -> str:
    return f"interface Vlan{vlan}\n   mtu {mtu}\n   ip address {address}\n"


@pytest.mark.parametrize(
    ("other", "mtus"),
    [
        (_routes(20, "virtual 10.1.20.1/24", 9000), (1500, 9000)),
        (_routes(20, "10.1.20.3/24", 1500), (None, None)),
        (_routes(20, "10.7.20.1/24", 9000), (None, None)),
        (_routes(30, "10.1.20.1/24", 9000), (None, None)),
        ("", (None, None)),
    ],
    ids=["the same VLAN", "alike", "another subnet", "another VLAN", "none"],
)
def test_another_switch_routes_the_same_vlan_for_larger_packets(
    tmp_path: Path, other: str, mtus: tuple[int | None, int | None]
) -> None:
    one = switch("leaf1", {"Ethernet1/1": _TRUNK}, _routes(20, "virtual 10.1.20.1/24", 1500))
    network = Network(tmp_path, one, switch("leaf2", {"Ethernet1/1": _TRUNK}, other))
    joined = network.port("leaf1:Ethernet1/1").joined
    assert (joined.vlan_mtu_bytes.value, joined.vlan_mtu_elsewhere_bytes.value) == mtus
    if other:
        assert network.port("leaf2:Ethernet1/1").joined.vlan_mtu_elsewhere_bytes.value is None


_UPLINK = [ROCE, "ip address 10.9.0.0/31"]
_FAR_UPLINK = [ROCE, "ip address 10.9.0.1/31"]


@pytest.mark.parametrize(
    ("far", "uplink", "left_for"),
    [
        (("switchport access vlan 30", _routes(30, "10.1.30.1/24", 9000)), _UPLINK, "leaf2:Ethernet1/1"),
        (("ip address 10.7.0.0/31", ""), _UPLINK, "leaf2:Ethernet1/1"),
        (("switchport access vlan 20", ""), _UPLINK, None),
        (("switchport access vlan 30", ""), _UPLINK, None),
        (("switchport trunk allowed vlan 1-4094", ""), _UPLINK, None),
        (("switchport access vlan 30", _routes(30, "10.1.20.2/24", 9000)), _UPLINK, None),
        (
            ("switchport access vlan 30", _routes(30, "10.1.30.1/24", 9000)),
            [ROCE, "switchport trunk allowed vlan 20"],
            None,
        ),
        (
            ("switchport access vlan 30", "interface Vlan30\n   vrf b\n   ip address 10.1.30.1/24\n"),
            _UPLINK,
            None,
        ),
    ],
    ids=[
        "another VLAN",
        "routed",
        "the VLAN",
        "never routed",
        "a trunk of any VLAN",
        "the subnet",
        "a bridged uplink",
        "another VRF",
    ],
)
def test_packets_leave_a_vlan_that_one_switch_has_by_routing(
    tmp_path: Path, far: tuple[str, str], uplink: list[str], left_for: str | None
) -> None:
    here = {"Ethernet1/1": [ROCE, "switchport access vlan 20"], "Ethernet1/49": uplink}
    there = {"Ethernet1/1": [ROCE, far[0]], "Ethernet1/49": _FAR_UPLINK}
    leaves = switch("leaf1", here, _routes(20, "10.1.20.1/24", 1500)), switch("leaf2", there, far[1])
    network = Network(tmp_path, *leaves, cables("leaf1:Ethernet1/49 leaf2:Ethernet1/49"), policy=POLICY)
    assert network.port("leaf1:Ethernet1/1").joined.vlan_left_for.value == left_for
    rule = "mtu/vlan-interface-below-roce"
    found = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=(rule,))).report.findings
    assert [one.severity for one in found if one.verdict == "fails"] == ["error" if left_for else "info"]


@pytest.mark.parametrize("fragment", ["nxos/fragment", "eos/fragment", "aoscx/fragment", "junos/fragment"])
def test_nobody_is_asked_for_the_priority_that_no_line_announces(fragment: str) -> None:
    """A fragment does not show whether DCBX is spoken; that a line names a priority for RoCE is rare, and it would show."""
    report = check(Request((str(ROOT / "fixtures" / fragment),), Policy.empty())).report
    assert not [one for one in report.findings if one.rule == "dcbx/announces-lossy-priority"]


def test_a_trunk_of_one_vlan_does_not_route_by_subinterfaces(tmp_path: Path) -> None:
    vlan = "interface Vlan20\n   mtu 1500\n   ip address 10.1.20.1/24\n"
    trunk = [ROCE, "switchport mode trunk", "switchport trunk allowed vlan 20"]
    joined = Network(tmp_path, switch("leaf1", {"Ethernet1/1": trunk}, vlan)).port("leaf1:Ethernet1/1").joined
    assert joined.vlan_mtu_bytes.value == 1500
    assert joined.subinterface_mtu_bytes.value is None
