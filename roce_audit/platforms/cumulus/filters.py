"""Access lists: those that drop every RoCEv2 packet (Cumulus Linux User Guide, Access Control List Configuration)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field

from roce_audit.patterns import lazy
from roce_audit.platforms.cumulus.statements import Line
from roce_audit.platforms.shared.filterentries import Entry, dropped_by
from roce_audit.records import dataclass
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.values import Place

NAMED = str(ROCE_UDP_PORT)
"""What a text holds that has such a list."""
_NUMBER = lazy(r"[0-9]{1,9}")
_ADDRESSES = ("source-ip", "dest-ip")


@dataclass
class Lists:
    """The rules of all access lists, as lines say them in their order."""

    _rules: dict[str, dict[int, Entry]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Entry)))
    _found: Mapping[str, Place] | None = None

    def take(self, name: str, words: Sequence[str], line: Line) -> None:
        """Take in one line about a list."""
        self._found = None
        if line.unset:
            self._rules.pop(name, None)
            return
        match words:
            case ["rule", number, "action", action, *_] if _NUMBER.fullmatch(number) and action in ("permit", "deny"):
                rule = self._rules[name][int(number)]
                rule.action, rule.place = action, line.place
            case ["rule", number, "match", *asked] if _NUMBER.fullmatch(number) and asked not in ([], ["ip"]):
                _ask(self._rules[name][int(number)], [word for word in asked if word != "ip"])

    def dropping(self) -> Mapping[str, Place]:
        """Name of a list that drops every RoCEv2 packet -> the rule that does. What no rule meets is let through."""
        if self._found is None:
            dropped = ((name, dropped_by(rules)) for name, rules in self._rules.items())
            self._found = {name: place for name, place in dropped if place is not None}
        return self._found


def _ask(rule: Entry, asked: Sequence[str]) -> None:
    match asked:
        case ["protocol", protocol]:
            rule.protocol = protocol
        case ["udp", "dest-port", port] | ["dest-port", port]:
            rule.protocol, rule.port = "udp" if rule.protocol == "ip" else rule.protocol, port
        case [address, value] if address in _ADDRESSES and value.lower() == "any":
            pass
        case ["protocol" | "udp" | "tcp" | "dest-port" | "source-ip" | "dest-ip"] | ["udp", "dest-port"]:
            pass  # the head of what is said below
        case _:
            rule.asks_more = True
