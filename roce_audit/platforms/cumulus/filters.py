"""Access lists: those that drop, re-mark or police RoCEv2 packets (Cumulus Linux User Guide, Access Control List Configuration)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import field, replace

from roce_audit.patterns import lazy
from roce_audit.platforms.cumulus.statements import Line
from roce_audit.platforms.shared.filterentries import Entry, dropped_by
from roce_audit.records import dataclass
from roce_audit.text.acl import ROCE_UDP_PORT, catches_roce
from roce_audit.values import Place

NAMED = str(ROCE_UDP_PORT)
"""What a text holds that has a list which drops them."""
REMARKS = lazy(r"\bset(?: dscp\b|\"?: {0,9}\{?\s{1,200}\"?dscp\b)")
"""A rule that gives packets another DSCP, as a command or in a tree."""
_NUMBER = lazy(r"[0-9]{1,9}")
_ADDRESSES = ("source-ip", "dest-ip")


@dataclass
class Lists:
    """The rules of all access lists, as lines say them in their order."""

    _rules: dict[str, dict[int, Entry]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Entry)))
    _marks: dict[str, dict[int, tuple[int, Place]]] = field(default_factory=lambda: defaultdict(dict))
    """Name -> number of a rule -> the DSCP that it gives."""
    _limits: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    """Name -> the numbers of the rules that police."""
    _found: Mapping[str, Place] | None = None

    def take(self, name: str, words: Sequence[str], line: Line) -> None:
        """Take in one line about a list."""
        self._found = None
        if line.unset:
            self._rules.pop(name, None)
            self._marks.pop(name, None)
            self._limits.pop(name, None)
            return
        match words:
            case ["rule", number, "action", action, *_] if _NUMBER.fullmatch(number) and action in ("permit", "deny"):
                rule = self._rules[name][int(number)]
                rule.action, rule.place = action, line.place
            case ["rule", number, "action", "set", "dscp", dscp] if _NUMBER.fullmatch(number) and _NUMBER.fullmatch(
                dscp
            ):
                self._marks[name][int(number)] = int(dscp), line.place
            case ["rule", number, "action", "police", *_] if _NUMBER.fullmatch(number):
                self._limits[name].add(int(number))
            case ["rule", number, "match", *asked] if _NUMBER.fullmatch(number) and asked not in ([], ["ip"]):
                _ask(self._rules[name][int(number)], [word for word in asked if word != "ip"])

    def dropping(self) -> Mapping[str, Place]:
        """Name of a list that drops every RoCEv2 packet -> the rule that does. What no rule meets is let through."""
        if self._found is None:
            dropped = ((name, dropped_by(rules)) for name, rules in self._rules.items())
            self._found = {name: place for name, place in dropped if place is not None}
        return self._found

    def polices_others(self, name: str) -> bool:
        """Whether each rule of the list that polices is seen to meet no RoCEv2 packet."""
        met = [self._catches(name, number) for number in self._limits.get(name, ())]
        return bool(met) and all(caught is False for caught in met)

    def _catches(self, name: str, number: int) -> bool | None:
        return catches_roce(replace(self._rules[name][number], action="permit").said())

    def remarking(self, names: Set[str]) -> Iterator[tuple[str, int | None, Place]]:
        """Lists of these names that give RoCEv2 packets another DSCP: name, DSCP (None where not every such packet gets it), rule."""
        for name in names & self._marks.keys():
            for number, (dscp, place) in sorted(self._marks[name].items()):
                catches = self._catches(name, number)
                if catches is not False:
                    yield name, dscp if catches else None, place
                    break


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
