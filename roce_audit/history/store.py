"""The store of past runs: SQLite in a file, or any database that SQLAlchemy reaches by URL (PostgreSQL is tested).

A run is written in one transaction, so a crash in the middle leaves all earlier runs and nothing of the broken one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from roce_audit.history.lock import Busy
from roce_audit.history.record import Recorded, Run
from roce_audit.history.tables import FINDINGS, RUNS

LOCKED_MILLISECONDS = 30_000
"""How long a database that somebody else has locked is waited for."""
MIGRATIONS = Path(__file__).parent / "migrations"
_CHUNK = 500
_ADVISORY = 0x526F4345
"""The number of our lock among those of a PostgreSQL database."""


class HistoryError(Exception):
    """The database cannot be used: one line that says why, without its password."""


class History:
    """Past runs."""

    def __init__(self, url: str) -> None:
        """Open, and bring the tables up to date. `url`: a path (SQLite) or `postgresql+psycopg://...`. Raises HistoryError."""
        try:
            self._engine = _engine(url)
            _migrate(self._engine)
        except (SQLAlchemyError, OSError, ImportError) as error:
            raise HistoryError(f"history {_shown(url)}: {_reason(error)}") from None
        except CommandError:
            raise HistoryError(
                f"history {_shown(url)}: a newer roce-audit wrote it; use that one, or --history"
            ) from None

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Hold the database's own lock, which audits of other machines meet too. Raises Busy. A file has its lock beside it."""
        if self._engine.dialect.name != "postgresql":
            yield
            return
        try:
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            connection.detach()  # closed and not pooled: the lock goes with it, however that ends
            free = connection.execute(sa.text(f"SELECT pg_try_advisory_lock({_ADVISORY})")).scalar_one()
        except SQLAlchemyError as error:
            raise HistoryError(f"history: {_reason(error)}") from None
        with connection:
            if not free:
                raise Busy("another audit with this history is running, on this machine or another one")
            yield

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise HistoryError(f"history: {_reason(error)}") from None

    def keep(self, run: Run) -> int:
        """Keep a run as a whole or not at all; gives its number."""
        with self._begin() as connection:
            number: int = connection.execute(sa.insert(RUNS).values(**_row(run)).returning(RUNS.c.number)).scalar_one()
            rows = [{"run": number, **_finding(item)} for item in run.judged.values()]
            for start in range(0, len(rows), _CHUNK):
                connection.execute(sa.insert(FINDINGS), rows[start : start + _CHUNK])
        return number

    def runs(self, limit: int = 50) -> list[Run]:
        """The last runs, the newest first, without their checks."""
        with self._begin() as connection:
            found = connection.execute(sa.select(RUNS).order_by(RUNS.c.number.desc()).limit(limit)).mappings()
            return [_run(dict(row), {}) for row in found]

    def last(self) -> Run | None:
        """The newest run with its checks."""
        with self._begin() as connection:
            number = connection.execute(sa.select(sa.func.max(RUNS.c.number))).scalar()
        return None if number is None else self.run(number)

    def run(self, number: int) -> Run | None:
        """A run with its checks; None where there is none of this number."""
        with self._begin() as connection:
            row = connection.execute(sa.select(RUNS).where(RUNS.c.number == number)).mappings().first()
            if row is None:
                return None
            found = connection.execute(sa.select(FINDINGS).where(FINDINGS.c.run == number)).mappings()
            return _run(dict(row), {item["fingerprint"]: _recorded(dict(item)) for item in found})

    def failures(self, first: int) -> Iterator[tuple[int, Recorded]]:
        """From run `first` on, the run's number and what failed in it; what was accepted is left out."""
        with self._begin() as connection:
            asked = (
                sa.select(FINDINGS)
                .where(FINDINGS.c.run >= first, FINDINGS.c.verdict == "fails", sa.not_(FINDINGS.c.accepted))
                .order_by(FINDINGS.c.run)
            )
            for row in connection.execute(asked).mappings():
                yield row["run"], _recorded(dict(row))

    def told_up_to(self, run: Run, wanted: Sequence[str]) -> dict[str, Recorded]:
        """The latest that is known, up to a run, of these fingerprints: a run tells only the fate of what failed just before."""
        latest: dict[str, Recorded] = {}
        with self._begin() as connection:
            for start in range(0, len(wanted), _CHUNK):
                some = list(wanted[start : start + _CHUNK])
                asked = (
                    sa.select(FINDINGS)
                    .where(FINDINGS.c.run <= run.number, FINDINGS.c.fingerprint.in_(some))
                    .order_by(FINDINGS.c.run)
                )
                latest |= {row["fingerprint"]: _recorded(dict(row)) for row in connection.execute(asked).mappings()}
        return latest

    def since(self, fingerprints: Sequence[str]) -> dict[str, datetime]:
        """When each of these began to fail without a break."""
        found: dict[str, datetime] = {}
        with self._begin() as connection:
            for start in range(0, len(fingerprints), _CHUNK):
                some = list(fingerprints[start : start + _CHUNK])
                asked = (
                    sa.select(FINDINGS.c.fingerprint, FINDINGS.c.verdict, RUNS.c.started)
                    .join(RUNS, RUNS.c.number == FINDINGS.c.run)
                    .where(FINDINGS.c.fingerprint.in_(some))
                    .order_by(RUNS.c.number)
                )
                for fingerprint, verdict, started in connection.execute(asked):
                    if verdict == "fails":
                        found.setdefault(fingerprint, _aware(started))
                    elif verdict == "holds":
                        found.pop(fingerprint, None)
        return found

    def flapping(self, runs: int, changes: int) -> dict[str, int]:
        """Fingerprints that came and went at least `changes` times within the last `runs` runs -> how often."""
        with self._begin() as connection:
            numbers = sa.select(RUNS.c.number).order_by(RUNS.c.number.desc()).limit(runs)
            asked = (
                sa.select(FINDINGS.c.fingerprint, FINDINGS.c.verdict)
                .where(FINDINGS.c.run.in_(numbers), FINDINGS.c.verdict.in_(("fails", "holds")))
                .order_by(FINDINGS.c.run)
            )
            last: dict[str, str] = {}
            count: dict[str, int] = {}
            for fingerprint, verdict in connection.execute(asked):
                if last.get(fingerprint, verdict) != verdict:
                    count[fingerprint] = count.get(fingerprint, 0) + 1
                last[fingerprint] = verdict
        return {fingerprint: times for fingerprint, times in count.items() if times >= changes}

    def forget(self, *, days: int | None = None, runs: int | None = None) -> int:
        """Delete runs older than `days`, and all but the newest `runs`; the newest run stays. Gives how many went."""
        with self._begin() as connection:
            numbers = list(connection.execute(sa.select(RUNS.c.number, RUNS.c.started).order_by(RUNS.c.number.desc())))
            limit = datetime.now(UTC) - timedelta(days=days) if days is not None else None
            old = [
                number
                for rank, (number, started) in enumerate(numbers)
                if rank and ((limit is not None and _aware(started) < limit) or (runs is not None and rank >= runs))
            ]
            for start in range(0, len(old), _CHUNK):
                some = old[start : start + _CHUNK]
                connection.execute(sa.delete(FINDINGS).where(FINDINGS.c.run.in_(some)))
                connection.execute(sa.delete(RUNS).where(RUNS.c.number.in_(some)))
        return len(old)


def _engine(url: str) -> Engine:
    if "://" not in url:
        path = Path(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
        url = f"sqlite:///{path}"
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":

        @sa.event.listens_for(engine, "connect")
        def _settings(connection: Any, record: Any) -> None:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA busy_timeout = {LOCKED_MILLISECONDS}")

    return engine


def _migrate(engine: Engine) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _shown(url: str) -> str:
    try:
        return make_url(url).render_as_string(hide_password=True) if "://" in url else url
    except ArgumentError:
        return "(this URL cannot be read)"


def _reason(error: Exception) -> str:
    if isinstance(error, NoSuchModuleError | ImportError):
        return "no driver for this database: pip install 'roce-audit[postgres]' for postgresql+psycopg://..."
    original = getattr(error, "orig", None) or error
    return str(original).strip().splitlines()[0] if str(original).strip() else type(error).__name__


def _aware(moment: datetime) -> datetime:
    """SQLite keeps no time zone; what is written is UTC."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _row(run: Run) -> dict[str, object]:
    return {
        "started": run.started,
        "finished": run.finished,
        "version": run.version,
        "rules": run.rules,
        "checks": json.dumps(dict(run.checks)),
        "coverage": json.dumps(dict(run.coverage)),
        "inferred": json.dumps(dict(run.inferred)),
        "unreached": json.dumps(list(run.unreached)),
        "exit_code": run.exit_code,
    }


def _run(row: Mapping[str, Any], judged: Mapping[str, Recorded]) -> Run:
    return Run(
        started=_aware(row["started"]),
        finished=_aware(row["finished"]),
        version=row["version"],
        rules=row["rules"],
        checks=json.loads(row["checks"]),
        coverage=json.loads(row["coverage"]),
        inferred=json.loads(row["inferred"]),
        judged=judged,
        unreached=tuple(json.loads(row["unreached"])),
        number=row["number"],
        exit_code=row["exit_code"],
    )


def _finding(item: Recorded) -> dict[str, object]:
    return {
        "fingerprint": item.fingerprint,
        "rule": item.rule,
        "member": item.id,
        "severity": item.severity,
        "verdict": item.verdict,
        "value": item.value,
        "message": item.message,
        "path": item.path,
        "line": item.line,
        "accepted": item.accepted,
        "fabric": item.fabric,
    }


def _recorded(row: Mapping[str, Any]) -> Recorded:
    return Recorded(
        row["fingerprint"],
        row["rule"],
        row["member"],
        row["severity"],
        row["verdict"],
        row["value"],
        row["message"],
        row["path"],
        row["line"],
        row["accepted"],
        row["fabric"],
    )
