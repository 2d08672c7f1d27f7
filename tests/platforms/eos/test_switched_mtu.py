"""The MTU of a switched port: `mtu` is about routed ones, and a switched one carries jumbo frames without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms.eos import PLATFORM
from roce_audit.policy.load import load
from roce_audit.text.document import DeviceInput, Document

QOS = "   qos trust dscp\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
HEAD = "! Command: show running-config\nhostname leaf1\n!\nqos map dscp 26 to traffic-class 3\n!\n"
UPLINK = (
    "interface Ethernet{0}\n   description spine{0}\n   mtu 9214\n   no switchport\n   ip address 10.0.{0}.1/31\n"
    + QOS
    + "!\n"
)
HOSTS = (
    "interface Port-Channel5\n   description gpu1\n{}   mlag 5\n!\ninterface Ethernet5\n   channel-group 5 mode active\n"
    + QOS
    + "!\n"
)
TRUNK = "   switchport trunk allowed vlan 100\n   switchport mode trunk\n"
ROUTED = "   no switchport\n   ip address 10.1.0.1/24\n"


@pytest.mark.parametrize(("way", "found"), [(TRUNK, []), (ROUTED, ["error"]), (ROUTED + "   mtu 9214\n", [])])
def test_only_a_routed_channel_needs_the_line(tmp_path: Path, way: str, found: list[str]) -> None:
    text = HEAD + UPLINK.format(1) + UPLINK.format(2) + UPLINK.format(3) + HOSTS.format(way) + "end\n"
    (tmp_path / "leaf1.cfg").write_text(text)
    (tmp_path / "roce-audit.yaml").write_text("roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\n")
    report = check(Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"))).report
    assert [f.severity for f in report.findings if f.rule == "mtu/below-roce"] == found


@pytest.mark.parametrize(
    ("said", "value"),
    [
        (ROUTED + "   mtu 9214\n   l2 mtu 1518\n", 1518),
        (ROUTED + "   l2 mtu 1518\n   mtu 9214\n", 1518),
        (ROUTED + "   mtu 9000\n   l2 mtu 9214\n", 9000),
        (TRUNK + "   l2 mtu 1518\n", 1518),
        (TRUNK + "   l2 mtu 9214\n", None),
    ],
)
def test_no_packet_is_larger_than_its_frame(said: str, value: int | None) -> None:
    text = HEAD + "".join(f"interface Ethernet{n}\n{said}!\n" for n in range(1, 5)) + "end\n"
    ports = PLATFORM.read(DeviceInput("leaf1", "eos", (Document("leaf1.cfg", text),))).ports
    assert ports[0].facts.ip_mtu_bytes.value_or_none() == value
