"""Statements that contradict each other whatever port they are for: shares of the buffer, and MTUs one inside the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from roce_audit.model import Device
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.defaults import CLASS_QUEUES, DEFAULTS
from roce_audit.platforms.junos.names import PHYSICAL
from roce_audit.platforms.junos.pausing import pausing
from roce_audit.platforms.junos.table import TABLE
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.junos.config import Configuration

_ALL = 100
_CLASS = "forwarding-classes class *"
_NAMES = {"ingress": ("lossless", "lossless-headroom", "lossy"), "egress": ("lossless", "lossy", "multicast")}


_ETHERNET_BYTES = 14
_MTU = "mtu"
_OF_SET = "forwarding-class-set * output-traffic-control-profile"


def contradictions(config: Configuration, device: Device) -> Iterator[Seen]:
    """Everything of this kind in one configuration."""
    yield from _partitions(config, device)
    yield from _sizes(config)
    yield from _curves(config)
    yield from _sets(config)
    yield from pausing(config)
    if config.whole:
        yield from _without_queue(config)


def _sets(config: Configuration) -> Iterator[Seen]:
    """A class that the scheduler map of a set schedules is in that set; elsewhere nothing of what is said of it there holds."""
    told: dict[tuple[frozenset[tuple[str, str]], str, str], list[str]] = {}
    maps: dict[str, list[str]] = {}
    for port, thing in config.bindings.items():
        leaves = [leaf for text, _ in thing.said if isinstance(leaf := TABLE.parse("binding", text).value, Leaf)]
        given = {str(leaf.keys[0]): str(leaf.value) for leaf in leaves if leaf.name == _OF_SET}
        for profile in given.values():
            maps[profile] = _values(config, "traffic-control-profile", profile, "scheduler-map")
            for name in maps[profile]:
                told.setdefault((frozenset(given.items()), profile, name), []).append(port)
    is_all_seen = config.whole and not config.undefined_groups
    for (bound, profile, scheduled), ports in told.items():
        members = {one: _values(config, "forwarding-class-set", one, "class") for one, _ in sorted(bound)}
        needed = [("scheduler-map", scheduled), *(("forwarding-class-set", one) for one in members)]
        if not (is_all_seen or all(members.values())) or not all(one in config.objects for one in needed):
            continue
        fitting = _scheduled_in_place(config, bound, members, maps)
        for written, place in config.objects["scheduler-map", scheduled].said:
            leaf = TABLE.parse("scheduler-map", written).value
            if isinstance(leaf, Leaf) and leaf.keys and str(leaf.keys[0]) not in fitting:
                name = str(leaf.keys[0])
                other = next((one for one, names in members.items() if name in names), "")
                where = (
                    f"set {other}, not in one of {profile}" if other else f"no set of the port ({', '.join(members)})"
                )
                text = f"{profile} schedules class {name}, which is in {where}"
                yield seen("conflict", scheduled, text, place, f"scheduler-map {scheduled}", tuple(ports))


def _scheduled_in_place(
    config: Configuration, bound: Iterable[tuple[str, str]], members: dict[str, list[str]], maps: dict[str, list[str]]
) -> set[str]:
    """The classes that the scheduler maps of the very sets schedule in which they are."""
    found: set[str] = set()
    for one, profile in bound:
        for name in maps[profile]:
            found |= _keys(config, "scheduler-map", name).intersection(members[one])
    return found


def _keys(config: Configuration, kind: str, name: str) -> set[str]:
    """What the statements of one object are about."""
    said = config.objects[kind, name].said if (kind, name) in config.objects else ()
    leaves = (TABLE.parse(kind, text).value for text, _ in said)
    return {str(leaf.keys[0]) for leaf in leaves if isinstance(leaf, Leaf) and leaf.keys}


def _values(config: Configuration, kind: str, name: str, row: str) -> list[str]:
    """The values of the statements of one object that begin so."""
    said = config.objects[kind, name].said if (kind, name) in config.objects else ()
    leaves = (TABLE.parse(kind, text).value for text, _ in said)
    return [str(leaf.value) for leaf in leaves if isinstance(leaf, Leaf) and leaf.name == row]


def _curves(config: Configuration) -> Iterator[Seen]:
    """The points of a curve are a fill level and a probability each."""
    for (kind, name), thing in config.objects.items():
        if kind != "drop-profile":
            continue
        points: dict[str, list[tuple[int, Place]]] = {"interpolate fill-level": [], "interpolate drop-probability": []}
        for text, place in thing.said:
            leaf = TABLE.parse(kind, text).value
            if isinstance(leaf, Leaf) and leaf.name in points:
                points[leaf.name].append((int(str(leaf.value)), place))
        levels, chances = points.values()
        if len(levels) != len(chances):
            text = f"drop-profile {name} has {len(levels)} of fill-level and {len(chances)} of drop-probability, which go in pairs"
            yield seen("conflict", name, text, (levels or chances)[-1][1], f"drop-profile {name}", ())
        elif _rises(levels) and not _rises(chances):
            written = " ".join(str(chance) for chance, _ in chances)
            text = f"drop-profile {name} falls: while the queue fills, its probabilities are {written}"
            yield seen("conflict", name, text, chances[-1][1], f"drop-profile {name}", ())


def _rises(numbers: list[tuple[int, Place]]) -> bool:
    return all(one[0] <= other[0] for one, other in pairwise(numbers))


def _sizes(config: Configuration) -> Iterator[Seen]:
    """The MTU of a protocol, and the Ethernet header, fit into the MTU of the interface."""
    default = DEFAULTS["mtu"].value
    found: dict[tuple[int, int, tuple[Place, ...]], list[str]] = {}
    for name, thing in config.interfaces.items():
        if not PHYSICAL.match(name) and not name.startswith("ae"):
            continue
        frame = default if config.whole and not config.called[name].lag and not config.undefined_groups else None
        inner: tuple[int, Place] | None = None
        outer: tuple[Place, ...] = ()
        for text, place in thing.said:
            leaf = TABLE.parse("interface", text).value
            if not isinstance(leaf, Leaf) or not leaf.name.endswith(_MTU):
                frame = None if text.startswith(_MTU) else frame
            elif leaf.name == _MTU:
                frame, outer = leaf.value, (place,)
            else:
                inner = (int(str(leaf.value)), place)
        if isinstance(frame, int) and inner is not None and inner[0] + _ETHERNET_BYTES > frame:
            found.setdefault((inner[0], frame, (inner[1], *outer)), []).append(name)
    for (size, frame, places), ports in found.items():
        text = f"family mtu {size} does not fit into the interface, whose MTU is {frame} with {_ETHERNET_BYTES} B of Ethernet header"
        yield seen("conflict", ports[0], text, places[0], f"mtu {size}", tuple(ports), *places[1:])


def _partitions(config: Configuration, device: Device) -> Iterator[Seen]:
    """Where all partitions of a direction are written, or some of them in a whole configuration, they make up the whole.

    Junos Evolved takes less of the egress buffer; no example was found of an ingress buffer that is not given out whole.
    """
    evolved = device.os_version.is_known and device.os_version.get().endswith("EVO")
    given = _percentages(config)
    for direction, names in _NAMES.items():
        shares = given.get(direction, {})
        needed = names if direction == "ingress" else names[:2]
        total = sum(percent for percent, _ in shares.values())
        classic = device.os_version.is_known and not evolved
        left_out = [name for name in needed if name not in shares]
        is_told_all = config.whole and not config.undefined_groups
        too_little = total < _ALL and (direction == "ingress" or classic) and (is_told_all or not left_out)
        nothing = {name for name, (percent, _) in shares.items() if percent == 0}
        too_little = too_little and not (is_told_all and nothing & {"lossless", "lossless-headroom"})  # told by itself
        if shares and (total > _ALL or too_little):
            listed = " + ".join(str(shares[name][0]) for name in names if name in shares)
            text = f"the {direction} partitions of the shared buffer add up to {listed} = {total} %, not to {_ALL} %"
            if left_out:
                text += f": {' and '.join(left_out)} {'is' if len(left_out) == 1 else 'are'} left out"
            place = (
                list(shares.values())[-1][1] if "lossless-headroom" not in shares else shares["lossless-headroom"][1]
            )
            quote = f"shared-buffer {direction}"
            yield seen("conflict", quote, text, place, quote, _physical(config))


def _without_queue(config: Configuration) -> Iterator[Seen]:
    """Forwarding classes that are told to lose nothing, and are given no queue."""
    lossless: dict[str, Place] = {}
    queued = set(CLASS_QUEUES)
    for text, place in config.device["cos"].said if "cos" in config.device else ():
        leaf = TABLE.parse("cos", text).value
        if not isinstance(leaf, Leaf):
            queued.update(text.split())  # a line that is not understood may give one to what it names
        elif leaf.name.startswith(f"{_CLASS} ") and leaf.name.endswith((" no-loss", " pfc-priority")):
            lossless.setdefault(str(leaf.keys[0]), place)
        elif leaf.name == f"{_CLASS} queue-num":
            queued.add(str(leaf.keys[0]))
        elif leaf.name == "forwarding-classes queue *":
            queued.add(str(leaf.value))
    for name, place in lossless.items():
        if name not in queued:
            text = "this forwarding class has no queue-num: nothing says in which queue its packets wait"
            yield seen("undefined", name, text, place, f"class {name}", _physical(config))


def _physical(config: Configuration) -> tuple[str, ...]:
    return tuple(name for name in config.interfaces if name.startswith(("et-", "xe-", "ge-")))


def _percentages(config: Configuration) -> dict[str, dict[str, tuple[int, Place]]]:
    """Direction -> partition -> its share and where it is said."""
    found: dict[str, dict[str, tuple[int, Place]]] = {}
    for text, place in config.device["cos"].said if "cos" in config.device else ():
        leaf = TABLE.parse("cos", text).value
        if isinstance(leaf, Leaf) and leaf.name.endswith("percent") and "buffer-partition" in leaf.name:
            direction = leaf.name.split()[1]
            found.setdefault(direction, {})[str(leaf.keys[0])] = (int(str(leaf.value)), place)
    return found
