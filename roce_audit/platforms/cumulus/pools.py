"""The pools of buffer memory: a lossless one that no port's PFC draws from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.cumulus.datastore import Datastore
from roce_audit.platforms.cumulus.table import LOSSLESS_POOLS, TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.statements.rows import Leaf


def unpaused(store: Datastore, ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Memory that is kept for lossless traffic while every port is known to have no PFC, in neither direction."""
    flows = [(port.name, port.facts.pfc.value) for port in ports if port.facts.kind.value in ("ethernet", "lag")]
    for _, pfc in flows:
        directions = (pfc.priorities, pfc.receive_only, pfc.send_only) if pfc is not None else ()
        if not directions or any(cell.value != frozenset() for cell in directions):
            return
    for name in LOSSLESS_POOLS:
        for entry in store.entries("traffic-pool", name):
            said = TABLE.parse("traffic-pool", entry.text).value
            if flows and isinstance(said, Leaf) and said.name == "memory-percent" and said.value:
                text = f"traffic pool {name} keeps {said.value} percent of the memory for lossless traffic, and PFC is on for no port"
                yield seen("unpaused", name, text, entry.place, entry.quote, tuple([port for port, _ in flows]))
                break
