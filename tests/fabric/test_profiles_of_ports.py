"""The port that somebody left without the profile of its neighbours, where the profile says what VLAN they are in."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import Network

NXOS = (
    "!Command: show running-config\nhostname leaf1\n"
    "port-profile type ethernet GPU\n  switchport access vlan 100\n  mtu 9216\n  priority-flow-control mode on\n  {enabled}\n"
    "policy-map type network-qos NQ\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n"
    "system qos\n  service-policy type network-qos NQ\n"
)
EOS = (
    "! Command: show running-config\n! device: leaf1 (DCS-7060DX5-64S, EOS-4.31.2F)\nhostname leaf1\n!\n"
    "interface profile GPU\n   command switchport access vlan 100\n"
    "   command priority-flow-control on\n   command priority-flow-control priority 3 no-drop\n!\n"
)


def ports(takes: str) -> str:
    """Four ports that take a profile, and one that says its VLAN itself."""
    taking = "".join(f"interface Ethernet{n}\n  {takes}\n  description node{n}\n" for n in ("1/1", "1/2", "1/3", "1/4"))
    return f"{taking}interface Ethernet1/5\n  switchport access vlan 100\n  description node1/5\n"


@pytest.mark.parametrize(
    ("text", "takes", "answer"),
    [
        (NXOS.format(enabled="state enabled"), "inherit port-profile GPU", (True, "similar_ports")),
        (NXOS.format(enabled="no state enabled"), "inherit port-profile GPU", (None, "none")),
        (EOS, "profile GPU", (True, "similar_ports")),
    ],
)
def test_a_port_without_the_profile_is_similar_to_those_with_it(
    tmp_path: Path, text: str, takes: str, answer: tuple[bool | None, str]
) -> None:
    found = Network(tmp_path, {"leaf1.cfg": f"{text}{ports(takes)}end\n"})
    assert found.answer("leaf1:Ethernet1/5") == answer


def test_what_a_port_says_itself_is_said_last(tmp_path: Path) -> None:
    own = "interface Ethernet1/6\n  inherit port-profile GPU\n  description other\n  no switchport\n"
    found = Network(
        tmp_path, {"leaf1.cfg": NXOS.format(enabled="state enabled") + ports("inherit port-profile GPU") + own}
    )
    assert found.port("leaf1:Ethernet1/1").reading.labels.vlans == {100}
    assert found.port("leaf1:Ethernet1/6").reading.labels.routed is True
