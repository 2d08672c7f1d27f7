"""How failed checks came and went over the last runs: by severity, topic, fabric and device, and what fails longest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from roce_audit.engine.findings import SEVERITIES, Severity
from roce_audit.history.record import Recorded
from roce_audit.history.store import History
from roce_audit.records import dataclass

LONGEST = 50
"""Failures of the last run that are listed by age."""
By = Literal["severity", "topic", "fabric", "device"]


class Kind(NamedTuple):
    """What failed checks are counted by. `device` and `fabric` are "" where none is known."""

    severity: Severity
    topic: str
    fabric: str
    device: str


@dataclass(frozen=True, slots=True)
class Point:
    """One run: how many checks failed in it, without what is accepted."""

    run: int
    started: datetime
    devices: int
    failed: Mapping[Kind, int]


@dataclass(frozen=True, slots=True)
class Lasting:
    """A check that fails in the last run, and the start of the run since which it has failed without a break."""

    item: Recorded
    since: datetime


@dataclass(frozen=True, slots=True)
class Trend:
    """The last runs, the oldest first."""

    points: tuple[Point, ...]
    longest: tuple[Lasting, ...]
    """What fails longest, at most `LONGEST`."""

    def table(self, by: By) -> dict[str, list[int]]:
        """Name -> failed checks run by run: severities from the worst on, others by what fails most often now."""
        found: dict[str, list[int]] = {}
        for index, point in enumerate(self.points):
            for kind, number in point.failed.items():
                found.setdefault(getattr(kind, by), [0] * len(self.points))[index] += number
        if by == "severity":
            return {severity: found[severity] for severity in SEVERITIES if severity in found}
        return dict(sorted(found.items(), key=lambda row: (-row[1][-1], -sum(row[1]), row[0])))


def trend(history: History, runs: int) -> Trend:
    """The last `runs` runs; without points where there is no run yet."""
    told = sorted(history.runs(runs), key=lambda run: run.number)
    if not told:
        return Trend((), ())
    failed: dict[int, Counter[Kind]] = {run.number: Counter() for run in told}
    last: list[Recorded] = []
    for number, item in history.failures(told[0].number):
        if number in failed:  # else a run that was kept in the meantime
            failed[number][Kind(item.severity, item.topic, item.fabric, item.device)] += 1
        if number == told[-1].number:
            last.append(item)
    points = (Point(run.number, run.started, run.coverage.get("devices", 0), dict(failed[run.number])) for run in told)
    return Trend(tuple(points), tuple(_longest(history, last)))


def days_since(moment: datetime, now: datetime) -> int | None:
    """Whole days; None for a moment that is still to come: the clock has been set back since."""
    return (now - moment).days if moment <= now else None


def _longest(history: History, failing: Sequence[Recorded]) -> Iterator[Lasting]:
    since = history.since([item.fingerprint for item in failing])
    lasting = [Lasting(item, since[item.fingerprint]) for item in failing if item.fingerprint in since]
    lasting.sort(key=lambda one: (one.since, SEVERITIES.index(one.item.severity), one.item.rule, one.item.id))
    yield from lasting[:LONGEST]
