"""Colours and widths: what terminals, pipes and NO_COLOR get."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import rich.progress  # noqa: F401  (its clock is the real one, though a test has one of its own)

from roce_audit.cli import progress
from roce_audit.cli.screen import on_screen, writable
from roce_audit.report.options import Options

ROOT = Path(__file__).parents[2]
FAULTY = "fixtures/fabric-faulty"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("color", "stream", "variables", "laid_out", "painted"),
    [
        ("auto", Terminal(), {}, True, True),
        ("auto", io.StringIO(), {}, False, False),
        ("auto", Terminal(), {"NO_COLOR": "1"}, True, False),
        ("auto", Terminal(), {"NO_COLOR": ""}, True, True),
        ("auto", Terminal(), {"TERM": "dumb"}, False, False),
        ("always", io.StringIO(), {"NO_COLOR": "1"}, True, True),
        ("never", Terminal(), {}, True, False),
        ("never", io.StringIO(), {}, False, False),
    ],
)
def test_layout_and_colour(
    color: str,
    stream: io.StringIO,
    variables: dict[str, str],
    laid_out: bool,
    painted: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    made = on_screen(Options(), color, stream)
    assert (made.terminal, made.color) == (laid_out, painted)


def test_width_follows_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "61")
    assert on_screen(Options(), "never", io.StringIO()).width == 61


def test_other_streams_are_left_alone() -> None:
    stream = io.StringIO()
    assert writable(stream) is stream


def check(*arguments: str, given: str | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "roce_audit", "check", *arguments],
        cwd=ROOT,
        input=given,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_poor_encoding_does_not_end_the_program() -> None:
    done = check(FAULTY, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (1, "")
    assert re.search(r" - [0-9,]+ checks", done.stdout)
    assert "?" not in done.stdout.partition("\nAssumed")[2]


def test_several_formats_leave_standard_output_clean(tmp_path: Path) -> None:
    names = ("sarif", "junit", "html", "markdown", "csv", "prometheus", "gitlab", "jsonl")
    wanted = [part for name in names for part in ("-f", f"{name}={tmp_path / name}")]
    done = check(FAULTY, "-f", "json", *wanted)
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["schema"] == "roce-audit/report/1"
    assert {path.name for path in tmp_path.iterdir()} == set(names)
    assert all(path.stat().st_size for path in tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = check(FAULTY, "-f", f"json={tmp_path / 'no' / 'report.json'}")
    assert done.returncode == 2
    assert "no such folder" in done.stderr


def test_standard_input_is_quoted() -> None:
    text = (ROOT / FAULTY / "backend" / "leaf1.cfg").read_text()
    assert "68 | interface Ethernet3/1\n" in check("-", given=text).stdout


def test_a_pipe_may_be_named_as_the_file() -> None:
    done = check(FAULTY, "-f", "json=/dev/stdout")
    assert json.loads(done.stdout)["schema"] == "roce-audit/report/1"


def test_long_work_says_how_far_it_is_and_takes_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([0.0, 0.5, 1.5, 1.55, 1.7, 1.71])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "70")
    stream = Terminal()
    line = progress.status_line(stream, 0)
    assert line is not None
    for done in range(1, 5):
        line("reading device", done, 5000)
    line("joining", 0, 0)
    line("", 0, 0)
    drawn = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[^\x20-\x7e\r]", "", stream.getvalue()).split("\r")
    words = [" ".join(text.split()) for text in drawn]
    assert list(dict.fromkeys(filter(None, words))) == [
        "reading device 2 of 5,000",
        "reading device 4 of 5,000",
        "joining",
    ]
    assert stream.getvalue().endswith("\x1b[2K")  # the line is erased


def test_nothing_is_told_where_nobody_looks() -> None:
    assert progress.status_line(io.StringIO(), 0) is None
    assert progress.status_line(Terminal(), 1) is None
    line = progress.StatusLine(Terminal())
    line("", 0, 0)


def test_prose_stays_readable_on_a_wide_terminal() -> None:
    wide = [line for line in check(FAULTY, COLUMNS="200").stdout.splitlines() if line.lstrip().startswith("= ")]
    assert wide
    assert max(map(len, wide)) <= 110
