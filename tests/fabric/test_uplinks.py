"""An uplink that bridges the VLANs of hosts with RoCE, or leads to a spine as others do that carry it, and has no PFC was forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy


def leaf(description: str, vlans: str = "10", hosts: str = "10", *, beside: bool = False) -> dict[str, str]:
    trunk = f"switchport trunk allowed vlan {hosts}"
    ports = {f"Ethernet1/{n}": ["switchport", "switchport mode trunk", trunk, ROCE] for n in (1, 2, 3)}
    if beside:
        ports["Ethernet1/9"] = ["switchport", "switchport access vlan 10", "no priority-flow-control"]
    ports |= {f"Ethernet1/{n}": ["switchport", "channel-group 30 mode active"] for n in (49, 50)}
    channel = ["switchport", "switchport mode trunk", f"switchport trunk allowed vlan {vlans}"]
    texts = switch("leaf1", {**ports, "Port-Channel30": [*channel, f"description {description}"]})
    return {file: text.replace("   no switchport\n   switchport", "   switchport") for file, text in texts.items()}


@pytest.mark.parametrize(
    ("description", "vlans"),
    [("uplink to spine1", "10,20"), ("SPINE1_Po7", "10"), ("Uplinks", "10"), ("to super-spine3", "10,20")],
)
def test_an_uplink_in_the_vlan_of_hosts_with_roce_needs_pfc(tmp_path: Path, description: str, vlans: str) -> None:
    found = Network(tmp_path, leaf(description, vlans))
    assert found.answer("leaf1:Ethernet1/49") == (True, "similar_ports")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [one for one in report.findings if one.rule == "pfc/priority-off" and one.verdict == "fails"]
    assert [(one.severity, len(one.members)) for one in told] == [("warning", 2)]


@pytest.mark.parametrize(
    "texts",
    [
        leaf("archive"),
        leaf("core uplink"),
        leaf("uplink", "20"),
        leaf("CUSTOMER.UPLINK", "10,20"),
        leaf("uplink", "1-4094"),
        leaf("uplink", "10,20,30", "10,20,30"),
        leaf("uplink", beside=True),
    ],
)
def test_other_ports_stay_open(tmp_path: Path, texts: dict[str, str]) -> None:
    assert Network(tmp_path, texts).answer("leaf1:Ethernet1/49")[0] is None


def routed(description: str, *, beside: str = ROCE) -> dict[str, str]:
    ports = {f"Ethernet1/{n}": [f"description gpu{n}", ROCE] for n in (1, 2)}
    ports |= {"Ethernet1/49": ["description spine1 Ethernet1/7", ROCE], "Ethernet1/50": ["description spine2", beside]}
    ports["Ethernet1/51"] = ["channel-group 30 mode active"]
    return switch("leaf1", {**ports, "Port-Channel30": [f"description {description}", "ip address 10.1.1.1/31"]})


@pytest.mark.parametrize(
    ("description", "beside", "answer"),
    [
        ("spine3 Po7", ROCE, (True, "similar_ports")),
        ("uplink", ROCE, (None, "none")),
        ("spine3 Po7", "no priority-flow-control", (None, "none")),
    ],
)
def test_a_routed_channel_to_a_spine_is_as_the_other_ports_to_spines(
    tmp_path: Path, description: str, beside: str, answer: tuple[bool | None, str]
) -> None:
    assert Network(tmp_path, routed(description, beside=beside)).answer("leaf1:Ethernet1/51") == answer
