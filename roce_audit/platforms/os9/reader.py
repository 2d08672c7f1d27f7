"""OS9 running-configs for the common command-line reader: names of interfaces, labels, completeness, device facts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

from roce_audit.model import Device
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading, Seen, seen, unseen_switch
from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.os9.defaults import QUEUES_COMMAND
from roce_audit.platforms.os9.egress import PREDEFINED
from roce_audit.platforms.os9.facts import read_port
from roce_audit.platforms.os9.groups import of_map
from roce_audit.platforms.os9.outline import Os9Outliner
from roce_audit.platforms.os9.state import answers
from roce_audit.platforms.os9.table import TABLE
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.cli.banners import outside_banners, skip_banner
from roce_audit.platforms.shared.cli.dumps import HEAD, Dump
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.interface import Interface
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import Interfaces, Syntax
from roce_audit.platforms.shared.cli.vlandrops import with_vlan_drops
from roce_audit.platforms.shared.cli.vlanlists import VlanLists
from roce_audit.platforms.shared.references import Name
from roce_audit.text.block import Block, Part, block
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.whole import Extent
from roce_audit.values import Cited, Place, known

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
_DUMP = Dump(header=_HEADER, command=re.compile(r"show running-config"))
_HOSTNAME = re.compile(r"^hostname (\S{1,253})[ \t]*$", re.M)
_PORT_STANZA = re.compile(
    r"^interface (?:TenGigabit|fortyGig|hundredGig|twentyFiveGig|Gigabit)[^\n]*\n(?: [^\n]*(?:\n|\Z))*", re.M | re.I
)
_STATE = re.compile(r"^ (?:no )?shutdown[ \t]*$", re.M)
_BINDS: Mapping[type, str] = {
    st.DcbMap: "dcbmap",
    st.BufferPolicy: "threshold",
    st.DcbInput: "dcbinput",
    st.DcbOutput: "dcboutput",
    st.PolicyIn: "policyin",
    st.PolicyOut: "policyout",
}
_WORDS = {
    "dcbmap": "dcb-map",
    "threshold": "dcb-buffer-threshold",
    "dcbinput": "dcb-input",
    "dcboutput": "dcb-output",
    "pgroup": "priority-group",
    "policyin": "policy-map-input",
    "policyout": "policy-map-output",
    "classmap": "class-map",
    "qosin": "qos-policy-input",
    "qosout": "qos-policy-output",
    "wredprofile": "wred-profile",
}
_QUEUES = re.compile(r"^[ \t]{0,20}Queue {0,20}:(.{0,80})", re.M)
_SLOT = re.compile(r"(?:\d{1,3}/)+(?=\d)")
_CLASS_OPTIONS = ("match-all", "match-any", "layer2", "cpu-qos")
_CHANNEL, _VLAN = "Port-channel", "Vlan"


def hostname(document: Document) -> str | None:
    """The configured host name; words in a banner are none."""
    found = outside_banners(_HOSTNAME, document.text)
    return found.group(1) if found is not None else None


def _cut_off(document: Document) -> str:
    """A running-config says of every port at its end whether it is shut: where only the last one does not, the rest is missing."""
    ports = list(_PORT_STANZA.finditer(document.text)) if _DUMP.has_header(document) else []
    if len(ports) > 1 and ports[-1].end() == len(document.text):
        says = [_STATE.search(port.group()) is not None for port in ports]
        if all(says[:-1]) and not says[-1]:
            return "this running-config ends inside a port, before the line that says whether it is shut: it is cut off"
    return _DUMP.cut_off(document)


def _extent(document: Document) -> Extent | None:
    return None if hostname(document) is None else SYNTAX.extent_of(document.text)


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.Service(classmap=classmap, policy=policy, outward=outward):
            kind = "qosout" if outward else "qosin"
            return [name for name in (("classmap", classmap), (kind, policy)) if name[1]]
        case st.Aggregate(policy=policy):
            return [("qosout" if mode == "policyout" else "qosin", policy)]
        case st.GroupPolicy(group=group, policy=policy):
            return [("pgroup", group), ("qosout", policy)]
        case st.Wred(profile=profile):
            return [("wredprofile", profile)] if profile else ()
        case _ if type(value) in _BINDS:
            name = getattr(value, "name", None)
            return [(_BINDS[type(value)], name)] if isinstance(name, str) else ()
    return ()


def _stanza_names(mode: str, header: str) -> Sequence[str]:
    words = header.split(" ")
    if mode == "classmap":
        return [next((w for w in words[1:] if w not in _CLASS_OPTIONS), words[-1])]
    return words[-1:] if mode == "acl" else words[1:2] or words[-1:]


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
    values = unseen_switch()
    values["pfc_disabled_globally"] = known(False, Cited("dcb enable is judged port by port"))
    for document in device.documents:
        found = _HEADER.search(document.text[:HEAD])
        if found is not None:
            values["os_version"] = known(found.group(1), Place(document.path, document.line_at(found.start())))
    return Device(**values)


SYNTAX = Syntax(
    name="os9",
    table=TABLE,
    outliner=Os9Outliner(TABLE, skip_banner),
    interfaces=Interfaces(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT, _ASIDE),
    words=_WORDS,
    builtin=frozenset(("wredprofile", name) for name in PREDEFINED),
    device_modes=frozenset({"vlt"}),
    stanza_names=_stanza_names,
    named_by=_named_by,
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_DUMP.complete_because,
    extent=_extent,
    cut_off=_cut_off,
    answers=answers,
    read_port=read_port,
    device_facts=device_facts,
    used_elsewhere=frozenset({"threshold", "classmap", "qosin", "qosout", "policyin", "wredprofile"}),
)


class _Os9Reader(CommandLineReader):
    """A switch whose answer about queues holds for all its ports, and whose groups are names inside their map."""

    def _answer(self, document: Document) -> None:
        if document.command != QUEUES_COMMAND:
            super()._answer(document)
            return
        found = _QUEUES.search(document.text[:HEAD])
        if found is not None:
            line = document.line_at(found.start())
            told = block(document.path, line, (" ".join(["queues", *found.group(1).split()]),), (line,))
            self._device_part(Part("device", told, "state"))

    @cached_property
    def _channels(self) -> Mapping[str, str]:
        """Port -> the channel that names it by `channel-member`."""
        found: dict[str, str] = {}
        for name, interface in self.interfaces.items():
            for line in interface.labels if name.startswith(_CHANNEL) else ():
                if line.startswith("channel-member "):
                    with suppress(ValueError):
                        members = SYNTAX.interfaces.expand(_with_slots(line.partition(" ")[2]))
                        found |= dict.fromkeys(members, name)
        return found

    @cached_property
    def _vlans(self) -> Mapping[str, set[int]]:
        """Port or channel -> the VLANs that name it by `tagged` or `untagged`: ports name no VLANs themselves."""
        found: dict[str, set[int]] = defaultdict(set)
        for name, interface in self.interfaces.items():
            number = name.removeprefix(_VLAN)
            for line in interface.labels if number != name and number.isdecimal() else ():
                if line.startswith(("tagged ", "untagged ")):
                    with suppress(ValueError):
                        for member in SYNTAX.interfaces.expand(_with_slots(line.partition(" ")[2])):
                            found[member].add(int(number))
        return found

    def _port(self, name: str, interface: Interface) -> PortReading:
        interface.member_of = self._channels.get(name, "")
        port = super()._port(name, interface)
        vlans = self._vlans.get(name, set()) | self._vlans.get(interface.member_of, set())
        return replace(port, labels=replace(port.labels, vlans=port.labels.vlans | vlans)) if vlans else port

    def groups_seen(self, ports: Sequence[PortReading]) -> Iterator[Seen]:
        """Groups that priorities are put into and nothing defines, and groups without a priority."""
        for kind, name in self.named.names():
            if kind != "dcbmap":
                continue
            blocks = self.named.defined((kind, name))
            groups = of_map(
                (TABLE.parse(kind, statement).value, one.place(index))
                for one in blocks
                for index, statement in enumerate(one.texts.statements)
            )
            if groups.unread is not None or groups.by_priority is None:
                continue
            place = groups.by_priority[1]
            for number in sorted(groups.undefined):
                text = f"priority group {number} of DCB map {name} has priorities here and is defined nowhere"
                leaning = tuple(port.name for port in ports if _leans(port, blocks))
                yield seen("undefined", f"{name} {number}", text, place, _quote(blocks, place), leaning)
            for number in sorted(groups.empty):
                place = groups.by_number[number][1]
                text = (
                    f"priority group {number} of DCB map {name} has no priority, so its share and its PFC serve nothing"
                )
                yield seen("unapplied", f"{name} {number}", text, place, _quote(blocks, place), ())


def _with_slots(text: str) -> str:
    """`fortyGigE 0/48,52-53` with the slot before every number: `fortyGigE 0/48,0/52-53`."""
    slot = ""
    pieces: list[str] = []
    for piece in text.split(","):
        found = _SLOT.search(piece)
        slot = found.group() if found is not None else slot
        pieces.append(slot + piece.strip() if piece.strip()[:1].isdigit() and "/" not in piece else piece)
    return ",".join(pieces)


def _leans(port: PortReading, blocks: Sequence[Block]) -> bool:
    return any(part.block == one for part in port.parts for one in blocks)


def _quote(blocks: Sequence[Block], place: Place) -> str:
    found = ((one.place(i), s) for one in blocks for i, s in enumerate(one.texts.statements))
    return next((statement for at, statement in found if at == place), "")


def read(device: DeviceInput) -> DeviceReading:
    """Everything of one switch; the channel between the two switches of a VLT pair is their peer link."""
    reader = _Os9Reader(SYNTAX, device)
    reading = reader.read()
    if reader.complete:
        reading = replace(reading, seen=(*reading.seen, *reader.groups_seen(reading.ports)))
    peers = frozenset(_peer_links(reading))
    ports = [
        replace(port, labels=replace(port.labels, peer_link=True)) if {port.name, port.labels.lag} & peers else port
        for port in reading.ports
    ]
    documents = filter(is_configuration, device.documents)
    drops = list(_VLAN_LISTS.drops(documents, bool(reading.complete_because)))
    return with_vlan_drops(replace(reading, ports=tuple(ports)), drops)


_VLAN_LISTS = (
    VlanLists(  # Dell S4048T-ON User Guide 9.x, Assign an IP ACL to an Interface: a port, a channel, or a VLAN
        "ip access-group ",
        "ip access-list extended",
        lazy(r"ip access-group (\S{1,140}) (?:in|out)"),
        lazy(r"(?i:interface vlan (\d{1,4}))"),
    )
)


def _peer_links(reading: DeviceReading) -> Iterator[str]:
    for part in reading.ports[0].parts if reading.ports else ():
        for statement in part.block.texts.statements if part.kind == "vlt" else ():
            value = TABLE.parse("vlt", statement).value
            if isinstance(value, st.PeerLink):
                yield f"{_CHANNEL}{value.number}"
