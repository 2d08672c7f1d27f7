"""What Junos says of VXLAN tunnels: that they end here, and what becomes of the ToS byte on the way in and out."""

from __future__ import annotations

import pytest

from roce_audit.model import Forwarding
from roce_audit.platforms.junos import PLATFORM
from roce_audit.text.document import DeviceInput, Document

PORT = "set interfaces et-0/0/1 unit 0 family inet address 10.0.0.0/31\n"


def forwarding(text: str) -> Forwarding:
    document = Document("leaf1.set", PORT + text, declared_complete=True)
    found: Forwarding = PLATFORM.read(DeviceInput("leaf1", "junos", (document,))).ports[0].facts.forwarding.get()
    return found


@pytest.mark.parametrize("where", ["switch-options", "routing-instances tenants"])
def test_the_source_of_tunnels_stands_at_the_switch_or_in_an_instance(where: str) -> None:
    said = forwarding(f"set {where} vtep-source-interface lo0.0\n")
    assert said.tunnels.get() is True
    assert said.tunnel_fixed_dscp.is_absent
    assert said.tunnel_keeps_marks.is_absent


def test_marks_that_are_not_copied_back_are_lost_and_the_code_point_is_not() -> None:
    said = forwarding("set forwarding-options vxlan-disable-copy-tos-decap\n")
    assert said.tunnel_keeps_marks.get() is False
    assert said.tunnel_fixed_dscp.is_absent


def test_a_header_into_which_nothing_is_copied_is_0() -> None:
    said = forwarding("set forwarding-options vxlan-disable-copy-tos-encap\n")
    assert said.tunnel_keeps_marks.get() is False
    assert said.tunnel_fixed_dscp.get() == 0
