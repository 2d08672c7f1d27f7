"""`roce-audit history`: past runs and their trend, one run, what flaps, and how long it has been failing."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from roce_audit.cli import historyoptions
from roce_audit.cli.errors import UsageError
from roce_audit.report.words import count

if TYPE_CHECKING:
    from roce_audit.history.store import History


def run(options: argparse.Namespace) -> int:
    """List runs or show one, as text, JSON, CSV, or (the trend) HTML."""
    history = historyoptions.opened(historyoptions.found(options))
    if options.keep_days is not None or options.keep_runs is not None:
        gone = history.forget(days=options.keep_days, runs=options.keep_runs)
        print(f"{count(gone, 'run')} forgotten")
    elif options.run is None:
        sys.stdout.writelines(_all(history, options))
    else:
        sys.stdout.writelines(_one(history, options))
    historyoptions.tell_damage(history)
    return 0


def _all(history: History, options: argparse.Namespace) -> Iterable[str]:
    from roce_audit.history.trends import trend
    from roce_audit.views import pastruns, trendpage

    match options.format:
        case "html":
            return trendpage.page(trend(history, options.limit), datetime.now(UTC))
        case "csv":
            return pastruns.trend_table(trend(history, options.limit))
        case "json":
            return _json(pastruns.runs_data(history.runs(options.limit)))
        case _:
            return (f"{line}\n" for line in pastruns.runs_lines(history.runs(options.limit)))


def _one(history: History, options: argparse.Namespace) -> Iterable[str]:
    from roce_audit.views import pastruns

    if options.format == "html":
        raise UsageError("-f html is the trend of all runs: leave RUN out")
    number = historyoptions.run_number(options.run)
    found = history.last() if number == -1 else history.run(number) if number is not None else None
    if found is None:
        historyoptions.tell_damage(history)
        raise UsageError(f"there is no run {options.run}")
    failing = pastruns.failing(history, found, options.window, options.changes)
    match options.format:
        case "csv":
            return pastruns.run_table(found, failing)
        case "json":
            return _json(pastruns.run_data(found, failing))
        case _:
            return (f"{line}\n" for line in pastruns.run_lines(found, failing, datetime.now(UTC)))


def _json(data: object) -> list[str]:
    return [json.dumps(data, indent=1), "\n"]
