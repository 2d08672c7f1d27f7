"""Statements that contradict each other whatever port they are for: shares of the buffer, and MTUs one inside the other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from roce_audit.model import Device
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.defaults import CLASS_QUEUES, DEFAULTS
from roce_audit.platforms.junos.names import PHYSICAL
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.junos.values import of_code_point
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.junos.config import Configuration

_ALL = 100
_CLASS = "forwarding-classes class *"
_NAMES = {"ingress": ("lossless", "lossless-headroom", "lossy"), "egress": ("lossless", "lossy", "multicast")}


_ETHERNET_BYTES = 14
_MTU = "mtu"


def contradictions(config: Configuration, device: Device) -> Iterator[Seen]:
    """Everything of this kind in one configuration."""
    yield from _partitions(config, device)
    yield from _sizes(config)
    yield from _curves(config)
    if config.whole:
        yield from _without_queue(config)
    else:  # of a whole one it is known which packets enter where, and rules tell more
        yield from _points(config)


def _points(config: Configuration) -> Iterator[Seen]:
    """Code points that a port's profile pauses, beside those that its classifier leads into classes without loss.

    One that one of the two lacks while they agree in most is a slip; that they have none in common is one, too.
    """
    lossless = {
        leaf.keys[0]
        for text, _ in (config.device["cos"].said if "cos" in config.device else ())
        if isinstance(leaf := TABLE.parse("cos", text).value, Leaf) and leaf.name.endswith("class * no-loss")
    }
    told: dict[tuple[str, str], list[str]] = {}
    for port in config.bindings if lossless else ():
        profiles, classifiers = _bound_at(config, port)
        for profile in profiles:
            for classifier in classifiers:
                told.setdefault((profile, classifier), []).append(port)
    for (profile, classifier), ports in told.items():
        paused = _code_points(config, "congestion-notification-profile", profile, "input dscp code-point * pfc")
        led = _code_points(config, "dscp-classifier", classifier, "forwarding-class * loss-priority * code-point")
        if not paused or led is None or not (kept := {dscp: at for dscp, at in led.items() if at[0] in lossless}):
            continue
        common, unpaused, lossy = paused.keys() & kept.keys(), kept.keys() - paused.keys(), paused.keys() - kept.keys()
        if unpaused and len(unpaused) < len(common):
            dscp = min(unpaused)
            name, place = kept[dscp]
            text = f"classifier {classifier} leads DSCP {dscp} into {name}, which is no-loss, and {profile} does not pause for it"
            yield seen("conflict", classifier, text, place, profile, tuple(ports))
        if lossy and (not common or len(lossy) < len(common)):
            dscp = min(lossy)
            where = f"leads it into {led[dscp][0]}" if dscp in led else "leads it into no class without loss"
            text = f"{profile} pauses for DSCP {dscp}, and classifier {classifier} {where}: nothing of the class is paused by it"
            yield seen("conflict", profile, text, paused[dscp][1], profile, tuple(ports))


def _bound_at(config: Configuration, port: str) -> tuple[set[str], set[str]]:
    """The profiles of congestion notification and the classifiers of DSCPs that are bound to an interface, or to all where it has none."""
    found: tuple[set[str], set[str]] = (set(), set())
    for each in dict.fromkeys((port, "all")):
        for text, _ in config.bindings[each].said if each in config.bindings else ():
            leaf = TABLE.parse("binding", text).value
            if not isinstance(leaf, Leaf):
                continue
            for names, its in zip(found, ("congestion-notification-profile", "classifiers dscp"), strict=True):
                if leaf.name.endswith(its) and (each == port or not names):
                    names.add(str(leaf.value))
    return found


def _code_points(config: Configuration, kind: str, name: str, row: str) -> dict[int, tuple[str, Place]] | None:
    """DSCP -> the first name in its statement, and its place; None where not all of them are known."""
    found: dict[int, tuple[str, Place]] = {}
    if (kind, name) not in config.objects:
        return None
    own = _own_aliases(config)
    for text, place in config.objects[kind, name].said:
        leaf = TABLE.parse(kind, text).value
        if not isinstance(leaf, Leaf) or leaf.name == "import":
            return None
        if leaf.name.removesuffix("s") != row:
            continue
        written = str(leaf.keys[0] if leaf.value is None else leaf.value)
        dscp = of_code_point(written, "dscp", own)
        if dscp is None:
            return None
        found[dscp] = (str(leaf.keys[0]), place)
    return found


def _own_aliases(config: Configuration) -> dict[str, str]:
    """The aliases of DSCPs that the configuration gives, each with what is written for it."""
    leaves = (
        TABLE.parse("cos", text).value for text, _ in (config.device["cos"].said if "cos" in config.device else ())
    )
    return {
        str(leaf.keys[0]): str(leaf.value)
        for leaf in leaves
        if isinstance(leaf, Leaf) and leaf.name == "code-point-aliases dscp *" and leaf.keys
    }


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
    found: dict[tuple[Place, int, int], list[str]] = {}
    for name, thing in config.interfaces.items():
        if not PHYSICAL.match(name) and not name.startswith("ae"):
            continue
        frame = default if config.whole and not config.called[name].lag and not config.undefined_groups else None
        inner: tuple[int, Place] | None = None
        for text, place in thing.said:
            leaf = TABLE.parse("interface", text).value
            if not isinstance(leaf, Leaf) or not leaf.name.endswith(_MTU):
                frame = None if text.startswith(_MTU) else frame
            elif leaf.name == _MTU:
                frame = leaf.value
            else:
                inner = (int(str(leaf.value)), place)
        if isinstance(frame, int) and inner is not None and inner[0] + _ETHERNET_BYTES > frame:
            found.setdefault((inner[1], inner[0], frame), []).append(name)
    for (place, size, frame), ports in found.items():
        text = f"family mtu {size} does not fit into the interface, whose MTU is {frame} with {_ETHERNET_BYTES} B of Ethernet header"
        yield seen("conflict", ports[0], text, place, f"mtu {size}", tuple(ports))


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
        too_little = total < _ALL and (direction == "ingress" or classic) and (config.whole or not left_out)
        if shares and (total > _ALL or too_little):
            listed = " + ".join(str(shares[name][0]) for name in names if name in shares)
            text = f"the {direction} partitions of the shared buffer add up to {listed} = {total} %, not to {_ALL} %"
            if left_out and config.whole:
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
            continue
        if leaf.name.startswith(f"{_CLASS} ") and leaf.name.endswith((" no-loss", " pfc-priority")):
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
