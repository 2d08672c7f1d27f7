"""The store of past runs: SQLite in a file, or any database that SQLAlchemy reaches by URL (PostgreSQL is tested).

A run is written in one transaction, so a crash in the middle leaves all earlier runs and nothing of the broken one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import sqlalchemy as sa
from alembic.util import CommandError
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from roce_audit.history import rows
from roce_audit.history.lock import Busy
from roce_audit.history.record import Recorded, Run
from roce_audit.history.tables import FINDINGS, RUNS

P = ParamSpec("P")
T = TypeVar("T")

LOCKED_MILLISECONDS = 30_000
"""How long a database that somebody else has locked is waited for."""
MIGRATIONS = Path(__file__).parent / "migrations"
_CHUNK = 500
_ADVISORY = 0x526F4345
"""The number of our lock among those of a PostgreSQL database."""


class HistoryError(ValueError):
    """The database cannot be used: one line that says why, without its password."""


class History:
    """Past runs."""

    def __init__(self, url: str) -> None:
        """Open, and bring the tables up to date. `url`: a path (SQLite) or `postgresql+psycopg://...`. Raises HistoryError."""
        self.shown = f"history {_shown(url)}"
        """How the database is called, without its password."""
        self.damaged: dict[int, str] = {}
        """Runs that something could not be read of, and were left out: number -> why."""
        try:
            self._engine = _engine(url)
            _migrate(self._engine)
        except (SQLAlchemyError, OSError, ImportError) as error:
            raise HistoryError(f"{self.shown}: {_reason(error)}") from None
        except CommandError:
            raise HistoryError(f"{self.shown}: a newer roce-audit wrote it; use that one, or --history") from None

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
            raise HistoryError(f"{self.shown}: {_reason(error)}") from None
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
            raise HistoryError(f"{self.shown}: {_reason(error)}") from None

    def keep(self, run: Run) -> int:
        """Keep a run as a whole or not at all; gives its number."""
        with self._begin() as connection:
            row = rows.of_run(run)
            number: int = connection.execute(sa.insert(RUNS).values(**row).returning(RUNS.c.number)).scalar_one()
            found = [{"run": number, **rows.of_finding(item)} for item in run.judged.values()]
            for start in range(0, len(found), _CHUNK):
                connection.execute(sa.insert(FINDINGS), found[start : start + _CHUNK])
        return number

    def runs(self, limit: int = 50) -> list[Run]:
        """The last runs, the newest first, without their checks; damaged ones are left out."""
        with self._begin() as connection:
            asked = sa.select(*rows.RAW_RUNS).order_by(RUNS.c.number.desc()).limit(limit)
            found = connection.execute(asked).mappings().all()
        return [run for row in found if (run := self._whole(row["number"], rows.run_from, row, {})) is not None]

    def last(self) -> Run | None:
        """The newest run with its checks; damaged ones are left out."""
        with self._begin() as connection:
            numbers = connection.execute(sa.select(RUNS.c.number).order_by(RUNS.c.number.desc())).scalars().all()
        return next((run for number in numbers if (run := self._read(number)) is not None), None)

    def run(self, number: int) -> Run | None:
        """A run with its checks; None where there is none of this number. Raises HistoryError for one that is damaged."""
        run = self._read(number)
        if run is None and number in self.damaged:
            raise HistoryError(f"{self.shown}: run {number} is damaged: {self.damaged[number]}")
        return run

    def _read(self, number: int) -> Run | None:
        with self._begin() as connection:
            row = connection.execute(sa.select(*rows.RAW_RUNS).where(RUNS.c.number == number)).mappings().first()
            if row is None:
                return None
            asked = sa.select(*rows.RAW_FINDINGS).where(FINDINGS.c.run == number)
            found = connection.execute(asked).mappings().all()
        judged = [self._whole(number, rows.finding_from, one) for one in found]
        if number in self.damaged:
            return None
        return self._whole(number, rows.run_from, row, {item.fingerprint: item for item in judged if item is not None})

    def _whole(self, run: int, read: Callable[P, T], *words: P.args, **named: P.kwargs) -> T | None:
        """What is read of a run; None where it is damaged, which is kept in mind."""
        try:
            return read(*words, **named)
        except rows.Damaged as damage:
            self.damaged.setdefault(run, str(damage))
            return None

    def failures(self, first: int) -> Iterator[tuple[int, Recorded]]:
        """From run `first` on, the run's number and what failed in it; what was accepted is left out."""
        with self._begin() as connection:
            asked = (
                sa.select(*rows.RAW_FINDINGS)
                .where(FINDINGS.c.run >= first, FINDINGS.c.verdict == "fails", sa.not_(FINDINGS.c.accepted))
                .order_by(FINDINGS.c.run)
            )
            for row in connection.execute(asked).mappings():
                item = self._whole(row["run"], rows.finding_from, row)
                if item is not None:
                    yield row["run"], item

    def told_up_to(self, run: Run, wanted: Sequence[str]) -> dict[str, Recorded]:
        """The latest that is known, up to a run, of these fingerprints: a run tells only the fate of what failed just before."""
        latest: dict[str, Recorded] = {}
        with self._begin() as connection:
            for start in range(0, len(wanted), _CHUNK):
                some = list(wanted[start : start + _CHUNK])
                asked = (
                    sa.select(*rows.RAW_FINDINGS)
                    .where(FINDINGS.c.run <= run.number, FINDINGS.c.fingerprint.in_(some))
                    .order_by(FINDINGS.c.run)
                )
                for row in connection.execute(asked).mappings():
                    item = self._whole(row["run"], rows.finding_from, row)
                    if item is not None:
                        latest[item.fingerprint] = item
        return latest

    def since(self, fingerprints: Sequence[str]) -> dict[str, datetime]:
        """When each of these began to fail without a break."""
        found: dict[str, datetime] = {}
        with self._begin() as connection:
            for start in range(0, len(fingerprints), _CHUNK):
                some = list(fingerprints[start : start + _CHUNK])
                asked = (
                    sa.select(FINDINGS.c.run, FINDINGS.c.fingerprint, FINDINGS.c.verdict, rows.raw(RUNS.c.started))
                    .join(RUNS, RUNS.c.number == FINDINGS.c.run)
                    .where(FINDINGS.c.fingerprint.in_(some))
                    .order_by(RUNS.c.number)
                )
                for number, fingerprint, verdict, started in connection.execute(asked):
                    began = self._whole(number, rows.moment, started)
                    if verdict == "fails" and began is not None:
                        found.setdefault(fingerprint, began)
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
            asked = sa.select(RUNS.c.number, rows.raw(RUNS.c.started)).order_by(RUNS.c.number.desc())
            numbers = [
                (number, self._whole(number, rows.moment, started)) for number, started in connection.execute(asked)
            ]
            limit = datetime.now(UTC) - timedelta(days=days) if days is not None else None
            old = [
                number
                for rank, (number, started) in enumerate(numbers)
                if rank
                and (
                    (limit is not None and started is not None and started < limit)
                    or (runs is not None and rank >= runs)
                )
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
