"""Lossless buffers: traffic pools of the switch, or groups of the ports that are set by hand (advanced buffer management)."""

from __future__ import annotations

from dataclasses import dataclass, field

from roce_audit.platforms.onyx import statements as st
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cited, Why, known, unknown

_UNBOUND = 0
_IN_GROUP_0 = (
    "Onyx, advanced buffer management: what is bound to no group is in group 0, which is lossy (source: unverified)"
)
_DYNAMIC = "Onyx: with a shared part the group pauses when its share of the pool is used up"


@dataclass
class _TrafficPool:
    """One traffic pool: its type, and the switch-priorities that were mapped to it."""

    kind: tuple[str, At] | None = None
    priorities: dict[int, At] = field(default_factory=dict)
    empty: At | None = None
    """Where it is said that it has nothing of the memory."""


@dataclass
class Buffers:
    """What the statements of the switch and of one port say of buffers."""

    traffic_pools: dict[str, _TrafficPool] = field(default_factory=dict)
    advanced: tuple[bool, At] | None = None
    pools: dict[str, tuple[st.Pool, At]] = field(default_factory=dict)
    bound: dict[int, tuple[int, At]] = field(default_factory=dict)
    """Switch-priority -> group."""
    groups: dict[int, tuple[st.GroupBuffer, At]] = field(default_factory=dict)

    def traffic_pool(self, said: st.TrafficPool, at: At) -> None:
        """One statement about a traffic pool."""
        pool = self.traffic_pools.setdefault(said.name, _TrafficPool())
        if said.kind is not None:
            pool.kind = (said.kind, at)
        if said.memory:
            pool.empty = at if said.memory != "auto" and not float(said.memory) else None
        for priority in said.priorities:
            for other in self.traffic_pools.values():
                other.priorities.pop(priority, None)
            pool.priorities[priority] = at

    def lossless(self) -> dict[int, tuple[At, ...]]:
        """Switch-priority -> the statements that put it into a lossless traffic pool."""
        found: dict[int, tuple[At, ...]] = {}
        for pool in self.traffic_pools.values():
            if pool.kind is not None and pool.kind[0] == "lossless" and pool.empty is None:
                found |= {priority: (at, pool.kind[1]) for priority, at in pool.priorities.items()}
        return found

    def settle(self, settings: Settings, roce_at: At | None, paused: frozenset[int], lack: Lack) -> None:
        """Put the groups; `roce_at` is the statement that chose the lossless RoCE mode, `paused` the priorities with PFC."""
        if self.advanced is not None and self.advanced[0]:
            self._by_hand(settings, self.advanced[1])
            self._unbound(settings, paused, lack)
            return
        if roce_at is not None and not self.traffic_pools:
            settings.set("groups.3.lossless", True, roce_at)
        lossless = self.lossless()
        for priority, at in lossless.items():
            settings.set(f"groups.{priority}.lossless", True, *at)
        for pool in self.traffic_pools.values():
            for priority, where in pool.priorities.items():
                path = f"groups.{priority}.lossless"
                if pool.empty is not None:
                    lossy = known(False, pool.empty, where)
                else:
                    lossy = lack.otherwise(path, where) if pool.kind is None else known(False, where, pool.kind[1])
                if priority not in lossless and lossy.is_known:
                    settings.set_cell(path, lossy)
        mapped = {priority for pool in self.traffic_pools.values() for priority in pool.priorities}
        for priority in paused - mapped if lossless else ():  # the pool that was meant for it takes others
            path = f"groups.{priority}.lossless"
            taken = [at[0] for at in lossless.values()]
            is_slip = paused.isdisjoint(lossless)  # no other part of the configuration has a pool for each of them
            settings.set_cell(path, known(False, *taken) if is_slip else lack.otherwise(path, *taken))
            if is_slip:
                settings.set(f"priorities.{priority}.group", priority, *taken)
        if roce_at is None and not self.traffic_pools:
            # the switch then makes room for paused priorities by itself; nothing says how
            for priority in paused:
                settings.forbid_default(f"groups.{priority}.lossless", Why.NO_DEFAULT)

    def _by_hand(self, settings: Settings, at: At) -> None:
        for number in range(8):
            settings.forbid_default(f"groups.{number}.lossless", Why.NO_DEFAULT)  # no line says anything of this group
            for path in (f"classes.{number}.group", f"priorities.{number}.group"):
                bound = self.bound.get(number)
                if bound is None:
                    settings.forbid_default(path, Why.NO_DEFAULT, at)
                else:
                    settings.set(path, bound[0], bound[1])
        for number, (group, where) in self.groups.items():
            self._group(settings, f"groups.{number}", group, where)

    def _unbound(self, settings: Settings, paused: frozenset[int], lack: Lack) -> None:
        """A paused priority that is bound to no group, on a port whose lossless groups are bound to others."""
        given = {number for number, (group, _) in self.groups.items() if group.kind == "lossless"}
        others = tuple(at for number, at in self.bound.values() if number in given)
        if not others or lack.otherwise("pfc.priorities").is_unknown:
            return
        for priority in paused - self.bound.keys():
            for path in (f"classes.{priority}.group", f"priorities.{priority}.group"):
                settings.set(path, _UNBOUND, *others, Cited(_IN_GROUP_0))
            if _UNBOUND not in self.groups:
                settings.set(f"groups.{_UNBOUND}.lossless", False, *others, Cited(_IN_GROUP_0))

    def _group(self, settings: Settings, path: str, group: st.GroupBuffer, at: At) -> None:
        settings.set(f"{path}.lossless", group.kind == "lossless", at)
        if group.reserved is not None:
            settings.set(f"{path}.reserved_bytes", group.reserved, at)
        if group.xon is not None:
            settings.set(f"{path}.xon_at_bytes", group.xon, at)
        if group.alpha is not None:
            settings.set(f"{path}.alpha", group.alpha, at)
            settings.set_absent(f"{path}.xoff_at_bytes", at, Cited(_DYNAMIC))
        settings.set(f"{path}.pool.name", group.pool, at)
        pool = self.pools.get(group.pool)
        if pool is None:
            settings.set_cell(f"{path}.pool.size_bytes", unknown(Why.NOT_VISIBLE, at))
            return
        said, where = pool
        if said.size is not None:
            settings.set(f"{path}.pool.size_bytes", said.size, where)
        if said.mode is not None:
            settings.set(f"{path}.pool.mode", said.mode, where)
