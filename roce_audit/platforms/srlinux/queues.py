"""Egress queues of one port: limits, marking and scheduling."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.shared.rates import shaped_to_share
from roce_audit.platforms.srlinux.builder import EIGHT, Builder
from roce_audit.platforms.srlinux.table import SCHEDULING
from roce_audit.values import At, Cell, Where, Why, known, unknown

_SLOPE = "wred wred-slope * drop-probability * enable-ecn *"
_WITH_ECN = "explicit-congestion-notification"


def queues(builder: Builder) -> None:
    """Everything that the attachment of the port says about its egress queues."""
    limits = _limits(builder)
    _curves(builder, limits)
    for path, why, at in builder.of_curves:
        if builder.settings.has_below(path.rpartition(".")[0]):
            builder.settings.set_unknown(path, why, *at)
    _scheduling(builder)


def _numbered(builder: Builder, name: object, path: str, *at: Where) -> int | None:
    """The index of a queue; a name that has none makes `path` of every queue unknown."""
    number = builder.queue(str(name))
    if number.is_known:
        return number.get()
    builder.set_unknown((f"queues.*{path}",), number.why or Why.UNDEFINED, *at, *number.at)
    return None


def _limits(builder: Builder) -> dict[int, Cell[int]]:
    """The static limit of each queue, which is also what percentages of a curve are of."""
    bound = builder.attached().last("output buffer-allocation-profile")
    profile = builder.object("buffer-allocation-profile", bound, ("queues.*.limit_bytes",))
    limits: dict[int, Cell[int]] = {}
    if profile is None or bound is None:
        return limits
    builder.unparsed(profile)
    for leaf, at in profile.all("queues queue * maximum-burst-size"):
        number = _numbered(builder, leaf.keys[0], ".limit_bytes", at)
        if number is not None:
            value: Any = leaf.value
            cell = (
                known(value, at, bound[1]) if value else builder.documented("queue maximum-burst-size 0", at, bound[1])
            )
            limits[number] = cell
            builder.settings.set_cell(f"queues.{number}.limit_bytes", cell)
    return limits


def _curves(builder: Builder, limits: dict[int, Cell[int]]) -> None:
    given = builder.attached()
    for leaf, at in given.all("output queues queue * queue-management-profile"):
        number = _numbered(builder, leaf.keys[0], ".ecn", at)
        if number is None:
            continue
        base = f"queues.{number}.ecn"
        if leaf.value == "default":
            builder.settings.set_absent(base, at)
            continue
        profile = builder.object("queue-management-profile", (leaf.value, at), (base,))
        if profile is not None:
            _Curve(builder, profile, base, at, limits.get(number)).apply()
            builder.unparsed(profile, base)


class _Curve:
    """One queue-management-profile at one queue."""

    def __init__(self, builder: Builder, profile: Leaves, base: str, at: At, limit: Cell[int] | None) -> None:
        self.builder = builder
        self.profile = profile
        self.base = base
        self.at = at
        self.limit = limit
        self.slopes = {leaf.keys: at for leaf, at in reversed(list(profile.all(_SLOPE)))}

    def apply(self) -> None:
        """Set the curve of the queue."""
        marking = next((keys for keys in self.slopes if keys[2] is True), None)
        dropping = self._dropping()
        self._marks(marking, dropping)
        slope = marking or dropping
        if slope is not None:
            for end in ("min", "max"):
                self._threshold(slope, end)
            percent = self.profile.last(f"{_SLOPE} max-drop-probability-percent", *slope)
            if percent is not None:
                self._put("max_probability_percent", known(percent[0], percent[1], self.at))
        weight = self.profile.last("weight-factor")
        if weight is not None:
            self._put("weight", known(weight[0], weight[1], self.at))
        if self.builder.settings.has_below(self.base):
            self.builder.settings.set(self.base, None, self.at)  # the binding is where the curve as a whole is said
        else:
            self.builder.settings.set_cell(self.base, unknown(Why.NOT_VISIBLE, self.at))

    def _dropping(self) -> tuple[object, ...] | None:
        """The slope that drops RoCE early: for UDP, of the lowest drop probability, without marking."""
        fitting = [k for k in self.slopes if k[2] is False and k[0] != "tcp" and k[1] in ("all", "low")]
        return next((k for k in fitting if self._has_thresholds(k)), None)

    def _has_thresholds(self, keys: tuple[object, ...]) -> bool:
        leaves = (f"{_SLOPE} min-threshold", f"{_SLOPE} min-threshold-percent")
        return any(self.profile.last(leaf, *keys) is not None for leaf in leaves)

    def _marks(self, marking: tuple[object, ...] | None, dropping: tuple[object, ...] | None) -> None:
        """A slope marks only where ECN is on for the whole device."""
        device = self.builder.qos.values(_WITH_ECN)
        slope = self.slopes[marking] if marking is not None else None
        if slope is not None and device:
            self._put("marks", known(True, slope, device[0][1], self.at))
            self._put("drops", known(False, slope, self.at))
        elif self.builder.lack.otherwise(_WITH_ECN).is_unknown:
            return
        elif slope is not None:
            self._put("marks", self.builder.lack.otherwise(_WITH_ECN, slope, self.at))
            self._put("drops", unknown(Why.NO_DEFAULT, slope, self.at))
        elif dropping is not None:
            self._put("marks", known(False, self.slopes[dropping], self.at))
            self._put("drops", known(True, self.slopes[dropping], self.at))
        else:
            self._put("marks", known(False, self.at))
            self._put("drops", known(False, self.at))

    def _threshold(self, slope: tuple[object, ...], end: str) -> None:
        size = self.profile.last(f"{_SLOPE} {end}-threshold", *slope)
        percent = self.profile.last(f"{_SLOPE} {end}-threshold-percent", *slope)
        doubt = self.builder.settings.unknown_at(f"{self.base.removesuffix('.ecn')}.limit_bytes")
        found, unit = (size, "bytes") if size is not None else (percent, "percent")
        if found is None:
            return
        self._put(f"{end}_value", known(found[0], found[1], self.at))
        self._put(f"{end}_unit", known(unit, found[1], self.at))
        if unit == "bytes":
            self._put(f"{end}_bytes", known(found[0], found[1], self.at))
        elif doubt is not None:
            self._put(f"{end}_bytes", doubt)
        elif self.limit is not None and self.limit.is_known:
            self._put(f"{end}_bytes", known(self.limit.get() * found[0] // 100, found[1], *self.limit.at))
        else:  # percent of a queue whose size is dynamic, or not told
            self._put(f"{end}_bytes", self.builder.lack.otherwise(f"{self.base}.{end}_bytes", found[1], self.at))

    def _put(self, leaf: str, cell: Cell[Any]) -> None:
        self.builder.settings.set_cell(f"{self.base}.{leaf}", cell)


def _scheduling(builder: Builder) -> None:
    bound = builder.attached().last("output scheduler scheduler-policy")
    if bound is None or bound[0] == "default":
        default = builder.lack.otherwise("scheduler-policy default", *(() if bound is None else (bound[1],)))
        for number in EIGHT if default.is_known else ():
            _strict(builder, number, *default.at)
        return
    policy = builder.object("scheduler-policy", bound, SCHEDULING)
    if policy is None:
        return
    builder.unparsed(policy, "queues.*")
    for leaf, at in policy.all("scheduler * input * queue-name"):
        number_ = _numbered(builder, leaf.value, "", at)
        if number_ is not None and number_ in EIGHT:
            _Input(builder, policy, leaf.keys, number_, (at, bound[1])).apply()


def _strict(builder: Builder, number: int, *at: Where) -> None:
    base = f"queues.{number}"
    builder.settings.set(f"{base}.scheduling", "strict", *at)
    for leaf in ("share", "share_kind", "max_rate_bps"):
        builder.settings.set_absent(f"{base}.{leaf}", *at)


class _Input:
    """One queue in a scheduler policy."""

    def __init__(
        self, builder: Builder, policy: Leaves, keys: tuple[object, ...], number: int, at: tuple[At, ...]
    ) -> None:
        self.builder = builder
        self.policy = policy
        self.keys = keys
        self.base = f"queues.{number}"
        self.number = number
        self.at = at

    def apply(self) -> None:
        """Scheduler 0 is strict and knows no weights; scheduler 1 shares by weight."""
        settings = self.builder.settings
        if self.keys[0] == 0:
            _strict(self.builder, self.number, *self.at)
        else:
            settings.set(f"{self.base}.scheduling", "weighted", *self.at)
            settings.set(f"{self.base}.share_kind", "weight", *self.at)
            weight = self.policy.last("scheduler * input * weight", *self.keys)
            if weight is not None:
                settings.set(f"{self.base}.share", weight[0], weight[1], *self.at)
        self._rate()

    def _rate(self) -> None:
        """`peak-rate-percent` is of the port's speed."""
        path = f"{self.base}.max_rate_bps"
        percent = self.policy.last("scheduler * input * peak-rate-percent", *self.keys)
        if percent is None:
            if self.builder.lack.otherwise("scheduler input peak-rate-percent").is_absent:
                self.builder.settings.set_absent(path, *self.at)
            return
        shaped_to_share(self.builder.settings, self.base, percent[0], percent[1])
        speed = self.builder.settings.get("speed_bps")
        if speed is not None and speed.is_known:
            self.builder.settings.set(path, speed.get() * percent[0] // 100, percent[1], *speed.at)
        else:
            self.builder.settings.set_cell(path, unknown(Why.NO_DEFAULT, percent[1]))
