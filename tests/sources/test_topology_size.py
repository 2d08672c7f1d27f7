"""A topology file of a fleet is larger than a megabyte."""

from __future__ import annotations

from roce_audit.sources.topology import own


def test_a_large_topology_is_read() -> None:
    name = "leaf-of-the-hall-in-the-south-" * 6
    links = "".join(f"  - a: {name}{i}:Ethernet1/1\n    b: {name}{i}:Ethernet1/2\n" for i in range(3_000))
    text = "links:\n" + links
    assert len(text) > 2**20
    found = own.parse(text, "topology.yaml")
    assert len(found.links) == 3_000
    assert found.links[-1].place.line == 6_000
