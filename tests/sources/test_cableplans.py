"""Plans of cables beside the inputs, whatever they are called: tables, graphs, labs, and our own form."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources.topology.cableplans import reader_of
from roce_audit.sources.topology.own import is_plan

NETBOX = """side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,status,length,length_unit
leaf1,dcim.interface,Ethernet1,leaf2,dcim.interface,Ethernet1,mmf,connected,30,m
leaf1,dcim.interface,Ethernet2,leaf2,dcim.interface,Ethernet2,mmf,planned,30,m
leaf1,dcim.interface,Ethernet3,panel1,dcim.frontport,7,mmf,connected,,
leaf1,dcim.interface,Ethernet4,leaf2,dcim.interface,Ethernet4,mmf,connected,50,ft
leaf1,dcim.interface,Ethernet5,,,,mmf,connected,,
"""
EXPORT = """ID,Label,Device A,Termination A,Device B,Termination B,Status,Length
7,x,leaf1,Ethernet1,leaf2,Ethernet1,Connected,12.5 m
"""
SHEET = "a_device;a_port;b_device;b_port;length_m;media\nleaf1;Ethernet1;leaf2;Ethernet1;3;DAC\n"
DOT = """// made by hand
graph fabric {
  graph [hostidtype="hostname"]
  "leaf1":"swp51" -- "spine1":"swp1" [left_mac="00:03:00:11:11:01"]
  leaf2:swp51 -- spine1:swp2;
  # "leaf3":"swp51" -- "spine1":"swp3"
  "leaf1" [function="leaf"]
}
"""
LAB = """name: demo
topology:
  nodes:
    leaf1: {kind: ceos}
    leaf2: {kind: ceos}
  links:
    - endpoints: ["leaf1:Ethernet1", "leaf2:Ethernet1"]
"""
OWN = "# cabling\nlinks:\n  # a comment\n  - [leaf1:Ethernet1, leaf2:Ethernet1]\n"


def links(text: str) -> list[tuple[str, str, int, float | None]]:
    reader = reader_of(text)
    assert reader is not None
    return [
        (f"{x.a.device}:{x.a.port}", f"{x.b.device}:{x.b.port}", x.place.line, x.length_m)
        for x in reader(text, "p").links
    ]


def test_a_table_of_netbox() -> None:
    first, second = links(NETBOX)
    assert first == ("leaf1:Ethernet1", "leaf2:Ethernet1", 2, 30)
    assert second == ("leaf1:Ethernet4", "leaf2:Ethernet4", 5, pytest.approx(15.24))


@pytest.mark.parametrize(("text", "length"), [(EXPORT, 12.5), (SHEET, 3)])
def test_other_tables(text: str, length: float) -> None:
    assert links(text) == [("leaf1:Ethernet1", "leaf2:Ethernet1", 2, length)]


@pytest.mark.parametrize(
    "headings",
    [
        "device_a,port_a,device_b,port_b,length_m",
        "Local Switch,Local Port,Remote Switch,Remote Port,Length",
        "from_device,from_port,to_device,to_port,cable length (m)",
        "Device A,Port A,Device Z,Port Z,Length",
        "host1,port1,host2,port2,length",
        "Source Device,Source Interface,Destination Device,Destination Interface,Length (m)",
        "local_hostname,local_intf,peer_hostname,peer_intf,length_m",
    ],
)
def test_headings_as_people_write_them(headings: str) -> None:
    assert links(f"{headings}\nleaf1,Ethernet1,leaf2,Ethernet1,3\n") == [("leaf1:Ethernet1", "leaf2:Ethernet1", 2, 3)]


@pytest.mark.parametrize(
    "headings",
    [
        "source_host,source_port,destination_host,destination_port,protocol",
        "src_host,src_port,dst_host,dst_port,protocol",
        "local_host,local_port,remote_host,bytes,length",
        "device,port,host,interface,length",
        "device_a,port_a,device_b,port_b,port_b",
    ],
)
def test_headings_of_other_tables(headings: str) -> None:
    assert reader_of(f"{headings}\nleaf1,Ethernet1,leaf2,Ethernet1,3\n") is None


def test_a_graph_of_ptm() -> None:
    assert links(DOT) == [("leaf1:swp51", "spine1:swp1", 4, None), ("leaf2:swp51", "spine1:swp2", 5, None)]


@pytest.mark.parametrize("text", [NETBOX, EXPORT, SHEET, DOT, LAB, OWN])
def test_plans_are_known_by_what_is_in_them(text: str) -> None:
    assert is_plan(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "links:\n  - [r1, r2]\n",
        "topology: {}\n",
        "device_a,device_b\nx,y\n",
        "graph TD\n  a --> b\n",
        "graph g { a -- b }\n",
        "hostname leaf1\ninterface Ethernet1\n",
    ],
)
def test_other_files_are_none(text: str) -> None:
    assert not is_plan(text)


SWITCH = "! Command: show running-config\nhostname {name}\n" + "".join(
    f"interface Ethernet{i}\n   mtu 9214\n" for i in range(1, 7)
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cables.csv", SHEET),
        ("demo.clab.yml", LAB),
        ("wiring.yaml", OWN),
        ("fabric.dot", DOT.replace("swp51", "Ethernet1").replace("spine1", "leaf2").replace("swp1", "Ethernet1")),
    ],
)
def test_a_plan_beside_the_inputs_is_taken_without_being_named(tmp_path: Path, name: str, text: str) -> None:
    for device in ("leaf1", "leaf2"):
        (tmp_path / f"{device}.cfg").write_text(SWITCH.format(name=device) + "end\n")
    (tmp_path / name).write_text(text)
    found = check(Request((str(tmp_path),), Policy.empty(), rules=()))
    assert [link.id for link in found.site.links] == ["leaf1:Ethernet1 <-> leaf2:Ethernet1"]
    assert Path(found.site.links[0].place.path).name == name
    assert not found.report.coverage.unrecognised


def test_two_plans_that_say_the_same_are_one(tmp_path: Path) -> None:
    for device in ("leaf1", "leaf2"):
        (tmp_path / f"{device}.cfg").write_text(SWITCH.format(name=device) + "end\n")
    (tmp_path / "cables.csv").write_text(SHEET)
    (tmp_path / "topology.yaml").write_text(OWN)
    found = check(Request((str(tmp_path),), Policy.empty(), rules=()))
    assert len(found.site.links) == 1
    assert not found.site.observations


def test_a_hundred_thousand_cables_are_read_in_linear_time() -> None:
    def seconds(count: int) -> float:
        rows = "".join(f"leaf{i % 900};Ethernet{i};spine{i % 90};Ethernet{i};3;x\n" for i in range(count))
        begin = time.process_time()
        assert len(links(SHEET.partition("\n")[0] + "\n" + rows)) == count
        return time.process_time() - begin

    comments = "  # a comment of no graph\n" * 5_000
    assert not is_plan(comments)
    assert seconds(100_000) < 30 * max(seconds(10_000), 0.05)
