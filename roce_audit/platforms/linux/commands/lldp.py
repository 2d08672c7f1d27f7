"""LLDP agents: lldpad says what a port tells of itself (`lldptool -t -i DEV`) and hears (`-n`), lldpd who is at its far end (`lldpctl`).

lldpad owns the settings that it prints; lldpd only listens and does not decode DCBX.
"""

from __future__ import annotations

import re
from dataclasses import replace

from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.neighbour import neighbour
from roce_audit.platforms.shared.host import tlv as hosttlv
from roce_audit.platforms.shared.host.answers import Answer, Tool
from roce_audit.platforms.shared.neighbours import lldpd
from roce_audit.platforms.shared.neighbours.etsoffer import by_priority
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.values import Cell, Place, known

_DEV = r"(?P<net>[A-Za-z0-9][^\s/]{0,40})"
_GET = r"lldptool (?:(?:-t|get-tlv) (?:-i )?|-ti |-i )"

LOCAL = Tool(
    name="lldptool",
    split=hosttlv.split,
    commands=rf"{_GET}{_DEV}",
    signature=rf"^{hosttlv.HEADER}$",
    lines=hosttlv.LINES,
    covers=hosttlv.COVERS,
    ethernet=True,
)


def _split_one(answer: Answer) -> None:
    """One kind of TLV alone: what it does not show is not known to be missing."""
    for section, number, text in hosttlv.sections(answer):
        if section in ("ets", "pfc", "app") and text:
            answer.say(f"{section} {text}", number)


ONE_TLV = Tool(
    name="lldptool tlv",
    split=_split_one,
    commands=rf"{_GET}{_DEV} -V (?:ETS-CFG|PFC|APP)",
    lines=hosttlv.LINES,
    covers=("pfc.priorities",),
    complete=False,
    ethernet=True,
)


_SET_AS = {
    "ETS-CFG": {
        "willing": "ets Willing:",
        "up2tc": "ets PRIO_MAP:",
        "tsa": "ets TSA_MAP:",
        "tcbw": "ets TC Bandwidth:",
        "numtcs": "ets MAX_TCS:",
    },
    "PFC": {"willing": "pfc Willing:", "enabled": "pfc PFC enabled:"},
}
"""Of each TLV the settings that lldpad keeps, and what lldptool prints of the TLV itself."""
_KIND = re.compile(r"-V ?(ETS-CFG|PFC|APP)\b")
_SETTING = re.compile(r"(willing|up2tc|tsa|tcbw|numtcs|enabled)[ \t]*=[ \t]*(\S.*)")
_APPLICATION_SET = re.compile(
    r"(?:app=)?[0-9]{1,3}: ?\(([0-9]{1,3}), ?([0-9]{1,3}), ?(0x[0-9a-f]{1,4}|[0-9]{1,5})\)(.*)|"
    r"app=([0-9]{1,3}),([0-9]{1,3}),(0x[0-9a-f]{1,4}|[0-9]{1,5})()"
)
_APPLICATIONS_HEAD = "app=(prio,sel,proto)"
_NOT_OURS = ("peer", "pending delete")


def _split_settings(answer: Answer) -> None:
    """`-c`: what lldpad is set to, a setting a line; applications as `0:(3,5,26) local hw (set)` (openlldp, lldp_8021qaz_cmds.c)."""
    kind = _KIND.search(answer.document.command or "")
    for number, raw in answer.lines():
        text = raw.strip()
        entry, setting = _APPLICATION_SET.fullmatch(text), _SETTING.fullmatch(text)
        if entry is not None:
            priority, selector, protocol, state = (
                one or "" for one in (entry.groups()[:4], entry.groups()[4:])[not entry[1]]
            )
            if not any(word in state for word in _NOT_OURS):
                _say_application(answer, number, priority, selector, protocol)
        elif kind is not None and setting is not None:
            lead = _SET_AS.get(kind[1], {}).get(setting[1])
            if lead is not None:
                answer.say(f"{lead} {_as_printed(setting[1], setting[2])}", number)
        elif kind is not None and kind[1] == "APP" and text != _APPLICATIONS_HEAD:
            answer.say(f"app {text}", number)


def _as_printed(name: str, value: str) -> str:
    """The value of a setting as the TLV shows it: `30,70` is `30% 70%`."""
    words = value.replace(",", " ").split()
    return " ".join(f"{word.rstrip('%')}%" for word in words) if name == "tcbw" else " ".join(words)


def _say_application(answer: Answer, number: int, priority: str, selector: str, protocol: str) -> None:
    """Selector 5 is a DSCP, 3 and 4 are ports of UDP; 1 and 2 are not RoCEv2 (IEEE 802.1Q, table D-9)."""
    if selector == "5":
        answer.say(f"app Prio:{priority} dscp: {protocol},", number)
    elif selector in ("3", "4"):
        answer.say(f"app App# 0 Prio {priority} Sel {selector} P-ID UDP or DCCP Port: {protocol}", number)
    elif selector not in ("1", "2"):
        answer.say(f"app ({priority},{selector},{protocol})", number)


SETTINGS = Tool(
    name="lldptool settings",
    split=_split_settings,
    commands=rf"{_GET}{_DEV} (?:-V ?(?:ETS-CFG|PFC|APP) -c|-c -V ?(?:ETS-CFG|PFC|APP))(?: [\w ]{{1,80}})?",
    lines=hosttlv.LINES,
    covers=("pfc.priorities",),
    complete=False,
    ethernet=True,
)


def _neighbours(answer: Answer) -> None:
    """The far ends of the interfaces."""
    answer.collector.neighbours.extend(lldpd.read(answer.document))


NEIGHBOURS = Tool(
    name="lldpctl",
    split=_neighbours,
    commands=lldpd.COMMANDS,
    signature=r'\A\s*\{\s*"lldp":|\A-{20,}\nLLDP neighbors:\n|\Alldp\.\w[^\n]{0,60}\.(?:chassis|port|via|rid)\b',
)


def _heard_by_lldpad(answer: Answer) -> None:
    """`lldptool -t -n`: each TLV is a header and an indented value, whose kind stands in front of it."""
    tlv, said = "", dict[str, str]()
    first = answer.document.first_line
    for number, raw in answer.lines():
        text = raw.strip()
        if not raw[:1].isspace():
            tlv = text.removesuffix(":")
            continue
        name = _TLVS.get(tlv)
        if name is None or name in said:
            continue
        kind, colon, value = text.partition(": ")
        said[name] = value if colon and kind in _ID_KINDS else text
        if name == "port_id":
            said["kind"], first = kind, number
    port = answer.subject[1] if answer.subject is not None else ""
    place = Place(answer.document.path, first)
    offers = replace(
        neighbour(port, place, **said) or Neighbour(port, place),
        offers_pfc=_offered(answer),
        offers_roce_priority=_roce_priority(answer),
        offers_shares=_shares(answer),
    )
    if port and offers != Neighbour(port, place):
        answer.collector.neighbours.append(offers)


def _offered(answer: Answer) -> Cell[frozenset[int]] | None:
    """The priorities of the PFC TLV that came from the far end."""
    for section, number, text in hosttlv.sections(answer):
        listed = _ENABLED.fullmatch(text) if section == "pfc" else None
        if listed is not None:
            words = listed.group(1).replace(",", " ").split()
            on = frozenset(int(word) for word in words if word != "none")
            return known(on, Place(answer.document.path, number))
    return None


def _roce_priority(answer: Answer) -> Cell[int] | None:
    """The priority of RoCEv2 in the application TLV that came from the far end."""
    for section, number, text in hosttlv.sections(answer):
        entry = _APPLICATION.fullmatch(text) if section == "app" else None
        if entry is not None:
            return known(int(entry.group(1)), Place(answer.document.path, number))
    return None


def _shares(answer: Answer) -> Cell[tuple[int, ...]] | None:
    """The shares of the ETS TLV that came from the far end: the recommended ones, else those that it has."""
    said: dict[tuple[str, str], tuple[str, int]] = {}
    for section, number, text in hosttlv.sections(answer):
        name, _, values = text.partition(": ")
        said[section, name] = values, number
    for section in ("recommended", "ets"):
        rows = [said.get((section, name), ("", 0)) for name in ("PRIO_MAP", "TC Bandwidth", "TSA_MAP")]
        classes, percents, algorithms = (
            pattern.findall(text) for pattern, (text, _) in zip(_ETS_ROWS, rows, strict=True)
        )
        kinds = [_ALGORITHMS.get(word, -1) for word in algorithms]
        shares = by_priority([*map(int, classes)], [*map(int, percents)], kinds)
        if shares is not None:
            return known(shares, Place(answer.document.path, rows[1][1]))
    return None


_ETS_ROWS = (
    re.compile(r"\b[0-7]:([0-7])\b"),
    re.compile(r"\b([0-9]{1,3})%"),
    re.compile(r"\b[0-7]:([a-z_]{1,20})"),
)
_ALGORITHMS = {"strict": 0, "ets": 2}
_APPLICATION = re.compile(rf"App# ?[0-9]{{1,3}} Prio ([0-7]) Sel [34] P-ID [A-Za-z /]{{3,30}}: {ROCE_UDP_PORT}")
_ENABLED = re.compile(r"PFC enabled: (none|[0-7](?:[ ,]{1,2}[0-7]){0,7}) ?")


_TLVS = {
    "Chassis ID TLV": "chassis",
    "Port ID TLV": "port_id",
    "Port Description TLV": "description",
    "System Name TLV": "system",
}
_ID_KINDS = frozenset({"MAC", "Ifname", "IfAlias", "Local", "IPv4", "IPv6", "Network Address"})

HEARD = Tool(
    name="lldptool -n",
    split=_heard_by_lldpad,
    commands=rf"lldptool (?:-t -n -i |-n -t -i |-tn -i |-tni |(?:-t -i |-ti )(?=\S+ -n(?: |$))){_DEV}(?: -n)?"
    r"(?: -V (?:ETS-CFG|ETS-REC|PFC|APP))?",
)

TOOLS = (LOCAL, ONE_TLV, SETTINGS, HEARD, NEIGHBOURS)
