"""Given paths: the ways that the policy's path file says traffic takes, followed over the cables there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.traffic.routes import Route, Routes, Wire
from roce_audit.policy.values import GivenPath
from roce_audit.values import Place

Steps = tuple[tuple[Wire, ...], ...]


class GivenPaths:
    """The entries of a path file: the first that speaks of two ends holds."""

    def __init__(self, entries: Iterable[GivenPath]) -> None:
        written = tuple(entries)
        self._entries = tuple(e for entry in written for e in ([entry] if entry.one_way else [entry, entry.backwards]))
        self._written = written

    def __bool__(self) -> bool:
        return bool(self._entries)

    def about(self, name: str) -> frozenset[int]:
        """Numbers that are the same for switches or hosts of which the file says the same."""
        said = (is_named((name,)) for entry in self._entries for is_named in (entry.begins_at, entry.ends_at))
        return frozenset(number for number, is_named in enumerate(said) if is_named)

    def between(self, routes: Routes, starts: Collection[str], ends: Collection[str]) -> Route | None:
        """The way from one switch to another; None where the file says nothing of them.

        `starts` and `ends` hold the switch first, then its host where there is one. A way that no cables lead has no steps.
        """
        entry = next((e for e in self._entries if e.begins_at(starts) and e.ends_at(ends)), None)
        if entry is None:
            return None
        steps = _follow(routes, {next(iter(starts))}, entry, {next(iter(ends))})
        return Route("", steps, given=(entry.at,))

    def unused(self, routes: Routes, hosts: Mapping[str, Collection[str]]) -> Iterator[tuple[Place, str]]:
        """The entries that name nothing here or that no cables lead, each with a clause. `hosts`: switch -> hosts cabled to it."""
        for entry in self._written:
            starts = {switch for switch, there in hosts.items() if entry.begins_at((switch, *there))}
            ends = {switch for switch, there in hosts.items() if entry.ends_at((switch, *there))}
            steps = (any(entry.passes(step, switch) for switch in hosts) for step in range(len(entry.via)))
            named = [(entry.start, starts), *zip(map(" or ".join, entry.via), steps, strict=True), (entry.end, ends)]
            strangers = [pattern for pattern, found in named if not found]
            if strangers:
                yield entry.at, f"this path names {' and '.join(strangers)}, and no switch or host here is called so"
            elif not _follow(routes, starts, entry, ends) and starts.isdisjoint(ends):
                yield entry.at, f"no cables lead from {entry.start} to {entry.end} as this path says"


def hosts_at(links: Iterable[LinkView]) -> Mapping[str, Collection[str]]:
    """Switch -> the hosts that are cabled to it; a switch without any is there, too."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for link in links:
        for port, far in ((link.a, link.b), (link.b, link.a)):
            if not port.is_nic:
                found[port.device.name].update({far.device.name: None} if far.is_nic else {})
    return found


def _follow(routes: Routes, starts: Collection[str], entry: GivenPath, ends: Collection[str]) -> Steps:
    """The wires of all ways over the switches of an entry, step by step; none where there is no way."""
    steps: list[tuple[Wire, ...]] = []
    present = list(starts)
    for step in range(len(entry.via) + 1):

        def leads_on(name: str, step: int = step) -> bool:
            return name in ends if step == len(entry.via) else entry.passes(step, name) and name not in ends

        wires = [wire for name in present for wire in routes.wires_from(name) if leads_on(wire.entering.device.name)]
        steps.append(tuple(wires))
        present = list(dict.fromkeys(wire.entering.device.name for wire in wires))
    arriving = set(ends)
    for number in reversed(range(len(steps))):  # what leads to a switch without a cable onwards carries nothing
        steps[number] = tuple(wire for wire in steps[number] if wire.entering.device.name in arriving)
        arriving = {wire.leaving.device.name for wire in steps[number]}
    return tuple(steps) if all(steps) else ()
