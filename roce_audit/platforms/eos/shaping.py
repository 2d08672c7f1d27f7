"""Shapers of a port and of its queues: a queue is served no faster than the tighter of the two."""

from __future__ import annotations

from dataclasses import dataclass, field

from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.defaults import RATE_UNIT
from roce_audit.platforms.shared.rates import shaped_to_share, tighter
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_QUEUES = range(8)


@dataclass
class Shapers:
    """What was said last of the port ("") and of each queue (by its model path)."""

    said: dict[str, tuple[st.Shape, At]] = field(default_factory=dict)

    def add(self, shape: st.Shape, base: str, at: At) -> None:
        """A shaper, or its removal."""
        self.said[base] = (shape, at)

    def put(self, settings: Settings) -> None:
        """Set the largest rate of every queue that a shaper bounds; a percentage is one of the configured speed."""
        speed = settings.get("speed_bps")
        bps = speed.get() if speed is not None and speed.is_known else None
        port = self._rate("", bps)
        for number in _QUEUES:
            base = f"queues.{number}"
            cell = tighter(self._rate(base, bps), port)
            if cell is not None:
                settings.set_cell(f"{base}.max_rate_bps", cell)
                self._share(settings, base)

    def _share(self, settings: Settings, base: str) -> None:
        for where in (base, ""):
            shape, at = self.said.get(where, (None, None))
            if shape is not None and at is not None and shape.on and shape.percent is not None:
                shaped_to_share(settings, base, shape.percent, at)

    def _rate(self, base: str, speed_bps: int | None) -> Cell[int] | None:
        if base not in self.said:
            return None
        shape, at = self.said[base]
        if not shape.on:
            return absent(at)
        if shape.bps is not None:
            return known(shape.bps, at, *(() if shape.unit else (Cited(RATE_UNIT),)))
        if shape.percent is not None and speed_bps is not None:
            return known(speed_bps * shape.percent // 100, at)
        return unknown(Why.NO_DEFAULT, at)
