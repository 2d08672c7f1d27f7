"""A script as commands: continued lines joined, comments gone, cut where one command ends and the next begins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from roce_audit.platforms.shared.shell.xargs import as_loop
from roce_audit.records import dataclass

_TOKEN = re.compile(
    r"\\.|'[^']{0,999}'|\"(?:[^\"\\]|\\.){0,999}\"|`[^`]{0,300}`|[0-9]?>&[0-9-]?|&>>?|>\||(?P<joint>&&|\|\||;;&?|;&|[;&]|\|(?=\s*while\b))"
    r"|(?P<comment>(?:(?<=\s)|^)#)|\$?\(|\)|[^\\'\"`0-9>&|;()#$]+|."
)
_NESTED = re.compile(r"(?:^|[\s/])(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\s*$")
_HERE = re.compile(r"(?<!<)<<-?\s*[\\'\"]?([A-Za-z_]\w{0,40})['\"]?")
_PRINTED = re.compile(
    r"(?:[^<]{0,300}[;{&|]\s{0,9}+|\s{0,40}+)(?:(?:/usr)?(?:/bin/)?cat|:)\s{1,9}+<<-?\s{0,9}+[\\'\"]?\w{1,40}+['\"]?\s{0,9}+(?:1?>&2)?\s{0,9}+"
    r"(?:[;}#].{0,200})?"
)
"""A here-document that is only shown (the help of a script), or thrown away (`: <<OLD`)."""
_ARITHMETIC = re.compile(r"\(\((?:[^()]|\([^()]{0,200}\)){0,300}\)\)")
"""Numbers are computed here, so `<<` shifts one."""
_ARRAY = re.compile(r"\s*(?:declare\s+-\w+\s+|local\s+|readonly\s+)?[A-Za-z_]\w{0,40}\+?=\([^)]*$")
_COUNTED = re.compile(
    r"for\s*\(\(\s*(\w{1,30})\s*=\s*([0-9]{1,4})\s*;\s*\w{1,30}\s*(<=?)\s*([0-9]{1,4})\s*;"
    r"\s*(?:\w{1,30}\+\+|\+\+\w{1,30}|\w{1,30}\s*\+=\s*([0-9]{1,4}))\s*\)\)"
)
_TICKS = re.compile(r"`([^`]{1,300})`")
_QUOTED_TICK = re.compile(r"'[^'`]{0,300}`")
_BLANKS = re.compile(r"[ \t]{2,}")
_LONGEST = 4_000
_ARRAY_LINES = 100
_GOES_ON = "\\"
_BLANK = " \t"


@dataclass(frozen=True, slots=True)
class Command:
    """A command of a script."""

    number: int
    """Which of the lines it begins on."""
    joint: str
    """What stands between it and the one before: `;` for the end of a line, `;;`, `&&`, `||`, `|`."""
    text: str
    is_data: bool = False
    """A line of a here-document: text for another file or program."""
    until: int = 0
    """Which of the lines it ends on, where it goes over several."""


@dataclass
class _HereDocuments:
    """Those that a line has opened and whose text goes on."""

    ends: list[str] = field(default_factory=list)
    """The words that end them, in order."""
    is_shown: bool = False
    """They are only shown."""

    def open(self, text: str) -> None:
        """Begin those that a line opens, if any."""
        self.ends = _HERE.findall(_ARITHMETIC.sub(" ", text)) if "<<" in text else []
        self.is_shown = bool(self.ends) and _PRINTED.fullmatch(text) is not None

    def hold(self, line: str) -> bool:
        """Whether a line is of their text; one that ends one of them is not."""
        if line.strip() != self.ends[0]:
            return True
        self.ends.pop(0)
        return False


def commands(lines: Iterable[str]) -> Iterator[Command]:
    """The commands of a script in their order."""
    here = _HereDocuments()
    begun = ""
    starts: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        if here.ends:
            if here.hold(line) and not here.is_shown:
                yield Command(number, ";", line, True, number)
            continue
        starts.append((len(begun), number))
        text = begun + _BLANKS.sub(" ", line.lstrip(" \t") if begun.endswith(" ") else line)
        if (line.endswith("\\") or _ARRAY.match(_bare(text))) and len(text) < _LONGEST and len(starts) <= _ARRAY_LINES:
            begun = f"{(text[:-1] if line.endswith(_GOES_ON) else _bare(text)).rstrip(_BLANK)} "
            continue
        begun = ""
        here.open(text)
        yield from _cut(starts, text)
        starts = []
    if begun:
        yield from _cut(starts, begun)


def shown(lines: Iterable[str]) -> frozenset[int]:
    """Which of the lines stand in here-documents that are only shown."""
    here = _HereDocuments()
    found: set[int] = set()
    for number, line in enumerate(lines):
        if not here.ends:
            here.open(line)
        elif here.hold(line) and here.is_shown:
            found.add(number)
    return frozenset(found)


def _cut(starts: list[tuple[int, int]], text: str) -> Iterator[Command]:
    """The commands of a line, or of several joined ones; `starts`: (where in the text, which line) for each of them."""
    counted = _COUNTED.sub(_counted, as_loop(text))
    for joint, piece, begins, ends in _pieces(counted):
        if counted != text:
            begins, ends = 0, len(text)
        first, last = (max(n for at, n in starts if at <= where) for where in (begins, max(begins, ends - 1)))
        yield Command(first, joint, _as_written_today(piece) if "`" in piece else piece, until=last)


def _as_written_today(command: str) -> str:
    """A command whose output is a word (``enabled=`printf %d $PRI` ``) in the form `$(...)`; as it is where quotation marks hide one."""
    if "\\`" in command or command.count("`") % 2 or _QUOTED_TICK.search(command) is not None:
        return command
    return _TICKS.sub(r"$(\1)", command)


def _bare(text: str) -> str:
    """A line without the comment behind it, for lines that cannot be cut yet."""
    return re.sub(r"(?:^|\s)#.*", "", text)


def _counted(found: re.Match[str]) -> str:
    """`for ((i=0; i<8; i++))` or `i+=4` as a loop over words."""
    last = int(found[4]) - (found[3] == "<")
    return f"for {found[1]} in {{{found[2]}..{last}..{found[5] or 1}}}" if int(found[2]) <= last else found[0]


def _pieces(text: str) -> Iterator[tuple[str, str, int, int]]:
    """(joint, command, where it begins, where it ends) of one line; of `sh -c '...'` the commands in the quotes."""
    joint, piece, depth, begins = ";", "", 0, 0
    for found in _TOKEN.finditer(text):
        token = found.group()
        if found["comment"] and not depth:
            break
        if found["joint"] and not depth:
            if piece.strip():
                yield joint, piece.strip(), begins, found.start()
                joint = token
            elif token.startswith(";;"):
                joint = token
            piece = ""
            continue
        if token[0] in "'\"" and len(token) > 1 and _NESTED.search(piece[-60:]):
            inside, at = token[1:-1], found.start() + 1
            for inner, (between, command, first, last) in enumerate(_pieces(inside.replace("$$", "$"))):
                yield joint if not inner else between, command, at + first, at + last
            joint, piece = ";", ""
            continue
        depth = _depth(token, depth)
        if not piece.strip():
            begins = found.start() + len(token) - len(token.lstrip())
        piece += token
    if piece.strip() or joint.startswith(";;"):
        yield joint, piece.strip(), begins, len(text)


def _depth(token: str, depth: int) -> int:
    if token == "$(" or (token == "(" and depth):
        return depth + 1
    return depth - 1 if token == ")" and depth else depth


_CALLED = re.compile(r"(?:^|(?<=[\s/=;&|'\"(]))([A-Za-z][\w.-]{0,40})(?=\s)")
_END = re.compile(r"(?:\\[rn]){1,9}[\"']|[;&|`]|(?:(?<=\s)\d)?>|\s#|[\"']\s*,\s*(?=[A-Z_]+\+?=)|\)\s*$")
_SPOKEN = re.compile(
    r"""(?:^|[;&|{])\s*(?:echo|printf|puts|logger|log\w*)\s(?:[^;&|"']|"[^"]*(?:"|$)|'[^']*(?:'|$))*$"""
)
"""Words that are only printed, up to somewhere in them: within quotation marks a `;` ends nothing."""


def calls(line: str) -> Iterator[tuple[str, str]]:
    """(name of a program, options) of each word of a line that may be a call."""
    for found in _CALLED.finditer(line):
        if _SPOKEN.search(line[: found.start() + 1]):
            continue
        rest = line[found.end() :]
        end = _END.search(rest)
        yield found.group(1), (rest[: end.start()] if end is not None else rest).strip().rstrip("'\";")
