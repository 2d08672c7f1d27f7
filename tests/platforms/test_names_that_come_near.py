"""A name that nothing defines is told with the defined one that comes near it."""

from __future__ import annotations

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

TEXT = (
    "qos profile ROCE-LEAF\n   priority-flow-control on\n!\n"
    "interface Ethernet1\n   service-profile ROCE-LEAF\n!\ninterface Ethernet2\n   service-profile {name}\n!\n"
)


def told(name: str) -> list[str]:
    document = Document("x.cfg", TEXT.format(name=name), declared_complete=True)
    return [one.observation.text for one in platform("eos").read(DeviceInput("x", "eos", (document,))).seen]


def test_the_name_in_another_case_is_told() -> None:
    (text,) = told("RoCE-Leaf")
    assert text == (
        "qos profile RoCE-Leaf is used here and defined nowhere; ROCE-LEAF is defined, and upper and lower case are told apart"
    )
    assert told("ROCE-LEAF") == []


def test_a_slip_of_the_pen_is_told_with_the_name_in_use() -> None:
    (text,) = told("ROCE-LEFA")
    assert text == "qos profile ROCE-LEFA is used here and defined nowhere; ROCE-LEAF is defined: is it meant?"


def test_another_name_brings_no_guess() -> None:
    assert told("ROCE-SPINE") == ["qos profile ROCE-SPINE is used here and defined nowhere"]


def told_of_a_part(name: str) -> list[str]:
    document = Document("x.cfg", TEXT.format(name=name), declared_complete=False)
    found = platform("eos").read(DeviceInput("x", "eos", (document,))).seen
    return [one.observation.text for one in found if one.observation.kind == "undefined"]


def test_in_a_part_a_slip_of_the_keyboard_is_told_and_another_name_is_not() -> None:
    for slip in ("ROCE-LEAFF", "ROCE-LEA", "RCOE-LEAF", "ROOCE-LEAF"):
        assert told_of_a_part(slip) == [
            f"qos profile {slip} is used here and defined nowhere; ROCE-LEAF is defined: is it meant?"
        ]
    for other in ("ROCE-LEAF", "ROCE-LEAF2", "ROCE-LEAF-B", "ROCE-SPINE", "ROCE-LEAP"):
        assert told_of_a_part(other) == []


def told_of_an_idle(name: str) -> list[str]:
    text = f"{TEXT.format(name='ROCE-LEAF')}qos profile {name}\n   priority-flow-control priority 3 no-drop\n!\n"
    document = Document("x.cfg", text, declared_complete=True)
    return [one.observation.text for one in platform("eos").read(DeviceInput("x", "eos", (document,))).seen]


def test_a_name_without_use_that_is_a_slip_of_one_in_use_is_told_with_it() -> None:
    idle = "is defined and never applied, so it has no effect"
    assert told_of_an_idle("RCOE-LEAF") == [f"qos profile RCOE-LEAF {idle}; ROCE-LEAF is in use: is it meant?"]
    for other in ("ROCE-LEAF2", "ROCE-SPINE", "ROCE-LEAP"):
        assert told_of_an_idle(other) == [f"qos profile {other} {idle}"]


def test_a_configuration_that_applies_nothing_it_defines_is_told_once() -> None:
    text = (
        "qos profile ROCE\n   priority-flow-control on\n!\nqos profile OTHER\n   qos trust dscp\n!\nqos profile THIRD\n   qos trust cos\n"
        "interface Ethernet1\n   mtu 9214\n!\n"
    )

    def seen(given: str) -> list[str]:
        document = Document("x.cfg", given, declared_complete=True)
        found = platform("eos").read(DeviceInput("x", "eos", (document,))).seen
        return [one.observation.text for one in found if one.observation.kind == "unapplied"]

    (one,) = seen(text)
    assert one.endswith("nor is anything else that a port could take: qos profile OTHER, qos profile THIRD")
    assert len(seen(text.replace("   mtu 9214\n", "   service-profile ROCE\n"))) == 2


def test_what_is_defined_and_bound_to_no_port_is_told_once_whatever_it_names_itself() -> None:
    lines = [
        "set / interface ethernet-1/1 admin-state enable",
        "set / qos queues queue rdma queue-index 3",
        "set / qos forwarding-classes forwarding-class fc3 output unicast-queue rdma",
        "set / qos classifiers dscp-policy ai dscp 26 forwarding-class fc3",
        "set / qos pfc-mapping-profile ai received-pfc-pause-frames queue rdma enable-pfc true",
        "set / qos buffer-management buffer-allocation-profile out queues queue rdma maximum-burst-size 5200000",
    ]
    document = Document("x.cfg", "\n".join(lines) + "\n", declared_complete=True)
    (one,) = (
        one
        for one in platform("srlinux").read(DeviceInput("x", "srlinux", (document,))).seen
        if one.observation.kind == "unapplied"
    )
    assert one.observation.text.endswith(
        "nor is anything else that a port could take: pfc-mapping-profile ai, buffer-allocation-profile out"
    )
    assert "pause" in one.makes
