"""VLAN access lists: `vlan access-map` and `vlan filter`, which meet every packet of a VLAN, bridged or routed.

Cisco Nexus 9000 Series NX-OS Security Configuration Guide, Configuring VLAN ACLs: entries are asked in the order of their numbers, and the
action of the first whose access list permits the packet is taken. What no entry takes is not judged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import field

from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.vlandrops import VlanDrop, with_vlan_drops
from roce_audit.records import dataclass
from roce_audit.text.acl import ROCE_UDP_PORT, selects_roce
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import vlan_numbers
from roce_audit.values import Place

_FILTER = "vlan filter "
_BINDS = lazy(r"vlan filter (\S{1,64}) vlan-list ([\d,-]{1,400})")
_ENTRY = lazy(r"vlan access-map (\S{1,64})(?: (\d{1,5}))?")
_LIST = lazy(r"ip access-list (\S{1,64})")
_MATCH = lazy(r"match ip address (\S{1,64})")
_ACTION = lazy(r"action (drop|forward)\b.{0,40}")


@dataclass
class _Entry:
    """One entry of an access map: the lists that it asks, what it does, and where that stands."""

    lists: list[str] = field(default_factory=list)
    action: str = ""
    place: Place | None = None
    is_read: bool = True


class _Maps:
    """The access maps of a switch, its lists, and which VLANs are filtered by which map."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.lists: dict[str, list[str]] = defaultdict(list)
        self.entries: dict[str, dict[int, _Entry]] = defaultdict(dict)
        self.bound: dict[int, tuple[str, Place]] = {}
        for document in documents:
            self._read(document)

    def _read(self, document: Document) -> None:
        lines: list[str] | None = None
        entry: _Entry | None = None
        for index, raw in enumerate(document.text.split("\n")):
            text, place = " ".join(raw.split()), Place(document.path, document.line(index))
            head, binds, of_map = _LIST.fullmatch(text), _BINDS.fullmatch(text), _ENTRY.fullmatch(text)
            if head is not None:
                lines, entry = self.lists[head[1]], None
            elif of_map is not None:
                its = self.entries[of_map[1]]
                lines, entry = None, its.setdefault(int(of_map[2] or len(its) * 10 + 10), _Entry())
            elif binds is not None:
                self.bound |= dict.fromkeys(vlan_numbers(binds[2]), (binds[1], place))
            elif raw[:1] not in (" ", "\t"):
                lines = entry = None
            elif lines is not None:
                lines.append(text)
            elif entry is not None:
                _put(entry, text, place)

    def dropping(self) -> Iterator[VlanDrop]:
        """The maps that drop every RoCEv2 packet of some VLANs."""
        by_map: dict[tuple[str, Place], set[int]] = defaultdict(set)
        for vlan, bound in self.bound.items():
            by_map[bound].add(vlan)
        for (name, at), vlans in by_map.items():
            found = self._drops(name)
            if found is not None:
                yield VlanDrop(
                    f"access-map {name}", f"vlan access-map {name}", found[0], at, found[1], frozenset(vlans)
                )

    def _drops(self, name: str) -> tuple[Place, bool] | None:
        for _, entry in sorted(self.entries.get(name, {}).items()):
            asked = [line for one in entry.lists for line in self.lists.get(one, ())]
            takes = selects_roce(tuple(asked)) if entry.lists else True
            if takes is None or not entry.is_read or any(one not in self.lists for one in entry.lists):
                return None
            if takes:
                is_named = any(f" {ROCE_UDP_PORT}" in line for line in asked)
                return (entry.place, is_named) if entry.action == "drop" and entry.place is not None else None
        return None


def _put(entry: _Entry, text: str, place: Place) -> None:
    match, action = _MATCH.fullmatch(text), _ACTION.fullmatch(text)
    if match is not None:
        entry.lists.append(match[1])
    elif action is not None:
        entry.action, entry.place = action[1], place
    elif not text.startswith(("statistics", "!")):
        entry.is_read = False


def filtered(device: DeviceInput, reading: DeviceReading) -> DeviceReading:
    """The same reading with what VLAN access lists drop."""
    documents = [d for d in device.documents if is_configuration(d)]
    maps = _Maps(documents).dropping() if any(_FILTER in d.text for d in documents) else ()
    return with_vlan_drops(reading, list(maps))
