"""nicctl: which card is which NIC, classification, PFC with the port's pause type, congestion control."""

from __future__ import annotations

import json

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

ID = "42424650-4c32-3530-3330-303439000000"
HEAD = f"NIC  : {ID} (0000:41:00.0)\n\n"
QOS = f"""{HEAD}Port : 0490812c-4f90-4242-4242-000011010000

  Classification type         : DSCP

  DSCP-to-priority :
    DSCP bitmap               : 0xfffffffffeffffff ==> priority : 0
    DSCP bitmap               : 0x0000000001000000 ==> priority : 3
    DSCP                      : 0-23, 25-63 ==> priority : 0
    DSCP                      : 24 ==> priority : 3

  PFC :
    PFC priority bitmap       : 0x8
    PFC no-drop priorities    : 3

  Scheduling :
    --------------------------------------------
    Priority  Scheduling  Bandwidth Rate-limit
              Type        (in %age) (in Gbps)
    --------------------------------------------
    0         DWRR        1         N/A
    3         DWRR        99        N/A
    6         strict      N/A       10
"""


def read(*answers: tuple[str | None, str]) -> DeviceReading:
    documents = tuple(Document(f"{i}.txt", text, command) for i, (command, text) in enumerate(answers))
    return platform("linux").read(DeviceInput("host", "linux", documents))


def port_of(**spec: str) -> tuple[str, str]:
    return "nicctl show port --json", json.dumps({"nic": [{"id": ID, "port": [{"spec": spec}]}]}, indent=1)


def test_settings_of_a_card() -> None:
    reading = read(("nicctl show qos", QOS))
    facts = reading.ports[0].facts
    assert not reading.seen
    assert [facts.dscp.get()[code].get() for code in (0, 24, 63)] == [0, 3, 0]
    assert facts.pfc.get().priorities.get() == facts.pfc.get().operational.get() == {3}
    assert facts.queues.get()[3].share.get() == 99
    assert facts.queues.get()[6].max_rate_bps.get() == 10_000_000_000
    assert facts.queues.get()[5].share.is_absent
    assert facts.groups.get()[3].lossless.get() is True


@pytest.mark.parametrize(
    ("spec", "pfc", "pause"),
    [
        ({"pause_type": "PFC", "rx_pause": "enabled", "tx_pause": "enabled"}, {3}, False),
        ({"pause_type": "PFC", "rx_pause": "disabled", "tx_pause": "enabled"}, set(), False),
        ({"pause_type": "LINK", "rx_pause": "enabled", "tx_pause": "enabled"}, set(), True),
        ({"pause_type": "NONE", "rx_pause": "enabled", "tx_pause": "enabled"}, set(), False),
    ],
)
def test_pfc_needs_the_ports_pause_type(spec: dict[str, str], pfc: set[int], pause: bool) -> None:
    facts = read(("nicctl show qos", QOS), port_of(**spec)).ports[0].facts
    assert facts.pfc.get().priorities.get() == pfc
    assert facts.link_pause_rx.get() is pause


@pytest.mark.parametrize(
    "identity",
    [
        (
            "nicctl show lif -j",
            json.dumps({"nic": [{"id": ID, "lif": [{"spec": {"rdma_mtu": "4096"}, "status": {"name": "enp68s0"}}]}]}),
        ),
        ("nicctl show card --json", json.dumps({"nic": [{"id": ID, "eth_bdf": "0000:44:00.0"}]})),
        ("nicctl show dcqcn", f"{HEAD}ROCE device  : ionic_0\n  DCQCN profile id : 1\n  Status : Enabled\n"),
    ],
    ids=["lif", "card", "dcqcn"],
)
def test_the_card_is_found_over(identity: tuple[str, str]) -> None:
    links = '[{"ifname":"enp68s0","mtu":9000,"link_type":"ether","parentbus":"pci","parentdev":"0000:44:00.0"}]'
    rdma = '[{"ifindex":0,"ifname":"ionic_0","port":1,"netdev":"enp68s0"}]'
    reading = read(("nicctl show qos", QOS), identity, ("ip -j link show", links), ("rdma -j link show", rdma))
    assert [port.name for port in reading.ports] == ["enp68s0"]
    assert reading.ports[0].facts.pfc.get().priorities.get() == {3}


def test_a_lif_of_a_virtual_function() -> None:
    lif = {"nic": [{"id": ID, "lif": [{"spec": {}, "status": {"name": "enp68s0v0"}}]}]}
    assert read(("nicctl show lif -j", json.dumps(lif))).ports[0].facts.kind.get() == "virtual-function"


@pytest.mark.parametrize(("status", "priorities"), [("Enabled", set(range(8))), ("Disabled", set())])
def test_congestion_control(status: str, priorities: set[int]) -> None:
    text = f"{HEAD}ROCE device : ionic_0\n  Status : {status}\n  Rate increase in AI phase : 160\n  DSCP value used for CNP : 46\n"
    nic = read(("nicctl show dcqcn", text)).ports[0].facts.nic.get()
    assert nic.dcqcn.get().np_priorities.get() == priorities
    assert nic.cnp_dscp.get() == 46
    assert [(p.name, p.value.get()) for p in nic.dcqcn.get().vendor.get()] == [("rate_increase_in_ai_phase", 160)]
    assert nic.dcqcn.get().ai_rate_mbps.is_unknown


def test_json_of_an_unknown_form_is_refused_and_does_not_hide_the_text() -> None:
    lone = read(("nicctl show qos --json", '{"nic": []}'), ("ethtool -i ens1", "driver: ionic\n")).ports[0].facts
    assert lone.pfc.get().priorities.why is Why.REFUSED
    both = read(("nicctl show qos --json", '{"nic": []}'), ("nicctl show qos", QOS)).ports[0].facts
    assert both.pfc.get().priorities.get() == {3}


def test_a_card_as_it_leaves_the_factory_has_one_priority_that_shares_with_none() -> None:
    text = QOS.replace("    3         DWRR        99        N/A\n    6         strict      N/A       10\n", "")
    facts = read(("nicctl show qos", text.replace("DWRR        1 ", "DWRR        0 "))).ports[0].facts
    assert facts.queues.get()[0].share.is_absent
    assert [queue.share.value for queue in read(("nicctl show qos", QOS)).ports[0].facts.queues.get()[:4]] == [
        1,
        None,
        None,
        99,
    ]


@pytest.mark.parametrize(
    "command", ["nicctl show pcie ats", "nicctl show environment", "nicctl show environment --json"]
)
def test_answers_that_say_nothing_of_the_class_are_set_aside(command: str) -> None:
    reading = read(("nicctl show qos", QOS), (command, f"{HEAD}  Temperature(C): 51\n"))
    assert not reading.unrecognised
    assert not reading.seen
