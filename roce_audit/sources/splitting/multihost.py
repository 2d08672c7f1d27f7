"""Texts of many devices in one file: `host: line` of pdsh and clush, blocks of dshbak, nornir and of loops, `host | SUCCESS => {`,
and YAML that holds a text of each (`leaf1: |`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from roce_audit.patterns import lazy
from roce_audit.platforms.signature import compiled
from roce_audit.sources.commands import prompted, typed
from roce_audit.text.memo import of_text

_NAME = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,62})"
_PREFIX = lazy(rf"(?:\[pod/({_NAME})(?:/[A-Za-z0-9_.-]{{1,63}})?\]|({_NAME}):)(?: |$)(.*)")
_RULE = lazy(r"-{5,80}\s*")
_RANGE = lazy(rf"({_NAME}|[A-Za-z0-9_.-]{{0,40}}\[[0-9,-]{{1,80}}\][A-Za-z0-9_.-]{{0,40}})(?:,|$)")
_COUNT = lazy(r" \(\d{1,6}\)\Z")
"""How many hosts a list names, as clush adds it."""
_HEADING = lazy(
    rf"(?:={{2,20}}|#{{2,20}}|>{{2,20}}|\*{{2,20}}) *(?:(?:pod|node|host)[/: ]+)?({_NAME}) *+[:=#<*]{{0,20}}\s*+"
)
_PSSH = lazy(rf"\[\d{{1,6}}\] \d\d:\d\d:\d\d \[(?:SUCCESS|FAILURE)\] ({_NAME})(?: .{{0,200}})?")
_NORNIR = lazy(rf"\* ({_NAME}) \*\* changed : (?:True|False) \*{{3,100}}\s{{0,8}}")
_TITLE = lazy(r"[\w ]{1,60}\*{10,100}\s{0,8}")
"""What a program of nornir prints above each of its hosts, and above the first."""
_ANSIBLE = lazy(rf"({_NAME}) \| (?:SUCCESS|CHANGED|UNREACHABLE!|FAILED!?)(?: \| rc=\d+)? (?:=>|>>)(.*)")
_TEXT = lazy(rf"({_NAME}):(?: +([|>])[1-9+-]{{0,2}})?[ \t]*")
"""A key of YAML whose value is a text of several lines, or what stands below it."""
_AT_MARGIN = lazy(r"\n[A-Za-z0-9]")
"""The beginning of a line that may name a device, behind the line before: newlines are looked for at the speed of memory."""
_BESIDE = lazy(r"(?:---|#|[A-Za-z_][\w.-]{0,62}:(?: |$)).*")
"""What may stand beside such texts: marks, comments, other keys."""
_CALL = lazy(r"(?:[^\n#$>%]{0,80}[#$>%] ?)?(?:sudo )?(?:pdsh|clush|pssh|parallel-ssh|ansible|for|srun) [^\n]{1,500}")
"""What was typed to ask many hosts, with the prompt before it."""
_LONGEST_CALL = 600
_SHARE = 0.9
_LINES_A_HOST = 3
_ENOUGH_LINES = 40
_MOST_LINES = 20_000_000
"""Lines of all hosts together: each host's text is as long as its part of the file, so that line numbers stay true."""


_Owned = list[tuple[int, tuple[str, ...], str]]


@of_text
def split(text: str) -> Mapping[str, tuple[int, str]]:
    """Host -> (line of the file on which its text begins, its text); empty where the file is not of this kind.

    Lines of other hosts between its own are blank in a host's text. Raises ValueError where that would be too much.
    """
    head = _head(text)
    if head and _prefixed(head) is None and _blocks(head) is None:
        return {}
    lines = text.rstrip("\n").split("\n")
    return _spans(_prefixed(lines) or _blocks(lines) or [])


def _head(text: str) -> list[str]:
    """The first lines of a longer text: most texts are of another kind, and these are enough to see it."""
    end = -1
    for _ in range(_ENOUGH_LINES):
        end = text.find("\n", end + 1)
        if end < 0:
            return []
    return text[:end].split("\n")


def answers(text: str) -> Sequence[tuple[str, int, str, str | None]]:
    """(host, line of the file on which its text begins, its text, the command that gave it); nothing where it is of another kind.

    The command is None where nobody sees what was typed, and where a loop calls several.
    """
    if not _is_call(text.lstrip()[:_LONGEST_CALL].partition("\n")[0]):
        return [(host, line, own, None) for host, (line, own) in split(text).items()]
    lines = text.split("\n")
    calls = [number for number, line in enumerate(lines) if _is_call(line)]
    return [
        (host, begin + 1 + line, own, _command(lines[begin]))
        for begin, end in pairwise([*calls, len(lines)])
        for host, (line, own) in split("\n".join(lines[begin + 1 : end])).items()
    ]


def _is_call(line: str) -> bool:
    return _CALL.fullmatch(line.strip()) is not None


def _command(line: str) -> str | None:
    """The one command in a call such as `pdsh -w gpu[1-6] mlnx_qos -i eth0` or `ansible gpu -a 'mlnx_qos -i eth0'`."""
    pieces = [piece.strip(" '\"") for piece in re.split(r"[;&|]", line)]
    found = [found.group(1) for piece in pieces if (found := _within().search(piece)) is not None]
    return typed(found[0].strip(" '\"")) if len(found) == 1 and "$" not in found[0] else None


def _within() -> re.Pattern[str]:
    return compiled(rf"(?:\A|[\s'\"])((?!for )(?:{prompted().pattern})[ \t]+\S.*)\Z")


@of_text
def texts(text: str) -> Mapping[str, tuple[int, str]]:
    """The texts or lists of a YAML file that holds one a device, as `split` gives them; empty where it holds less than two."""
    head = _head(text)
    if (head and _listed(head) is None) or len(_AT_MARGIN.findall(f"\n{text}")) < 2:
        return {}
    found = _listed(text.rstrip("\n").split("\n")) or []
    return _spans(found) if len({name for _, names, _ in found for name in names}) > 1 else {}


def _listed(lines: Sequence[str]) -> _Owned | None:
    """The lines of each host; None as soon as a line is of no such file."""
    found: _Owned = []
    name, is_list = "", False
    margin: str | None = None
    for number, line in enumerate(lines):
        if line.startswith((" ", "\t", "- ")):
            if not name or not line.strip():
                continue
            if margin is None:
                margin = line[: len(line) - len(line.lstrip())]
                name = name if line.lstrip().startswith("- ") or not is_list else ""
            if name:
                found.append((number, (name,), line.removeprefix(margin)))
            continue
        heading = _TEXT.fullmatch(line)
        if heading is not None:
            name, margin, is_list = heading.group(1), None, not heading.group(2)
        elif line.strip():
            if _BESIDE.fullmatch(line) is None:
                return None
            name = ""
    return found


def _spans(owners: _Owned) -> Mapping[str, tuple[int, str]]:
    spans: dict[str, tuple[int, int]] = {}
    for number, names, _ in owners:
        for name in names:
            spans[name] = (spans.get(name, (number, 0))[0], number)
    if sum(last - first + 1 for first, last in spans.values()) > _MOST_LINES:
        raise ValueError("too many hosts are mixed in one file: write one file a host (pdsh -o, dshbak -d)")
    written = {name: [""] * (last - first + 1) for name, (first, last) in spans.items()}
    for number, names, line in owners:
        for name in names:
            written[name][number - spans[name][0]] = line
    return {name: (spans[name][0] + 1, "\n".join(own)) for name, own in written.items()}


def _prefixed(lines: Sequence[str]) -> _Owned | None:
    """Every line begins with its host; a host has several lines. None as soon as too many lines do not."""
    found: _Owned = []
    filled = 0
    for number, line in enumerate(lines):
        filled += bool(line.strip())
        match = _PREFIX.match(line)
        if match is not None:
            found.append((number, (match.group(1) or match.group(2),), match.group(3)))
        elif filled > len(found) / _SHARE + _LINES_A_HOST:
            return None
    names = {name for _, (name,), _ in found}
    return found if found and len(found) >= _SHARE * filled and len(found) >= _LINES_A_HOST * len(names) else []


def _blocks(lines: Sequence[str]) -> _Owned | None:
    """A heading with the host or hosts, then their answer. None where an answer stands before any heading: another kind of file."""
    found: _Owned = []
    names: tuple[str, ...] = ()
    skip = -1
    for number, line in enumerate(lines):
        if number <= skip:
            continue
        ruled = _RULE.fullmatch(line) and number + 2 < len(lines) and _RULE.fullmatch(lines[number + 2])
        heading, answer = _HEADING.fullmatch(line), _ANSIBLE.fullmatch(line)
        listed = tuple(_expanded(_COUNT.sub("", lines[number + 1].strip()))) if ruled else ()
        if listed:
            names, skip = listed, number + 2
        elif answer is not None:
            names = (answer.group(1),)
            found.append((number, names, answer.group(2).strip()))
        elif (numbered := _PSSH.fullmatch(line) or _NORNIR.fullmatch(line)) is not None:
            names = (numbered.group(1),)
        elif not names and _TITLE.fullmatch(line):
            continue
        elif heading is not None and not prompted().fullmatch(heading.group(1)):
            names = (heading.group(1),)
        elif names:
            found.append((number, names, line))
        elif line.strip() and number + 2 < len(lines):
            return None
        elif line.strip():
            return []  # what may make a heading of it was not looked at
    return found


def _expanded(text: str) -> Iterator[str]:
    """`gpu[1-3,7],login1` as names; nothing where the text is no such list."""
    pieces = _RANGE.findall(text)
    if not pieces or "".join(pieces).replace(",", "") != text.replace(",", ""):
        return
    for piece in pieces:
        before, bracket, rest = piece.partition("[")
        if not bracket:
            yield piece
            continue
        numbers, _, behind = rest.partition("]")
        for part in numbers.split(","):
            low, _, high = part.partition("-")
            if low.isdigit() and (high or low).isdigit() and int(high or low) - int(low) < 10_000:
                for value in range(int(low), int(high or low) + 1):
                    yield f"{before}{value:0{len(low)}d}{behind}"
