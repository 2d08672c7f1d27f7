"""Rails: NIC i of each host hangs on the leaf of rail i, and a NIC that hangs on another one is cabled wrongly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from roce_audit.fabric.port import FabricPort
from roce_audit.patterns import lazy
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


class Rails:
    """The rails of all leaves; `below` has the cables of each to NICs."""

    def __init__(self, below: Mapping[str, Sequence[End]]) -> None:
        self._below = below
        self._numbers = _numbers(below)
        self._crossed = self._of_few_hosts()

    def at(self, leaf: str) -> _Rail:
        """By the numbers of the NICs there, where they are many; else by the order of leaves that hosts have in common."""
        numbered = [
            (port, self._numbers[nic.id], place) for port, nic, place in self._below[leaf] if nic.id in self._numbers
        ]
        if len(numbered) < _FEWEST_NICS:
            return self._crossed.get(leaf, (0, absent()))
        rail, count = Counter(number for _, number, _ in numbered).most_common(1)[0]
        if count < _NEARLY_ALL * len(numbered):
            return 0, absent()
        return count, _named([(port, place) for port, number, place in numbered if number != rail])

    def _of_few_hosts(self) -> Mapping[str, _Rail]:
        """Leaf -> what is there of hosts whose NICs hang on the same leaves as those of other hosts, and in another order.

        All but one of these hosts have the same order, three at the least. The order of a bond's members says nothing.
        """
        ends: dict[str, dict[int, End]] = defaultdict(dict)
        for port, nic, place in (end for those in self._below.values() for end in those):
            if nic.id in self._numbers and not (nic.reading.labels.lag or port.reading.labels.lag):
                ends[nic.device.name][self._numbers[nic.id]] = port, nic, place
        alike: dict[frozenset[str], list[Sequence[End]]] = defaultdict(list)
        for its in ends.values():
            in_order = [its[number] for number in sorted(its)]
            leaves = frozenset(_leaves(in_order))
            if len(leaves) == len(in_order) > 1:
                alike[leaves].append(in_order)
        found: dict[str, _Rail] = {}
        for hosts in alike.values():
            usual, count = Counter(map(_leaves, hosts)).most_common(1)[0]
            others = [host for host in hosts if _leaves(host) != usual]
            if count >= _FEWEST_HOSTS and len(others) <= 1:
                odd = [end for host in others for end, leaf in zip(host, usual, strict=True) if _leaf(end) != leaf]
                for leaf in usual:
                    found[leaf] = count, _named([(port, place) for port, _, place in odd if port.device.name == leaf])
        return found


def _leaf(end: End) -> str:
    return end[0].device.name


def _leaves(host: Sequence[End]) -> tuple[str, ...]:
    return tuple(map(_leaf, host))


def _named(odd: Sequence[tuple[FabricPort, Place]]) -> Cell[frozenset[str]]:
    if not odd:
        return absent()
    places = dict.fromkeys(place for port, cable in odd for place in (cable, port.reading.header))
    names = frozenset(f"{port.reading.name} ({port.peer.id})" for port, _ in odd if port.peer is not None)
    return known(names, *places)


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
