"""PowerShell's answers: what runs, what the host was told, and what they do not say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.windows.textform import objects
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

QOS: dict[str, Any] = {
    "Name": "SLOT 3 Port 1",
    "Enabled": True,
    "OperationalFlowControl": "Priority 3 Enabled",
    "OperationalTrafficClasses": ["TC TSA    Bandwidth Priorities", "-- ---", " 0 ETS 50% 0-2,4-7", " 1 ETS 50% 3"],
}
FLOW = [{"Priority": p, "Enabled": p == 3, "PolicySet": "Global", "IfAlias": None} for p in range(8)]


def read(**answers: Any) -> DeviceReading:
    documents = tuple(
        Document(f"{name}.json", text if isinstance(text, str) else json.dumps(text, indent=1), f"Get-Net{name}")
        for name, text in answers.items()
    )
    return platform("windows").read(DeviceInput("node1", "windows", documents))


def test_a_single_object_is_read_as_a_list_is() -> None:
    one, listed = read(AdapterQos=QOS).ports[0].facts, read(AdapterQos=[QOS]).ports[0].facts
    assert one == listed
    assert one.pfc.get().priorities.get() == {3}
    assert one.queues.get()[1].share.get() == 50
    assert one.classes.get()[3].queue.get() == 1


@pytest.mark.parametrize(
    ("text", "priorities"),
    [("Priorities 3,5 Enabled", {3, 5}), ("All Priorities Disabled", set()), ("Priority 4 Enabled", {4})],
)
def test_words_of_the_operational_flow_control(text: str, priorities: set[int]) -> None:
    facts = read(AdapterQos={**QOS, "OperationalFlowControl": text}, QosFlowControl=FLOW).ports[0].facts
    assert facts.pfc.get().operational.get() == priorities
    assert facts.pfc.get().priorities.get() == {3}


def test_an_adapter_whose_qos_is_off_pauses_nothing() -> None:
    off = {"Name": "SLOT 3 Port 1", "Enabled": False, "OperationalFlowControl": None}
    facts = read(AdapterQos=off, QosFlowControl=FLOW).ports[0].facts
    assert facts.pfc.get().mode.get() == "off"
    assert facts.pfc.get().priorities.get() == set()


def test_part_of_the_priorities_is_not_the_whole_set() -> None:
    facts = read(QosFlowControl=FLOW[:5], AdapterQos={**QOS, "OperationalFlowControl": None}).ports[0].facts
    assert facts.pfc.why is Why.NOT_VISIBLE or facts.pfc.get().priorities.is_unknown


def test_what_one_adapter_was_told_wins_for_it_over_what_holds_for_all() -> None:
    """`Get-NetQosFlowControl -InterfaceAlias M1` shows its own priorities beside those of all others."""
    own = [{"Priority": p, "Enabled": p == 4, "PolicySet": "AdapterSpecific", "IfAlias": "M1"} for p in range(8)]
    classes = [
        {"Name": "[Default]", "Algorithm": "ETS", "Bandwidth": 70, "Priority": "0-2,4-7", "IfAlias": None},
        {"Name": "SMB", "Algorithm": "ETS", "Bandwidth": 30, "Priority": "3", "IfAlias": None},
        {"Name": "[Default]", "Algorithm": "ETS", "Bandwidth": 40, "Priority": "0-3,5-7", "IfAlias": "M1"},
        {"Name": "SMB for M1", "Algorithm": "ETS", "Bandwidth": 60, "Priority": "4", "IfAlias": "M1"},
    ]
    adapters = [{"Name": name, "Enabled": True} for name in ("M1", "M2")]
    reading = read(AdapterQos=adapters, QosFlowControl=[*FLOW, *own], QosTrafficClass=classes)
    assert not reading.seen
    found = {port.name: port.facts for port in reading.ports}
    assert [found[name].pfc.get().priorities.get() for name in ("M1", "M2")] == [{4}, {3}]
    assert [found[name].queues.get()[1].share.get() for name in ("M1", "M2")] == [60, 30]
    assert found["M1"].classes.get()[4].queue.get() == 1


@pytest.mark.parametrize(("value", "kind"), [("1", "iwarp"), ("2", "infiniband"), ("4", "ethernet")])
def test_network_direct_technology(value: str, kind: str) -> None:
    properties = [{"Name": "A", "RegistryKeyword": "*NetworkDirectTechnology", "RegistryValue": [value]}]
    assert read(AdapterAdvancedProperty=properties).ports[0].facts.kind.get() == kind


def test_properties() -> None:
    rows = [("*JumboPacket", ["9014"]), ("*FlowControl", "2"), ("*RSS", ["1"])]
    properties = [{"Name": "A", "RegistryKeyword": k, "RegistryValue": v} for k, v in rows]
    facts = read(AdapterAdvancedProperty=properties).ports[0].facts
    assert facts.ip_mtu_bytes.get() == 9000
    assert (facts.link_pause_rx.get(), facts.link_pause_tx.get()) == (True, False)


def test_policies_are_the_hosts() -> None:
    rows = [
        {"Name": "SMB", "NetDirectPortMatchCondition": 445, "PriorityValue8021Action": 3},
        {"Name": "DEFAULT", "Template": "Default", "PriorityValue8021Action": 0},
    ]
    host = read(QosPolicy=rows, AdapterQos=QOS).host
    assert host is not None
    assert (host.smb_direct_priority.get(), host.default_priority.get()) == (3, 0)


@pytest.mark.parametrize(("port", "told"), [(455, ["conflict"]), (445, []), (0, [])])
def test_a_policy_in_force_that_is_named_for_smb_direct_and_matches_another_port(port: int, told: list[str]) -> None:
    row = {"Name": "SMB", "NetDirectPort": port, "PriorityValue": 3}
    assert [seen.observation.kind for seen in read(QosPolicy=[row], AdapterQos=QOS).seen] == told


def test_rdma_is_on_off_or_not_seen() -> None:
    rdma = [{"Name": "A", "Enabled": False}]
    adapters = [{"Name": n, "LinkSpeed": "25 Gbps", "Status": "Up"} for n in ("A", "B")]
    ports = {port.name: port.facts.nic.get() for port in read(AdapterRdma=rdma, Adapter=adapters).ports}
    assert (ports["A"].rdma_device.get(), ports["A"].roce.get()) == ("A", False)
    assert ports["B"].rdma_device.is_unknown


def test_what_the_host_is_not_told_to_pause_no_adapter_pauses() -> None:
    """What it is told to, one pauses whose QoS is on, or that is seen to pause."""
    rdma = {"Name": "A", "Enabled": True, "OperationalState": True}
    none = [{**one, "Enabled": False} for one in FLOW]
    told = {
        (which, runs): read(AdapterRdma=[{**rdma, **runs_by}], QosFlowControl=flow).ports[0].facts.pfc
        for which, flow in (("none", none), ("some", FLOW))
        for runs, runs_by in ((None, {}), (True, {"PFC": True}))
    }
    assert told["none", None].get().priorities.get() == set()
    assert told["some", None].is_unknown
    assert told["some", True].get().priorities.get() == {3}


def test_rdma_that_runs_has_a_link() -> None:
    table = (
        "Name InterfaceDescription Enabled Operational\n"
        "---- -------------------- ------- -----------\n"
        "A    ConnectX-6           True    {}\n"
    )
    up = {text: read(AdapterRdma=table.format(text)).ports[0].facts.link_up for text in ("True", "False")}
    assert up["True"].get() is True
    assert up["False"].is_unknown


def test_the_text_form_is_told_and_nothing_is_taken_from_it() -> None:
    reading = read(QosFlowControl="Priority Enabled\n3 True\n", AdapterQos=QOS)
    assert [seen.observation.kind for seen in reading.seen] == ["unread-line"]
    assert reading.ports[0].facts.pfc.get().priorities.get() == {3}


def test_recognition() -> None:
    linux, windows = platform("linux"), platform("windows")
    answer = Document("Get-NetAdapterQos.json", json.dumps(QOS), "Get-NetAdapterQos")
    assert windows.recognise(answer) > linux.recognise(answer) == 0
    lone = Document("qos.json", json.dumps(QOS))
    assert windows.recognise(lone) > 50
    assert windows.recognise(Document("x.json", '{"interfaces": []}')) == 0


TABLE = """
Priority   Enabled    PolicySet        IfIndex IfAlias
--------   -------    ---------        ------- -------
0          False      Global
3          True       AdapterSpecific  4       M1

"""


def test_a_table_gives_what_its_columns_say() -> None:
    lines = list(enumerate(TABLE.split("\n"), 1))
    first, second = (shown.values() for shown in objects(lines))
    assert first == {"Priority": "0", "Enabled": False, "PolicySet": "Global"}
    assert second == {"Priority": "3", "Enabled": True, "PolicySet": "AdapterSpecific", "IfIndex": "4", "IfAlias": "M1"}


def test_a_list_gives_its_objects_and_what_a_window_cut_is_not_there() -> None:
    text = "PS C:\\> Get-NetAdapterQos\nName    : M1\nEnabled : True\nOwner   : Group Pol...\n\nName:M 2\nOther   : a\n            b"
    first, second = (shown.values() for shown in objects(list(enumerate(text.split("\n")))))
    assert first == {"Name": "M1", "Enabled": True}
    assert second == {"Name": "M 2", "Other": ["a", "b"]}


@given(st.text(alphabet=st.sampled_from("aN:- \n.{}3"), max_size=120))
def test_no_text_form_raises(text: str) -> None:
    for shown in objects(list(enumerate(text.split("\n")))):
        assert isinstance(shown.values(), dict)
        assert shown.is_odd() in (True, False)


@pytest.mark.parametrize(
    ("policies", "untagged"),
    [
        ([{"Name": "default", "Template": "Default", "PriorityValue": 0}], True),
        ([{"Name": "ND", "NetDirectPort": 5445, "PriorityValue": 3}], None),
        ([{"Name": "SMB", "NetDirectPortMatchCondition": 445, "PriorityValue8021Action": 3}], None),
        ([{"Name": "web", "NetDirectPort": 0, "PriorityValue": 1}], True),
        ([{"Name": "SMB", "NetDirectPort": 445, "PriorityValue": -1}], True),
        ([{"Name": "SMB", "NetDirectPort": 445, "PriorityValue8021Action": None}], True),
        ([{"Name": "SMB", "NetDirectPort": 445, "PriorityValue": -1, "PriorityValue8021Action": 3}], None),
        ([], None),
    ],
)
def test_policies_of_which_none_tags_rdma(policies: list[dict[str, Any]], untagged: bool | None) -> None:
    host = read(AdapterQos=QOS, QosPolicy=policies).host
    assert host is not None
    assert host.smb_direct_untagged.value_or_none() == untagged
