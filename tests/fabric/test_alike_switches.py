"""Switches that others are like: circles are looked for among a few of each kind, and are as long as among all of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roce_audit.fabric.traffic.cycles import pause_cycle
from roce_audit.fabric.traffic.givenpaths import GivenPaths
from roce_audit.fabric.traffic.routes import Routes
from roce_audit.fabric.traffic.routingtables import RoutingTables
from roce_audit.fabric.traffic.ways import Ways
from roce_audit.values import known


class End(SimpleNamespace):
    """A port that stands for itself alone, whatever is known of it."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__


LOSSLESS: Any = SimpleNamespace(of=lambda facts, cls: SimpleNamespace(pfc_on=known(True)))
KINDS = st.lists(st.tuples(st.integers(1, 5), st.frozensets(st.integers(0, 5), min_size=1)), min_size=2, max_size=5)
"""For each kind of leaf how many there are, and the kinds of spine that each of them has a cable to."""
SPINES = st.lists(st.integers(1, 4), min_size=6, max_size=6)
"""How many spines there are of each kind."""


def port(device: Any, far: str) -> Any:
    labels = SimpleNamespace(peer_link=False, routed=True, addresses=())
    reading = SimpleNamespace(labels=labels, facts=None, header=f"{device.name} to {far}")
    roce = SimpleNamespace(rank="port_config", carries=True)
    return End(device=device, id=f"{device.name}:{far}", is_nic=False, roce=roce, reading=reading)


def links_of(kinds: list[tuple[int, frozenset[int]]], spines: list[int]) -> list[Any]:
    devices: dict[str, Any] = {}

    def end(name: str, far: str) -> Any:
        return port(devices.setdefault(name, SimpleNamespace(name=name)), far)

    return [
        SimpleNamespace(a=end(leaf, spine), b=end(spine, leaf), joins_a_pair=False)
        for kind, (count, above) in enumerate(kinds)
        for leaf in (f"leaf{kind}-{number}" for number in range(count))
        for spine in (f"spine{group}-{number}" for group in sorted(above) for number in range(spines[group]))
    ]


def circle_of(links: list[Any], *, layers_known: bool) -> int:
    names = {end.device.name for link in links for end in (link.a, link.b)}
    layer_of = {name: 1 if name.startswith("leaf") else 2 for name in names} if layers_known else {}
    ways = Ways(Routes(links, layer_of), RoutingTables(()), GivenPaths(()), {})
    found = pause_cycle((SimpleNamespace(),), links, layer_of, LOSSLESS, ways, whole=True).circle  # type: ignore[arg-type]
    return found.get().count("->") if found.is_known else 0


@given(KINDS, SPINES, st.booleans())
def test_the_circle_is_as_long_as_among_all_switches(
    kinds: list[tuple[int, frozenset[int]]], spines: list[int], layers_known: bool
) -> None:
    links = links_of(kinds, spines)
    few = circle_of(links, layers_known=layers_known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Routes, "of_different", lambda self: self)
        assert circle_of(links, layers_known=layers_known) == few


def test_hundreds_of_alike_switches_cost_as_much_as_three() -> None:
    links = links_of([(300, frozenset({0})), (300, frozenset({0, 1})), (300, frozenset({1}))], [4, 4, 0, 0, 0, 0])
    names = {end.device.name for link in links for end in (link.a, link.b)}
    few = Routes(links, {name: 1 if name.startswith("leaf") else 2 for name in names}).of_different()
    assert {link.a.device.name for link in few.links} == {f"leaf{kind}-{n}" for kind in range(3) for n in range(3)}
    assert len(few.links) == 9 * 3 + 3 * 3
