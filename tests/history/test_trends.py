"""The trend: counts run by run, what fails longest, the page and the tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest

from roce_audit.cli.main import main
from roce_audit.history.record import Recorded, Run
from roce_audit.history.store import History
from roce_audit.history.trends import Kind, Trend, trend
from roce_audit.views.pastruns import failing, run_lines
from roce_audit.views.trendpage import page

START = datetime(2026, 3, 1, 2, tzinfo=UTC)
NOW = START + timedelta(days=9)
EVIL = "<script>alert(1)</script>"


def item(rule: str, subject: str, severity: str = "error", *, accepted: bool = False, fabric: str = "east") -> Recorded:
    return Recorded(f"{rule} {subject}", rule, subject, severity, "fails", "1", "why", "f", 1, accepted, fabric)  # type: ignore[arg-type]


def keep(history: History, day: int, *items: Recorded) -> None:
    moment = START + timedelta(days=day)
    history.keep(Run(moment, moment, "0.1", "p", {}, {"devices": 4}, {}, {i.fingerprint: i for i in items}))


OLD = item("mtu/below-roce", "leaf1:Ethernet1/1")
GONE = item("pfc/priority-off", "leaf2:Ethernet1/1", fabric="west")
NEW = item("ecn/off", "leaf1:Ethernet1/2", "warning")


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    opened = History(str(tmp_path / "h.sqlite"))
    keep(opened, 0, OLD, GONE)
    keep(opened, 1, OLD, item("mtu/below-roce", "leaf9:Ethernet1/1", accepted=True))
    keep(opened, 2, OLD, NEW)
    yield opened
    opened.close()


def test_counts_run_by_run(history: History) -> None:
    found = trend(history, 50)
    assert [point.failed for point in found.points] == [
        {Kind("error", "mtu", "east", "leaf1"): 1, Kind("error", "pfc", "west", "leaf2"): 1},
        {Kind("error", "mtu", "east", "leaf1"): 1},
        {Kind("error", "mtu", "east", "leaf1"): 1, Kind("warning", "ecn", "east", "leaf1"): 1},
    ]
    assert found.table("severity") == {"error": [2, 1, 1], "warning": [0, 0, 1]}
    assert list(found.table("topic").items()) == [("mtu", [1, 1, 1]), ("ecn", [0, 0, 1]), ("pfc", [1, 0, 0])]
    assert found.table("fabric") == {"east": [1, 1, 2], "west": [1, 0, 0]}
    assert found.table("device") == {"leaf1": [1, 1, 2], "leaf2": [1, 0, 0]}


def test_what_fails_longest_comes_first(history: History) -> None:
    assert [(one.item.rule, one.since) for one in trend(history, 50).longest] == [
        ("mtu/below-roce", START),
        ("ecn/off", START + timedelta(days=2)),
    ]
    assert [one.item.rule for one in trend(history, 1).longest] == ["mtu/below-roce", "ecn/off"], "older runs count"
    assert len(trend(history, 1).points) == 1


def test_without_runs(tmp_path: Path) -> None:
    found = trend(History(str(tmp_path / "empty.sqlite")), 50)
    assert found == Trend((), ())
    assert "No runs yet" in "".join(page(found, NOW))


class _Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_nothing_in_it_runs(history: History) -> None:
    keep(history, 3, OLD, item("mtu/below-roce", f"{EVIL}:{EVIL}", fabric=EVIL))
    text = "".join(page(trend(history, 50), NOW))
    parser = _Balanced()
    parser.feed(text)
    assert parser.open == []
    assert "script" not in parser.seen
    assert "default-src" in text
    assert "script-src" not in text
    assert "run 4, 2026-03-04 02:00 UTC: 2 errors, 0 warnings, 0 infos" in text
    assert "leaf1:Ethernet1/1" in text
    assert "<td>9</td>" in text, "days for which the oldest has failed"


def test_a_clock_that_was_set_back_makes_no_negative_days(history: History) -> None:
    keep(history, 3, OLD)
    before = START - timedelta(days=2)
    text = "".join(page(trend(history, 50), before))
    assert "<td>clock set back</td>" in text
    run = history.last()
    assert run is not None
    first, last = run_lines(run, failing(history, run, 9, 9), before)
    assert first.endswith(": since 2026-03-01 02:00Z, by a clock that has been set back")
    assert last == "run 4: 1 failure"


def test_the_verb_writes_the_trend(history: History, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = str(tmp_path / "h.sqlite")
    keep(history, 3)
    assert main(["history", "--history", where, "-f", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["run"], row["topic"], row["fabric"], row["failed_checks"]) for row in rows] == [
        ("1", "mtu", "east", "1"),
        ("1", "pfc", "west", "1"),
        ("2", "mtu", "east", "1"),
        ("3", "mtu", "east", "1"),
        ("3", "ecn", "east", "1"),
        ("4", "", "", "0"),
    ]
    assert main(["history", "--history", where, "-f", "html"]) == 0
    assert "Failing longest" not in capsys.readouterr().out, "nothing fails in the last run"
    assert main(["history", "--history", where, "3", "-f", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["rule"], row["device"], row["since"]) for row in rows] == [
        ("mtu/below-roce", "leaf1", START.isoformat()),
        ("ecn/off", "leaf1", (START + timedelta(days=2)).isoformat()),
    ]
    assert main(["history", "--history", where, "3", "-f", "json"]) == 0
    assert [row["fabric"] for row in json.loads(capsys.readouterr().out)["findings"]] == ["east", "east"]
    assert main(["history", "--history", where, "3", "-f", "html"]) == 2
    assert "leave RUN out" in capsys.readouterr().err


def test_a_history_of_the_first_version_is_read(tmp_path: Path) -> None:
    import sqlalchemy as sa
    from alembic import command
    from alembic.config import Config

    from roce_audit.history.store import MIGRATIONS

    where = tmp_path / "old.sqlite"
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with sa.create_engine(f"sqlite:///{where}").begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(
            sa.text(
                "INSERT INTO runs VALUES (1, '2026-03-01 02:00:00', '2026-03-01 02:00:00', '0', 'p', '{}', '{}', '{}', '[]', 1)"
            )
        )
        connection.execute(
            sa.text(
                "INSERT INTO findings VALUES (1, 'x', 'mtu/below-roce', 'leaf1:e1', 'error', 'fails', '', '', '', 0, 0)"
            )
        )
    history = History(str(where))
    assert trend(history, 5).table("fabric") == {"": [1]}
    keep(history, 5, OLD)
    assert trend(history, 5).table("fabric") == {"east": [0, 1], "": [1, 0]}
    assert "Fabrics" in "".join(page(trend(history, 5), NOW))
