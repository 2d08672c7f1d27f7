"""AOS-CX running-configs for the common command-line reader: names of interfaces, labels, completeness, peer links."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from roce_audit.model import Device
from roce_audit.patterns import lazy
from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.aoscx.answers import answers, pool_sizes, unapplied_pools
from roce_audit.platforms.aoscx.contradictions import contradictions, in_part
from roce_audit.platforms.aoscx.defaults import BUILTIN, SHARED_ON_CHIP
from roce_audit.platforms.aoscx.facts import CxContext, read_port
from roce_audit.platforms.aoscx.family import POOLS, alpha_of, family_of, model_of, release_of
from roce_audit.platforms.aoscx.table import TABLE
from roce_audit.platforms.base import DeviceReading, unseen_switch
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.cli.banners import outside_banners, skip_banner
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import Interfaces, PortContext, Syntax, ends_before_ports
from roce_audit.platforms.shared.cli.vlandrops import with_vlan_drops
from roce_audit.platforms.shared.cli.vlanlists import VlanLists
from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.shared.unpaused import silent_about_pfc
from roce_audit.text.block import Part, block
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import vlan_numbers
from roce_audit.text.outline import Outliner, Stanza
from roce_audit.text.whole import Extent
from roce_audit.values import Cited, known

_KINDS = {
    "": "ethernet",
    "lag": "lag",
    "mgmt": "management",
    "vlan": "svi",
    "loopback": "loopback",
    "vxlan": "tunnel",
    "tunnel": "tunnel",
}
_ASIDE = ("mgmt", "vlan", "loopback", "vxlan", "tunnel", "persona", "group")
_VLAN_LISTS = VlanLists(  # AOS-CX 10.04 ACLs and Classifier Policies Guide, ACL application: by port, LAG and VLAN
    "apply access-list ip ",
    "access-list ip",
    lazy(r"apply access-list ip (\S{1,64}) (?:in|out)"),
    lazy(r"vlan ([\d,-]{1,400})"),
)
_EVERY_VLAN = frozenset({0})
"""Stands for all VLANs until it is known whether the port is a peer link."""
_MULTI_CHASSIS = re.compile(r" multi-chassis(?: static)?\Z")


class _CxInterfaces(Interfaces):
    """A LAG of both switches of a VSX pair says so in its header, and one without LACP says that too."""

    def expand(self, text: str) -> tuple[str, ...]:
        return super().expand(_MULTI_CHASSIS.sub("", text))


INTERFACES = _CxInterfaces(_KINDS, {name: name for name in _KINDS}, _ASIDE)

_HEADER = re.compile(r"^(?:Current configuration:|!Version (?:ArubaOS-CX|AOS-CX) [A-Z]{2}\.\d\S*)[ \t]*$", re.M)
_WHOLE = re.compile(r"show (?:running|startup)-config")
_HOSTNAME = re.compile(r"^hostname (\S{1,253})[ \t]*$", re.M)
_HEAD = 20_000
"""Captures have what other commands showed before the configuration, as comments."""


def hostname(document: Document) -> str | None:
    """The configured host name; words in a banner are none."""
    found = outside_banners(_HOSTNAME, document.text)
    return found.group(1) if found is not None else None


def _complete_because(document: Document) -> str:
    # AOS-CX prints no end mark: what is cut off inside a line shows by its missing line end
    if not document.text.endswith("\n") and document.first_line == 1:
        return ""
    if document.command is not None:
        return "the whole answer of the command" if _WHOLE.fullmatch(document.command) else ""
    return "capture header" if _HEADER.search(document.text[:_HEAD]) else ""


def _cut_off(document: Document) -> str:
    if _HEADER.search(document.text[:_HEAD]) and ends_before_ports(document.text):
        return "this running-config ends before its first port: it is cut off"
    return ""


def _extent(document: Document) -> Extent | None:
    return None if hostname(document) is None else SYNTAX.extent_of(document.text)


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.Applied(queues=queues, schedule=schedule):
            return [("queueprofile", queues), ("scheduleprofile", schedule)]
        case st.Schedule(name=str(name)):
            return [("scheduleprofile", name)]
        case st.Thresholds(name=str(name)):
            return [("thresholdprofile", name)]
        case st.PolicyIn(name=str(name)):
            return [("policy", name)]
        case st.PolicyEntry(family=family, name=name):
            return [("trafficclass", f"{family} {name}")]
    return ()


def _stanza_names(mode: str, header: str) -> Sequence[str]:
    """A class goes by its kind and its name."""
    words = header.split(" ")
    return (" ".join(words[-2:]) if mode == "trafficclass" else words[-1],)


def _lag_of(value: object) -> str:
    return f"lag{value.number}" if isinstance(value, st.Lag) and value.number is not None else ""


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    vlans: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = None
    in_all = False
    for line in lines:
        words = line.split()
        if words[0] == "description":
            description = line.partition(" ")[2]
        elif line == "no description":
            description = ""
        elif line in ("routing", "no routing"):
            routed = line == "routing"
        elif line.startswith("vrf attach "):
            vrf, routed = words[-1], True
        elif line.startswith(("vlan access ", "vlan trunk ")):
            routed = False
            said = " ".join(words[2:]).removeprefix("allowed ").removeprefix("native ").removesuffix(" tag")
            vlans |= vlan_numbers(said)
            in_all = in_all or said == "all"
        elif line.startswith(("ip address ", "ipv6 address ")) and len(words) > 2:
            addresses.append(words[2])
            routed = True
    modes = {line.split()[1] for line in lines if line.startswith(("vlan access ", "vlan trunk "))}
    return Labels(
        description,
        _EVERY_VLAN if in_all else frozenset(vlans),
        vrf,
        routed,
        addresses=tuple(addresses),
        untagged=bool(routed and addresses) or (routed is False and modes == {"access"}),
    )


def device_facts(device: DeviceInput) -> Device:
    """Release and model as shown."""
    values = unseen_switch()
    values["pfc_disabled_globally"] = known(False, Cited("AOS-CX has no statement that turns PFC off on all ports"))
    if family_of(device.documents) == POOLS:
        values["buffer_architecture"] = known("shared_on_chip", Cited(SHARED_ON_CHIP))
    values["os_version"] = release_of(device.documents)
    values["model_name"] = model_of(device.documents)
    return Device(**values)


SYNTAX = Syntax(
    name="aoscx",
    table=TABLE,
    outliner=Outliner(TABLE, skip_banner),
    interfaces=INTERFACES,
    words={
        "queueprofile": "qos queue-profile",
        "scheduleprofile": "qos schedule-profile",
        "thresholdprofile": "qos threshold-profile",
        "policy": "policy",
        "trafficclass": "class",
    },
    builtin=BUILTIN,
    device_modes=frozenset({"vsx", "vxlan"}),
    named_by=_named_by,
    stanza_names=_stanza_names,
    used_elsewhere=frozenset({"policy", "trafficclass"}),
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    extent=_extent,
    cut_off=_cut_off,
    read_port=read_port,
    device_facts=device_facts,
    answers=answers,
)


class _Reader(CommandLineReader):
    """One switch being read; its series decides what its buffers are."""

    def __init__(self, device: DeviceInput) -> None:
        super().__init__(SYNTAX, device)
        self.family, self.alpha = family_of(device.documents), alpha_of(device.documents)

    def read(self) -> DeviceReading:
        reading = super().read()
        peers = frozenset(self._peer_links())
        served = frozenset().union(*(port.labels.vlans for port in reading.ports)) - _EVERY_VLAN
        ports = tuple(_told(port, peers, served) for port in reading.ports)
        named = {name: self.named.defined(name) for name in self.named.names()} if reading.complete_because else {}
        odd = contradictions(self.globals, named, ports) if reading.complete_because else in_part(self.globals, ports)
        part = () if reading.complete_because else silent_about_pfc(ports, "flow-control", "flow-control priority")
        data = tuple(port.name for port in ports if port.facts.kind.value == "ethernet")
        shown = [one for document in self.device.documents for one in unapplied_pools(document, data)]
        reading = replace(reading, ports=ports, seen=(*reading.seen, *odd, *part, *shown))
        documents = filter(is_configuration, self.device.documents)
        return with_vlan_drops(reading, list(_VLAN_LISTS.drops(documents, bool(reading.complete_because))))

    def _interface(self, stanza: Stanza) -> None:
        """The header of a LAG of a VSX pair makes a statement, too."""
        if _MULTI_CHASSIS.search(stanza.header) is not None:
            number = "".join(filter(str.isdigit, stanza.header))
            stanza = replace(stanza, given=self._with_header(stanza, f"multi-chassis {number}"))
        super()._interface(stanza)

    def _answer(self, document: Document) -> None:
        super()._answer(document)
        for line, statement in pool_sizes(document):
            self._device_part(Part("device", block(document.path, line, (statement,), (line,)), "state"))

    def _context(self, kind: str, routed: bool | None, complete: bool) -> PortContext:
        return CxContext(kind, routed, complete, family=self.family, alpha=self.alpha)

    def _peer_links(self) -> Iterator[str]:
        """What `vsx` stanzas name as the link between the two switches."""
        for part in self.globals:
            for statement in part.block.texts.statements if part.kind == "vsx" else ():
                value = TABLE.parse("vsx", statement).value
                if isinstance(value, st.SwitchLink):
                    try:
                        yield from INTERFACES.expand(value.port)
                    except ValueError:
                        continue


def _told(port: PortReading, peers: frozenset[str], served: frozenset[int]) -> PortReading:
    """The port, and whether it is the link between the two switches of a pair; one that is to carry all VLANs carries those of the others.

    That any other port may carry all of them says nothing of what it is for.
    """
    labels = port.labels
    is_peer_link = not peers.isdisjoint({port.name, labels.lag})
    vlans = (served if is_peer_link else frozenset()) if labels.vlans == _EVERY_VLAN else labels.vlans
    if is_peer_link or vlans is not labels.vlans:
        return replace(port, labels=replace(labels, peer_link=is_peer_link, vlans=vlans))
    return port


def read(device: DeviceInput) -> DeviceReading:
    """Everything of one switch."""
    return _Reader(device).read()
