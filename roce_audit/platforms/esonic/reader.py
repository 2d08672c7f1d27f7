"""Enterprise SONiC for the common command-line reader: running-configurations, and trees cut into the same stanzas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from roce_audit.model import Device
from roce_audit.platforms.base import DeviceReading, seen, unseen_device
from roce_audit.platforms.esonic import ansible, installed, openconfig, wredpolicies
from roce_audit.platforms.esonic import statements as st
from roce_audit.platforms.esonic.counters import stuck, unpolled
from roce_audit.platforms.esonic.defaults import ROCE_NAME
from roce_audit.platforms.esonic.facts import read_port
from roce_audit.platforms.esonic.groups import GENERATED
from roce_audit.platforms.esonic.kinds import MAPS
from roce_audit.platforms.esonic.state import answers
from roce_audit.platforms.esonic.table import TABLE
from roce_audit.platforms.esonic.trees import PROFILE_OF_TREES, Script, is_tree, parse
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.cli.programmed import first_of
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import Interfaces, PortContext, Syntax, ends_before_ports
from roce_audit.platforms.shared.references import Name
from roce_audit.platforms.shared.watchdogs import is_without_pause, watched_without_pause
from roce_audit.text.block import Part
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import vlan_numbers
from roce_audit.text.outline import Outliner, Stanza, on_lines
from roce_audit.text.structured.positions import PlacedError
from roce_audit.text.whole import FEWEST_PORTS, Extent, without_farewell
from roce_audit.values import Cited, Place, absent, known

_KINDS = {
    "Ethernet": "ethernet",
    "Eth": "ethernet",
    "PortChannel": "lag",
    "Management": "management",
    "Vlan": "svi",
    "Loopback": "loopback",
    "CPU": "other",
}
_SHORT = {"portchannel": "PortChannel", "po": "PortChannel"}
_ASIDE = ("loopback", "vlan", "management", "vxlan", "cpu", "subinterface", "transceiver")
_ATTRIBUTES = re.compile(r"(?<=\d)(?: mode (?:active|on)| min-links \d{1,3}| fallback| fast_rate){1,4}\Z")
_EACH = re.compile(r" mode (?:active|on)| min-links \d{1,3}| fallback| fast_rate")
_PROFILES = frozenset({"ingress_lossy_profile", "egress_lossless_profile", "egress_lossy_profile"})
_BUILTIN = frozenset({("scheduler", "copp-scheduler-policy"), ("policy", "copp-system-policy")})
_HOSTNAME = re.compile(r"^ *hostname (\S{1,253})[ \t]*$", re.M)
_TREE_HOSTNAME = re.compile(r'"hostname"[ \t\n]*:[ \t\n]*"([^"\\\n]{1,253})"')
_WHOLE = re.compile(r"show running-config(?:uration)?\Z")
_TREE_PORT = re.compile(r"""name["']?: *["']?Eth(?:ernet)?\d|interface-id["']?: *["']?Eth(?:ernet)?\d""")
_PEER_LINK = re.compile(r"^ *peer-link (PortChannel|Eth|Ethernet) ?(\d[\d/]{0,20})[ \t]*$", re.M)
_BREAKOUT = re.compile(r"interface breakout port (\d{1,3}/\d{1,3})(?:-\d{1,3}(?:/\d{1,3})?)? mode ")
_MAP_MODES = frozenset(its.mode for its in MAPS.values())
_ELSEWHERE = ("groups", "dcbx", "policed")
"""What no tree of the QoS and interface modules holds: lossless buffers, DCBX and policies."""
_FEWEST_CLOSED = 8
"""Where so many stanzas are closed by `!`, the last one is as well."""
_WHOLE_TREE = frozenset({"qos", "openconfig-interfaces"})
_TREE_IS_WHOLE = "the whole trees openconfig-qos and openconfig-interfaces"


class _Names(Interfaces):
    """Names of interfaces; a port channel's stanza may carry its attributes behind the name."""

    def expand(self, text: str) -> tuple[str, ...]:
        return Interfaces.expand(self, _ATTRIBUTES.sub("", text.removeprefix("create ")))


INTERFACES = _Names(_KINDS, {name.lower(): name for name in _KINDS} | _SHORT, _ASIDE)


class _Reader(CommandLineReader):
    """The common reader; it also notes whether the text holds what `roce enable` makes, and who is a peer link."""

    def __init__(self, syntax: Syntax, device: DeviceInput) -> None:
        super().__init__(syntax, device)
        self.written_out = False
        texts = [document.text for document in device.documents]
        self.unmentioned = frozenset(
            its.mode for word, its in MAPS.items() if not any(f"qos map {word}" in text for text in texts)
        )
        self.peer_links = {f"{kind}{number}" for d in device.documents for kind, number in _PEER_LINK.findall(d.text)}
        self.scripts: dict[str, Script] = {}
        for document in device.documents:
            if document.command is None and is_tree(document.text):
                self._script(document)
        if self.scripts:  # what binds a profile of its own to a port is in none of these trees
            self.unmentioned = frozenset()
            self.references.used_elsewhere |= {"bufprofile"}
        containers = {name for script in self.scripts.values() for name in script.containers}
        self.whole_tree = containers >= _WHOLE_TREE
        self.elsewhere: tuple[str, ...] = _ELSEWHERE if self.whole_tree and "sonic-switch" not in containers else ()
        self.elsewhere += ("shared_channel",) if self.scripts else ()  # read of no tree

    def _script(self, document: Document) -> None:
        script = self.scripts[document.path] = Script(document.path)
        try:
            node = parse(document)
        except PlacedError as error:
            place = Place(document.path, error.line)
            self.seen.append(seen("unreadable", document.path, f"this text cannot be read: {error}", place, "", ()))
            return
        openconfig.read(script, node)
        ansible.read(script, node)

    def _document(self, document: Document) -> None:
        script = self.scripts.get(document.path)
        if script is None:
            super()._document(document)
            return
        outline = script.outline(document.text.count("\n") + 1)
        if document.lines:
            outline = on_lines(outline, document.lines, outline.lines)
        self.lines += outline.lines
        if outline.top.texts.statements:
            self._device_part(Part("device", outline.top, "top"))
        for stanza in outline.stanzas:
            self._stanza(stanza)
        if document.declared_complete is not None or not self.whole_tree or document.truncated:
            self._completeness(document)
        else:
            self.complete[document.path] = _TREE_IS_WHOLE

    def _settles_names(self) -> bool:
        """A tree of several ports never names its host; the maps that its ports use are in it nevertheless."""
        trees = (d.text for d in self.device.documents if d.path in self.scripts)
        return super()._settles_names() or any(len(_TREE_PORT.findall(text)) >= FEWEST_PORTS for text in trees)

    def _named(self, stanza: Stanza) -> None:
        super()._named(stanza)
        self.written_out |= stanza.mode in _MAP_MODES and stanza.header.endswith(f" {ROCE_NAME}")

    def _attributes(self, given: str) -> str:
        """In the order of the alphabet, for people write them in any."""
        said = _ATTRIBUTES.search(given)
        return "" if said is None else "".join(sorted(_EACH.findall(said[0])))

    def _context(self, kind: str, routed: bool | None, complete: bool) -> PortContext:
        return PortContext(kind, routed, complete, self.elsewhere, self.written_out, self.unmentioned)

    def _port(self, name: str, interface: object) -> PortReading:
        port: PortReading = super()._port(name, interface)  # type: ignore[arg-type]
        if self.peer_links.isdisjoint((name, port.labels.lag)):
            return port
        return replace(port, labels=replace(port.labels, peer_link=True))


def read(device: DeviceInput) -> DeviceReading:
    """Everything of one switch."""
    if len(device.documents) > 1:  # a port is known by where its QoS settings stand, if anywhere
        first = sorted(device.documents, key=lambda d: is_tree(d.text) and "interface-id" not in d.text)
        device = replace(device, documents=tuple(first))
    reading = _Reader(SYNTAX, device).read()
    told = tuple(
        [one for document in device.documents for one in (*stuck(document), *unpolled(document, reading.ports))]
    )
    if is_without_pause(reading.ports):
        told += tuple(watched_without_pause(reading.ports, "watchdog"))
    return replace(reading, seen=(*reading.seen, *told)) if told else reading


def _skip(header: str, text: str, end: int) -> int | None:
    return None


def hostname(document: Document) -> str | None:
    """The configured host name."""
    found = (_TREE_HOSTNAME if is_tree(document.text) else _HOSTNAME).search(document.text)
    return found.group(1) if found else None


def _cut_off(document: Document) -> str:
    """The system closes every stanza by `!`, and shows its ports."""
    text = without_farewell(document.text).rstrip()
    if is_tree(document.text) or hostname(document) is None:
        return ""
    if text[text.rfind("\n") + 1 :].startswith(" ") and text.count("\n!\n") >= _FEWEST_CLOSED:
        return "the last stanza of this running-config is not closed by `!`: it is cut off"
    if document.command is not None and _WHOLE.match(document.command) and ends_before_ports(text):
        return "this running-config ends before its first port: it is cut off"
    return ""


def _complete_because(document: Document) -> str:
    whole = document.command is not None and _WHOLE.match(document.command)
    return "the whole answer of the command" if whole else ""


def _extent(document: Document) -> Extent | None:
    if hostname(document) is None:
        return None
    if is_tree(document.text):
        return Extent(len(_TREE_PORT.findall(document.text)), frozenset)
    return SYNTAX.extent_of(document.text)


def _named_by(value: object, mode: str) -> Sequence[Name]:
    match value:
        case st.Bind(kind="groups" | "queues", name=str(name)):
            made = name in _PROFILES or GENERATED.match(name)
            return () if made else [("bufprofile", name)]
        case st.Bind(kind=kind, name=str(name)):
            return [(kind, name)]
        case st.PolicyClass(name=name):
            return [("classmap", name)]
        case st.MatchList(name=name):
            return [("acl", name)]
    return ()


def _lag_of(value: object) -> str:
    return f"PortChannel{value.number}" if isinstance(value, st.ChannelGroup) and value.number is not None else ""


def _labels(lines: Sequence[str], kind: str) -> Labels:
    description, vrf = "", ""
    vlans: set[int] = set()
    addresses: list[str] = []
    routed: bool | None = None
    has_tags = False
    for line in lines:
        words = line.split()
        if words[0] == "description":
            description = line.partition(" ")[2].strip('"')
        elif line.startswith("ip vrf forwarding "):
            vrf = words[-1]
        elif line.startswith(("switchport access ", "switchport trunk ")):
            routed = False
            vlans |= vlan_numbers(words[-1])
            has_tags |= words[1] == "trunk"
        elif line.startswith(("ip address ", "ipv6 address ")) and len(words) > 2:
            routed = True if kind in ("ethernet", "lag") else None
            addresses.append(words[2])
        elif line == "ipv6 enable" and kind in ("ethernet", "lag"):
            routed = True
    untagged = not has_tags and bool(vlans or (routed and addresses))
    return Labels(description, frozenset(vlans), vrf, routed, addresses=tuple(addresses), untagged=untagged)


def _stanza_names(mode: str, header: str) -> Sequence[str]:
    words = header.removeprefix("no ").split(" ")
    index = {"bufprofile": 2, "policy": 1, "classmap": 1}.get(mode, -1) if words[0] != PROFILE_OF_TREES else -1
    return (words[index] if index < len(words) else "",)


def _header_statement(mode: str, header: str) -> str:
    """A buffer profile is one line; a stanza that is taken away is none that any row knows."""
    return header if header.startswith(("buffer profile", "no ", "default ")) else ""


def _breakout_parents(header: str) -> Sequence[str]:
    found = _BREAKOUT.match(header)
    return (f"Eth{found.group(1)}",) if found is not None else ()


def device_facts(device: DeviceInput) -> Device:
    """What Enterprise SONiC has no statement for; a running-configuration names neither model nor release."""
    values = unseen_device()
    values |= dict.fromkeys(
        ("buffer_model", "calculation_mtu_bytes"), absent(Cited("computed by the platform's table"))
    )
    values["pfc_disabled_globally"] = known(
        False, Cited("SONiC Industry Standard CLI Reference Guide: no such command")
    )
    return Device(**values)


SYNTAX = Syntax(
    name="esonic",
    table=TABLE,
    outliner=Outliner(TABLE, _skip),
    interfaces=INTERFACES,
    words={its.mode: f"qos map {kind}" for kind, its in MAPS.items()}
    | {
        "wred": "qos wred-policy",
        "scheduler": "qos scheduler-policy",
        "bufprofile": "buffer profile",
        "policy": "policy-map",
    },
    builtin=_BUILTIN,
    classifying=frozenset({MAPS["dscp-tc"].mode}),
    device_modes=frozenset({"vxlan"}),
    named_by=_named_by,
    ramp_of=st.ramp_of,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    cut_off=_cut_off,
    extent=_extent,
    answers=answers,
    programmed=first_of(wredpolicies.programmed, installed.programmed),
    read_port=read_port,
    device_facts=device_facts,
    used_elsewhere=frozenset({"policy"}),
    stanza_names=_stanza_names,
    header_statement=_header_statement,
    breakout_parents=_breakout_parents,
)
