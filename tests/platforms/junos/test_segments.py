"""Ethernet segments of aggregated interfaces: what they are called, and the VLANs of their instance."""

from __future__ import annotations

import pytest

from roce_audit.platforms.junos import PLATFORM
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.document import DeviceInput, Document

MEMBER = "set interfaces et-0/0/3 ether-options 802.3ad ae0\nset interfaces ae0 esi all-active\n"
LACP = "set interfaces ae0 aggregated-ether-options lacp "
DERIVED = "set interfaces ae0 esi auto-derive "


def member(text: str) -> PortReading:
    document = Document("leaf1.set", MEMBER + text, declared_complete=True)
    ports = PLATFORM.read(DeviceInput("leaf1", "junos", (document,))).ports
    return next(port for port in ports if port.name == "et-0/0/3")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("set interfaces ae0 esi 00:01:01:01:01:01:01:01:01:01\n", "esi 00:01:01:01:01:01:01:01:01:01"),
        (
            f"{DERIVED}lacp-pe-system-id-and-admin-key\n{LACP}system-id 00:00:5e:00:53:03\n{LACP}admin-key 7\n",
            "esi auto 00:00:5e:00:53:03 7",
        ),
        (f"{DERIVED}lacp-pe-system-id-and-admin-key\n{LACP}system-id 00:00:5e:00:53:03\n", "esi auto"),
        (f"{DERIVED}type-1-lacp\n{LACP}system-id 00:00:5e:00:53:03\n{LACP}admin-key 7\n", "esi auto"),
    ],
    ids=["written", "by its own LACP", "by a key that is not written", "by its partner"],
)
def test_what_a_segment_is_called(text: str, name: str) -> None:
    assert member(text).facts.shared_channel.get() == name


def test_vlans_of_an_instance_have_their_numbers() -> None:
    vlan = "set routing-instances tenants vlans storage vlan-id 30\n"
    trunk = "set interfaces ae0 unit 0 family ethernet-switching vlan members storage\n"
    assert member(trunk + vlan).labels.vlans == {30}
    assert member(trunk).labels.vlans == set()
