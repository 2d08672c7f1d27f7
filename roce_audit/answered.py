"""Answers of earlier runs: where all that an answer was made of is as it was, nothing is loaded, joined or judged again.

The key of an answer is a digest of the whole request (policy, baseline, date, ...), of the whole plan (every file that was found,
and what was left out), of what each of these files holds, of the rules, and of the program. A file that a finding quotes and that
is none of these keeps the answer from being kept. One answer is kept for a question: the same paths, asked from the same folder.
Where something changed, most lines that are quoted are those of the answer before.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from datetime import date
from enum import Enum
from pathlib import Path

from roce_audit.audit import Request, planned_for
from roce_audit.engine.findingrows import FindingRows, without_rows
from roce_audit.engine.findings import Report
from roce_audit.engine.rules import rulepack
from roce_audit.readings import store
from roce_audit.readings.keys import key_of
from roce_audit.readings.parcel import is_open
from roce_audit.readings.portable import Damaged
from roce_audit.readings.portablereader import Reader
from roce_audit.readings.portablewriter import Writer
from roce_audit.readings.stamps import Stamps
from roce_audit.records import dataclass
from roce_audit.report.drawing import SiteDrawing
from roce_audit.sources.files import Candidate
from roce_audit.sources.lines import Quoted, SourceLines
from roce_audit.text.cachefiles import cache_file, make_room, write_whole
from roce_audit.text.secrets.redact import lines_in_question

_SUFFIX = ".answer"
_MOST_BYTES = 1 << 28
"""Of all answers together."""
_NAME = "0"
_ROWS = {"rows": ""}
"""The names of the table of what the findings are about."""
_ATOMS = (str, int, float, bool, bytes, date, type(None))


@dataclass(frozen=True, slots=True)
class Answer:
    """What reports are written from."""

    report: Report
    site: SiteDrawing | None = None
    """Where a format draws it."""


class Question:
    """A request of one day, for formats that want `wants` beyond the report, and the plan by which it is answered."""

    def __init__(self, request: Request, wants: Iterable[str]) -> None:
        self.request = replace(request, today=request.today or date.today())
        self.plan = planned_for(request)
        self._wants = sorted(wants)
        here = (os.getcwd(), request.paths, request.context, self._wants)
        self._file = cache_file(f"{_digest(here)[:32]}{_SUFFIX}") if self._is_kept() else None
        self._stamps = Stamps({})
        self._key: str | None = None
        self.quoted: Quoted = {}
        """Lines that are likely to be quoted, as far as `kept` found them; by files as shown."""

    def _is_kept(self) -> bool:
        """Not where texts come from elsewhere than files, or are read sooner than an answer is looked for."""
        asked, batches = self.request, self.plan.batches
        if asked.instead or asked.rules is not None or asked.since is not None:
            return False
        return not any(is_open(batch, self.plan) for batch in batches) and store.is_worth_it(batches)

    def kept(self) -> Answer | None:
        """The answer of an earlier run that was asked the same of the same."""
        if self._file is None:
            return None
        content = store.load(self._file)
        self._stamps = Stamps(content.stamps)
        self._key = self._key_now()
        rows = next((table.data for table in content.tables if table.names == _ROWS), None)
        if rows is None or self._key is None:
            return None
        about = FindingRows.read(rows)
        for table in content.tables:
            if table.names == {_NAME: self._key}:
                try:
                    found: Answer = Reader(Answer).read(table.data)[_NAME]
                except (Damaged, KeyError):
                    return None
                return replace(found, report=about.put_into(found.report))
        quoted = about.quoted()
        self.quoted = {
            x.path: quoted[x.path] for x in self._files() if x.path in quoted and self._stamps.is_unchanged(x)
        }
        return None

    def keep(self, answer: Answer, lines: SourceLines) -> None:
        """Keep the answer, which quotes `lines`, for the next run. To be called after `kept`."""
        if self._file is None or self._key is None or answer.report.problems:
            return
        files = self._files()
        if not {file.path for file in files}.issuperset(lines.opened) or not all(map(self._stamps.is_still, files)):
            return
        writer, rows = Writer(Answer), FindingRows.of(answer.report)
        writer.add(_NAME, replace(answer, report=without_rows(answer.report)))
        if _may_be_kept("\n".join((*writer.strings(), *rows.strings))):
            tables = (store.Table({_NAME: self._key}, writer.data()), store.Table(_ROWS, rows.written()))
            write_whole(self._file, *store.pieces(store.Content(self._stamps.kept(), tables)))
            make_room(f"*{_SUFFIX}", _MOST_BYTES)

    def _files(self) -> list[Candidate]:
        """Every file that the answer depends on and that is no part of the program."""
        asked = self.request
        found = [file for batch in self.plan.batches for file in batch.files]
        base = Path(asked.policy.folder or ".")
        folders = [rulepack.builtin_folder(), *(base / entry.text for entry in asked.policy.rules_paths)]
        path_file = asked.policy.path_file
        given = None if path_file is None else str(base / path_file.text)
        named = [asked.policy.file, given, asked.topology, *(str(file) for file in rulepack.files(folders))]
        return [*found, *(Candidate(path, path, named=True) for path in named if path is not None)]

    def _key_now(self) -> str | None:
        """The key of what the files hold now; None where one of them cannot be read."""
        asked = self.request
        digests = [self._stamps.digest(file) for file in self._files()]
        if None in digests:
            return None
        batches = [key_of(batch, self.plan, self._stamps) for batch in self.plan.batches]
        plan = replace(self.plan, batches=())  # they are in their keys
        given = [os.path.realpath(path) for path in (*asked.paths, *asked.context, asked.policy.file or ".")]
        request = replace(asked, readers=None, progress=None)
        return _digest((request, plan, self._wants, os.getcwd(), given, batches, digests))


def _may_be_kept(text: str) -> bool:
    """As of readings, but line by line: files are quoted so, and drawings of paths are long texts with words of the tool itself."""
    return all(map(store.may_be_kept, lines_in_question(text)))


def _digest(thing: object) -> str:
    return hashlib.sha256(repr(_plain(thing)).encode("utf-8", "surrogateescape")).hexdigest()


def _plain(thing: object) -> object:
    """The same as lists, atoms and names of classes and fields: nothing is left out, and the same in every process.

    Raises TypeError for what is no data.
    """
    if isinstance(thing, Enum):
        return [type(thing).__name__, thing.name]
    if isinstance(thing, _ATOMS):
        return thing
    if isinstance(thing, Mapping):
        return ["mapping", *([_plain(key), _plain(value)] for key, value in thing.items())]
    if isinstance(thing, set | frozenset):
        return ["set", *sorted(map(_plain, thing), key=repr)]
    if isinstance(thing, list | tuple):
        return [_plain(one) for one in thing]
    if is_dataclass(thing) and not isinstance(thing, type):
        return [type(thing).__name__, *([f.name, _plain(getattr(thing, f.name))] for f in fields(thing))]
    raise TypeError(f"{type(thing).__name__} is no data")
