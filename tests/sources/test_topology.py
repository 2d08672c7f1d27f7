"""The own topology file."""

from __future__ import annotations

import pytest

from roce_audit.sources.topology import End, TopologyError, TopologyLink, TopologyRole, parse
from roce_audit.values import Place

_TEXT = """links:
  - [leaf1:Ethernet1/1, host1:ens1f0np0]
  - {a: "leaf1:et-0/0/0:1", b: spine1:Ethernet3, length_m: 30, roce: true}
roles: {leaf1: leaf}
"""


def test_both_forms_of_a_link() -> None:
    found = parse(_TEXT, "topology.yaml")
    assert found.links == (
        TopologyLink(End("leaf1", "Ethernet1/1"), End("host1", "ens1f0np0"), Place("topology.yaml", 2)),
        TopologyLink(End("leaf1", "et-0/0/0:1"), End("spine1", "Ethernet3"), Place("topology.yaml", 3), 30.0, True),
    )
    assert found.roles == {"leaf1": TopologyRole("leaf", Place("topology.yaml", 4))}


def test_an_empty_file_has_no_links() -> None:
    assert parse("", "t").links == ()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("links:\n- [a:1]", 2, "two ends"),
        ("links:\n- [a:1, b]", 2, "device:port"),
        ("links:\n-\n  - a:1\n  - b", 4, "device:port"),
        ("links:\n- {a: a:1, b: b:1,\n   lenght_m: 3}", 3, "'length_m'"),
        ("links:\n- {a: a:1, b: b:1,\n   length_m: -3}", 3, "length_m"),
        ("links:\n- {a: a:1, b: b:1,\n   length_m: '3'}", 3, "length_m"),
        ("links:\n- [a:1, a:1]", 2, "same port"),
        ("\nlink: []", 2, "'links'"),
        ("- x", 1, "dictionary"),
        ("links: [\n", 2, "expected"),
        ("links: []\nlinks: []", 2, "second time"),
        ("roles: {leaf1: 3}", 1, "leaf1"),
    ],
)
def test_errors_name_the_line(text: str, line: int, words: str) -> None:
    with pytest.raises(TopologyError) as caught:
        parse(text, "t")
    assert [(place.line, words in clause) for place, clause in caught.value.errors] == [(line, True)], str(caught.value)
