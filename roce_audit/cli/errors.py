"""Errors of people and of the program, as exit codes."""

from __future__ import annotations

import argparse
import errno
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence

USAGE = 2
NOTHING = 3
INTERNAL = 70
NOT_READ = 141
"""Whoever reads standard output was gone before the answer was: what shells say of any program that ends so (128 + SIGPIPE)."""
_OF_THE_MACHINE = {
    errno.ENOSPC: "free some space, or write elsewhere",
    errno.EDQUOT: "free some space, or write elsewhere",
    errno.EROFS: "write elsewhere",
    errno.EACCES: "write elsewhere, or get the right to it",
    errno.EPERM: "write elsewhere, or get the right to it",
    errno.EIO: "look at the disk",
    errno.EISDIR: "name a file",
    errno.ENOENT: "make it, or name another place",
    errno.ENOTDIR: "name a folder",
    errno.EMFILE: "raise the limit of open files (ulimit -n)",
}
"""Errors of the system that are nobody's fault here -> what to do."""


class UsageError(Exception):
    """Something the user can fix: said in one line, exit code 2."""


def no_device() -> int:
    """Say that nothing was recognised, as the exit code for it."""
    print("roce-audit: no device was recognised", file=sys.stderr)
    return NOTHING


def crashed(problems: Sequence[str]) -> int:
    """Say what went wrong in the program itself, as the exit code for it."""
    print("\n".join(problems), file=sys.stderr)
    return INTERNAL


def collect_garbage_seldom(ports: int = 0) -> None:
    """What is read stays until the end: looking through all of it for garbage again and again costs a sixth of a large run.

    Joining and judging that many ports makes some 65 objects for each, of which next to nothing becomes garbage: it is looked
    for when there are more.
    """
    gc.set_threshold(1_000_000 + 100 * ports, 50, 100)
    gc.enable()


def guarded(options: argparse.Namespace) -> int:
    """Run the verb; every error becomes a line on standard error and an exit code."""
    collect_garbage_seldom()
    from roce_audit.report.deliver import discard

    verb = importlib.import_module(f"roce_audit.cli.{options.verb.replace('-', '_')}")
    try:
        code = said_in_one_line(lambda: verb.run(options))
        if not sys.stdout.closed:  # an editor that leaves closes it
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        discard(sys.stdout)
        return NOT_READ
    except KeyboardInterrupt:
        print("roce-audit: interrupted", file=sys.stderr)
        return 130
    except Exception as error:
        if os.environ.get("ROCE_AUDIT_TRACEBACK"):
            raise
        if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
            where = f"{error.filename}: " if error.filename else ""
            said = f"{os.strerror(error.errno).lower()}: {_OF_THE_MACHINE[error.errno]}"
            print(f"roce-audit: {where}{said}", file=sys.stderr)
            return USAGE
        print(
            f"roce-audit: internal error: {type(error).__name__}: {error}\n"
            "This is a fault of roce-audit. ROCE_AUDIT_TRACEBACK=1 shows where.",
            file=sys.stderr,
        )
        return INTERNAL


def said_in_one_line(run: Callable[[], int]) -> int:
    """What `run` gives; what its user can put right becomes a line on standard error and exit code 2."""
    from roce_audit.engine.baseline import BaselineError
    from roce_audit.engine.rules.rulecompiler import RuleError
    from roce_audit.engine.rules.selecting import UnknownSelector
    from roce_audit.policy import PolicyError
    from roce_audit.report.registry import UnknownFormat

    try:
        return run()
    except UnicodeError:  # a ValueError, but nothing that was typed wrong
        raise
    except (UsageError, BaselineError, UnknownSelector, UnknownFormat, RuleError, PolicyError, ValueError) as error:
        if os.environ.get("ROCE_AUDIT_TRACEBACK"):
            raise
        print(f"roce-audit: {error}", file=sys.stderr)
        return USAGE
