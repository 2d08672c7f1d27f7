"""Links that LLDP shows: how far ends are found, what counts where answers or the plan disagree, what is only half known."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.policy import PolicyError
from roce_audit.values import Place

GPU = NicText("ens1f0np0", "mlx5_0", pfc=(3,), trust="dscp")
RAIL2 = NicText("ens2f0np0", "mlx5_1", pfc=(3,), trust="dscp")
LINK = "gpu1:ens1f0np0 <-> leaf1:Ethernet1/1"


def leaf(name: str = "leaf1", ports: int = 2) -> dict[str, str]:
    """A switch in a folder of its own, so that answers may lie beside its configuration."""
    files = switch(name, {f"Ethernet{i}/1": [ROCE] for i in range(1, ports + 1)})
    return {f"{name}/show_running-config.txt": text for text in files.values()}


def hears(device: str, *rows: str) -> dict[str, str]:
    """The table of a switch: `port device port` a row, `-` for what is not told."""
    lines = [f"{port:<14}{far:<32}{far_port:<26}120" for port, far, far_port in (row.split() for row in rows)]
    heading = f"{'Port':<14}{'Neighbor Device ID':<32}{'Neighbor Port ID':<26}TTL"
    return {f"{device}/show_lldp_neighbors.txt": "\n".join([heading, *lines, ""])}


def details(device: str, port: str, *neighbours: dict[str, str]) -> dict[str, str]:
    """The details of one port of a switch."""
    text = f"Interface {port} detected {len(neighbours)} LLDP neighbors:\n"
    for one in neighbours:
        text += "  - Chassis ID type: MAC address (4)\n"
        text += "".join(f"    {name}     : {value}\n" for name, value in one.items())
    return {f"{device}/show_lldp_neighbors_{port.replace('/', '-')}_detail.txt": text}


def lldpd(name: str, *heard: tuple[str, str, str]) -> dict[str, str]:
    """What lldpd of a host hears: (interface, system name, interface name of the far end)."""
    found = [
        {
            "name": port,
            "chassis": [{"name": [{"value": system}]}],
            "port": [{"id": [{"type": "ifname", "value": far}]}],
        }
        for port, system, far in heard
    ]
    return {f"{name}/lldpctl_-f_json0.json": json.dumps({"lldp": [{"interface": found}]}, indent=1)}


def addresses(name: str, **macs: str) -> dict[str, str]:
    """`ip -j addr show` has no MAC addresses of ours; `ip -j link show` of the host with them."""
    links = [
        {"ifindex": i, "ifname": port, "flags": ["UP"], "mtu": 9000, "link_type": "ether", "address": mac}
        | {"parentbus": "pci", "parentdev": f"0000:{i:02x}:00.0"}
        for i, (port, mac) in enumerate(macs.items(), 2)
    ]
    return {f"{name}/ip_-d_-j_link_show.json": json.dumps(links, indent=1)}


def ids(found: Network) -> set[str]:
    return {link.id for link in found.site.links}


def conflicts(found: Network) -> list[str]:
    return [o.text for o in found.site.observations if o.kind == "conflict"]


def test_one_end_that_hears_the_other_is_enough(tmp_path: Path) -> None:
    found = Network(tmp_path, leaf(), host("gpu1", GPU), hears("leaf1", "Et1/1 gpu1 ens1f0np0"))
    (link,) = found.site.links
    assert link.id == LINK
    assert (Path(link.place.path).name, link.place.line) == ("show_lldp_neighbors.txt", 2)
    assert found.site.links_one_end == 0
    assert found.port("gpu1:ens1f0np0").peer is found.port("leaf1:Ethernet1/1")


def test_both_ends_that_hear_each_other_are_one_link(tmp_path: Path) -> None:
    told = hears("leaf1", "Et1/1 gpu1 ens1f0np0"), lldpd("gpu1", ("ens1f0np0", "leaf1", "Ethernet1/1"))
    assert ids(Network(tmp_path, leaf(), host("gpu1", GPU), *told)) == {LINK}


@pytest.mark.parametrize(
    "row", ["Et1/1 gpu1.rack7.example.net ens1f0np0", "Et1/1 GPU1 ens1f0np0", "Ethernet1/1 gpu1 mlx5_0"]
)
def test_names_with_domain_in_any_case_and_by_alias(tmp_path: Path, row: str) -> None:
    assert ids(Network(tmp_path, leaf(), host("gpu1", GPU), hears("leaf1", row))) == {LINK}


def test_a_device_that_is_read_with_its_domain_is_found_without(tmp_path: Path) -> None:
    files = leaf(), host("gpu1.example.net", GPU), hears("leaf1", "Et1/1 gpu1 ens1f0np0")
    assert ids(Network(tmp_path, *files)) == {"gpu1.example.net:ens1f0np0 <-> leaf1:Ethernet1/1"}


def test_short_names_that_two_devices_have_name_none(tmp_path: Path) -> None:
    hosts = host("gpu1.a.example", GPU), host("gpu1.b.example", GPU)
    found = Network(tmp_path, leaf(), *hosts, hears("leaf1", "Et1/1 gpu1 ens1f0np0"))
    assert found.site.links == ()
    assert found.site.links_one_end == 1


def test_a_mac_address_as_port_id(tmp_path: Path) -> None:
    macs = addresses("gpu1", ens1f0np0="b8:ce:f6:00:00:01", ens2f0np0="b8:ce:f6:00:00:02")
    told = details("leaf1", "Ethernet1/1", {"Port ID": "b8ce.f600.0002", "System Name": '"gpu1"'})
    found = Network(tmp_path, leaf(), host("gpu1", GPU, RAIL2), macs, told)
    assert ids(found) == {"gpu1:ens2f0np0 <-> leaf1:Ethernet1/1"}


def test_nic_firmware_that_tells_addresses_alone(tmp_path: Path) -> None:
    macs = addresses("gpu1", ens1f0np0="b8:ce:f6:00:00:01")
    told = details("leaf1", "Ethernet1/1", {"Chassis ID": "b8ce.f600.0001", "Port ID": "b8ce.f600.0001"})
    assert ids(Network(tmp_path, leaf(), host("gpu1", GPU), macs, told)) == {LINK}


def test_two_agents_of_one_port_are_one_far_end(tmp_path: Path) -> None:
    """The NIC's firmware, whose addresses are nobody's that was read, and lldpd."""
    firmware = {"Chassis ID": "b8ce.f600.0009", "Port ID": "b8ce.f600.0009"}
    agent = {"Chassis ID": "3cec.ef00.0001", "Port ID": '"ens1f0np0"', "System Name": '"gpu1"'}
    found = Network(tmp_path, leaf(), host("gpu1", GPU), details("leaf1", "Ethernet1/1", firmware, agent))
    assert ids(found) == {LINK}
    assert not conflicts(found)


def test_the_description_names_the_port_where_its_id_does_not(tmp_path: Path) -> None:
    far = {"Port ID type": "Locally assigned (7)", "Port ID": "588", "System Name": '"gpu1"'}
    found = Network(
        tmp_path, leaf(), host("gpu1", GPU), details("leaf1", "Ethernet1/1", {**far, "Port Description": "ens1f0np0"})
    )
    assert ids(found) == {LINK}


def test_a_chassis_is_known_by_what_another_answer_called_it(tmp_path: Path) -> None:
    named = {"Chassis ID": "3cec.ef00.0001", "Port ID": '"ens1f0np0"', "System Name": '"gpu1"'}
    nameless = {"Chassis ID": "3cec.ef00.0001", "Port ID": '"ens2f0np0"'}
    told = details("leaf1", "Ethernet1/1", named), details("leaf1", "Ethernet2/1", nameless)
    found = Network(tmp_path, leaf(), host("gpu1", GPU, RAIL2), *told)
    assert ids(found) == {LINK, "gpu1:ens2f0np0 <-> leaf1:Ethernet2/1"}


def test_members_of_a_bond_that_share_an_address_are_told_apart_by_what_they_hear(tmp_path: Path) -> None:
    nics = [NicText(n, f"mlx5_{i}", pfc=(3,), trust="dscp", lag="bond0") for i, n in enumerate(("ens1f0", "ens1f1"))]
    shared = addresses("gpu1", ens1f0="b8:ce:f6:00:00:01", ens1f1="b8:ce:f6:00:00:01")
    far = {"Port ID": "b8ce.f600.0001", "System Name": '"gpu1"'}
    told = details("leaf1", "Ethernet1/1", far), details("leaf2", "Ethernet1/1", far)
    back = lldpd("gpu1", ("ens1f0", "leaf1", "Ethernet1/1"), ("ens1f1", "leaf2", "Ethernet1/1"))
    wanted = {"gpu1:ens1f0 <-> leaf1:Ethernet1/1", "gpu1:ens1f1 <-> leaf2:Ethernet1/1"}
    assert ids(Network(tmp_path / "a", leaf(), leaf("leaf2"), host("gpu1", *nics), shared, *told, back)) == wanted
    silent = Network(tmp_path / "b", leaf(), leaf("leaf2"), host("gpu1", *nics), shared, *told)
    assert silent.site.links == ()
    assert not conflicts(silent)


def test_a_bond_as_far_end_is_its_only_member(tmp_path: Path) -> None:
    nic = NicText("ens1f0", "mlx5_0", pfc=(3,), trust="dscp", lag="bond0")
    files = leaf(), host("gpu1", nic), hears("leaf1", "Et1/1 gpu1 bond0")
    assert ids(Network(tmp_path, *files)) == {"gpu1:ens1f0 <-> leaf1:Ethernet1/1"}


def test_a_loop_is_a_link_and_a_port_that_hears_itself_is_none(tmp_path: Path) -> None:
    told = hears("leaf1", "Et1/1 leaf1 Ethernet2/1", "Et2/1 leaf1 Ethernet1/1", "Et3/1 leaf1 Ethernet3/1")
    assert ids(Network(tmp_path, leaf(ports=3), told)) == {"leaf1:Ethernet1/1 <-> leaf1:Ethernet2/1"}


def test_half_a_fabric(tmp_path: Path) -> None:
    told = hears("leaf1", "Et1/1 gpu1 ens1f0np0", "Et2/1 spine9 Ethernet3", "Ma1 oob-switch 7", "Et9/1 nobody x")
    found = Network(tmp_path, leaf(), host("gpu1", GPU), told)
    assert ids(found) == {LINK}
    assert found.site.links_one_end == 1


def test_two_ports_that_hear_the_same_far_end(tmp_path: Path) -> None:
    told = hears("leaf1", "Et1/1 gpu1 ens1f0np0", "Et2/1 gpu1 ens1f0np0")
    found = Network(tmp_path, leaf(), host("gpu1", GPU), told)
    assert found.site.links == ()
    assert conflicts(found) == [
        "leaf1:Ethernet1/1 hears gpu1:ens1f0np0 by LLDP, which leaf1:Ethernet2/1 hears as well: no cable is taken from it",
    ]


def managed(name: str) -> dict[str, str]:
    return {
        path: text.replace("\nend\n", "\n") + "interface Management1\n   ip address 192.0.2.9/24\n"
        for path, text in leaf(name).items()
    }


@pytest.mark.parametrize(("port", "expected"), [("Management1", 0), ("Ethernet1/1", 2)])
def test_what_management_ports_hear_of_each_other_is_no_conflict(tmp_path: Path, port: str, expected: int) -> None:
    """Their switch passes LLDP on, so that each hears some of the others."""
    told = (
        hears("leaf1", f"{port} leaf2 {port}"),
        hears("leaf2", f"{port} leaf3 {port}"),
        hears("leaf3", f"{port} leaf1 {port}"),
    )
    found = Network(tmp_path, managed("leaf1"), managed("leaf2"), managed("leaf3"), *told)
    assert (len(conflicts(found)) >= expected) if expected else not conflicts(found)


def test_a_stale_answer_loses_against_two_that_agree(tmp_path: Path) -> None:
    told = hears("leaf1", "Et1/1 gpu1 ens1f0np0"), hears("leaf2", "Et1/1 gpu1 ens1f0np0")
    back = lldpd("gpu1", ("ens1f0np0", "leaf2", "Ethernet1/1"))
    found = Network(tmp_path, leaf(), leaf("leaf2"), host("gpu1", GPU), *told, back)
    assert ids(found) == {"gpu1:ens1f0np0 <-> leaf2:Ethernet1/1"}
    (text,) = conflicts(found)
    assert text.startswith("leaf1:Ethernet1/1 hears gpu1:ens1f0np0 by LLDP, which hears leaf2:Ethernet1/1")


def test_a_port_behind_a_switch_that_passes_lldp_on_has_no_cable(tmp_path: Path) -> None:
    told = details(
        "leaf1",
        "Ethernet1/1",
        {"Port ID": '"ens1f0np0"', "System Name": '"gpu1"'},
        {"Port ID": '"ens1f0np0"', "System Name": '"gpu2"'},
    )
    found = Network(tmp_path, leaf(), host("gpu1", GPU), host("gpu2", GPU), told)
    assert found.site.links == ()
    assert [o.kind for o in found.site.observations] == ["scope-conflict"]


def planned(found: Network) -> Iterable[tuple[str, list[tuple[str, int]]]]:
    for one in found.site.observations:
        if one.kind == "cabled-otherwise":
            yield one.text, [(Path(at.path).name, at.line) for at in one.at.at if isinstance(at, Place)]


def test_a_plan_that_agrees_adds_what_it_says_of_the_cable(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0 length_m: 7.5")
    found = Network(tmp_path, leaf(), host("gpu1", GPU), hears("leaf1", "Et1/1 gpu1 ens1f0np0"), wires)
    (link,) = found.site.links
    assert link.link.length_m.get() == 7.5
    assert not list(planned(found))


def test_lldp_counts_before_the_plan_and_the_difference_is_told(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0 length_m: 7.5", "leaf1:Ethernet2/1 gpu2:ens1f0np0")
    told = hears("leaf1", "Et1/1 gpu2 ens1f0np0", "Et2/1 gpu1 ens1f0np0")
    found = Network(tmp_path, leaf(), host("gpu1", GPU), host("gpu2", GPU), told, wires)
    assert ids(found) == {"gpu2:ens1f0np0 <-> leaf1:Ethernet1/1", "gpu1:ens1f0np0 <-> leaf1:Ethernet2/1"}
    first, second = planned(found)
    assert first[0].startswith(
        "the plan has leaf1:Ethernet1/1 and gpu1:ens1f0np0 cabled, but leaf1:Ethernet1/1 hears gpu2:"
    )
    assert first[1] == [("topology.yaml", 2), ("show_lldp_neighbors.txt", 2)]
    assert second[1] == [("topology.yaml", 3), ("show_lldp_neighbors.txt", 3)]
    assert all(link.link.length_m.value is None for link in found.site.links)


def test_a_far_end_that_was_not_read_contradicts_the_plan_by_its_name(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0")
    found = Network(tmp_path, leaf(), host("gpu1", GPU), hears("leaf1", "Et1/1 gpu9 eth0"), wires)
    assert found.site.links == ()
    assert found.site.links_one_end == 1
    assert len(list(planned(found))) == 1


@pytest.mark.parametrize("row", ["Et1/1 gpu1 some-port", "Et1/1 localhost eth0", "Et1/1 gpu1.example.net -"])
def test_what_lldp_leaves_open_the_plan_says(tmp_path: Path, row: str) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0")
    found = Network(tmp_path, leaf(), host("gpu1", GPU), hears("leaf1", row), wires)
    assert ids(found) == {LINK}
    assert not list(planned(found))


def test_the_plan_holds_where_nobody_was_heard(tmp_path: Path) -> None:
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0")
    assert ids(Network(tmp_path, leaf(), host("gpu1", GPU), hears("leaf1"), wires)) == {LINK}


FORMS = 'far_ends: ["{device} {port}", "to {device}:{port}"]\n'


@pytest.mark.parametrize("description", ["gpu1 ens1f0np0 rail1", "to gpu1:ens1f0np0", "gpu1 mlx5_0 (rack 7)"])
def test_a_naming_rule_reads_descriptions(tmp_path: Path, description: str) -> None:
    files = switch(
        "leaf1", {"Ethernet1/1": [f"description {description}", ROCE], "Ethernet2/1": ["description to server 7"]}
    )
    found = Network(tmp_path, files, host("gpu1", GPU), policy=FORMS)
    assert ids(found) == {LINK}
    assert found.site.links_one_end == 0


def test_lldp_and_the_plan_count_before_descriptions(tmp_path: Path) -> None:
    files = {
        f"leaf1/{name}": text for name, text in switch("leaf1", {"Ethernet1/1": ["description gpu2 ens1f0np0"]}).items()
    }
    named = {"leaf1/show_running-config.txt": next(iter(files.values()))}
    hosts = host("gpu1", GPU), host("gpu2", GPU)
    told = hears("leaf1", "Et1/1 gpu1 ens1f0np0")
    assert ids(Network(tmp_path / "a", named, *hosts, told, policy=FORMS)) == {LINK}
    wires = cables("leaf1:Ethernet1/1 gpu1:ens1f0np0")
    found = Network(tmp_path / "b", named, *hosts, wires, policy=FORMS)
    assert ids(found) == {LINK}
    assert not found.site.observations


@pytest.mark.parametrize("form", ["{device}", "{device}{port}", "{port} {port}", "x"])
def test_a_naming_rule_names_device_and_port(tmp_path: Path, form: str) -> None:
    with pytest.raises(PolicyError, match="device"):
        Network(tmp_path, leaf(), policy=f'far_ends: ["{form}"]\n')


def sonic(name: str, *far_ends: str) -> dict[str, str]:
    """A switch whose configuration names the far ends of its first ports, as `leaf1 Ethernet0`."""
    stated = {
        f"Ethernet{i * 8}": dict(zip(("name", "port"), far.split(), strict=True)) for i, far in enumerate(far_ends)
    }
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": name}},
        "PORT": {f"Ethernet{i * 8}": {"alias": f"etp{i + 1}", "admin_status": "up"} for i in range(4)},
        "DEVICE_NEIGHBOR": stated,
    }
    return {f"{name}/config_db.json": json.dumps(database, indent=1)}


def test_what_configurations_of_both_ends_state_counts(tmp_path: Path) -> None:
    """Whichever of the files is read first."""
    wrong, spine2 = sonic("leaf1", "spine2 Ethernet0"), sonic("spine2", "leaf2 Ethernet0")
    found = Network(tmp_path, wrong, sonic("leaf2", "spine2 Ethernet0"), spine2, sonic("spine1", "leaf1 Ethernet0"))
    assert ids(found) == {"leaf2:Ethernet0 <-> spine2:Ethernet0", "leaf1:Ethernet0 <-> spine1:Ethernet0"}
    (told,) = found.site.observations
    assert told.text == (
        "the configuration of leaf1 has leaf1:Ethernet0 cabled to spine2:Ethernet0; those of spine2 and leaf2 have "
        "spine2:Ethernet0 cabled to leaf2:Ethernet0, and that counts"
    )


def test_configured_neighbours_join_and_lldp_corrects_them(tmp_path: Path) -> None:
    both = sonic("leaf1", "leaf2 Ethernet0"), sonic("leaf2", "leaf1 etp1")
    found = Network(tmp_path / "a", *both)
    assert ids(found) == {"leaf1:Ethernet0 <-> leaf2:Ethernet0"}
    assert not found.site.observations
    table = (
        "LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n"
        "-----------  --------------  --------------  ------------  ---------------\n"
    )
    told = {
        "leaf1/show_lldp_table.txt": f"{table}Ethernet0    leaf2           etp2            BR            Ethernet8\n"
    }
    found = Network(tmp_path / "b", *both, told)
    assert ids(found) == {"leaf1:Ethernet0 <-> leaf2:Ethernet8"}
    (text, places), *_ = planned(found)
    assert text.startswith(
        "the configuration has leaf1:Ethernet0 and leaf2:Ethernet0 cabled, but leaf1:Ethernet0 hears leaf2:"
    )
    assert [name for name, _ in places] == ["config_db.json", "show_lldp_table.txt"]
