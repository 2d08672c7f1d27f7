"""PicOS configurations for the common command-line reader: names of ports, labels, completeness."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from roce_audit.model import Device
from roce_audit.platforms.base import DeviceReading, unseen_switch
from roce_audit.platforms.picos import blocks
from roce_audit.platforms.picos import statements as st
from roce_audit.platforms.picos.facts import read_port
from roce_audit.platforms.picos.outline import PicosOutliner
from roce_audit.platforms.picos.table import TABLE
from roce_audit.platforms.picos.untrusting import untrusting
from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.shared.cli.reader import CommandLineReader
from roce_audit.platforms.shared.cli.syntax import Interfaces, Syntax
from roce_audit.platforms.shared.references import Name
from roce_audit.text.comments import Comment, before_next_line
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import vlan_numbers
from roce_audit.text.outline import Outline
from roce_audit.text.whole import Extent, kinds_of_paths
from roce_audit.values import Cited, absent

_HOSTNAME = re.compile(
    r'^[ \t]*(?:(?:[\w.@-]{1,80}[#>] ?)?set system hostname |hostname: )"?([^\s"]{1,253})"?[ \t]*$', re.M
)
_PORT = re.compile(r'^[ \t]*(?:set interface )?gigabit-ethernet "?([a-z]{2}-\d+/\d+/\d+)\b', re.M)
_SET = re.compile(r"^[ \t]*(?:[\w.@-]{1,80}[#>] ?)?set (\S[^\n]{0,200})", re.M)
_CHANGES = re.compile(r"^[ \t]*(?:\S{1,80}[#>] ?)?delete ", re.M)
_WHOLE = re.compile(r"show (?:(?:all )?\| ?display set|running-config)(?: ?\| ?no-more)?")
_TYPES = ("ge-", "te-", "qe-", "xe-", "ce-")
_INTERFACES = Interfaces(
    dict.fromkeys(_TYPES, "ethernet") | {"ae": "lag"}, {name: name for name in (*_TYPES, "ae")}, ("vlan", "eth", "lo")
)


def hostname(document: Document) -> str | None:
    """`system hostname`."""
    found = _HOSTNAME.search(document.text)
    return found[1] if found is not None else None


def read(device: DeviceInput) -> DeviceReading:
    """Read all documents of one switch; what a classifier says stands together, but only a text with its host's name is no cutting."""
    reading = _Reader(SYNTAX, device).read()
    named = any(hostname(document) is not None for document in device.documents)
    return replace(reading, seen=(*reading.seen, *(untrusting(reading.ports) if named else ())))


class _Reader(CommandLineReader):
    """One switch being read: of its commands only the one that shows its configuration is known."""

    def __init__(self, syntax: Syntax, device: DeviceInput) -> None:
        super().__init__(syntax, device)
        for document in device.documents:
            if document.command is not None and _WHOLE.fullmatch(document.command):
                self._document(document)

    def _addressed_to_us(self, document: Document, outline: Outline) -> tuple[Comment, ...]:
        """Each line stands for itself: a comment speaks of the next one."""
        return before_next_line(document, self.syntax.table.comments[0])


def _named_by(said: object, mode: str) -> Sequence[Name]:
    match said:
        case st.Apply(kind=kind, name=str(name)):
            return ((kind, name),)
        case st.Classified(forwarding_class=name):
            return (("forwardingclass", name),)
        case st.Served(forwarding_class=name, scheduler=str(scheduler)):
            return (("forwardingclass", name), ("scheduler", scheduler))
    return ()


def _labels(lines: Sequence[str], kind: str) -> Labels:
    """What people call the port, and its VLANs. A port that is no trunk sends and takes packets without a tag."""
    description, vlans = "", frozenset[int]()
    is_native, takes_tags = False, False
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "description":
            description = rest.strip('"')
        elif "vlan members " in rest or "native-vlan-id " in rest:
            vlans |= vlan_numbers(rest.rpartition(" ")[2])
            is_native, takes_tags = is_native or "native-vlan-id " in rest, takes_tags or "vlan members " in rest
        elif "port-mode " in rest:
            takes_tags = takes_tags or rest.rpartition(" ")[2].strip('"') != "access"
    return Labels(description=description, vlans=vlans, routed=None, untagged=is_native and not takes_tags)


def _lag_of(said: object) -> str:
    return said.name or "" if isinstance(said, st.Channel) else ""


def _complete_because(document: Document) -> str:
    command = document.command or ""
    return f"the whole configuration: {command}" if _WHOLE.fullmatch(command) and not _cut_off(document) else ""


def _cut_off(document: Document) -> str:
    return blocks.damage(document.text) if blocks.is_blocks(document.text) else ""


def _extent(document: Document) -> Extent | None:
    if hostname(document) is None or _CHANGES.search(document.text) or _cut_off(document):
        return None
    return Extent(len(set(_PORT.findall(document.text))), lambda: kinds_of_paths(_paths(document.text)))


def _paths(text: str) -> Iterator[Sequence[str]]:
    """The words of what is set."""
    if blocks.is_blocks(text):
        yield from (words for _, words, _ in blocks.lines_of(text, 1))
    else:
        yield from (found[1].split() for found in _SET.finditer(text))


def _device_facts(device: DeviceInput) -> Device:
    values = unseen_switch()
    values["pfc_disabled_globally"] = absent(Cited("PicOS turns PFC on per port"))
    return Device(**values)


SYNTAX = Syntax(
    name="picos",
    table=TABLE,
    outliner=PicosOutliner(TABLE, lambda header, text, end: None),
    interfaces=_INTERFACES,
    words={
        "pfcprofile": "pfc-profile",
        "classifier": "classifier",
        "forwardingclass": "forwarding-class",
        "schedulerprofile": "scheduler-profile",
        "scheduler": "scheduler",
    },
    builtin=frozenset(),
    device_modes=frozenset(),
    named_by=_named_by,
    labels=_labels,
    lag_of=_lag_of,
    complete_because=_complete_because,
    extent=_extent,
    cut_off=_cut_off,
    read_port=read_port,
    device_facts=_device_facts,
)
