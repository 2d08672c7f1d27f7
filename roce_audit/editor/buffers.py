"""Open files judged as they stand in the editor: their texts in place of what the files hold, the site around them as context."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from roce_audit.audit import Checked, Request, check
from roce_audit.engine.findings import Location, Severity
from roce_audit.engine.rules.rule import Rule
from roce_audit.records import dataclass
from roce_audit.report.options import Options
from roce_audit.report.perline import results
from roce_audit.report.prepare import prepare
from roce_audit.report.words import first_sentence
from roce_audit.sources.files import lies_in, shown
from roce_audit.text.decode import decode
from roce_audit.values import Place

RequestOf = Callable[[str], Request]
"""What `check PATH` would ask for. Raises ValueError and its like for what the user can fix."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One finding at one line of a file. `line` counts from 0, `start` and `end` are characters of the line."""

    line: int
    start: int
    end: int
    severity: Severity
    rule: str
    """Empty where it is about the run itself."""
    message: str
    platform: str = ""
    related: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """An open file, judged: what to show in it, and the rules for whoever asks why."""

    marks: tuple[Mark, ...]
    rules: Mapping[str, Rule]


@dataclass(frozen=True, slots=True)
class LineEdit:
    """Lines `first` up to but without `end`, counted from 0, become `text`, which ends with a line end unless it is empty."""

    first: int
    end: int
    text: str


def judge(path: str, texts: Mapping[str, str], request_of: RequestOf, folders: Sequence[str]) -> Judged:
    """What to show in one file. `texts` are all open files by path.

    `folders` are open in the editor: the innermost that holds the file is its context where no policy names one.
    """
    checked = check(replace(_request(path, texts, request_of, folders), narrow=True))
    return Judged(tuple(_marks(checked, shown(path))), {rule.id: rule for rule in checked.rules})


def fix(
    path: str, rule: str, texts: Mapping[str, str], request_of: RequestOf, folders: Sequence[str]
) -> tuple[dict[str, list[LineEdit]], str]:
    """The proved change for what fails by this rule in a file, by absolute path, and what it leaves; else no edits and why not."""
    from roce_audit.fixing.planning import plan
    from roce_audit.fixing.rendering import brought

    found = plan(replace(_request(path, texts, request_of, folders), select=(rule,), ignore=()))
    for file in found.after:
        if file in found.rendered_from:
            return {}, f"{file} is rendered: change the template {found.rendered_from[file]}"
        if file in found.answers:
            return {}, f"{file} shows what a command answered: `roce-audit fix` prints what to type on the device"
    if not found.after:
        return {}, "; ".join(dict.fromkeys(why for _, why in found.left)) or "nothing is left to fix"
    edits = {os.path.abspath(at): list(_edits(found.before[at], text)) for at, text in found.after.items()}
    return edits, "; ".join(dict.fromkeys(words for one in found.fixed for words in brought(one)))


def _request(path: str, texts: Mapping[str, str], request_of: RequestOf, folders: Sequence[str]) -> Request:
    wanted = request_of(path)
    holding = [folder for folder in folders if lies_in(os.path.realpath(path), os.path.realpath(folder))]
    around = wanted.context or tuple(sorted(holding, key=len)[-1:])
    given = {shown(file): decode(text.encode("utf-8", "replace")).text for file, text in texts.items()}
    return replace(wanted, context=around, instead=given, progress=None)


def _marks(checked: Checked, path: str) -> Iterator[Mark]:
    for problem in checked.report.problems:
        yield Mark(0, 0, 0, "error", "", f"internal error, not everything was judged: {first_sentence(problem)}")
    for result in results(prepare(checked.report), Options(), accepted=False):
        if result.at.path != path:
            continue
        text = checked.lines(Place(path, result.at.line))
        start = len(text) - len(text.lstrip())
        finding = result.finding
        yield Mark(
            max(result.at.line - 1, 0),
            start,
            max(len(text.rstrip()), start),
            finding.severity,
            finding.rule,
            result.message,
            finding.platform or "",
            result.related,
        )


def _edits(before: str, after: str) -> Iterator[LineEdit]:
    old, new = before.split("\n"), after.split("\n")
    for tag, a, a_end, b, b_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield LineEdit(a, a_end, "".join(f"{line}\n" for line in new[b:b_end]))
