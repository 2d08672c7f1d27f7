"""Rates that bound one another: a queue is served no faster than its own shaper lets it, nor than that of its port."""

from __future__ import annotations

from roce_audit.text.settings import Settings
from roce_audit.values import Cell, Where

_WHOLE = 100


def tighter(queue: Cell[int] | None, port: Cell[int] | None) -> Cell[int] | None:
    """The smaller of two rates (None = nothing was said); in doubt where one of them is."""
    if queue is None or port is None:
        return port if queue is None else queue
    if queue.is_known and port.is_known:
        return min(queue, port, key=lambda cell: cell.get())
    if queue.is_absent or port.is_absent:
        return port if queue.is_absent else queue
    return queue if queue.is_unknown else port


def shaped_to_share(settings: Settings, queue: str, percent: int, *at: Where) -> None:
    """A shaper in percent of the speed of the port: below 100 it is below that speed, whatever this is."""
    path = f"{queue}.max_rate_percent"
    before = settings.get(path)
    if percent < _WHOLE and (before is None or not before.is_known or percent < before.get()):
        settings.set(path, percent, *at)
