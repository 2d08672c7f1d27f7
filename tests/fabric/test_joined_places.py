"""What is joined is shared by ports with the same facts; each of them shows its own lines, and those of its own far end."""

from __future__ import annotations

from pathlib import Path

import pytest
from fabric_samples import ROCE, Network, NicText, cables, host, switch

from roce_audit.fabric.port import FabricPort
from roce_audit.text.block import resolve
from roce_audit.values import HERE, THERE, Cell, Place

NIC = NicText("ens1f0np0", rdma="mlx5_0", pfc=(3,), trust="dscp")
PORTS = {"Ethernet1": [ROCE], "Ethernet2": [ROCE]}


@pytest.fixture
def network(tmp_path: Path) -> Network:
    wired = cables(*(f"leaf{n}:Ethernet1 host{n}:ens1f0np0" for n in (1, 2)))
    hosts = (host("host1", NIC), host("host2", NIC))
    return Network(tmp_path, switch("leaf1", PORTS), switch("leaf2", PORTS, "! one line more\n"), *hosts, wired)


def _lines(port: FabricPort, cell: Cell[object]) -> list[Place]:
    assert cell.at
    return list(port.places(cell.at))


def test_ports_with_the_same_facts_share_what_follows_and_show_their_own_lines(network: Network) -> None:
    one, other = (network.port(f"leaf{n}:Ethernet1") for n in (1, 2))
    assert one.joined is not None
    assert other.joined is not None
    assert one.joined.peer_routed is other.joined.peer_routed
    for number, port in enumerate((one, other), 1):
        assert port.peer is not None
        assert port.joined is not None
        assert _lines(port, port.joined.peer_routed) == [port.peer.reading.header]
        assert _lines(port, port.joined.similar_ports) == [port.reading.header]
        for place in _lines(port, port.joined.carries_roce):
            assert f"host{number}" in place.path
            assert Path(place.path).read_text(encoding="utf-8").splitlines()[place.line - 1].strip()


def test_a_nic_shows_the_lines_of_the_switch_port_before_it(network: Network) -> None:
    for number in (1, 2):
        nic = network.port(f"host{number}:ens1f0np0")
        assert nic.joined is not None
        assert (nic.joined.carries_roce.value, nic.joined.rank.value) == (True, "cabling")
        places = _lines(nic, nic.joined.carries_roce)
        assert {Path(place.path).name for place in places} == {f"leaf{number}.cfg"}
        assert nic.peer is not None
        assert nic.peer.reading.header in places


def test_a_saved_configuration_of_one_switch_says_nothing_of_its_like(tmp_path: Path) -> None:
    (text,) = switch("leaf1", {"Ethernet1": [ROCE]}).values()
    saved = {"leaf1.startup.cfg": text.replace("show running-config", "show startup-config")}
    network = Network(tmp_path, switch("leaf1", PORTS), saved, switch("leaf2", PORTS))
    one, other = (network.port(f"leaf{n}:Ethernet2").joined for n in (1, 2))
    assert one is not None
    assert other is not None
    assert one.unsaved.value == ("the port is not in the saved configuration",)
    assert other.unsaved.is_absent


def test_what_only_a_port_knows_the_place_of_is_no_line_of_a_reading() -> None:
    for where in (HERE, THERE):
        with pytest.raises(TypeError):
            resolve(where, ())
