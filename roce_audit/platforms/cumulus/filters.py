"""Access lists: those that drop every RoCEv2 packet (Cumulus Linux User Guide, Access Control List Configuration)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from roce_audit.patterns import lazy
from roce_audit.platforms.cumulus.statements import Line
from roce_audit.text.acl import ROCE_UDP_PORT, drops_roce
from roce_audit.values import Place

NAMED = str(ROCE_UDP_PORT)
"""What a text holds that has such a list."""
_NUMBER = lazy(r"[0-9]{1,9}")
_ADDRESSES = ("source-ip", "dest-ip")


@dataclass
class _Rule:
    action: str = ""
    place: Place | None = None
    protocol: str = "ip"
    ports: str = ""
    asks_more: bool = False

    def said(self) -> str:
        """In the words of the common reader of access lists."""
        if not self.action:
            return "remark"
        return f"{self.action} {self.protocol} {'some' if self.asks_more else 'any'} any{self.ports}"


@dataclass
class Lists:
    """The rules of all access lists, as lines say them in their order."""

    _rules: dict[str, dict[int, _Rule]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(_Rule)))
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
            self._found = dict(self._dropping())
        return self._found

    def _dropping(self) -> Iterator[tuple[str, Place]]:
        for name, rules in self._rules.items():
            its = [rule for _, rule in sorted(rules.items())]
            drops, number = drops_roce([rule.said() for rule in its], drops_rest=False)
            place = its[number].place if drops else None
            if place is not None:
                yield name, place


def _ask(rule: _Rule, asked: Sequence[str]) -> None:
    match asked:
        case ["protocol", protocol]:
            rule.protocol = protocol
        case ["udp", "dest-port", port] | ["dest-port", port]:
            rule.protocol, rule.ports = "udp" if rule.protocol == "ip" else rule.protocol, f" eq {port}"
        case [address, value] if address in _ADDRESSES and value.lower() == "any":
            pass
        case ["protocol" | "udp" | "tcp" | "dest-port" | "source-ip" | "dest-ip"] | ["udp", "dest-port"]:
            pass  # the head of what is said below
        case _:
            rule.asks_more = True
