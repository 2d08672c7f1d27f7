"""What reading gives of ports, and how it is kept: most ports of a switch are idle, and made when somebody wants one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain
from typing import TypeVar, overload

from roce_audit.model import Port
from roce_audit.records import dataclass
from roce_audit.text.block import Part, PartShape, PlacedParts, paths_of, placed
from roce_audit.values import Cited, Place

T = TypeVar("T")
NAMELESS = "unnamed"
"""The name of the one port of a device of which nothing says what it is called."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What people call a port: no part of its facts, but hints, keys of similarity and words for reports."""

    description: str = ""
    vlans: frozenset[int] = frozenset()
    vrf: str = ""
    routed: bool | None = None
    lag: str = ""
    peer_link: bool = False
    names: tuple[str, ...] = ()
    """Names of profiles and policies bound to the port."""
    aliases: tuple[str, ...] = ()
    """Other names of the same port: RDMA device, alias, long form."""
    addresses: tuple[str, ...] = ()
    no_link: bool = field(default=False, repr=False)
    """The port had no link when its device was asked: a state of the moment, which golden models leave out."""
    untagged: bool = field(default=False, repr=False)
    """Packets come without a tag: the port is in one VLAN, as its mode says, or routes by an address of its own."""


def _worded(labels: Labels, description: str, vrf: str, addresses: tuple[str, ...]) -> Labels:
    """The same labels with another description, VRF and other addresses."""
    return Labels(
        description,
        labels.vlans,
        vrf,
        labels.routed,
        labels.lag,
        labels.peer_link,
        labels.names,
        labels.aliases,
        addresses,
        labels.no_link,
        labels.untagged,
    )


def _but_for_words(labels: Labels) -> tuple[object, ...]:
    """What is left of labels without description, VRF and addresses."""
    return (
        labels.vlans,
        labels.routed,
        labels.lag,
        labels.peer_link,
        labels.names,
        labels.aliases,
        labels.no_link,
        labels.untagged,
    )


def bound_labels(labels: Labels, lag: str, names: tuple[str, ...]) -> Labels:
    """The same labels of a port in a channel, "" for none, with the names of what is bound to it."""
    return Labels(
        labels.description,
        labels.vlans,
        labels.vrf,
        labels.routed,
        lag,
        labels.peer_link,
        names,
        labels.aliases,
        labels.addresses,
        labels.no_link,
        labels.untagged,
    )


@dataclass(frozen=True, slots=True, eq=False)
class PortReading:
    """One port, placed: its facts are shared with every port that reads the same, its parts are its own.

    A port is itself and no other, however alike.
    """

    name: str
    facts: Port
    parts: tuple[Part, ...] | PlacedParts
    header: Place
    labels: Labels = Labels()
    family: str = ""
    """The platform of the family of NICs that it is one of; empty where nothing says so."""


_IDLE_KINDS = frozenset({"svi", "loopback", "management", "subinterface", "tunnel"})
_NEXT_PORT, _NEXT_VALUE = "\x7f", ","
"""Stand between the ports of a column, and between several numbers or addresses of one port. JSON, which the columns are kept in, writes
both as they are: a tenth of a store was escaped separators, and reading those took longer than the rest."""


@dataclass(frozen=True, slots=True)
class IdleKind:
    """What some idle ports of a device have in common."""

    facts: Port
    labels: Labels
    """Without description, VRF and addresses, of which hardly any two ports have the same."""
    shapes: tuple[PartShape, ...]
    paths: tuple[str, ...]
    """The files of the parts, as `PlacedParts` has them."""
    header_path: str


@dataclass(frozen=True, slots=True, eq=False)
class KeptPorts(Sequence[PortReading]):
    """The ports of a device as they are kept.

    Most ports of a switch are idle: VLAN interfaces, loopbacks, ports that a line shuts. Nothing is asked of them, so what was
    read of them is kept in columns, each one text, and a port is made of it when somebody wants that one.
    """

    active: tuple[PortReading, ...]
    """Those that are not idle."""
    kinds: tuple[IdleKind, ...]
    """Of each idle port."""
    positions: str
    """Where the idle ones stand among all."""
    names: str
    descriptions: str
    vrfs: str
    addresses: str
    lines: str
    """The line on which each idle port begins, and those on which its parts begin."""
    _made: dict[int, PortReading] = field(default_factory=dict, init=False, repr=False)
    _columns: dict[str, list[str]] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.active) + len(self.kinds)

    def __iter__(self) -> Iterator[PortReading]:
        return iter(self.in_order(self.active, {number: self.made(number) for number in range(len(self.kinds))}))

    @overload
    def __getitem__(self, index: int) -> PortReading: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[PortReading, ...]: ...
    def __getitem__(self, index: int | slice) -> PortReading | tuple[PortReading, ...]:
        return tuple(self)[index]

    def column(self, text: str) -> Sequence[str]:
        """One of the columns, with a text for each idle port."""
        found = self._columns.get(text)
        if found is None:
            found = self._columns[text] = text.split(_NEXT_PORT)
        return found

    def made(self, number: int) -> PortReading:
        """The idle port of a number; the same object whenever it is asked for."""
        found = self._made.get(number)
        if found is None:
            kind = self.kinds[number]
            addresses = self.column(self.addresses)[number]
            line, *firsts = map(int, self.column(self.lines)[number].split(_NEXT_VALUE))
            found = self._made[number] = PortReading(
                self.column(self.names)[number],
                kind.facts,
                PlacedParts(kind.shapes, kind.paths, tuple(firsts)),
                Place(kind.header_path, line),
                _worded(
                    kind.labels,
                    self.column(self.descriptions)[number],
                    self.column(self.vrfs)[number],
                    tuple(addresses.split(_NEXT_VALUE)) if addresses else (),
                ),
            )
        return found

    def in_order(self, active: Iterable[T], idle: Mapping[int, T]) -> list[T]:
        """What belongs to the active ports, and to some idle ones by their numbers, in the order of the ports."""
        rest = iter(active)
        numbers = {int(position): number for number, position in enumerate(self.column(self.positions))}
        found = []
        for position in range(len(self)):
            number = numbers.get(position)
            if number is None:
                found.append(next(rest))
            elif number in idle:
                found.append(idle[number])
        return found

    @property
    def is_even(self) -> bool:
        """Whether each idle port has all that belongs to it."""
        texts = (self.positions, self.names, self.descriptions, self.vrfs, self.addresses)
        columns = [text.split(_NEXT_PORT) for text in texts]
        lines = [line.split(_NEXT_VALUE) for line in self.lines.split(_NEXT_PORT)]
        if {len(self.kinds)} != {len(lines), *map(len, columns)}:
            return False
        numbers = [*columns[0], *chain.from_iterable(lines)]
        if not all(number.isdecimal() and number.isascii() and len(number) < _LONGEST_NUMBER for number in numbers):
            return False
        positions = list(map(int, columns[0]))
        if positions != sorted({*positions}) or positions[-1] >= len(self):
            return False
        return all(len(line) == 1 + len(kind.shapes) for line, kind in zip(lines, self.kinds, strict=True))


_LONGEST_NUMBER = 12
"""Digits; the lines of a file take fewer."""


def facts_of(ports: Sequence[PortReading]) -> Iterable[Port]:
    """The facts of ports, each at least once."""
    if isinstance(ports, KeptPorts):
        return (*(port.facts for port in ports.active), *(kind.facts for kind in ports.kinds))
    return (port.facts for port in ports)


def files_of_ports(ports: Sequence[PortReading]) -> frozenset[str]:
    """The files that ports were read from."""
    kept = ports if isinstance(ports, KeptPorts) else None
    found: set[str] = set()
    for port in ports if kept is None else kept.active:
        found.update(paths_of(port.parts))
    for paths in {kind.paths for kind in kept.kinds} if kept is not None else ():
        found.update(paths)
    return frozenset(found)


def kept_ports(ports: tuple[PortReading, ...] | KeptPorts) -> tuple[PortReading, ...] | KeptPorts:
    """The same ports, the idle ones in columns where there are any."""
    if isinstance(ports, KeptPorts):
        return ports
    facts = {id(port.facts): port.facts for port in ports}
    aside = {key for key, its in facts.items() if _is_idle(its)}
    idle = [(n, port) for n, port in enumerate(ports) if id(port.facts) in aside and not _is_bound(port)]
    if not _fit_in_columns([port for _, port in idle]):
        idle = [(n, port) for n, port in idle if _fit_in_columns([port])]
    if not idle:
        return ports
    left = {n for n, _ in idle}
    known: dict[tuple[object, ...], IdleKind] = {}
    kinds: list[IdleKind] = []
    lines: list[str] = []
    for _, port in idle:
        parts, header, labels = placed(port.parts), port.header, port.labels
        key = (id(port.facts), *_but_for_words(labels), id(parts.shapes), parts.paths, header.path)
        kind = known.get(key)
        if kind is None:
            its = _worded(labels, "", "", ())
            kind = known[key] = IdleKind(port.facts, its, parts.shapes, parts.paths, header.path)
        kinds.append(kind)
        lines.append(_NEXT_VALUE.join(map(str, (header.line, *parts.firsts))))
    return KeptPorts(
        active=tuple([port for n, port in enumerate(ports) if n not in left]),
        kinds=tuple(kinds),
        positions=_NEXT_PORT.join([str(n) for n, _ in idle]),
        names=_NEXT_PORT.join([port.name for _, port in idle]),
        descriptions=_NEXT_PORT.join([port.labels.description for _, port in idle]),
        vrfs=_NEXT_PORT.join([port.labels.vrf for _, port in idle]),
        addresses=_NEXT_PORT.join([_NEXT_VALUE.join(port.labels.addresses) for _, port in idle]),
        lines=_NEXT_PORT.join(lines),
    )


def _is_idle(facts: Port) -> bool:
    """A port that is down because nothing turns it up may be meant to carry data; one that a line shuts is not."""
    kind, up = facts.kind.value_or_none(), facts.admin_up
    if facts.is_nic or kind != "ethernet":
        return not facts.is_nic and kind in _IDLE_KINDS
    return up.is_known and not up.get() and not all(isinstance(at, Cited) for at in up.at)


def _is_bound(port: PortReading) -> bool:
    """A member of a channel, of which something is asked together with the others, or one of a family of NICs."""
    return bool(port.labels.lag or port.family)


def _fit_in_columns(ports: Sequence[PortReading]) -> bool:
    """Whether no text of these ports holds a separator, or is empty where that would be no text at all."""
    addresses = [address for port in ports for address in port.labels.addresses]
    words = [text for port in ports for text in (port.name, port.labels.description, port.labels.vrf)]
    return (
        not any(_NEXT_PORT in text for text in (*words, *addresses))
        and not any(_NEXT_VALUE in address for address in addresses)
        and all(addresses)
    )
