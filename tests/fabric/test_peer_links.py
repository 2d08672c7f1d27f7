"""Peer links: their own settings come before what they are, and a RoCE VLAN that crosses them makes them carry RoCE."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, switch

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy


def severities(folder: Path, rule: str) -> list[tuple[str, str | None]]:
    found = check(Request((str(folder),), Policy.empty())).report.findings
    return [(f.severity, f.device) for f in found if f.rule == rule and f.verdict == "fails" and f.because_of is None]


def eos(name: str, peer_link: str = ROCE, crossing: str = "10") -> dict[str, str]:
    """Hosts in VLAN 10, and a peer link that bridges `crossing`."""
    hosts = {f"Ethernet1/{n}": ["switchport", "switchport access vlan 10", ROCE] for n in (1, 2)}
    members = {f"Ethernet1/{n}": ["switchport", "channel-group 1 mode active"] for n in (49, 50)}
    vlans = ["switchport", "switchport mode trunk", f"switchport trunk allowed vlan {crossing}"]
    channel = {"Port-Channel1": [*vlans, *([peer_link] if peer_link else [])]}
    domain = "mlag configuration\n   domain-id pair\n   peer-link Port-Channel1\n!\n"
    texts = switch(name, {**hosts, **members, **channel}, domain)
    return {file: text.replace("   no switchport\n   switchport", "   switchport") for file, text in texts.items()}


@pytest.mark.parametrize("crossing", ["10", "99"])
def test_a_peer_link_with_pfc_speaks_for_itself(tmp_path: Path, crossing: str) -> None:
    found = Network(tmp_path, eos("tor1", crossing=crossing), eos("tor2", crossing=crossing))
    assert found.answer("tor1:Ethernet1/49") == (True, "port_config")
    assert severities(tmp_path, "pfc/priority-off") == []


@pytest.mark.parametrize(("crossing", "severity"), [("10", "error"), ("99", "warning")])
def test_pfc_removed_from_one_end_is_told(tmp_path: Path, crossing: str, severity: str) -> None:
    Network(tmp_path, eos("tor1", crossing=crossing), eos("tor2", "", crossing))
    assert severities(tmp_path, "pfc/priority-off") == [(severity, "tor2")]


def test_one_switch_alone_is_enough_where_a_roce_vlan_crosses(tmp_path: Path) -> None:
    found = Network(tmp_path, eos("tor1", "", "1-20"))
    assert found.answer("tor1:Ethernet1/49") == (True, "path")
    assert "VLAN 10 of tor1:Ethernet1/1" in found.port("tor1:Ethernet1/49").roce.because
    assert severities(tmp_path, "pfc/priority-off") == [("error", "tor1")]


def test_a_vlan_that_other_ports_have_as_well_is_no_roce_vlan(tmp_path: Path) -> None:
    other = "interface Ethernet1/9\n   switchport access vlan 10\n!\nend\n"
    texts = {file: text.replace("end\n", other) for file, text in eos("tor1", "", "1-20").items()}
    assert Network(tmp_path, texts).answer("tor1:Ethernet1/49") == (False, "hint")


def test_a_peer_link_that_no_roce_vlan_crosses_is_left_alone(tmp_path: Path) -> None:
    found = Network(tmp_path, eos("tor1", "", "99"), eos("tor2", "", "99"))
    assert found.answer("tor1:Ethernet1/49") == (False, "hint")
    assert severities(tmp_path, "pfc/priority-off") == []


def _os10(name: str, link: str, *peer: str) -> dict[str, str]:
    def port(number: int, *lines: str) -> str:
        return f"interface ethernet1/1/{number}\n no shutdown\n" + "".join(f" {line}\n" for line in lines) + "!\n"

    network = "class-map type network-qos PFC3\n match qos-group 3\n!\n"
    network += "policy-map type network-qos NQ\n !\n class PFC3\n  pause\n  pfc-cos 3\n!\n"
    bound = ("service-policy input type network-qos NQ", "priority-flow-control mode on")
    hosts = "".join(port(n, "switchport access vlan 10", *bound) for n in (1, 2, 3, 4))
    ends = "".join(port(n, f"description {link}", "no switchport", *peer) for n in (49, 50))
    return {f"{name}.cfg": f"! Version 10.5.4.4\n!\nhostname {name}\n!\n{network}{hosts}{ends}"}


@pytest.mark.parametrize(
    ("description", "wanted"),
    [
        ("VLTiLink", True),
        ("ToR_Peer_Link", True),
        ("MLAG_Peer", True),
        ("VLTi to tor2", True),
        ("iBGP_PEER", False),
        ("evlties", False),
        ("peering with isp", False),
    ],
)
def test_os10_peer_link_by_its_description(tmp_path: Path, description: str, wanted: bool) -> None:
    found = Network(tmp_path, _os10("tor1", description))
    assert found.port("tor1:ethernet1/1/49").reading.labels.peer_link is wanted


def test_os10_discovery_interface_is_believed_before_descriptions(tmp_path: Path) -> None:
    texts = _os10("tor1", "VLTiLink")
    domain = "vlt-domain 1\n discovery-interface ethernet1/1/50\n!\n"
    found = Network(tmp_path, {file: text + domain for file, text in texts.items()})
    assert found.port("tor1:ethernet1/1/50").reading.labels.peer_link is True
    assert found.port("tor1:ethernet1/1/49").reading.labels.peer_link is False


def test_os10_pfc_removed_from_one_end_is_told(tmp_path: Path) -> None:
    bound = ("service-policy input type network-qos NQ", "priority-flow-control mode on")
    Network(tmp_path, _os10("tor1", "VLTiLink", *bound), _os10("tor2", "VLTiLink", *bound))
    assert severities(tmp_path, "pfc/priority-off") == []
    found = Network(tmp_path, _os10("tor2", "VLTiLink"))
    assert found.answer("tor2:ethernet1/1/49") == (True, "similar_ports")


def test_os10_pfc_removed_from_one_of_the_ports_of_a_peer_link_is_told(tmp_path: Path) -> None:
    bound = ("service-policy input type network-qos NQ", "priority-flow-control mode on")
    ((file, text),) = _os10("tor1", "VLTiLink", *bound).items()
    found = Network(tmp_path, {file: text[: text.rindex(" service-policy input")] + "!\n"})
    assert found.answer("tor1:ethernet1/1/50") == (True, "similar_ports")
    assert severities(tmp_path, "pfc/priority-off") == [("warning", "tor1")]


def test_pfc_for_no_priority_on_the_link_between_a_pair_is_no_finding(tmp_path: Path) -> None:
    pair = "interface port-channel 100 ipl 1\n"
    text = (
        "hostname sw1\nprotocol mlag\ninterface port-channel 100\n"
        + "".join(f"interface ethernet 1/{n} mtu 9216 force\n" for n in range(1, 6))
        + "interface ethernet 1/5 channel-group 100 mode active\n"
        + f"dcb priority-flow-control enable force\n{pair}interface port-channel 100 dcb priority-flow-control mode on force\n"
    )
    for name, whole, count in (("pair", text, 0), ("lone", text.replace(pair, ""), 1)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "sw1.cfg").write_text(whole)
        report = check(Request((str(tmp_path / name),), Policy.empty())).report
        assert len([one for one in report.findings if one.rule == "pfc/priority-without-buffer"]) == count, name
