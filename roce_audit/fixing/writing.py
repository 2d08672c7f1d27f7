"""Proved changes written into the configuration files themselves, where version control can take them back.

All files are looked at before the first is written; each is then replaced as a whole.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Iterator
from pathlib import Path

from roce_audit.fixing.planning import Plan
from roce_audit.records import dataclass
from roce_audit.sources.git import uncommitted
from roce_audit.text.wholefile import read_plain, replace_file


class Refused(Exception):
    """What was not written, one line a file that says why; nothing was, unless it says so."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How a file writes text down, beside its characters."""

    mark: bytes
    line_end: str

    def bytes_of(self, text: str) -> bytes:
        return self.mark + text.replace("\n", self.line_end).encode()


def write(plan: Plan, *, allow_dirty: bool = False) -> list[str]:
    """Write every file of the plan that is a place to make a change; gives their paths.

    A file must be as it was when it was judged. Unless `allow_dirty`, it must be as it was committed, too. Raises Refused
    before anything is written, and at a file that cannot be: with those that were written before it.
    """
    paths = sorted(path for path in plan.after if path not in plan.answers and path not in plan.rendered_from)
    refused = (
        [] if allow_dirty else [f"{path} {why} (--allow-dirty writes all the same)" for path, why in uncommitted(paths)]
    )
    forms: dict[str, _Form] = {}
    for path in paths:
        form = _form(path, plan.before[path])
        if isinstance(form, str):
            refused.append(f"{path} {form}")
        else:
            forms[path] = form
    if refused:
        raise Refused("nothing was written:\n" + "\n".join(f"  {line}" for line in refused))
    for number, path in enumerate(paths):
        try:
            replace_file(Path(path), (forms[path].bytes_of(plan.after[path]),))
        except OSError as error:
            before = f"; written before it: {', '.join(paths[:number])}" if number else "; nothing was written"
            raise Refused(f"{path}: {(error.strerror or str(error)).lower()}{before}") from None
    return paths


def _form(path: str, judged: str) -> _Form | str:
    """How the file is written, or why it cannot be written anew without touching more than the changed lines."""
    if os.path.islink(path):
        return "is a link: name the file that it leads to"
    try:
        content = read_plain(path, 2 * len(judged.encode()) + len(codecs.BOM_UTF8))  # each line end may be two bytes
    except OSError as error:
        return f"cannot be read again: {error.strerror or error}"
    mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
    form = _Form(mark, "\r\n" if b"\r\n" in content else "\n")
    if form.bytes_of(judged) == content:
        return form
    return (
        "changed since it was judged, or holds characters that are left out when it is read: patch it by hand (--diff)"
    )


def line_end(path: str, judged: str) -> str:
    """How the lines of a file end that can be patched as it is; a newline for all others."""
    form = _form(path, judged)
    return "\n" if isinstance(form, str) else form.line_end


def told(plan: Plan, written: list[str]) -> Iterator[str]:
    """What was written and what was not, one line a file."""
    for path in written:
        yield f"wrote {path}"
    for path in sorted(plan.after.keys() - set(written)):
        if path in plan.rendered_from:
            yield f"not written: {path} is rendered: change the template {plan.rendered_from[path]}"
        else:
            yield f"not written: {path} shows the change, and is no place to make it: type the commands above"
    if not plan.after:
        yield "nothing to write"
