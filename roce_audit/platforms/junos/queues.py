"""Egress queues of one port: what its scheduler map makes of them."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.junos.builder import EIGHT, Bound, Builder
from roce_audit.platforms.junos.values import BETWEEN
from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.shared.rates import shaped_to_share, tighter
from roce_audit.records import dataclass
from roce_audit.text.block import HEADER
from roce_audit.values import At, Cell, Where, Why, absent, known, unknown

_ENTRY = "forwarding-class * scheduler"
_SETS = "forwarding-class-set * output-traffic-control-profile"
_DROPS = "drop-profile-map loss-priority * protocol * drop-profile"
_ECN = "explicit-congestion-notification"
_UNICAST = 8
_WHOLE = 100


@dataclass(frozen=True, slots=True)
class _Map:
    """A scheduler map of the port, and the traffic control profile that names it (None: the port itself does).

    The profile of a set of forwarding classes shares out the port, and the schedulers share out what their set gets.
    """

    name: Bound
    profile: Leaves | None = None
    of_set: bool = False


def queues(builder: Builder) -> None:
    """Scheduling, shapers and ECN of the queues."""
    _scheduled(builder)
    shaper = builder.bound.last("shaping-rate")  # of the port: none of its queues is served faster
    if shaper is None:
        return
    for number in EIGHT:
        path = f"queues.{number}.max_rate_bps"
        limit = tighter(builder.settings.get(path), known(*shaper))
        if limit is not None:
            builder.cell(path, limit)


def _scheduled(builder: Builder) -> None:
    named: set[int] = set()
    found = None
    for one in _maps(builder):
        found = builder.object("scheduler-map", one.name, ("queues",))
        if found is None:
            return
        builder.unparsed(found)
        unplaced: list[tuple[Why, At]] = []
        for leaf, at in found.all(_ENTRY):
            queue = builder.queue(str(leaf.keys[0]))
            if not queue.is_known:
                unplaced.append((queue.why or Why.UNDEFINED, at))
            elif queue.get() in EIGHT:
                named.add(queue.get())
                _Queue(builder, queue.get(), (at, one.name[1]), one).apply((leaf.value, at))
        for why, at in unplaced:  # it is one of those that no other class has
            others = (f"queues.{number}" for number in EIGHT if number not in named)
            builder.set_unknown(tuple(others), why, *builder.where(at))
    rest = builder.lack.otherwise("scheduler-map unlisted")
    for number in EIGHT:
        if found is not None and number not in named and not rest.is_unknown:
            builder.cell(f"queues.{number}.share", rest)


def _maps(builder: Builder) -> Iterator[_Map]:
    """The scheduler maps of the port: its own, or those of its traffic control profiles."""
    profiles = [((leaf.value, at), True) for leaf, at in builder.bound.all(_SETS)]
    direct = [builder.bound.last("output-traffic-control-profile")]
    direct += [builder.bound.last("unit * output-traffic-control-profile", number) for number in builder.units[:1]]
    profiles += [(bound, False) for bound in direct if bound is not None]
    for profile, of_set in profiles:
        found = builder.object("traffic-control-profile", profile, ("queues",))
        if found is not None:
            builder.unparsed(found)
            inner = found.last("scheduler-map")
            if inner is not None:
                yield _Map(inner, found, of_set)
    own = builder.bound.last("scheduler-map") or next(
        (given for number in builder.units[:1] if (given := builder.of_unit("scheduler-map", number)) is not None), None
    )
    if own is not None:
        yield _Map(own)


class _Queue:
    """One scheduler at one queue."""

    def __init__(self, builder: Builder, number: int, at: tuple[At, ...], scheduled: _Map) -> None:
        self.builder = builder
        self.base = f"queues.{number}"
        self.at = at
        self.map = scheduled

    def apply(self, named: Bound) -> None:
        """Set the queue."""
        scheduler = self.builder.object("scheduler", named, (self.base,))
        if scheduler is None:
            return
        self.builder.unparsed(scheduler, self.base)
        self._scheduling(scheduler)
        self._rate(scheduler)
        self._curve(scheduler)

    def _scheduling(self, scheduler: Leaves) -> None:
        priority = scheduler.last("priority")
        how = (
            known(priority[0], priority[1], *self.at)
            if priority is not None
            else self._otherwise("schedulers priority")
        )
        if not how.is_known:
            return
        if how.get() == BETWEEN:
            for leaf in ("scheduling", "share", "share_kind"):
                self.builder.cell(f"{self.base}.{leaf}", unknown(Why.NO_DEFAULT, *how.at))
            return
        self.builder.cell(f"{self.base}.scheduling", how)
        if how.get() == "strict":
            self.builder.cell(f"{self.base}.share", absent(*how.at))
            self.builder.cell(f"{self.base}.share_kind", absent(*how.at))
            return
        percent = scheduler.last("transmit-rate percent")
        at = self.at if percent is None else (percent[1], *self.at)
        self.builder.put(f"{self.base}.share_kind", "percent_at_most", *at)
        if percent is not None:
            self.builder.cell(f"{self.base}.share", self._of_port(percent[0], at))

    def _of_port(self, percent: int, at: tuple[At, ...]) -> Cell[int]:
        """A share of the port: schedulers name a percentage of what the set of their class gets."""
        profile = self.map.profile
        share = profile.last("guaranteed-rate percent") if profile is not None else None
        rate = profile.last("guaranteed-rate") if profile is not None else None
        speed = self.builder.settings.get("speed_bps")
        if share is not None:
            return known(percent * share[0] // _WHOLE, *at, share[1])
        if rate is not None and speed is not None and speed.is_known and speed.get():
            return known(percent * rate[0] // speed.get(), *at, rate[1])
        if rate is not None or self.map.of_set:  # without a guaranteed rate of the set that of a queue does not work
            return unknown(Why.NO_DEFAULT, *at, *([rate[1]] if rate is not None else []))
        return known(percent, *at)

    def _otherwise(self, name: str) -> Cell[str]:
        return self.builder.otherwise(name, f"{self.base}.scheduling", *self.at)

    def _rate(self, scheduler: Leaves) -> None:
        """The shaper. What the rate of a strict queue does is told differently for different models."""
        path = f"{self.base}.max_rate_bps"
        names = ("transmit-rate exact", "transmit-rate rate-limit", "exact", "rate-limit")
        capped = [at for name in names for _, at in scheduler.values(name)]
        priority = scheduler.last("priority")
        if priority is not None and priority[0] == "strict":
            capped += [at for name in ("transmit-rate percent", "transmit-rate") for _, at in scheduler.values(name)]
        own = self._shaped(scheduler)
        if own is None and capped:
            own = unknown(Why.NO_DEFAULT, *capped)
        limit = tighter(own, self._shaped(self.map.profile) if self.map.profile is not None else None)
        if limit is not None:
            self.builder.cell(path, limit)

    def _shaped(self, by: Leaves) -> Cell[int] | None:
        """The rate to which a scheduler shapes its queue, or a traffic control profile all queues of its set."""
        rate, percent = by.last("shaping-rate"), by.last("shaping-rate percent")
        if rate is not None:
            return known(rate[0], rate[1], *self.at)
        if percent is None:
            return None
        shaped_to_share(self.builder.settings, self.base, percent[0], percent[1])
        speed = self.builder.settings.get("speed_bps")
        if speed is not None and speed.is_known:
            return known(speed.get() * percent[0] // _WHOLE, percent[1], *speed.at)
        return unknown(Why.NO_DEFAULT, percent[1])

    # ECN ----------------------------------------------------------------------------------------------------------

    def _curve(self, scheduler: Leaves) -> None:
        """With `explicit-congestion-notification` the drop profile marks; without it, it drops."""
        base = f"{self.base}.ecn"
        marking = scheduler.last(_ECN)
        maps = [
            (leaf.value, at)
            for leaf, at in scheduler.all(_DROPS)
            if leaf.keys[0] in ("any", "low") and leaf.keys[1] != "tcp"  # RoCEv2 is UDP
        ]
        head = At(scheduler.begins[0].part, HEADER) if scheduler.begins else self.at[0]
        if not maps and marking is None:
            self.builder.settings.default_location(base, head)
            return
        if not maps and marking is not None and self.builder.lack.otherwise("queues.*.ecn").is_unknown:
            self.builder.cell(
                base, unknown(Why.NOT_VISIBLE, marking[1], *self.at)
            )  # a drop profile may stand elsewhere
            return
        self.builder.put(base, None, *([maps[-1][1]] if maps else []), *([marking[1]] if marking else []), *self.at)
        if not maps and marking is not None:  # nothing says from which level on it would mark
            self._put("marks", known(False, marking[1], *self.at))
            self._put("drops", known(False, marking[1], *self.at))
            return
        bound = maps[-1]
        if marking is not None:
            self._put("marks", known(True, marking[1], bound[1], *self.at))
            self._put("drops", known(False, marking[1], bound[1], *self.at))
        elif self._is_set_up or not self.builder.lack.otherwise("queues.*.ecn").is_unknown:
            self._put("marks", known(False, bound[1], *self.at))
            self._put("drops", known(True, bound[1], *self.at))
        profile = self.builder.object("drop-profile", bound, (base,))
        if profile is not None:
            self.builder.unparsed(profile, self.base)
            self._levels(profile, bound[1])

    @property
    def _is_set_up(self) -> bool:
        """Whether a part turns PFC on for the port: what makes the scheduler of a paused queue mark would stand in the scheduler."""
        paused = self.builder.settings.get("pfc.priorities")
        return paused is not None and paused.is_known and bool(paused.get())

    def _levels(self, profile: Leaves, at: At) -> None:
        """Fill levels are percent of the memory of the queue, whose size is dynamic: they have no bytes."""
        points = _points(profile)
        if points is None:
            self.builder.set_unknown((f"{self.base}.ecn",), Why.CONFLICT, *[a for _, a in profile.statements], at)
            return
        if not points:
            return
        least, most = points[0][1], max(point[1] for point in points)
        low = [point for n, point in enumerate(points) if all(p[1] == least for p in points[: n + 1])][-1]
        high = next(point for point in points if point[1] == most) if most > least else points[-1]
        for end, point in (("min", low), ("max", high)):
            self._put(f"{end}_value", known(point[0], point[2], at))
            self._put(f"{end}_unit", known("percent", point[2], at))
            self._put(f"{end}_bytes", unknown(Why.NO_DEFAULT, point[2], at))
        self._put("max_probability_percent", known(most, high[3], at))

    def _put(self, leaf: str, cell: Cell[object]) -> None:
        self.builder.cell(f"{self.base}.ecn.{leaf}", cell)


_Point = tuple[int, int, Where, Where]
"""Fill level, probability, and where each is said."""


def _points(profile: Leaves) -> list[_Point] | None:
    """The points of a curve as they are written; None where levels and probabilities do not pair."""
    levels = profile.values("interpolate fill-level")
    chances = profile.values("interpolate drop-probability")
    if len(levels) != len(chances):
        return None
    found: list[_Point] = [
        (level[0], chance[0], level[1], chance[1]) for level, chance in zip(levels, chances, strict=True)
    ]
    found += [
        (int(str(leaf.keys[0])), int(str(leaf.value)), at, at)
        for leaf, at in profile.all("fill-level * drop-probability")
    ]
    return found
