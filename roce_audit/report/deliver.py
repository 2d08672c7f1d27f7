"""Writing the reports of a run: standard output as it comes, files whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from roce_audit.engine.findings import Report
from roce_audit.records import dataclass
from roce_audit.report import registry
from roce_audit.report.options import Options
from roce_audit.report.prepare import prepare
from roce_audit.text.wholefile import replace_file

_LARGEST_PREVIOUS = 1_000_000
"""Bytes of an old file that are looked at."""


class OutputError(ValueError):
    """A report cannot be asked for like this, or its file cannot be written."""


@dataclass(frozen=True, slots=True)
class Output:
    """One `-f NAME[=FILE]`; `file` None is standard output, which `-` says as well."""

    name: str
    file: str | None


_CONFIGURATIONS = (".cfg", ".conf", ".config", ".set", "config_db.json")
"""How files end that no report is written over, for a folder of them may be what is to be read."""


def outputs(texts: Iterable[str], inputs: Iterable[str] = ()) -> tuple[Output, ...]:
    """What `-f` options ask for; `inputs` are files that are read, and none of them is written over.

    Raises OutputError, and UnknownFormat for a format that does not exist.
    """
    found: list[Output] = []
    for text in texts:
        name, equals, file = text.partition("=")
        registry.known(name)
        if equals and not file:
            raise OutputError(f"-f {text}: the name of the file is missing")
        found.append(Output(name, file if equals and file != "-" else None))
    if sum(output.file is None for output in found) > 1:
        raise OutputError("only one format can go to standard output; write the others to files: -f NAME=FILE")
    files = [os.path.realpath(output.file) for output in found if output.file is not None]
    read = {os.path.realpath(one) for one in inputs if os.path.isfile(one)}
    for file in files:
        if os.path.isdir(file):
            raise OutputError(f"{file} is a folder, and no file to write a report to")
        if not os.path.isdir(os.path.dirname(file)):
            raise OutputError(f"{os.path.dirname(file)}: no such folder to write a report to")
        if file in read:
            raise OutputError(f"{file} is what is to be read: a report would take its place")
        if os.path.isfile(file) and file.lower().endswith(_CONFIGURATIONS):
            raise OutputError(f"{file} is there and has the name of a configuration: a report would take its place")
        if files.count(file) > 1:
            raise OutputError(f"two formats cannot go to the same file: {file}")
    return tuple(found)


def deliver(report: Report, wanted: Sequence[Output], stdout: TextIO, screen: Options, files: Options) -> None:
    """Write every report; `screen` holds for standard output, `files` for files.

    A file that cannot be written does not keep the others from being written; then OutputError is raised. Nor does a reader of
    standard output that has seen enough (`| head`), and that is no error.
    """
    prepared = prepare(report)
    failed: list[str] = []
    for output in wanted:
        if output.file is None:
            try:
                stdout.writelines(registry.render_prepared(output.name, prepared, screen))
                stdout.flush()
            except BrokenPipeError:
                discard(stdout)
            continue
        options = files
        if "previous" in registry.wants(output.name):
            options = replace(options, previous=_previous(output.file))
        try:
            write_whole(output.file, registry.render_prepared(output.name, prepared, options))
        except OSError as error:
            failed.append(f"{output.file}: {error.strerror or error}")
    if failed:
        raise OutputError(f"cannot write {'; '.join(failed)}")


def discard(stdout: TextIO) -> None:
    """Let standard output lead nowhere, for nobody reads it any more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stdout.fileno())
    os.close(nowhere)


def write_whole(file: str, pieces: Iterator[str]) -> None:
    """Write a text file that is never seen half-written: beside it first, then in its place. Raises OSError.

    Links are followed; a pipe or device is written to directly. The file keeps its mode; a new one gets the usual one.
    """
    if os.path.exists(file) and not os.path.isfile(file):
        with open(file, "w", encoding="utf-8", newline="") as stream:
            stream.writelines(pieces)
        return
    replace_file(Path(file), (piece.encode() for piece in pieces))


def _previous(file: str) -> str:
    try:
        with open(file, "rb") as stream:
            return stream.read(_LARGEST_PREVIOUS).decode("utf-8", "replace")
    except OSError:
        return ""
