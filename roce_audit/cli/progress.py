"""Progress on the terminal: a bar for a check or a search for fixes, another for a collection; plain lines elsewhere."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from roce_audit.sources.live.fleet import Progress
    from roce_audit.sources.live.targets import Target
    from roce_audit.sources.manifest import DeviceRecord

_QUIET_SECONDS = 1.0
_STATUS_SECONDS = 0.1
_EVERY_SECONDS = 10.0
_FAILURES_SHOWN = 20


class StatusLine:
    """One line with a bar that is drawn again at each step and erased at the end; a run of less than a second shows nothing.

    It is drawn by whoever calls, never by a thread: processes may be forked in between.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._begin = self._next = time.monotonic() + _QUIET_SECONDS
        self._doing = ""
        self._bar: Bar | None = None

    def __call__(self, doing: str, done: int, total: int) -> None:
        """`doing` "" is the end. `total` 0 where nobody knows it."""
        if not doing:
            self._clear()
            return
        now, another = time.monotonic(), doing != self._doing
        self._doing = doing
        if now >= (self._begin if another else self._next):
            self._next = now + _STATUS_SECONDS
            bar = self._bar = self._bar or self._started()
            bar.update(bar.task_ids[0], description=doing, completed=done, total=total or None, shown=_of(done, total))
            bar.refresh()

    def _started(self) -> Bar:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(30), TextColumn("{task.fields[shown]}"))
        console = Console(file=self._stream)
        bar = Progress(
            *columns,
            console=console,
            transient=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        bar.add_task("", shown="")
        bar.start()
        return bar

    def _clear(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar = None


def _of(done: int, total: int) -> str:
    return f"{done:,} of {total:,}" if total else ""


def status_line(stream: TextIO, quiet: int) -> StatusLine | None:
    """The status line of a check or a search for fixes; None where the stream is no terminal, or with -q."""
    return StatusLine(stream) if stream.isatty() and not quiet else None


@contextmanager
def collection(options: argparse.Namespace, total: int) -> Iterator[Progress]:
    """What a collection calls after each device."""
    if options.quiet:
        yield lambda target, record, again: None
    elif sys.stderr.isatty():
        with _bar(total) as bar:
            yield bar
    else:
        yield _Lines(total, bool(options.verbose))


@contextmanager
def _bar(total: int) -> Iterator[Progress]:
    from rich import progress
    from rich.console import Console

    columns = (
        progress.TextColumn("collect"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[rate]}"),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.fields[failed]}"),
    )
    console = Console(stderr=True)
    started = time.monotonic()
    failed = 0
    with progress.Progress(*columns, console=console) as bar:
        task = bar.add_task("collect", total=total, rate="", failed="")

        def advance(target: Target, record: DeviceRecord, again: bool) -> None:
            nonlocal failed
            if again:
                return
            failed += not record.reached
            done = bar.tasks[0].completed + 1
            rate = f"{done / max(time.monotonic() - started, 0.001):.1f}/s"
            bar.update(task, advance=1, rate=rate, failed=f"{failed} failed" if failed else "")
            if not record.reached:
                console.print(words(target, record, again), highlight=False, markup=False)

        yield advance


class _Lines:
    """A line for what failed, and one every few seconds for how far it is."""

    def __init__(self, total: int, verbose: bool) -> None:
        self._total = total
        self._verbose = verbose
        self._started = self._printed = time.monotonic()
        self._done: Counter[bool] = Counter()

    def __call__(self, target: Target, record: DeviceRecord, again: bool) -> None:
        if not again:
            self._done[record.reached] += 1
        if self._verbose or (not record.reached and self._done[False] <= _FAILURES_SHOWN):
            print(words(target, record, again), file=sys.stderr)
        now = time.monotonic()
        if now - self._printed > _EVERY_SECONDS:
            self._printed = now
            done = self._done.total()
            rate = done / (now - self._started)
            left = f", {(self._total - done) / rate:.0f} s left" if rate else ""
            print(f"{done:,} of {self._total:,}, {rate:.1f}/s{left}, {self._done[False]:,} failed", file=sys.stderr)


def words(target: Target, record: DeviceRecord, again: bool) -> str:
    """One device in one line."""
    reason = f": {record.reason}" if record.reason else ""
    return f"{target.name}: {record.outcome}{reason}" + ("; tried again later" if again else "")
