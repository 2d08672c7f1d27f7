"""A stanza whose header is misspelt is told, and its lines are not taken for those of the stanza before."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

PLATFORMS = Path(__file__).parents[2] / "roce_audit/platforms"
BASES = {
    "nxos": "leaf1.cfg",
    "eos": "leaf1.cfg",
    "os10": "leaf1.cfg",
}


def read(name: str, text: str) -> DeviceReading:
    return platform(name).read(DeviceInput("leaf1", name, (Document("leaf1.cfg", text),)))


@pytest.mark.parametrize("name", BASES)
def test_a_misspelt_header_is_told_and_changes_no_other_port(name: str) -> None:
    text = (PLATFORMS / name / "examples/base" / BASES[name]).read_text(encoding="utf-8")
    lines = text.split("\n")
    headers = [i for i, line in enumerate(lines) if line.lower().startswith("interface ethernet")]
    wrong = headers[1]
    whole = read(name, text)
    lines[wrong] = lines[wrong].replace("interface", "interfac")
    damaged = read(name, "\n".join(lines))
    assert wrong + 1 in {s.place.line for s in damaged.seen if s.observation.kind == "unread-line"}
    port = next(one for one in damaged.ports if one.name == whole.ports[1].name)
    assert port.facts.pfc.is_unknown
    assert port.facts.ip_mtu_bytes.is_unknown
    assert port.facts.queues.is_unknown
    (at,) = port.facts.ip_mtu_bytes.at
    assert resolve(at, port.parts) == Place("leaf1.cfg", wrong + 1)
    assert damaged.ports[0].name == whole.ports[0].name
    assert damaged.ports[0].facts == whole.ports[0].facts


@pytest.mark.parametrize("header", ["interfac Vlan10", "interfac loopback0", "interfac mgmt0"])
@pytest.mark.parametrize("name", BASES)
def test_an_interface_that_carries_no_data_is_no_port_because_of_a_slip(name: str, header: str) -> None:
    text = (PLATFORMS / name / "examples/base" / BASES[name]).read_text(encoding="utf-8")
    assert [port.name for port in read(name, f"{text}\n{header}\n  mtu 1500\n").ports] == [
        port.name for port in read(name, text).ports
    ]


@pytest.mark.parametrize(
    ("name", "header", "first"),
    [
        ("os10", "interface range ethernet1/1/1:1-1/1/32", "ethernet1/1/1:1"),
        ("nxos", "interface Ethernet1/1-2/4", "Ethernet1/1"),
        ("eos", "interface Ethernet1/1-2/3", "Ethernet1/1"),
    ],
)
def test_a_range_whose_ends_do_not_fit_leaves_the_port_unknown_at_which_it_begins(
    name: str, header: str, first: str
) -> None:
    reading = read(name, f"hostname leaf1\n{header}\n priority-flow-control mode on\n")
    assert [port.name for port in reading.ports] == [first]
    assert reading.ports[0].facts.pfc.is_unknown
    assert [seen.observation.kind for seen in reading.seen] == ["unread-line"]


def test_a_range_that_is_in_doubt_splits_no_port() -> None:
    ports = "interface Ethernet1/4\n  mtu 9216\n"
    reading = read("nxos", f"hostname leaf1\n{ports}interface Ethernet1/4/1-1/5/2\n  mtu 9216\n")
    kinds = {port.name: port.facts.kind.or_else("other") for port in reading.ports}
    assert kinds["Ethernet1/4"] == "ethernet"


def test_a_sentence_about_an_interface_is_no_misspelt_header() -> None:
    page = "It gets an address on its management\ninterface, but never starts it\n\nhostname leaf1\ninterface Ethernet1/1\n   mtu 9214\n"
    told = [seen.observation.kind for seen in read("eos", page).seen]
    assert "unread-line" not in told
    slip = page.replace("interface, but never starts", "interfcae Ethernet1/2 ")
    assert "unread-line" in [seen.observation.kind for seen in read("eos", slip).seen]
