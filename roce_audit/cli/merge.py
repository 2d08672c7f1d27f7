"""`roce-audit merge`: join what `check --shard` read in parts, and judge it as `check` does."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from roce_audit.audit import check, planned_for
from roce_audit.cli.check import all_wants, answer_of, exit_code, with_changes, write_reports
from roce_audit.cli.errors import UsageError
from roce_audit.cli.request import given_files, not_over_input, only_files, request
from roce_audit.cli.unreached import checked as allowed
from roce_audit.readings import shards, store
from roce_audit.readings.parcel import Parcel
from roce_audit.report.deliver import outputs
from roce_audit.sources.batches import Plan
from roce_audit.sources.files import STDIN


def run(options: argparse.Namespace) -> int:
    """Exit codes as for `check`; 2 where a part is missing or was written by another version."""
    allowed(options.max_unreachable)
    wanted = outputs(options.format or ["text"], given_files(options))
    try:
        content, paths = shards.joined([Path(file) for file in options.shards])
    except shards.ShardError as error:
        raise UsageError(str(error)) from None

    def readers(plan: Plan, step: store.Step) -> Iterable[Parcel]:
        try:
            return store.parcels(plan, options.jobs or 0, None, step, content)
        except store.ForeignParts as error:
            raise UsageError(
                f"{error}: merge in the folder where `check --shard` read them, or read the parts anew"
            ) from None

    asked = replace(request(options, paths), readers=readers, narrow=True, blocks="blocks" in all_wants(wanted))
    checked = with_changes(check(asked), asked, wanted)
    write_reports(wanted, answer_of(checked, wanted), options)
    return exit_code(checked.report, options.fail_on, options.strict, options.max_unreachable)


def write_part(options: argparse.Namespace) -> int:
    """What `check --shard` does: read a part of the files, write what they hold, and judge nothing."""
    if options.executor != "local":
        raise UsageError("--shard and --executor are two ways to read in parts: one of them")
    only_files("--shard", options.paths)
    of_merge = {"-f": options.format, "--baseline": options.baseline, "--strict": options.strict}
    if options.watch or any(of_merge.values()):
        name = "--watch" if options.watch else next(name for name, given in of_merge.items() if given)
        where = "" if options.watch else f": {name} goes with `merge`"
        raise UsageError(f"--shard reads a part and judges nothing, so it cannot be used with {name}{where}")
    asked = request(options, options.paths)
    text, _, file = options.shard.partition("=")
    if not file or file == STDIN:
        raise UsageError(f"--shard {text}: say where to write it: --shard {text}=FILE")
    not_over_input(file, options)
    number = shards.write(planned_for(asked), asked.paths, shards.part(text), Path(file), options.jobs or 0, asked.step)
    asked.step("")
    print(
        f"{file}: {number:,} {'batch' if number == 1 else 'batches'} of files read; `roce-audit merge` takes all parts"
    )
    return 0
