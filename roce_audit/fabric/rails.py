"""Rails: NIC i of each host hangs on the leaf of rail i, and a NIC that hangs on another one is cabled wrongly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.fabric.port import FabricPort
from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.values import Cell, Place, absent, known

End = tuple[FabricPort, FabricPort, Place]
"""A port, its far end, and the line of the cable."""
_NEARLY_ALL = 0.9
_FEWEST_NICS = 10
"""NICs on a leaf before one of another number is odd."""
_FEWEST_HOSTS = 3
"""Hosts on the same leaves in the same order before one in another order is odd."""
_DIGITS = lazy(r"([0-9]{1,9})")
_Rail = tuple[int, Cell[frozenset[str]]]
"""How many NICs of one number hang on a leaf of one rail, and its ports before NICs of another; 0 where it is of none."""


@dataclass(frozen=True, slots=True)
class _Found:
    """What hangs on a leaf of one rail."""

    number: int
    """That of the NICs of its rail."""
    count: int
    odd: Sequence[End]
    """Its ports before NICs of another number."""


class Rails:
    """The rails of all leaves; `below` has the cables of each to NICs."""

    def __init__(self, below: Mapping[str, Sequence[End]]) -> None:
        self._numbers = _numbers(below)
        ends = [end for those in below.values() for end in those if end[1].id in self._numbers]
        self._found = self._of_few_hosts(ends)
        numbered: dict[str, list[End]] = defaultdict(list)
        for end in ends:
            numbered[_leaf(end)].append(end)
        for leaf, those in numbered.items():
            if len(those) >= _FEWEST_NICS:
                self._found.pop(leaf, None)
                rail, count = Counter(self._numbers[nic.id] for _, nic, _ in those).most_common(1)[0]
                if count >= _NEARLY_ALL * len(those):
                    odd = [end for end in those if self._numbers[end[1].id] != rail]
                    self._found[leaf] = _Found(rail, count, odd)
        self._odd = {(end[1].device.name, leaf): end for leaf, found in self._found.items() for end in found.odd}

    def at(self, leaf: str) -> _Rail:
        """By the numbers of the NICs there, where they are many; else by the order of leaves that hosts have in common.

        Of two cables that are swapped for each other one is told, at the leaf whose name comes first.
        """
        found = self._found.get(leaf)
        if found is None:
            return 0, absent()
        named: list[str] = []
        places: dict[Place, None] = {}
        for port, nic, place in found.odd:
            other = self._swapped_with(leaf, found, nic)
            if other is not None and _leaf(other) < leaf:
                continue
            swapped = "" if other is None else f", swapped with {other[1].id} on {other[0].id}"
            named.append(f"{port.reading.name} ({nic.id}{swapped})")
            places.update(dict.fromkeys((place, port.reading.header)))
            if other is not None:
                places.update(dict.fromkeys((other[2], other[0].reading.header)))
        return found.count, known(frozenset(named), *places) if named else absent()

    def _swapped_with(self, leaf: str, found: _Found, nic: FabricPort) -> End | None:
        """The cable of the same host to the leaf of this NIC's rail, where it leads to the NIC that belongs here."""
        for other, there in self._found.items():
            if other != leaf and there.number == self._numbers[nic.id]:
                end = self._odd.get((nic.device.name, other))
                if end is not None and self._numbers[end[1].id] == found.number:
                    return end
        return None

    def _of_few_hosts(self, ends: Iterable[End]) -> dict[str, _Found]:
        """Leaf -> what is there of hosts whose NICs hang on the same leaves as those of other hosts, and in another order.

        All but one of these hosts have the same order, three at the least. The order of a bond's members says nothing.
        """
        of_host: dict[str, dict[int, End]] = defaultdict(dict)
        for port, nic, place in ends:
            if not (nic.reading.labels.lag or port.reading.labels.lag):
                of_host[nic.device.name][self._numbers[nic.id]] = port, nic, place
        alike: dict[frozenset[str], list[Sequence[End]]] = defaultdict(list)
        for its in of_host.values():
            in_order = [its[number] for number in sorted(its)]
            leaves = frozenset(_leaves(in_order))
            if len(leaves) == len(in_order) > 1:
                alike[leaves].append(in_order)
        found: dict[str, _Found] = {}
        for hosts in alike.values():
            usual, count = Counter(map(_leaves, hosts)).most_common(1)[0]
            others = [host for host in hosts if _leaves(host) != usual]
            if count >= _FEWEST_HOSTS and len(others) <= 1:
                odd = [end for host in others for end, leaf in zip(host, usual, strict=True) if _leaf(end) != leaf]
                like = next(host for host in hosts if _leaves(host) == usual)
                for leaf, (_, nic, _) in zip(usual, like, strict=True):
                    found[leaf] = _Found(self._numbers[nic.id], count, [end for end in odd if _leaf(end) == leaf])
        return found


def _leaf(end: End) -> str:
    return end[0].device.name


def _leaves(host: Sequence[End]) -> tuple[str, ...]:
    return tuple(map(_leaf, host))


def _numbers(below: Mapping[str, Sequence[End]]) -> Mapping[str, int]:
    """NIC -> its number among the NICs of its host that carry RoCE, of hosts whose NICs have the usual names."""
    hosts: dict[str, dict[str, FabricPort]] = defaultdict(dict)
    for ends in below.values():
        for _, nic, _ in ends:
            if nic.roce.carries:
                hosts[nic.device.name][nic.reading.name] = nic
    names = Counter(tuple(sorted(nics, key=_natural)) for nics in hosts.values())
    if not names:
        return {}
    usual = names.most_common(1)[0][0]
    if len(usual) < 2:
        return {}
    return {
        nics[name].id: number
        for nics in hosts.values()
        if nics.keys() == set(usual)
        for number, name in enumerate(usual)
    }


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """`ens9np0` before `ens11np0`."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in _DIGITS.split(name))
