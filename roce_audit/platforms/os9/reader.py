"""OS9 running-configs for the common command-line reader: names of interfaces, labels, completeness, device facts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.model import Device
from roce_audit.platforms.banners import outside_banners, skip_banner
from roce_audit.platforms.base import Labels, unseen_device
from roce_audit.platforms.commandsyntax import Interfaces, Syntax
from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.os9.dialect import DIALECT
from roce_audit.platforms.os9.facts import read_port
from roce_audit.platforms.os9.outline import Os9Outliner
from roce_audit.platforms.references import Name
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Cited, Place, absent, known

_KINDS = {
    "GigabitEthernet": "ethernet",
    "TenGigabitEthernet": "ethernet",
    "twentyFiveGigE": "ethernet",
    "fortyGigE": "ethernet",
    "fiftyGigE": "ethernet",
    "hundredGigE": "ethernet",
    "Port-channel": "lag",
    "ManagementEthernet": "management",
    "Vlan": "svi",
    "Loopback": "loopback",
    "Null": "other",
}
_SHORT = {
    "gi": "GigabitEthernet",
    "gigabit": "GigabitEthernet",
    "te": "TenGigabitEthernet",
    "ten": "TenGigabitEthernet",
    "tf": "twentyFiveGigE",
    "fo": "fortyGigE",
    "forty": "fortyGigE",
    "hu": "hundredGigE",
    "po": "Port-channel",
    "vl": "Vlan",
    "lo": "Loopback",
    "ma": "ManagementEthernet",
}
_ASIDE = ("loopback", "vlan", "managementethernet", "null", "tunnel", "fibrechannel", "vfabric")
_HEADER = re.compile(r"^! Version ([89]\.\d+\(\S{1,20})[ \t]*$", re.M)
_HOSTNAME = re.compile(r"^hostname (\S{1,253})[ \t]*$", re.M)
_PORTS = re.compile(r"^interface (?:range )?[A-Za-z]+GigE? ?\d+/|^interface (?:range )?\w+GigabitEthernet ?\d+/", re.M)
_HEAD = 4000
_FEWEST_PORTS = 4


def hostname(document: Document) -> str | None:
    """The configured host name; words in a banner are none."""
    found = outside_banners(_HOSTNAME, document.text)
    return found.group(1) if found is not None else None


def _complete_because(document: Document) -> str:
    if not document.text.endswith("\n") and document.first_line == 1:
        return ""
    if document.command is not None:
        return "the whole answer of the command" if document.command == "show running-config" else ""
    return "capture header" if _HEADER.search(document.text[:_HEAD]) else ""


def _looks_complete(document: Document) -> bool:
    return len(_PORTS.findall(document.text)) >= _FEWEST_PORTS and hostname(document) is not None


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.DcbMap(name=str(name)):
            return [("dcbmap", name)]
        case st.BufferPolicy(name=str(name)):
            return [("threshold", name)]
    return ()


def _lag_of(value: object) -> str:
    return f"Port-channel{value.number}" if isinstance(value, st.Channel) else ""


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description = ""
    routed: bool | None = None
    for line in lines:
        if line.startswith("description "):
            description = line.partition(" ")[2].strip('"')
        elif line in ("switchport", "portmode hybrid"):
            routed = False
    return Labels(description, routed=routed)


def device_facts(device: DeviceInput) -> Device:
    """The release; the running-config names no model."""
    values = unseen_device()
    values |= dict.fromkeys(("buffer_model", "calculation_mtu_bytes"), absent(Cited("a setting of SONiC")))
    values["pfc_disabled_globally"] = known(False, Cited("dcb enable is judged port by port"))
    for document in device.documents:
        found = _HEADER.search(document.text[:_HEAD])
        if found is not None:
            values["os_version"] = known(found.group(1), Place(document.path, document.line_at(found.start())))
    return Device(**values)


SYNTAX = Syntax(
    name="os9",
    dialect=DIALECT,
    outliner=Os9Outliner(DIALECT, skip_banner),
    interfaces=Interfaces(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT, _ASIDE),
    words={"dcbmap": "dcb-map", "threshold": "dcb-buffer-threshold"},
    builtin=frozenset(),
    device_modes=frozenset(),
    named_by=_named_by,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    looks_complete=_looks_complete,
    read_port=read_port,
    device_facts=device_facts,
    used_elsewhere=frozenset({"threshold"}),
)
