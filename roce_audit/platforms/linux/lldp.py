"""LLDP agents: `lldptool -t -i DEV` of lldpad (what this port says of itself) and `lldpctl -f json` of lldpd (who is at its far end).

lldpad owns the settings that it prints; lldpd only listens and does not decode DCBX.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.shared.host import tlv as hosttlv
from roce_audit.platforms.shared.host.answers import Answer, Tool

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

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,252}")
_PORT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./: -]{0,60}")


def _neighbours(answer: Answer) -> None:
    """The far end of each interface, as a label of the port."""
    found = answer.json()
    if found is None:
        return
    for name, neighbour in _interfaces(found.value):
        device, port = _device(neighbour.get("chassis")), _port(neighbour.get("port"))
        if device and name not in answer.collector.neighbours:
            answer.collector.neighbours[name] = f"{device}:{port}" if port else device


def _items(value: Any) -> Iterator[Any]:
    """`json` unwraps lists of one element, `json0` never does."""
    yield from value if isinstance(value, list) else [value]


def _interfaces(value: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(interface, what was heard there) in both forms of the answer."""
    for lldp in _items(value.get("lldp") if isinstance(value, dict) else None):
        for entry in _items(lldp.get("interface") if isinstance(lldp, dict) else None):
            if not isinstance(entry, dict):
                continue
            if isinstance(entry.get("name"), str):
                yield entry["name"], {key: _first(inner) for key, inner in entry.items()}
            else:
                yield from ((name, inner) for name, inner in entry.items() if isinstance(inner, dict))


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _device(chassis: Any) -> str:
    """`{"leaf1": {...}}` in the json form, `{"name": [{"value": "leaf1"}]}` in the json0 form."""
    if not isinstance(chassis, dict):
        return ""
    named = _first(chassis.get("name"))
    name = named.get("value") if isinstance(named, dict) else named
    if not isinstance(name, str) and len(chassis) == 1 and isinstance(next(iter(chassis.values())), dict):
        name = next(iter(chassis))
    return name if isinstance(name, str) and _NAME.fullmatch(name) else ""


def _port(port: Any) -> str:
    """The port's id where it is a name, else its description."""
    if not isinstance(port, dict):
        return ""
    for key in ("id", "descr"):
        told = _first(port.get(key))
        kind = told.get("type") if isinstance(told, dict) else ""
        text = told.get("value") if isinstance(told, dict) else told
        if isinstance(text, str) and kind not in ("mac", "ip", "local") and _PORT.fullmatch(text):
            return text
    return ""


NEIGHBOURS = Tool(
    name="lldpctl",
    split=_neighbours,
    commands=r"lldp(?:ctl|cli) (?:.* )?-f json0?(?: .*)?|lldpctl -f(?:json|json0)",
    signature=r'\A\s*\{\s*"lldp":',
)

TOOLS = (LOCAL, ONE_TLV, NEIGHBOURS)
