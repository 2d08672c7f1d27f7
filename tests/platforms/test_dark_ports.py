"""Ports that are there for a far end and carry nothing, and links that run slower than is configured, as show commands tell it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.policy import load_text
from roce_audit.text.document import DeviceInput, Document

NXOS = """version 10.3(4a)
hostname a
interface Ethernet1/2
  description {}
  priority-flow-control mode on
  speed 400000
  no shutdown
"""
OS10 = """! Version 10.5.4.5
hostname a
interface ethernet1/1/2
 description "{}"
 no shutdown
 speed 100000
 priority-flow-control mode on
"""
EOS = """! device: a (DCS-7060DX5-64S, EOS-4.31.2F)
hostname a
interface Ethernet1/2
   description {}
   no shutdown
   speed 400g-8
   priority-flow-control on
end
"""
IOSXR = """!! IOS XR Configuration 24.4.2
hostname a
interface FourHundredGigE0/0/0/2
 description {}
 priority-flow-control mode on
!
end
"""
CONFIGURATION = {"nxos": NXOS, "os10": OS10, "eos": EOS, "iosxr": IOSXR}
SUMMARY = "10    Po10(SU)    Eth      LACP      Eth1/1(P)    Eth1/2({})    \n"


def told(platform: str, command: str, text: str, description: str = "gpu host 7") -> dict[str, str]:
    whole = "show running-configuration" if platform == "os10" else "show running-config"
    documents = (
        Document("a.cfg", CONFIGURATION[platform].format(description), whole),
        Document("b.txt", text, command),
    )
    seen = platforms.platform(platform).read(DeviceInput("a", platform, documents)).seen
    return {one.observation.kind: one.observation.text for one in seen if one.place.path == "b.txt"}


@pytest.mark.parametrize(
    ("platform", "command", "text"),
    [
        ("nxos", "show interface", "Ethernet1/2 is down (Link not connected)\n"),
        ("nxos", "show interface status", "Eth1/2        gpu 2       suspnd    routed    auto    auto    QSFP\n"),
        ("os10", "show interface", "Ethernet 1/1/2 is up, line protocol is down\n"),
        ("os10", "show interface status", "Eth 1/1/2       gpu 7       down     0        auto     -\n"),
        ("eos", "show interfaces status", "Et1/2  gpu 2  notconnect  1  full  400G  X\n"),
        ("iosxr", "show interfaces", "FourHundredGigE0/0/0/2 is down, line protocol is down\n"),
    ],
)
def test_a_port_that_is_there_for_somebody_has_no_link(tmp_path: Path, platform: str, command: str, text: str) -> None:
    def is_down(description: str) -> bool:
        whole = "show_running-configuration" if platform == "os10" else "show_running-config"
        (tmp_path / "a").mkdir(exist_ok=True)
        (tmp_path / "a" / f"{whole}.txt").write_text(CONFIGURATION[platform].format(description))
        (tmp_path / "a" / f"{command.replace(' ', '_')}.txt").write_text(text)
        policy = load_text("ports: [{match: 'a:*', roce: true}]\n", "roce-audit.yaml")
        return bool(check(Request((str(tmp_path),), policy, select=("link/down",))).report.findings)

    assert is_down("gpu host 7")
    assert not is_down("spare 7")
    assert not is_down("compute")
    assert not is_down(
        "Ethernet1/2"
        if platform in ("nxos", "eos")
        else "ethernet1/1/2"
        if platform == "os10"
        else "FourHundredGigE0/0/0/2"
    )


@pytest.mark.parametrize(
    ("platform", "row", "unused"),
    [
        ("nxos", SUMMARY.format("s"), True),
        ("nxos", SUMMARY.format("I"), True),
        ("nxos", SUMMARY.format("P"), False),
        ("nxos", SUMMARY.format("H"), False),
        (
            "nxos",
            "10    Po10(SU)    Eth      LACP      Eth1/1(P)    Eth1/3(P)\n                               Eth1/2(D)\n",
            True,
        ),
        ("os10", "10    port-channel10  (U)     Eth      DYNAMIC   1/1/53(P) 1/1/2(I)\n", True),
        ("os10", "10    port-channel10  (U)     Eth      DYNAMIC   1/1/53(P) 1/1/2(P)\n", False),
        ("eos", "   Po10(U)            LACP(a)     Et1/5(PG+) Et1/2(sG-)\n", True),
        ("eos", "   Po10(U)            LACP(a)     Et1/5(PG+) Et1/2(PG+)\n", False),
        ("eos", "   Po10(U)            LACP(aF^)   Et1/2(I^)\n", False),
    ],
)
def test_a_member_that_its_channel_does_not_use(platform: str, row: str, unused: bool) -> None:
    found = told(platform, "show port-channel summary", row)
    assert ("port channel 10" in found.get("no-link", "")) is unused


@pytest.mark.parametrize(
    ("platform", "command", "text"),
    [
        ("nxos", "show interface", "Ethernet1/2 is up\n  full-duplex, {} Gb/s, media type is {}G\n"),
        ("eos", "show interfaces status", "Et1/2  gpu 2  connected  1  full  {}G  X\n"),
        (
            "iosxr",
            "show interfaces",
            "FourHundredGigE0/0/0/2 is up, line protocol is up\n  Full-duplex, {}000Mb/s, X\n",
        ),
        ("os10", "show interface", "Ethernet 1/1/2 is up, line protocol is up\nLineSpeed {}G, Auto-Negotiation off\n"),
        ("os10", "show interface status", "Eth 1/1/2       gpu 7       up     {}G       full     -\n"),
    ],
)
def test_a_link_that_runs_slower_than_is_configured(platform: str, command: str, text: str) -> None:
    configured = 100 if platform == "os10" else 400
    assert (
        f"{configured}G is configured, and the link runs at 50G"
        in told(platform, command, text.format(50, 50))["slower"]
    )
    assert not told(platform, command, text.format(configured, configured))


def test_a_breakout_is_no_speed_that_a_link_runs_at() -> None:
    group = "port-group1/1/1       Eth 50g-2x     2         -\n"
    assert not told("os10", "show port-group", group)


def test_without_a_configuration_the_order_of_the_answers_does_not_matter() -> None:
    status = "Et1/2      gpu host2   notconnect   routed   full   400G   400GBASE-DR4\n"
    pfc = "Port  Enabled  Priorities  Active  Note\nEthernet1/2  Yes  3  No\n"
    answers = [
        Document("a.txt", status, "show interfaces status"),
        Document("b.txt", pfc, "show priority-flow-control"),
    ]
    for documents in (answers, answers[::-1]):
        (port,) = platforms.platform("eos").read(DeviceInput("a", "eos", tuple(documents))).ports
        assert port.labels.no_link
        assert port.facts.pfc.get().operational.is_absent
