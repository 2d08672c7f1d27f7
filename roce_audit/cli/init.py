"""`roce-audit init`: write down what was inferred, so that a moving majority no longer moves it."""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.cli.errors import UsageError, crashed, no_device
from roce_audit.cli.request import request
from roce_audit.policy import FILE_NAME, Policy, load_text
from roce_audit.policy.find import shown
from roce_audit.report.deliver import write_whole
from roce_audit.report.words import count
from roce_audit.sources.files import STDIN


def run(options: argparse.Namespace) -> int:
    """Write the file, and prove that it changes no verdict."""
    from roce_audit.drafting import editorschema
    from roce_audit.drafting.policyfile import draft
    from roce_audit.drafting.proof import changes

    wanted = request(options, options.paths)
    file = options.output or shown(Path(_folder(wanted.paths[0]), FILE_NAME))
    if file != STDIN and os.path.lexists(file) and not options.force:
        raise UsageError(f"{file} exists; --force rewrites it (what it says is kept), -o - shows the text")
    if file == STDIN and options.schema:
        raise UsageError("--schema writes a file beside the policy: it cannot be used with -o -")
    checked = check(wanted)
    if checked.report.problems:
        return crashed(checked.report.problems)
    if not checked.devices:
        return no_device()
    folder = os.path.dirname(os.path.abspath(file)) if file != STDIN else _folder(wanted.paths[0])
    done = draft(checked, wanted.policy, _text_of(wanted.policy), os.path.abspath(folder))
    frozen = replace(load_text(done.text, FILE_NAME, folder=Path(folder).absolute()), profile=wanted.policy.profile)
    different = changes(checked, _judged_with(wanted, frozen))
    if file == STDIN:
        sys.stdout.write(done.text)
    else:
        try:
            write_whole(file, iter((editorschema.named(done.text) if options.schema else done.text,)))
            if options.schema:
                write_whole(os.path.join(folder, editorschema.SCHEMA_NAME), iter((editorschema.schema(),)))
        except OSError as error:
            raise UsageError(f"cannot write {file}: {error.strerror or error}; -o FILE writes elsewhere") from None
        print(
            f"{file}: {count(done.fabrics, 'fabric')}, {count(done.classes, 'class', 'classes')} of RoCE written down"
        )
    said = sys.stderr if file == STDIN else sys.stdout
    if different:
        print(
            f"with it {count(len(different), 'verdict changes', 'verdicts change')}: {', '.join(different[:3])}",
            file=said,
        )
    else:
        found = checked.report.checks
        print(
            f"proved: with it every verdict is as without it ({found.passed:,} passed, {found.failed:,} failed)",
            file=said,
        )
    if done.left:
        print(f"left to you, commented out in it: {', '.join(done.left)}", file=said)
    return 0


def _folder(path: str) -> str:
    return path if os.path.isdir(path) else os.path.dirname(path) or "."


def _text_of(policy: Policy) -> str | None:
    return Path(policy.file).read_text(encoding="utf-8-sig") if policy.file is not None else None


def _judged_with(wanted: Request, policy: Policy) -> Request:
    return replace(wanted, policy=policy)
