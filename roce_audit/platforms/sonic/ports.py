"""Keys of rows: which port, which queue; and what people call the ports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Neighbour
from roce_audit.platforms.neighbour import neighbour
from roce_audit.platforms.portreading import Labels
from roce_audit.platforms.sonic.database import Row
from roce_audit.platforms.sonic.table import NUMBERED
from roce_audit.records import dataclass

_LONGEST_LIST = 4_096
CPU = "CPU"
"""The row of QUEUE that is no port's."""
_KINDS = (("Ethernet-IB", "recirculation"), ("Ethernet-Rec", "recirculation"))


@dataclass(frozen=True, slots=True)
class Target:
    """Where a row of a port table belongs: `where` is the text after the port, the queue or group."""

    ports: tuple[str, ...]
    where: str = ""


Card = tuple[str, str]
"""A line card and one chip of it, in lower case."""


@dataclass(frozen=True, slots=True)
class Here:
    """Which of the chips that the keys of a chassis name is this one; several where nobody said and the keys leave it open."""

    ours: frozenset[Card] = frozenset()
    agreed: frozenset[tuple[str, str]] = frozenset()
    """Table and key of the rows on which all of several chips agree, one for all: so it is here, whichever this is."""

    def may_be(self, key: str) -> bool:
        """Whether a key of a chassis may name a port of this switch."""
        return _card(key) in self.ours

    def is_here(self, table: str, key: str) -> bool:
        """Whether it does."""
        return self.may_be(key) and (len(self.ours) == 1 or (table, key) in self.agreed)


def target(table: str, key: str, here: Here) -> Target | None:
    """What a key names: `Ethernet0`, `Ethernet0,Ethernet4|3-4`, `host|asic|Ethernet0|3`; None for another card's port.

    A key of another form names no port.
    """
    pieces = key.split("|")
    if table not in NUMBERED:
        return Target(tuple(key.split(",")[:_LONGEST_LIST]))
    if len(pieces) == 4:
        return Target((pieces[2],), pieces[3]) if here.is_here(table, key) else None
    return Target(tuple(pieces[0].split(",")[:_LONGEST_LIST]), "|".join(pieces[1:]))


def whose(rows: Sequence[Row], host: str, asic: str) -> Here:
    """Which chip this is: as DEVICE_METADATA and the file's name say, as far as its keys leave a choice."""
    keyed = [row for row in rows if row.table in NUMBERED and row.key.count("|") == 3]
    ours = frozenset(
        card
        for card in {_card(row.key) for row in keyed}
        if host.lower() in ("", card[0]) and asic.lower() in ("", card[1])
    )
    if len(ours) > 1:  # SONiC's own template gives schedulers to the queues of local ports alone
        scheduled = frozenset({_card(row.key) for row in keyed if "scheduler" in row.fields} & ours)
        ours = scheduled if len(scheduled) == 1 else ours
    return Here(ours, _agreed([row for row in keyed if _card(row.key) in ours]) if len(ours) > 1 else frozenset())


def _card(key: str) -> Card:
    host, asic, *_ = key.lower().split("|")
    return host, asic


def _agreed(rows: Iterable[Row]) -> frozenset[tuple[str, str]]:
    """The rows that say the same of one port and queue for all chips that have a port of that name."""
    cards: dict[str, set[Card]] = defaultdict(set)
    alike: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        _, _, port, where = row.key.split("|")
        cards[port].add(_card(row.key))
        alike[row.table, port, where].append(row)
    return frozenset(
        (table, its[0].key)
        for (table, port, _), its in alike.items()
        if len(its) == len(cards[port]) and not any(row.odd or row.fields != its[0].fields for row in its)
    )


def kind(name: str) -> str:
    """The kind of a port by its name; `role` of its row may say otherwise."""
    return next((found for prefix, found in _KINDS if name.startswith(prefix)), "ethernet")


_SHORT_NAME = lazy(r"(Eth|Po)(\d{1,5})")
_WHOLE = {"Eth": "Ethernet", "Po": "PortChannel"}


@dataclass
class _Called:
    description: str = ""
    vlans: set[int] = field(default_factory=set)
    vrf: str = ""
    routed: bool | None = None
    takes_tags: bool = False
    aliases: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)


class Names:
    """Labels and channel membership of all ports of one database."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._called: dict[str, _Called] = defaultdict(_Called)
        self.lag_of: dict[str, str] = {}
        self.peer_links: set[str] = set()
        for row in rows:
            self._row(row)

    def _row(self, row: Row) -> None:
        first, _, second = row.key.partition("|")
        if row.table == "PORT":
            self._port(row)
        elif row.table == "PORTCHANNEL_MEMBER":
            self.lag_of[second] = first
        elif row.table == "PORTCHANNEL":
            members = row.fields.get("members")
            for member in members if isinstance(members, list) else ():
                self.lag_of[str(member)] = row.key
        elif row.table == "VLAN_MEMBER":
            called = self._called[second]
            called.routed = False
            called.takes_tags |= _text(row, "tagging_mode") != "untagged"
            if first.startswith("Vlan") and first[4:].isdigit() and len(first) < 9:
                called.vlans.add(int(first[4:]))
        elif row.table == "VLAN_SUB_INTERFACE":
            self._called[_parent(first)].takes_tags = True
        elif row.table == "MCLAG_DOMAIN":
            self.peer_links.add(_text(row, "peer_link"))
        elif row.table in ("INTERFACE", "PORTCHANNEL_INTERFACE"):
            called = self._called[first]
            called.routed = True
            called.vrf = _text(row, "vrf_name") or called.vrf
            if second:
                called.addresses.append(second)

    def _port(self, row: Row) -> None:
        called = self._called[row.key]
        called.description = _text(row, "description")
        called.aliases = [a for a in (_text(row, "alias"),) if a and a != row.key]
        mode = _text(row, "mode")
        if mode:
            called.routed = mode == "routed"

    def labels(self, port: str, bound: Sequence[str]) -> Labels:
        """The labels of a port; what is said of its channel holds for it too."""
        lag = self.lag_of.get(port, "")
        own = self._called.get(port, _Called())
        channel = self._called.get(lag, _Called())
        addresses = (*own.addresses, *channel.addresses)
        vlans = frozenset(own.vlans | channel.vlans)
        return Labels(
            description=own.description,
            vlans=vlans,
            vrf=own.vrf or channel.vrf,
            routed=channel.routed if own.routed is None or channel.routed is not None else own.routed,
            lag=lag,
            names=tuple(bound),
            aliases=tuple(own.aliases),
            addresses=addresses,
            untagged=bool(addresses or vlans) and not (own.takes_tags or channel.takes_tags),
            peer_link=not self.peer_links.isdisjoint({port, lag} - {""}),
        )


def _parent(subinterface: str) -> str:
    """The port of a subinterface, which may be called `Ethernet0.711` or `Eth0.711`."""
    port = subinterface.partition(".")[0]
    found = _SHORT_NAME.fullmatch(port)
    return _WHOLE[found[1]] + found[2] if found is not None else port


def _text(row: Row, name: str) -> str:
    value = row.fields.get(name)
    return value[:255] if isinstance(value, str) else ""


def neighbours(rows: Iterable[Row]) -> Iterator[Neighbour]:
    """The far ends that DEVICE_NEIGHBOR states; its key is the local port, or in older databases the neighbour."""
    for row in rows:
        if row.table == "DEVICE_NEIGHBOR" and not row.written:
            port, system = _text(row, "local_port") or row.key, _text(row, "name") or row.key
            found = neighbour(port, row.place(), system=system, port_id=_text(row, "port"))
            if found is not None:
                yield replace(found, configured=True)
