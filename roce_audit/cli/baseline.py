"""`roce-audit baseline`: accept today's findings, so that only new and worse ones fail."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from roce_audit.audit import check
from roce_audit.cli.errors import UsageError, crashed, no_device
from roce_audit.cli.request import not_over_input, request
from roce_audit.engine import baseline
from roce_audit.policy.find import shown
from roce_audit.report.words import count
from roce_audit.sources.files import STDIN
from roce_audit.text.wholefile import replace_file


def run(options: argparse.Namespace) -> int:
    """Write the file. With --prune it only shrinks: what is fixed goes out, nothing new comes in."""
    wanted = request(options, options.paths)
    file = Path(options.output or shown(Path(wanted.policy.folder or ".") / baseline.FILE_NAME))
    not_over_input(str(file), options)
    if options.prune and not file.is_file():
        raise UsageError(f"{file}: no such baseline to prune")
    checked = check(wanted)
    report = checked.report
    if report.problems:
        return crashed(report.problems)
    if not report.coverage.recognised:
        return no_device()
    found = baseline.of(report.findings)
    before = baseline.load(file).accepted if options.prune else {}
    if options.prune:
        judged = {device.name for device in checked.devices}
        rules = {rule.id for rule in checked.rules}
        found = baseline.pruned(before.values(), found, judged, rules)
    if options.output == STDIN:
        sys.stdout.write(baseline.text(found))
        return 0
    mode = file.stat().st_mode if file.exists() else 0o644
    replace_file(file, (baseline.text(found).encode(),))
    file.chmod(mode & 0o777)
    gone = f", {len(before) - len(found.accepted):,} taken out because they are fixed" if options.prune else ""
    print(f"{file}: {count(len(found.accepted), 'failed check')} accepted{gone}")
    if not options.prune:
        with_it = ["--baseline", str(file)]
        dashed = any(path.startswith("-") for path in wanted.paths)  # a name that is no option
        words = [*with_it, "--", *wanted.paths] if dashed else [*wanted.paths, *with_it]
        print(f"judge with it: roce-audit check {shlex.join(words)}")
    return 0
