"""Counters of one device at one time, as its answers show them: what two snapshots are compared from."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from roce_audit.records import dataclass
from roce_audit.values import Place


@dataclass(frozen=True, slots=True)
class Count:
    """One counter of one port: `name` is its path in `model.counters.Counters`, `value` None where it was not understood.

    `source` names what is cleared together (a command); `epoch` is what the device says about when that was last cleared.
    `called` is the device's own name of the counter: only equal ones are compared.
    """

    port: str
    name: str
    value: int | None
    place: Place
    source: str
    epoch: str = ""
    called: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two readings readings of one counter."""
        return self.name, self.source, self.called


GaugeKind = Literal["errors-before-fec", "errors-after-fec", "headroom-peak", "module", "stuck"]
"""Bit error ratio before and after FEC; most bytes that were ever in the headroom of a group; what a module says is wrong;
a queue that the watchdog holds for stuck."""


@dataclass(frozen=True, slots=True)
class Gauge:
    """A level that an answer shows by itself: it tells without an earlier snapshot. `said` is the device's own word for it."""

    port: str
    kind: GaugeKind
    value: float
    place: Place
    said: str
    number: int = 0
    """Of a priority group."""


@dataclass(frozen=True, slots=True)
class Uptime:
    """Seconds since a device was started, rounded down to `resolution_s`."""

    seconds: float
    resolution_s: float


@dataclass
class Counts:
    """All counters of one device at one time."""

    by_port: dict[str, dict[tuple[str, str, str], Count]] = field(default_factory=dict)
    """Port as the answers name it, in lower case -> its counters by their keys."""
    uptime: Uptime | None = None
    nothing_else: dict[str, Count] = field(default_factory=dict)
    """Sources that leave out what is 0, and what stands for all that they do not list: a counter of no name."""

    def add(self, count: Count) -> None:
        """Take in a counter. Of one that stands twice in an answer the first is kept; of two answers of a command the later one, which
        counted more.
        """
        if not count.port and not count.name:
            self.nothing_else[count.source] = count
            return
        counts = self.by_port.setdefault(count.port.lower(), {})
        found = counts.setdefault(count.key, count)
        if found.place.path != count.place.path and (count.value or 0) > (found.value or 0):
            counts[count.key] = count
