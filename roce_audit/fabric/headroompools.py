"""Shared headroom: what all ports of a switch together may take of one pool."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Pool, PriorityGroup
from roce_audit.values import Cell, Why, known, unknown


def claims(ports: FabricPorts) -> Mapping[str, Cell[int]]:
    """Port id -> bytes of headroom that the groups of all ports of its switch may take of its pool; at least so many.

    Ports that are shut take nothing. The pool of a switch is the same for all its ports where its name and size are.
    """
    found: dict[tuple[str, str, int], int] = defaultdict(int)
    pools: dict[FabricPort, tuple[tuple[str, str, int], Pool]] = {}
    for alike in ports.alike:
        drawing = list(_drawing(alike[0]))
        for port in alike if drawing else ():
            for group, pool in drawing:
                key = (port.device.name, pool.name.or_else(""), pool.shared_headroom_bytes.get())
                found[key] += group.headroom_bytes.get()
                pools[port] = key, pool
    told = {
        port.id: known(found[key], *port.absolute(pool.shared_headroom_bytes.at)) for port, (key, pool) in pools.items()
    }
    return _in_doubt(ports) | told


def _in_doubt(ports: FabricPorts) -> dict[str, Cell[int]]:
    """The ports whose pool has a size that was not understood."""
    found: dict[str, Cell[int]] = {}
    for alike in ports.alike:
        groups: Iterable[PriorityGroup] = () if alike[0].is_nic else alike[0].reading.facts.groups.or_else(())
        for group in groups:
            pool = group.pool.value_or_none()
            size = pool.shared_headroom_bytes if pool is not None and group.lossless.or_else(False) else None
            if size is not None and size.why is Why.NOT_PARSED:
                for port in alike:
                    found[port.id] = unknown(Why.NOT_PARSED, *port.absolute(size.at))
    return found


def _drawing(port: FabricPort) -> Iterator[tuple[PriorityGroup, Pool]]:
    """The groups of a port of a switch that is not shut whose headroom comes from a shared pool of a known size."""
    facts = port.reading.facts
    is_shut = facts.admin_up.is_known and not facts.admin_up.get()
    if port.is_nic or facts.kind.or_else("other") != "ethernet" or is_shut:
        return
    groups: Iterable[PriorityGroup] = facts.groups.or_else(())
    for group in groups:
        pool = group.pool.value_or_none()
        if pool is None or not pool.shared_headroom_bytes.is_known or not group.headroom_bytes.is_known:
            continue
        if group.headroom_is_shared.or_else(False) and group.lossless.or_else(False):
            yield group, pool
