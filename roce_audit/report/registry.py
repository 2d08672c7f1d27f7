"""The formats: every module of `report/formats` is one, with `render(report, options)` giving pieces of text.

A module may say in `WANTS` what it needs beyond the report: `site` (the fabric as drawn), `previous` (the file's old text),
`changes` (what fixes the findings), `blocks` (the stanzas around primary lines).
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TextIO

from roce_audit.engine.findings import Report
from roce_audit.report.options import Options
from roce_audit.report.prepare import prepare

_FOLDER = Path(__file__).parent / "formats"


class UnknownFormat(ValueError):
    """There is no format of this name."""


@cache
def format_names() -> tuple[str, ...]:
    """Names of all formats."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules([str(_FOLDER)])))


def known(name: str) -> str:
    """The name itself, when there is such a format. Raises UnknownFormat."""
    if name not in format_names():
        near = difflib.get_close_matches(name, format_names(), n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(format_names())}"
        raise UnknownFormat(f"unknown format '{name}'; {hint}")
    return name


def wants(name: str) -> frozenset[str]:
    """What a format needs beyond the report. Raises UnknownFormat."""
    return frozenset(getattr(_module(name), "WANTS", ()))


def render(name: str, report: Report, options: Options | None = None) -> Iterator[str]:
    """The report in pieces of text. Raises UnknownFormat."""
    return render_prepared(name, prepare(report), options or Options())


def render_prepared(name: str, prepared: Report, options: Options) -> Iterator[str]:
    """As `render`, for a report that went through `prepare` already: once for all formats of a run."""
    pieces: Iterator[str] = _module(name).render(prepared, options)
    return pieces


def write(name: str, report: Report, stream: TextIO, options: Options | None = None) -> None:
    """Write the report. Raises UnknownFormat, and what the stream raises."""
    for piece in render(name, report, options):
        stream.write(piece)


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"roce_audit.report.formats.{known(name)}")
