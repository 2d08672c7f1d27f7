"""Links: cables between two ports that were read, their length, and the fabrics they make."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch, written

from roce_audit.audit import Request, check
from roce_audit.fabric.ports import FabricPorts
from roce_audit.policy.values import Policy
from roce_audit.values import Place, Why

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")


def leaf(name: str = "leaf1", ports: int = 2) -> dict[str, str]:
    return switch(name, {f"Ethernet{i}/1": [ROCE] for i in range(1, ports + 1)})


def test_both_ends_know_each_other(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf(), host("gpu1", GPU), cables("leaf1:Ethernet1/1 gpu1:ens1f0np0"))
    (link,) = found.site.links
    assert link.id == "gpu1:ens1f0np0 <-> leaf1:Ethernet1/1"
    assert found.port("leaf1:Ethernet1/1").peer is found.port("gpu1:ens1f0np0")
    assert found.port("gpu1:ens1f0np0").peer is found.port("leaf1:Ethernet1/1")
    assert (Path(link.place.path).name, link.place.line) == ("topology.yaml", 2)


def test_names_without_case_domain_and_by_alias(tmp_path: Path) -> None:
    wires = cables("LEAF1.example.net:ethernet1/1 gpu1:mlx5_0", "leaf1:Ethernet2/1 gpu2:ens1f0np0")
    found = Network(tmp_path, leaf(), host("gpu1", GPU), host("gpu2", GPU), wires)
    assert {link.id for link in found.site.links} == {
        "gpu1:ens1f0np0 <-> leaf1:Ethernet1/1",
        "gpu2:ens1f0np0 <-> leaf1:Ethernet2/1",
    }


def test_facing(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0", "leaf1:Ethernet2/1 leaf2:Ethernet1/1")
    found = Network(tmp_path, leaf(), leaf("leaf2"), host("gpu1", GPU), wires)
    facing = {port: found.port(port).facing for port in ("leaf1:Ethernet1/1", "leaf1:Ethernet2/1", "leaf2:Ethernet2/1")}
    assert [cell.value for cell in facing.values() if cell is not None] == ["host", "fabric", None]


def test_an_end_that_was_not_read_is_counted(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu7:ens1f0np0", "spine8:Ethernet1 spine9:Ethernet1")
    found = Network(tmp_path, leaf(), wires)
    assert found.site.links == ()
    assert found.site.links_one_end == 1
    assert found.port("leaf1:Ethernet1/1").peer is None


def notes(folder: Path) -> str:
    return "\n".join(check(Request((str(folder),), Policy.empty())).report.coverage.notes)


def test_devices_that_were_not_read_are_named(tmp_path: Path) -> None:
    wires = cables(
        "leaf1:Ethernet1/1 gpu7:ens1f0np0",
        "leaf1:Ethernet2/1 spine9:Ethernet1/1",
        "leaf2:Ethernet1/1 spine9:Ethernet2/1",
    )
    written(tmp_path, leaf(), leaf("leaf2"), wires)
    assert "not read, though cables lead there: spine9 (2 cables), gpu7 (1 cable)" in notes(tmp_path)


def test_a_description_does_not_hide_that_the_plan_names_another_device(tmp_path: Path) -> None:
    said = switch("leaf1", {"Ethernet1/1": [ROCE, "description spine1 Ethernet1/1"]}, "")
    written(tmp_path, said, leaf("spine1"), cables("leaf1:Ethernet1/1 spine9:Ethernet1/1"))
    assert "spine9 (1 cable)" in notes(tmp_path)


def undefined(folder: Path, *parts: dict[str, str]) -> list[str]:
    found = Network(folder, *parts).site.observations
    return [one.text for one in found if one.kind == "undefined"]


def test_a_nic_that_the_host_does_not_have(tmp_path: Path) -> None:
    """One cable's NIC is misspelt while the host's own has no cable; where a plan has names of its own for all, nothing is told."""
    hosts = [host(f"gpu{number}", GPU) for number in (1, 2, 3)]
    wires = [f"leaf1:Ethernet{number}/1 gpu{number}:ens1f0np0" for number in (1, 2)]
    said = undefined(tmp_path / "one", leaf(ports=3), *hosts, cables(*wires, "leaf1:Ethernet3/1 gpu3:ens1f1np1"))
    assert said == [
        "a cable ends on gpu3:ens1f1np1; no file of gpu3 shows such a port, and no cable leads to its ens1f0np0"
    ]
    renamed = cables(*(wire.replace("ens1f0np0", "port-a") for wire in wires))
    assert undefined(tmp_path / "all", leaf(), *hosts, renamed) == []


def test_second_cable_in_a_port_is_told_and_the_first_counts(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0", "leaf1:Ethernet1/1 leaf2:Ethernet1/1")
    found = Network(tmp_path, leaf(), leaf("leaf2"), host("gpu1", GPU), wires)
    assert len(found.site.links) == 1
    assert found.port("leaf2:Ethernet1/1").peer is None
    (seen,) = (o for o in found.site.observations if o.kind == "conflict")
    assert seen.name == "leaf1:Ethernet1/1"
    assert isinstance(seen.at.at[0], Place)
    assert seen.at.at[0].line == 3


def test_length_of_the_cable_then_of_the_policy_else_unknown(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0 length_m: 7.5", "leaf1:Ethernet2/1 leaf2:Ethernet1/1")
    files = (leaf(), leaf("leaf2"), host("gpu1", GPU), wires)
    policy = "cables:\n  - {between: [leaf, host], length_m: 3}\n  - {between: [leaf, leaf], length_m: 30}\n"
    told = Network(tmp_path / "a", *files, policy=policy)
    assert [link.link.length_m.get() for link in told.site.links] == [7.5, 30]
    silent = Network(tmp_path / "b", *files)
    assert silent.site.links[1].link.length_m.why is Why.NOT_VISIBLE


def test_link_over_a_port_without_roce_joins_no_fabrics(tmp_path: Path) -> None:
    files = ({f"back/{n}": t for n, t in leaf().items()}, {f"front/{n}": t for n, t in leaf("fe1").items()})
    wires = cables("leaf1:Ethernet2/1 fe1:Ethernet2/1")
    assert len(Network(tmp_path / "a", *files, wires).site.fabrics) == 1
    apart = "ports:\n  - {match: 'fe1:Ethernet2/1', roce: false, because: 'border'}\n"
    assert len(Network(tmp_path / "b", *files, wires, policy=apart).site.fabrics) == 2


def test_a_port_that_a_whole_configuration_does_not_have_is_told(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0", "leaf1:Ethernet77/1 spine9:Ethernet1")
    found = Network(tmp_path / "whole", leaf(), host("gpu1", GPU), wires)
    (seen,) = (o for o in found.site.observations if o.kind == "undefined")
    assert seen.name == "leaf1:Ethernet77/1"
    assert isinstance(seen.at.at[0], Place)
    assert seen.at.at[0].line == 3
    more = cables("leaf1:Ethernet77/1 spine9:Ethernet1", "leaf1:Ethernet78/1 spine9:Ethernet2")
    both = Network(tmp_path / "both", leaf(), host("gpu1", GPU), more)
    (seen,) = (o for o in both.site.observations if o.kind == "undefined")  # of one switch in a sentence
    assert "Ethernet77/1, Ethernet78/1 of leaf1" in seen.text
    fragment = {name: text.removeprefix(text.split("\n", 1)[0]).replace("end\n", "") for name, text in leaf().items()}
    part = Network(tmp_path / "part", fragment, host("gpu1", GPU), wires)
    assert not [o for o in part.site.observations if o.kind == "undefined"]


def test_files_in_a_device_s_own_tree_of_folders_are_of_one_fabric_with_their_neighbours(tmp_path: Path) -> None:
    trees = [{f"{name}/etc/chip/{name}.cfg": leaf(name)[f"{name}.cfg"]} for name in ("leaf1", "leaf2", "leaf3")]
    assert len(Network(tmp_path, *trees).site.fabrics) == 1


@pytest.mark.parametrize("written", ["Et1/1", "Eth1/1", "ethernet 1/1", "Ethernet1/1"])
def test_a_kind_of_port_may_be_cut_short_or_set_apart(tmp_path: Path, written: str) -> None:
    port = Network(tmp_path, leaf()).port("leaf1:Ethernet1/1")
    found = FabricPorts([port.device]).find("leaf1", written)
    assert found is not None
    assert found.id == port.id


def test_a_short_name_that_two_ports_could_have_finds_none(tmp_path: Path) -> None:
    text = leaf()["leaf1.cfg"].replace("interface Ethernet2/1", "interface Ethernet1/2")
    found = Network(tmp_path, {"leaf1.cfg": text})
    ports = FabricPorts([found.port("leaf1:Ethernet1/1").device])
    assert ports.find("leaf1", "Et1/3") is None
    assert ports.find("leaf1", "Po1/1") is None


def test_a_device_without_links_belongs_to_the_network_of_the_nearest_folder(tmp_path: Path) -> None:
    """Two designs below one folder of a repository; a switch of the first that no cable names is no part of the second."""
    pairs = {
        f"dc/{design}/{name}": text
        for design in ("one", "two")
        for number in (1, 2, 3)
        for name, text in switch(f"{design}{number}", {"Ethernet1/1": ()}).items()
    }
    beside = {f"campus/{name}": text for name, text in switch("access", {"Ethernet1/1": ()}).items()}
    given = cables("two1:Ethernet1/1 two2:Ethernet1/1", "one2:Ethernet1/1 one3:Ethernet1/1")
    fabrics = Network(tmp_path, pairs, beside, given).site.fabrics
    assert sorted(sorted(device.name for device in fabric.devices) for fabric in fabrics) == [
        ["access"],
        ["one1", "one2", "one3"],
        ["two1", "two2", "two3"],
    ]
