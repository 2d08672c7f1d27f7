"""VRP configurations for the common command-line reader: names of interfaces, labels, completeness, device facts."""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from roce_audit.model import Device
from roce_audit.platforms.base import UNREAD_LINE, DeviceReading, seen, unseen_switch
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.cli.interface import Interface
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import Interfaces, PortContext, Syntax
from roce_audit.platforms.shared.cli.vlandrops import with_vlan_drops
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.answers import answers, turned_off
from roce_audit.platforms.vrp.contradictions import contradictions
from roce_audit.platforms.vrp.defaults import BUILTIN
from roce_audit.platforms.vrp.facts import VrpContext, read_port
from roce_audit.platforms.vrp.family import family_of, model_of
from roce_audit.platforms.vrp.outline import VrpOutliner
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.platforms.vrp.usage import lossy_queues
from roce_audit.platforms.vrp.vlanpolicies import vlan_drops
from roce_audit.text.block import Block
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import vlan_words, with_prefix_length
from roce_audit.text.outline import Stanza
from roce_audit.text.whole import Extent, kinds_at_margin, without_farewell
from roce_audit.values import Cell, Cited, Place, Why, known, unknown

_GIGABITS = (10, 25, 40, 50, 100, 200, 400, 800)
_KINDS = {
    "GE": "ethernet",
    "GigabitEthernet": "ethernet",
    "XGigabitEthernet": "ethernet",
    "Ethernet": "ethernet",
    "Eth-Trunk": "lag",
    "MEth": "management",
    "LoopBack": "loopback",
    "Vlanif": "svi",
    "Vbdif": "svi",
    "Nve": "tunnel",
    "Tunnel": "tunnel",
    "NULL": "other",
    "Stack-Port": "other",
    "Console": "other",
}
_NAMES = [*(f"{rate}GE" for rate in _GIGABITS), *_KINDS]
_ASIDE = ("loopback", "vlanif", "vbdif", "meth", "nve", "tunnel", "null", "stack-port", "sip", "fcoe-port")
INTERFACES = Interfaces(_KINDS, {name.lower(): name for name in _NAMES}, _ASIDE)
_TEMPORARY = re.compile(r"(?:interface range|port-group group-member) ")
"""A group that no configuration shows, of the ports that its header names."""

_SOFTWARE = re.compile(r"^!Software Version (V\d{3}R\d{3}\S{0,60})", re.M)
_END = re.compile(r"^[ \t]*return[ \t]*\Z", re.M)
_WHOLE = re.compile(r"display (?:current|saved)-configuration(?: all)?(?: \| no-more)?\Z")
_HOSTNAME = re.compile(r"^(?:[ \t]*+\[[^\[\]\n]{1,80}\])?[ \t]*+sysname (\S{1,253})[ \t]*$", re.M)
_PORT_STANZA = re.compile(r"^[ \t]*interface (\d{2,3}GE|X?GigabitEthernet) ?\d+/\d+", re.M)
_GLOBALLY = re.compile(r"^[ \t]*(undo )?dcb pfc global disable[ \t]*(?://.*)?$", re.M)
_RATE = re.compile(r"interface (?:(?P<gbps>\d{2,3})GE|(?P<kind>X?)GigabitEthernet) ?\d+/\d+/\d+\Z", re.I)
_SLOT = re.compile(r"\d{0,3}\D+(\d{1,2})/")
_HEAD = 4_000
_PROFILES = {"pfcprofile": "dcb pfc", "etsprofile": "dcb ets-profile", "dropprofile": "drop-profile"}


def hostname(document: Document) -> str | None:
    """The configured name of the switch."""
    found = _HOSTNAME.search(document.text)
    return found.group(1) if found is not None else None


def _complete_because(document: Document) -> str:
    if _END.search(without_farewell(document.text).rstrip()[-200:]) is None:
        return ""
    if document.command is not None:
        return "the whole answer of the command" if _WHOLE.match(document.command) else ""
    return "capture header and end mark" if _SOFTWARE.search(document.text[:_HEAD]) else ""


def _cut_off(document: Document) -> str:
    if _SOFTWARE.search(document.text[:_HEAD]) and _END.search(without_farewell(document.text).rstrip()[-200:]) is None:
        return "this configuration begins with its version and has no `return`: it is cut off"
    return ""


def _extent(document: Document) -> Extent | None:
    if hostname(document) is None:
        return None
    return Extent(len(_PORT_STANZA.findall(document.text)), lambda: kinds_at_margin(document.text))


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.PfcEnable(profile=str(name)) if name:
            return [("pfcprofile", name)]
        case st.EtsEnable(profile=str(name)):
            return [("etsprofile", name)]
        case st.QueueWred(profile=str(name)):
            return [("dropprofile", name)]
        case st.Upstream(domain=str(name)) if name:
            return [("domain", name)]
        case ps.Binding(name=str(name)):
            return [("qospolicy", name)]
        case st.PolicyLine(classifier=classifier, behavior=behavior):
            return [("qosmap", classifier), ("behavior", behavior)]
        case ps.Match(kind="acl", name=name):
            return [("acl", name)]
    return ()


def _lag_of(value: object) -> str:
    return f"Eth-Trunk{value.number}" if isinstance(value, st.Channel) and value.number is not None else ""


def _stanza_names(mode: str, header: str) -> Sequence[str]:
    words = header.split()
    if mode == "pfcprofile":
        return (words[2] if len(words) > 2 else "default",)
    if mode in ("qosmap", "qospolicy", "behavior", "etsprofile", "domain"):
        return (words[2] if len(words) > 2 else "",)
    if mode == "acl":
        numbers = [word for word in words[1:] if word not in ("ipv6", "name", "number", "advance", "basic")]
        return numbers[:2]
    return tuple(str(n) for n in sorted(vlan_words(words[1:]))) if mode == "vlan" else words[1:2]


def _header_statement(mode: str, header: str) -> str:
    return f"traffic classifier type {'and' if header.endswith(' type and') else 'or'}" if mode == "qosmap" else ""


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
        elif words[:2] in (["port", "link-type"], ["port", "default"], ["port", "trunk"]):
            routed = False
            vlans |= vlan_words(words[2:])
        elif line.startswith("ip binding vpn-instance "):
            vrf = words[-1]
        elif line.startswith(("ip address ", "ipv6 address ")) and len(words) > 2:
            addresses.append(with_prefix_length(words[2:]))
            routed = True
        elif words[0] == "peer-link":
            peer_link = kind == "lag"
    untagged = bool(routed and addresses) or (routed is False and "port link-type access" in lines and len(vlans) == 1)
    return Labels(
        description, frozenset(vlans), vrf, routed, peer_link=peer_link, addresses=tuple(addresses), untagged=untagged
    )


def _implied(lines: Sequence[str], labels: Labels) -> Sequence[Name]:
    """The domain that holds where no other is applied, and the policies of the VLANs that a port carries."""
    return (("domain", "default"), *(("vlan", str(number)) for number in sorted(labels.vlans)))


def _globally_off(document: Document) -> Cell[object]:
    *_, last = (None, *_GLOBALLY.finditer(document.text))
    if last is not None:
        return known(last.group(1) is None, Place(document.path, document.line_at(last.start())))
    if not document.truncated and (document.declared_complete or _complete_because(document)):
        return known(False, Cited("command reference, dcb pfc global disable: PFC is enabled globally by default"))
    return unknown(Why.NOT_VISIBLE)


def device_facts(device: DeviceInput) -> Device:
    """Release and model as shown, and whether PFC is off everywhere."""
    values = unseen_switch()
    model = model_of(device.documents)
    if model is not None and model.name:
        values["model_name"] = known(model.name, model.place)
    for document in device.documents:
        if not values["pfc_disabled_globally"].is_known:
            values["pfc_disabled_globally"] = _globally_off(document)
        found = _SOFTWARE.search(document.text[:_HEAD])
        if found is not None:
            values["os_version"] = known(found.group(1), Place(document.path, document.line_at(found.start())))
    return Device(**values)


SYNTAX = Syntax(
    name="vrp",
    table=TABLE,
    outliner=VrpOutliner(TABLE, lambda header, text, end: None),
    interfaces=INTERFACES,
    words=_PROFILES
    | {
        "domain": "diffserv domain",
        "qospolicy": "traffic policy",
        "qosmap": "traffic classifier",
        "behavior": "traffic behavior",
        "acl": "acl",
    },
    builtin=BUILTIN,
    classifying=frozenset({"qospolicy", "domain"}),
    device_modes=frozenset({"bgp", "igp", "ecmp", "aiservice"}),
    named_by=_named_by,
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    extent=_extent,
    cut_off=_cut_off,
    read_port=read_port,
    device_facts=device_facts,
    stanza_names=_stanza_names,
    header_statement=_header_statement,
    applying_modes=frozenset({"vlan"}),
    implied=_implied,
    answers=answers,
)


class Reader(CommandLineReader):
    """One switch being read: what its chips are, and at which rate the names of its interfaces say they run."""

    def __init__(self, device: DeviceInput) -> None:
        super().__init__(SYNTAX, device)
        self.family = family_of(device.documents)
        self.groups: defaultdict[str, dict[str, None]] = defaultdict(dict)
        """Port group -> its members, in order."""

    def read(self) -> DeviceReading:
        """Everything of this switch."""
        reading = super().read()
        model = model_of(self.device.documents)
        odd = (
            ()
            if model is None or model.name
            else (seen("unread-line", model.line, UNREAD_LINE, model.place, model.line, ()),)
        )
        lossy = lossy_queues(self.device.documents, reading)
        off = (one for document in self.device.documents for one in turned_off(document))
        reading = replace(reading, seen=(*reading.seen, *odd, *contradictions(reading), *lossy, *off))
        of_vlans = any(kind == "vlan" for kind, _ in self.named.names())
        return with_vlan_drops(reading, list(vlan_drops(reading.ports))) if of_vlans else reading

    def _stanza(self, stanza: Stanza) -> None:
        """What a port group says, its members say (CloudEngine 6800 V300R023C00 command reference, port-group, group-member)."""
        if stanza.mode != "portgroup":
            super()._stanza(stanza)
            return
        name, line, block = stanza.header.rpartition(" ")[2].lower(), stanza.line, stanza.block
        if stanza.header.startswith("undo "):
            self.groups.pop(name, None)
            return
        temporary = _TEMPORARY.match(stanza.header)
        if temporary is not None:
            name, place = stanza.header, Place(block.path, line)
            if not self._join(name, f"group-member {name[temporary.end() :]}", place):
                self.unread.add(place, name, self._doubt(name[temporary.end() :], place))
        for index, text in enumerate(block.texts.statements):
            if self._join(name, text, block.place(index)):
                line = block.place(index).line
        of_type: dict[str, list[str]] = defaultdict(list)
        for member in self.groups[name]:
            of_type[member.partition("/")[0].rstrip("0123456789")].append(member)
        given = Block(block.texts, block.path, line, tuple([block.first - line + offset for offset in block.offsets]))
        for those in of_type.values():
            self._interface(Stanza("port", f"interface {','.join(those)}", line, given, stanza.labels))
        if not of_type:  # else the lines are looked at as its members' own
            self._look(stanza.block, "portgroup")

    def _join(self, name: str, text: str, place: Place) -> bool:
        """Whether a line says which ports are in a group, and is understood."""
        value = TABLE.parse("portgroup", text).value
        if isinstance(value, st.Members):
            members = self._members(value.ranges)
            self.groups[name] |= dict.fromkeys(members)
            for member in members if value.taken_back else ():
                del self.groups[name][member]
            return True
        if text.startswith("group-member "):
            self._perhaps(text, place)
        return False

    def _members(self, ranges: Sequence[str]) -> Sequence[str]:
        names: list[str] = []
        for text in ranges:
            with contextlib.suppress(ValueError):  # the name of something else
                names.extend(self.syntax.interfaces.expand(text))
        return names

    def _perhaps(self, text: str, place: Place) -> None:
        """What a line of members that is not understood seems to name may be in the group."""
        for words in text.split(" ")[1:]:
            self._doubt(words, place)

    def _port(self, name: str, interface: Interface) -> PortReading:
        found = _SLOT.match(name)
        self.apart = found.group(1) if found is not None else ""
        return super()._port(name, interface)

    def _context(self, kind: str, routed: bool | None, complete: bool) -> PortContext:
        return VrpContext(kind, routed, complete, family=self.family, slot=self.apart)

    def _with_header(self, stanza: Stanza, statement: str) -> Block:
        if stanza.mode == "port":
            statement = f"{statement} {_rate(stanza.header.partition(',')[0])}".strip()
        return super()._with_header(stanza, statement)


def _rate(header: str) -> str:
    """Gbit/s of an interface by the name of its type; "" where it is split, or the type says nothing."""
    found = _RATE.match(header)
    return "" if found is None else found["gbps"] or {"": "1", "x": "10"}[found["kind"].lower()]
