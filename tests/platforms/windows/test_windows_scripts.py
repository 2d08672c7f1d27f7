"""PowerShell scripts that set hosts up: what they call, and how it is written."""

from __future__ import annotations

import time
from typing import Any

import pytest

from roce_audit.model import NicSetup
from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.signature import forms_of, score
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cell, Place, Why


def read(*lines: str) -> DeviceReading:
    document = Document("dcb.ps1", "\n".join(lines))
    return platform("windows").read(DeviceInput("dcb", "windows", (document,)))


def setups(reading: DeviceReading) -> tuple[NicSetup, ...]:
    assert reading.host is not None
    return reading.host.nic_setups.get()


def paused(*lines: str) -> Cell[frozenset[int]]:
    return setups(read(*lines))[0].pfc_priorities


@pytest.mark.parametrize(
    ("lines", "priorities"),
    [
        (["Enable-NetQosFlowControl -Priority 3"], {3}),
        (["Enable-NetQosFlowControl 3", "enable-netqosflowcontrol 4"], {3, 4}),
        (["Enable-NetQosFlowControl –Priority 3,4", "Disable-NetQosFlowControl –Priority 0-2,4-7"], {3}),
        (["Enable-NetQosFlowControl -Priority @(3, 5)"], {3, 5}),
        (["Enable-NetQosFlowControl -Priority:3"], {3}),
        (["Invoke-Command -ComputerName $all -ScriptBlock {Enable-NetQosFlowControl -Priority 3}"], {3}),
        (["Enable-NetQosFlowControl `", "  -Priority 3 -CimSession $cim"], {3}),
        (["$lossless = 3", "Enable-NetQosFlowControl -Priority $lossless"], {3}),
        (["Enable-NetQosFlowControl -Priority 3 # not 4", '"Enable-NetQosFlowControl -Priority 5"'], {3}),
        (
            [
                "Get-NetQosFlowControl -CimSession $node | Disable-NetQosFlowControl -CimSession $node",
                "Enable-NetQosFlowControl -Priority 3 -CimSession $node",
            ],
            {3},
        ),
        (["Get-NetQosFlowControl | Enable-NetQosFlowControl", "Disable-NetQosFlowControl 0-2,4-7"], {3}),
        (["<#", "Enable-NetQosFlowControl -Priority 5", "#>", "Enable-NetQosFlowControl -Priority 3 | Out-Null"], {3}),
    ],
)
def test_priorities_with_flow_control(lines: list[str], priorities: set[int]) -> None:
    assert paused(*lines).get() == priorities


@pytest.mark.parametrize(
    "lines",
    [
        ["Enable-NetQosFlowControl -Priority $site.Lossless"],
        ["$p = 3", "$p = 4", "Enable-NetQosFlowControl -Priority $p"],
        ["Enable-NetQosFlowControl -Priority (Get-Lossless $site)"],
    ],
)
def test_a_computed_priority_is_not_visible(lines: list[str]) -> None:
    assert paused(*lines).why is Why.NOT_VISIBLE


def test_a_priority_that_is_none_is_an_unread_line() -> None:
    reading = read("Enable-NetQosFlowControl -Priority 3", "Enable-NetQosFlowControl -Priority 9")
    assert setups(reading)[0].pfc_priorities.why is Why.NOT_PARSED
    assert [(s.observation.kind, s.place.line) for s in reading.seen] == [("unread-line", 2)]


def test_adapters_that_are_named_are_setups_of_their_own() -> None:
    found = setups(
        read(
            "Enable-NetQosFlowControl -InterfaceAlias 'Storage 1' -Priority 3",
            "Enable-NetQosFlowControl -InterfaceAlias 'Storage 2' -Priority 4",
        )
    )
    assert [(s.name, s.pfc_priorities.get()) for s in found] == [("Storage 1", {3}), ("Storage 2", {4})]


def test_policies_say_what_tag_storage_heartbeat_and_the_rest_leave_with() -> None:
    host: Any = read(
        "New-NetQosPolicy SMB -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3",
        "New-NetQosPolicy Heartbeat -Cluster -PriorityValue8021Action 7",
        "New-NetQosPolicy Rest -Default -PriorityValue8021Action 0",
        "New-NetQosPolicy Backup -IPDstPortMatchCondition 9000 -PriorityValue8021Action 4",
    ).host
    assert (host.smb_direct_priority.get(), host.cluster_priority.get(), host.default_priority.get()) == (3, 7, 0)
    assert host.smb_direct_priority.at == (Place("dcb.ps1", 1),)


def test_two_classes_of_one_priority_are_ways_that_exclude_each_other() -> None:
    smb = "New-NetQosTrafficClass SMB -Priority 3 -BandwidthPercentage 60 -Algorithm ETS"
    other = smb.replace("SMB", "Cluster").replace("3", "7")
    (found,) = setups(read("Enable-NetQosFlowControl -Priority 3", smb, other))
    assert (found.shared_priorities.get(), found.shares_percent.get()) == ({3, 7}, 120)
    (found,) = setups(read("Enable-NetQosFlowControl -Priority 3", "if ($big) {", smb, "} else {", smb, "}"))
    assert (found.shared_priorities.get(), found.shares_percent.is_absent) == ({3}, True)


@pytest.mark.parametrize(
    ("text", "is_script"),
    [
        ("# DCB\nEnable-NetQosFlowControl -Priority 3\n", True),
        ("# dcb\nset-netqosdcbxsetting -willing $false\nenable-netqosflowcontrol -priority 4\n", True),
        ("# dcb\nnew-netqospolicy -name 'smb' -smb -priorityvalue8021action 4\n", True),
        ("Use Enable-NetQosFlowControl to pause a priority.\n", False),
        ("# Guide\n```powershell\nEnable-NetQosFlowControl -Priority 3\n```\n", False),
        ("# Enable-NetQosFlowControl -Priority 3\n", False),
        ("Write-Host 'ready'\n" * 5_000 + "Enable-NetQosFlowControl -Priority 3\n", True),
    ],
)
def test_what_is_a_script_of_windows(text: str, is_script: bool) -> None:
    forms = forms_of(platform("windows").signature, "")
    assert bool(score(forms, Document("readme", text))) == is_script


@pytest.mark.parametrize(
    "piece", ["<#", "Enable-NetQosFlowControl ", "-NetQosPolicy ", "$a = ", "`\n", " ", ", ", '"', "#> <# "]
)
def test_no_text_takes_long(piece: str) -> None:
    begun = time.process_time()
    read("Enable-NetQosFlowControl -Priority 3", piece * 20_000)
    assert time.process_time() - begun < 2


def test_pfc_that_a_later_call_takes_back() -> None:
    reading = read("Enable-NetQosFlowControl -Priority 3", "Disable-NetQosFlowControl -Priority 0-7")
    assert setups(reading)[0].pfc_priorities.get() == frozenset()
    assert [(seen.observation.kind, seen.place.line) for seen in reading.seen] == [("pfc-taken-back", 2)]
    remarks = "#pause frames go for priority 3 alone (see Start-Setup.ps1)", "Disable-NetQosFlowControl -Priority 0-7"
    reading = read("Enable-NetQosFlowControl -Priority 3", *remarks)
    assert [(seen.observation.kind, seen.place.line) for seen in reading.seen] == [("pfc-taken-back", 3)]


def test_pfc_that_is_cleared_first() -> None:
    assert not read("Disable-NetQosFlowControl -Priority 0-7", "Enable-NetQosFlowControl -Priority 3").seen


def test_what_holds_for_every_adapter_holds_for_each_that_is_named() -> None:
    every, named = setups(
        read(
            "Enable-NetQosFlowControl -Priority 3",
            "Set-NetAdapterAdvancedProperty -Name 'p1' -DisplayName 'Jumbo Packet' -DisplayValue 9014",
            "Set-NetAdapterAdvancedProperty -Name 'p1' -RegistryKeyword '*FlowControl' -RegistryValue 1",
        )
    )
    assert (every.name, every.ip_mtu_bytes.is_absent, named.name) == ("every adapter", True, "p1")
    assert (named.pfc_priorities.get(), named.ip_mtu_bytes.get()) == ({3}, 9000)
    assert (named.link_pause_tx.get(), named.link_pause_rx.get()) == (True, False)


@pytest.mark.parametrize("value", ["$site.Jumbo", "-1", "large"])
def test_a_property_that_is_no_number(value: str) -> None:
    lines = (
        "Enable-NetQosFlowControl -Priority 3",
        f"Set-NetAdapterAdvancedProperty * -RegistryKeyword *JumboPacket -RegistryValue {value}",
    )
    assert setups(read(*lines))[-1].ip_mtu_bytes.is_unknown


@pytest.mark.parametrize(("cluster", "told"), [("5", [4]), ("7", []), ("$prio", [])])
def test_a_traffic_class_that_no_policy_fills(cluster: str, told: list[int]) -> None:
    reading = read(
        'New-NetQosPolicy "SMB" -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3',
        'New-NetQosPolicy "Cluster" -Cluster -PriorityValue8021Action 7',
        'New-NetQosTrafficClass "SMB" -Priority 3 -BandwidthPercentage 60 -Algorithm ETS',
        f'New-NetQosTrafficClass "Cluster" -Priority {cluster} -BandwidthPercentage 1 -Algorithm ETS',
    )
    assert [seen.place.line for seen in reading.seen if seen.observation.kind == "conflict"] == told


@pytest.mark.parametrize(
    ("name", "port", "told"),
    [("SMBDirect", "455", [1]), ("SMB", "$port", []), ("SMB", "5445", []), ("SMB", "445", []), ("NVMe", "4420", [])],
)
def test_a_policy_named_for_smb_direct_that_matches_another_port(name: str, port: str, told: list[int]) -> None:
    reading = read(
        f'New-NetQosPolicy "{name}" -NetDirectPortMatchCondition {port} -PriorityValue8021Action 3',
        "Enable-NetQosFlowControl -Priority 3",
    )
    assert [seen.place.line for seen in reading.seen if seen.observation.kind == "conflict"] == told


def test_a_traffic_class_beside_smb_direct_is_told_by_the_rules_about_its_priority() -> None:
    reading = read(
        'New-NetQosPolicy "SMB" -NetDirectPortMatchCondition 445 -PriorityValue8021Action 5',
        'New-NetQosTrafficClass "SMB" -Priority 3 -BandwidthPercentage 60 -Algorithm ETS',
    )
    assert not reading.seen


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Enable-NetQsoFlowControl -Priority 4", True),
        ("Enabel-NetQosFlowControl -Priority 4", True),
        ("New-NetoQsPolicy SMB -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3", True),
        ("New-NetQosPolicy SMB –NetDirectPortMatchCondition 445 –PriorityValue8021Aciton 3", True),
        ("Enable-NetAdapterQso -Name $port", True),
        ("Set-NetQosDcbxSetting -Willing $flase", True),
        ("Set-NetQosDcbxSetting -Willing $wanted", False),
        (
            "New-NetQosPolicy SMB -NetDirectPort 445 -PriorityValue 3 -PolicyStore ActiveStore -EA SilentlyContinue",
            False,
        ),
        ("Set-NetAdapterRss -Name $port; Get-NetAdapterRsc; Enable-NetAdapterLso; Set-NetAdapterVmq", False),
        ("function Set-NetQosPolicys { }", False),
        ("# Enable-NetQsoFlowControl -Priority 4", False),
        ("Write-Host 'Enable-NetQsoFlowControl -Priority 4'", False),
    ],
)
def test_a_slip_in_a_cmdlet_or_its_option_is_told(line: str, told: bool) -> None:
    reading = read("Enable-NetQosFlowControl -Priority 3", line)
    assert [one.place.line for one in reading.seen if one.observation.kind == "unread-line"] == ([2] if told else [])


@pytest.mark.parametrize(
    ("loop", "told"),
    [
        ('foreach ($n in @("StorageA")) {', [4]),
        ('foreach ($n in @("StorageA","StorageB")) {', []),
        ("foreach ($n in Get-Storage) {", []),
        ('"StorageA", "StorageB" | ForEach-Object { $n = $_', []),
    ],
)
def test_an_adapter_that_a_loop_passes_over(loop: str, told: list[int]) -> None:
    reading = read(
        "Enable-NetQosFlowControl -Priority 3",
        'Set-NetAdapterAdvancedProperty -Name "StorageA", "StorageB" -RegistryKeyword "*JumboPacket" -RegistryValue 9014',
        loop,
        "    Get-NetAdapterQos -Name $n | Enable-NetAdapterQos",
        "}",
        "Enable-NetAdapterRdma -Name StorageA, StorageB",
    )
    assert [seen.place.line for seen in reading.seen if seen.observation.kind == "conflict"] == told


def test_adapters_that_are_named_by_windows_tell_nothing_of_each_other() -> None:
    reading = read(
        "Enable-NetQosFlowControl -Priority 3",
        'Set-NetAdapterAdvancedProperty -Name "Ethernet 1", "Ethernet 2" -RegistryKeyword "*JumboPacket" -RegistryValue 9014',
        'Enable-NetAdapterQos -Name "Ethernet 1"',
    )
    assert not [seen for seen in reading.seen if seen.observation.kind == "conflict"]


@pytest.mark.parametrize(
    ("lines", "roce"),
    [
        (["Get-NetAdapterRdma -Name A, B | Disable-NetAdapterRdma", "Enable-NetAdapterRdma A,B"], [True]),
        (["Disable-NetAdapterRdma -Name A,B", "Enable-NetAdapterRdma A", "Enable-NetAdapterRdma B"], [True, True]),
        (["Disable-NetAdapterRdma -Name *", "Enable-NetAdapterRdma -Name *"], [True]),
        (["Disable-NetAdapterRdma -Name A,B", "Enable-NetAdapterRdma A"], [False, True]),
        (["Enable-NetAdapterRdma A", "Disable-NetAdapterRdma A"], [False]),
    ],
)
def test_rdma_that_is_cleared_first_is_left_on(lines: list[str], roce: list[bool]) -> None:
    assert [
        setup.roce.get()
        for setup in setups(read("Enable-NetQosFlowControl -Priority 3", *lines))
        if setup.roce.is_known
    ] == roce


@pytest.mark.parametrize(
    ("with_qos", "told"),
    [("$p1,$p2", 0), ("$p1", 1), ("$other", 0)],
)
def test_an_adapter_with_rdma_beside_one_with_qos(with_qos: str, told: int) -> None:
    lines = (
        "Enable-NetQosFlowControl -Priority 3",
        f"Enable-NetAdapterQos -InterfaceAlias {with_qos}",
        "Enable-NetAdapterRdma $p1,$p2",
        "Enable-NetAdapterRdma $vSMB1",
    )
    reading = read(*lines)
    assert reading.host is not None
    assert len([seen for seen in reading.seen if seen.observation.kind == "conflict"]) == told


@pytest.mark.parametrize(
    ("lines", "slow"),
    [
        (['New-NetQosTrafficClass "SMB" -Priority 3 -BandwidthPercentage 5 -Algorithm ETS'], {3}),
        (['New-NetQosTrafficClass "SMB" -Priority 3 -BandwidthPercentage 50 -Algorithm ETS'], set()),
        # heartbeats need little, and what is left is the default class's
        (
            [
                'New-NetQosTrafficClass "SMB" -Priority 3 -BandwidthPercentage 20 -Algorithm ETS',
                'New-NetQosTrafficClass "LM" -Priority 5 -BandwidthPercentage 60 -Algorithm ETS',
            ],
            set(),
        ),
        (["New-NetQosTrafficClass SMB -Priority 3 -BandwidthPercentage $share -Algorithm ETS"], set()),
    ],
)
def test_a_class_with_little_beside_the_default_one(lines: list[str], slow: set[int]) -> None:
    (setup,) = setups(read("Enable-NetQosFlowControl -Priority 3", *lines))
    assert setup.outweighed_priorities.or_else(frozenset()) == slow


@pytest.mark.parametrize(
    ("size", "guard", "mtu"),
    [
        ("1514", "if ($Jumbo -ne 1514) {", None),
        ("1514", "if ($jumbo –ne '1514')\n{", None),
        ("9014", "if ($Jumbo -ne 1514) {", 9000),
        ("1514", "if ($Jumbo -ne 4088) {", 1500),
        ("1514", "if ($Dcb -ne 1514) {", 1500),
    ],
)
def test_a_default_that_the_script_leaves_alone_is_not_set(size: str, guard: str, mtu: int | None) -> None:
    reading = read(
        f"$Jumbo = {size}",
        "Enable-NetQosFlowControl -Priority 3",
        *guard.split("\n"),
        '    Set-NetAdapterAdvancedProperty -CimSession $all -DisplayName "Jumbo Packet" -RegistryValue $Jumbo',
        "}",
    )
    assert setups(reading)[-1].ip_mtu_bytes.value == mtu
    after = "Set-NetAdapterAdvancedProperty * -RegistryKeyword *JumboPacket -RegistryValue $Jumbo"
    behind = read(f"$Jumbo = {size}", "Enable-NetQosFlowControl -Priority 3", *guard.split("\n"), "}", after)
    assert setups(behind)[-1].ip_mtu_bytes.value == int(size) - 14


@pytest.mark.parametrize(
    ("policies", "priority", "lines"),
    [
        (("SMB -IPDstPortMatchCondition 445 -PriorityValue8021Action 3",), 3, [1]),
        (("SMB -IPPortMatchCondition 445 -PriorityValue8021Action 3",), 3, [1]),
        (("SMB -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3",), 3, []),
        (("SMB -SMB -PriorityValue8021Action 3",), 3, []),
        (("SMB -IPDstPortMatchCondition 445 -PriorityValue8021Action 1",), 3, []),  # SMB beside SMB Direct
        (
            (
                "TCP -IPDstPortMatchCondition 445 -PriorityValue8021Action 3",
                "SMB -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3",
            ),
            3,
            [],
        ),
    ],
)
def test_a_policy_for_the_port_of_tcp_alone(policies: tuple[str, ...], priority: int, lines: list[int]) -> None:
    calls = [f"New-NetQosPolicy {one}" for one in policies]
    reading = read(*calls, f"Enable-NetQosFlowControl -Priority {priority}", "Enable-NetAdapterQos -Name P1")
    assert [seen.place.line for seen in reading.seen if seen.observation.kind == "conflict"] == lines


WHOLE = (
    "New-NetQosPolicy 'SMB' -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3",
    "Enable-NetQosFlowControl -Priority 3",
    "Enable-NetAdapterRdma -Name 'S1'",
    "Set-NetAdapterAdvancedProperty -Name 'S1' -DisplayName 'NetworkDirect Technology' -DisplayValue 'RoCEv2'",
)


@pytest.mark.parametrize(
    ("more", "lines"),
    [
        ((), [2]),
        (("Enable-NetAdapterQos -Name 'S1'",), []),
        (("Get-NetAdapter S* | Enable-NetAdapterQos",), []),
        (("Set-NetAdapterAdvancedProperty -Name 'S1' -RegistryKeyword '*QOS' -RegistryValue 1",), []),
    ],
)
def test_qos_that_is_enabled_on_no_adapter(more: tuple[str, ...], lines: list[int]) -> None:
    assert [one.place.line for one in read(*WHOLE, *more).seen if one.observation.kind == "conflict"] == lines
    assert not read(*WHOLE[1:]).seen


@pytest.mark.parametrize(("shown", "version"), [("RoCE", "roce-v1"), ("RoCEv2", "roce-v2")])
def test_the_version_of_roce(shown: str, version: str) -> None:
    lines = [line.replace("RoCEv2", shown) for line in WHOLE]
    assert {one.cma_mode.value for one in setups(read(*lines)) if one.name == "S1"} == {version}


HEARTBEAT = "New-NetQosPolicy Cluster -Cluster -PriorityValue8021Action 7"
OTHERS = "New-NetQosPolicy Default -Default -PriorityValue8021Action {}"
DIRECT = "New-NetQosPolicy SMB -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3"


@pytest.mark.parametrize(
    ("policies", "pause", "lines"),
    [
        ((HEARTBEAT, OTHERS.format(0)), "-Priority 3", [3]),
        ((HEARTBEAT, OTHERS.format(0)), "3", [3]),
        ((HEARTBEAT, OTHERS.format(0), DIRECT), "-Priority 3", []),
        ((HEARTBEAT, OTHERS.format(3)), "-Priority 3", []),
        ((HEARTBEAT, OTHERS.format("$rest")), "-Priority 3", []),
        ((HEARTBEAT, OTHERS.format(0)), "-Priority $lossless", []),
        ((DIRECT.replace("445", "5445"), OTHERS.format(0)), "-Priority 4", []),
        ((), "-Priority 3", []),  # a part of what the host gets
    ],
)
def test_a_paused_priority_that_no_policy_writes(policies: tuple[str, ...], pause: str, lines: list[int]) -> None:
    reading = read(*policies, f"Enable-NetQosFlowControl {pause}", "Enable-NetAdapterQos -Name P1")
    assert [seen.place.line for seen in reading.seen if seen.observation.kind == "conflict"] == lines
