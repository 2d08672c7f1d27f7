"""The path file: which ways traffic takes between switches, where no routing table is given."""

from __future__ import annotations

from pathlib import Path

from roce_audit.policy.find import shown
from roce_audit.policy.load import MAX_BYTES, PolicyError, Problem, checked, decoded
from roce_audit.policy.values import GivenPath
from roce_audit.text.wholefile import read_plain


def read(path: Path) -> tuple[GivenPath, ...]:
    """The entries of a path file of at most `MAX_BYTES`. Raises PolicyError."""
    from roce_audit.policy.schema import PathFileForm

    name = shown(path)
    try:
        raw = read_plain(path, MAX_BYTES)
    except OSError as error:
        raise PolicyError((Problem(name, 0, error.strerror or "cannot be read"),)) from error
    form, lines = checked(decoded(raw, name), name, PathFileForm, "path file")
    return tuple(
        GivenPath(entry.start, entry.end, tuple(map(tuple, entry.via)), entry.one_way, lines.at("paths", i))
        for i, entry in enumerate(form.paths)
    )
