"""`roce-audit selftest`: break every rule's good examples, or the user's own files, and see whether anything is said."""

from __future__ import annotations

import argparse

from roce_audit.audit import rules_of
from roce_audit.cli.errors import UsageError
from roce_audit.cli.request import policy
from roce_audit.engine.rules.selecting import selected
from roce_audit.proof import selftest
from roce_audit.readings.workers import usable_cores
from roce_audit.report.words import clean, count


def run(options: argparse.Namespace) -> int:
    """Without paths the table rule x platform, 0 only if every rule is shown to fire; with paths what would go unnoticed."""
    if options.paths:
        from roce_audit.cli import mutation

        return mutation.run(options)
    without = {
        "--numbers": options.numbers,
        "--damage": options.damage,
        "--limit": options.limit,
        "--seconds": options.seconds,
    }
    if names := [name for name, given in without.items() if given]:
        raise UsageError(f"{names[0]} is about configurations of yours: name their PATH")
    if options.format != "text":
        raise UsageError(f"-f {options.format} is about configurations of yours: name their PATH")
    rules = selected(rules_of(policy(options, ())), options.select, options.ignore)
    done = selftest.run(rules, options.jobs or usable_cores())
    for line in _table(done):
        print(line)
    for one in done.shown:
        for why in one.wrong:
            print(clean(f"WRONG {one.rule} on {one.platform}: {why}"))
    for rule in done.unproven:
        print(clean(f"WRONG {rule}: no example on any platform"))
    breakages = sum(one.breakages for one in done.shown)
    found = sum(one.found for one in done.shown)
    print(f"{count(len(rules), 'rule')} · {found:,} of {count(breakages, 'breakage')} found")
    return 0 if done.passed else 1


def _table(done: selftest.Selftest) -> list[str]:
    """Found of broken, by rule and platform; `-` where a rule has no example."""
    cells = {(one.rule, one.platform): f"{one.found}/{one.breakages}" for one in done.shown}
    width = max((len(rule) for rule in done.rules), default=4)
    wide = [max(len(name), 5) for name in done.platforms]
    rows = [["rule", *done.platforms]]
    rows += [[rule, *(cells.get((rule, name), "-") for name in done.platforms)] for rule in done.rules]
    return [
        f"{row[0]:<{width}}  " + "  ".join(f"{text:>{w}}" for text, w in zip(row[1:], wide, strict=True))
        for row in rows
    ]
