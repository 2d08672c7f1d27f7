"""Past runs, and what failed in one of them: as text, as plain data and as a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from roce_audit.engine.findings import SEVERITIES
from roce_audit.history.record import Recorded, Run
from roce_audit.history.store import History
from roce_audit.history.trends import Trend, days_since
from roce_audit.records import dataclass
from roce_audit.report.formats.csv import row
from roce_audit.report.words import count
from roce_audit.text.decode import printable


@dataclass(frozen=True, slots=True)
class Failing:
    """A failure of one run; `since` is None where it fails in that run for the first time."""

    item: Recorded
    since: datetime | None
    flapped: int
    """How often it came and went lately; 0 below the limit that was asked for."""


def failing(history: History, run: Run, window: int, changes: int) -> list[Failing]:
    """What failed in a run, the worst first."""
    items = sorted(run.failing().values(), key=lambda item: (SEVERITIES.index(item.severity), item.rule, item.id))
    since = history.since([item.fingerprint for item in items])
    flapping = history.flapping(window, changes)
    return [Failing(item, since.get(item.fingerprint), flapping.get(item.fingerprint, 0)) for item in items]


def run_lines(run: Run, found: Sequence[Failing], now: datetime) -> Iterator[str]:
    """What failed in a run, and for how long."""
    for one in found:
        age = "new" if one.since is None else _age(one.since, now)
        flaps = f", came and went {one.flapped} times" if one.flapped else ""
        yield printable(f"{one.item.severity}[{one.item.rule}] {one.item.shown}: {age}{flaps}")
    yield f"run {run.number}: {count(len(found), 'failure')}"


def _age(since: datetime, now: datetime) -> str:
    days = days_since(since, now)
    return f"for {days} d" if days is not None else f"since {since:%Y-%m-%d %H:%M}Z, by a clock that has been set back"


def run_data(run: Run, found: Sequence[Failing]) -> Mapping[str, object]:
    """For programs."""
    rows = [
        {
            "rule": one.item.rule,
            "id": one.item.id,
            "severity": one.item.severity,
            "message": one.item.message,
            "fabric": one.item.fabric,
            "since": one.since.isoformat() if one.since is not None else None,
            "flapped": one.flapped,
            "fingerprint": one.item.fingerprint,
        }
        for one in found
    ]
    return {"run": run.number, "findings": rows}


def run_table(run: Run, found: Sequence[Failing]) -> Iterator[str]:
    """One row a failure."""
    yield row(
        (
            "run",
            "severity",
            "rule",
            "id",
            "fabric",
            "device",
            "since",
            "flapped",
            "message",
            "path",
            "line",
            "fingerprint",
        )
    )
    for one in found:
        item = one.item
        since = one.since.isoformat() if one.since is not None else ""
        head = (run.number, item.severity, item.rule, item.id, item.fabric, item.device, since, one.flapped)
        yield row((*head, item.message, item.path, item.line or "", item.fingerprint))


def runs_lines(runs: Sequence[Run]) -> Iterator[str]:
    """One line a run under a head, the newest first."""
    if not runs:
        yield "no runs yet"
        return
    yield f"{'run':>6}  {'started':<17}  {'devices':>7}  {'failed':>7}  {'undetermined':>12}  exit code"
    for one in runs:
        yield (
            f"{one.number:>6}  {one.started:%Y-%m-%d %H:%M}Z  {one.coverage.get('devices', 0):>7,}  "
            f"{one.checks.get('failed', 0):>7,}  {one.checks.get('undetermined', 0):>12,}  {one.exit_code}"
            + (f"  {len(one.unreached)} not reached" if one.unreached else "")
        )


def runs_data(runs: Sequence[Run]) -> Mapping[str, object]:
    """For programs."""
    rows = [
        {
            "run": one.number,
            "started": one.started.isoformat(),
            "finished": one.finished.isoformat(),
            "version": one.version,
            "rules": one.rules,
            "checks": dict(one.checks),
            "coverage": dict(one.coverage),
            "inferred": dict(one.inferred),
            "unreached": list(one.unreached),
            "exit_code": one.exit_code,
        }
        for one in runs
    ]
    return {"runs": rows}


def trend_table(found: Trend) -> Iterator[str]:
    """One row a run and kind of failed check; a run in which nothing failed has one row of 0."""
    yield row(("run", "started", "devices", "severity", "topic", "fabric", "device", "failed_checks"))
    for point in found.points:
        head = (point.run, point.started.isoformat(), point.devices)
        for kind, number in sorted(point.failed.items()):
            yield row((*head, *kind, number))
        if not point.failed:
            yield row((*head, "", "", "", "", 0))
