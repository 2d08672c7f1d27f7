"""Given paths: the ways that the policy's path file says traffic takes, followed over the cables there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from roce_audit.fabric.links import LinkView
from roce_audit.fabric.routes import Route, Routes, Wire
from roce_audit.policy.values import GivenPath
from roce_audit.text import globs
from roce_audit.values import Place

Steps = tuple[tuple[Wire, ...], ...]


class GivenPaths:
    """The entries of a path file: the first that speaks of two ends holds."""

    def __init__(self, entries: Iterable[GivenPath]) -> None:
        written = tuple(entries)
        self._entries = tuple(
            e for entry in written for e in ([entry] if entry.one_way else [entry, _backwards(entry)])
        )
        self._written = written

    def __bool__(self) -> bool:
        return bool(self._entries)

    def about(self, name: str) -> frozenset[int]:
        """Numbers that are the same for switches of which the file says the same."""
        ends = ((entry.start, entry.end) for entry in self._entries)
        return frozenset(number for number, both in enumerate(ends) if any(globs.matches(end, name) for end in both))

    def between(self, routes: Routes, starts: Collection[str], ends: Collection[str]) -> Route | None:
        """The way from one switch to another; None where the file says nothing of them.

        `starts` and `ends` hold the switch first, then its host where there is one. A way that no cables lead has no steps.
        """
        entry = next((e for e in self._entries if _is_one(e.start, starts) and _is_one(e.end, ends)), None)
        if entry is None:
            return None
        steps = follow(routes, {next(iter(starts))}, entry.via, {next(iter(ends))})
        return Route("", steps, given=(entry.at,))

    def unused(self, routes: Routes, hosts: Mapping[str, Collection[str]]) -> Iterator[tuple[Place, str]]:
        """The entries that name nothing here or that no cables lead, each with a clause. `hosts`: switch -> hosts cabled to it."""
        switches = list(hosts)
        for entry in self._written:
            ends = [_at(pattern, hosts) for pattern in (entry.start, entry.end)]
            steps = [[name for name in switches if _is_any(step, name)] for step in entry.via]
            named = [
                (entry.start, ends[0]),
                *((" or ".join(s), found) for s, found in zip(entry.via, steps, strict=True)),
            ]
            strangers = [pattern for pattern, found in (*named, (entry.end, ends[1])) if not found]
            if strangers:
                yield entry.at, f"this path names {' and '.join(strangers)}, and no switch or host here is called so"
            elif not follow(routes, ends[0], entry.via, ends[1]) and ends[0].isdisjoint(ends[1]):
                yield entry.at, f"no cables lead from {entry.start} to {entry.end} as this path says"


def hosts_at(links: Iterable[LinkView]) -> Mapping[str, Collection[str]]:
    """Switch -> the hosts that are cabled to it; a switch without any is there, too."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for link in links:
        for port, far in ((link.a, link.b), (link.b, link.a)):
            if not port.is_nic:
                found[port.device.name].update({far.device.name: None} if far.is_nic else {})
    return found


def follow(routes: Routes, starts: Collection[str], via: Sequence[Sequence[str]], ends: Collection[str]) -> Steps:
    """The wires of all ways over these switches, step by step; none where there is no way."""
    steps: list[tuple[Wire, ...]] = []
    present = list(starts)
    for allowed in (*via, None):
        wires = [
            wire
            for name in present
            for wire in routes.wires_from(name)
            if _leads_on(wire.entering.device.name, allowed, ends)
        ]
        steps.append(tuple(wires))
        present = list(dict.fromkeys(wire.entering.device.name for wire in wires))
    arriving = set(ends)
    for number in reversed(range(len(steps))):  # what leads to a switch without a cable onwards carries nothing
        steps[number] = tuple(wire for wire in steps[number] if wire.entering.device.name in arriving)
        arriving = {wire.leaving.device.name for wire in steps[number]}
    return tuple(steps) if all(steps) else ()


def _leads_on(name: str, allowed: Sequence[str] | None, ends: Collection[str]) -> bool:
    return name in ends if allowed is None else _is_any(allowed, name) and name not in ends


def _backwards(entry: GivenPath) -> GivenPath:
    return replace(entry, start=entry.end, end=entry.start, via=entry.via[::-1])


def _is_one(pattern: str, names: Iterable[str]) -> bool:
    return any(globs.matches(pattern, name) for name in names)


def _is_any(patterns: Iterable[str], name: str) -> bool:
    return any(globs.matches(pattern, name) for pattern in patterns)


def _at(pattern: str, hosts: Mapping[str, Collection[str]]) -> set[str]:
    """The switches of this name, and those that its hosts are cabled to."""
    return {switch for switch, there in hosts.items() if _is_one(pattern, (switch, *there))}
