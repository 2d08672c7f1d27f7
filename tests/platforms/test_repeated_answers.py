"""Answers that were read before: read from memory a host is what it is when its tools cut every answer anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.platforms.linux.boot import scriptcalls
from roce_audit.platforms.linux.boot import scripts as bootscripts
from roce_audit.platforms.shared.host import reader, repeated
from roce_audit.platforms.shared.host.collector import Collector
from roce_audit.platforms.shared.host.repeated import Heard
from roce_audit.platforms.shared.host.speaking import speak
from roce_audit.platforms.shared.host.tools import tool_for
from roce_audit.proof import golden
from roce_audit.text.document import DeviceInput, Document

HOSTS = [
    case
    for case in golden.cases(Path(__file__).parents[2] / "fixtures")
    if platforms.platform(case.parent.name).kind == "host"
]


Hear = Callable[[Document, Heard, Collector], None]


def anew(document: Document, _: Heard, collector: Collector) -> None:
    """Cut an answer as if none like it had been read."""
    found = tool_for(document)
    if found is not None:
        speak(document, *found, collector)


def read(device: DeviceInput, monkeypatch: pytest.MonkeyPatch, hear: Hear) -> list[str]:
    """Everything that a reading says; ports are equal to nothing but themselves."""
    remembered = scriptcalls.followed
    with monkeypatch.context() as patch:
        if hear is anew:
            patch.setattr(reader, "hear", anew)
            patch.setattr(reader, "common", lambda _: None)
            patch.setattr(bootscripts, "followed", remembered.__wrapped__)
        found = platforms.platform(device.platform).read(device)
    return [repr(found), *(f"{port.name}: {port.labels.no_link}" for port in found.ports)]


def elsewhere(device: DeviceInput) -> DeviceInput:
    """The same host with its answers in another file, seven lines further down."""
    documents = (replace(d, path=f"other/{d.path}", first_line=d.first_line + 7) for d in device.documents)
    return replace(device, documents=tuple(documents))


@pytest.mark.parametrize("folder", HOSTS, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_an_answer_from_memory_says_the_same_at_its_own_lines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device = golden.load_case(folder)
    read(device, monkeypatch, repeated.hear)
    other = elsewhere(device)
    assert read(other, monkeypatch, repeated.hear) == read(other, monkeypatch, anew)


def host(number: int, above: int = 0, mtu: int = 9000) -> DeviceInput:
    """A host with one NIC; addresses, names and counters are its own, and so many lines stand above its answers."""
    mac, address = f"02:00:00:00:00:{number:02x}", f"10.0.0.{number}"
    port, gid = "/sys/class/infiniband/mlx5_0/ports/1", f"0000:0000:0000:0000:0000:ffff:0a00:{number:04x}"
    answers = {
        "uname -a": f"Linux gpu{number} 5.15.0-1053 #54-Ubuntu SMP x86_64 x86_64 GNU/Linux",
        "ip -j -d link show": f'[{{"ifindex":1,"ifname":"ens1","flags":["UP"],"mtu":{mtu},"link_type":"ether",'
        f'"address":"{mac}","broadcast":"ff:ff:ff:ff:ff:ff","phys_switch_id":"{number:012x}","parentbus":"pci",'
        f'"parentdev":"0000:18:00.0","vfinfo_list":[{{"vf":{number},"vlan_list":[{{}}]}}]}}]',
        "ip -j addr show": f'[{{"ifname":"ens1","addr_info":[{{"scope":"global","local":"{address}","prefixlen":31}}]}}]',
        "ethtool -P ens1": f"Permanent address: {mac}",
        "ethtool -S ens1": f"NIC statistics:\n     rx_packets: {number}",
        "show_gids": f"DEV\tPORT\tINDEX\tGID\nmlx5_0\t1\t3\t{gid}\t{address}  \tv2\tens1",
        "sysfs": f"{port}/gids/3:{gid}\n{port}/gid_attrs/types/3:RoCE v2\n{port}/gid_attrs/ndevs/0:ens1\n"
        f"{port}/hw_counters/np_cnp_sent:{number}\n/proc/sys/kernel/hostname:gpu{number}\n/etc/nccl.conf:NCCL_IB_TC=106",
        "ibv_devinfo -d mlx5_0": f"hca_id:\tmlx5_0\n\tnode_guid:\t0200:0000:0000:{number:04x}\n\tlink_layer:\tEthernet",
    }
    documents, line = [], 1 + above
    for command, text in answers.items():
        documents.append(Document(f"gpu{number}.txt", text, command, line, 0))
        line += text.count("\n") + 3
    return DeviceInput(f"gpu{number}", "linux", tuple(documents))


def test_hosts_that_are_alike_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = reader.read_host(host(1))
    before = reader.common.cache_info()
    other = host(2, above=7)
    second = reader.read_host(other)
    after = reader.common.cache_info()
    assert (after.hits, after.misses) == (before.hits + 1, before.misses)
    assert second.macs == {"020000000002": ("ens1",)}
    assert second.ports[0].labels.addresses == ("10.0.0.2/31",)
    assert second.ports[0].header.line == first.ports[0].header.line + 7
    assert second.ports[0].facts is first.ports[0].facts
    assert read(other, monkeypatch, repeated.hear) == read(other, monkeypatch, anew)


@pytest.mark.parametrize("other", [host(3, mtu=1500), replace(host(3), documents=host(3).documents[:-1])])
def test_a_host_that_answers_otherwise_is_no_other(other: DeviceInput, monkeypatch: pytest.MonkeyPatch) -> None:
    first = reader.read_host(host(1))
    assert reader.read_host(other).ports[0].facts != first.ports[0].facts
    assert read(other, monkeypatch, repeated.hear) == read(other, monkeypatch, anew)


def test_a_host_with_one_address_twice_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    device = host(4)
    documents = [replace(d, text=d.text.replace("02:00:00:00:00:04", "02:00:00:00:00:05")) for d in device.documents]
    documents[1] = device.documents[1]
    other = replace(device, documents=tuple(documents))
    assert reader.read_host(other).macs == {"020000000004": ("ens1",), "020000000005": ("ens1",)}
    assert read(other, monkeypatch, repeated.hear) == read(other, monkeypatch, anew)


def test_one_letter_less_in_any_answer_is_read_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    device = next(golden.load_case(case) for case in HOSTS if case.parent.name == "linux" and case.name == "bundle")
    whole = read(device, monkeypatch, repeated.hear)
    different = 0
    for number, document in enumerate(device.documents):
        changed = replace(document, text=document.text.rstrip()[:-1])
        documents = (*device.documents[:number], changed, *device.documents[number + 1 :])
        edited = replace(device, documents=documents)
        found = read(edited, monkeypatch, repeated.hear)
        assert found == read(edited, monkeypatch, anew), document.command
        different += found != whole
    assert different > len(device.documents) // 2


@pytest.mark.parametrize("change", [{"exit_status": 1}, {"truncated": True}, {"command": "ethtool -a ens9"}])
def test_what_is_known_of_an_answer_counts_as_much_as_its_text(
    change: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    device = next(golden.load_case(case) for case in HOSTS if case.parent.name == "linux" and case.name == "bundle")
    read(device, monkeypatch, repeated.hear)
    for number, document in enumerate(device.documents):
        changed = replace(document, **change)  # type: ignore[arg-type]
        edited = replace(device, documents=(*device.documents[:number], changed, *device.documents[number + 1 :]))
        assert read(edited, monkeypatch, repeated.hear) == read(edited, monkeypatch, anew), document.command
