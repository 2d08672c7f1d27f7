"""Lines that were typed in the configuration mode."""

from __future__ import annotations

from roce_audit.platforms.junos import PLATFORM
from roce_audit.sources.detect import choose
from roce_audit.text.document import DeviceInput, Document


def test_lines_behind_prompts_are_recognised() -> None:
    text = (
        "user@leaf1# set class-of-service forwarding-classes class rdma queue-num 3 no-loss\n"
        "user@leaf1# set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp roce\n"
    )
    assert choose((Document("page.txt", text),)).platform == "junos"


def test_a_unit_may_be_typed_behind_the_name_of_its_port() -> None:
    text = "set interfaces et-0/0/1 mtu 9216\nset interfaces et-0/0/1{} family inet mtu 4200\n"
    long, short, unknown = (
        PLATFORM.read(DeviceInput("leaf1", "junos", (Document("page.txt", text.format(unit)),)))
        for unit in (" unit 10", ".10", ".x")
    )
    assert [(port.name, port.facts) for port in short.ports] == [(port.name, port.facts) for port in long.ports]
    assert short.ports[0].facts.ip_mtu_bytes.get() == 4200
    assert [port.facts for port in unknown.ports] != [port.facts for port in long.ports]


def test_lines_of_vyos_are_no_junos() -> None:
    text = "set system host-name {0}leaf1{0}\nset protocols bgp 65001 neighbor 10.0.0.1 description {0}spine{0}\n"
    assert choose((Document("page.txt", text.format('"')),)).platform == "junos"
    assert choose((Document("page.txt", text.format("'")),)).platform != "junos"
