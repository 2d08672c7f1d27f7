"""NX-OS running-configs for the common command-line reader: names of interfaces, labels, completeness, device facts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.model import Device
from roce_audit.patterns import lazy
from roce_audit.platforms.base import unseen_switch
from roce_audit.platforms.nxos import inforce, installed
from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.nxos.defaults import BUILTIN, DEFAULT_REACH, DEFAULT_REACH_M, FCOE, SHARED_ON_CHIP
from roce_audit.platforms.nxos.facts import read_port
from roce_audit.platforms.nxos.profiles import is_enabled
from roce_audit.platforms.nxos.state import answers
from roce_audit.platforms.nxos.table import TABLE
from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.shared.cli.banners import outside_banners, skip_banner
from roce_audit.platforms.shared.cli.dumps import HEAD, Dump
from roce_audit.platforms.shared.cli.programmed import first_of
from roce_audit.platforms.shared.cli.syntax import Interfaces, Syntax
from roce_audit.platforms.shared.policy import typed
from roce_audit.platforms.shared.references import Name
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import is_untagged, vlan_numbers
from roce_audit.text.outline import Outliner, Stanza
from roce_audit.text.whole import Extent
from roce_audit.values import Cited, Place, known

_KINDS = {
    "Ethernet": "ethernet",
    "port-channel": "lag",
    "mgmt": "management",
    "Vlan": "svi",
    "loopback": "loopback",
    "nve": "tunnel",
    "Tunnel": "tunnel",
    "sup-eth": "other",
    "fc": "other",
    "vfc": "other",
    "san-port-channel": "other",
}
_SHORT = {"eth": "Ethernet", "et": "Ethernet", "e": "Ethernet", "po": "port-channel", "vl": "Vlan", "lo": "loopback"}
_ASIDE = ("loopback", "vlan", "mgmt", "tunnel", "nve", "bdi", "sup-eth", "fc", "vfc", "san-", "vethernet", "cmp-mgmt")
INTERFACES = Interfaces(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT, _ASIDE)

_DUMP = Dump(
    header=re.compile(r"^!Command: show (?:running|startup)-config(?: all)?[ \t]*$", re.M),
    command=re.compile(r"show (?:running|startup)-config(?: all)?(?: \| no-more)?"),
)
_ANY_COMMAND = lazy(r"^!Command: show ", re.M)
"""A capture that proves nothing is cut off inside a line, or shows a part."""
_HOSTNAME = lazy(r"^(?:hostname|switchname) (\S{1,253})[ \t]*$", re.M)
_VERSION = lazy(r"^version (\d[\w.()]{1,40})(?: Bios:version(?: [\w.()]+)?)?[ \t]*$", re.M)
_BREAKOUT = lazy(r"^interface breakout module (\d{1,3}) port (\d{1,3})(?:-(\d{1,3}))?\b")
_LINE_CARD = lazy(r"\ninterface Ethernet ?(?:[2-9]|[1-9]\d)/\d")
"""Looked for behind a newline before the text: plain characters are found at the speed of memory."""
_MODEL = lazy(r"^ {0,4}cisco Nexus ?\d{4} (\S{2,40}) ", re.M | re.I)
_DEEP_BUFFERS = lazy(r"-R[A-Z]?\b")
"""The -R series of models buffers at the ingress line card."""


def hostname(document: Document) -> str | None:
    """The configured host name; words in a banner are none."""
    found = outside_banners(_HOSTNAME, document.text)
    return found.group(1) if found is not None else None


def _extent(document: Document) -> Extent | None:
    if _ANY_COMMAND.search(document.text[:HEAD]) and not _DUMP.has_header(document):
        return None
    return None if hostname(document) is None else SYNTAX.extent_of(document.text)


def _lag_of(value: object) -> str:
    return f"port-channel{value.number}" if isinstance(value, st.ChannelGroup) and value.number else ""


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    vlans: set[int] = set()
    native: set[int] = set()  # frames of a native VLAN that a list of allowed ones leaves out are dropped
    addresses: list[str] = []
    routed: bool | None = None
    peer_link = False
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "description":
            description = rest
        elif word in ("ip", "ipv6"):
            if rest.startswith("address "):
                addresses.append(line.split(" ", 3)[2])
        elif line == "no switchport":
            routed = True
        elif line == "no description":
            description = ""
        elif line.startswith("vrf member "):
            vrf = line.split()[-1]
        elif line == "switchport" or line.startswith(("switchport mode ", "switchport access ", "switchport trunk ")):
            routed = False
            words = line.split()
            if "vlan" in words and words[1] != "monitor":
                (native if "native" in words else vlans).update(vlan_numbers(words[-1]))
        elif line == "vpc peer-link":
            peer_link = True
    untagged = bool(routed and addresses) or (routed is False and is_untagged(lines))
    return Labels(
        description,
        frozenset(vlans or native),
        vrf,
        routed,
        peer_link=peer_link,
        addresses=tuple(addresses),
        untagged=untagged,
    )


def _stanza_names(mode: str, header: str) -> Sequence[str]:
    if mode == "nqpolicy":  # of a Nexus 7000: policy-map type network-qos NAME template 7e
        header = header.partition(" template ")[0]
    last = header.rsplit(" ", 1)[-1]
    return ("all", *map(str, sorted(vlan_numbers(last)))) if mode == "vlanconfig" else (last,)


def _handed_on(stanza: Stanza) -> Sequence[str]:
    """What a port profile says of VLANs, VRF and the like; nothing of one that is not in force."""
    return stanza.labels if stanza.mode == "profile" and is_enabled([stanza.block]) else ()


def _named_by(value: object, mode: str) -> Sequence[Name]:
    """The policy, class-map, access list or port profile that a statement names."""
    if isinstance(value, st.Inherit):
        return [] if value.is_taken_back else [("profile", value.name)]
    return typed.named_by(value, mode)


def _implied(lines: Sequence[str], labels: Labels) -> Sequence[Name]:
    """The policies of the VLANs that a switchport carries; a trunk that names none carries all."""
    if labels.routed is not False:
        return ()
    if "switchport mode trunk" in lines and not any(line.startswith("switchport trunk allowed") for line in lines):
        return (("vlanconfig", "all"),)
    return tuple(("vlanconfig", str(number)) for number in sorted(labels.vlans))


def _breakout_parents(header: str) -> Sequence[str]:
    found = _BREAKOUT.match(header)
    if found is None:
        return ()
    module, first, last = found.groups()
    return tuple(f"Ethernet{module}/{port}" for port in range(int(first), int(last or first) + 1))


def device_facts(device: DeviceInput) -> Device:
    """The release, from the `version` line, and the model where `show version` was read. Line cards may be of any architecture."""
    values = unseen_switch()
    values["default_reach_m"] = known(float(DEFAULT_REACH_M), Cited(DEFAULT_REACH))
    values["pfc_disabled_globally"] = known(False, Cited("NX-OS has no statement that turns PFC off on all ports"))
    for document in device.documents:
        found = _VERSION.search(document.text[:HEAD])
        if found is not None:
            values["os_version"] = known(found.group(1), Place(document.path, document.line_at(found.start())))
        model = _MODEL.search(document.text[:HEAD]) if document.command == "show version" else None
        if model is not None:
            values["model_name"] = known(model.group(1), Place(document.path, document.line_at(model.start())))
    model_name = values["model_name"].or_else("")
    if not _DEEP_BUFFERS.search(model_name) and not any(_LINE_CARD.search(f"\n{d.text}") for d in device.documents):
        values["buffer_architecture"] = known("shared_on_chip", *values["model_name"].at, Cited(SHARED_ON_CHIP))
    return Device(**values)


SYNTAX = Syntax(
    name="nxos",
    table=TABLE,
    outliner=Outliner(TABLE, skip_banner),
    interfaces=INTERFACES,
    words=typed.WORDS | {"profile": "port-profile"},
    builtin=BUILTIN | FCOE,
    device_modes=frozenset({"bgp", "systemqos"}),
    applied_once={"nqpolicy": False, "qupolicy": True},
    classifying=frozenset({"qospolicy"}),
    matching=frozenset({"qosmap"}),
    named_by=_named_by,
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_DUMP.complete_because,
    extent=_extent,
    cut_off=_DUMP.cut_off,
    read_port=read_port,
    device_facts=device_facts,
    stanza_names=_stanza_names,
    handed_on=_handed_on,
    header_statement=typed.header_statement,
    applying_modes=frozenset({"vlanconfig"}),
    implied=_implied,
    breakout_parents=_breakout_parents,
    answers=answers,
    programmed=first_of(inforce.programmed, inforce.unwatched, installed.programmed),
)
