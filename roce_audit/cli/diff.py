"""`roce-audit diff OLD NEW`: what changed between two folders, snapshots, git revisions or recorded runs."""

from __future__ import annotations

import argparse
import json
from datetime import datetime
from typing import TYPE_CHECKING

from roce_audit.cli import historyoptions
from roce_audit.cli.errors import UsageError, no_device

if TYPE_CHECKING:
    from roce_audit.audit import Checked

NEW = 1


def run(options: argparse.Namespace) -> int:
    """Print the difference; 1 where something new fails, or fails worse, at or above --fail-on."""
    from roce_audit.engine.findings import SEVERITIES
    from roce_audit.history import rendering
    from roce_audit.history.comparing import compare
    from roce_audit.history.record import Recorded, Run, run_of

    numbers = historyoptions.run_number(options.old), historyoptions.run_number(options.new)
    if numbers[0] is None and numbers[1] is not None:
        raise UsageError("a recorded run can be the older side alone, or both")
    old: Run | None
    new: Run | None
    now: tuple[Checked, datetime] | None = None
    if numbers[0] is not None:
        history = historyoptions.opened(historyoptions.found(options, options.new if numbers[1] is None else "."))
        old = history.last() if numbers[0] < 0 else history.run(numbers[0])
        if old is None:
            raise UsageError(f"there is no run {options.old}: `roce-audit history` lists them")
        if numbers[1] is not None:
            new = history.last() if numbers[1] < 0 else history.run(numbers[1])
            if new is None:
                raise UsageError(f"there is no run {options.new}: `roce-audit history` lists them")
            gone = [key for key in old.failing() if key not in new.judged]
            known: dict[str, Recorded] = {**history.told_up_to(new, gone), **new.judged}
            new = Run(**{**{name: getattr(new, name) for name in Run.__dataclass_fields__}, "judged": known})
            historyoptions.tell_damage(history)
        else:
            historyoptions.tell_damage(history)
            now = historyoptions.judged(options, options.new)
            new = run_of(*now, old.failing())
    else:
        old = run_of(*historyoptions.judged(options, options.old), {})
        now = historyoptions.judged(options, options.new)
        new = run_of(*now, old.failing())
    if now is not None and not now[0].report.coverage.recognised and not now[0].report.problems:
        return no_device()
    found = compare(old, new)
    if options.format == "json":
        print(json.dumps(rendering.plain(found), indent=1))
    else:
        for line in rendering.lines(found, verbose=options.verbose > 0):
            print(line)
    if options.fail_on == "never":
        return 0
    bar = SEVERITIES.index(options.fail_on)
    worse = [now for before, now in found.changed if SEVERITIES.index(now.severity) < SEVERITIES.index(before.severity)]
    bad = [item for item in (*found.new, *worse) if not item.accepted and SEVERITIES.index(item.severity) <= bar]
    return NEW if bad else 0
