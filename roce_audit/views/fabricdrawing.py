"""What is drawn of fabrics: devices in tiers, put together where they are many, with the links between them and the worst failures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from roce_audit.engine.findings import Severity
from roce_audit.report.drawing import Box, Bundle, DrawnDevice, DrawnFabric
from roce_audit.report.worst import Worst, rank
from roce_audit.text.names import natural

MOST = 20
"""Boxes of one tier; more devices than that share boxes."""
MOST_LOOSE = 64
"""Boxes of a fabric of which no link is known."""


def fabric_drawings(
    devices: Sequence[DrawnDevice], links: Iterable[tuple[str, str]], device_of: Mapping[str, str], worst: Worst
) -> Iterator[DrawnFabric]:
    """Each fabric. `links` are pairs of port ids, `device_of` has the device of each of these ports."""
    by_fabric: dict[str, list[DrawnDevice]] = defaultdict(list)
    for device in devices:
        by_fabric[device.fabric].append(device)
    ends: dict[str, list[tuple[str, str]]] = defaultdict(list)
    fabric_of = {device.name: device.fabric for device in devices}
    for a, b in links:
        ends[fabric_of[device_of[a]]].append((a, b))
    for name, its in by_fabric.items():
        boxes = _boxes(its, ends[name], device_of, worst)
        where = {device: i for i, box in enumerate(boxes) for device in box.names}
        bundles = _bundles(ends[name], device_of, where, worst)
        yield DrawnFabric(name, tuple(boxes), tuple(bundles), len(ends[name]))


def _boxes(
    devices: Sequence[DrawnDevice], links: Sequence[tuple[str, str]], device_of: Mapping[str, str], worst: Worst
) -> Sequence[Box]:
    beside: dict[str, set[str]] = defaultdict(set)
    for a, b in links:
        beside[device_of[a]].add(device_of[b])
        beside[device_of[b]].add(device_of[a])
    boxes: list[Box] = []
    for tier in sorted({device.tier for device in devices}, reverse=True):
        mine = sorted((d.name for d in devices if d.tier == tier), key=natural)
        for names in _together(mine, beside) if links else _chunks(mine, MOST_LOOSE):
            boxes.append(Box(tuple(names), tier, _worst(worst.devices.get(device, "none") for device in names)))
    return boxes


def _together(names: list[str], beside: Mapping[str, set[str]]) -> list[list[str]]:
    """At most MOST boxes: first devices with the same neighbours share one, then neighbours in name."""
    if len(names) <= MOST:
        return [[name] for name in names]
    alike: dict[frozenset[str], list[str]] = defaultdict(list)
    for name in names:
        alike[frozenset(beside[name])].append(name)
    groups = list(alike.values())
    if len(groups) <= MOST:
        return groups
    return _chunks(names, MOST)


def _chunks(names: list[str], most: int) -> list[list[str]]:
    """Neighbours in name, in at most so many groups."""
    step = max(-(-len(names) // most), 1)
    return [names[i : i + step] for i in range(0, len(names), step)]


def _bundles(
    links: Iterable[tuple[str, str]], device_of: Mapping[str, str], where: Mapping[str, int], worst: Worst
) -> Iterator[Bundle]:
    found: dict[tuple[int, int], tuple[int, Severity, str]] = {}
    for a, b in links:
        here, there = where.get(device_of[a], -1), where.get(device_of[b], -1)
        i, k = (here, there) if here < there else (there, here)
        if i < 0 or i == k:
            continue
        links_before, before, port = found.get((i, k), (0, "none", a))
        at_most = min(rank(worst.ends.get(a, "none")), rank(worst.ends.get(b, "none")))
        if at_most < rank(before):  # most links of a bundle are no worse than those before them
            by_id = {end: worst.places.get(end, "none") for end in (a, b, " <-> ".join(sorted((a, b))))}
            severity = _worst(by_id.values())
            if rank(severity) < rank(before):
                before, port = severity, next((end for end in (a, b) if by_id[end] == severity), a)
        found[(i, k)] = (links_before + 1, before, port)
    return (Bundle(i, k, *of) for (i, k), of in found.items())


def _worst(found: Iterable[Severity]) -> Severity:
    return min(found, key=rank, default="none")
