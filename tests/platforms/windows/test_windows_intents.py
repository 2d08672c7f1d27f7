"""Scripts of PowerShell that leave DCB to Network ATC, adapters that lists and tables name, and QoS that is switched off."""

from __future__ import annotations

import pytest

from roce_audit.model import NicSetup
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document

QOS = "$qos = New-NetIntentQosPolicyConfigurationOverrides"
ADD = "Add-NetIntent -Name Storage -Storage -AdapterName 'S1', 'S2' -StorageVlans 711, 712 {}"
LOOP = "foreach ($nic in {}) {{\n  Enable-NetAdapterQos -Name $nic\n  Enable-NetAdapterRdma -Name $nic\n}}"


def read(*lines: str) -> DeviceReading:
    document = Document("intents.ps1", "\n".join(lines))
    return platform("windows").read(DeviceInput("intents", "windows", (document,)))


def setups(*lines: str) -> dict[str, NicSetup]:
    host = read(*lines).host
    assert host is not None
    return {one.name: one for one in host.nic_setups.get()}


def told(*lines: str) -> list[tuple[str, int]]:
    return [(one.observation.kind, one.place.line) for one in read(*lines).seen]


def test_storage_gets_the_usual_priorities() -> None:
    reading = read(ADD.format(""))
    assert reading.host is not None
    assert reading.host.nic_setups.get()[0].pfc_priorities.get() == {3}
    assert (reading.host.smb_direct_priority.get(), reading.host.cluster_priority.get()) == (3, 7)


def test_what_overrides_say_counts_where_they_are_handed_over() -> None:
    lines = (QOS, "$qos.PriorityValue8021Action_SMB = 4", "$qos.BandwidthPercentage_SMB = 60")
    handed = setups(*lines, ADD.format("-QosPolicyOverrides $qos"))["every adapter"]
    assert (handed.pfc_priorities.get(), handed.shares_percent.get()) == ({4}, 60)
    assert [at.line for at in handed.pfc_priorities.at] == [2]
    assert setups(*lines, ADD.format(""))["every adapter"].pfc_priorities.get() == {3}
    assert told(*lines, ADD.format("")) == [("conflict", 1)]
    assert not told(*lines, ADD.format("-QosPolicyOverrides $qos"))


@pytest.mark.parametrize(("line", "roce"), [("NetworkDirectTechnology = 1", False), ("NetworkDirect = 0", False)])
def test_overrides_of_adapters(line: str, roce: bool) -> None:
    lines = ("$own = New-NetIntentAdapterPropertyOverrides", f"$own.{line}", "$own.JumboPacket = 9014", QOS)
    share = "$qos.BandwidthPercentage_SMB = 50"
    found = setups(*lines, share, ADD.format("-AdapterPropertyOverrides $own -QosPolicyOverrides $qos"))["S1, S2"]
    assert (found.roce.get(), found.ip_mtu_bytes.get()) == (roce, 9000)


def test_storage_that_is_to_use_no_rdma_is_left_alone() -> None:
    lines = ("$own = New-NetIntentAdapterPropertyOverrides", "$own.NetworkDirect = 0")
    host = read(*lines, ADD.format("-AdapterPropertyOverrides $own")).host
    assert host is None or not host.nic_setups.is_known


def test_an_intent_that_is_not_for_storage_sets_no_dcb_up() -> None:
    host = read("Add-NetIntent -Name Mgmt -Management -Compute -AdapterName 'NIC1'").host
    assert host is None or not host.nic_setups.is_known


@pytest.mark.parametrize(
    ("names", "loop", "expected"),
    [
        ("$all = 'SMB1', 'SMB2'", "$all", []),
        ("$all = 'SMB1', 'SMB2'", "'SMB1'", [("conflict", 3)]),
        ("$all = @(\n  'SMB1',\n  'SMB2'\n)", "@('SMB2')", [("conflict", 6)]),
        ("$vlan = @{ SMB1 = 711; SMB2 = 712 }", "'SMB1'", [("conflict", 3)]),
        ("$vlan = @{ SMB1 = 711; Mgmt = 10 }", "'SMB1'", []),
        ("$all = 'SMB1', 'SMB2'\n$all += 'SMB3'", "'SMB1'", [("conflict", 4)]),
    ],
)
def test_an_adapter_that_a_list_or_a_table_names_and_the_loop_leaves_out(
    names: str, loop: str, expected: list[tuple[str, int]]
) -> None:
    assert told(names, *LOOP.format(loop).splitlines(), "Enable-NetQosFlowControl -Priority 3") == expected


def test_qos_that_is_switched_off_for_good() -> None:
    pfc, rdma = "Enable-NetQosFlowControl -Priority 3", "Enable-NetAdapterRdma -Name SMB1"
    assert told(pfc, rdma, "Disable-NetAdapterQos -Name SMB1") == [("pfc-taken-back", 3)]
    assert not told(pfc, rdma, "Disable-NetAdapterQos -Name SMB1", "Enable-NetAdapterQos -Name SMB1")
    assert not told(pfc, rdma, "Disable-NetAdapterQos -Name Mgmt")
