"""OS10 running-configurations for the common command-line reader: names of interfaces, labels, completeness."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.os10.answers import answers, device_facts
from roce_audit.platforms.os10.contradictions import contradictions
from roce_audit.platforms.os10.defaults import BUILTIN
from roce_audit.platforms.os10.facts import read_port
from roce_audit.platforms.os10.outline import Os10Outliner
from roce_audit.platforms.os10.table import TABLE
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.cli.banners import outside_banners, skip_banner
from roce_audit.platforms.shared.cli.dumps import Dump
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import Interfaces, Syntax
from roce_audit.platforms.shared.cli.vlandrops import with_vlan_drops
from roce_audit.platforms.shared.cli.vlanlists import VlanLists
from roce_audit.platforms.shared.policy import typed
from roce_audit.platforms.shared.references import Name
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import vlan_numbers
from roce_audit.text.whole import Extent

_KINDS = {
    "ethernet": "ethernet",
    "port-channel": "lag",
    "mgmt": "management",
    "vlan": "svi",
    "loopback": "loopback",
    "virtual-network": "tunnel",
    "fibrechannel": "other",
    "null": "other",
}
_SHORT = {
    "eth": "ethernet",
    "et": "ethernet",
    "po": "port-channel",
    "vl": "vlan",
    "lo": "loopback",
    "fc": "fibrechannel",
}
_ASIDE = ("loopback", "vlan", "mgmt", "virtual-network", "fibrechannel", "vfabric", "null", "tunnel", "management")
INTERFACES = Interfaces(_KINDS, {name: name for name in _KINDS} | _SHORT, _ASIDE)

_DUMP = Dump(
    header=re.compile(r"^! Version 10\.\d\S*[ \t]*$", re.M),
    command=re.compile(r"show (?:running|startup)-config(?:uration)?"),
)
_HOSTNAME = re.compile(r"^hostname (\S{1,253})[ \t]*$", re.M)
_BREAKOUT = re.compile(r"^interface breakout (\d{1,3}/\d{1,3}/\d{1,3}) map (?!\w{1,9}-1x$)")


def hostname(document: Document) -> str | None:
    """The configured host name; words in a banner are none."""
    found = outside_banners(_HOSTNAME, document.text)
    return found.group(1) if found is not None else None


def _extent(document: Document) -> Extent | None:
    return None if hostname(document) is None else SYNTAX.extent_of(document.text)


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.TrustMap(field=field, name=str(name)):
            return [(f"{field}map", name)]
        case st.QosMap(name=str(name)):
            return [("tcmap", name)]
        case st.WredName(name=str(name)) | st.PortWred(name=str(name)) | st.PoolWred(name=name):
            return [("wredprofile", name)]
    return typed.named_by(value, mode)


def _lag_of(value: object) -> str:
    return f"port-channel{value.number}" if isinstance(value, st.ChannelGroup) and value.number else ""


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    access: set[int] = set()
    trunk: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = None
    for line in lines:
        words = line.split()
        if words[0] == "description":
            description = line.partition(" ")[2].strip('"')
        elif line == "no description":
            description = ""
        elif line.startswith("ip vrf forwarding "):
            vrf = words[-1]
        elif line == "no switchport":
            routed = True
        elif words[0] == "switchport":
            routed = False
            if words[1:2] == ["access"]:
                access = vlan_numbers(words[-1])
            elif words[1:2] == ["trunk"]:
                trunk |= vlan_numbers(words[-1])
        elif line.startswith(("ip address ", "ipv6 address ")):
            addresses.append(words[2])
    in_one_vlan = routed is False and bool(access) and not trunk  # a trunk has no VLANs but those that are named
    untagged = bool(routed and addresses) or in_one_vlan
    return Labels(description, frozenset(access | trunk), vrf, routed, addresses=tuple(addresses), untagged=untagged)


def _breakout_parents(header: str) -> Sequence[str]:
    found = _BREAKOUT.match(header)
    return () if found is None else (f"ethernet{found.group(1)}",)


SYNTAX = Syntax(
    name="os10",
    table=TABLE,
    outliner=Os10Outliner(TABLE, skip_banner),
    interfaces=INTERFACES,
    words=typed.WORDS
    | {
        "dot1pmap": "trust dot1p-map",
        "dscpmap": "trust dscp-map",
        "tcmap": "qos-map traffic-class",
        "wredprofile": "wred profile",
    },
    builtin=BUILTIN,
    classifying=frozenset({"qospolicy", "dscpmap", "dot1pmap"}),
    device_modes=frozenset({"bgp", "systemqos", "vlt"}),
    matching=frozenset({"qosmap", "nqmap", "qumap"}),
    named_by=_named_by,
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_DUMP.complete_because,
    extent=_extent,
    cut_off=_DUMP.cut_off,
    read_port=read_port,
    device_facts=device_facts,
    # a class-map of type network-qos is often written for a class that is meant not to be paused
    used_elsewhere=frozenset({"acl", "nqmap"}),
    header_statement=typed.header_statement,
    breakout_parents=_breakout_parents,
    answers=answers,
)


def read(device: DeviceInput) -> DeviceReading:
    """Everything of one switch; the ports between the two switches of a VLT pair are its peer links."""
    reading = CommandLineReader(SYNTAX, device).read()
    peers = frozenset(name for port in reading.ports[:1] for name in _discovery_ports(port))
    if not peers:
        peers = frozenset(port.name for port in reading.ports if _PEER_LINK.search(port.labels.description))
    ports = [
        replace(port, labels=replace(port.labels, peer_link=True)) if port.name in peers else port
        for port in reading.ports
    ]
    reading = replace(reading, ports=tuple(ports), seen=(*reading.seen, *contradictions(reading)))
    documents = filter(is_configuration, device.documents)
    return with_vlan_drops(reading, list(_VLAN_LISTS.drops(documents, bool(reading.complete_because))))


_VLAN_LISTS = (
    VlanLists(  # Dell SmartFabric OS10 User Guide 10.5.1, Assign and apply ACL filters: all traffic that enters a VLAN
        "ip access-group ",
        "ip access-list",
        lazy(r"ip access-group (\S{1,140}) (?:in|out)"),
        lazy(r"(?i:interface vlan ?(\d{1,4}))"),
    )
)
_PEER_LINK = re.compile(r"(?i)(?<![a-z])(?:vlti(?:[ _-]?link)?(?![a-z])|(?:mlag|vlt)[ _-]?peer|peer[ _-]?link)")
"""Descriptions of a peer link, where no `discovery-interface` names it."""


def _discovery_ports(port: PortReading) -> Iterator[str]:
    """What `vlt-domain` stanzas name; they are parts of every port of the switch."""
    for part in port.parts:
        if part.kind != "vlt":
            continue
        for statement in part.block.texts.statements:
            value = TABLE.parse("vlt", statement).value
            if isinstance(value, st.Discovery):
                try:
                    yield from INTERFACES.expand(value.ports)
                except ValueError:
                    continue
