"""The calls and variables that a file in another language holds for hosts, as the script that runs them, line for line.

Terraform, Puppet, Chef, recipes of make, templates of Helm and their like are not understood here. What stands in them as a whole
command, or as a variable with its value, stands there whatever is around it; a condition around it makes it one that may run.
A value that is made elsewhere stays open.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from functools import cache
from urllib.parse import unquote, unquote_to_bytes

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.record import Platform
from roce_audit.sources.controls import control, is_conditional
from roce_audit.text.memo import of_text

_SETS = r"(?:NCCL|RCCL|UCX|NVSHMEM)_[A-Z0-9_]{1,80}"
_SET = lazy(rf"\b{_SETS}\b")
_HEAD = 200_000
_LONGEST = 2_000
_REMARK = re.compile(r"\s*(?:#(?!!)|//|--(?!\w)|;|/\*|\*|%|REM\b)")
_BEHIND_REMARK = re.compile(r"(?:^|\s)(?:#|//)\s")
_PROGRAM = re.compile(r"(?:\$\{[^{}]{1,80}\}|[\w.-]{0,40})(?:/[\w.-]{1,40}){0,8}/(?=\w[\w-]{1,30}\s)")
_LEAD = re.compile(
    r"(?:[\w.-]{1,40}\s{0,8}(?::|=>|=)\s{1,8}|-\s{1,8}|[@-](?=\w)|\$\s{1,8}|(?:RUN|CMD|ENTRYPOINT)\s{1,8}){1,3}(?=\S)"
)
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.){0,999})\"|'([^']{0,999})'")
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
_OPEN = re.compile(r"\{\{|\$[({]|<%|#\{|^[a-z_][\w-]*(?:\.[\w\[\]*-]+)+$|^[a-z_]{1,60}$")
"""A value that is made elsewhere: a placeholder, or the name of something of the language itself."""
_PLAIN = re.compile(r"[\w.,:;/@%+=^ *-]{0,300}")
_TRACED = lazy(r"^\++ (?=\S)", re.M)
_BLOCKS = lazy(
    r"^\s{0,40}(?:if|unless|elsif|elseif|case|when|switch|ifeq|ifneq|ifdef|ifndef)\b(?!\s{0,8}(?:=>|:|=)|[^\n]{0,300};\s{0,4}then)",
    re.M,
)
_TOLD = re.compile(
    r"\s{0,60}-?\s{0,8}[\"']?(?:(?:desc|description|docs?|help|title|message|msg|summary|comment|expr|legend\w{0,10})[\"']?\s{0,8}(?:=>|[:=])"
    r"|!\s|(?:e?grep|assert\w{0,20}|expect\w{0,20}|echo|printf|notice|warning)\b(?![^\n]{0,300}>))"
)
"""A line that tells people something, looks for something, or expects it to fail."""
_ASKED = re.compile(r"\s{0,60}-?\s{0,8}(?:unless|onlyif|not_if|only_if|creates|when)\b")
"""What only asks whether something is to be run."""
_MADE = lazy(
    r"^(?:export[ \t]{1,8})?([A-Za-z_]\w{0,40})[ \t]{0,8}[:?]{0,2}=[ \t]{0,8}([^\s#$]{1,200})[ \t]{0,8}$", re.M
)
_USED = re.compile(r"\$[({]([A-Za-z_]\w{0,40})[)}]")
_IS_MAKE = lazy(r"^[\w./%-]{1,60}(?: [\w./%-]{1,60}){0,8}:(?!=)[^\n]{0,300}\n\t|^\.PHONY:", re.M)
_RUBY = re.compile(r"#\{\s{0,4}(\w{1,40})[^{}\n]{0,100}\}")
_FILLED_IN = re.compile(r"\{\{[^{}\n]{0,200}\}\}|<%=[^%\n]{0,200}%>")
_DATA = re.compile(r"data:[\w/+.-]{0,60}(?:;charset=[\w-]{1,20})?(;base64)?,([\w%/+=.~!*'();:@&$,?#-]{1,100000})")
_MOST_LINES = 20_000
_SCRIPT = "#!/bin/sh"
_UNKNOWN = "$CONDITION"


@cache
def _calls_of(every: tuple[Platform, ...]) -> re.Pattern[str]:
    return re.compile("|".join([one.nics.calls for one in every if one.nics.calls]) or "(?!)")


@cache
def _words_of(every: tuple[Platform, ...]) -> tuple[str, ...]:
    """One of these stands in every text that holds a call or a variable."""
    return ("CCL_", "UCX_", "NVSHMEM_", *(word for one in every for word in one.nics.call_words))


def _calls() -> re.Pattern[str]:
    return _calls_of(platforms.every())


@of_text
def expanded(text: str) -> str:
    """The text with what stands in it as a URL (`data:,...`, RFC 2397), as Ignition writes files: the lines that matter, on one line."""
    return _DATA.sub(_decoded, text[:_HEAD]) if "data:" in text else text


def _decoded(found: re.Match[str]) -> str:
    try:
        data = b64decode(unquote(found[2])) if found[1] else unquote_to_bytes(found[2])
        lines = data.decode().split("\n")
    except ValueError:
        return found[0]
    said = [line.strip() for line in lines[:_MOST_LINES] if _REMARK.match(line) is None and mentions(f"{line}\n")]
    return f"- {'; '.join(said)}"[:_LONGEST] if said else found[0]


@of_text
def mentions(text: str) -> bool:
    """Whether a text holds a call that sets NICs up, or a variable of a library that moves data."""
    head = text[:_HEAD]
    if not any(word in head for word in _words_of(platforms.every())):
        return False
    return _SET.search(head) is not None or _calls().search(head) is not None


def is_trace(text: str) -> bool:
    """Whether it is what a shell prints of its commands (`set -x`)."""
    head = text[:_HEAD]
    return "+ " in head and sum(1 for _ in zip(range(2), _TRACED.finditer(head), strict=False)) == 2


@of_text
def outline(text: str) -> str:
    """The script, with as many lines as the text; empty where the text holds nothing of that kind."""
    lines = text[:_HEAD].split("\n")[:_MOST_LINES]
    traced = is_trace(text)
    made = _makes(text)
    doubtful = not traced and _BLOCKS.search(text[:_HEAD]) is not None
    found = [*(_traced(lines) if traced else _read(lines, made, doubtful))]
    if not any("export " in one or mentions(f"{one}\n") for one in found if one):
        return ""
    if found[0].startswith("if ") and found[0].endswith("then") and len(found) > 1:
        found[:2] = ["", f"{found[0]} {found[1]}"]
    if _UNKNOWN in found[0]:
        found[0] = ""
    found[0] = found[0] or _SCRIPT
    return "\n".join(found)


def _makes(text: str) -> Mapping[str, str]:
    """The variables of a file of make that have one plain value."""
    if _IS_MAKE.search(text[:_HEAD]) is None:
        return {}
    values: dict[str, set[str]] = {}
    for found in _MADE.finditer(text[:_HEAD]):
        values.setdefault(found[1], set()).add(found[2])
    return {name: next(iter(those)) for name, those in values.items() if len(those) == 1}


def _traced(lines: list[str]) -> Iterator[str]:
    for line in lines:
        begins = _TRACED.match(line)
        said = line[begins.end() :] if begins is not None and len(line) <= _LONGEST else ""
        yield said if said and mentions(said + "\n") else ""


def _read(lines: list[str], made: Mapping[str, str], doubtful: bool) -> Iterator[str]:
    stack: list[str] = []
    pending, goes_on, in_remark = "", False, False
    for line in lines:
        in_remark = in_remark or line.lstrip().startswith("/*")
        if in_remark or len(line) > _LONGEST or _TOLD.match(line) is not None:
            pending, goes_on, in_remark = "", False, in_remark and "*/" not in line
            yield ""
            continue
        if goes_on:
            goes_on = line.rstrip().endswith("\\")
            yield line.strip()
            continue
        step = control(line, stack)
        if step is not None:
            yield step
            continue
        filled = _USED.sub(lambda one: made.get(one[1], one[0]), line) if made else line
        given = list(_variables(filled, pending))
        pending = _pending(filled)
        call = _call(filled)
        goes_on = call.endswith("\\")
        said = [f"export {name}={value}" for name, value in given] if not call or not goes_on else []
        said += [call] if call else []
        is_maybe = doubtful and not goes_on and not is_conditional(stack)
        yield f"if {_UNKNOWN}; then {'; '.join(said)}; fi" if said and is_maybe else "; ".join(said)


def _variables(line: str, pending: str) -> Iterator[tuple[str, str]]:
    if _REMARK.match(line) is not None:
        return
    remark = _BEHIND_REMARK.search(line)
    said = line[: remark.start()] if remark is not None else line
    named = _NAMED.search(said)
    name = named["name"] if named is not None else pending
    value = _GIVEN.search(said) if name else None
    if name and value is not None:
        yield name, _plain(value["value"])
        return
    for pattern in _VARIABLES:
        for found in pattern.finditer(said):
            yield found["name"], _plain(found["value"])


def _pending(line: str) -> str:
    """The variable whose value stands on the next line."""
    named = _NAMED.search(line) if _REMARK.match(line) is None else None
    return named["name"] if named is not None and _GIVEN.search(line) is None else ""


def _plain(value: str) -> str:
    bare = value.strip()
    is_quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
    bare = bare[1:-1] if is_quoted else bare.rstrip("\\")
    if _PLAIN.fullmatch(bare) is None or (_OPEN.search(bare) is not None and not is_quoted):
        return _UNKNOWN
    return f"'{bare}'"


def _call(line: str) -> str:
    """The command of a line that sets a NIC up; empty where it holds none."""
    if _REMARK.match(line) is not None or _ASKED.match(line) is not None:
        return ""
    found = _calls().search(f"{line}\n")
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
