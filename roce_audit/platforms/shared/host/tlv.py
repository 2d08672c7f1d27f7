"""The IEEE 802.1Qaz TLVs as lldptool prints them, and as Broadcom's tools do after it: ETS, PFC and application priorities.

Statements carry their section in front: `ets PRIO_MAP: 0:0 1:0 ...`, `pfc PFC enabled: 3`, `app 0 Priority: 7`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.host.answers import REFUSED, Answer, Line, sets
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import (
    APPLICATION,
    BANDWIDTH,
    CLASSES,
    HAS_DSCP_ENTRIES,
    PRIORITY_OF_DSCP,
    SELECTION,
    WILLING,
)
from roce_audit.platforms.shared.host.words import ON_OFF, choice, matched, not_understood, one_of, whole
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.values import At

T = TypeVar("T")
HEADER = r"IEEE 8021QAZ (?:ETS Configuration|ETS Recommendation|PFC|APP) TLV"
_SECTIONS = {
    "IEEE 8021QAZ ETS Configuration TLV": "ets",
    "IEEE 8021QAZ ETS Recommendation TLV": "recommended",
    "IEEE 8021QAZ PFC TLV": "pfc",
    "IEEE 8021QAZ APP TLV": "app",
}
_OTHER = lazy(r"[A-Za-z0-9][A-Za-z0-9 ./-]{0,60} TLV:?|End of LLDPDU\b.{0,20}")
_ENTRY = lazy(r"APP#([0-9]{1,3}):")


def split(answer: Answer) -> None:
    """One statement a line. An answer without any TLV is none: another version of the tool, or an error message."""
    lines = list(sections(answer))
    if not any(section in ("ets", "pfc", "app") for section, _, _ in lines):
        first = next(answer.lines(), (answer.document.first_line, "no answer"))
        answer.say(REFUSED + first[1].strip()[:120], first[0])
        return
    entry, shown = "", False
    for section, number, text in lines:
        numbered = _ENTRY.fullmatch(text)
        if section in ("other", "recommended"):
            continue
        if text == "":
            shown = shown or section == "app"
            if section == "app":
                has_codes = any(s == "app" and re.search(r"dscp *:", t, re.I) for s, _, t in lines)
                answer.say(f"app table {'on' if has_codes else 'off'}", number)
        elif section == "app" and numbered is not None:
            entry = numbered.group(1)
        elif section == "app" and entry:
            answer.say(f"app {entry} {text}", number)
        else:
            answer.say(f"{section} {text}", number)
    if not shown and not answer.document.truncated and not any(section == "tlv" for section, _, _ in lines):
        answer.say("app table off", answer.document.first_line)


def sections(answer: Answer) -> Iterator[tuple[str, int, str]]:
    """(section, line number, text) of each line; the text of a section's header is empty."""
    section = "other"
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        if text.removesuffix(":") in _SECTIONS:
            section, text = _SECTIONS[text.removesuffix(":")], ""
        elif text.startswith("IEEE 8021QAZ "):
            section = "tlv"  # a header that was not understood: what stands below it is nobody's
        elif _OTHER.fullmatch(text):
            section, text = "other", ""
        elif text.startswith("TC Rate Limit"):
            section = "limit"
        yield section, number, text


def _numbered(text: str, read: Callable[[str], T]) -> dict[int, T]:
    """The values of `0:a 1:b ...`; raises ValueError. Not every tool lists all eight."""
    found: dict[int, T] = {}
    for word in text.split():
        number, colon, value = word.partition(":")
        index = whole(number, 0, 7)
        if not colon or index != len(found):
            raise ValueError(text)
        found[index] = read(value)
    if not found:
        raise ValueError(text)
    return found


def _priority_map(nic: NicSettings, text: str, at: At) -> None:
    for priority, tc in _numbered(text, lambda value: whole(value, 0, 7)).items():
        for what in ("classes", "priorities"):
            nic.set(f"{what}.{priority}.queue", tc, at)


_TSA = {"strict": "strict", "ets": "ets", "vendor": "vendor", "cb_shaper": "cbs", "cbs": "cbs"}


def _algorithms(nic: NicSettings, text: str, at: At) -> None:
    found = _numbered(text, lambda value: one_of(value, _TSA))
    for tc, algorithm in found.items():
        nic.set(SELECTION[tc], algorithm, at)
    nic.set(CLASSES, len(found), at)


def _percent(word: str) -> int:
    return whole(word.removesuffix("%"), 0, 100) if word.endswith("%") else whole("", 0, 0)


def _bandwidths(nic: NicSettings, text: str, at: At) -> None:
    shares = [_percent(word) for word in text.split()]
    if not 1 <= len(shares) <= 8:
        raise ValueError(text)
    for tc, share in enumerate(shares):
        nic.set(BANDWIDTH[tc], share, at)


_YES = {"yes": True, "no": False}


def _word(pattern: str) -> Callable[[NicSettings, str, At], None]:
    """What is printed and sets nothing that is judged."""

    def read(nic: NicSettings, text: str, at: At) -> None:
        matched(pattern, text)

    return read


def _enabled(nic: NicSettings, text: str, at: At) -> None:
    words = re.split(r"[ ,]+", text.strip(" ,"))
    on = frozenset() if words == ["none"] else frozenset(whole(word, 0, 7) for word in words)
    nic.set("pfc.priorities", on, at)


def _capable(nic: NicSettings, text: str, at: At) -> None:
    """Zero stands for all eight (IEEE 802.1Q-2018, D.2.11.5)."""
    nic.set("pfc.most", whole(text, 0, 8) or 8, at)


def _entry(nic: NicSettings, text: str, at: At) -> None:
    """`0 Priority: 7`, `0 Sel: 5`, `0 DSCP: 48`: three statements of one entry."""
    found = matched(
        r"([0-9]{1,3}) (Priority|Sel|DSCP|UDP or DCCP|UDP|DCCP|TCP|TCP or SCTP|Port|Ethertype): (\w{1,8})", text
    )
    name, value = found.group(2), found.group(3)
    high = {"Priority": 7, "Sel": 7, "DSCP": 63}
    number = whole(value, 0, high[name]) if name in high else int(value) if value.isdigit() else 0
    nic.set(APPLICATION[found.group(1)][name.split()[0].lower()], number, at)


def _line_entry(nic: NicSettings, text: str, at: At) -> None:
    """`App# 0 Prio 3 Sel 3 P-ID UDP or DCCP Port: 4791`: a protocol's priority, no code point's."""
    found = matched(r"[0-9]{1,3} Prio ([0-7]) Sel [0-7] P-ID ([A-Za-z{}0-9 :]{0,40}): ((?:0x)?[0-9A-Fa-f]{1,5})", text)
    if found.group(2).startswith("UDP") and found.group(3) == str(ROCE_UDP_PORT):
        nic.set("dcbx.roce_priority", int(found.group(1)), at)


def _codes(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"([0-7]) dscp:((?: ?[0-9]{1,2},){1,64})", f"{text.rstrip(', ')},")
    for code in found.group(2).replace(",", " ").split():
        nic.set(PRIORITY_OF_DSCP[whole(code, 0, 63)], int(found.group(1)), at)


_APP = (PRIORITY_OF_DSCP, HAS_DSCP_ENTRIES, "dscp", "pcp", "trust", "dcbx.roce_priority")
_SHARES = ("queues.*.scheduling", "queues.*.share", "queues.*.share_kind")
LINES = (
    Line("ets PRIO_MAP:", ("classes.*.queue", "priorities.*.queue"), _priority_map),
    Line("ets TSA_MAP:", (SELECTION, CLASSES, *_SHARES), _algorithms),
    Line("ets TC Bandwidth:", (BANDWIDTH, "queues.*.share"), _bandwidths),
    sets("ets Willing:", WILLING["ets"], choice(_YES), "dcbx.willing"),
    sets("pfc Willing:", WILLING["pfc"], choice(_YES), "dcbx.willing"),
    Line("pfc PFC enabled:", ("pfc",), _enabled),
    sets("app table", HAS_DSCP_ENTRIES, ON_OFF, *_APP),
    Line("app App#", _APP, _line_entry),
    *(Line(f"app Prio:{p}", _APP, lambda f, t, at, p=p: _codes(f, f"{p} {t}", at)) for p in range(8)),  # type: ignore[misc]
    Line("app", _APP, _entry),
    Line("ets CBS:", (), _word(r"(?:not )?supported")),
    Line("ets MAX_TCS:", (), _word(r"[0-9]")),
    Line("pfc MACsec Bypass Capable:", (), _word(r"yes|no")),
    Line("pfc PFC capable traffic classes:", ("pfc.most",), _capable),
    Line("tlv", ("pfc", "queues", "classes.*.queue", "priorities.*.queue", *_APP), not_understood),
    Line("ets", ("queues", "classes.*.queue", "priorities.*.queue"), not_understood),
    Line("pfc", ("pfc",), not_understood),
)
COVERS = (
    "pfc.priorities",
    "pfc.most",
    "dcbx.roce_priority",
    *_SHARES,
    "classes.*.queue",
    "priorities.*.queue",
    "dscp",
    "pcp",
    "trust",
)


def conclude(nic: NicSettings) -> None:
    """What the three statements of each application entry say together, and whether the port is willing."""
    for number in nic.keys(APPLICATION):
        priority, selector, code, port = (nic.cell(APPLICATION[number][n]) for n in ("priority", "sel", "dscp", "udp"))
        if port is not None and port.is_known and port.get() == ROCE_UDP_PORT and priority is not None:
            nic.set_cell("dcbx.roce_priority", replace(priority, at=(*priority.at, *port.at)))
        if code is None or not code.is_known:
            continue
        if priority is None or selector is None or not priority.is_known or not selector.is_known:
            continue
        nic.set(PRIORITY_OF_DSCP[code.get()], priority.get(), *priority.at, *selector.at, *code.at)
    said = [cell for cell in (nic.cell(WILLING["ets"]), nic.cell(WILLING["pfc"])) if cell is not None and cell.is_known]
    if said:
        willing_first = sorted(said, key=lambda cell: not cell.get())
        at = tuple(where for cell in willing_first for where in cell.at)
        nic.set("dcbx.willing", any(cell.get() for cell in said), *at)
