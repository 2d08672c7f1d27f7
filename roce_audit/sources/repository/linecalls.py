"""The calls and variables that stand in one line of a file in another language, as a shell would be told them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.text.memo import of_text

HEAD = 200_000
"""Characters of a file that are looked at."""
UNKNOWN = "$CONDITION"
"""Stands for what is made elsewhere."""
_SETS = r"(?:NCCL|RCCL|UCX|NVSHMEM)_[A-Z0-9_]{1,80}"
_SET = lazy(rf"\b{_SETS}\b")
REMARK = lazy(r"\s*(?:#(?!!)|//|--(?!\w)|;|/\*|\*|%|REM\b)")
_BEHIND_REMARK = lazy(r"(?:^|\s)(?:#|//)\s")
_PROGRAM = lazy(r"(?:\$\{[^{}]{1,80}\}|[\w.-]{0,40})(?:/[\w.-]{1,40}){0,8}/(?=\w[\w-]{1,30}\s)")
_LEAD = lazy(
    r"(?:[\w.-]{1,40}\s{0,8}(?::|=>|=)\s{1,8}|-\s{1,8}|[@-](?=\w)|\$\s{1,8}|(?:RUN|CMD|ENTRYPOINT)\s{1,8}){1,3}(?=\S)"
)
_QUOTED = lazy(r"\"((?:[^\"\\]|\\.){0,999})\"|'([^']{0,999})'")
_WORD = r"\"[^\"\n]{0,300}\"|'[^'\n]{0,300}'|[^\s\"',;(){}\[\]]{1,300}"
_VALUE = rf"(?P<value>{_WORD}|\{{\{{[^{{}}\n]{{0,200}}\}}\}}|\$[({{][^(){{}}\n]{{0,200}}[)}}])"
_VARIABLES = (
    lazy(rf"(?<![\w$./{{-])[\"']?(?P<name>{_SETS})[\"']?\]?[ \t]{{0,8}}(?:=>|[:?+]?=(?![=~])|:)[ \t]{{0,8}}{_VALUE}"),
    lazy(
        rf"(?:\b(?:setenv|pushenv)[ \t(]{{1,8}}|\bset[ \t]{{1,4}}-\w{{0,4}}x\w{{0,4}}[ \t]{{1,8}}|^ENV[ \t]{{1,8}})"
        rf"[\"']?(?P<name>{_SETS})[\"']?[ \t,]{{1,8}}{_VALUE}"
    ),
)
_NAMED = lazy(rf"\bname[\"']?\s{{0,8}}(?:[:=]|=>)\s{{0,8}}[\"']?(?:[\w.-]{{0,60}}\.)?(?P<name>{_SETS})\b")
_GIVEN = lazy(rf"\bvalue[\"']?\s{{0,8}}(?:[:=]|=>)\s{{0,8}}{_VALUE}")
_OPEN = lazy(r"\{\{|\$[({]|<%|#\{|^[a-z_][\w-]*(?:\.[\w\[\]*-]+)+$|^[a-z_]{1,60}$")
"""A value that is made elsewhere: a placeholder, or the name of something of the language itself."""
_PLAIN = lazy(r"[\w.,:;/@%+=^ *-]{0,300}")
_ASKED = lazy(r"\s{0,60}-?\s{0,8}(?:unless|onlyif|not_if|only_if|creates|when)\b")
"""What only asks whether something is to be run."""
_RUBY = lazy(r"#\{\s{0,4}(\w{1,40})[^{}\n]{0,100}\}")
_FILLED_IN = lazy(r"\{\{[^{}\n]{0,200}\}\}|<%=[^%\n]{0,200}%>")


@cache
def _calls_of(every: tuple[Platform, ...]) -> re.Pattern[str]:
    return re.compile("|".join([one.nics.calls for one in every if one.nics.calls]) or "(?!)")


@cache
def _calls_and_beside(every: tuple[Platform, ...]) -> re.Pattern[str]:
    calls = (pattern for one in every for pattern in (one.nics.calls, one.nics.calls_beside))
    return re.compile("|".join(filter(None, calls)) or "(?!)")


@cache
def _words_of(every: tuple[Platform, ...]) -> tuple[str, ...]:
    """One of these stands in every text that holds a call or a variable."""
    return ("CCL_", "UCX_", "NVSHMEM_", *(word for one in every for word in one.nics.call_words))


def _calls() -> re.Pattern[str]:
    return _calls_of(platforms.every())


@of_text
def mentions(text: str) -> bool:
    """Whether a text holds a call that sets NICs up, or a variable of a library that moves data."""
    head = text[:HEAD]
    if not any(word in head for word in _words_of(platforms.every())):
        return False
    return _SET.search(head) is not None or _calls().search(head) is not None


def variables(line: str, named_above: str) -> Iterator[tuple[str, str]]:
    """(variable, value) of what a line gives to libraries; `named_above` is the one whose value this line holds."""
    if REMARK.match(line) is not None:
        return
    remark = _BEHIND_REMARK.search(line)
    said = line[: remark.start()] if remark is not None else line
    named = _NAMED.search(said)
    name = named["name"] if named is not None else named_above
    value = _GIVEN.search(said) if name else None
    if name and value is not None:
        yield name, _plain(value["value"])
        return
    for pattern in _VARIABLES:
        for found in pattern.finditer(said):
            yield found["name"], _plain(found["value"])


def pending(line: str) -> str:
    """The variable whose value stands on the next line."""
    named = _NAMED.search(line) if REMARK.match(line) is None else None
    return named["name"] if named is not None and _GIVEN.search(line) is None else ""


def _plain(value: str) -> str:
    bare = value.strip()
    is_quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
    bare = bare[1:-1] if is_quoted else bare.partition("\\n")[0].rstrip("\\")  # `content => "NCCL_IB_TC=106\n"`
    if _PLAIN.fullmatch(bare) is None or (_OPEN.search(bare) is not None and not is_quoted):
        return UNKNOWN
    return f"'{bare}'"


def call(line: str) -> str:
    """The command of a line that sets a NIC up; empty where it holds none."""
    if REMARK.match(line) is not None or _ASKED.match(line) is not None:
        return ""
    found = _calls_and_beside(platforms.every()).search(f"{line}\n")
    if found is None:
        return ""
    remark = _BEHIND_REMARK.search(line)
    if remark is not None and remark.start() < found.start():
        return ""
    return _bare(_command(line, found.start()))


def _command(line: str, at: int) -> str:
    """The words around a place in a line that are one command."""
    for quoted in _QUOTED.finditer(line):
        if quoted.start() < at < quoted.end() or quoted.start() == at:
            inside = quoted[1] if quoted[1] is not None else quoted[2]
            if " " in inside.strip():
                return inside.replace('\\"', '"')
            words = [one[1] if one[1] is not None else one[2] for one in _QUOTED.finditer(line[quoted.start() :])]
            return " ".join(words)
    if re.match(r"\s*(?:-\s+)?(?:[\w.-]+\s*[:=]\s*)?\[", line) is not None and at:
        listed = line[line.index("[") + 1 :].rpartition("]")[0]
        return " ".join(word.strip().strip("\"'") for word in re.split(r",(?=\s)", listed))
    return line.strip().rstrip(",")


def _bare(command: str) -> str:
    """A command without what the language around puts before it."""
    command = command.strip()
    lead = _LEAD.match(command)
    if lead is not None:
        command = command[lead.end() :]
    command = _FILLED_IN.sub(lambda found: "".join(found[0].split()), command)
    command = _RUBY.sub(r"${\1}", _PROGRAM.sub("", command.partition("<<")[0].rstrip()))
    if command[:1] in "\"'" and command[:1] != command[-1:]:
        command = command[1:]
    return command
