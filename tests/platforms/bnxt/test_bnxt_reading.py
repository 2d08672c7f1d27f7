"""niccli in both generations, bnxtqos and the congestion control tree."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

QOS = """IEEE 8021QAZ ETS Configuration TLV:
         PRIO_MAP: 0:0 1:0 2:0 3:1 4:0 5:0 6:0 7:2
         TC Bandwidth: 40% 60% 0%
         TSA_MAP: 0:ets 1:ets 2:strict
IEEE 8021QAZ PFC TLV:
         PFC enabled: 3
IEEE 8021QAZ APP TLV:
         APP#0:
          Priority: 3
          Sel: 5
          DSCP: 26
TC Rate Limit: 100% 50% 100% 0% 0% 0% 0% 0%
"""
LIST = "1) Broadcom BCM57608 1x400G PCIe Ethernet NIC\n    Device Interface : ens1\n    PCI Address : 0000:22:00.0\n"


def read(*answers: tuple[str | None, str]) -> DeviceReading:
    documents = tuple(Document(f"{i}.txt", text, command) for i, (command, text) in enumerate(answers))
    return platform("bnxt").read(DeviceInput("nic", "bnxt", documents))


@pytest.mark.parametrize(
    "command",
    [
        "niccli --dev 1 qos --ets --show",
        "niccli -i 1 qos --ets --show",
        "niccli -dev 1 getqos",
        "niccli -dev 1 get qos",
        "niccli --dev 0000:22:00.0 qos --ets --show",
        "niccli --dev 22:00.0 qos --ets --show",
        "bnxtqos -dev=ens1 get_qos",
        "bnxtqos -dev ens1 get qos",
    ],
)
def test_all_forms_of_the_command_are_about_the_same_nic(command: str) -> None:
    ports = read((command, QOS), ("niccli --list_devices", LIST)).ports
    assert [port.name for port in ports] == ["ens1"]
    assert ports[0].facts.pfc.get().priorities.get() == {3}
    assert ports[0].facts.nic.get().model_name.get() == "BCM57608"


def test_classes_queues_and_buffers() -> None:
    facts = (
        read(("niccli -i 1 qos --ets --show", QOS), ("ethtool ens1", "Settings for ens1:\n\tSpeed: 400000Mb/s\n"))
        .ports[0]
        .facts
    )
    assert facts.dscp.get()[26].get() == 3
    assert facts.dscp.get()[27].get() == 0
    assert facts.classes.get()[3].group.get() == facts.priorities.get()[3].queue.get() == 1
    assert [group.lossless.get() for group in facts.groups.get()[:3]] == [False, True, False]
    assert facts.groups.get()[1].reserved_bytes.is_absent
    assert facts.queues.get()[1].max_rate_bps.get() == 200_000_000_000
    assert facts.queues.get()[2].scheduling.get() == "strict"
    assert facts.queues.get()[5].share.is_absent


def test_without_a_code_point_the_tag_decides() -> None:
    facts = read(("niccli -i 1 getqos", QOS.replace("DSCP: 26", "UDP or DCCP: 4791"))).ports[0].facts
    assert facts.trust.get() == "pcp"
    assert facts.pcp.get()[3].get() == 3


@pytest.mark.parametrize("text", ["Error: unknown option", "niccli: command not found", ""])
def test_an_answer_without_settings_is_refused(text: str) -> None:
    reading = read(("niccli -i 1 getqos", text), ("ethtool -i ens1", "driver: bnxt_en\n"), ("niccli --listdev", LIST))
    assert reading.ports[0].facts.pfc.get().priorities.why is Why.REFUSED
    assert not reading.seen


def test_the_map_alone_says_what_it_covers() -> None:
    text = "dscp2prio mapping:\n   priority:7  dscp: 48\n   priority:3  dscp: 26,27\n"
    facts = read(("niccli -dev 1 get_dscp2prio", text)).ports[0].facts
    assert [facts.dscp.get()[code].get() for code in (26, 27, 48, 0)] == [3, 3, 7, 0]
    assert facts.pfc.why is Why.NOT_VISIBLE or facts.pfc.get().priorities.why is Why.NOT_VISIBLE


CC = "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc/"


@pytest.mark.parametrize(
    ("on", "priorities"),
    [("ecn_enable=0x1\t# ecn status\t: Enabled", {3}), ("ecn_enable=0x0\t# ecn status\t: Disabled", set())],
)
def test_congestion_control_is_that_of_one_priority(on: str, priorities: set[int]) -> None:
    text = f"{CC}apply:{on}\n{CC}apply:roce_prio=0x3\t# roce prio\t: 3\n{CC}apply:cnp_dscp=0x30\t# cnp dscp\t: 48\n"
    nic = read(("sysfs", text)).ports[0].facts.nic.get()
    assert nic.dcqcn.get().np_priorities.get() == nic.dcqcn.get().rp_priorities.get() == priorities
    assert nic.cnp_dscp.get() == 48


def test_a_value_that_its_comment_contradicts_is_not_understood() -> None:
    reading = read(
        ("sysfs", f"{CC}apply:cnp_dscp=0x30\t# cnp dscp\t: 46\n{CC}apply:ecn_enable=0x1\t# ecn status\t: Enabled\n")
    )
    assert reading.ports[0].facts.nic.get().cnp_dscp.why is Why.NOT_PARSED
    assert len(reading.seen) == 1


def test_two_firmware_numbers_are_no_conflict() -> None:
    reading = read(
        ("ethtool -i ens1", "driver: bnxt_en\nfirmware-version: 233.0.152.2/pkg 233.1.135.7\nbus-info: 0000:22:00.0\n"),
        ("rdma -j link show", '[{"ifindex":0,"ifname":"bnxt_re0","port":1,"netdev":"ens1"}]'),
        ("ibv_devinfo", "hca_id:\tbnxt_re0\n\tfw_ver:\t233.0.152.2\n\t\tport:\t1\n"),
    )
    assert not reading.seen
    assert reading.ports[0].facts.nic.get().firmware.get() == "233.0.152.2/pkg 233.1.135.7"


LINKS = "".join(f"link bnxt_re{n}/1 state ACTIVE physical_state LINK_UP netdev ens{n + 1}\n" for n in (0, 1))


def test_a_number_that_no_list_explains_may_well_have_an_rdma_device() -> None:
    cards = [(f"niccli -dev {n} getqos", QOS) for n in (1, 2)]
    devices = {p.name: p.facts.nic.get().rdma_device for p in read(*cards, ("rdma link show", LINKS)).ports}
    assert {name: cell.why or cell.value for name, cell in devices.items()} == {
        "1": Why.NOT_VISIBLE,
        "2": Why.NOT_VISIBLE,
        "ens1": "bnxt_re0",
        "ens2": "bnxt_re1",
    }


def test_a_network_device_beside_the_listed_ones_has_no_rdma_device() -> None:
    answers = (("bnxtqos -dev=ens3 get_qos", QOS), ("rdma link show", LINKS))
    assert next(p for p in read(*answers).ports if p.name == "ens3").facts.nic.get().rdma_device.is_absent
