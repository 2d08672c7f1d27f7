"""Onyx running-configs for the common command-line reader: names of interfaces, labels, completeness, device facts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.model import Device
from roce_audit.platforms.base import unseen_switch
from roce_audit.platforms.onyx import statements as st
from roce_audit.platforms.onyx.defaults import SHARED_BUFFER
from roce_audit.platforms.onyx.facts import read_port
from roce_audit.platforms.onyx.paths import FullPaths
from roce_audit.platforms.onyx.state import answers
from roce_audit.platforms.onyx.table import TABLE
from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.shared.cli.syntax import Interfaces, Syntax
from roce_audit.platforms.shared.references import Name
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import is_untagged, vlan_numbers
from roce_audit.text.whole import Extent, kinds_at_margin, without_farewell
from roce_audit.values import Cell, Cited, Place, Why, absent, known, unknown

_KINDS = {
    "Eth": "ethernet",
    "Po": "lag",
    "Mpo": "lag",
    "mgmt": "management",
    "vlan": "svi",
    "loopback": "loopback",
    "nve": "tunnel",
}
_LONG = {"ethernet": "Eth", "port-channel": "Po", "mlag-port-channel": "Mpo"}
INTERFACES = Interfaces(_KINDS, {name.lower(): name for name in _KINDS} | _LONG, set_aside=("ib", "lo", "tunnel"))

_DUMP = re.compile(r'^## (?:Running|Active saved|Saved) database "', re.M)
_END = re.compile(r"^[ \t]*cli default prefix-modes enable\s*\Z", re.M)
_HOSTNAME = re.compile(r"^[ \t]*hostname (\S{1,253})[ \t]*$", re.M)
_SHOWN_NAME = re.compile(r"^## Hostname: (\S{1,253})[ \t]*$", re.M)
_RELEASE = re.compile(r"^(?:## )?Product release:\s*(\S{1,60})[ \t]*$", re.M)
_MODEL = re.compile(r"^Product model:\s*(\S{1,60})[ \t]*$", re.M)
_PFC = re.compile(r"^[ \t]*(no )?dcb priority-flow-control enable(.*)$", re.M)
_HEAD = 4000
_INDENT = re.compile(r"^[ \t]+", re.M)
_PORT_LINE = re.compile(r"^[ \t]*interface ethernet (\S{1,40})", re.M)


def hostname(document: Document) -> str | None:
    """The configured host name, else the one that the capture shows."""
    found = _HOSTNAME.search(document.text) or _SHOWN_NAME.search(document.text[:_HEAD])
    return found.group(1) if found else None


def _ends(document: Document) -> bool:
    return _END.search(without_farewell(document.text)[-200:]) is not None


def _complete_because(document: Document) -> str:
    if not _ends(document):
        return ""
    if document.command or _DUMP.search(document.text[:_HEAD]):
        return "capture header and end mark"
    return ""


def _extent(document: Document) -> Extent | None:
    if hostname(document) is None:
        return None
    ports = {name for found in _PORT_LINE.finditer(document.text) for name in _port_names(found.group(1))}
    # each line stands for itself, however far it is indented
    return Extent(len(ports), lambda: kinds_at_margin(_INDENT.sub("", document.text)))


def _port_names(given: str) -> Sequence[str]:
    try:
        return INTERFACES.expand(f"ethernet {given}")
    except ValueError:
        return ()


def _cut_off(document: Document) -> str:
    if _DUMP.search(document.text[:_HEAD]) and not _ends(document):
        return "this running-config has no `cli default prefix-modes enable` at its end: it is cut off"
    return ""


def _named_by(value: object, mode: str) -> Sequence[Name]:
    return [("acl", value.name)] if isinstance(value, st.AccessGroup) and value.name is not None else ()


def _lag_of(value: object) -> str:
    return f"{value.prefix}{value.number}" if isinstance(value, st.Channel) and value.number is not None else ""


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    vlans: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = False if kind in ("ethernet", "lag") else None
    peer_link = False
    for line in lines:
        words = line.split()
        if words[0] == "description":
            description = line.partition(" ")[2].strip('"')
        elif words[0] == "vrf":
            vrf = words[-1]
        elif words[0] == "ipl":
            peer_link = kind == "lag"
        elif line.startswith("no switchport"):
            routed = True
        elif line.startswith("switchport ") and "vlan" in line:
            vlans |= vlan_numbers(words[-1])
        elif line.startswith(("ip address ", "ipv6 address ")) and len(words) > 2:
            routed = None if routed is None else True
            addresses.append(words[2])
    untagged = bool(routed and addresses) or (routed is False and is_untagged(lines))
    return Labels(
        description, frozenset(vlans), vrf, routed, peer_link=peer_link, addresses=tuple(addresses), untagged=untagged
    )


def _breakout_parents(header: str) -> Sequence[str]:
    try:
        return INTERFACES.expand(header.partition(" ")[2])
    except ValueError:
        return ()


_ROCE = re.compile(r"^[ \t]{0,8}(no )?roce\b[ \t]?([^\n]*)$", re.M)
_ROCE_MODES = frozenset({"", "lossless", "semi-lossless", "lossy"})


def _pfc_off(document: Document) -> Cell[object]:
    """Whether a statement turns PFC off for the whole switch; without one it is merely not turned on."""
    *_, last = (None, *_PFC.finditer(document.text))
    if last is not None:
        place = Place(document.path, document.line_at(last.start()))
        if last.group(2).strip() not in ("", "force"):
            return unknown(Why.NOT_PARSED, place)
        return known(last.group(1) is not None, place)
    if SYNTAX.why_whole(document):
        return absent(Cited("no statement turns PFC off for the whole switch"))
    return unknown(Why.NOT_VISIBLE)


def _roce_mode(negated: bool, mode: str, place: Place) -> Cell[object]:
    if mode not in _ROCE_MODES:
        return unknown(Why.NOT_PARSED, place)
    return absent(place) if negated else known(mode or "lossless", place)


def device_facts(device: DeviceInput) -> Device:
    """Release and model as shown; the buffer is the same on all switches of this system."""
    values = unseen_switch()
    values["buffer_architecture"] = known("shared_on_chip", Cited(SHARED_BUFFER))
    for document in device.documents:
        if not values["pfc_disabled_globally"].is_known:
            values["pfc_disabled_globally"] = _pfc_off(document)
        for said in _ROCE.finditer(document.text):
            place = Place(document.path, document.line_at(said.start()))
            values["roce_mode"] = _roce_mode(said.group(1) is not None, said.group(2).strip(), place)
        for name, pattern in (("os_version", _RELEASE), ("model_name", _MODEL)):
            found = pattern.search(document.text[:_HEAD])
            if found is not None:
                values[name] = known(found.group(1), Place(document.path, document.line_at(found.start())))
    return Device(**values)


SYNTAX = Syntax(
    name="onyx",
    table=TABLE,
    outliner=FullPaths(TABLE),
    interfaces=INTERFACES,
    words={"acl": "access-list"},
    builtin=frozenset(),
    device_modes=frozenset(),
    named_by=_named_by,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    extent=_extent,
    cut_off=_cut_off,
    read_port=read_port,
    device_facts=device_facts,
    answers=answers,
    breakout_parents=_breakout_parents,
)
