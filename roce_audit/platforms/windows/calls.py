"""Calls of cmdlets in PowerShell scripts: their options, and the variables that are given one literal value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from roce_audit.platforms.shared.host.collector import QUOTE
from roce_audit.records import dataclass

DASH = "[-\u2013\u2014\u2015]"
"""PowerShell takes the dashes of a word processor for its own (about_Parsing; `CharExtensions.IsDash`)."""
_CALL = re.compile(
    r"(?<![\w$.-])((?:Enable|Disable)-NetQosFlowControl|New-NetQosPolicy|New-NetQosTrafficClass|Set-NetQosDcbxSetting"
    r"|(?:Enable|Disable)-NetAdapter(?:Rdma|Qos)|Set-NetAdapterAdvancedProperty)(?![\w-])",
    re.IGNORECASE,
)
_EACH = re.compile(
    rf"(?<![\w-])Get-NetQosFlowControl(?:\s{{1,20}}{DASH}Cim\w{{0,9}}\s{{1,20}}[\w$.]{{1,60}})?\s{{0,20}}\|\s{{0,20}}\Z",
    re.I,
)
"""All priorities are handed on to the next call."""
_STRING = re.compile(r""""[^"\n]*"|'[^'\n]*'""")
_TOKEN = re.compile(r"""\s*(?:("[^"]*"|'[^']*'|@?\([^()]{0,200}\)|[^\s;|{}()"'`]+)|([;|{}()]))""")
_OPTION = re.compile(rf"{DASH}([A-Za-z]\w{{0,60}})(?::(.+))?")
_ASSIGNED = re.compile(
    r"^[ \t]*\$(\w{1,60})[ \t]{0,20}=[ \t]{0,20}(@?\(?[\d\s,'\"]{1,80}\)?)[ \t]{0,20}(?:#.*)?$", re.MULTILINE
)
_SET = re.compile(r"\$(\w{1,60})[ \t]*[-+]?=")
NUMBERS = re.compile(r"[0-7](?:[-,][0-7])*")
"""Priorities, as a cmdlet takes them."""
_MOST_JOINED = 20
_LONGEST = 4_000
"""Characters of a line that are looked at."""


@dataclass(frozen=True, slots=True)
class Call:
    cmdlet: str
    options: Mapping[str, str]
    """Lower case -> the value as written; "" is the value that stands first without a name, and a switch has an empty one."""
    line: int
    quote: str

    def option(self, name: str) -> str | None:
        """The value of an option, which may be written as any beginning of its name."""
        return next((value for key, value in self.options.items() if key and name.lower().startswith(key)), None)


def without_comments(text: str) -> str:
    """The text without `<# ... #>`; every line keeps its number."""
    kept, at = [], 0
    while (begin := text.find("<#", at)) >= 0 and (end := text.find("#>", begin)) >= 0:
        kept += [text[at:begin], "\n" * text.count("\n", begin, end)]
        at = end + 2
    return "".join((*kept, text[at:]))


def value_of(text: str, literals: Mapping[str, str]) -> str | None:
    """A value without quotes, brackets and blanks; None where it is computed or stands elsewhere."""
    if text.startswith("$"):
        found = literals.get(text[1:].lower())
        return None if found is None else value_of(found, {})
    return None if "$" in text else re.sub(r"""[@()\s"']""", "", text)


def literals_of(text: str) -> Mapping[str, str]:
    """Variable, lower case -> the one literal value that it is given; none where it is given more than one."""
    given: dict[str, int] = {}
    for found in _SET.finditer(text):
        name = found.group(1).lower()
        given[name] = given.get(name, 0) + 1
    return {
        found.group(1).lower(): found.group(2)
        for found in _ASSIGNED.finditer(text)
        if given[found.group(1).lower()] == 1
    }


def calls_of(text: str, first: int) -> Iterator[Call]:
    """The calls in a script without comments in blocks, whose first line has this number."""
    for number, code, masked in codes_of(text, first):
        for found in _CALL.finditer(masked):
            options = _options(code, found.end())
            if _EACH.search(masked, 0, found.start()) is not None and not {"", "priority"} & options.keys():
                options = {**options, "priority": "0-7"}
            yield Call(found.group(1).lower(), options, number, code.strip()[:QUOTE])


def codes_of(text: str, first: int) -> Iterator[tuple[int, str, str]]:
    """(number, line without its comment, the same with blanks in the place of strings) of each line of a script, with those that
    it is continued by."""
    for number, whole in _statements(text, first):
        line = whole[:_LONGEST]
        masked = _STRING.sub(lambda found: " " * len(found.group()), line).partition("#")[0]
        yield number, line[: len(masked)], masked


def _statements(text: str, first: int) -> Iterator[tuple[int, str]]:
    """(number, line), with the lines that a backtick at the end continues."""
    joined, start = "", 0
    for number, line in enumerate(text.split("\n"), first):
        begun = bool(joined)
        start = start if begun else number
        if line.rstrip().endswith("`") and number - start < _MOST_JOINED:
            joined += line.rstrip()[:-1] + " "
            continue
        yield start, joined + line
        joined = ""
    if joined:
        yield start, joined


def _options(code: str, at: int) -> Mapping[str, str]:
    rest = re.sub(r"\s{0,9},\s{0,9}", ",", code[at:])
    options: dict[str, str] = {}
    waiting, end = "", 0
    while (found := _TOKEN.match(rest, end)) is not None and found.group(1):
        end = found.end()
        option = _OPTION.fullmatch(found.group(1))
        if option is not None:
            waiting = option.group(1).lower()
            options[waiting] = option.group(2) or ""
        elif waiting:
            options[waiting], waiting = found.group(1), ""
        else:
            options.setdefault("", found.group(1))
    return options
