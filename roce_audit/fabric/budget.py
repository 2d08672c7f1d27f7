"""The buffer of a switch as a budget: what the headroom of all its lossless groups takes of it, and what one priority more would."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from roce_audit.fabric.port import FabricPort, by_facts
from roce_audit.model import PriorityGroup
from roce_audit.records import dataclass
from roce_audit.values import Cell, Place, Why, known, unknown


@dataclass(frozen=True, slots=True)
class Budget:
    """Headroom of the lossless groups of the ports of one switch that are not shut, in bytes."""

    ports: int
    groups: int
    dedicated_bytes: int
    """Kept for single groups."""
    claimed_bytes: int
    """What groups may take of shared pools of headroom, of which each pool holds less."""
    pool_bytes: int | None
    """The shared pools of headroom; None where nothing shows how large one of them is."""
    unprinted: int
    """Groups whose headroom the switch computes or nothing shows: they are in none of the sums."""
    another_bytes: int
    """What one lossless priority more on the same ports would keep for itself: as much as the largest group of each port."""
    at: tuple[Place, ...]
    """Where the headroom of a group is written, first of all the largest."""

    @property
    def kept_bytes(self) -> int:
        """What is not there for anything else."""
        return self.dedicated_bytes + (self.pool_bytes or 0)


def budget(ports: Iterable[FabricPort]) -> Budget:
    """The budget of the ports of one switch."""
    pools: dict[tuple[str, int | None], int | None] = {}
    counted = groups = dedicated = claimed = unprinted = another = 0
    largest: tuple[int, tuple[Place, ...]] = (0, ())
    for alike in by_facts(ports):
        lossless = _lossless(alike[0])
        own = 0
        for group in lossless:
            size = group.headroom_bytes
            if not size.is_known:
                unprinted += len(alike)
                continue
            if group.headroom_is_shared.or_else(False):
                claimed += size.get() * len(alike)
                pool = group.pool.value_or_none()
                holds = pool.shared_headroom_bytes.value_or_none() if pool is not None else None
                pools[pool.name.or_else("") if pool is not None else "", holds] = holds
            else:
                dedicated += size.get() * len(alike)
                own = max(own, size.get())
            if size.get() > largest[0]:
                largest = size.get(), alike[0].places(size.at)
        counted += len(alike) if lossless else 0
        groups += len(lossless) * len(alike)
        another += own * len(alike)
    sizes = [size for size in pools.values() if size is not None]
    shared = sum(sizes) if len(sizes) == len(pools) else None
    return Budget(counted, groups, dedicated, claimed, shared, unprinted, another, largest[1])


def _lossless(port: FabricPort) -> Sequence[PriorityGroup]:
    """The groups of a port of a switch that pause before they overflow; none of a port that is shut."""
    facts = port.reading.facts
    is_shut = facts.admin_up.is_known and not facts.admin_up.get()
    if port.is_nic or facts.kind.or_else("other") != "ethernet" or is_shut:
        return ()
    groups: Iterable[PriorityGroup] = facts.groups.or_else(())
    return [group for group in groups if group.lossless.or_else(False)]


def kept(found: Budget) -> Cell[int]:
    """What is known to be kept for headroom."""
    return known(found.kept_bytes, *found.at)


def kept_besides(found: Budget) -> Cell[int]:
    """What is kept besides: nothing, or nobody knows how much."""
    is_seen = not found.unprinted and found.pool_bytes is not None
    return known(0) if is_seen else unknown(Why.NOT_VISIBLE)
