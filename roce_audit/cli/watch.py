"""`check --watch`: the check again whenever a file below its paths changes, until it is interrupted."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from roce_audit.cli import extras
from roce_audit.cli.errors import said_in_one_line
from roce_audit.cli.request import only_files
from roce_audit.policy import find
from roce_audit.report.deliver import outputs
from roce_audit.text.sentences import listed

_CLEAR = "\x1b[H\x1b[2J\x1b[3J"
_SETTLED_MS = 200
"""Changes that follow each other within this time are one."""
_LOOK_MS = 100
"""How often the watch looks up; the first time it does, it has begun."""


def watch(options: argparse.Namespace, judge: Callable[[], int]) -> int:
    """Judge now and after every change; gives the exit code of the last time. Raises UsageError before the first."""
    extras.require("check --watch", "watch")
    from watchfiles import watch as changes

    logging.getLogger("watchfiles").setLevel(logging.ERROR)  # Ctrl-C is how a watch ends, and no warning

    only_files("--watch", options.paths)
    written = {os.path.realpath(output.file) for output in outputs(options.format) if output.file is not None}
    beside = (options.policy, options.topology, options.baseline)
    folders = {path if os.path.isdir(path) else os.path.dirname(path) or "." for path in options.paths or (".",)}
    folders |= {*options.context, *(os.path.dirname(file) or "." for file in beside if file is not None)}

    def counts(_: object, path: str) -> bool:
        return os.path.realpath(path) not in written and ".git" not in Path(path).parts and not path.endswith(".part")

    policy = options.policy or find(Path(next(iter(options.paths), ".")))
    folders |= {os.path.dirname(policy) or "."} if policy is not None else set()  # its folder is the context
    found = changes(
        *sorted(folders),
        watch_filter=counts,
        debounce=_SETTLED_MS,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
        raise_interrupt=False,
    )
    next(found, None)  # from here on nothing is missed, what changes during the first check neither
    code = _once(judge)
    for changed in found:
        if changed:
            _between(sorted({os.path.relpath(path) for _, path in changed}))
            code = _once(judge)
    return code


def _between(names: list[str]) -> None:
    """A clear screen, or on a pipe a line between two reports."""
    sys.stdout.write(_CLEAR if sys.stdout.isatty() else "")
    print(f"== {datetime.now():%H:%M:%S} {listed(names, 1, spare_one=False)} changed", flush=True)


def _once(judge: Callable[[], int]) -> int:
    """What is wrong with a policy that somebody is writing is said, and waited for."""
    code = said_in_one_line(judge)
    sys.stdout.flush()
    return code
