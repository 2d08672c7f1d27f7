"""The store: what is kept comes back, a crash loses nothing that was kept; the same on SQLite and PostgreSQL."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from roce_audit.history.lock import Busy
from roce_audit.history.record import Recorded, Run
from roce_audit.history.store import History, HistoryError

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def item(fingerprint: str, verdict: str = "fails", value: str = "1") -> Recorded:
    return Recorded(fingerprint, "mtu/below-roce", f"leaf1:{fingerprint}", "error", verdict, value, "m", "leaf1.cfg", 3)  # type: ignore[arg-type]


def run(*items: Recorded, day: int = 0) -> Run:
    moment = NOON + timedelta(days=day)
    return Run(
        moment,
        moment,
        "0.1",
        "pack",
        {"fails": 1},
        {"devices": 2},
        {"roce.priority": "3"},
        {i.fingerprint: i for i in items},
    )


def _postgres(folder: Path) -> Iterator[str]:
    """A server of its own, reached by a socket below `folder`; run as a user that it accepts."""
    tools = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
    binary = tools / "initdb" if tools is not None else shutil.which("initdb")
    if binary is None:
        pytest.fail("no PostgreSQL here: apt-get install postgresql")
    bin_folder = Path(binary).parent
    folder.chmod(0o777)
    data = folder / "data"
    prefix = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    subprocess.run(
        [*prefix, bin_folder / "initdb", "-D", data, "-U", "tester", "--auth=trust"], check=True, capture_output=True
    )
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    start = [*prefix, bin_folder / "pg_ctl", "-D", data, "-o", options, "-l", folder / "log", "-w", "start"]
    subprocess.run(start, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield f"postgresql+psycopg://tester@/postgres?host={folder}"
    finally:
        stop = [*prefix, bin_folder / "pg_ctl", "-D", data, "-m", "immediate", "stop"]
        subprocess.run(stop, check=False, capture_output=True)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = (
        Path("/tmp") / f"roce-audit-pg-{os.getpid()}"
    )  # a socket's path is short, and its folder open to the server
    folder.mkdir()
    try:
        yield from _postgres(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def history(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[History]:
    where = str(tmp_path / "h.sqlite") if request.param == "sqlite" else request.getfixturevalue("postgres")
    found = History(where)
    yield found
    with found._begin() as connection:
        from roce_audit.history.tables import FINDINGS, RUNS

        connection.execute(FINDINGS.delete())
        connection.execute(RUNS.delete())
    found.close()


def test_a_run_comes_back_as_it_was(history: History) -> None:
    kept = replace(run(item("a"), item("b", "holds")), unreached=("leaf9: timed out",), exit_code=1)
    number = history.keep(kept)
    assert history.run(number) == replace(kept, number=number)
    assert history.last() == replace(kept, number=number)
    assert [one.number for one in history.runs()] == [number]
    assert history.run(number + 1) is None


def test_the_migrations_make_the_tables_of_now(history: History) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from roce_audit.history.tables import METADATA

    with history._begin() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_a_store_is_opened_again_and_again(tmp_path: Path) -> None:
    for count in range(1, 4):
        found = History(str(tmp_path / "h.sqlite"))
        found.keep(run(item("a")))
        assert len(found.runs()) == count
        found.close()


@pytest.mark.postgres
def test_two_audits_with_one_database_do_not_mix(postgres: str) -> None:
    one, other = History(postgres), History(postgres)
    with one.alone(), pytest.raises(Busy, match="another audit"), other.alone():
        pass
    with other.alone():
        other.keep(run())
    one.close()
    other.close()


def test_numbers_go_up(history: History) -> None:
    assert history.keep(run()) < history.keep(run())


def test_age_begins_anew_after_a_break(history: History) -> None:
    for day, verdict in enumerate(("fails", "fails", "holds", "fails", "unknown", "fails")):
        history.keep(run(item("a", verdict), day=day))
    assert history.since(["a", "nothing"]) == {"a": NOON + timedelta(days=3)}


def test_flapping_counts_comings_and_goings(history: History) -> None:
    for day, verdict in enumerate(("fails", "holds", "fails", "holds", "fails")):
        history.keep(run(item("a", verdict), item("b"), day=day))
    assert history.flapping(runs=10, changes=3) == {"a": 4}
    assert history.flapping(runs=2, changes=3) == {}


def test_retention_keeps_the_newest_run(history: History) -> None:
    numbers = [history.keep(run(item("a"), day=day)) for day in range(5)]
    assert history.forget(runs=3) == 2
    assert [one.number for one in history.runs()] == numbers[:1:-1]
    assert history.forget(days=1) == 2
    last = history.last()
    assert last is not None
    assert last.number == numbers[-1]
    assert last.judged


def test_a_run_is_kept_as_a_whole_or_not_at_all(history: History) -> None:
    number = history.keep(run(item("a")))
    broken = run(item("b"), replace(item("c"), severity=None))  # type: ignore[type-var]
    with pytest.raises(HistoryError):
        history.keep(broken)
    last = history.last()
    assert last is not None
    assert (last.number, set(last.judged)) == (number, {"a"})


def test_the_latest_of_earlier_runs_is_told(history: History) -> None:
    history.keep(run(item("a")))
    history.keep(run(item("a", "holds")))
    last = history.keep(run())
    kept = history.run(last)
    assert kept is not None
    assert {key: one.verdict for key, one in history.told_up_to(kept, ["a"]).items()} == {"a": "holds"}


def test_kill_in_the_middle_loses_no_earlier_run(tmp_path: Path) -> None:
    where = tmp_path / "h.sqlite"
    History(str(where)).keep(run(item("a")))
    script = (
        "import sys\n"
        "from tests.history.test_store import History, run, item\n"
        "items = [item(str(n)) for n in range(200_000)]\n"
        "print('ready', flush=True)\n"
        f"History({str(where)!r}).keep(run(*items))\n"
    )
    root = Path(__file__).parents[2]
    child = subprocess.Popen([sys.executable, "-c", script], cwd=root, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    wal = where.with_name(where.name + "-wal")
    while child.poll() is None and not (wal.exists() and wal.stat().st_size > 100_000):
        time.sleep(0.005)
    child.send_signal(signal.SIGKILL)
    child.wait()
    found = History(str(where))
    assert [set(found.run(one.number).judged) for one in found.runs() if len(found.run(one.number).judged) < 3] == [
        {"a"}
    ]  # type: ignore[union-attr]
    assert len(found.runs()) in (1, 2), "the killed run is whole or not there"
    assert all(len(found.run(one.number).judged) in (1, 200_000) for one in found.runs())  # type: ignore[union-attr]


def test_the_file_is_private(tmp_path: Path) -> None:
    History(str(tmp_path / "h.sqlite")).close()
    assert (tmp_path / "h.sqlite").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("nosuch://user:secret@host/db", "no driver"),
        ("sqlite:////proc/nowhere/x.db", "unable to open"),
        ("://", "cannot be read"),
    ],
)
def test_what_cannot_be_opened_is_said_without_its_password(url: str, complaint: str) -> None:
    with pytest.raises(HistoryError, match=complaint) as error:
        History(url)
    assert "secret" not in str(error.value)


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "h.sqlite").write_text("hello, this is no database at all" * 100)
    with pytest.raises(HistoryError, match="not a database"):
        History(str(tmp_path / "h.sqlite"))


def sql(file: Path, *statements: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        ("UPDATE runs SET checks = '{' WHERE number = 2", "its JSON cannot be read"),
        ("UPDATE runs SET coverage = '[]' WHERE number = 2", "its JSON holds no names"),
        ('UPDATE runs SET checks = \'{"failed": "many"}\' WHERE number = 2', "'many' is no whole number"),
        ("UPDATE runs SET inferred = '{\"a\": [1]}' WHERE number = 2", "[1] stands where text should"),
        ("UPDATE runs SET unreached = '3' WHERE number = 2", "its JSON is no list"),
        ("UPDATE runs SET started = 'noon' WHERE number = 2", "'noon' is no time"),
        ("UPDATE runs SET exit_code = 'red' WHERE number = 2", "'red' is no whole number"),
        ("UPDATE findings SET severity = 'eror' WHERE run = 2", "a check is 'eror' and 'fails'"),
        ("UPDATE findings SET line = 'three' WHERE run = 2", "'three' is no whole number"),
        ("UPDATE findings SET accepted = 'x' WHERE run = 2", "'x' is no whole number"),
        ("UPDATE findings SET message = x'ff' WHERE run = 2", "b'\\xff' stands where text should"),
    ],
)
def test_a_damaged_run_is_left_out_and_said(tmp_path: Path, damage: str, why: str) -> None:
    where = tmp_path / "h.sqlite"
    with closing(History(str(where))) as store:
        store.keep(run(item("a")))
        store.keep(run(item("a"), item("b"), day=1))
    sql(where, damage)
    with closing(History(str(where))) as store:
        last = store.last()
        assert last is not None
        assert last.number == 1
        assert store.damaged == {2: why}
        with pytest.raises(HistoryError, match="run 2 is damaged"):
            store.run(2)
        assert [one.number for one in store.runs()][-1] == 1
        assert store.since(["a"]) == {"a": NOON}
        assert store.keep(run(day=2)) == 3
        assert store.forget(runs=1) == 2


def test_a_history_without_its_tables_is_said(tmp_path: Path) -> None:
    where = tmp_path / "h.sqlite"
    History(str(where)).close()
    sql(where, "DROP TABLE findings", "DROP TABLE runs")
    with closing(History(str(where))) as store, pytest.raises(HistoryError, match=r"h\.sqlite: no such table: runs"):
        store.last()
