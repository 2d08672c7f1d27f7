"""Objects of class-of-service as answers show them in force, held against the configuration: where the two differ, what is in force
counts, and is told. Answers without a configuration are all that there is of the objects.

Only what both say is compared: a class, profile or code point that an answer leaves out may be cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.shownobjects import ShownClass, ShownObjects
from roce_audit.platforms.junos.table import TABLE
from roce_audit.platforms.junos.values import of_code_point
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

if TYPE_CHECKING:
    from roce_audit.platforms.junos.config import Configuration
    from roce_audit.platforms.junos.objects import Thing

_CLASS = "forwarding-classes class *"
_PROFILE, _CLASSIFIER = "congestion-notification-profile", "dscp-classifier"
_BITS = 6
"""Of a DSCP."""
_KINDS = (("dscp", _BITS, "DSCP"), ("ieee-802.1", 3, "priority"))
"""Kind of code point, its bits, and what it is called."""
_STOPS = "output ieee-802.1 code-point * flow-control-queue"

_PARTITION = "shared-buffer ingress buffer-partition * percent"


class InForce:
    """The objects of one configuration, and what answers showed of them."""

    def __init__(self, config: Configuration, shown: ShownObjects, *, alone: bool) -> None:
        self.config = config
        self.shown = shown
        self.alone = alone

    def hold(self) -> Iterator[Seen]:
        """Let what is in force count; what is told of it."""
        for name, now in self.shown.classes.items():
            yield from self._class(name, now)
        for name, points in self.shown.paused.items():
            for kind, bits, called in _KINDS:
                of_kind = {int(point, 2): said for point, said in points.items() if len(point) == bits}
                if of_kind:
                    yield from self._pauses(name, kind, called, of_kind)
        for name, stopped in self.shown.stopped.items():
            yield from self._stops(name, stopped)
        for name, led in self.shown.led.items():
            for mark, (to, place) in led.items():
                yield from self._leads(name, mark, to, place)
        yield from self._headroom()
        if self.alone:
            yield from self._lossy()

    def _headroom(self) -> Iterator[Seen]:
        """A partition of nothing counts as one of 0 %; what is configured for it is told beside it."""
        for text, at in self.shown.used_up:
            yield seen(
                "headroom-full", "lossless headroom", text, at, "lossless headroom", tuple(self.config.interfaces)
            )
        size, place = self.shown.headroom or (None, None)
        if size != 0 or place is None:
            return
        said = [leaf for leaf in self._said("cos", "") if _is_headroom(leaf)]
        if any(leaf.value == 0 for leaf in said):
            return
        if said:
            yield self._told("lossless-headroom", "lossless headroom", f"{said[-1].value} %", "0 KB", place)
        made = {f"{_PARTITION[:-10]} lossless-headroom percent 0": place}
        self._put("cos", "", _is_headroom, made)

    def _lossy(self) -> Iterator[Seen]:
        """Of answers alone: a profile pauses what their classifier leads to a class that they show as lossy."""
        for name, points in self.shown.paused.items():
            marks = {int(point, 2): place for point, (is_on, place) in points.items() if is_on and len(point) == _BITS}
            for led in self.shown.led.values():
                for mark in marks.keys() & led.keys():
                    its = self.shown.classes.get(led[mark][0])
                    if its is not None and not its.lossless:
                        text = f"{name} pauses DSCP {mark}, and its class {led[mark][0]} is lossy: nothing is paused for it"
                        yield seen("conflict", name, text, its.place, name, tuple(self.config.interfaces), marks[mark])

    def _class(self, name: str, now: ShownClass) -> Iterator[Seen]:
        its = {leaf.name.removeprefix(f"{_CLASS} "): leaf for leaf in self._said("cos", "") if _is_of(leaf, name)}
        if not self.alone:
            if "queue-num" not in its:
                return
            paused = str(its["pfc-priority"].value) if "pfc-priority" in its else ""
            before = ShownClass(str(its["queue-num"].value), "no-loss" in its, paused, now.place)
            now = now if now.priority and paused else now._replace(priority=paused)
            if before == now:
                return
            yield self._told(name, f"class {name}", before, now, now.place)
        said = [f"queue-num {now.queue}", *(["no-loss"] if now.lossless else [])]
        said += [f"pfc-priority {now.priority}"] if now.priority and now.lossless else []
        self._put("cos", "", lambda leaf: _is_of(leaf, name), {f"{_CLASS[:-2]} {name} {t}": now.place for t in said})

    def _pauses(self, name: str, kind: str, called: str, points: Mapping[int, tuple[bool, Place]]) -> Iterator[Seen]:
        begins = f"input {kind} code-point *"
        before = {_point(leaf, kind) for leaf in self._said(_PROFILE, name) if leaf.name.startswith(f"{begins} pfc")}
        now = {point for point, (is_paused, _) in points.items() if is_paused}
        if not self.alone:
            if before == now or not before or None in before:
                return
            place = next(
                (points[point][1] for point in points if point in before ^ now), next(iter(points.values()))[1]
            )
            yield self._told(name, f"{name}, PFC", _listed(called, before), _listed(called, now), place)
        bits = next(count for one, count, _ in _KINDS if one == kind)
        self._put(
            _PROFILE,
            name,
            lambda leaf: leaf.name.startswith(begins) and _point(leaf, kind) not in now,
            {f"input {kind} code-point {point:0{bits}b} pfc": points[point][1] for point in sorted(now - before)},
        )

    def _stops(self, name: str, now: Mapping[tuple[int, int], Place]) -> Iterator[Seen]:
        """Only where the configuration names queues: without them, those of the default are stopped."""
        said = [leaf for leaf in self._said(_PROFILE, name) if leaf.name == _STOPS]
        before = {(_point(leaf, "ieee-802.1"), int(str(leaf.value))) for leaf in said}
        if self.alone:
            ours = self._of_lossless(now)
        else:
            if not before or before <= set(now):
                return
            priorities, queues = {one for one, _ in before}, {one for _, one in before}
            ours = {pair: place for pair, place in now.items() if pair[0] in priorities or pair[1] in queues}
            place = next(iter({**ours, **now}.values()))
            place = next((at for pair, at in ours.items() if pair not in before), place)
            yield self._told(name, f"{name}, stopped by pause", _pairs(before), _pairs(ours), place)
        made = {f"output ieee-802.1 code-point {p:03b} flow-control-queue {q}": place for (p, q), place in ours.items()}
        self._put(_PROFILE, name, lambda leaf: leaf.name == _STOPS, made)

    def _of_lossless(self, now: Mapping[tuple[int, int], Place]) -> Mapping[tuple[int, int], Place]:
        """Of what is stopped, by whichever default as well, that of classes without loss; all of it where no class was shown."""
        lossless = [one for one in self.shown.classes.values() if one.lossless]
        priorities, queues = {one.priority for one in lossless}, {one.queue for one in lossless}
        ours = {pair: at for pair, at in now.items() if str(pair[0]) in priorities or str(pair[1]) in queues}
        return ours if self.shown.classes else now

    def _leads(self, name: str, mark: int, now: str, place: Place) -> Iterator[Seen]:
        said = [leaf for leaf in self._said(_CLASSIFIER, name) if "code-point" in leaf.name]
        before = {str(leaf.keys[0]) for leaf in said if of_code_point(str(leaf.value), "dscp", {}) == mark}
        if not self.alone:
            if not before or now in before:
                return
            yield self._told(name, f"{name}, DSCP {mark}", " and ".join(sorted(before)), now, place)
        self._put(
            _CLASSIFIER,
            name,
            lambda leaf: "code-point" in leaf.name and of_code_point(str(leaf.value), "dscp", {}) == mark,
            {f"forwarding-class {now} loss-priority low code-points {mark:06b}": place},
        )

    def _told(self, name: str, what: str, before: object, now: object, place: Place) -> Seen:
        text = f"{what}: {before} is configured, and {now} runs"
        return seen("conflict", name, text, place, what, tuple(self.config.users.get((_PROFILE, name), ())))

    def _thing(self, kind: str, name: str) -> Thing | None:
        """The object; of answers alone one that they make."""
        if kind == "cos":
            return self.config.device["cos"]
        return self.config.objects[kind, name] if self.alone or (kind, name) in self.config.objects else None

    def _said(self, kind: str, name: str) -> list[Leaf]:
        thing = self._thing(kind, name)
        values = [TABLE.parse(kind, text).value for text, _ in thing.said] if thing is not None else []
        return [value for value in values if isinstance(value, Leaf)]

    def _put(self, kind: str, name: str, stale: Callable[[Leaf], bool], made: Mapping[str, Place]) -> None:
        """Replace the stale statements of an object by those that answers make."""
        thing = self._thing(kind, name)
        if thing is None:
            return

        def is_stale(text: str) -> bool:
            leaf = TABLE.parse(kind, text).value
            return isinstance(leaf, Leaf) and stale(leaf)

        thing.put_in_force(is_stale, made)
        for text, place in made.items():
            self.config.count(kind, text, place)


def _is_of(leaf: Leaf, name: str) -> bool:
    return leaf.name.startswith(_CLASS) and str(leaf.keys[0]) == name


def _is_headroom(leaf: Leaf) -> bool:
    return leaf.name == _PARTITION and str(leaf.keys[0]) == "lossless-headroom"


def _point(leaf: Leaf, kind: str) -> int | None:
    return of_code_point(str(leaf.keys[0]), kind, {})


def _listed(called: str, numbers: Iterable[int | None]) -> str:
    return f"{called} {', '.join(map(str, sorted(n for n in numbers if n is not None)))}" if numbers else "nothing"


def _pairs(pairs: Iterable[tuple[int | None, int]]) -> str:
    found = sorted((p, q) for p, q in pairs if p is not None)
    return ", ".join(f"queue {q} for priority {p}" for p, q in found) or "no queue"
