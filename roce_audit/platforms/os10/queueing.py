"""Egress: queuing policies with their WRED profiles, and which queue a traffic class leaves through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from roce_audit.platforms.os10 import statements as st
from roce_audit.platforms.os10.lossless import CLASSES
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.platforms.shared.policy.queues import fold_queues
from roce_audit.records import dataclass
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, known, unknown

_BYTES_PER_KB = 1_000
_UNIT = Cited(
    "no OS10 guide gives the unit of 1..12480; Dell's SONiC documents the same range as 1,000..12,480,000 bytes "
    "(source: unverified)"
)


def queues_of_classes(settings: Settings, policies: Policies, name: str, at: At, undefined: Why) -> None:
    """The qos-map that holds for the port: through which queue each traffic class leaves."""
    lines = policies.lines("tcmap", name)
    # where a map leaves those that it does not list is not documented
    found: dict[int, Cell[Any]] = dict.fromkeys(CLASSES, unknown(undefined if lines is None else Why.NO_DEFAULT, at))
    for parsed, where in lines or ():
        if not isinstance(parsed.value, st.Queued):
            found = dict.fromkeys(CLASSES, unknown(Why.NOT_PARSED, where))
            break
        if not parsed.value.multicast:
            found |= dict.fromkeys(parsed.value.groups, known(parsed.value.queue, where, at))
    for number, cell in found.items():
        settings.set_cell(f"classes.{number}.queue", cell)


@dataclass(frozen=True, slots=True)
class Queuing:
    """What a queuing policy needs besides itself."""

    settings: Settings
    policies: Policies
    undefined: Why
    ecn_everywhere: At | None
    """`random-detect ecn` under `system qos`: every profile that a queue uses marks."""

    def fold(self, policy: str, bound_at: At) -> None:
        """Fold the policy that holds for the output of the port."""
        fold_queues(self.settings, self.policies, policy, bound_at, self.undefined, self._line)

    def _line(self, base: str, line: Any, at: At) -> None:
        if isinstance(line, st.WredName):
            self.settings.reset(f"{base}.ecn")
            if line.name is None:
                self.settings.set_absent(f"{base}.ecn", at)
            else:
                self._profile(f"{base}.ecn", line.name, at)

    def _profile(self, base: str, name: str, at: At) -> None:
        """The WRED profile of a queue; RoCE packets are green unless something colours them.

        The guide calls a colour without a curve not configured: such packets are neither marked nor dropped.
        """
        lines = self.policies.lines("wredprofile", name)
        if lines is None:
            self.settings.set_cell(base, unknown(self.undefined, at))
            return
        unread = [where for parsed, where in lines if parsed.value is None]
        if unread:
            self.settings.set_unknown(base, Why.NOT_PARSED, unread[0], at)
            return
        marking, curve, weight = _last(lines, st.Ecn), _green(lines), _last(lines, st.Weight)
        if curve is None:
            self.settings.set_absent(base, at)
            return
        self.settings.set(base, None, at)
        marks, because = (False, curve[1]) if marking is None else (marking[0].on, marking[1])
        if not marks and self.ecn_everywhere is not None:
            marks, because = True, self.ecn_everywhere
        self.settings.set(f"{base}.marks", marks, because, at)
        self.settings.set(f"{base}.drops", not marks, because, at)
        if weight is not None:
            self.settings.set(f"{base}.weight", weight[0].weight, weight[1], at)
        self._curve(base, curve[0], (curve[1], at))

    def _curve(self, base: str, curve: st.Curve, at: tuple[At, ...]) -> None:
        for end, value in (("min", curve.low), ("max", curve.high)):
            self.settings.set(f"{base}.{end}_value", value, *at)
            self.settings.set(f"{base}.{end}_unit", "kbytes", *at)
            self.settings.set(f"{base}.{end}_bytes", value * _BYTES_PER_KB, *at, _UNIT)
        self.settings.set(f"{base}.max_probability_percent", curve.percent, *at)


_Lines = Sequence[tuple[Any, At]]


def _last(lines: _Lines, kind: type) -> tuple[Any, At] | None:
    return next(((parsed.value, at) for parsed, at in reversed(lines) if isinstance(parsed.value, kind)), None)


def _green(lines: _Lines) -> tuple[st.Curve, At] | None:
    return _last([(p, at) for p, at in lines if getattr(p.value, "colour", "") == "green"], st.Curve)
