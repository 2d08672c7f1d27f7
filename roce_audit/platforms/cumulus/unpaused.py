"""What makes sense with PFC alone, on a switch of which no port has any: a lossless pool, a group that no list names, a watchdog."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.cumulus.datastore import Datastore
from roce_audit.platforms.cumulus.table import LOSSLESS_POOLS, TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Place


def unpaused(store: Datastore, ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Such settings while every port is known to have no PFC, in neither direction."""
    flows = [(port.name, port.facts.pfc.value) for port in ports if port.facts.kind.value in ("ethernet", "lag")]
    for _, pfc in flows:
        directions = (pfc.priorities, pfc.receive_only, pfc.send_only) if pfc is not None else ()
        if not directions or any(cell.value != frozenset() for cell in directions):
            return
    names = tuple([port for port, _ in flows])
    yield from [*_pools(store, names), *_groups(store, names)] or _watched(ports)


def _pools(store: Datastore, ports: tuple[str, ...]) -> Iterator[Seen]:
    """Memory that is kept for lossless traffic."""
    for name in LOSSLESS_POOLS:
        for entry in store.entries("traffic-pool", name):
            said = TABLE.parse("traffic-pool", entry.text).value
            if ports and isinstance(said, Leaf) and said.name == "memory-percent" and said.value:
                text = f"traffic pool {name} keeps {said.value} percent of the memory for lossless traffic, and PFC is on for no port"
                yield seen("unpaused", name, text, entry.place, entry.quote, ports)
                break


def _groups(store: Datastore, ports: tuple[str, ...]) -> Iterator[Seen]:
    """Groups with ports of their own that `pfc.port_group_list` does not name; one that it names and nobody defines is told by its name."""
    if any(group.kind == "pfc" for group in store.groups):
        return
    for group in store.left_out:
        if group.family == "pfc":
            text = f"port group {group.name} sets PFC up for {group.ports}, and no pfc.port_group_list names it: PFC is on for no port"
            yield seen("unpaused", group.name, text, group.place, group.quote, ports)


def _watched(ports: Sequence[PortReading]) -> Iterator[Seen]:
    """A watchdog for queues that no pause can stop: a mode without PFC was left there, or PFC was taken away (NVIDIA Cumulus Linux
    User Guide, Quality of Service, PFC Watchdog: it watches lossless queues)."""
    places: dict[str, Place] = {}
    for port in ports:
        pfc = port.facts.pfc.value_or_none()
        watchdog = pfc.watchdog.value_or_none() if pfc is not None else None
        said = [at for at in watchdog.on.at if isinstance(at, At)] if watchdog is not None and watchdog.on.value else []
        place = resolve(said[0], port.parts) if said else None
        if isinstance(place, Place):
            places[port.name] = place
    if places:
        text = (
            f"the PFC watchdog is on for {len(places)} port{'s' if len(places) > 1 else ''}, and PFC is on for no port"
        )
        yield seen("unpaused", "pfc-watchdog", text, next(iter(places.values())), "pfc-watchdog", tuple(places))
