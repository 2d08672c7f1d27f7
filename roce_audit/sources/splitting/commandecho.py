"""Answers of one host in one file, each behind the command that gave it: `+ ethtool -a eth0`, `### ethtool -a eth0`; or as YAML, each
below its command: `COMMAND: |`."""

from __future__ import annotations

import re
from functools import cache

from roce_audit import platforms
from roce_audit.patterns import lazy
from roce_audit.platforms.signature import compiled
from roce_audit.sources.commands import prompted, typed
from roce_audit.text.document import Document
from roce_audit.text.structured.indented import without_margin

_TASK = lazy(r"(?:v{4}|-{4}) (.{1,80}) \*\* changed : (?:True|False) [v-]{3,100}(?: [A-Z]{4,8})?\s{0,8}")
_TASKS_END = lazy(r"\^{4} END .{1,100}")
"""What a program of nornir prints around the answers of a host."""
_SIGNS = ("+", "#", "$", "=", ">", "*", "-", "Command")
"""A line with a command begins with one of these."""
_LINE = r"(?:={8,200}|\*{8,200}|#{8,200})[ \t]*"
_RULE = lazy(_LINE)
_RULER = lazy(rf"\s*+(?:{_LINE}|-{{8,200}})\n(?=Command ?:)")
_PROMPTS = ("$",)
"""A prompt without a name at which nobody typed anything; `#` alone is an empty comment as well."""


@cache
def _heads(prompted: str) -> tuple[re.Pattern[str], ...]:
    """How a line with a command looks; `prompted` is the pattern of what shows something."""
    command = rf"(?=(?:{prompted}))([^\n]{{1,200}}?)"
    return (
        re.compile(rf"(?:\+{{1,4}}|[#$]) {command}"),  # `set -x`, or a prompt without a name
        re.compile(  # a loop's heading
            rf"(?:={{2,20}}|#{{2,20}}|>{{2,20}}|\*{{2,20}}|-{{2,20}}) *{command} *[:=#<*-]{{0,20}}\s*"
        ),
        re.compile(
            rf"(?:[=#>*-]{{2,20}} *)?Command ?: *{command} *[:=#<*-]{{0,20}}\s*"
        ),  # a script's, mostly below a ruler
    )


def split(path: str, text: str, first_line: int = 1) -> tuple[Document, ...]:
    """The answers of a file that begins with a command; () where it does not."""
    is_yaml = is_keyed(text)
    first = _first_line(text)
    if not is_yaml and _command(first) is None:
        return ()
    lines = text.split("\n")
    if first.startswith("Command"):
        lines = ["" if _RULE.fullmatch(line) else line for line in lines]
    heads = [
        (number, command)
        for number, line in enumerate(lines)
        if (command := _key(line) if is_yaml else _asked(line)) is not None
    ]
    ends = [*(number for number, _ in heads[1:]), len(lines)]
    answers = (
        ("\n".join(lines[begin + 1 : end]), begin, command) for (begin, command), end in zip(heads, ends, strict=True)
    )
    return tuple(
        Document(path, without_margin(answer) if is_yaml else answer, command, first_line + begin + 1)
        for answer, begin, command in answers
        if command
    )


def of_tasks(path: str, text: str, first_line: int = 1) -> tuple[Document, ...]:
    """The answers that tasks of nornir printed: of the command where the task is called after it; () for any other text."""
    if not _first_line(text).startswith(("vvvv ", "---- ")):
        return ()
    lines = text.split("\n")
    heads = [(number, found[1]) for number, line in enumerate(lines) if (found := _TASK.fullmatch(line)) is not None]
    last = next((number for number, line in enumerate(lines) if _TASKS_END.fullmatch(line)), len(lines))
    called = prompted()
    return tuple(
        Document(
            path, "\n".join(lines[begin + 1 : end]), typed(name) if called.match(name) else None, first_line + begin + 1
        )
        for (begin, name), end in zip(heads, [*(number for number, _ in heads[1:]), last], strict=True)
    )


def is_keyed(text: str) -> bool:
    """Whether a text is YAML that begins with an answer below its command."""
    return _key(_first_line(text.removeprefix("---\n"))) is not None


def unanswered(answers: tuple[Document, ...]) -> str:
    """The commands that printed nothing, each on its line."""
    rows = [""] * max((one.first_line for one in answers), default=1)
    for one in answers:
        if not one.text.strip():
            rows[one.first_line - 2] = one.command or ""
    return "\n".join(rows)


def is_script(answers: tuple[Document, ...]) -> bool:
    """Whether commands stand where answers should: then the lines before them are a script's comments."""
    call = compiled(rf"\s*{prompted().pattern}[ \t]+[^\s=:]")  # `tc-bw 0:40` and `info: ...` are answers
    # statements of a configuration may begin as programs are called: `ip address`
    shows = frozenset(platforms.configurations().values())
    return any(
        call.match(line) for answer in answers if answer.command not in shows for line in answer.text.split("\n")
    )


def _first_line(text: str) -> str:
    """The first line that is not blank, nor a ruler above a command."""
    ruler = _RULER.match(text)
    start = ruler.end() if ruler is not None else len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return text[text.rfind("\n", 0, start) + 1 : end if end >= 0 else len(text)]


@cache
def _keys(prompted: str) -> re.Pattern[str]:
    return re.compile(
        rf"(['\"]?)(?=(?:{prompted}))([^\s'\":]{{1,60}} [^\n'\":]{{1,200}})\1:[ \t]{{1,4}}\|[+-]?[ \t]{{0,8}}"
    )


def _key(line: str) -> str | None:
    """The command that is a key of YAML, whose answer stands below it."""
    found = _keys(prompted().pattern).fullmatch(line) if line.rstrip(" \t+-").endswith(": |") else None
    return typed(found.group(2)) if found is not None else None


def _asked(line: str) -> str | None:
    """The command of a line; "" behind a prompt where nobody typed one that shows something: it ends an answer as well."""
    command = _command(line)
    return "" if command is None and (line.startswith("$ ") or line.rstrip() in _PROMPTS) else command


def _command(line: str) -> str | None:
    if not line.startswith(_SIGNS):
        return None
    found = next((m for head in _heads(prompted().pattern) if (m := head.fullmatch(line))), None)
    return typed(found.group(1)) if found is not None else None
