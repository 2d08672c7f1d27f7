"""`roce-audit history`: past runs, one run, what flaps, and how long it has been failing."""

from __future__ import annotations

import argparse
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from roce_audit.cli import historyoptions
from roce_audit.cli.errors import UsageError

if TYPE_CHECKING:
    from roce_audit.history.store import History


def run(options: argparse.Namespace) -> int:
    """List runs, or show one."""
    history = historyoptions.opened(historyoptions.location(options, None))
    if options.keep_days is not None or options.keep_runs is not None:
        gone = history.forget(days=options.keep_days, runs=options.keep_runs)
        print(f"{gone} runs forgotten")
        return 0
    if options.run is None:
        return _list(history, options)
    number = historyoptions.run_number(options.run)
    found = history.last() if number == -1 else history.run(number) if number is not None else None
    if found is None:
        raise UsageError(f"there is no run {options.run}")
    failing = sorted(found.failing().values(), key=lambda item: (item.severity, item.rule, item.id))
    since = history.since([item.fingerprint for item in failing])
    flapping = history.flapping(options.window, options.changes)
    now = datetime.now(UTC)
    if options.format == "json":
        rows = [
            {
                "rule": item.rule,
                "id": item.id,
                "severity": item.severity,
                "message": item.message,
                "since": since[item.fingerprint].isoformat() if item.fingerprint in since else None,
                "flapped": flapping.get(item.fingerprint, 0),
                "fingerprint": item.fingerprint,
            }
            for item in failing
        ]
        print(json.dumps({"run": found.number, "findings": rows}, indent=1))
        return 0
    for item in failing:
        begun = since.get(item.fingerprint)
        age = f"for {(now - begun).days} d" if begun is not None else "new"
        flaps = f", came and went {flapping[item.fingerprint]} times" if item.fingerprint in flapping else ""
        print(f"{item.severity}[{item.rule}] {item.id}: {age}{flaps}")
    print(f"run {found.number}: {len(failing)} failures")
    return 0


def _list(history: History, options: argparse.Namespace) -> int:
    runs = history.runs(options.limit)
    if options.format == "json":
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
        print(json.dumps({"runs": rows}, indent=1))
        return 0
    for one in runs:
        print(
            f"{one.number:>6}  {one.started:%Y-%m-%d %H:%M}Z  {one.coverage.get('devices', 0):>6,} devices  "
            f"{one.checks.get('failed', 0):>6,} failed  {one.checks.get('undetermined', 0):>6,} undetermined  "
            f"exit {one.exit_code}" + (f"  {len(one.unreached)} not reached" if one.unreached else "")
        )
    if not runs:
        print("no runs yet")
    return 0
