"""`mlnx_qos -i DEV [-a]`: trust, DSCP map, receive buffers, cable length, PFC, ETS and rate limits of one port.

Format: github.com/Mellanox/mlnx-tools, python/mlnx_qos. Sections that the driver does not support are left out, with a line
that says so at the beginning; traffic classes without a priority are only shown with `-a`.
"""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import UNNAMED
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import BANDWIDTH, DEFAULT_PRIORITY, PRIORITY_OF_DSCP, SELECTION
from roce_audit.platforms.shared.host.words import choice, integer, matched, one_of, whole
from roce_audit.values import At, Place

_GONE = "@"
"""Stands for a traffic class whose header was not understood."""


_LLDPAD = re.compile(r"\*+ WARNING: lldpad service is running and may overwrite your settings \*+")


def _split(answer: Answer) -> None:
    """One statement a line; lines below `tc: N ...` and below `default priority:` get their header's words in front."""
    about = answer.subject or UNNAMED
    tc, section = _GONE, ""
    for number, raw in answer.lines():
        text = " ".join(raw.split())
        if _LLDPAD.fullmatch(text):
            answer.collector.host.agents.setdefault("lldpad", Place(answer.document.path, number))
        elif text.startswith("tc:"):
            found = re.match(r"tc: ([0-7]) ", text + " ")
            tc, section = found.group(1) if found else _GONE, "tc"
            answer.say(text, number, about)
        elif section == "tc" and text.startswith("priority:"):
            answer.say(f"tc {tc} {text}", number, about)
        elif re.fullmatch(r"(?:vendor|strict|ets, bw: \d+%|unknown)", text):
            # without rate limits the tool leaves the number of the class out
            tc, section = _GONE, "nameless"
            answer.say(f"nameless {text}", number, about)
        elif section == "nameless" and text.startswith("priority:"):
            answer.say(f"nameless {text}", number, about)
        elif text == "default priority:":
            section = "default"
        elif section == "default" and text.startswith("prio:"):
            answer.say(f"default {text}", number, about)
        else:
            section = ""
            answer.say(text, number, about)


def _trust(nic: NicSettings, text: str, at: At) -> None:
    """`none` is what the tool prints when it could not find out."""
    if text == "none":
        nic.refuse("trust", at)
    else:
        nic.set("trust", one_of(text, {"dscp": "dscp", "pcp": "pcp"}), at)


def _dscp2prio(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"prio:([0-7]) dscp:((?:[0-9]{2},){1,64})", text)
    for code in found.group(2).rstrip(",").split(","):
        nic.set(PRIORITY_OF_DSCP[whole(code, 0, 63)], int(found.group(1)), at)


def _default_prio(text: str) -> int:
    return int(matched(r"(?:prio:)?([0-7]),?", text.replace(" ", "")).group(1))


def _buffers(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"((?:[0-9]{1,9},){8})(?:(?:max_buffer_size|total_size)=[0-9]{1,9},?)?", text.replace(" ", ""))
    for number, size in enumerate(found.group(1).rstrip(",").split(",")):
        nic.set(f"groups.{number}.reserved_bytes", int(size), at)


def _eight(text: str, high: int) -> list[int]:
    words = text.split(" ")
    if len(words) != 8:
        raise ValueError(text)
    return [whole(word, 0, high) for word in words]


def _enabled(nic: NicSettings, text: str, at: At) -> None:
    bits = _eight(text, 1)
    nic.set("pfc.priorities", frozenset(i for i, bit in enumerate(bits) if bit), at)


def _buffer_of(nic: NicSettings, text: str, at: At) -> None:
    for priority, number in enumerate(_eight(text, 7)):
        nic.set(f"classes.{priority}.group", number, at)
        nic.set(f"priorities.{priority}.group", number, at)


_RATE_UNITS = {"Gbps": 1_000_000_000, "Mbps": 1_000_000}


_TC_LINE = re.compile(
    r"([0-7]) ratelimit: (?:(unlimited)|([0-9]{1,7}(?:\.[0-9]{1,6})?) (Gbps|Mbps)), "
    r"tsa: (strict|vendor|unknown|ets, bw: ([0-9]{1,3})%)"
)


def _tc(nic: NicSettings, text: str, at: At) -> None:
    found = _TC_LINE.fullmatch(text)
    if found is None:
        raise ValueError(text)
    number, unlimited, amount, unit, tsa, share = found.groups()
    if tsa == "unknown":
        # the driver reports an algorithm that the tool has no word for
        raise ValueError(text)
    if unlimited:
        nic.set_absent(f"queues.{number}.max_rate_bps", at)
    else:
        nic.set(f"queues.{number}.max_rate_bps", round(float(amount) * _RATE_UNITS[unit]), at)
    nic.set(SELECTION[number], "ets" if share else tsa, at)
    if share:
        nic.set(BANDWIDTH[number], whole(share, 0, 100), at)


def _tc_priority(nic: NicSettings, text: str, at: At) -> None:
    found = matched(r"([0-7]) priority: ([0-7])", text)
    for what in ("classes", "priorities"):
        nic.set(f"{what}.{found.group(2)}.queue", int(found.group(1)), at)


def _without_number(nic: NicSettings, text: str, at: At) -> None:
    """The number of the class is nowhere: the map and the scheduling were not shown."""
    for path in _ETS:
        nic.refuse(path, at)


def _unsupported(*paths: str) -> Line:
    lead = {
        "trust": "Priority trust state is not supported",
        "groups": "Buffers commands are not supported",
        "rate": "Rate limit is not supported",
        "ets": "ETS features are not supported",
    }[paths[0]]

    def read(nic: NicSettings, text: str, at: At) -> None:
        if text.rstrip("!") not in ("on your system", "supported on your system"):
            raise ValueError(text)
        for path in paths[1:]:
            nic.refuse(path, at)

    return Line(" ".join(lead.split(" ")[:5]), paths[1:], read)


_TRUST = ("trust", "dscp", "pcp")
_BUFFERS = ("classes.*.group", "priorities.*.group", "groups.*.reserved_bytes", "groups.*.lossless")
_ETS = ("queues.*.scheduling", "queues.*.share", "queues.*.share_kind", "classes.*.queue", "priorities.*.queue")
_MAP = (PRIORITY_OF_DSCP, "dscp")
_COVERS = ("pfc.priorities", "cable_m", "dcbx.owner", "trust", "dscp", "pcp")

QOS = Tool(
    name="mlnx_qos",
    introduces=1,
    ethernet=True,
    split=_split,
    commands=r"(?:sudo )?mlnx_qos (?:-a )?-i (?P<net>\S+)(?: -\S.{0,200})?",
    changes=r"(?:sudo )?mlnx_qos .{0,200}?(?<= )--?(?!(?:i|a|interface)\b)\w",
    signature=r"^(?:DCBX mode: (?:OS|Firmware) controlled|Priority trust state: \w+|(?:ETS features|Buffers commands) are not supported"
    r" on your system)$",
    lines=(
        sets("DCBX mode:", "dcbx.owner", choice({"OS controlled": "os", "Firmware controlled": "firmware"})),
        Line("Priority trust state:", _TRUST, _trust),
        Line("prio:0", _MAP, lambda f, t, at: _dscp2prio(f, f"prio:0 {t}", at)),
        sets("default", DEFAULT_PRIORITY, _default_prio, "dscp", "pcp"),
        Line("Receive buffer size (bytes):", ("groups.*.reserved_bytes",), _buffers),
        sets("Cable len:", "cable_m", integer(0, 65535)),
        Line("enabled", ("pfc", "groups.*.lossless"), _enabled),
        Line("buffer", _BUFFERS[:2] + _BUFFERS[3:], _buffer_of),
        Line("tc:", ("queues", SELECTION, BANDWIDTH), _tc),
        Line("tc", ("classes.*.queue", "priorities.*.queue"), _tc_priority),
        Line("nameless", _ETS, _without_number),
        _unsupported("trust", *_TRUST),
        _unsupported("groups", *_BUFFERS),
        _unsupported("rate", "queues.*.max_rate_bps", *_ETS),
        _unsupported("ets", *_ETS, "queues.*.max_rate_bps"),
        *(
            Line(f"prio:{p}", _MAP, lambda f, t, at, p=p: _dscp2prio(f, f"prio:{p} {t}", at))  # type: ignore[misc]
            for p in range(1, 8)
        ),
    ),
    covers=_COVERS,
    ignored=r"dscp2prio mapping:|PFC configuration:|priority 0 1 2 3 4 5 6 7",
    partial=True,
    of_rdma_nic=True,
)

TOOLS = (QOS,)
