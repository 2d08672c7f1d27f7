"""`nicctl show qos` and `nicctl show dcqcn`, text form: classification, PFC, scheduling and congestion control of each card.

The JSON forms are documented nowhere; an answer in JSON is set aside and said.
"""

from __future__ import annotations

import re

from roce_audit.platforms.ionic.cards import HEADER, JSON, ONE
from roce_audit.platforms.shared.host.answers import REFUSED, Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST, Subject
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import BANDWIDTH, PRIORITY_OF_DSCP, SELECTION, Note
from roce_audit.platforms.shared.host.words import choice, integer, matched, not_understood, whole
from roce_audit.values import At

PRIORITY_OF_TAG = Note[int]("the priority of PCP")
NO_DROP = Note[frozenset[int]]("the no-drop priorities")
SCHEDULED = Note[bool]("whether there is scheduling of priority")
CONTROL_ON = Note[bool]("whether DCQCN is on")
_NO_FORM = "its JSON form is documented nowhere: give the text form"
_ROW = re.compile(r"[0-9]{1,2} \S+ \S+ \S+(?: .*)?")
_PLAIN = re.compile(
    r"-{4,}|\*{4,}|Priority Scheduling .*|Type \(in .*|(?:DSCP|PCP)-to-[a-z]+ :|PFC :|Scheduling :|Port : .*|Port: .*"
)


def _split(answer: Answer) -> None:
    if answer.document.text.lstrip().startswith(("{", "[")):
        answer.say(REFUSED + _NO_FORM, answer.document.first_line, answer.subject or HOST)
        return
    about: Subject | None = answer.subject
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        header = HEADER.fullmatch(text)
        if header is not None:
            about = ("card", header.group(1))
        elif re.match(r"NIC *:", text):
            about = None
            answer.say("not understood", number, HOST)
        elif _PLAIN.fullmatch(text):
            continue
        elif about is None:
            answer.unread(number, text)
        else:
            answer.say(f"row {text}" if _ROW.fullmatch(text) else text, number, about)


def _bitmap(nic: NicSettings, text: str, at: At) -> None:
    """`0x0000000001000000 ==> priority : 3`: the same as the list below it, bit by bit."""
    found = matched(r"(0x[0-9a-fA-F]{1,16}) ==> priority : ([0-7])", text)
    mask = int(found.group(1), 16)
    for code in range(64):
        if mask & 1 << code:
            nic.set(PRIORITY_OF_DSCP[code], int(found.group(2)), at)


def codes(text: str) -> list[int]:
    """`0-23, 25-45, 47-63`; raises ValueError."""
    found: list[int] = []
    for piece in text.replace(",", " ").split():
        first, dash, last = piece.partition("-")
        low = whole(first, 0, 63)
        found.extend(range(low, whole(last, low, 63) + 1 if dash else low + 1))
    return found


def _codes(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"([0-9 ,-]{1,300}) ==> priority : ([0-7])", text)
    for code in codes(found.group(1)):
        nic.set(PRIORITY_OF_DSCP[code], int(found.group(2)), at)


def _tags(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"([0-7 ,-]{1,30}) ==> priority : ([0-7])", text)
    for tag in codes(found.group(1)):
        nic.set(PRIORITY_OF_TAG[whole(str(tag), 0, 7)], int(found.group(2)), at)


def _tag_bitmap(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"(0x[0-9a-fA-F]{1,2}) ==> priority : ([0-7])", text)
    for tag in range(8):
        if int(found.group(1), 16) & 1 << tag:
            nic.set(PRIORITY_OF_TAG[tag], int(found.group(2)), at)


def _pfc_bitmap(text: str) -> frozenset[int]:
    mask = int(matched(r"0x[0-9a-fA-F]{1,2}", text).group(), 16)
    return frozenset(p for p in range(8) if mask & 1 << p)


def _pfc_list(text: str) -> frozenset[int]:
    words = text.replace(",", " ").split()
    return frozenset() if words in ([], ["none"], ["None"], ["N/A"]) else frozenset(whole(word, 0, 7) for word in words)


def _row(nic: NicSettings, text: str, at: At) -> None:
    """`3 DWRR 99 N/A`: priority, scheduling, percent, limit in Gbit/s."""
    found = matched(r"([0-7]) (DWRR|strict) (N/A|[0-9]{1,3}) (N/A|[0-9]{1,4})", text)
    number, algorithm, share, limit = found.groups()
    nic.set(SELECTION[number], "ets" if algorithm == "DWRR" else "strict", at)
    if algorithm == "DWRR":
        nic.set(BANDWIDTH[number], whole(share, 0, 100), at)
    path = f"queues.{number}.max_rate_bps"
    if limit in ("N/A", "0"):
        nic.set_absent(path, at)
    else:
        nic.set(path, int(limit) * 10**9, at)
    nic.set(SCHEDULED[number], True, at)


_MAP = (PRIORITY_OF_DSCP, "dscp")
_PFC = ("pfc", "groups.*.lossless")
QOS = Tool(
    name="nicctl qos",
    split=_split,
    commands=rf"nicctl show qos{ONE}{JSON}",
    signature=r"^[ \t]*Classification type +: (?:DSCP|PCP)",
    lines=(
        sets("Classification type :", "trust", choice({"DSCP": "dscp", "PCP": "pcp"}), "dscp", "pcp"),
        Line("DSCP bitmap :", _MAP, _bitmap),
        Line("DSCP :", _MAP, _codes),
        Line("PCP bitmap :", (PRIORITY_OF_TAG, "pcp"), _tag_bitmap),
        Line("PCP :", (PRIORITY_OF_TAG, "pcp"), _tags),
        sets("PFC priority bitmap :", NO_DROP, _pfc_bitmap, *_PFC),
        sets("PFC no-drop priorities :", NO_DROP, _pfc_list, *_PFC),
        Line("row", ("queues", SELECTION, BANDWIDTH), _row),
        Line("not understood", ("pfc", "dscp", "queues"), not_understood),
    ),
    covers=("dscp", "pcp", "trust", "pfc.priorities", "queues.*.scheduling", "queues.*.share", "queues.*.max_rate_bps"),
    ignored=r"(?:DSCP|PCP)-to-purpose .*|DSCP bitmap : .* ==> purpose .*|DSCP : .* ==> purpose .*",
    ethernet=True,
)


def _profiles(answer: Answer) -> None:
    """Below each RDMA device its profile; the statements are about the device, and the card is the device's."""
    if answer.document.text.lstrip().startswith(("{", "[")):
        answer.say(REFUSED + _NO_FORM, answer.document.first_line, answer.subject or HOST)
        return
    card, about = "", answer.subject
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        name, _, value = (part.strip() for part in text.partition(":"))
        header = HEADER.fullmatch(text)
        if header is not None:
            card, about = header.group(1), ("card", header.group(1))
        elif name == "NIC":
            about = None
            answer.say("not understood", number, HOST)
        elif name == "ROCE device" and card:
            if re.fullmatch(r"[A-Za-z][A-Za-z0-9_.-]{0,60}", value):
                answer.collector.is_card(card, ("rdma", value))
            answer.say(f"device {value}", number, ("card", card), "rdma device")
        elif name in _NAMES and about is not None:
            answer.say(f"{name}: {value}", number, about)


_OWN_UNITS = (
    "Rate increase interval",
    "Rate increase in AI phase",
    "Rate increase in HAI phase",
    "Rate reduce monitor period",
    "Alpha update interval",
    "Alpha update G value",
    "Initial alpha value",
    "Token bucket size",
)
"""Parameters whose unit AMD does not state."""
_BOTH = ("nic.dcqcn.np_priorities", "nic.dcqcn.rp_priorities")
_PROFILE = (
    sets("Status:", CONTROL_ON, choice({"Enabled": True, "Disabled": False}), *_BOTH),
    sets("DSCP value used for CNP:", "nic.cnp_dscp", integer(0, 63)),
    sets("Rate increase byte count:", "nic.dcqcn.byte_reset_bytes", integer(0, 2**32 - 1)),
    sets("Rate increase threshold:", "nic.dcqcn.fast_recovery_stages", integer(0, 2**16 - 1)),
    *(
        sets(f"{name}:", f"nic.dcqcn.vendor.{name.lower().replace(' ', '_')}.value", integer(0, 2**32 - 1))
        for name in _OWN_UNITS
    ),
)
_NAMES = frozenset(line.lead.removesuffix(":") for line in _PROFILE)

DCQCN = Tool(
    name="nicctl dcqcn",
    split=_profiles,
    commands=rf"nicctl show dcqcn{ONE}(?: (?:-r|--roce-device) (?P<rdma>[A-Za-z]\S{{0,60}}))?(?: (?:-i|--profile-id) [0-9]{{1,2}})?{JSON}",
    signature=r"^[ \t]*DCQCN profile id +: ",
    lines=(*_PROFILE, Line("not understood", ("nic.dcqcn", "nic.cnp_dscp"), not_understood)),
    covers=(*_BOTH, "nic.cnp_dscp"),
    complete=False,
)

TOOLS = (QOS, DCQCN)
