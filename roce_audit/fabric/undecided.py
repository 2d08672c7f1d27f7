"""Ports of which nobody can say whether they carry RoCE: one observation per group of look-alikes, with the policy text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ranges import short
from roce_audit.fabric.site import FabricView
from roce_audit.model import Observation
from roce_audit.platforms.base import Seen
from roce_audit.values import known

_MOST_LINES = 6
_MOST_GROUPS = 6
"""Beyond these the smallest groups are told together: many ports that are alike to nobody are one question, not many."""


def observations(fabric: FabricView) -> Iterator[Seen]:
    """One observation per group of undecided ports that look alike. A fabric without any lossless element asks another question."""
    if not fabric.facts.any_lossless.value and not fabric.classes.roce:
        return
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in fabric.ports:
        if port.roce.rank == "none":
            groups[(port.device.platform, *port.similarity)].append(port)
    largest_first = sorted(groups.values(), key=len, reverse=True)
    cut = len(groups) if len(groups) <= _MOST_GROUPS else _MOST_GROUPS - 1
    for members in largest_first[:cut]:
        yield _seen(members, members[0].reading.labels.description)
    if cut < len(groups):
        yield _seen([port for members in largest_first[cut:] for port in members], "")


def _seen(members: Sequence[FabricPort], about: str) -> Seen:
    by_device: dict[str, list[str]] = defaultdict(list)
    for port in members:
        by_device[port.device.name].append(port.reading.name)
    lines = [
        f'- {{match: "{device}:{run}", roce: false}}' for device, names in by_device.items() for run in short(names)
    ]
    first = members[0]
    named = f" ('{about}')" if about else ""
    names = ", ".join(f"{device}:{','.join(short(ports))}" for device, ports in list(by_device.items())[:3])
    more = f" and {len(by_device) - 3} more devices" if len(by_device) > 3 else ""
    text = (
        f"nothing says whether {names}{more}{named} carry RoCE, so rules about missing settings are not asked there; "
        f"say it in the policy, e.g. ports: {' '.join(lines[:_MOST_LINES])}"
    )
    place = first.reading.header
    observation = Observation(
        "roce-undecided", names + more, text, known(False, place), known(first.reading.name, place)
    )
    device = first.device.name if len(by_device) == 1 else ""
    return Seen(observation, place, first.reading.name, tuple(port.reading.name for port in members), device)
