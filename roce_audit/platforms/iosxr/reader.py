"""IOS XR running-configs for the common command-line reader: labels, completeness, device facts, the cards of PFC profiles."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from roce_audit.model import Device
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading, Seen, seen, unseen_switch
from roce_audit.platforms.iosxr import hardwarepause, installed
from roce_audit.platforms.iosxr import statements as st
from roce_audit.platforms.iosxr.defaults import BUILTIN, VOQ
from roce_audit.platforms.iosxr.definitions import outside_groups
from roce_audit.platforms.iosxr.facts import XrContext, read_port
from roce_audit.platforms.iosxr.formal import in_blocks
from roce_audit.platforms.iosxr.groups import INTERFACE, Groups
from roce_audit.platforms.iosxr.idlegroups import idle_groups
from roce_audit.platforms.iosxr.names import INTERFACES, slot_of, type_of
from roce_audit.platforms.iosxr.portless import unled_pause
from roce_audit.platforms.iosxr.state import answers
from roce_audit.platforms.iosxr.subinterfaces import hand_up
from roce_audit.platforms.iosxr.table import HQOS, TABLE
from roce_audit.platforms.iosxr.unqueued import unqueued
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.cli.banners import outside_banners, skip_banner
from roce_audit.platforms.shared.cli.gathering import DATA
from roce_audit.platforms.shared.cli.interface import Interface
from roce_audit.platforms.shared.cli.programmed import first_of
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import PortContext, Syntax
from roce_audit.platforms.shared.policy import typed
from roce_audit.platforms.shared.references import Name
from roce_audit.text.block import Block, block, resolve, with_first
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import with_prefix_length
from roce_audit.text.outline import Outliner, Stanza
from roce_audit.text.structured.indented import without_margin
from roce_audit.text.whole import Extent, without_farewell
from roce_audit.values import At, Cell, Cited, Place, Why, known

_HEAD = 20_000
_HEADER = lazy(r"^!! IOS XR Configuration (?:version = )?(\d[\w.]{0,20})[ \t]*$", 8)
_END = lazy(r"\nend[ \t]*\n?\Z")
_WHOLE = lazy(r"show running-config\Z")
_HOSTNAME = lazy(r"^hostname (\S{1,253})[ \t]*$", 8)
_VERSION = lazy(r"^Cisco IOS XR Software, Version (\d[\w.]{0,20})(?: LNT|\[[\w ]{1,20}\])?[ \t]*$", 8)
_MODEL = lazy(r"^cisco (\S{2,40}) \([^\n]{0,80}\) processor\b", 8)
_GROUP = lazy(r"^group \S", 8)
_LOCATION = " location "


def hostname(document: Document) -> str | None:
    """The configured host name; words in a banner are none."""
    found = outside_banners(_HOSTNAME, document.text)
    return found.group(1) if found is not None else None


def _ends(document: Document) -> bool:
    return _END.search(f"{without_farewell(document.text).rstrip()}\n") is not None


def _complete_because(document: Document) -> str:
    if not _ends(document):
        return ""
    if document.command is not None:
        return "the whole answer of the command" if _WHOLE.match(document.command) else ""
    return "capture header and end mark" if _HEADER.search(document.text[:_HEAD]) else ""


def _cut_off(document: Document) -> str:
    if _HEADER.search(document.text[:_HEAD]) and not _ends(document):
        return "this configuration begins with its version and has no `end`: it is cut off"
    return ""


def _extent(document: Document) -> Extent | None:
    return None if hostname(document) is None else SYNTAX.extent_of(document.text)


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    vlans: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = None
    for line in lines:
        words = line.split()
        if words[0] == "description":
            description = line.partition(" ")[2]
        elif words[0] == "vrf" and len(words) > 1:
            vrf = words[1]
        elif words[0] == "l2transport":
            routed = False
        elif words[0] == "encapsulation" and words[1:2] == ["dot1q"] and words[2:] and words[2].isdecimal():
            vlans.add(int(words[2]))
        elif words[0] in ("ipv4", "ipv6") and words[1:2] == ["address"] and len(words) > 2:
            routed = True
            addresses.append(with_prefix_length(words[2:]))
    untagged = bool(routed and addresses) and not vlans
    return Labels(description, frozenset(vlans), vrf, routed, addresses=tuple(addresses), untagged=untagged)


_TAGGED = frozenset({"dot1q", "dot1ad", "second-dot1q"})


def _tags(lines: Sequence[str]) -> int:
    """How many VLAN tags the packets of a subinterface have."""
    said = [line for line in lines if line.startswith("encapsulation ")]
    return sum(word in _TAGGED for word in said[-1].split()) if said else 0


def _lag_of(value: object) -> str:
    return f"Bundle-Ether{value.number}" if isinstance(value, st.BundleId) and value.number else ""


def _named_by(value: object, mode: str) -> Sequence[Name]:
    """The policy, class-map or access list that a statement names."""
    if isinstance(value, st.ApplyGroup):
        return [("group", name) for name in value.names]
    if isinstance(value, st.Child):
        return [("qospolicy", value.name)]
    return typed.named_by(value, mode)


def device_facts(device: DeviceInput) -> Device:
    """The release, from the head of the configuration or `show version`, and the model where that was read."""
    values = unseen_switch()
    values["pfc_disabled_globally"] = known(False, Cited("IOS XR has no statement that turns PFC off on all ports"))
    values["buffer_architecture"] = known("voq", Cited(VOQ))
    for document in device.documents:
        for name, pattern in (("os_version", _HEADER), ("os_version", _VERSION), ("model_name", _MODEL)):
            found = pattern.search(document.text[:_HEAD])
            if found is not None:
                values[name] = known(found.group(1), Place(document.path, document.line_at(found.start())))
    return Device(**values)


SYNTAX = Syntax(
    name="iosxr",
    table=TABLE,
    outliner=Outliner(TABLE, skip_banner),
    interfaces=INTERFACES,
    words={"qosmap": "class-map", "qospolicy": "policy-map", "acl": "access-list", "group": "group"},
    builtin=BUILTIN,
    classifying=frozenset({"qospolicy"}),
    device_modes=frozenset({"bgp", "pfcprofile", "pfcwatchdog"}),
    matching=frozenset({"qosmap"}),
    named_by=_named_by,
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    extent=_extent,
    cut_off=_cut_off,
    read_port=read_port,
    device_facts=device_facts,
    used_elsewhere=frozenset({"acl", "group"}),
    header_statement=typed.header_statement,
    answers=answers,
    programmed=first_of(installed.programmed, hardwarepause.programmed),
)


class _Reader(CommandLineReader):
    """One router: the header of a PFC profile says for which cards it is, and that of an interface how fast it is."""

    def __init__(self, syntax: Syntax, device: DeviceInput) -> None:
        super().__init__(syntax, device)
        self.groups = Groups()
        self.of_router: tuple[str, ...] = ()
        """The groups that are applied to the whole router."""
        self.applied: set[str] = set()
        self.slot, self.tags = "", 0
        """Of the port that is read: its card, and the VLAN tags that its MTU counts."""
        self.disputed: Mapping[str, tuple[str, ...]] | None = None
        """Port -> what its subinterfaces set in several ways; None until they have been looked at."""
        self.elsewhere: tuple[str, ...] = ()
        """Of the port that is read: what its subinterfaces say, and not alike."""

    def _document(self, document: Document) -> None:
        document = outside_groups(in_blocks(document))
        if _GROUP.search(document.text):
            outline = self.syntax.outliner.outline(without_margin(document.text), document.path, document.first_line)
            for stanza in outline.stanzas:
                if stanza.mode == "group":
                    self.groups.define(stanza.header.partition(" ")[2], stanza.block)
            for said in self.groups.blocks():
                self._look(said, "port")
            self.of_router += self._applied(outline.top, "top")
        super()._document(document)

    def _applied(self, said: Block, mode: str = "port") -> tuple[str, ...]:
        """The groups that a block applies, the one that counts most first."""
        values = (TABLE.parse(mode, text).value for text in said.texts.statements)
        return tuple(name for value in values if isinstance(value, st.ApplyGroup) for name in value.names)

    def _interface(self, stanza: Stanza) -> None:
        super()._interface(stanza)
        names = (*self._applied(stanza.block), *self.of_router)
        self.applied.update(names)
        for name, kind in self.knowledge.header(stanza.header).names or () if names else ():
            if kind not in DATA or name not in self.interfaces:
                continue
            interface = self.interfaces[name]
            inherited = self.groups.inherited(names, name)
            if inherited is None:  # a pattern that is not read may cover it
                interface.unclear.append(block(stanza.block.path, stanza.line, (), ()))
            else:
                interface.blocks = (*inherited, *interface.blocks)

    def _look(self, of: Block, kind: str) -> None:
        """Of a group what it does not say of interfaces: that is looked at as theirs."""
        if kind == "group":
            kept = [(index, text) for index, text in enumerate(of.texts.statements) if not text.startswith(INTERFACE)]
            lines = tuple([of.place(index).line for index, _ in kept])
            of = block(of.path, of.first, tuple([text for _, text in kept]), lines)
        super()._look(of, kind)

    def _stanza(self, stanza: Stanza) -> None:
        if stanza.mode == "pfcprofile":
            words, _, rest = stanza.header.partition(_LOCATION)
            where, _, inline = rest.partition(" ")
            inner = stanza.block
            if inline:  # all in one line, as it is typed
                inner = with_first(inner, stanza.line, inline)
            stanza = replace(stanza, given=with_first(inner, stanza.line, f"{words}{_LOCATION}{where}"))
        elif stanza.mode == "pfcwatchdog":  # one line, or a block
            stanza = replace(stanza, given=with_first(stanza.block, stanza.line, stanza.header))
        super()._stanza(stanza)

    def _attributes(self, given: str) -> str:
        with contextlib.suppress(ValueError):
            name = self.syntax.interfaces.expand(given)[0]
            if self.syntax.interfaces.kind(name) == "ethernet":
                return f" {type_of(name)}"
        return ""

    def _port(self, name: str, interface: Interface) -> PortReading:
        if self.disputed is None:
            self.disputed = hand_up(self.interfaces)
        self.slot, self.tags = slot_of(name), _tags(interface.labels)
        self.elsewhere = self.disputed.get(name, ())
        self.apart = f"{self.slot} {self.tags} {self.elsewhere}"
        return super()._port(name, interface)

    def _context(self, kind: str, routed: bool | None, complete: bool) -> PortContext:
        return XrContext(kind, routed, complete, self.elsewhere, slot=self.slot, tags=self.tags)

    def read(self) -> DeviceReading:
        reading = super().read()
        ports = [port.name for port in reading.ports if self.syntax.interfaces.kind(port.name) == "ethernet"]
        idle = idle_groups(self.groups, self.applied, ports) if self.complete else ()
        contrary = (
            *self._marks_after_pause(ports),
            *self._pause_beside_hqos(ports),
            *_marks_by_profile(reading.ports),
            *unqueued(reading.ports),
            *_marks_above_profile(reading.ports),
            *(unled_pause(self.named, self.globals) if not reading.ports else ()),
        )
        return replace(reading, seen=(*reading.seen, *contrary, *idle))

    def _pause_beside_hqos(self, ports: Sequence[str]) -> Iterator[Seen]:
        """PFC is supported without the HQoS profile alone (NCS 5500 QoS guide, Configuring Priority Flow Control Thresholds)."""
        if not any(part.kind == "pfcprofile" for part in self.globals):
            return
        for part in self.globals:
            for index, statement in enumerate(part.block.texts.statements if part.kind == "top" else ()):
                if statement == HQOS:
                    text = "a PFC profile stands beside the HQoS profile, in which PFC is not supported"
                    yield seen("conflict", "hqos-enable", text, part.block.place(index), statement, tuple(ports))

    def _marks_after_pause(self, ports: Sequence[str]) -> Iterator[Seen]:
        """Thresholds of one line of a profile that contradict each other: both count what waits for the same traffic class."""
        for part in self.globals:
            if part.kind != "pfcprofile":
                continue
            for index, statement in enumerate(part.block.texts.statements):
                said = TABLE.parse(part.kind, statement).value
                if isinstance(said, st.LosslessClass) and (text := _contradiction(said)):
                    name, place = f"traffic-class {said.number}", part.block.place(index)
                    yield seen("conflict", name, text, place, statement, tuple(ports))


def _marks_by_profile(ports: Iterable[PortReading]) -> Iterator[Seen]:
    """Thresholds of a profile without `random-detect ecn` in the class of the output policy that queues the same traffic class."""
    told: dict[Place, tuple[int, list[str]]] = {}
    for port in ports:
        if not (port.facts.queues.is_known and port.facts.classes.is_known):
            continue
        for number, queue in enumerate(port.facts.queues.get()):
            led = port.facts.classes.get()[number].queue
            by_profile = queue.ecn.why is Why.NO_DEFAULT and bool(queue.ecn.at) and led.value == number
            at = next((one for one in led.at if isinstance(one, At)), None)
            place = resolve(at, port.parts) if by_profile and at is not None else None
            if isinstance(place, Place):
                told.setdefault(place, (number, []))[1].append(port.name)
    for place, (number, names) in told.items():
        text = (
            f"the profile has thresholds of ECN for traffic class {number}, and its class in the output policy no `random-detect ecn`: no"
            " document says that it marks without"
        )
        yield seen("conflict", f"traffic-class {number}", text, place, "random-detect ecn", tuple(names))


def _marks_above_profile(ports: Iterable[PortReading]) -> Iterator[Seen]:
    """Classes of output policies that mark from where the profile has long paused: with a profile their own limit has no effect.

    (NCS 5500 QoS guide, Configuring Priority Flow Control Thresholds: the limit is then pause threshold and headroom.)
    """
    told: dict[Place, tuple[str, str, list[str]]] = {}
    for port in ports:
        for queue, group in zip(port.facts.queues.or_else(()), port.facts.groups.or_else(()), strict=False):
            ecn = queue.ecn.value_or_none()
            if ecn is None or not (ecn.min_bytes.is_known and group.xoff_at_bytes.is_known):
                continue
            first, pause = ecn.min_bytes.get(), group.xoff_at_bytes.get()
            at = _outside_profile(ecn.min_bytes, port)
            is_reversed = ecn.max_bytes.is_known and first > ecn.max_bytes.get()  # told by itself
            if first < pause or is_reversed or at is None or _outside_profile(group.xoff_at_bytes, port) is not None:
                continue
            text = (
                f"its class marks from {first:,} bytes on, and the PFC profile pauses at {pause:,} bytes:"
                " nothing is marked before PFC has stopped the senders"
            )
            told.setdefault(at, (f"traffic-class {queue.number}", text, []))[2].append(port.name)
    for place, (name, text, names) in told.items():
        yield seen("conflict", name, text, place, "random-detect", tuple(names))


def _outside_profile(cell: Cell[int], port: PortReading) -> Place | None:
    """The line that says a value, unless it is one of a PFC profile."""
    at = next((one for one in cell.at if isinstance(one, At)), None)
    place = resolve(at, port.parts) if at is not None and port.parts[at.part].kind != "pfcprofile" else None
    return place if isinstance(place, Place) else None


def _contradiction(said: st.LosslessClass) -> str:
    if said.ecn is None or said.pause is None or said.ecn[1] != said.pause[1] or said.ecn[0] < said.pause[0]:
        return ""
    return (
        f"traffic class {said.number} marks from {said.ecn[0]:,} {said.ecn[1]} on and pauses at {said.pause[0]:,} {said.pause[1]}:"
        " nothing is marked before PFC has stopped the senders"
    )


def read(device: DeviceInput) -> DeviceReading:
    """Everything of one router."""
    return _Reader(SYNTAX, device).read()
