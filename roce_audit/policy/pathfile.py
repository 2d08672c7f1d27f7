"""The path file: which ways traffic takes between switches, where no routing table is given."""

from __future__ import annotations

from pathlib import Path

from roce_audit.policy.find import shown
from roce_audit.policy.values import GivenPath
from roce_audit.text.wholefile import read_plain
from roce_audit.values import Place

MAX_BYTES = 1_000_000
"""Largest path file; a larger one is refused."""


def read(path: Path) -> tuple[tuple[GivenPath, ...], list[tuple[Place, str]]]:
    """The entries of a path file, and what is wrong in it: line and sentence."""
    from pydantic import ValidationError

    from roce_audit.policy.lines import Lines
    from roce_audit.policy.schema import PathFileForm
    from roce_audit.text.formerrors import problems
    from roce_audit.text.yamltext import YamlError, parse

    name = shown(path)
    try:
        raw = read_plain(path, MAX_BYTES)
        document = parse(raw.decode("utf-8-sig"))
    except OSError as error:
        return (), [(Place(name, 0), error.strerror or "cannot be read")]
    except UnicodeDecodeError as error:
        return (), [(Place(name, raw.count(b"\n", 0, error.start) + 1), "is not UTF-8")]
    except YamlError as error:
        return (), [(Place(name, error.line), error.message)]
    lines = Lines(name, document)
    try:
        form = PathFileForm.model_validate({} if document.value is None else document.value)
    except ValidationError as error:
        return (), [(lines.at(*at), message) for at, message in problems(error, PathFileForm, "path file")]
    return tuple(
        GivenPath(entry.start, entry.end, tuple(map(tuple, entry.via)), entry.one_way, lines.at("paths", i))
        for i, entry in enumerate(form.paths)
    ), []
