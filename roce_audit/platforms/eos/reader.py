"""EOS running-configs for the common command-line reader: names of interfaces, labels, completeness, device facts."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.model import Device
from roce_audit.patterns import lazy
from roce_audit.platforms.base import unseen_switch
from roce_audit.platforms.eos import avd, cmdtree, forms, profiles
from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.defaults import ASIC_OF_MODEL
from roce_audit.platforms.eos.facts import read_port
from roce_audit.platforms.eos.maps import MAPS
from roce_audit.platforms.eos.state import answers
from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.shared.cli.syntax import Interfaces, Syntax
from roce_audit.platforms.shared.policy.statements import ClassHeader, Match
from roce_audit.platforms.shared.references import Name
from roce_audit.text.block import block
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import is_untagged, vlan_numbers
from roce_audit.text.outline import Outline, Outliner, Stanza, on_lines
from roce_audit.text.structured.positions import PlacedError
from roce_audit.text.whole import Extent, without_farewell
from roce_audit.values import Cell, Cited, Place, Why, known, unknown

_KINDS = {
    "Ethernet": "ethernet",
    "Port-Channel": "lag",
    "Management": "management",
    "Vlan": "svi",
    "Loopback": "loopback",
    "Vxlan": "tunnel",
    "Tunnel": "tunnel",
    "Recirc-Channel": "recirculation",
    "UnconnectedEthernet": "recirculation",
    "Fabric": "fabric",
    "Dps": "other",
}
_SHORT = {"et": "Ethernet", "eth": "Ethernet", "po": "Port-Channel", "ma": "Management", "vl": "Vlan", "lo": "Loopback"}
INTERFACES = Interfaces(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT)

_DEVICE_LINE = lazy(r"^! ?device: (\S+) \(([^,()\n]{1,60}), (EOS-[\w.-]{1,60})(?: \([a-z ]{1,40}\))?\)", re.M)
_COMMAND_LINE = lazy(r"^! ?Command: show (?:running|startup)-config(?: all| sanitized)?(?: at line 1)?[ \t]*$", re.M)
_OF_PART = lazy(r"^! ?Command: show (?!(?:running|startup)-config(?: all| sanitized)?(?: at line 1)?[ \t]*$)", re.M)
_KEPT = lazy(r"^! ?RANCID-CONTENT-TYPE: arista[ \t]*$", re.M)
"""What RANCID writes above a configuration that it keeps, and AVD above one that it renders; parts are kept so as well."""
_HOSTNAME = lazy(r"^hostname (\S{1,253})[ \t]*$", re.M)
_WHOLE = lazy(r"show (?:running|startup)-config(?: all| sanitized)? ?(?:\| ?json)?\Z")
_END = lazy(r"^[ \t]*end\s*\Z", re.M)
_EOF = lazy(r"^EOF$", re.M)
_ALL_OFF = lazy(r"^(no |default |)priority-flow-control all(.*)$", re.M)
_HEAD = 4000


def _skip(header: str, text: str, end: int) -> int | None:
    """Where the text goes on after a banner or an embedded script, whose lines are no configuration."""
    if not header.startswith("banner "):
        return None
    found = _EOF.search(text, end)
    return None if found is None else found.end()


class _Outliner(Outliner):
    """Cuts a text into stanzas; what `mlag configuration` says of a port is said in a stanza of that port."""

    def outline(self, text: str, path: str, first_line: int = 1) -> Outline:
        """Cut `text`; `first_line` is the line of the file on which it begins."""
        lines = forms.lines_of(text, first_line)
        if lines is None:
            return self._with_profiles(self._with_peer_links(super().outline(text, path, first_line), path), path)
        if isinstance(lines, PlacedError):
            return _unreadable(text, path, first_line, lines)
        outline = self._with_peer_links(super().outline("\n".join(said for _, said in lines), path), path)
        outline = self._with_profiles(outline, path)
        return on_lines(outline, [line for line, _ in lines] or [first_line], text.count("\n") + 1)

    def _with_peer_links(self, outline: Outline, path: str) -> Outline:
        if not any(stanza.mode in ("mlag", "mmu") for stanza in outline.stanzas):
            return outline
        stanzas = [_applied(stanza, path) for stanza in outline.stanzas if stanza.mode != "mlag"]
        for mlag in (stanza for stanza in outline.stanzas if stanza.mode == "mlag"):
            for label in mlag.labels:
                if label.startswith(("no ", "default ")):
                    continue
                port, nothing = label.partition(" ")[2], block(path, mlag.line, (), ())
                stanzas.append(Stanza("port", f"interface {port}", mlag.line, nothing, ("mlag peer-link",)))
        return Outline(tuple(stanzas), outline.top, outline.lines)

    def _with_profiles(self, outline: Outline, path: str) -> Outline:
        if not any(stanza.mode == profiles.DEFINING for stanza in outline.stanzas):
            return outline
        stanzas = [profiles.as_of_port(s, path, TABLE) if s.mode == profiles.DEFINING else s for s in outline.stanzas]
        return Outline(tuple(stanzas), outline.top, outline.lines)


def _applied(stanza: Stanza, path: str) -> Stanza:
    """`platform trident mmu queue profile P apply` begins like the definition, and is a statement of its own."""
    if stanza.mode != "mmu" or not stanza.header.endswith(" apply"):
        return stanza
    return Stanza(
        "mmuapply", stanza.header, stanza.line, block(path, stanza.line, (stanza.header,), (stanza.line,)), ()
    )


def _unreadable(text: str, path: str, first_line: int, fault: PlacedError) -> Outline:
    """A text that is no YAML or JSON, told at the line where that shows."""
    lines = text.split("\n")
    found = " ".join(lines[fault.line - first_line].split())
    body = block(path, fault.line, (f"{found} # {fault.message}",), (fault.line,))
    stanza = Stanza("unreadable", found, fault.line, body, ())
    return Outline((stanza,), block(path, first_line, (), ()), len(lines))


def hostname(document: Document) -> str | None:
    """The configured host name."""
    if avd.is_structured(document.text):
        return avd.hostname(document.text)
    found = _HOSTNAME.search(forms.statements(document)[0])
    return found.group(1) if found else None


def _ends(document: Document) -> bool:
    return _END.search(without_farewell(document.text)[-200:]) is not None


def _complete_because(document: Document) -> str:
    head = document.text[:_HEAD]
    if cmdtree.is_tree(document.text):
        is_read = not isinstance(forms.lines_of(document.text, document.first_line), PlacedError)
        return "the whole answer" if is_read and _WHOLE.match(document.command or "") else ""
    if not _ends(document) or _OF_PART.search(head):
        return ""
    if document.command or any(mark.search(head) for mark in (_COMMAND_LINE, _DEVICE_LINE, _KEPT)):
        return "capture header and end mark"
    return ""


def _extent(document: Document) -> Extent | None:
    if hostname(document) is None or _OF_PART.search(document.text[:_HEAD]):
        return None
    if avd.is_structured(document.text):
        return Extent(avd.ethernet_ports(document.text), lambda: avd.other_keys(document.text))
    return SYNTAX.extent_of(forms.statements(document)[0])


def _cut_off(document: Document) -> str:
    if _COMMAND_LINE.search(document.text[:_HEAD]) and not _ends(document):
        return "this running-config has no `end`: it is cut off"
    return ""


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.Profiles(names=names):
            return [(profiles.KIND, name) for name in names]
        case st.ProfileName(name=str(name)):
            return [("profile", name)]
        case st.MmuApply(name=name):
            return [("mmu", name)]
        case st.PolicyName(name=str(name)):
            return [("policy", name)]
        case ClassHeader(name=name) if name != "class-default":
            return [("classmap", name)]
        case Match(kind="acl", name=name):
            return [("acl", name)]
    return ()


def _lag_of(value: object) -> str:
    return f"Port-Channel{value.number}" if isinstance(value, st.ChannelGroup) else ""


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    vlans: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = {"ethernet": False, "lag": False, "svi": True}.get(kind)
    peer_link = "mlag peer-link" in lines
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "description":
            description = rest
        elif word in ("ip", "ipv6"):
            if rest.startswith("address "):
                routed = None if routed is None else True
                addresses.append(rest.removeprefix("address ").removeprefix("virtual ").split(" ")[0])
        elif line == "no switchport":
            routed = True
        elif word == "vrf":
            vrf = line.split()[-1]
        elif line.startswith(("switchport access vlan ", "switchport trunk allowed vlan ")):
            vlans |= vlan_numbers(line.split()[-1])
    untagged = bool(routed and addresses) or (routed is False and is_untagged(lines))
    return Labels(
        description, frozenset(vlans), vrf, routed, peer_link=peer_link, addresses=tuple(addresses), untagged=untagged
    )


def _all_off(document: Document) -> Cell[object]:
    """Whether `priority-flow-control all off` stands in the document; the last such line counts."""
    text, lines = forms.statements(document)
    # most devices have no such line
    found = list(_ALL_OFF.finditer(text)) if "priority-flow-control all" in text else []
    last = found[-1] if found else None
    if last is not None:
        place = Place(document.path, forms.line_at(document, text, lines, last.start()))
        negated, rest = last.group(1), last.group(2).strip()
        if rest != "off" and not (negated and not rest):
            return unknown(Why.NOT_PARSED, place)
        return known(not negated, place)
    if SYNTAX.why_whole(document):
        return known(
            False, Cited("Arista EOS User Manual, DCBX and Flow Control: only `all off` turns PFC off everywhere")
        )
    return unknown(Why.NOT_VISIBLE)


def device_facts(device: DeviceInput) -> Device:
    """Model, chip and release from the capture header; whether PFC is off for the whole device."""
    values = unseen_switch()
    for document in device.documents:
        if not values["pfc_disabled_globally"].is_known:
            values["pfc_disabled_globally"] = _all_off(document)
        text, lines = forms.statements(document)
        found = _DEVICE_LINE.search(text[:_HEAD])
        if found is None:
            continue
        place = Place(document.path, forms.line_at(document, text, lines, found.start()))
        values["model_name"] = known(found.group(2), place)
        values["os_version"] = known(found.group(3), place)
        for prefix, chip, architecture in ASIC_OF_MODEL:
            if prefix in found.group(2):
                cited = Cited("model name (source: unverified)")
                values["asic"] = known(chip, place, cited)
                values["buffer_architecture"] = known(architecture, place, cited)
                break
    return Device(**values)


SYNTAX = Syntax(
    name="eos",
    table=TABLE,
    outliner=_Outliner(TABLE, _skip),
    interfaces=INTERFACES,
    words={
        "profile": "qos profile",
        profiles.KIND: "interface profile",
        "policy": "policy-map",
        "classmap": "class-map",
        "acl": "access-list",
        "mmu": "platform trident mmu queue profile",
    },
    builtin=frozenset({("classmap", "class-default")}),
    matching=frozenset({"classmap"}),
    classifying=frozenset({"policy"}),
    device_modes=frozenset({"bgp", "defaults", "mmuapply", "unreadable", "vxlan"}),
    named_by=_named_by,
    handed_on=lambda stanza: stanza.labels if stanza.mode == profiles.KIND else (),
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    extent=_extent,
    cut_off=_cut_off,
    read_port=read_port,
    device_facts=device_facts,
    answers=answers,
    programmed=MAPS.programmed,
    other_comment=lambda document: "#" if avd.is_structured(document.text) else "",
)
