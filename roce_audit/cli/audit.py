"""`roce-audit audit`: read, check, keep the run, write the reports; made for cron, timers and CI."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from datetime import UTC, datetime

from roce_audit.audit import check
from roce_audit.cli import past
from roce_audit.cli.check import exit_code, write_reports
from roce_audit.cli.errors import UsageError
from roce_audit.cli.request import request
from roce_audit.report.deliver import outputs


def run(options: argparse.Namespace) -> int:
    """One audit; the exit code is that of `check`."""
    from roce_audit.history import notify
    from roce_audit.history.comparing import compare
    from roce_audit.history.lock import Busy, locked
    from roce_audit.history.record import run_of
    from roce_audit.history.rendering import lines
    from roce_audit.history.store import History, HistoryError

    wanted_outputs = outputs(options.format or ["text"])
    started = datetime.now(UTC)
    wanted = request(options, options.paths)
    where = past.location(options, wanted.policy.folder)
    try:
        with locked(where):
            history = History(where)
            before = history.last()
            wanted = replace(wanted, remembered=before.inferred if before is not None else None)
            checked = check(wanted)
            code = exit_code(checked.report, options.fail_on, options.strict)
            this = run_of(checked, started, before.failing() if before is not None else {}, code)
            number = history.keep(this)
            history.close()
    except Busy as busy:
        raise UsageError(str(busy)) from None
    except HistoryError as error:
        raise UsageError(str(error)) from None
    write_reports(wanted_outputs, checked, options)
    if before is not None:
        difference = compare(before, this)
        print(f"run {number}, since run {before.number}:", file=sys.stderr)
        for line in lines(difference):
            print(line, file=sys.stderr)
        if options.webhook and (difference.new or difference.fixed or difference.changed or difference.lost):
            notify.send(options.webhook, notify.message(this, number, difference))
    else:
        print(f"run {number}, the first one", file=sys.stderr)
    return code
