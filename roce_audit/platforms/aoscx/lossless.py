"""Pause: lossless pools of the switch, the priorities that a port pauses, and the buffer group behind each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.aoscx.classify import PRIORITIES, Maps
from roce_audit.platforms.aoscx.defaults import (
    DYNAMIC,
    FACTORY_HEADROOM_KB,
    FIXED_POOL,
    IN_POOL,
    NO_POOL,
    PER_PRIORITY,
)
from roce_audit.platforms.aoscx.family import FIXED, POOLS
from roce_audit.records import dataclass
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Where


@dataclass
class Pauses:
    """The priorities for which a port sends pause, and those for which it obeys it."""

    sent: dict[int, At] = field(default_factory=dict)
    obeyed: dict[int, At] = field(default_factory=dict)
    removed: At | None = None
    """The line that took all of them away."""

    def take(self, said: st.Pfc, at: At) -> None:
        """`flow-control priority`, or its removal: each invocation replaces the previous configuration (Fundamentals Guide)."""
        self.obeyed = dict.fromkeys(said.obeyed, at)
        self.sent = dict.fromkeys(said.sent, at)
        self.removed = None if said.obeyed or said.sent else at

    def tell(self, settings: Settings, maps: Maps) -> None:
        """Set mode, priorities, and the group and queue behind each priority. The queues of the classes must be set before."""
        at = tuple(dict.fromkeys([*self.sent.values(), *self.obeyed.values()]))
        if not at:
            if self.removed is not None:
                settings.set("pfc.mode", "off", self.removed)
                settings.set("pfc.priorities", frozenset(), self.removed)
            return
        settings.set("pfc.mode", "on", *at)
        settings.set("pfc.priorities", frozenset(self.sent.keys() & self.obeyed.keys()), *at)
        settings.set("pfc.receive_only", frozenset(self.obeyed.keys() - self.sent.keys()), *at)
        settings.set("pfc.send_only", frozenset(self.sent.keys() - self.obeyed.keys()), *at)
        for priority in sorted(self.sent.keys() | self.obeyed.keys()):
            self._priority(settings, maps, priority)

    def _priority(self, settings: Settings, maps: Maps, priority: int) -> None:
        base, local = f"priorities.{priority}", maps.by_cos(priority)
        sent, obeyed = self.sent.get(priority), self.obeyed.get(priority)
        if sent is None:
            settings.set_absent(f"{base}.group", *filter(None, (obeyed,)))
        else:
            settings.set_cell(f"{base}.group", local)
        if obeyed is None:
            settings.set_absent(f"{base}.queue", *filter(None, (sent,)))
        elif not local.is_known:
            settings.set_cell(f"{base}.queue", local)
        else:
            queue = settings.cell(f"classes.{local.get()}.queue")
            if queue is not None:
                settings.set_cell(f"{base}.queue", queue)


@dataclass(frozen=True, slots=True)
class Pools:
    """The lossless pools of the switch: as configured, their bytes as shown, and the series of the switch."""

    configured: Mapping[int, tuple[st.Pool, At]]
    shown: Mapping[int, tuple[int, At]]
    family: str
    alpha: Cell[float]
    """Unless a port says otherwise."""
    buffers: Mapping[tuple[str, int], tuple[float, At]]
    """(leaf of a group, priority) -> what the port configures, or is shown to have."""


def groups(settings: Settings, lack: Lack, maps: Maps, pools: Pools) -> None:
    """Each local priority has a buffer group of its own; a pool makes those of its PFC priorities lossless."""
    for number in PRIORITIES:
        settings.set(f"classes.{number}.group", number, Cited(PER_PRIORITY))
    lossless: dict[int, tuple[st.Pool, At]] = {}
    for pool, at in pools.configured.values():
        for priority in pool.priorities:
            local = maps.by_cos(priority)
            if local.is_known:
                lossless[local.get()] = (pool, at)
    for number in PRIORITIES:
        if number in lossless:
            pool, at = lossless[number]
            _in_pool(settings, f"groups.{number}", pool, at)
            settings.set_cell(f"groups.{number}.alpha", pools.alpha)
            if pool.number in pools.shown:
                settings.set(f"groups.{number}.pool.size_bytes", *pools.shown[pool.number])
        elif not lack.is_complete("groups"):
            continue
        elif pools.configured or pools.family == POOLS:
            paused = _paused_at(settings, number)
            others = [at for _, at in pools.configured.values()] if paused else []
            settings.set(f"groups.{number}.lossless", False, *paused, *others, Cited(NO_POOL))
    for (leaf, priority), said in pools.buffers.items():
        local = maps.by_cos(priority)
        if local.is_known:
            settings.set(f"groups.{local.get()}.{leaf}", *said)
            if leaf == "xoff_at_bytes":
                settings.set_absent(f"groups.{local.get()}.alpha", said[1])
    if not pools.configured and pools.family == FIXED and lack.is_complete("groups"):
        _fixed(settings)


def _fixed(settings: Settings) -> None:
    """8360 and 8400: every priority with PFC has its buffer, and the configuration says nothing of it."""
    doubt = settings.unknown_at("pfc.priorities")
    for number in PRIORITIES:
        if doubt is not None:
            settings.set_cell(f"groups.{number}.lossless", doubt)
            continue
        at = _paused_at(settings, number)
        settings.set(f"groups.{number}.lossless", bool(at), *at, Cited(FIXED_POOL))


def _paused_at(settings: Settings, number: int) -> tuple[Where, ...]:
    """Where it is said that the port sends pause for what is in this group."""
    paused = settings.get("pfc.priorities")
    found = [settings.get(f"priorities.{priority}.group") for priority in PRIORITIES]
    of_group = any(cell is not None and cell.is_known and cell.get() == number for cell in found)
    return paused.at if of_group and paused is not None else ()


def _in_pool(settings: Settings, base: str, pool: st.Pool, at: Where) -> None:
    settings.set(f"{base}.lossless", True, at)
    settings.set(f"{base}.headroom_is_shared", True, at, Cited(IN_POOL))
    settings.set(f"{base}.pool.name", str(pool.number), at)
    headroom = FACTORY_HEADROOM_KB if pool.headroom is None else pool.headroom
    settings.set(f"{base}.pool.shared_headroom_bytes", headroom * st.BYTES_PER_KB, at)
    if not headroom:  # what a port may take of it is shown only; of nothing it is nothing
        settings.set(f"{base}.headroom_bytes", 0, at)
    settings.set(f"{base}.pool.mode", "dynamic", Cited(DYNAMIC))
