"""What lldpd tells of its neighbours: `lldpctl` and `lldpcli show neighbors` as text, `json`, `json0` and `keyvalue`.

Source: answers as published; the form of TLVs that lldpd does not decode is unverified.
`json` unwraps lists of one element, `json0` never does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.neighbour import neighbour
from roce_audit.platforms.shared.neighbours.commands import either
from roce_audit.platforms.shared.neighbours.etsoffer import of_octets
from roce_audit.platforms.shared.neighbours.records import Records
from roce_audit.platforms.shared.neighbours.structured import Answer, items
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.text.document import Document
from roce_audit.text.structured.positions import Path
from roce_audit.values import Place, known

_TEXT = Records(
    head=re.compile(r"[ \t]*Interface:[ \t]*([^\s,]{1,60})(?:,.*)?[ \t]*$"),
    labels={"chassisid": "chassis", "sysname": "system", "portid": "port_id", "portdescr": "description"},
    typed=re.compile(r"(mac|ifname|ifalias|local|ip|unhandled) +(.*)"),
)
_ENTRY = lazy(r"lldp\.([^.=\s]{1,60}(?:\.\d+)?)\.([\w.-]{1,60})=(.{0,300})")
_NAMES = {"chassis.name": "system", "port.descr": "description"}


def _text(document: Document) -> Iterator[Neighbour]:
    yield from _key_values(document) if document.text.lstrip().startswith("lldp.") else _TEXT.read(document)


def _key_values(document: Document) -> Iterator[Neighbour]:
    """`lldp.eth0.chassis.mac=...`, a line a value. Of an interface with several neighbours the first is taken."""
    ports: dict[str, dict[str, str]] = {}
    places: dict[str, Place] = {}
    for number, line in document.numbered():
        entry = _ENTRY.fullmatch(line.strip())
        if entry is None:
            continue
        port, key, value = entry.groups()
        said = ports.setdefault(port, {})
        places.setdefault(port, Place(document.path, number))
        owner, _, kind = key.partition(".")
        if key in _NAMES:
            said.setdefault(_NAMES[key], value)
        elif owner == "port" and kind in _KINDS:
            if "port_id" not in said:
                said["port_id"], said["kind"] = value, kind
        elif owner == "chassis" and kind in _KINDS:
            said.setdefault("chassis", value)
    for port, said in ports.items():
        found = neighbour(port, places[port], **said)
        if found is not None:
            yield found


_KINDS = frozenset({"mac", "ifname", "ifalias", "local", "ip"})


def _json(document: Document) -> Iterator[Neighbour]:
    answer = Answer(document)
    for path, lldp in items(_member(answer.value, "lldp"), ("lldp",)):
        for entry_path, entry in items(_member(lldp, "interface"), (*path, "interface")):
            if isinstance(entry.get("name"), str):
                yield from _of(answer, entry["name"], entry_path, entry)
            else:
                for name, inner in entry.items():
                    yield from _of(answer, name, (*entry_path, name), inner)


def _member(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _of(answer: Answer, name: str, path: Path, entry: Any) -> Iterator[Neighbour]:
    chassis, port = _first(_member(entry, "chassis")), _first(_member(entry, "port"))
    system, chassis = _named(chassis)
    kind, port_id = _typed(_member(port, "id"))
    said = {
        "system": system,
        "chassis": _typed(_member(chassis, "id"))[1],
        "port_id": port_id,
        "kind": kind,
        "description": _plain(_member(port, "descr")),
    }
    pfc, roce, shares = _offered(entry), _roce_priority(entry), _shares(entry)
    for found in answer.neighbour(name, path, **said):
        yield replace(
            found,
            port_id="" if kind == "unhandled" else found.port_id,
            offers_pfc=None if pfc is None else known(pfc, found.place),
            offers_roce_priority=None if roce is None else known(roce, found.place),
            offers_shares=None if shares is None else known(shares, found.place),
        )


def _offered(entry: Any) -> frozenset[int] | None:
    """The priorities of the PFC TLV (annex D.2.11): the second octet is their mask."""
    for octets in _tlvs(entry, _PFC):
        if len(octets) == 2:
            return frozenset(priority for priority in range(8) if octets[1] >> priority & 1)
    return None


def _roce_priority(entry: Any) -> int | None:
    """The priority of RoCEv2 in the application TLV (annex D.2.12): behind an octet, entries of three octets, the first with priority and
    selector, the others with the port of UDP."""
    for octets in _tlvs(entry, _APPLICATIONS):
        for first, high, low in zip(octets[1::3], octets[2::3], octets[3::3], strict=False):
            if first & 7 in _UDP and high << 8 | low == ROCE_UDP_PORT:
                return first >> 5
    return None


def _shares(entry: Any) -> tuple[int, ...] | None:
    """The shares of the ETS TLV: the recommended ones, else those that the far end has."""
    offered = (of_octets(octets) for subtype in (_RECOMMENDED, _ETS) for octets in _tlvs(entry, subtype))
    return next((shares for shares in offered if shares is not None), None)


def _tlvs(entry: Any, subtype: str) -> Iterator[list[int]]:
    """The octets of the TLVs of IEEE 802.1Q-2018 of a subtype; lldpd does not decode them."""
    for _, tlvs in items(_member(entry, "unknown-tlvs")):
        for _, one in items(tlvs.get("unknown-tlv")):
            text = _plain(_member(one, "value")) or _plain(one.get("#text"))
            if one.get("oui") == "00,80,C2" and str(one.get("subtype")) == subtype and _OCTETS.fullmatch(text):
                yield [int(octet, 16) for octet in text.split(",")]


_OCTETS = lazy(r"[0-9A-Fa-f]{2}(?:,[0-9A-Fa-f]{2}){1,506}")
_ETS, _RECOMMENDED, _PFC, _APPLICATIONS = "9", "10", "11", "12"
_UDP = frozenset({3, 4})
"""Selectors of UDP ports: UDP or DCCP, and these or TCP or SCTP."""


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _plain(value: Any) -> str:
    """A text, alone or as `[{"value": text}]`."""
    inner = _first(value)
    text = inner.get("value") if isinstance(inner, dict) else inner
    return text if isinstance(text, str) else ""


def _typed(value: Any) -> tuple[str, str]:
    """(kind, id) of `{"type": kind, "value": id}`."""
    inner = _first(value)
    kind = inner.get("type") if isinstance(inner, dict) else ""
    return kind if isinstance(kind, str) else "", _plain(value)


def _named(chassis: Any) -> tuple[str, Any]:
    """(system name, the chassis) of `{"leaf1": {...}}` in the json form, of `{"name": [{"value": "leaf1"}]}` in the json0 form."""
    if isinstance(chassis, dict) and len(chassis) == 1 and not {"id", "name"} & set(chassis):
        (name, inner) = next(iter(chassis.items()))
        return (name, inner) if isinstance(inner, dict) else ("", chassis)
    return _plain(_member(chassis, "name")), chassis


read = either(_json, _text)
"""An answer in any of the forms."""
COMMANDS = r"lldp(?:ctl|cli)(?: .*)?"
"""Its clients; what they print besides neighbours is in no form that names one."""
