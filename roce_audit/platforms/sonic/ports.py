"""Keys of rows: which port, which queue; and what people call the ports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from roce_audit.platforms.base import Labels
from roce_audit.platforms.sonic.database import Row
from roce_audit.platforms.sonic.tables import NUMBERED

_LONGEST_LIST = 4_096
CPU = "CPU"
"""The row of QUEUE that is no port's."""
_KINDS = (("Ethernet-BP", "fabric"), ("Ethernet-IB", "recirculation"), ("Ethernet-Rec", "recirculation"))


@dataclass(frozen=True, slots=True)
class Target:
    """Where a row of a port table belongs: `where` is the text after the port, the queue or group."""

    ports: tuple[str, ...]
    where: str = ""


@dataclass(frozen=True, slots=True)
class Here:
    """Who this switch is among the line cards of a chassis; empty where nobody said."""

    host: str = ""
    asic: str = ""

    def is_local(self, host: str, asic: str) -> bool:
        """Whether a key of a chassis names a port of this switch."""
        return self.host.lower() in ("", host.lower()) and self.asic.lower() in ("", asic.lower())


def target(table: str, key: str, here: Here) -> Target | None:
    """What a key names: `Ethernet0`, `Ethernet0,Ethernet4|3-4`, `host|asic|Ethernet0|3`; None for another card's port.

    A key of another form names no port.
    """
    pieces = key.split("|")
    if table not in NUMBERED:
        return Target(tuple(key.split(",")[:_LONGEST_LIST]))
    if len(pieces) == 4:
        host, asic, port, where = pieces
        return Target((port,), where) if here.is_local(host, asic) else None
    return Target(tuple(pieces[0].split(",")[:_LONGEST_LIST]), "|".join(pieces[1:]))


def whose(rows: Iterable[Row], host: str, asic: str) -> Here:
    """Who this switch is: as DEVICE_METADATA says, else the only one that its keys name."""
    if host or asic:
        return Here(host, asic)
    cards = {tuple(r.key.split("|")[:2]) for r in rows if r.table in NUMBERED and r.key.count("|") == 3}
    if len(cards) == 1:
        return Here(*next(iter(cards)))
    return Here("?", "?") if cards else Here()


def kind(name: str) -> str:
    """The kind of a port by its name; `role` of its row may say otherwise."""
    return next((found for prefix, found in _KINDS if name.startswith(prefix)), "ethernet")


@dataclass
class _Called:
    description: str = ""
    vlans: set[int] = field(default_factory=set)
    vrf: str = ""
    routed: bool | None = None
    aliases: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    neighbour: str = ""


class Names:
    """Labels and channel membership of all ports of one database."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self._called: dict[str, _Called] = defaultdict(_Called)
        self.lag_of: dict[str, str] = {}
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
            if first.startswith("Vlan") and first[4:].isdigit() and len(first) < 9:
                called.vlans.add(int(first[4:]))
        elif row.table in ("INTERFACE", "PORTCHANNEL_INTERFACE"):
            called = self._called[first]
            called.routed = True
            called.vrf = _text(row, "vrf_name") or called.vrf
            if second:
                called.addresses.append(second)
        elif row.table == "DEVICE_NEIGHBOR":
            local = _text(row, "local_port") or row.key
            far = [_text(row, "name") or row.key, _text(row, "port")]
            self._called[local].neighbour = ":".join(f for f in far if f)

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
        return Labels(
            description=own.description,
            vlans=frozenset(own.vlans | channel.vlans),
            vrf=own.vrf or channel.vrf,
            routed=channel.routed if own.routed is None or channel.routed is not None else own.routed,
            lag=lag,
            names=tuple(bound),
            aliases=tuple(own.aliases),
            addresses=(*own.addresses, *channel.addresses),
            neighbour=own.neighbour,
        )


def _text(row: Row, name: str) -> str:
    value = row.fields.get(name)
    return value[:255] if isinstance(value, str) else ""
