"""Egress of one port: how its queues are served, what they mark and drop, how fast they may send."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.rates import tighter
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.family import Family
from roce_audit.platforms.vrp.policies import TrafficPolicies
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_QUEUES = range(8)
_STRICT_GROUP = 15
_BY_LENGTH = Cited("command reference, ecn: thresholds are compared with the length of the queue")
_KB = 1024
_SHOWN = Cited("display qos ecn threshold: a KB is taken as 1,024 bytes (source: unverified)")
_BY_AI = Cited("AI ECN sets the thresholds by itself")


class Egress:
    """What the statements of the switch and of one port say of its queues."""

    def __init__(self, settings: Settings, policies: TrafficPolicies, own: Lack, family: Family) -> None:
        self.settings = settings
        self.policies = policies
        self.own = own
        self.family = family
        self.modes: dict[int, tuple[str, At]] = {}
        self.weights: dict[int, tuple[int, At]] = {}
        self.wred: dict[int, tuple[str, At]] = {}
        self.ecn: dict[int, tuple[bool, At]] = {}
        self.shapers: dict[int, Cell[Any]] = {}
        self.port_rate: Cell[Any] | None = None
        self.ets: tuple[str, At] | None = None
        self.everywhere: tuple[bool, At] | None = None
        self.ai_on: tuple[bool, At] | None = None
        self.ai_queues: dict[int, At] = {}
        self.shown: dict[str, tuple[tuple[int, int], At]] = {}
        """Path of a queue's curve -> the bytes of both thresholds as the switch reckons them."""

    def take(self, said: object, at: At) -> None:
        """One statement of the switch or the port."""
        match said:
            case st.QueueMode(mode=mode, queues=queues):
                for queue in queues:
                    if mode:
                        self.modes[queue] = (mode, at)
                    else:
                        self.modes.pop(queue, None)
            case st.DrrWeight(queue=queue, weight=weight):
                _put(self.weights, queue, weight, at)
            case st.QueueWred(queue=queue, profile=profile):
                _put(self.wred, queue, profile, at)
            case st.QueueEcn(queue=queue, on=on):
                self.ecn[queue] = (on, at)
            case st.QueueShape(queue=queue, bps=bps, on=on):
                rate = unknown(Why.NO_DEFAULT, at) if bps is None else known(bps, at)
                self.shapers[queue] = rate if on else absent(at)
            case st.PortShape(bps=bps):
                self.port_rate = absent(at) if bps is None else known(bps, at)
            case st.Limit(queue=queue, size_bytes=size, reset=reset):
                path = f"queues.{queue}.limit_bytes"
                if reset:
                    self.settings.reset(path)
                else:
                    self.settings.set_cell(path, absent(at) if size is None else known(size, at))
            case st.EtsEnable(profile=name):
                self.ets = None if name is None else (name, at)
            case st.EcnGlobally(on=on):
                self.everywhere = (on, at)
            case st.ShownCurve(queue=queue, low_kb=low, high_kb=high):
                self.shown[f"queues.{queue}.ecn"] = ((low * _KB, high * _KB), at)
            case st.AiEcn(on=on):
                self.ai_on = (on, at)
            case st.AiQueue(queue=queue, on=on):
                self.ai_queues.pop(queue, None)
                if on:
                    self.ai_queues[queue] = at

    def settle(self) -> None:
        """Put what the statements said together of each queue."""
        if self.ets is not None:
            self._by_groups(*self.ets)
        else:
            for queue, (mode, at) in self.modes.items():
                self._mode(queue, mode, at)
        for queue in _QUEUES:
            rate = tighter(self.shapers.get(queue), self.port_rate)
            if rate is not None:
                self.settings.set_cell(f"queues.{queue}.max_rate_bps", rate)
        for queue in sorted({*self.wred, *self.ecn, *(self.ai_queues if self.ai_on and self.ai_on[0] else ())}):
            self._congestion(queue)

    # scheduling -----------------------------------------------------------------------------------------------------

    def _mode(self, queue: int, mode: str, at: At) -> None:
        base = f"queues.{queue}"
        self.settings.set(f"{base}.scheduling", "weighted" if mode == "drr" else "strict", at)
        if mode != "drr":
            self.settings.set_cell(f"{base}.share", absent(at))
            return
        weight = self.weights.get(queue)
        self.settings.set_cell(f"{base}.share", known(*weight) if weight else self.own.otherwise("weight", at))
        self.settings.set(f"{base}.share_kind", "weight", *(weight[1:] if weight else (at,)))

    def _by_groups(self, name: str, at: At) -> None:
        """An ETS profile: groups share by weight, the strict group comes first. Two ways of scheduling exclude one another."""
        rival = next((where for _, where in self.modes.values()), None)
        lines = self.policies.lines("etsprofile", name)
        if rival is not None or (lines is None and name != "default"):
            for queue in _QUEUES:
                for field in ("scheduling", "share", "share_kind"):
                    cell: Cell[Any] = (
                        unknown(self.own.undefined, at) if rival is None else unknown(Why.CONFLICT, rival, at)
                    )
                    self.settings.set_cell(f"queues.{queue}.{field}", cell)
            return
        groups: dict[int, Cell[Any]] = {queue: self.own.otherwise(f"ets.{queue}", at) for queue in _QUEUES}
        weights: dict[int, Cell[Any]] = {}
        for parsed, where in lines or ():
            match parsed.value:
                case None:
                    self.settings.set_unknown("queues", Why.NOT_PARSED, where)
                case st.EtsMembers(group=number, queues=queues):
                    groups |= dict.fromkeys(queues, known(number, where, at))
                case st.EtsWeight(group=number, weight=weight):
                    weights[number] = known(weight, where, at)
        members = [cell.value for cell in groups.values()]
        for queue, group in groups.items():
            base = f"queues.{queue}"
            if group.is_unknown:
                self.settings.set_cell(f"{base}.scheduling", group)
                self.settings.set_cell(f"{base}.share", group)
            elif group.get() == _STRICT_GROUP:
                self.settings.set(f"{base}.scheduling", "strict", *group.at)
                self.settings.set_cell(f"{base}.share", absent(*group.at))
            else:
                alone = members.count(group.get()) == 1
                given = weights.get(group.get())
                share = self.own.otherwise(f"ets.weight.{group.get()}", at) if given is None else given
                self.settings.set(f"{base}.scheduling", "weighted", *group.at)
                # what one of several queues of a group gets depends on the others
                self.settings.set_cell(f"{base}.share", share if alone else unknown(Why.NO_DEFAULT, *group.at))
                self.settings.set(f"{base}.share_kind", "weight", *share.at)

    # marking and dropping -------------------------------------------------------------------------------------------

    def _congestion(self, queue: int) -> None:
        base = f"queues.{queue}.ecn"
        by_ai = self.ai_queues.get(queue) if self.ai_on is not None and self.ai_on[0] else None
        wred, ecn = self.wred.get(queue), self.ecn.get(queue)
        if by_ai is not None:
            self._by_ai(base, by_ai, wred, ecn)
            return
        on = ecn is not None and ecn[0]
        if wred is None:
            where = ecn[1] if ecn is not None else None
            if on and where is not None:
                said = self.own.otherwise("said", where)  # another stanza may apply the profile
                for name in ("marks", "drops"):
                    self.settings.set_cell(f"{base}.{name}", said if said.is_unknown else known(False, where))
            return
        self._by_profile(base, *wred, ecn if on else None)
        self.settings.set(f"{base}.weight", 0, _BY_LENGTH)

    def _by_ai(self, base: str, at: At, wred: tuple[str, At] | None, ecn: tuple[bool, At] | None) -> None:
        """AI ECN and a drop profile exclude one another on a queue: which of them was refused cannot be told."""
        rivals = tuple(said[1] for said in (ecn, wred) if said is not None)
        if wred is not None and (ecn is None or not ecn[0]) and not self.own.otherwise("said").is_unknown:
            self._by_profile(base, *wred, None)  # where the profile is what holds, it does what it does without `ecn`
        else:
            self.settings.set(f"{base}.marks", True, at, *rivals)
            self.settings.set(f"{base}.drops", False, at, *rivals)
        for name in (
            "min_bytes",
            "max_bytes",
            "min_value",
            "max_value",
            "min_unit",
            "max_unit",
            "max_probability_percent",
        ):
            cell: Cell[Any] = unknown(Why.CONFLICT, at, *rivals) if rivals else unknown(Why.NO_DEFAULT, at, _BY_AI)
            self.settings.set_cell(f"{base}.{name}", cell)

    def _by_profile(self, base: str, name: str, at: At, ecn: tuple[bool, At] | None) -> None:
        lines = self.policies.lines("dropprofile", name)
        if lines is None and name != "default":
            self.settings.set_unknown(base, self.own.undefined, at)
            return
        curves: dict[str, tuple[st.Curve, At]] = {}
        for parsed, where in lines or ():
            match parsed.value:
                case None:
                    self.settings.set_unknown(base, Why.NOT_PARSED, where)
                case st.Curve(what=what):
                    curves[what] = (parsed.value, where)
                case st.NoCurve(what=what):
                    curves.pop(what, None)
        marking, green = curves.get("ecn"), curves.get("green")
        if ecn is not None:
            self._marking(base, at, ecn[1], marking, green)
        else:
            self._dropping(base, at, green)

    def _marking(
        self, base: str, at: At, ecn_at: At, marking: tuple[st.Curve, At] | None, green: tuple[st.Curve, At] | None
    ) -> None:
        self.settings.set(f"{base}.drops", False, ecn_at, at)
        if marking is not None:
            self.settings.set_cell(f"{base}.marks", self._in_force(ecn_at, marking[1], at))
            self._limits(base, *marking)
        elif (
            green is not None
        ):  # releases differ: older ones mark by the curve of green packets, newer ones ask for `ecn`
            self.settings.set_cell(f"{base}.marks", unknown(Why.NO_DEFAULT, green[1], ecn_at))
            self._limits(base, *green)
        else:
            said = self.own.otherwise("said", ecn_at)
            self.settings.set_cell(f"{base}.marks", said if said.is_unknown else known(False, ecn_at, at))

    def _in_force(self, *because: At) -> Cell[Any]:
        """One family marks on several queues only where ECN is enabled for the switch as well."""
        if self.family != "ce6866" or sum(on for on, _ in self.ecn.values()) < 2:
            return known(True, *because)
        if self.everywhere is not None:
            return (
                known(True, *because, self.everywhere[1])
                if self.everywhere[0]
                else unknown(Why.NO_DEFAULT, self.everywhere[1])
            )
        return unknown(Why.NO_DEFAULT, *because)

    def _dropping(self, base: str, at: At, green: tuple[st.Curve, At] | None) -> None:
        self.settings.set(f"{base}.marks", False, at)
        if green is not None:
            early = (green[0].unit, green[0].low) != ("percent", 100)
            self.settings.set(f"{base}.drops", early, green[1], at)
            self._limits(base, *green)
        else:  # without a curve packets are dropped when the queue is full, as without a profile
            said = self.own.otherwise("said", at)
            self.settings.set_cell(f"{base}.drops", said if said.is_unknown else known(False, at))

    def _limits(self, base: str, curve: st.Curve, at: At) -> None:
        shown = self.shown.get(base)
        for index, (end, value) in enumerate((("min", curve.low), ("max", curve.high))):
            self.settings.set(f"{base}.{end}_value", value, at)
            self.settings.set(f"{base}.{end}_unit", curve.unit, at)
            in_bytes = known(value, at) if curve.unit == "bytes" else unknown(Why.NO_DEFAULT, at)
            if in_bytes.is_unknown and shown is not None:
                in_bytes = known(shown[0][index], shown[1], at, _SHOWN)
            self.settings.set_cell(f"{base}.{end}_bytes", in_bytes)
        self.settings.set(f"{base}.max_probability_percent", curve.percent, at)


def _put(where: dict[int, tuple[Any, At]], queue: int, value: object, at: At) -> None:
    """Note what was said of a queue; None takes it back."""
    if value is None:
        where.pop(queue, None)
    else:
        where[queue] = (value, at)
