"""Access lists below `acl`: those that drop every RoCEv2 packet of the interfaces that they are bound to.

nokia/srlinux-yang-models, srl_nokia-acl: `acl-filter NAME type ipv4` with `transport`, and `ipv4-filter NAME` of older releases.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.filterentries import Entry, dropped_by
from roce_audit.records import dataclass
from roce_audit.values import Place

_NUMBER = lazy(r"[0-9]{1,9}")
_PORTS = frozenset({"operator", "value"})
_UDP = frozenset({"udp", "17"})


@dataclass
class Lists:
    """The entries of all lists of IPv4, and to which interface each list is bound."""

    _entries: dict[str, dict[int, Entry]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Entry)))
    _bound: list[tuple[str, str, Place]] = field(default_factory=list)
    _found: Mapping[str, tuple[Place, Place]] | None = None

    def take(self, words: Sequence[str], place: Place) -> None:
        """Take in a statement from the root."""
        match words:
            case ["acl", "acl-filter", name, "type", "ipv4", "entry", number, *said]:
                self._entry(name, number, said, place)
            case ["acl", "ipv4-filter", name, "entry", number, *said]:
                self._entry(name, number, said, place)
            case ["acl", "interface", interface, "input" | "output", "acl-filter" | "ipv4-filter", name, *_]:
                self._bound.append((interface.partition(".")[0], name, place))
            case ["interface", interface, "subinterface", _, "acl", "input" | "output", "ipv4-filter", name]:
                self._bound.append((interface, name, place))

    def dropping(self) -> Mapping[str, tuple[Place, Place]]:
        """Interface -> the entry that drops every RoCEv2 packet, and where its list is bound."""
        if self._found is None:
            dropped = {name: place for name, its in self._entries.items() if (place := dropped_by(its)) is not None}
            self._found = {to: (dropped[name], place) for to, name, place in self._bound if name in dropped}
        return self._found

    def _entry(self, name: str, number: str, said: Sequence[str], place: Place) -> None:
        if not said or not _NUMBER.fullmatch(number):
            return
        entry = self._entries[name][int(number)]
        match [word for word in said if word not in ("ipv4", "transport")]:
            case ["action", "drop" | "accept" as action, *_]:
                entry.action, entry.place = "deny" if action == "drop" else "permit", place
            case ["match", "protocol", protocol]:
                entry.protocol = "udp" if protocol in _UDP else "tcp"
            case ["match", "destination-port", leaf, value] if leaf in _PORTS:
                if leaf == "value":
                    entry.port = value
                else:
                    entry.operator = value
            case (
                ["match"]
                | ["match", "destination-port"]
                | ["action"]
                | ["description", *_]
                | ["log" | "statistics-per-entry", *_]
            ):
                pass
            case _:
                entry.asks_more = True
