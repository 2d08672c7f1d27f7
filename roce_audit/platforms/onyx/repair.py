"""How Onyx writes a change: lines that hold the whole path, and their `no` form (NVIDIA Onyx User Manual, QoS, DCB, Interfaces)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from roce_audit.platforms.onyx.prompts import PROMPT
from roce_audit.platforms.onyx.reader import INTERFACES
from roce_audit.platforms.shared.cli.negation import negated
from roce_audit.platforms.shared.path.repair import INDEX, PathRepairs, Value
from roce_audit.platforms.shared.path.texts import FlatForm, FlatText, PathText
from roce_audit.text.structured.nodes import Words

_LINE = re.compile(
    r"^([ \t]*)((?:no )?(?:interface|traffic pool|dcb|pool|roce|advanced buffer|lldp|vlan map-priority)\b(?:.*\S)?)\s*$"
)
_NO_VALUE = (
    "mtu",
    "speed",
    "fec-override",
    "flowcontrol *",
    "dcb priority-flow-control mode",
    "qos trust",
    "qos map dscp *",
    "qos default switch-priority",
    "vlan default priority",
    "traffic-class * congestion-control",
    "traffic-class * dcb ets",
    "traffic-class * bind switch-priority",
    "dcb priority-flow-control enable",
    "traffic pool *",
)
"""What takes no value in its `no` form."""
_LONG = {"Eth": "ethernet", "Po": "port-channel", "Mpo": "mlag-port-channel"}
_NAME = re.compile(r"(Eth|Po|Mpo)(\d.*)\Z")


@lru_cache(65_536)
def _line(line: str) -> tuple[int, Words, bool] | None:
    prompt = PROMPT.match(line)
    found = _LINE.match(line) if prompt is None else None
    if found is None:
        return None
    words = tuple(found[2].split())
    if words[0] == "no":
        return found.start(2), words[1:], True
    if len(words) > 4 and words[0] == "interface" and words[3] == "no":
        return found.start(2), (*words[:3], *words[4:]), True
    return found.start(2), words, False


def _about(words: Words) -> tuple[Words, Words]:
    """The words that name the port, and what is said of it."""
    return (words[:3], words[3:]) if words[:1] == ("interface",) else ((), words)


def _unset(words: Words) -> str:
    port, said = _about(words)
    return " ".join(("no", *port, negated(" ".join(said), _NO_VALUE).removeprefix("no ")))


@lru_cache(32_768)
def _setting(words: Words) -> Words:
    port, said = _about(words)
    return (*port, *negated(" ".join(said), _NO_VALUE).split()[1:])


@lru_cache(32_768)
def _ports(words: Words) -> Sequence[str]:
    if words[:1] != ("interface",) or len(words) < 4:
        return ()
    try:
        return INTERFACES.expand(" ".join(words[1:3]))
    except ValueError:
        return ()


def _port(name: str) -> Words:
    found = _NAME.match(name)
    return ("interface", _LONG[found[1]], found[2]) if found is not None else ("interface", "", name)


def _text(path: str, lines: Sequence[str]) -> PathText | None:
    return FlatText(path, lines, FlatForm(_line, " ".join, _unset))


REPAIRS = PathRepairs(
    text=_text,
    ports=_ports,
    renamed=lambda words, similar, port: (*_port(port), *words[3:]),
    said_of=lambda words, other: (*other[:3], *words[3:]) if other[:1] == words[:1] == ("interface",) else None,
    of_port=lambda port, words: (*_port(port), *words),
    setting=_setting,
    set=" ".join,
    unset=_unset,
    values={
        "port.ip_mtu_bytes": Value(("mtu",), lambda value: f"{value} force", own=True),
        "port.trust": Value(("qos", "trust"), lambda value: "L3", own=True),
        "port.pfc.mode": Value(("dcb", "priority-flow-control", "mode"), lambda value: f"{value} force", own=True),
        "port.pfc.watchdog.on": Value(("pfc-wd",), lambda on: "", own=True),
        "port.dscp": Value(("qos", "map", "dscp", INDEX), lambda value: f"to switch-priority {value}", own=True),
        "cnp_hop.queue.scheduling": Value(("dcb", "ets"), str),
        "hop.queue.share": Value(("dcb", "ets"), lambda value: f"wrr {value}"),
    },
    sweeping=lambda words: words[:1] == ("roce",),
    before=("enable", "configure terminal"),
    after=("exit", "configuration write"),
)
