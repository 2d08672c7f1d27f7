"""Egress queues of one port: limits, marking and scheduling."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.srlinux.defaults import NO_SCHEDULER, QUEUE_BYTES
from roce_audit.platforms.srlinux.fold import EIGHT, Fold, Object
from roce_audit.platforms.srlinux.tables import SCHEDULED, SLOPE
from roce_audit.values import At, Cell, Cited, Where, Why, absent, known, unknown

_LEAVES = SCHEDULED.split()
_WITH_ECN = "explicit-congestion-notification"
Bound = tuple[Any, At]


def queues(fold: Fold) -> None:
    """Everything that the attachment of the port says about its egress queues."""
    limits = _limits(fold)
    _curves(fold, limits)
    for path, why, at in fold.of_curves:
        if fold.settings.has_below(path.rpartition(".")[0]):
            fold.settings.set_unknown(path, why, *at)
    _scheduling(fold)


def _doubtful(fold: Fold, name: str, path: str, *at: Where) -> int | None:
    """The index of a queue; a name that has none makes `path` of every queue unknown."""
    number = fold.queue(name)
    if number.is_known:
        return number.get()
    fold.dark((f"queues.*{path}",), number.why or Why.UNDEFINED, *at, *number.at)
    return None


def _limits(fold: Fold) -> dict[int, Cell[int]]:
    """The static limit of each queue, which is also what percentages of a curve are of."""
    bound = fold.attached().last("output buffer-allocation-profile")
    paths = [f"queues.{n}.limit_bytes" for n in EIGHT]
    profile = fold.object("buffer-allocation-profile", bound, paths)
    limits: dict[int, Cell[int]] = {}
    if profile is None or bound is None:
        return limits
    fold.spoil(profile)
    for said, at in profile.all("queues queue * maximum-burst-size"):
        number = _doubtful(fold, said.keys[0], ".limit_bytes", at)
        if number is not None:
            value: Any = said.value
            cell = known(value, at, bound[1]) if value else absent(at, bound[1], Cited(QUEUE_BYTES.source))
            limits[number] = cell
            fold.settings.set_cell(f"queues.{number}.limit_bytes", cell)
    return limits


def _curves(fold: Fold, limits: dict[int, Cell[int]]) -> None:
    given = fold.attached()
    for said, at in given.all("output queues queue * queue-management-profile"):
        number = _doubtful(fold, said.keys[0], ".ecn", at)
        if number is None:
            continue
        base = f"queues.{number}.ecn"
        if said.value == "default":
            fold.settings.set_cell(base, absent(at))
            continue
        profile = fold.object("queue-management-profile", (said.value, at), (base,))
        if profile is not None:
            _Curve(fold, profile, base, at, limits.get(number)).apply()
            fold.spoil(profile, f"{base}.")


class _Curve:
    """One queue-management-profile at one queue."""

    def __init__(self, fold: Fold, profile: Object, base: str, at: At, limit: Cell[int] | None) -> None:
        self.fold = fold
        self.profile = profile
        self.base = base
        self.at = at
        self.limit = limit
        self.slopes = {s.keys: at for s, at in reversed(profile.all(SLOPE))}

    def apply(self) -> None:
        """Set the curve of the queue."""
        marking = next((keys for keys in self.slopes if keys[2] == "true"), None)
        dropping = self._dropping()
        self._marks(marking, dropping)
        slope = marking or dropping
        if slope is not None:
            for end in ("min", "max"):
                self._threshold(slope, end)
            percent = self.profile.last(f"{SLOPE} max-drop-probability-percent", *slope)
            if percent is not None:
                self._put("max_probability_percent", known(percent[0], percent[1], self.at))
        weight = self.profile.last("weight-factor")
        if weight is not None:
            self._put("weight", known(weight[0], weight[1], self.at))
        if self.fold.settings.has_below(self.base):
            self.fold.settings.set(self.base, None, self.at)  # the binding is where the curve as a whole is said
        else:
            self.fold.settings.set_cell(self.base, unknown(Why.NOT_VISIBLE, self.at))

    def _dropping(self) -> tuple[str, ...] | None:
        """The slope that drops RoCE early: for UDP, of the lowest drop probability, without marking."""
        fitting = [k for k in self.slopes if k[2] == "false" and k[0] != "tcp" and k[1] in ("all", "low")]
        return next((k for k in fitting if self._has_thresholds(k)), None)

    def _has_thresholds(self, keys: tuple[str, ...]) -> bool:
        leaves = (f"{SLOPE} min-threshold", f"{SLOPE} min-threshold-percent")
        return any(self.profile.last(leaf, *keys) is not None for leaf in leaves)

    def _marks(self, marking: tuple[str, ...] | None, dropping: tuple[str, ...] | None) -> None:
        """A slope marks only where ECN is on for the whole device."""
        device = self.fold.qos.all(_WITH_ECN)
        slope = self.slopes[marking] if marking is not None else None
        if slope is not None and device:
            self._put("marks", known(True, slope, device[0][1], self.at))
            self._put("drops", known(False, slope, self.at))
        elif not self.fold.context.complete:
            return
        elif slope is not None:
            cited = Cited(
                "nokia/srlinux-yang-models: ECN marking is on when explicit-congestion-notification is present"
            )
            self._put("marks", known(False, slope, self.at, cited))
            self._put("drops", unknown(Why.NO_DEFAULT, slope, self.at))
        elif dropping is not None:
            self._put("marks", known(False, self.slopes[dropping], self.at))
            self._put("drops", known(True, self.slopes[dropping], self.at))
        else:
            self._put("marks", known(False, self.at))
            self._put("drops", known(False, self.at))

    def _threshold(self, slope: tuple[str, ...], end: str) -> None:
        size = self.profile.last(f"{SLOPE} {end}-threshold", *slope)
        percent = self.profile.last(f"{SLOPE} {end}-threshold-percent", *slope)
        doubt = self.fold.settings.unknown_at(f"{self.base.removesuffix('.ecn')}.limit_bytes")
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
            why = Why.NO_DEFAULT if self.fold.context.complete else Why.NOT_VISIBLE
            self._put(f"{end}_bytes", unknown(why, found[1], self.at))

    def _put(self, leaf: str, cell: Cell[Any]) -> None:
        self.fold.settings.set_cell(f"{self.base}.{leaf}", cell)


def _scheduling(fold: Fold) -> None:
    bound = fold.attached().last("output scheduler scheduler-policy")
    if bound is None or bound[0] == "default":
        where: tuple[Where, ...] = () if bound is None else (bound[1],)
        for number in EIGHT if fold.context.complete else ():
            _strict(fold, number, *where, Cited(NO_SCHEDULER.source))
        return
    paths = [f"queues.{number}.{leaf}" for number in EIGHT for leaf in _LEAVES]
    policy = fold.object("scheduler-policy", bound, paths)
    if policy is None:
        return
    fold.spoil(policy, "queues.*.")
    for said, at in policy.all("scheduler * input * queue-name"):
        number_ = _doubtful(fold, str(said.value), "", at)
        if number_ is not None and number_ in EIGHT:
            _Input(fold, policy, said.keys, number_, (at, bound[1])).apply()


def _strict(fold: Fold, number: int, *at: Where) -> None:
    base = f"queues.{number}"
    fold.settings.set(f"{base}.scheduling", "strict", *at)
    for leaf in ("share", "share_kind", "max_rate_bps"):
        fold.settings.set_cell(f"{base}.{leaf}", absent(*at))


class _Input:
    """One queue in a scheduler policy."""

    def __init__(self, fold: Fold, policy: Object, keys: tuple[str, ...], number: int, at: tuple[At, ...]) -> None:
        self.fold = fold
        self.policy = policy
        self.keys = keys
        self.base = f"queues.{number}"
        self.number = number
        self.at = at

    def apply(self) -> None:
        """Scheduler 0 is strict and knows no weights; scheduler 1 shares by weight."""
        settings = self.fold.settings
        if self.keys[0] == "0":
            _strict(self.fold, self.number, *self.at)
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
            if self.fold.context.complete:
                self.fold.settings.set_cell(path, absent(*self.at))
            return
        speed = self.fold.settings.get("speed_bps")
        if speed is not None and speed.is_known:
            self.fold.settings.set(path, speed.get() * percent[0] // 100, percent[1], *speed.at)
        else:
            self.fold.settings.set_cell(path, unknown(Why.NO_DEFAULT, percent[1]))
