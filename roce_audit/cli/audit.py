"""`roce-audit audit`: collect or read, check, keep the run, write the reports; made for cron, timers and CI."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from roce_audit.audit import Request, check
from roce_audit.cli import extras, historyoptions
from roce_audit.cli.check import answer_of, exit_code, with_changes, write_reports
from roce_audit.cli.errors import INTERNAL, NOTHING, USAGE, UsageError
from roce_audit.cli.request import given_files, policy_of, request
from roce_audit.cli.unreached import checked as allowed
from roce_audit.policy import find
from roce_audit.report.deliver import outputs

if TYPE_CHECKING:
    from roce_audit.history.record import Run
    from roce_audit.history.store import History
    from roce_audit.sources.live.targets import Target


def run(options: argparse.Namespace) -> int:
    """One audit; the exit code is that of `check`, 3 where an inventory gave nothing, 2 where nothing is wrong but the history."""
    if options.inventory:
        extras.require("audit -i", "history", "live")
    else:
        extras.require("audit", "history")
    from roce_audit.history.record import run_of
    from roce_audit.history.store import HistoryError

    _refuse_what_does_not_fit(options)
    wanted_outputs = outputs(options.format or ["text"], given_files(options))
    allowed(options.max_unreachable)
    started = datetime.now(UTC)
    read = None if options.inventory else request(options, options.paths)
    targets: tuple[Target, ...] = ()
    if options.inventory:  # before anything is made on the disk: a name may be wrong
        from roce_audit.cli.live import targets_of

        targets = targets_of(options)
    where = historyoptions.location(options, (read.policy if read is not None else policy_of(options)).folder)
    number = 0
    with ExitStack() as held:
        history, before, trouble = _opened(where, held)
        wanted, is_collected = (read, True) if read is not None else _collected(options, targets)
        if not is_collected and not options.paths:
            return NOTHING
        wanted = replace(wanted, remembered=before.inferred if before is not None else None)
        checked = check(wanted)
        code = exit_code(checked.report, options.fail_on, options.strict, options.max_unreachable)
        code = code if is_collected or code == INTERNAL else NOTHING
        this = run_of(checked, started, before.failing() if before is not None else {}, code)
        try:
            changed = with_changes(checked, replace(wanted, progress=None), wanted_outputs)
            write_reports(wanted_outputs, answer_of(changed, wanted_outputs), options)
        finally:
            if history is not None:
                try:
                    number = history.keep(this)
                except HistoryError as error:
                    trouble = str(error)
    if trouble:
        print(f"roce-audit: this run is not kept and not compared: {trouble}", file=sys.stderr)
        return code or USAGE
    if history is not None:
        historyoptions.tell_damage(history)
    if before is None:
        kept = "" if "://" in where else f", kept in {where}"
        compared = "compared with no earlier one" if number > 1 else f"the first one{kept}"
        print(f"run {number}, {compared}", file=sys.stderr)
    else:
        _tell_changes(before, this, number, options.webhook)
    return code


def _refuse_what_does_not_fit(options: argparse.Namespace) -> None:
    """Raises UsageError for options that do not go together, or name no address."""
    if not options.inventory and (options.resume or options.snapshots or options.limit):
        name = "--resume" if options.resume else "--snapshots" if options.snapshots else "--limit"
        raise UsageError(f"{name} goes with -i")
    if options.webhook is not None and urlsplit(options.webhook).scheme not in ("http", "https"):
        raise UsageError("--webhook: the address of one, https://...")  # which may be a secret


def _opened(where: str, held: ExitStack) -> tuple[History | None, Run | None, str]:
    """(the history, its last run, why neither can be used), closed with `held`. Raises UsageError while another audit is at it."""
    from roce_audit.history.lock import Busy, locked
    from roce_audit.history.store import History, HistoryError

    try:
        held.enter_context(locked(where))
        history = held.enter_context(closing(History(where)))
        held.enter_context(history.alone())
        return history, history.last(), ""
    except Busy as busy:
        raise UsageError(str(busy)) from None
    except HistoryError as error:
        return None, None, str(error)
    except OSError as error:
        return None, None, f"{error.filename}: {error.strerror.lower()}" if error.strerror else str(error)


def _tell_changes(before: Run, this: Run, number: int, webhook: str | None) -> None:
    """What is different since the run before, here and where somebody waits for it."""
    from roce_audit.history import notify
    from roce_audit.history.comparing import compare
    from roce_audit.history.rendering import lines

    difference = compare(before, this)
    print(f"run {number}, since run {before.number}:", file=sys.stderr)
    for line in lines(difference):
        print(line, file=sys.stderr)
    if webhook and (difference.new or difference.fixed or difference.changed or difference.lost):
        notify.send(webhook, notify.message(this, number, difference))


def _collected(options: argparse.Namespace, targets: Sequence[Target]) -> tuple[Request, bool]:
    """What is asked of a snapshot that is collected now, and whether any device could be read. Old snapshots go."""
    from roce_audit.cli.collect import default_folder, summary
    from roce_audit.cli.live import gather
    from roce_audit.sources.live.snapshot import broken_off, dated, prune

    if options.keep_snapshots < 0:
        raise UsageError("--keep-snapshots is not below 0")
    site = policy_of(options)
    if options.policy is None:  # the snapshot may lie where no policy is found upward
        options.policy = str(found) if (found := find(Path("."))) is not None else None
    folder = default_folder(options, site)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    snapshot = (broken_off(folder) if options.resume else None) or dated(folder)
    manifest = gather(options, targets, snapshot)
    for line in summary(manifest, snapshot, options.verbose):
        print(line, file=sys.stderr)
    prune(folder, options.keep_snapshots)
    # the policy's folder is no context here: it may hold the same devices as files, or older snapshots
    is_collected = any(device.reached for device in manifest.devices.values())
    return replace(request(options, [snapshot, *options.paths]), context=tuple(options.context)), is_collected
