"""Answers of `nv show`: on which priorities PFC runs at a port, its watchdog, and what the switch itself calls an exception.

The columns are `operational` and `applied`; only the operational one is taken, and only where the model has a place for it: the
thresholds shown there are what the chip made of the configured ones (150000 B becomes 159744 B on Spectrum-4).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.cumulus.marks import ANSWER
from roce_audit.platforms.cumulus.roce import MACROS
from roce_audit.platforms.cumulus.statements import Line
from roce_audit.platforms.signature import compiled
from roce_audit.text.document import Document
from roce_audit.text.structured.jsontext import JsonError
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.values import Place

_STATUS = re.compile(r"nv show interface (\S+) qos roce(?: status)?(?: |\Z)")
_ALL = re.compile(r"nv show interface qos-roce-status(?: |\Z)")
_SECTION = re.compile(r"^Interface: (\S{1,64})[ \t]*$", re.M)
_WATCHDOG = re.compile(r"nv show interface (swp\S{1,12}) qos pfc-watchdog(?: (?:-o|--output)[ =]json)?\Z")
_UNWATCHED = re.compile(r'^[ \t]*"?state"?:?[ \t]+"?(disabled?)\b', re.M)
_STUCK_JSON = re.compile(r'"([0-7])"[ \t]*:[ \t\n]*\{[^{}]{0,400}?"status"[ \t]*:[ \t]*"(?i:deadlock)')
_STUCK = re.compile(r"^[ \t]*([0-7])[ \t]+DEADLOCK\b", re.M)
_ROCE = re.compile(r"nv show qos roce(?: |\Z)")
_TITLE = compiled(ANSWER)
_PRIORITY = re.compile(r"^[ \t]+pfc-priority[ \t]+(\S{1,40})", re.M)
_DIRECTION = re.compile(r"^[ \t]+([rt])x-enabled[ \t]+(\S{1,40})", re.M)
_LOSSLESS = re.compile(r"^[ \t]*mode[ \t]+(lossless\S{0,40})", re.M)
_UNTRUSTED = re.compile(r"^[ \t]*trust-mode[ \t]+(port)\b", re.M)
_LOSSY = re.compile(r'^[ \t]*"?mode"?:?[ \t]+"?(lossy)\b', re.M)
_RUNS_LOSSY = re.compile(r"^[ \t]*mode[ \t]+(lossy\S{0,40})[ \t]+(lossless\S{0,40})", re.M)
"""The operational mode, and the applied one."""
_EXCEPTIONS = re.compile(r"^Exception List\s*\n=+\s*\n(.*?)(?=\n\s*\n|\Z)", re.M | re.S)
_NOTHING = re.compile(r"\s*+(?:No Data)?\s*+\Z", re.I)
_RULE = re.compile(r"[\s=-]*\Z")
_FIELD = re.compile(
    r"^[ \t]*(mode|trust-mode|enabled-tc|m(?:ax|in)-threshold|pfc-priority)[ \t]{2,}(\S{1,40}(?: \S{1,40}){0,8})", re.M
)
_MEMBER = re.compile(r'^([ \t]*+)"([a-z-]{1,40})":[ \t]*+(?:"([^"\n]{0,200})"|(\d{1,12}))[ \t]*+,?+[ \t]*+$', re.M)
_EXCEPTION = re.compile(r'"description":[ \t]*"([^"\n]{1,200})"')
_SIZE = re.compile(r"(\d{1,12}(?:\.\d{1,3})?) (Bytes|KB|MB)\Z")
_BYTES = {"Bytes": 1, "KB": 1 << 10, "MB": 1 << 20}
_TO_CLASS = re.compile(r"^[ \t]+\w{1,12}[ \t]+([0-7])[ \t]+([0-7])[ \t]+[A-Za-z].{0,30}$", re.M)
"""A row of the table of switch priorities, traffic classes and shares; the first column is a number, or the name of a class."""
_ON = frozenset({"yes", "enabled", "on", "true"})
_OFF = frozenset({"no", "disabled", "off", "false"})
_MOST = 20


def lines(document: Document) -> Iterator[Line]:
    """PFC and its watchdog as they run at the ports that were asked for, as statements of these ports."""
    command = document.command or ""
    asked, watched = _STATUS.match(command), _WATCHDOG.match(command)
    if asked is not None:
        yield from _of_port(document, asked.group(1))
    elif watched is not None:
        off = _UNWATCHED.search(document.text)
        if off is not None:
            place = Place(document.path, document.line_at(off.start(1)))
            words = ("interface", watched.group(1), "qos", "pfc-watchdog", "state", "disable")
            yield Line(words, place, " ".join(off.group().split()))
    elif _ALL.match(command):
        sections = list(_SECTION.finditer(document.text))
        for section, following in zip(sections, [*sections[1:], None], strict=True):
            text = document.text[section.end() : following.start() if following is not None else None]
            inner = Document(document.path, text, first_line=document.line_at(section.end()))
            yield from _of_port(inner, section.group(1))


def mode_lines(document: Document) -> Iterator[Line]:
    """The mode that runs, where it is the lossy one: a switch that was told to be lossless and is not."""
    if _ROCE.match(document.command or "") is None and not is_answer(document.text):
        return
    said = _LOSSY.search(document.text)
    if said is not None:
        place = Place(document.path, document.line_at(said.start(1)))
        yield Line(("qos", "roce", "mode", "lossy"), place, " ".join(said.group().split()))


def of_every_port(document: Document, ports: Iterable[str]) -> Iterator[Line]:
    """PFC as `nv show qos roce` tells it of the whole switch, where it runs for other priorities than those of the mode."""
    if _ROCE.match(document.command or "") is None and not is_answer(document.text):
        return
    found = _from_table(_as_table(document))
    if found is not None and found[0].isdigit() and int(found[0]) not in MACROS["lossless"].priorities:
        word, place, quote = found
        yield from (Line(("interface", port, "operational-pfc", word), place, quote) for port in ports)


def _of_port(document: Document, port: str) -> Iterator[Line]:
    found = _from_json(document) if document.text.lstrip()[:1] == "{" else _from_table(document)
    if found is None:
        return
    word, place, quote = found
    table = _as_table(document)
    off = next((way for way in _DIRECTION.finditer(table.text) if way[2].lower() in _OFF), None)
    if off is not None:
        place, quote = Place(document.path, table.line_at(off.start(2))), " ".join(off.group().split())
        yield Line(("interface", port, "pfc-shown-off", "on"), place, quote)
    yield Line(("interface", port, "operational-pfc", word), place, quote)


def _as_table(document: Document) -> Document:
    """An answer in JSON as the rows that the same command prints without `-o json`, each with the line of its member."""
    text = document.text.strip()
    if text[:1] != "{":
        return document
    if "\n" not in text:
        try:
            text = json.dumps(parse_json(text).value, indent=1)
        except JsonError:
            return document
        document = replace(document, text=text, lines=(document.line_at(0),))
    rows = _MEMBER.sub(lambda said: f"{said[1]}{said[2]}  {said[3] if said[4] is None else said[4]}", document.text)
    return replace(document, text=rows)


def _from_table(document: Document) -> tuple[str, Place, str] | None:
    said = _PRIORITY.search(document.text)
    if said is None:
        return None
    place = Place(document.path, document.line_at(said.start(1)))
    return _word(said.group(1), [word for _, word in _DIRECTION.findall(document.text)]), place, said.group().strip()


def _from_json(document: Document) -> tuple[str, Place, str] | None:
    try:
        text = parse_json(document.text, first_line=document.first_line)
    except JsonError:
        return None
    pfc = text.value.get("pfc") if isinstance(text.value, dict) else None
    if not isinstance(pfc, dict) or not isinstance(pfc.get("pfc-priority"), (str, int)):
        return None
    place = Place(document.path, text.line_of(("pfc", "pfc-priority")))
    ways = [str(pfc[f"{way}-enabled"]) for way in ("rx", "tx") if f"{way}-enabled" in pfc]
    return _word(str(pfc["pfc-priority"]), ways), place, f'"pfc-priority": {json.dumps(pfc["pfc-priority"])}'


def _word(priorities: str, ways: list[str]) -> str:
    """The priorities on which PFC runs both ways, as the answer writes them; `none`, or what nobody understands."""
    odd = next((way for way in ways if way.lower() not in _ON | _OFF), None)
    if odd is not None:
        return odd
    runs = all(way.lower() in _ON for way in ways)
    return "_".join(priorities.split()) if runs and priorities != "-" else "none"


def is_answer(text: str) -> bool:
    """Whether a text without its command is what `nv show qos roce` prints."""
    return "RoCE " in text and _TITLE.search(text) is not None


def contradictions(document: Document, every: tuple[str, ...]) -> Iterator[Seen]:
    """What `nv show qos roce` tells against the mode itself: the exceptions it lists, and PFC that runs one way or not at all.

    `every` are the ports of the switch.
    """
    asked = _STATUS.match(document.command or "")
    if asked is not None:
        table = _as_table(document)
        yield from _untrusted(table, (asked.group(1),))
        yield from _against_itself(table, (asked.group(1),))
    elif _ROCE.match(document.command or "") is not None or is_answer(document.text):
        yield from _exceptions(document)
        table = _as_table(document)
        yield from _not_running(table, every)
        yield from _against_itself(table, ())
    watched = _WATCHDOG.match(document.command or "")
    if watched is not None:
        yield from _stuck(document, watched.group(1))


def _stuck(document: Document, port: str) -> Iterator[Seen]:
    pattern = _STUCK_JSON if document.text.lstrip()[:1] == "{" else _STUCK
    for queue in pattern.finditer(document.text):
        text = f"the watchdog holds queue {queue.group(1)} of {port} for stuck at this moment"
        yield seen("stuck", port, text, Place(document.path, document.line_at(queue.start(1))), port, (port,))


def _against_itself(document: Document, ports: tuple[str, ...]) -> Iterator[Seen]:
    """What runs in lossless mode and cannot be meant: trust in tags alone, no marks where PFC acts, a curve that ends before it begins.

    The mode leads each switch priority to the traffic class of its number.
    """
    said = {found.group(1): found for found in reversed(list(_FIELD.finditer(document.text)))}
    words = {name: found.group(2) for name, found in said.items()}
    mode, trust, paused = words.get("mode", ""), words.get("trust-mode", ""), words.get("pfc-priority", "")
    whose = f"of {ports[0]} " if ports else ""
    if mode == "lossy" and paused.isdigit() and ports:
        clause = f"the RoCE mode {whose}is lossy, and PFC is shown for priority {paused}: one of the two is left over"
        yield _odd(document, said["mode"], clause, ports)
    if not mode.startswith("lossless"):
        return
    if trust == "pcp":
        clause = f"the RoCE mode {whose}is {mode}, and only the 802.1p tag is trusted: no DSCP leads into the class"
        yield _odd(document, said["trust-mode"], clause, ports)
    marking = words.get("enabled-tc", "")
    if (
        paused.isdigit()
        and marking
        and paused not in re.split(r"[ ,]", marking)
        and re.fullmatch(r"[0-7, ]*|-", marking)
    ):
        clause = f"PFC acts for priority {paused}, and packets are marked in traffic class {marking} alone"
        yield _odd(document, said["enabled-tc"], clause, ports)
    yield from _shared(document, paused, ports)
    low, high = (_bytes(words.get(f"{end}-threshold", "")) for end in ("min", "max"))
    if low is not None and high is not None and high < low:
        clause = f"marking ends at {words['max-threshold']}, below {words['min-threshold']}, where it begins"
        yield _odd(document, said["max-threshold"], clause, ports)


def _shared(document: Document, paused: str, ports: tuple[str, ...]) -> Iterator[Seen]:
    """A traffic class that the paused priority has in common with others, which nobody pauses."""
    rows = {found[1]: found for found in _TO_CLASS.finditer(document.text)}
    own = rows.get(paused)
    others = [number for number, row in rows.items() if own is not None and row[2] == own[2] and number != paused]
    if own is not None and others:
        clause = (
            f"PFC acts for priority {paused}, and its packets leave by traffic class {own[2]} with those of priority "
            f"{','.join(others)}, which nobody pauses"
        )
        place = Place(document.path, document.line_at(own.start(1)))
        yield seen("conflict", "qos roce tc-map", clause, place, " ".join(own.group().split()), ports)


def _odd(document: Document, found: re.Match[str], clause: str, ports: tuple[str, ...]) -> Seen:
    place = Place(document.path, document.line_at(found.start(2)))
    return seen("conflict", f"qos roce {found.group(1)}", clause, place, " ".join(found.group().split()), ports)


def _bytes(text: str) -> float | None:
    size = _SIZE.match(text)
    return None if size is None else float(size.group(1)) * _BYTES[size.group(2)]


def _not_running(document: Document, every: tuple[str, ...]) -> Iterator[Seen]:
    instead = _RUNS_LOSSY.search(document.text)
    if instead is not None:
        clause = f"RoCE runs in mode {instead.group(1)}, and {instead.group(2)} is applied: the class is not lossless"
        place = Place(document.path, document.line_at(instead.start(1)))
        yield seen("not-in-force", "qos roce mode", clause, place, " ".join(instead.group().split()), every)
    mode = _LOSSLESS.search(document.text)
    if mode is None:
        return
    yield from _untrusted(document, every)
    for said in _DIRECTION.finditer(document.text):
        if said.group(2).lower() in _OFF:
            done = "sends no PFC" if said.group(1) == "t" else "does not obey PFC"
            clause = f"RoCE is in mode {mode.group(1)}, and the switch {done}: the class is not lossless"
            place = Place(document.path, document.line_at(said.start(2)))
            yield seen("not-in-force", "qos roce pfc", clause, place, " ".join(said.group().split()), every)


def _untrusted(document: Document, ports: tuple[str, ...]) -> Iterator[Seen]:
    mode, trust = _LOSSLESS.search(document.text), _UNTRUSTED.search(document.text)
    if mode is not None and trust is not None:
        clause = f"RoCE is in mode {mode.group(1)}, and no mark of a packet is trusted: nothing enters the class"
        place = Place(document.path, document.line_at(trust.start(1)))
        yield seen("not-in-force", "qos roce trust", clause, place, " ".join(trust.group().split()), ports)


def _exceptions(document: Document) -> Iterator[Seen]:
    listed = document.text.find('"exception-list"')
    for told in list(_EXCEPTION.finditer(document.text, listed))[:_MOST] if listed >= 0 else ():
        yield _exception(told.group(1), Place(document.path, document.line_at(told.start())))
    found = _EXCEPTIONS.search(document.text)
    if found is None or _NOTHING.match(found.group(1)):
        return
    first = document.line_at(found.start(1))
    for number, text in enumerate(found.group(1).split("\n")[:_MOST], first):
        words = " ".join(text.split())
        if words and not _RULE.match(words) and any(c.isdigit() for c in words):
            yield _exception(words, Place(document.path, number))


def _exception(words: str, place: Place) -> Seen:
    clause = f"the switch itself reports an exception from its RoCE settings: {words}"
    return seen("conflict", "qos roce", clause, place, words, ())
