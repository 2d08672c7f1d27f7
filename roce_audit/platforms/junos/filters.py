"""Firewall filters on the way in: which forwarding class the terms of one give to a RoCEv2 packet.

Terms are tried in their order, and the first whose conditions all hold has the last word, unless it goes on to the next term
(Junos OS Routing Policies, Firewall Filters, and Traffic Policers User Guide: How Standard Firewall Filters Evaluate Packets).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.records import dataclass
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Why, absent, known, unknown

_MARKS = frozenset(range(64))
_NONE: frozenset[int] = frozenset()
_ROCE_PORT = 4791
_PROTOCOLS = frozenset({"protocol", "ip-protocol", "next-header", "payload-protocol"})
_PORTS = frozenset({"destination-port", "port"})
_MARKED = frozenset({"dscp", "traffic-class"})

Marks = tuple[frozenset[int], frozenset[int]]
"""The DSCPs with which a RoCEv2 packet surely meets a condition, and those with which it may."""


@dataclass(slots=True)
class _Term:
    """One term: which packets meet it, the class that it gives, and whether it goes on to the next."""

    meets: Marks = (_MARKS, _MARKS)
    gives: tuple[str, At] | None = None
    goes_on: bool = False
    drops: At | None = None
    """Where it says that it discards what meets it."""
    polices: At | None = None


def given(found: Leaves, bound: At, code_point: Callable[[str], Cell[int]]) -> list[Cell[str]]:
    """The class that a filter gives to a packet with each DSCP; absent where it leaves that to the classifier."""
    terms = list(_terms(found, code_point).values())
    return [_of(mark, terms, bound) for mark in sorted(_MARKS)]


def drops_roce(found: Leaves, bound: At, code_point: Callable[[str], Cell[int]], is_whole: bool) -> tuple[At, ...]:
    """The statements by which a filter discards every RoCEv2 packet; () where it lets some through, or may.

    What meets no term is discarded, where all terms are seen (`is_whole`).
    """
    terms = list(_terms(found, code_point).values())
    for term in terms:
        surely, perhaps = term.meets
        if perhaps and term.drops is None and not term.goes_on:
            return ()
        if surely == _MARKS and not term.goes_on:
            return () if term.drops is None else (term.drops, bound)
    return (*found.begins, bound) if is_whole and terms else ()


def policed(found: Leaves, code_point: Callable[[str], Cell[int]]) -> dict[int, At]:
    """The DSCPs of RoCEv2 packets that a policer of a filter meets, or may meet, with where it is called."""
    met: dict[int, At] = {}
    left = _MARKS
    for term in _terms(found, code_point).values():
        surely, perhaps = term.meets
        if term.polices is not None:
            met = {**dict.fromkeys(perhaps & left, term.polices), **met}
        if not term.goes_on:
            left -= surely
    return met


def picks_by_port(found: Leaves) -> bool:
    """Whether a term that gives a class asks for a port: what it says of DSCPs is then said of RoCE packets alone."""
    leaves = [parsed.value for parsed, _ in found.statements if isinstance(parsed.value, Leaf)]
    giving = {leaf.keys[0] for leaf in leaves if leaf.name == "term * then forwarding-class"}
    return any(leaf.name == "term * from *" and leaf.keys[0] in giving and leaf.keys[1] in _PORTS for leaf in leaves)


def _of(mark: int, terms: Iterable[_Term], bound: At) -> Cell[str]:
    chosen: Cell[str] = absent(bound)
    doubt = False
    for term in terms:
        surely, perhaps = (mark in marks for marks in term.meets)
        if not perhaps:
            continue
        if term.gives is not None:
            name, at = term.gives
            if not surely or doubt:
                return unknown(Why.NO_DEFAULT, bound, at)
            chosen = known(name, at, bound)
        if surely and not term.goes_on:
            break
        doubt = doubt or not (surely or term.goes_on)
    return chosen


def _terms(found: Leaves, code_point: Callable[[str], Cell[int]]) -> dict[str, _Term]:
    terms: dict[str, _Term] = {}
    conditions: dict[tuple[str, str], Marks] = {}
    for parsed, at in found.statements:
        leaf = parsed.value
        if not isinstance(leaf, Leaf) or not leaf.name.startswith("term * "):
            continue
        name = str(leaf.keys[0])
        term = terms.setdefault(name, _Term())
        if leaf.name == "term * from * *":  # of values with more behind them nobody knows what they leave out
            conditions[name, str(leaf.keys[1])] = _NONE, _MARKS
        elif leaf.name == "term * from *":
            what = str(leaf.keys[1])
            surely, perhaps = _condition(what, str(leaf.value or ""), code_point)
            before = conditions.get((name, what), (_NONE, _NONE))  # one of the values of a kind is enough
            conditions[name, what] = before[0] | surely, before[1] | perhaps
        elif leaf.name == "term * then forwarding-class":
            term.gives = str(leaf.value), at
        elif leaf.name in ("term * then discard", "term * then reject"):
            term.drops = at
        elif leaf.name == "term * then policer":
            term.polices = at
        elif leaf.name == "term * then next":
            term.goes_on = True
    for (name, _), (surely, perhaps) in conditions.items():
        term = terms[name]
        term.meets = term.meets[0] & surely, term.meets[1] & perhaps
    return terms


def _condition(what: str, value: str, code_point: Callable[[str], Cell[int]]) -> Marks:
    """What one value of a condition says of a packet to UDP port 4791."""
    meets: bool | None = None
    if what in _PROTOCOLS:
        meets = value in ("udp", "17") if value.isalnum() else None
    elif what in _PORTS:
        meets = _is_roce_port(value)
        meets = None if what == "port" and meets is False else meets  # it may be the port that the packet comes from
    elif what in _MARKED:
        mark = code_point(value)
        if mark.is_known:
            return frozenset({mark.get()}), frozenset({mark.get()})
    if meets is None:
        return _NONE, _MARKS
    return (_MARKS, _MARKS) if meets else (_NONE, _NONE)


def _is_roce_port(value: str) -> bool | None:
    """Whether a port, a range of ports or the name of one includes that of RoCEv2."""
    first, _, last = value.partition("-")
    if first.isdigit() and (last or first).isdigit() and len(value) < 12:
        return int(first) <= _ROCE_PORT <= int(last or first)
    return False if value.isalnum() else None
