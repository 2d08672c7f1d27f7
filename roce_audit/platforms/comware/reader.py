"""Comware configurations for the common command-line reader: names of interfaces, labels, completeness, device facts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from roce_audit.model import Device
from roce_audit.platforms.base import DeviceReading, Seen, seen, unseen_switch
from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.contradictions import contradictions
from roce_audit.platforms.comware.defaults import CELLS, SHARED_BUFFER, UNKNOWN_CELL
from roce_audit.platforms.comware.facts import ComwareContext, read_port
from roce_audit.platforms.comware.installedmaps import MAPS
from roce_audit.platforms.comware.names import INTERFACES, members_of, rate_of
from roce_audit.platforms.comware.outline import Sections
from roce_audit.platforms.comware.state import answers
from roce_audit.platforms.comware.table import TABLE
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.cli.filters import LIST
from roce_audit.platforms.shared.cli.interface import Interface
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import PortContext, Syntax
from roce_audit.platforms.shared.references import Name
from roce_audit.text.block import Part
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import vlan_words, with_prefix_length
from roce_audit.text.outline import Stanza
from roce_audit.text.whole import Extent, kinds_at_margin, without_farewell
from roce_audit.values import Cited, Place, known

_HOSTNAME = re.compile(r"^(?: *+\[[^\[\]\n]{1,80}\])? *sysname (\S{1,253})[ \t]*$", re.M)
_VERSION = re.compile(
    r"^ ?version (\d+(?:\.\d+){1,3}, [A-Z][A-Za-z]{1,20} [\w.]{1,40})[ \t]*$"
    r"|Comware (?:Platform )?Software, Version ([\w., ]{3,60}?)[ \t]*$",
    re.M,
)
_MODEL = re.compile(r"^(?:HPE? |H3C )(\S.{0,60}?) uptime is ", re.M)
_WHOLE = re.compile(r"display (?:current|saved)-configuration\Z")
_BEGINNING = re.compile(r"(?:\s*<[^<>\n]{1,80}>[^\n]*\n)?[#\s]*version \d")
_END = re.compile(r"\nreturn\s*(?:<[^<>\n]{1,80}>\s*)?\Z")
_SEVERAL_PORTS = re.compile(r"^interface (?:[A-Z][A-Za-z-]*GigE|\S*GigabitEthernet) ?\d", re.M)
_GROUP = re.compile(r"port link-aggregation group (\d{1,5})(?: |\Z)")
_PEER_LINKS = ("port m-lag peer-link ", "port drni intra-portal-port ")
_HEAD = 20_000


def hostname(document: Document) -> str | None:
    """The configured name."""
    found = _HOSTNAME.search(document.text)
    return found.group(1) if found is not None else None


def _complete_because(document: Document) -> str:
    if _END.search(without_farewell(document.text)[-300:]) is None:
        return ""
    if document.command is not None:
        return "the whole answer of the command" if _WHOLE.match(document.command) else ""
    return "version line and end mark" if _BEGINNING.match(document.text[:_HEAD]) else ""


def _cut_off(document: Document) -> str:
    if _BEGINNING.match(document.text[:_HEAD]) and _END.search(without_farewell(document.text)[-300:]) is None:
        return "this configuration begins with its version and has no `return`: it is cut off"
    return ""


def _extent(document: Document) -> Extent | None:
    if hostname(document) is None:
        return None
    return Extent(len(_SEVERAL_PORTS.findall(document.text)), lambda: kinds_at_margin(document.text))


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    vlans: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = None
    peer_link = False
    for line in lines:
        words = line.split()
        if words[0] == "description":
            description = line.partition(" ")[2]
        elif line.startswith("port link-mode "):
            routed = words[-1] == "route"
        elif line.startswith(("port access vlan ", "port trunk permit vlan ", "port hybrid vlan ")):
            routed = False
            vlans.update(vlan_words(words[words.index("vlan") + 1 :]))
        elif line.startswith("undo port trunk permit vlan "):
            vlans.difference_update(vlan_words(words[5:]))
        elif line.startswith(_PEER_LINKS):
            peer_link = True
        elif line.startswith("ip binding vpn-instance "):
            vrf = words[-1]
        elif line.startswith(("ip address ", "ipv6 address ")) and len(words) > 2:
            routed = True if kind in ("ethernet", "lag") else routed
            addresses.append(with_prefix_length(words[2:]))
    others = ("port link-type trunk", "port link-type hybrid")
    untagged = bool(routed and addresses) or (
        routed is False and len(vlans) == 1 and not any(line in others for line in lines)
    )
    return Labels(
        description, frozenset(vlans), vrf, routed, peer_link=peer_link, addresses=tuple(addresses), untagged=untagged
    )


def _stanza_names(mode: str, header: str) -> Sequence[str]:
    words = header.split()
    return (words[2],) if mode in ("classifier", "behavior") and len(words) > 2 else (words[-1],)


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.WredTable(name=str(name)) if name:
            return (("wredtable", name),)
        case st.Profile(name=str(name)):
            return (("qmprofile", name),)
        case st.Policy(name=name, on=True):
            return (("qospolicy", name),)
        case st.Pair(classifier=classifier, behavior=behavior):
            return (("classifier", classifier), ("behavior", behavior))
        case st.Taken(acl=acl) if acl:
            return ((LIST, acl),)
    return ()


def device_facts(device: DeviceInput) -> Device:
    """The release from the `version` line; the model from `display version`."""
    values = unseen_switch()
    values["pfc_disabled_globally"] = known(False, Cited("no statement turns PFC off on all ports"))
    values["buffer_architecture"] = known("shared_on_chip", Cited(SHARED_BUFFER))
    for document in device.documents:
        for name, pattern in (("os_version", _VERSION), ("model_name", _MODEL)):
            found = pattern.search(document.text[:_HEAD])
            if found is not None:
                said = next(filter(None, found.groups()))
                values[name] = known(said, Place(document.path, document.line_at(found.start())))
    return Device(**values)


def _cell_of(device: DeviceInput) -> tuple[int, str]:
    """The bytes of a cell on this switch's model, and who says so."""
    found = (_MODEL.search(document.text[:_HEAD]) for document in device.documents)
    models = [match[1] for match in found if match is not None]
    return next((size for name, size in CELLS.items() if any(name in model for model in models)), UNKNOWN_CELL)


_CLASSES = ("default-class", "ef", "af1", "af2", "af3", "af4", "ip-prec0", "ip-prec1", "ip-prec2", "ip-prec3")
SYNTAX = Syntax(
    name="comware",
    table=TABLE,
    outliner=Sections(TABLE),
    interfaces=INTERFACES,
    words={
        "wredtable": "WRED table",
        "qmprofile": "queue scheduling profile",
        "qospolicy": "QoS policy",
        "classifier": "traffic classifier",
        "behavior": "traffic behavior",
    },
    builtin=frozenset(
        {("qospolicy", "default"), ("qmprofile", "default")}
        | {("classifier", name) for name in _CLASSES}
        | {("behavior", name) for name in ("be", "ef", "af")}
    ),
    classifying=frozenset({"qospolicy"}),
    device_modes=frozenset({"bgp", "igp", "dscpmap", "queuemap", "dropmap", "marksmap", "othermap", "ai"}),
    named_by=_named_by,
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=lambda value: "",
    complete_because=_complete_because,
    extent=_extent,
    cut_off=_cut_off,
    read_port=read_port,
    device_facts=device_facts,
    used_elsewhere=frozenset({"qospolicy", "classifier", "behavior"}),
    stanza_names=_stanza_names,
    answers=answers,
    programmed=MAPS.programmed,
)


class _Reader(CommandLineReader):
    """One switch; what its labels say besides, and what was configured and not applied."""

    def _interface(self, stanza: Stanza) -> None:
        super()._interface(stanza)
        groups = [found[1] for line in stanza.labels if (found := _GROUP.match(line)) is not None]
        for name in members_of(stanza.header) if groups else ():
            if name in self.interfaces:
                self.interfaces[name].member_of = groups[-1]

    def _attributes(self, given: str) -> str:
        """The name of an interface's type tells its rate."""
        rate = rate_of(given)
        return f" {rate}" if rate else ""

    def read(self) -> DeviceReading:
        reading = super().read()
        odd = (*self._not_applied(reading.ports), *contradictions(reading.ports))
        return replace(reading, seen=(*reading.seen, *odd))

    def _context(self, kind: str, routed: bool | None, complete: bool) -> PortContext:
        return ComwareContext(kind, routed, complete, cell=_cell_of(self.device))

    def _port(self, name: str, interface: Interface) -> PortReading:
        """A group has the number of its aggregate interface, which is of either layer."""
        if interface.member_of.isdecimal():
            of_either = [f"{layer}-Aggregation{interface.member_of}" for layer in ("Bridge", "Route")]
            interface.member_of = next((one for one in of_either if one in self.interfaces), of_either[0])
        return super()._port(name, interface)

    def _not_applied(self, ports: Iterable[PortReading]) -> Iterator[Seen]:
        """Settings of egress buffers wait for `buffer apply`; all data ports lean on them."""
        waiting: list[tuple[Place, str]] = []
        for place, quote, value in self._top(self.globals if self.complete else ()):
            if isinstance(value, st.Egress):
                waiting.append((place, quote))
            elif isinstance(value, st.BufferApply):
                waiting = []
        for place, quote in waiting[:1]:
            text = "the egress buffers are set here, and no buffer apply stands behind it, so they keep their defaults"
            data = tuple(port.name for port in ports if self.syntax.interfaces.kind(port.name) in ("ethernet", "lag"))
            yield seen("unapplied", "buffer egress", text, place, quote, data)

    def _top(self, parts: Iterable[Part]) -> Iterator[tuple[Place, str, object]]:
        for part in parts:
            if part.kind == "top":
                for index, statement in enumerate(part.block.texts.statements):
                    yield part.block.place(index), statement, TABLE.parse("top", statement).value


def read(device: DeviceInput) -> DeviceReading:
    """Everything of one switch."""
    return _Reader(SYNTAX, device).read()
