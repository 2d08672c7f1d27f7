"""PFC of one port, its ingress buffers, and deadlock detection: what the statements mean together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.defaults import NO_INTERVAL, STEPS, UNKNOWN_CELL
from roce_audit.platforms.comware.maps import Maps
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_ALPHA = (
    (0, 1 / 128),
    (1, 1 / 64),
    (3, 1 / 32),
    (5, 1 / 16),
    (11, 1 / 8),
    (20, 1 / 4),
    (33, 1 / 2),
    (50, 1.0),
    (66, 2.0),
    (80, 4.0),
    (100, 8.0),
)
"""(greatest ratio in percent, alpha) of `ingress-buffer dynamic`."""
_LEAF = {
    "headroom": "headroom_bytes",
    "reserved": "reserved_bytes",
    "static": "xoff_at_bytes",
    "offset": "xon_offset_bytes",
}


def alpha(ratio: int) -> float | None:
    """The alpha of a ratio; None beyond 100 percent."""
    return next((value for most, value in _ALPHA if ratio <= most), None)


@dataclass
class Flow:
    """What the switch and the port say of flow control; what the port says comes later and counts."""

    mode: tuple[st.Mode, At] | None = None
    no_drop: tuple[tuple[int, ...], At] | None = None
    groups: dict[tuple[int, str], tuple[int, At]] = field(default_factory=dict)
    detection: tuple[bool, At] | None = None
    intervals: dict[int, At] = field(default_factory=dict)
    """CoS value -> where its detection interval is set."""
    action: tuple[str, At] | None = None
    home: tuple[At, ...] = ()
    """Where the switch would say the interval."""

    def threshold(self, said: st.Group, at: At) -> None:
        """A static threshold and a dynamic one take each other's place."""
        for priority in said.priorities:
            if said.what in ("static", "dynamic"):
                self.groups.pop((priority, "static"), None)
                self.groups.pop((priority, "dynamic"), None)
            self.groups.pop((priority, said.what), None)
            if said.amount is not None:
                self.groups[priority, said.what] = (said.amount, at)

    def settle(self, settings: Settings, maps: Maps, lack: Lack, cell: tuple[int, str], marks: bool = False) -> None:
        """Set PFC, the groups behind it, and the watchdog. `cell` is its size in bytes, and who says so; `marks`: the port has a curve.

        A part that says which priorities of a port are no-drop, that storms are looked for there, and how its queues mark shows all that
        is said of the port: the line that switches PFC on would stand among it.
        """
        if marks and self.no_drop is not None and self.no_drop[0] and self.detection is not None:
            lack = replace(lack, complete=lack.complete | {"pfc.mode"})
        mode = settings.get("pfc.mode")  # as a show command tells it
        if self.mode is not None:
            mode = known(*self.mode)
        elif mode is None:
            mode = lack.otherwise("pfc.mode")
        settings.set_cell("pfc.mode", mode)
        priorities = self._priorities(mode, settings.get("pfc.operational"), lack)
        settings.set_cell("pfc.priorities", priorities)
        self._lossless(settings, lack)
        for (priority, what), (amount, at) in self.groups.items():
            _threshold(settings, f"groups.{priority}", what, amount, at, cell)
        self._watchdog(settings, maps, lack)

    def _priorities(self, mode: Cell[Any], running: Cell[Any] | None, lack: Lack) -> Cell[Any]:
        if mode.is_unknown:
            return mode
        if mode.value == "off":
            return known(frozenset(), *mode.at)
        if self.no_drop is None:
            return lack.otherwise("pfc.priorities", *mode.at)
        listed, at = self.no_drop
        if mode.value == "auto" and listed:  # what the peers agree on is not in the configuration
            return running if running is not None else unknown(Why.NOT_VISIBLE, *mode.at)
        return known(frozenset(listed), at, *mode.at)

    def _lossless(self, settings: Settings, lack: Lack) -> None:
        """A priority that is no-drop has a headroom of its own, whether or not PFC is on."""
        if self.no_drop is None:
            return
        listed, at = self.no_drop
        for priority in range(8):
            settings.set(f"groups.{priority}.lossless", priority in listed, at)

    def _watchdog(self, settings: Settings, maps: Maps, lack: Lack) -> None:
        """It acts where it is on for the port and the interval of the CoS value is set; CoS values are local precedences."""
        if self.action is not None:
            settings.set("pfc.watchdog.action", *self.action)
        if self.detection is None or not self.detection[0]:
            if self.detection is not None:
                settings.set("pfc.watchdog.on", *self.detection)
            return
        at = self.detection[1]
        if not self.intervals:
            if lack.otherwise("pfc.watchdog.on").is_unknown:
                settings.set_cell("pfc.watchdog.on", unknown(Why.NOT_VISIBLE, at))
                return
            settings.set("pfc.watchdog.on", True, at)
            settings.set("pfc.watchdog.priorities", frozenset(), *(self.home or (at,)), Cited(NO_INTERVAL))
            return
        settings.set("pfc.watchdog.on", True, at, *self.intervals.values())
        settings.set_cell("pfc.watchdog.priorities", self._watched(maps, settings, lack))

    def _watched(self, maps: Maps, settings: Settings, lack: Lack) -> Cell[Any]:
        found: set[int] = set()
        for priority in range(8):
            queue = maps.queue_of(priority, settings, lack)
            if not queue.is_known:
                return queue
            if queue.get() in self.intervals:
                found.add(priority)
        return known(frozenset(found), *self.intervals.values())


def _threshold(settings: Settings, base: str, what: str, amount: int, at: At, cell: tuple[int, str]) -> None:
    """Cells have a size that differs by model: where it is not known, what a port must have at least cannot be held against them."""
    if what == "headroom" and amount and cell == UNKNOWN_CELL:
        settings.set_cell(f"{base}.headroom_bytes", unknown(Why.NO_DEFAULT, at))
        return
    if what == "dynamic":
        step = alpha(amount)
        settings.set_cell(
            f"{base}.alpha", unknown(Why.NOT_PARSED, at) if step is None else known(step, at, Cited(STEPS))
        )
        settings.set_cell(f"{base}.xoff_at_bytes", absent(at))
        return
    size = (Cited(cell[1]),) if amount else ()  # of no cells nobody need know the size
    settings.set(f"{base}.{_LEAF[what]}", amount * cell[0], at, *size)
    if what == "static":
        settings.set_cell(f"{base}.alpha", absent(at))
