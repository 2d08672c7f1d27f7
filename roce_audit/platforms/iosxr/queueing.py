"""What output policies and PFC profiles say becomes settings of queues and of the groups that pause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.iosxr import statements as st
from roce_audit.platforms.iosxr.defaults import OWN_HEADROOM
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.policies import Line, Policies, PolicyClass
from roce_audit.platforms.shared.policy.queues import fold_queues, on_shape
from roce_audit.platforms.shared.rates import tighter
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, known, unknown

CLASSES = range(8)
KINDS = ("qospolicy", "qosmap")
_BYTES = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000, "gbytes": 1_000_000_000}
"""Nobody says whether a kbyte is 1,000 or 1,024 bytes; the smaller reading is taken."""
_LEVELS = 3
"""How deep policies lie in each other."""
_MARKING = ("qos-group", "discard-class")


@dataclass
class EarlyDetection:
    """What the class of a queue says of WRED and ECN."""

    marks: At | None = None
    curves: list[tuple[st.RandomDetect, At]] = field(default_factory=list)

    @property
    def at(self) -> tuple[At, ...]:
        """Where it says something."""
        return (*(() if self.marks is None else (self.marks,)), *(at for _, at in self.curves))


@dataclass
class Egress:
    """What the output policies of a port say of its queues, beside what is set already."""

    detection: dict[int, EarlyDetection] = field(default_factory=dict)
    matched: dict[int, At] = field(default_factory=dict)
    """Traffic classes that a class of an output policy is about."""
    pauses: dict[int, tuple[st.Pause, At]] = field(default_factory=dict)
    rest: At | None = None
    """Where the classes that nothing matches are put together; None where no output policy is known to the end."""
    unclear: tuple[Why, At] | None = None
    """Why it is not known what some class of the policies is about."""


def egress(settings: Settings, policies: Policies, bound: Mapping[str, At], undefined: Why) -> Egress:
    """Fold the policies that are applied to the output of a port: those that mark by QoS group schedule nothing."""
    found = Egress()
    for name, at in bound.items():
        _fold(settings, policies, name, at, undefined, found, 1)
    return found


def _fold(
    settings: Settings, policies: Policies, policy: str, bound_at: At, undefined: Why, found: Egress, depth: int
) -> None:
    classes = policies.policy("qospolicy", policy)
    if classes and all(_only_marks(policies, one) for one in classes):
        return
    parents = [(one, line) for one in classes or () for line in one.lines if isinstance(line[0].value, st.Child)]
    if parents:
        _fold_children(settings, policies, classes or [], parents, undefined, found, depth)
        return

    def on_line(base: str, line: Any, at: At) -> None:
        _on_line(settings, found, int(base.rpartition(".")[2]), line, at)

    fold_queues(settings, policies, policy, bound_at, undefined, on_line, KINDS)
    if classes is None:
        found.unclear = (undefined, bound_at)
    for one in classes or ():
        numbers = policies.numbers_of("qosmap", one, undefined)
        if isinstance(numbers, Why):
            found.unclear = (numbers, one.at)
            continue
        if one.name == "class-default":
            found.rest = one.at
        for number in numbers:
            found.matched.setdefault(number, one.at)


def _fold_children(
    settings: Settings,
    policies: Policies,
    classes: list[PolicyClass],
    parents: list[tuple[PolicyClass, Line]],
    undefined: Why,
    found: Egress,
    depth: int,
) -> None:
    """A policy that hands all packets to another one shapes the port as a whole; the queues are those of the other."""
    one, (parsed, at) = parents[0]
    is_whole = len(parents) == 1 and one.name == "class-default" and not any(c.lines for c in classes if c is not one)
    if is_whole and depth < _LEVELS and isinstance(parsed.value, st.Child):
        _fold(settings, policies, parsed.value.name, at, undefined, found, depth + 1)
        for line, where in one.lines:
            if isinstance(line.value, ps.Shape):
                _shaped_as_a_whole(settings, line.value, where)
            elif line.value is None and "max_rate_bps" in (line.paths or ()):
                for number in CLASSES:
                    settings.set_unknown(f"queues.{number}.max_rate_bps", Why.NOT_PARSED, where)
        return
    found.unclear = (Why.NOT_VISIBLE, at)
    settings.forbid_default("queues", Why.NOT_VISIBLE, at)


def _shaped_as_a_whole(settings: Settings, shape: ps.Shape, at: At) -> None:
    """No queue is served faster than all of them together."""
    for number in CLASSES:
        path = f"queues.{number}.max_rate_bps"
        own = settings.get(path)
        on_shape(settings, f"queues.{number}", shape, at)
        tightest = tighter(own, settings.get(path))
        if tightest is not None:
            settings.set_cell(path, tightest)


def _only_marks(policies: Policies, one: PolicyClass) -> bool:
    """Whether a class takes packets by what an input policy noted of them, and writes marks."""
    lines = policies.lines("qosmap", one.name or "") or ()
    by_note = any(isinstance(parsed.value, ps.Match) and parsed.value.name in _MARKING for parsed, _ in lines)
    if one.name == "class-default":
        return all(isinstance(parsed.value, ps.SetDscp) for parsed, _ in one.lines)
    return by_note and all(parsed.value is not None for parsed, _ in one.lines)


def _on_line(settings: Settings, found: Egress, number: int, line: Any, at: At) -> None:
    base = f"queues.{number}"
    match line:
        case st.EcnMarks():
            found.detection.setdefault(number, EarlyDetection()).marks = at
        case st.RandomDetect():
            found.detection.setdefault(number, EarlyDetection()).curves.append((line, at))
        case st.Ratio(value=value):
            _share(settings, base, value, "weight", at)
        case st.Guarantee(percent=percent):
            _share(settings, base, percent, "percent_at_most", at)
        case st.Limit(size=size):
            settings.set_cell(f"{base}.limit_bytes", in_bytes(size, at))
        case st.Pause():
            found.pauses[number] = line, at


def _share(settings: Settings, base: str, value: int | None, kind: str, at: At) -> None:
    """A share; it does not stand beside strict priority. Two statements that share in two ways make it unknown."""
    before = settings.get(f"{base}.scheduling")
    if before is not None and before.value == "strict":
        return
    settings.set(f"{base}.scheduling", "weighted", at)
    beside = settings.get(f"{base}.share_kind")
    if value is None or (beside is not None and beside.value != kind):
        for name in ("share", "share_kind"):
            settings.set_cell(f"{base}.{name}", unknown(Why.NO_DEFAULT, at))
        return
    settings.set(f"{base}.share", value, at)
    settings.set(f"{base}.share_kind", kind, at)


def early_detection(
    settings: Settings, number: int, said: EarlyDetection | None, profile: tuple[st.LosslessClass, At] | None
) -> None:
    """The curve of a queue: its class says whether it marks, and where; of a class with PFC in buffer-internal mode the
    profile says where."""
    base = f"queues.{number}.ecn"
    own = profile if profile is not None and profile[0].ecn is not None else None
    if said is None or not said.at:
        if own is not None:  # whether the profile alone makes it mark is not documented
            settings.set_unknown(base, Why.NO_DEFAULT, own[1])
        return
    marks = said.marks is not None
    settings.set(f"{base}.marks", marks, *said.at)
    settings.set(f"{base}.drops", not marks, *said.at)
    curves = [(curve, at) for curve, at in said.curves if curve.low is not None]
    if not curves and own is not None:
        _ends(settings, base, own[0].ecn, own[0].ecn_max, own[0].percent, own[1])
    elif len(curves) == 1 and not curves[0][0].of and own is None:
        curve, at = curves[0]
        _ends(settings, base, curve.low, curve.high, curve.percent, at)
    else:  # the router's own curve, several of them, or one here and one in the profile
        at = own[1] if own is not None else said.at[-1]
        for name in ("min_bytes", "max_bytes"):
            settings.set_cell(f"{base}.{name}", unknown(Why.NO_DEFAULT, at))


def _ends(
    settings: Settings, base: str, low: st.Size | None, high: st.Size | None, percent: int | None, at: At
) -> None:
    for end, size in (("min", low), ("max", high)):
        if size is not None:
            settings.set(f"{base}.{end}_value", size[0], at)
            settings.set(f"{base}.{end}_unit", size[1], at)
            settings.set_cell(f"{base}.{end}_bytes", in_bytes(size, at))
    if percent is not None:
        settings.set(f"{base}.max_probability_percent", percent, at)


def pausing(
    settings: Settings, profiles: Iterable[tuple[st.LosslessClass, At]]
) -> dict[int, tuple[st.LosslessClass, At]]:
    """The traffic classes of the profiles of a port's card, by number; what comes later wins."""
    found = {said.number: (said, at) for said, at in profiles}
    for number, (said, at) in found.items():
        _paused(settings, number, said.headroom, said.pause, said.resume, at)
    return found


def paused_by_policy(settings: Settings, number: int, said: st.Pause, at: At) -> None:
    """`pause` in the class of a policy: what lies above the pause threshold of its buffer is headroom."""
    headroom = None
    if said.size is not None and said.pause is not None and said.size[1] == said.pause[1]:
        headroom = (max(said.size[0] - said.pause[0], 0), said.size[1])
    _paused(settings, number, headroom, said.pause, said.resume, at)


def _paused(
    settings: Settings, number: int, headroom: st.Size | None, xoff: st.Size | None, xon: st.Size | None, at: At
) -> None:
    settings.set(f"groups.{number}.lossless", True, at)
    settings.set(f"priorities.{number}.group", number, at)
    settings.set(f"priorities.{number}.queue", number, at)
    if headroom is not None:
        settings.set(f"groups.{number}.headroom_is_shared", False, at, Cited(OWN_HEADROOM))
    for name, size in (("headroom_bytes", headroom), ("xoff_at_bytes", xoff), ("xon_at_bytes", xon)):
        cell = unknown(Why.NO_DEFAULT, at) if size is None else in_bytes(size, at)
        settings.set_cell(f"groups.{number}.{name}", cell)


def in_bytes(size: st.Size, at: At) -> Cell[Any]:
    """A size in bytes; unknown where its unit is a time or packets, unless it is none at all."""
    factor = _BYTES.get(size[1]) if size[0] else 1
    return unknown(Why.NO_DEFAULT, at) if factor is None else known(size[0] * factor, at)
