"""Proposals: what might fix a failure. Similar ports come first (what stands on the neighbour's port is known to be accepted
here), then the rule's own repair, then taking the statement away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from pathlib import PurePath

from roce_audit import platforms
from roce_audit.engine.conditions.expressions import Bound
from roce_audit.engine.conditions.logic import Path, dotted
from roce_audit.engine.outcomes import Outcome
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjects import Subject, cnp_at
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import Site
from roce_audit.fixing.cells import cell_of, in_words, lines_of, odd_settings
from roce_audit.fixing.setups import rewritten
from roce_audit.model import Class
from roce_audit.model.pathwords import words
from roce_audit.platforms.repair import Change, Edit, Repairs, Texts, changed_words, each_line_once, together
from roce_audit.records import dataclass

_SECURITY = "security"
"""The tag of rules about what people set up to keep others out."""
_MOST_SIMILAR = 2
_MOST_LINES = 8
"""Lines of one setting that are tried to be taken away, one at a time."""
_MOST_AT_BOTH = 3
"""Ways at each end of a link that are tried together."""
_ENDS = {"a": "port", "b": "port", "a_hop": "hop", "b_hop": "hop"}
_OWN = frozenset({"port", "hop", "cnp_hop", "nic", "app"})


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes on one or several devices that belong together. `how` says where they come from, in words."""

    how: str
    changes: tuple[tuple[str, Change], ...]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of all its changes."""
        return tuple(each_line_once(edit for _, change in self.changes for edit in change.edits))


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to fix one failure; `key` is the same for the same way of another failure."""

    key: tuple[object, ...]
    how: str
    changes: tuple[tuple[str, Change], ...]


_OneChange = tuple[tuple[object, ...], str, Change]
"""A way of one change: its key, where it comes from in words, the change."""


@dataclass(frozen=True, slots=True)
class _End:
    """One end of a failure."""

    port: FabricPort
    cls: Class | None
    repairs: Repairs
    objects: Mapping[str, object]
    """What its paths begin at."""
    paths: Sequence[Path]
    """What decided there."""
    similar: Sequence[FabricPort]
    failing: frozenset[str]
    """Ids of all ports that fail alike."""


class _Ways:
    """The ways of one failure, worked out as far as they are asked for: the last ones write whole files anew."""

    def __init__(self, ways: Iterator[_Way]) -> None:
        self._ahead = ways
        self._found: dict[tuple[object, ...], _Way] = {}

    def of(self, key: tuple[object, ...]) -> _Way | None:
        """The first way of this key."""
        while key not in self._found:
            way = next(self._ahead, None)
            if way is None:
                return None
            self._found.setdefault(way.key, way)
        return self._found[key]


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure to fix: its subject, and the similar ports on which the rule does not fail."""

    rule: Rule
    outcome: Outcome
    subject: Subject


class Proposer:
    """Proposals for the failures of one run."""

    def __init__(
        self,
        site: Site,
        texts: Texts,
        parameters: Mapping[str, Mapping[str, object]],
        unapplied: Mapping[str, Sequence[str]],
    ) -> None:
        self.site = site
        self.texts = texts
        self.unapplied = unapplied
        """Device -> headers of definitions that nothing applies."""
        self.parameters = parameters
        self._similar_to: dict[tuple[object, ...], list[FabricPort]] = {}
        """By what the search asks of a port: a finding of many ports asks for them once a reading."""

    def of(self, failures: Sequence[Failure], failing: frozenset[str]) -> Iterator[Proposal]:
        """What might fix all these failures of one rule, the worst first, at once; `failing` are ids of ports that are no model for
        others. Where they share a line, it is written as the worst needs it.
        """
        others = [_Ways(self._ways(failure, failing)) for failure in failures[1:]]
        for first in self._ways(failures[0], failing):
            found = [first]
            for those in others:
                way = those.of(first.key)
                if way is None:
                    break
                found.append(way)
            if len(found) == len(failures):
                changes = tuple(_each_line_once(change for way in found for change in way.changes))
                hows = dict.fromkeys(way.how for way in found)
                yield Proposal("; ".join(hows) if len(hows) == 2 else first.how, changes)

    def _ways(self, failure: Failure, failing: frozenset[str]) -> Iterator[_Way]:
        """Ways at one end, then ways at both ends of a link at once: neither may fix it without the other.

        What may stand for security is changed by people alone.
        """
        if _SECURITY in failure.rule.tags:
            return
        yield from self._renamed(failure)
        yield from self._in_files(failure)
        ends: list[list[_Way]] = []
        for number, port in enumerate(failure.subject.ports):
            repairs = platforms.repairs(port.device.platform)
            if repairs is not None:
                ends.append([])
                for key, how, change in self._at_end(failure, port, repairs, failing):
                    way = _Way((number, *key), how, ((port.device.name, change),))
                    ends[-1].append(way)
                    yield way
        if len(ends) == 2:
            for a, b in product(*(ways[:_MOST_AT_BOTH] for ways in ends)):
                yield _Way((*a.key, *b.key), f"{a.how}; at the other end {b.how}", (*a.changes, *b.changes))

    def _renamed(self, failure: Failure) -> Iterator[_Way]:
        """The name that comes near, in place of one that nothing defines."""
        seen = failure.subject.seen
        if seen is None or not seen.meant:
            return
        ports = (port for fabric in self.site.fabrics for port in fabric.ports)
        port = next((port for port in ports if port.device.name == seen.device), None)
        repairs = platforms.repairs(port.device.platform) if port is not None else None
        if port is None or repairs is None:
            return
        old = seen.observation.name
        for n, change in enumerate(repairs.rename(port.reading, seen.place, {old: seen.meant}, self.texts)):
            yield _Way(("rename", n), f"by the name {seen.meant}, which is defined", ((seen.device, change),))

    def _at_end(
        self, failure: Failure, port: FabricPort, repairs: Repairs, failing: frozenset[str]
    ) -> Iterator[_OneChange]:
        """The ways at one end, what others are known to have first."""
        cls = failure.subject.cls
        paths, similar = self._paths(failure, port), self._similar(port, failing)
        end = _End(port, cls, repairs, self._objects(port, cls), paths, similar, failing)
        yield from self._like_similar(end)
        yield from self._by_rule(failure, end)
        yield from self._applied(end)
        yield from self._wholly_like_similar(end)
        yield from self._mirrored(end)
        yield from self._taken_away(end)

    def _like_similar(self, end: _End) -> Iterator[_OneChange]:
        """What a similar port says of what decided in its own stanza, here as well."""
        for rank, other in enumerate(end.similar):
            there = self._objects(other, end.cls)
            how = f"as on the similar port {other.id}"
            all_at_once: list[Change] = []
            for path in end.paths:
                wanted = lines_of(other, there, path, own=True)
                lines = lines_of(end.port, end.objects, path, own=True)
                if wanted:
                    changes = _once_for_all(
                        end.repairs.like(end.port.reading, other.reading, lines, wanted, self.texts), end
                    )
                    all_at_once += changes[:1]
                    for number, change in enumerate(changes):
                        yield ("like", rank, path, number), how, change
            if len(all_at_once) > 1:
                yield ("like", rank, "all"), how, together(all_at_once)

    def _applied(self, end: _End) -> Iterator[_OneChange]:
        """What is defined here and applied nowhere, applied to the port."""
        for header in self.unapplied.get(end.port.device.name, ()):
            for number, change in enumerate(end.repairs.bind(end.port.reading, header, self.texts)):
                yield ("bind", header, number), f"applying what nothing applies: {header}", change

    def _wholly_like_similar(self, end: _End) -> Iterator[_OneChange]:
        """The port as a similar one is, whatever decided."""
        for rank, other in enumerate(end.similar):
            for number, change in enumerate(end.repairs.like(end.port.reading, other.reading, (), (), self.texts)):
                yield ("similar", rank, number), f"as on the similar port {other.id}", change

    def _mirrored(self, end: _End) -> Iterator[_OneChange]:
        """What the device of a similar port says of what decided, wherever that stands, here as well."""
        for rank, other in enumerate(end.similar):
            there = self._objects(other, end.cls)
            how = f"as {other.device.name} has it, where {other.id} is judged by it"
            mirrored: list[Change] = []
            for path in end.paths:
                wanted, lines = lines_of(other, there, path), lines_of(end.port, end.objects, path)
                changes = end.repairs.mirror(end.port.reading, other.reading, lines, wanted, self.texts)
                for number, change in enumerate(changes):
                    mirrored += [change] if number == 0 else []
                    yield ("mirror", rank, path, number), how, change
            if len({change.edits for change in mirrored}) > 1:
                yield ("mirror", rank, "all"), how, together(mirrored)

    def _taken_away(self, end: _End) -> Iterator[_OneChange]:
        """The statements that decided, away; never what says a share that is one, which its class would then lack."""
        shares = [path for path in end.paths if path[-1] == "share"]
        said = {path: cell_of(end.objects, path) for path in shares}
        kept = [
            line
            for path, cell in said.items()
            if cell is not None and cell.is_known and cell.value
            for line in lines_of(end.port, end.objects, path)
        ]
        for path in end.paths:
            dropped: list[Change] = []
            for at, line in enumerate(lines_of(end.port, end.objects, path)[:_MOST_LINES]):
                if line in kept:
                    continue
                for number, change in enumerate(end.repairs.drop(end.port.reading, line, self.texts)):
                    dropped += [change] if number == 0 else []
                    yield ("drop", path, at, number), "by taking the statement away", change
            if len(dropped) > 1:
                yield ("drop", path, "all"), "by taking the statements away", together(dropped)

    def _by_rule(self, failure: Failure, end: _End) -> Iterator[_OneChange]:
        """The rule's neutral repair: a model path and its value."""
        path, value, other = self._wanted(failure)
        named = failure.subject.end(str(path[0])) if path else None
        if value is None or (named is not None and named is not end.port):
            return
        path = (_ENDS.get(str(path[0]), path[0]), *path[1:])
        if failure.rule.fix is not None and failure.rule.fix.swaps:
            yield from self._swapped(end, path, other)
            return
        lines = lines_of(end.port, end.objects, path)
        changes = end.repairs.say(dotted(path), value, lines, end.port.reading, self.texts)
        for number, change in enumerate(_once_for_all(changes, end)):
            yield ("rule", number), f"{words(path)}: {in_words(path, value)}, what the rule asks for", change

    def _swapped(self, end: _End, one: Path, other: Path) -> Iterator[_OneChange]:
        """The values of two paths exchanged, in the statements that say them."""
        cells = [cell_of(end.objects, path) for path in (one, other)]
        said = [str(cell.value) for cell in cells if cell is not None and cell.is_known]
        places = dict.fromkeys(at for path in (one, other) for at in lines_of(end.port, end.objects, path))
        swap = dict(zip(said, reversed(said), strict=True))
        found = [end.repairs.rename(end.port.reading, place, swap, self.texts) for place in places]
        changes = [change for ways in found for change in ways[:1]]
        if changes:
            yield ("swap",), f"{words(one)} and {words(other)} swapped", together(changes)

    def _wanted(self, failure: Failure) -> tuple[Path, object, Path]:
        """What the rule's repair would set, and to what (None where the failure does not say), which may be what another path says."""
        compiled, written = failure.rule.compiled, failure.rule.fix
        if compiled.fix_path is None or compiled.fix_value is None or written is None or written.path is None:
            return (), None, ()
        params = failure.rule.parameters(self.parameters.get(failure.rule.id, {}))
        bound = Bound({**failure.subject.env, "params": params})
        value = compiled.fix_value(bound)
        path = compiled.fix_path(bound).path if "[" in written.path else tuple(written.path.split("."))
        return path, value.value if value.known and not value.is_absent and path else None, value.path

    def _in_files(self, failure: Failure) -> Iterator[_Way]:
        """What a file that people wrote for a host says, as the rule asks for it."""
        path, value, _ = self._wanted(failure)
        if value is None or failure.subject.device is None:
            return
        for number, change in enumerate(rewritten(failure.subject, path, value, self.texts)):
            how = f"{words(path)}: {in_words(path, value)}, what the rule asks for"
            yield _Way(("file", number), how, ((failure.subject.device.name, change),))

    def _paths(self, failure: Failure, port: FabricPort) -> list[Path]:
        """The cells of this port that decided, as paths from the port; what the rule would repair comes first."""
        found: list[Path] = []
        wanted = self._wanted(failure)[0]
        for read in (*([wanted] if wanted else []), *failure.outcome.reads):
            root = str(read[0])
            end = failure.subject.end(root) if root in _ENDS else None
            odd = odd_settings(port, read)
            if odd:
                found += odd
            elif (end is None or end is port) and _ENDS.get(root, root) in _OWN:
                found.append((_ENDS.get(root, root), *read[1:]))
        return list(dict.fromkeys(found))

    def _objects(self, port: FabricPort, cls: Class | None) -> Mapping[str, object]:
        facts = port.reading.facts
        objects: dict[str, object] = {"port": facts, "nic": nic_of(port), "app": port.application}
        if cls is not None:
            objects["hop"] = self.site.hops.of(facts, cls)
        cnp = next(fabric.classes.cnp for fabric in self.site.fabrics if fabric.name == port.fabric)
        if cnp is not None:
            objects["cnp_hop"] = self.site.hops.of(facts, cnp_at(port, cnp))
        return objects

    def _similar(self, port: FabricPort, failing: frozenset[str]) -> list[FabricPort]:
        """Ports set up for the same purpose that do not fail, each reading once.

        Those of the same device come first, then those from files of the same kind: what a playbook or a tree of JSON says
        is no line that a configuration could take over; then those of the same model and role, as a spine is no model for a leaf.
        """
        key = (port.device.name, port.fabric, id(port.reading.facts), port.roce.carries, port.similarity, port.tier)
        found = self._similar_to.get(key)
        if found is None:
            found = self._similar_to[key] = self._found_similar(port, failing)
        return found

    def _found_similar(self, port: FabricPort, failing: frozenset[str]) -> list[FabricPort]:
        fabric = next(fabric for fabric in self.site.fabrics if fabric.name == port.fabric)
        good = [
            other
            for other in fabric.ports
            if other is not port
            and other.id not in failing
            and other.roce.carries is port.roce.carries
            and other.device.platform == port.device.platform
            and other.reading.facts.kind == port.reading.facts.kind
            and other.reading.facts is not port.reading.facts
        ]
        kind = _kind_of_file(port)
        good.sort(
            key=lambda other: (
                other.device is not port.device,
                _kind_of_file(other) != kind,
                other.similarity != port.similarity,
                other.tier != port.tier,
            )
        )
        distinct = {id(other.reading.facts): other for other in reversed(good)}
        return list(reversed(distinct.values()))[:_MOST_SIMILAR]


def _once_for_all(changes: Sequence[Change], end: _End) -> list[Change]:
    """What is said of several ports is changed where it is said, if all of them fail; else for the one alone first."""
    device = end.port.device.name
    return sorted(
        changes,
        key=lambda one: not one.reaches or not end.failing.issuperset(f"{device}:{port}" for port in one.reaches),
    )


def _each_line_once(changes: Iterable[tuple[str, Change]]) -> Iterator[tuple[str, Change]]:
    """The changes without those that would only write otherwise what one before them writes."""
    written: set[tuple[str, int, int]] = set()
    for device, change in dict.fromkeys(changes):
        both = (edit for edit in change.edits if edit.old is not None and edit.new is not None)
        lines = {(edit.path, edit.line, changed_words(edit)[0]) for edit in both}
        if not lines or len(lines) < len(change.edits) or not lines <= written:
            yield device, change
        written |= lines


@lru_cache(4096)
def _suffix(path: str) -> str:
    return PurePath(path).suffix


def _kind_of_file(port: FabricPort) -> str:
    return _suffix(port.reading.header.path)
