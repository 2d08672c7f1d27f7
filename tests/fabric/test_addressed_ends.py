"""Cables whose ends are addressed for other far ends: the plan, the cabling or an address is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

A, B = NicText("ens1f0np0", "mlx5_0"), NicText("ens2f0np0", "mlx5_1")
LEAF = switch("leaf1", {f"Ethernet{n}/1": [ROCE, f"ip address 10.0.{n}.0/31"] for n in (1, 2)})
ROUTES = (
    "default via 192.0.2.1 dev eno1\n10.0.1.0/31 dev ens1f0np0 proto kernel scope link src 10.0.1.1\n"
    "10.0.2.0/31 dev ens2f0np0 proto kernel scope link src 10.0.2.1\n"
)
AS_JSON = json.dumps(
    [
        {"dst": f"10.0.{n}.0/31", "dev": f"ens{n}f0np0", "protocol": "kernel", "prefsrc": f"10.0.{n}.1", "flags": []}
        for n in (1, 2)
    ]
)
STRAIGHT = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0", "leaf1:Ethernet2/1 gpu1:ens2f0np0")
CROSSED = cables("leaf1:Ethernet1/1 gpu1:ens2f0np0", "leaf1:Ethernet2/1 gpu1:ens1f0np0")


def told(found: Network) -> list[str]:
    return [one.name for one in found.site.observations if one.kind == "addressed-otherwise"]


@pytest.mark.parametrize(
    "routes", [{"gpu1/ip_route_show.txt": ROUTES}, {"gpu1/ip_-j_route_show.json": AS_JSON}], ids=["text", "json"]
)
def test_nics_exchanged_on_one_leaf(tmp_path: Path, routes: dict[str, str]) -> None:
    gpu = host("gpu1", A, B) | routes
    assert told(Network(tmp_path, LEAF, gpu, STRAIGHT)) == []
    assert told(Network(tmp_path, LEAF, gpu, CROSSED)) == [
        "leaf1:Ethernet1/1 <-> gpu1:ens2f0np0",
        "leaf1:Ethernet2/1 <-> gpu1:ens1f0np0",
    ]


def test_it_is_a_warning_at_the_port(tmp_path: Path) -> None:
    Network(tmp_path, LEAF, host("gpu1", A, B) | {"gpu1/ip_route_show.txt": ROUTES}, CROSSED)
    findings = check(Request((str(tmp_path),), Policy.empty(), topology=str(tmp_path / "topology.yaml"))).report.findings
    one, other = (found for found in findings if found.rule == "link/ends-in-other-subnets")
    assert (one.severity, other.severity) == ("warning", "warning")
    assert "leaf1:Ethernet1/1 has 10.0.1.0/31, and gpu1:ens2f0np0 has 10.0.2.1/31" in one.message


@pytest.mark.parametrize(
    "address", ["10.9.0.1/24", "10.0.1.1/31", "10.9.0.1/32", "fe80::1/64", "2001:db8::1/127"], ids=str
)
def test_ends_that_may_reach_each_other(tmp_path: Path, address: str) -> None:
    """A larger subnet may hold others as well, a host route says nothing of the other end."""
    gpu = host("gpu1", A) | {
        "gpu1/ip_-j_addr_show.json": json.dumps(
            [
                {
                    "ifindex": 2,
                    "ifname": "ens1f0np0",
                    "addr_info": [{"local": address.partition("/")[0], "prefixlen": int(address.partition("/")[2])}],
                }
            ]
        )
    }
    assert told(Network(tmp_path, LEAF, gpu, cables("leaf1:Ethernet1/1 gpu1:ens1f0np0"))) == []


def test_a_description_is_no_plan(tmp_path: Path) -> None:
    """Nobody may have kept it up to date: the cable that it tells is a guess."""
    leaf = switch("leaf1", {"Ethernet1/1": [ROCE, "ip address 10.0.1.0/31", "description gpu1 ens2f0np0"]})
    gpu = host("gpu1", A, B) | {"gpu1/ip_route_show.txt": ROUTES}
    assert told(Network(tmp_path, leaf, gpu)) == []
