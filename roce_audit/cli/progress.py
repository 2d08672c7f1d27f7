"""How far a collection is: a bar with rate and time left on a terminal, plain lines elsewhere."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from roce_audit.sources.fleet import Told
from roce_audit.sources.manifest import DeviceRecord
from roce_audit.sources.targets import Target

_EVERY_SECONDS = 10.0
_FAILURES_SHOWN = 20


@contextmanager
def progress(options: argparse.Namespace, total: int) -> Iterator[Told]:
    """A function to tell of each device."""
    if options.quiet:
        yield lambda target, record, again: None
    elif sys.stderr.isatty():
        with _bar(total) as told:
            yield told
    else:
        yield _Lines(total, bool(options.verbose))


@contextmanager
def _bar(total: int) -> Iterator[Told]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("collect"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
    )
    console = Console(stderr=True)
    started = time.monotonic()
    failed = 0
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("collect", total=total, rate="", failed="")

        def told(target: Target, record: DeviceRecord, again: bool) -> None:
            nonlocal failed
            if again:
                return
            failed += not record.reached
            done = bar.tasks[0].completed + 1
            rate = f"{done / max(time.monotonic() - started, 0.001):.1f}/s"
            bar.update(task, advance=1, rate=rate, failed=f"{failed} failed" if failed else "")
            if not record.reached:
                console.print(words(target, record, again), highlight=False, markup=False)

        yield told


class _Lines:
    """A line for what failed, and one every few seconds for how far it is."""

    def __init__(self, total: int, verbose: bool) -> None:
        self._total = total
        self._verbose = verbose
        self._started = self._said = time.monotonic()
        self._done: Counter[bool] = Counter()

    def __call__(self, target: Target, record: DeviceRecord, again: bool) -> None:
        if not again:
            self._done[record.reached] += 1
        if self._verbose or (not record.reached and self._done[False] <= _FAILURES_SHOWN):
            print(words(target, record, again), file=sys.stderr)
        now = time.monotonic()
        if now - self._said > _EVERY_SECONDS:
            self._said = now
            done = self._done.total()
            rate = done / (now - self._started)
            left = f", {(self._total - done) / rate:.0f} s left" if rate else ""
            print(f"{done:,} of {self._total:,}, {rate:.1f}/s{left}, {self._done[False]:,} failed", file=sys.stderr)


def words(target: Target, record: DeviceRecord, again: bool) -> str:
    """One device in one line."""
    reason = f": {record.reason}" if record.reason else ""
    return f"{target.name}: {record.outcome}{reason}" + ("; tried again later" if again else "")
