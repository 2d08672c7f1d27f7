"""Where the history is kept, and how the command line names a run."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from contextlib import chdir
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from roce_audit.audit import Checked, check
from roce_audit.cli import extras
from roce_audit.cli.errors import UsageError
from roce_audit.cli.request import request
from roce_audit.policy import find
from roce_audit.policy.find import shown
from roce_audit.sources.git import GitError, checkout

if TYPE_CHECKING:
    from roce_audit.history.store import History

FILE_NAME = "roce-audit-history.sqlite"
VARIABLE = "ROCE_AUDIT_HISTORY"
_RUN = re.compile(r"(?:run:)?(\d{1,9})")


def location(options: argparse.Namespace, folder: str | None) -> str:
    """Path or URL of the history: the option, the environment, else a file beside the policy or in the working directory."""
    return options.history or os.environ.get(VARIABLE) or shown(Path(folder or ".") / FILE_NAME)


def found(options: argparse.Namespace, path: str = ".") -> str:
    """Where `audit` of this path keeps its runs: beside the policy that is in force there."""
    policy = getattr(options, "policy", None) or find(Path(path))
    return location(options, None if policy is None else os.path.dirname(policy))


def run_number(text: str) -> int | None:
    """The number in `12` or `run:12`, -1 for `last`; None where the text names no run."""
    if text == "last":
        return -1
    found = _RUN.fullmatch(text)
    return int(found.group(1)) if found and not os.path.lexists(text) else None


def opened(where: str) -> History:
    """The history, which must exist where it is a file. Raises UsageError."""
    extras.require("a recorded run", "history")
    from roce_audit.history.store import History, HistoryError

    if "://" not in where and not os.path.isfile(where):
        raise UsageError(f"{where}: no history here; `roce-audit audit` writes one{_nearby(where)}")
    try:
        return History(where)
    except HistoryError as error:
        raise UsageError(str(error)) from None


def tell_damage(history: History) -> None:
    """Which runs were left out because they are damaged."""
    for number, why in sorted(history.damaged.items()):
        print(f"roce-audit: {history.shown}: run {number} is damaged and left out: {why}", file=sys.stderr)


def _nearby(where: str) -> str:
    """Histories in the folders beside, for an audit keeps its runs beside the policy of its paths."""
    near = sorted(shown(one) for one in Path(where).parent.glob(f"*/{FILE_NAME}"))
    return f" (there is {near[0]}: --history {shlex.quote(near[0])})" if near else " (--history says where)"


def judged(options: argparse.Namespace, text: str) -> tuple[Checked, datetime]:
    """A file, folder or git revision of the working directory, judged now. Raises UsageError."""
    started = datetime.now(UTC)
    if os.path.lexists(text):
        return _checked(options, (text,)), started
    for name in ("policy", "topology"):
        if getattr(options, name) is not None:
            setattr(options, name, os.path.abspath(getattr(options, name)))
    with tempfile.TemporaryDirectory(prefix="roce-audit-") as folder:
        try:
            checkout(text, ".", folder)
        except GitError as error:
            raise UsageError(str(error)) from None
        with chdir(folder):  # so that paths are those of the revision
            return _checked(options, (".",)), started


def _checked(options: argparse.Namespace, paths: Sequence[str]) -> Checked:
    wanted = request(options, paths)
    return check(replace(wanted, context=()))
