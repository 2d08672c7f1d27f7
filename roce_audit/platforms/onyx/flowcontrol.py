"""PFC of a port from the three places where Onyx says it, and what the RoCE mode of the switch brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.onyx import statements as st
from roce_audit.platforms.onyx.defaults import ROCE_MODE
from roce_audit.platforms.onyx.queues import curve, queue_of, scheduling
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, known, unknown

PRIORITY = 3
"""The switch-priority of RoCE in every RoCE mode."""
_CNP = 6
_SHARE = 50
_CURVE = st.Curve("ecn", (150, "kbytes"), (1500, "kbytes"))
_TEMPLATE = Cited(f"{ROCE_MODE}, show roce")


@dataclass(frozen=True)
class RoceMode:
    """`roce`: the template that the switch lays under all other statements.

    The manual's `show roce` prints the values of the lossless mode. Of the others it says only what they do to PFC.
    """

    said: tuple[str | None, At] | None = None

    @property
    def mode(self) -> str | None:
        """The mode that is on; None for none."""
        return None if self.said is None else self.said[0]

    @property
    def at(self) -> At | None:
        """The statement that chose the mode; None where no mode is on."""
        return self.said[1] if self.said is not None and self.said[0] is not None else None

    @property
    def lossless_at(self) -> At | None:
        """The statement that chose the lossless mode; None where another mode or none is on."""
        return self.at if self.mode == "lossless" else None

    def settle(self, settings: Settings) -> None:
        """Put what is documented of the mode, and forbid defaults where it may set what is not."""
        at = self.at
        if at is None:
            return
        settings.forbid_default("pfc.watchdog.on", Why.NO_DEFAULT, at)
        for number in range(8):
            for path in ("classes.{}.queue", "priorities.{}.queue", "queues.{}.ecn", "queues.{}.scheduling"):
                settings.forbid_default(path.format(number), Why.NO_DEFAULT, at)
        if self.mode != "lossless":
            settings.forbid_default("trust", Why.NO_DEFAULT, at)
            return
        for number in (PRIORITY, _CNP):
            queue_of(settings, number, number, at, _TEMPLATE)
        curve(settings, f"queues.{PRIORITY}.ecn", _CURVE, at, _TEMPLATE)
        scheduling(settings, f"queues.{PRIORITY}", st.Scheduling("weighted", _SHARE), at, _TEMPLATE)
        scheduling(settings, f"queues.{_CNP}", st.Scheduling("strict"), at, _TEMPLATE)
        settings.set("trust", "dscp", at)


@dataclass
class FlowControl:
    """What was said of PFC: on for the switch, for which priorities, and the mode of this port."""

    enabled: tuple[bool, At] | None = None
    priorities: dict[int, tuple[bool, At]] = field(default_factory=dict)
    mode: tuple[str, At] | None = None

    def settle(
        self, settings: Settings, roce: RoceMode, lossless: Mapping[int, tuple[At, ...]], lack: Lack
    ) -> frozenset[int]:
        """Put mode and priorities; the answer are the priorities that are paused (empty where that is not known)."""
        said = self.enabled is not None or self.mode is not None or bool(self.priorities)
        if roce.at is not None and roce.mode != "lossless" and self.mode is None:
            settings.forbid_default("pfc.mode", Why.NO_DEFAULT, roce.at)
            settings.set("pfc.priorities", frozenset(), roce.at, Cited(ROCE_MODE))
            if roce.mode == "semi-lossless":
                settings.set("pfc.receive_only", frozenset({PRIORITY}), roce.at, Cited(ROCE_MODE))
            return frozenset()
        self._template(roce)
        if self.mode is None:
            if lossless and not said:
                # whether a lossless traffic pool turns PFC on by itself is not documented
                first = next(iter(lossless.values()))
                settings.forbid_default("pfc.mode", Why.NO_DEFAULT, *first)
                settings.forbid_default("pfc.priorities", Why.NO_DEFAULT, *first)
            return frozenset()
        mode, at = self.mode
        settings.set("pfc.mode", mode, at)
        cell = self._paused(mode, at, lack)
        settings.set_cell("pfc.priorities", cell)
        return cell.or_else(frozenset())

    def _template(self, roce: RoceMode) -> None:
        """The lossless RoCE mode turns PFC on everywhere; what is said besides it wins."""
        at = roce.lossless_at
        if at is None:
            return
        self.enabled = self.enabled or (True, at)
        self.mode = self.mode or ("on", at)
        self.priorities.setdefault(PRIORITY, (True, at))

    def _paused(self, mode: str, at: At, lack: Lack) -> Cell[frozenset[int]]:
        if mode == "off":
            return known(frozenset(), at)
        if self.enabled is None:
            return lack.otherwise("pfc.priorities", at)
        if not self.enabled[0]:
            return known(frozenset(), self.enabled[1], at)
        on = {priority: where for priority, (is_on, where) in self.priorities.items() if is_on}
        off = [where for is_on, where in self.priorities.values() if not is_on]
        if not on:
            return lack.otherwise("pfc.priorities", *dict.fromkeys((*off, self.enabled[1], at)))
        if mode == "auto":
            return unknown(Why.NOT_VISIBLE, at)  # what DCBX negotiated is not in the configuration
        return known(frozenset(on), *dict.fromkeys((*on.values(), *off, at, self.enabled[1])))
