"""Adapters that a PowerShell script passes over: set up beside others of their name, and left out where these get QoS or RDMA."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import QUOTE, noticed
from roce_audit.platforms.windows.calls import DASH, codes_of
from roce_audit.values import Place

_LOOP = re.compile(
    r"\bforeach[ \t]{0,9}\([ \t]{0,9}\$(\w{1,60})[ \t]{1,9}in[ \t]{1,9}(@?\(?[^\n{}]{1,300}?\)?)\)[ \t]{0,9}(?:\{|$)",
    re.IGNORECASE,
)
_PIPED = re.compile(
    r"^[ \t]{0,80}(@?\(?[^\n{}|]{1,300}?)[ \t]{0,9}\|[ \t]{0,9}(?:ForEach-Object|foreach|%)[ \t]{0,9}\{", re.IGNORECASE
)
_QUOTED = r"(?:\"[^\"$\n]{1,80}\"|'[^'\n]{1,80}')"
_LIST = re.compile(
    r"^[ \t]{0,80}\$(\w{1,60})[ \t]{0,20}=[ \t]{0,20}"
    rf"(@?\(?\s{{0,20}}{_QUOTED}(?:\s{{0,20}},\s{{0,20}}{_QUOTED}){{0,30}}\s{{0,20}}\)?)"
    r"[ \t]{0,20}(?:#[^\n]{0,300})?\r?$",
    re.MULTILINE,
)
_GIVEN_ANY = re.compile(r"^[ \t]{0,80}\$(\w{1,60})[ \t]{0,20}\+?=", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]{0,80}\$\w{1,60}[ \t]{0,20}=[ \t]{0,20}@(\{[^{}]{1,2000})\}", re.MULTILINE)
_KEY = re.compile(r"[;{\n][ \t]{0,40}[\"']?([A-Za-z][\w .-]{0,60}?)[\"']?[ \t]{0,20}=")
_ONE = r"(?:[^\s,;|{}]{1,80}|\"[^\"]{1,80}\")"
_NAMED = re.compile(
    rf"{DASH}(?:Name|InterfaceAlias|IfAlias)[ \t]{{1,9}}({_ONE}(?:,[ \t]{{0,3}}{_ONE}){{0,20}})", re.IGNORECASE
)
_GIVEN = {
    "QoS": re.compile(r"Enable-NetAdapterQos(?![\w-])", re.IGNORECASE),
    "RDMA": re.compile(r"Enable-NetAdapterRdma(?![\w-])", re.IGNORECASE),
}
_TOUCHED = re.compile(
    r"(?:Enable-NetAdapter(?:Qos|Rdma)|Set-NetAdapterAdvancedProperty|Set-NetQosDcbxSetting)(?![\w-])", re.IGNORECASE
)
_WORD = re.compile(r"[\"']([^\"'$*?]{1,80})[\"']|([A-Za-z0-9][\w .-]{0,60})")
_CALLED = re.compile(r"[A-Za-z]-[A-Za-z]")
_GENERAL = re.compile(r"(?:ethernet|eth|nic|vnic|port|adapter|local area connection|.{0,40}slot.{0,40})", re.IGNORECASE)
"""Names that Windows gives: they tell nothing of a purpose."""
_STEM = re.compile(r"[\s_-]{0,3}(?:[0-9]{1,3}|[A-Ha-h])$")
"""What tells adapters of one purpose apart: `Storage-A` and `Storage-B`, `SMB1` and `SMB2`."""


def passed_over(answer: Answer, text: str, literals: Mapping[str, str]) -> None:
    """Say where adapters get QoS or RDMA, and another one of their name, which the script sets up as well, does not."""
    given: dict[str, dict[str, tuple[int, str, str]]] = {word: {} for word in _GIVEN}
    touched: dict[str, tuple[int, str]] = {}
    opened = dict.fromkeys(_GIVEN, False)
    for number, code, names in _lines(text, answer.document.first_line, literals):
        for word, pattern in _GIVEN.items():
            if pattern.search(code) is not None:
                opened[word] = opened[word] or not names
                given[word] |= {name.lower(): (number, code.strip()[:QUOTE], name) for name in names}
        if _TOUCHED.search(code) is not None:
            touched = {name.lower(): (number, name) for name in names} | touched
    touched = dict(_named_in_tables(text, answer.document.first_line)) | touched
    for word, those in given.items():
        stems = {stem for name in those if (stem := _stem(name))}
        left = next((name for name in touched if name not in those and _stem(name) in stems), None)
        if opened[word] or left is None:
            continue
        alike = [at for name, at in those.items() if _stem(name) == _stem(left)]
        line, name = touched[left]
        meaning = (
            f"this script enables {word} for {', '.join(other for _, _, other in alike)}, and not for {name}, which line {line} "
            "names as well"
        )
        place = Place(answer.document.path, alike[0][0])
        answer.collector.seen.append(noticed("conflict", place, alike[0][1], meaning))
        return


def _lines(text: str, first: int, literals: Mapping[str, str]) -> Iterator[tuple[int, str, Sequence[str]]]:
    """(number, code, the adapters that it names; those of the loop where it names its variable)."""
    literals = {**_lists(text), **literals}
    loops: list[tuple[int, str, Sequence[str]]] = []
    depth = 0
    for number, code, masked in codes_of(text, first):
        found, piped = _LOOP.search(code), _PIPED.match(code)
        if found is not None:
            loops.append((depth, found.group(1).lower(), _listed(found.group(2), literals)))
        elif piped is not None:
            loops.append((depth, "_", _listed(piped.group(1), literals)))
        names = [one for written in _NAMED.findall(code) for one in _adapters(written, loops, literals)]
        yield number, code, list(dict.fromkeys(names))
        depth += masked.count("{") - masked.count("}")
        while loops and depth <= loops[-1][0] and "}" in masked:
            loops.pop()


def _adapters(written: str, loops: list[tuple[int, str, Sequence[str]]], literals: Mapping[str, str]) -> Iterator[str]:
    for part in written.split(","):
        name = part.strip().strip("\"'()@")
        if not name.startswith("$"):
            yield name
            continue
        variable = name[1:].partition(".")[0].lower()
        yield from next(
            (those for _, of, those in reversed(loops) if of == variable), _listed(f"${variable}", literals)
        )


def _listed(written: str, literals: Mapping[str, str]) -> Sequence[str]:
    """The names of a list that is written down; none where it is computed."""
    text = written.strip()
    if text.startswith("$"):
        text = literals.get(text[1:].lower(), "")
    is_call = _CALLED.search(text) is not None and not any(sign in text for sign in "\"'")
    if "$" in text or is_call:
        return ()
    return [(quoted or plain).strip() for quoted, plain in _WORD.findall(text)]


def _lists(text: str) -> Mapping[str, str]:
    """Variable, lower case -> the one list of quoted names that it is given."""
    given = [found[1].lower() for found in _GIVEN_ANY.finditer(text)]
    return {found[1].lower(): found[2] for found in _LIST.finditer(text) if given.count(found[1].lower()) == 1}


def _named_in_tables(text: str, first: int) -> Iterator[tuple[str, tuple[int, str]]]:
    """(name, its line and the name as written) of lists of names, and of tables that have a value for each."""
    for found in _LIST.finditer(text):
        for quoted, plain in _WORD.findall(found[2]):
            name = (quoted or plain).strip()
            yield name.lower(), (first + text.count("\n", 0, found.start(2)), name)
    for table in _TABLE.finditer(text):
        for key in _KEY.finditer(table[1]):
            at = table.start(1) + key.start(1)
            yield key[1].strip().lower(), (first + text.count("\n", 0, at), key[1].strip())


def _stem(name: str) -> str:
    """The name without the number or letter that it ends with; nothing where it has none."""
    found = _STEM.search(name)
    stem = name[: found.start()] if found is not None else ""
    return "" if _GENERAL.fullmatch(stem) else stem
