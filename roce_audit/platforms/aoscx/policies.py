"""Classifier policies: what `apply policy X in` makes of RoCE packets that enter a port.

AOS-CX 10.04 ACLs and Classifier Policies Guide, Types of policy actions: `local-priority` changes the internal priority and leaves
the headers alone; the other remark actions only change packets as they leave. The first entry whose class matches decides.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.aoscx import statements as st
from roce_audit.platforms.shared.cli.filters import DROPS
from roce_audit.platforms.shared.numbers import DSCP_NAMES
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.text.acl import catches_roce
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Why, known, unknown

_MARKS = range(64)
_LINE = lazy(r"(?:\d{1,10} )?(match|ignore) (.{1,300})\Z")
_DSCP = lazy(r"(.{1,300}) dscp (\S{1,8})\Z")


@dataclass
class _Chosen:
    """What an entry does with the packets that it catches, and for which of the marks that was so."""

    entry: st.PolicyEntry
    at: At
    marks: set[int] = field(default_factory=set)


class ClassifierPolicy:
    """The policy that is applied to what enters a port."""

    def __init__(self, policies: Policies, name: str, bound_at: At, undefined: Why) -> None:
        self._policies = policies
        self._name = name
        self._at = bound_at
        self._undefined = undefined
        self._chosen: dict[int, _Chosen] = {}
        """Number of the entry -> the entry."""
        self._doubts: dict[int, Cell[Any]] = {}
        """DSCP -> why nobody knows which entry catches it."""

    def apply(self, settings: Settings, mapped: Collection[int]) -> None:
        """Set where the policy leads RoCE packets, what it writes into them, and whether it polices them.

        `mapped` are the code points that statements map: of a class that has such, the others are nobody's.
        """
        lines = self._policies.lines("policy", self._name)
        if lines is None:
            for path in ("dscp", "pcp", "policed", "rewrites_dscp"):
                settings.set_unknown(path, self._undefined, self._at)
            return
        entries = _for_ipv4([(p.value, at) for p, at in lines if p.is_ours])
        for mark in _MARKS:
            self._choose(mark, entries)
        self._rewrite(settings, mapped)
        for mark, doubt in self._doubts.items():
            settings.set_cell(f"dscp.{mark}", doubt)
        for one in self._chosen.values():
            if one.entry.priority is not None:
                for mark in one.marks:
                    settings.set(f"dscp.{mark}", one.entry.priority, one.at, self._at)
            if one.entry.drops:
                path = DROPS if one.entry.drops == "all" else "policed"
                if len(one.marks) == len(_MARKS):
                    settings.set(path, True, one.at, self._at)
                else:
                    settings.set_cell(path, unknown(Why.NO_DEFAULT, one.at))
        self._tags(settings)

    def _choose(self, mark: int, entries: Sequence[tuple[Any, At]]) -> None:
        """Note the first entry that catches a RoCE packet of this DSCP."""
        for number, (entry, at) in enumerate(entries):
            caught = self._catches(entry, mark) if isinstance(entry, st.PolicyEntry) else None
            if caught is None:
                self._doubts[mark] = unknown(Why.NOT_PARSED, at, self._at)
                return
            if caught:
                self._chosen.setdefault(number, _Chosen(entry, at)).marks.add(mark)
                return

    def _catches(self, entry: st.PolicyEntry, mark: int) -> bool | None:
        for line in self._policies.raw("trafficclass", f"{entry.family} {entry.name}") or ("unseen",):
            found = _LINE.match(line)
            caught = None if found is None or entry.family == "mac" else _of_line(found[2], mark)
            if caught is None:
                return None
            if caught and found is not None:
                return found[1] == "match"
        return False

    def _rewrite(self, settings: Settings, mapped: Collection[int]) -> None:
        """New marks of packets; those of a class are told where all code points that lead to it get the same one."""
        written: dict[int, dict[int, int | None]] = {}
        where: dict[int, At] = {}
        marks = {mark: one for one in self._chosen.values() for mark in one.marks}
        if not any(one.entry.dscp is not None for one in marks.values()):
            return
        for mark in _MARKS:
            one = marks.get(mark)
            cell = settings.get(f"dscp.{mark}")
            if one is not None and one.entry.priority is not None:
                number: int | None = one.entry.priority
            else:
                number = cell.get() if cell is not None and cell.is_known else None
            if number is None:
                settings.set_unknown("rewrites_dscp", Why.NO_DEFAULT, self._at)
                return
            written.setdefault(number, {})[mark] = None if one is None else one.entry.dscp
            if one is not None and one.entry.dscp is not None:
                where.setdefault(number, one.at)
        settings.set("rewrites_dscp", frozenset(where), *dict.fromkeys(where.values()))
        for number, at in where.items():
            by_mark = written[number]
            (new, *others) = {by_mark[mark] for mark in by_mark.keys() & set(mapped) or by_mark}
            path = f"classes.{number}.new_dscp"
            settings.set_cell(path, unknown(Why.NO_DEFAULT, at) if others or new is None else known(new, at))

    def _tags(self, settings: Settings) -> None:
        """Where all RoCE packets are led alike, their tags do not matter; where some are, nobody knows which."""
        led = [one for one in self._chosen.values() if one.entry.priority is not None]
        if not led and not self._doubts:
            return
        alike = len(led) == 1 and len(led[0].marks) == len(_MARKS)
        for tag in range(8):
            if alike:
                settings.set(f"pcp.{tag}", led[0].entry.priority, led[0].at, self._at)
            else:
                settings.set_cell(f"pcp.{tag}", unknown(Why.NOT_VISIBLE, self._at))
        if alike:
            settings.set("trust", "acl", led[0].at, self._at)


def _for_ipv4(entries: Sequence[tuple[Any, At]]) -> Sequence[tuple[Any, At]]:
    """The entries without those for IPv6, where some are for IPv4: these tell."""
    family = [entry.family if isinstance(entry, st.PolicyEntry) else "" for entry, _ in entries]
    return [one for one, its in zip(entries, family, strict=True) if its != "ipv6" or "ip" not in family]


def _of_line(text: str, mark: int) -> bool | None:
    """Whether a line of a class catches RoCE packets of this DSCP; None where that cannot be told."""
    text = text.removesuffix(" count")
    named = _DSCP.match(text)
    if named is not None:
        number = int(named[2]) if named[2].isdigit() else DSCP_NAMES.get(named[2].lower())
        if number is None:
            return None
        if number != mark:
            return False
        text = named[1]
    words = text.split(" ")
    if words[0] == "any":
        words[0] = "ip"
    return catches_roce(f"permit {' '.join(words)}")
