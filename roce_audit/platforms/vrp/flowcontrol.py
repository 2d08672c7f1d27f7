"""PFC of one port: the profile that is applied, deadlock detection, and the buffer that stands behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.classify import Classification
from roce_audit.platforms.vrp.defaults import ALWAYS_WATCHED, BY_TAG, DYNAMIC, POOL_NEEDED
from roce_audit.platforms.vrp.family import Family
from roce_audit.platforms.vrp.policies import TrafficPolicies
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Cited, Where, Why, absent, known, unknown

_UNITS = {"bytes": 1, "kbytes": 1_000, "mbytes": 1_000_000}
_BUFFERS = {"hdrm": ("headroom_bytes",), "guaranteed": ("reserved_bytes",)}
_THRESHOLDS = ("xoff_at_bytes", "xon_at_bytes", "xon_offset_bytes", "alpha")
_SHOWN_UNITS = {"B": "bytes", "K": "kbytes", "M": "mbytes", "C": "cells"}
_SHOWN = {"hdrm": "headroom_bytes", "guaranteed": "reserved_bytes", "offset": "xon_offset_bytes"}
_SHARED_HEADROOM = Cited("headroom is taken from the headroom pool of the chip")


class FlowControl:
    """What the statements of the switch and of one port say of PFC."""

    def __init__(self, settings: Settings, policies: TrafficPolicies, own: Lack, family: Family, slot: str) -> None:
        self.settings = settings
        self.policies = policies
        self.own = own
        self.family = family
        self.slot = slot
        self.enabled: tuple[st.PfcEnable, At] | None = None
        self.pool: tuple[int | None, At] | None = None
        self.mapping: tuple[bool, At] | None = None
        self.of_other_slots: dict[type, At] = {}
        """Where the pool and the mapping are set for another slot than this port's."""
        self.behaviour: tuple[str | None, At] | None = None
        self.interval: tuple[int, At] | None = None
        self.running: tuple[bool, At] | None = None
        self.has_thresholds = False
        """The port has thresholds of PFC: a part that sets them shows whether PFC is on."""
        self.timers: dict[str, tuple[int, At]] = {}
        self.times: dict[tuple[int, str], tuple[int, At]] = {}
        self.priorities: Cell[Any] = unknown(Why.NOT_VISIBLE)

    def take(self, said: object, at: At) -> None:
        """One statement of the switch or the port; of those that name a slot, only what is about the port's."""
        match said:
            case st.PfcEnable():
                self.enabled = (said, at)
            case st.HeadroomPool(slot=slot, size_bytes=size) if slot == self.slot:
                self.pool = (size, at)
            case st.DscpMapping(slot=slot, on=on) if slot == self.slot:
                self.mapping = (on, at)
            case st.HeadroomPool() | st.DscpMapping():
                self.of_other_slots[type(said)] = at
            case st.RecoveryBehaviour(slot=slot, action=action) if slot == self.slot:
                self.behaviour = (action, at)
            case st.DeadlockInterval(ms=ms):
                self.interval = (ms, at)
            case st.DeadlockTimer(what=what, ms=ms):
                self.timers[what] = (ms, at)
            case st.Threshold():
                self.has_thresholds = True
                self._threshold(said, at)
            case st.QueueBuffer(queue=queue, what=what, size_bytes=size):
                self.settings.set(f"groups.{queue}.{what}", size, at)
            case st.ShownBuffer():
                self._shown(said, at)
            case st.Running(on=on):
                self.running = (on, at)
            case st.NoQueueBuffer(queue=queue, what=what):
                for number in range(8) if queue is None else (queue,):
                    for name in (
                        _BUFFERS.get(what or "", _THRESHOLDS)
                        if what
                        else (*_THRESHOLDS, "headroom_bytes", "reserved_bytes")
                    ):
                        self.settings.reset(f"groups.{number}.{name}")

    def settle(self) -> None:
        """Put PFC, its watchdog and the groups behind it."""
        self.priorities = self._priorities()
        if self.priorities.is_unknown:
            self.settings.set_cell("pfc.unasked", self.priorities)
        if self.enabled is not None:
            self.settings.set("pfc.mode", self.enabled[0].mode, self.enabled[1])
            self.settings.set_cell("pfc.priorities", self.priorities)
        elif self.has_thresholds and self.priorities.is_known:
            self.settings.set("pfc.mode", "off", *self.priorities.at)
            self.settings.set_cell("pfc.priorities", self.priorities)
        if self.running is not None:
            on, at = self.running
            if not on:
                self.settings.set("pfc.operational", frozenset(), at)
            elif self.priorities.is_known:
                self.settings.set("pfc.operational", self.priorities.get(), at)
        self._watchdog()
        if self.enabled is None or self.enabled[0].mode == "off":
            return
        for number in range(8):
            self._group(number)

    def _priorities(self) -> Cell[Any]:
        if self.enabled is None:
            own = replace(self.own, complete=self.own.complete | {"pfc.none"}) if self.has_thresholds else self.own
            return own.otherwise("pfc.none")
        said, at = self.enabled
        if said.mode == "off":
            return known(frozenset(), at)
        lines = self.policies.lines("pfcprofile", said.profile)
        if lines is None and said.profile != "default":
            return unknown(self.own.undefined, at)
        explicit: dict[int, tuple[bool, At]] = {}
        doubt: Cell[Any] | None = None
        for parsed, where in lines or ():
            match parsed.value:
                case None if "pfc" in (parsed.paths or ()):
                    doubt = unknown(Why.NOT_PARSED, where) if doubt is None else doubt
                case None:
                    self.settings.set_unknown("pfc.watchdog", Why.NOT_PARSED, where)
                case st.PfcPriorities(on=on, numbers=numbers):
                    explicit |= dict.fromkeys(numbers or range(8), (on, where))
                case st.DeadlockTime(priority=priority, detect=detect, recovery=recovery):
                    for what, units in (("detect", detect), ("restore", recovery)):
                        if units is not None:
                            self.times[(priority, what)] = (units, where)
        if doubt is not None:
            return doubt
        if said.mode == "auto":
            return unknown(Why.NOT_VISIBLE, at)  # what DCBX negotiated is not in the configuration
        usual: tuple[Where, ...] = ()
        if 3 not in explicit:
            header = self.policies.header("pfcprofile", said.profile)
            # a profile that names priorities is shown: `undo priority 3` would stand beside them
            own = replace(self.own, complete=self.own.complete | {"pfc.3"}) if explicit else self.own
            default = own.otherwise("pfc.3", at if header is None else header)
            if default.is_unknown:
                return default
            if any(on for on, _ in explicit.values()):
                self.settings.set("pfc.unasked", frozenset({3}), *default.at)
            explicit[3] = (True, at)
            usual = default.at
        paused = {number: where for number, (on, where) in explicit.items() if on}
        rest = tuple(where for on, where in explicit.values() if not on)
        places = dict.fromkeys((*usual, *(where for where in paused.values() if where != at), *rest, at))
        return known(frozenset(paused), *places)

    # deadlock detection ---------------------------------------------------------------------------------------------

    def _watchdog(self) -> None:
        path = "pfc.watchdog"
        self.settings.set(f"{path}.on", True, Cited(ALWAYS_WATCHED))
        for what, field in (("detect", "detect_ms"), ("restore", "restore_ms")):
            self.settings.set_cell(f"{path}.{field}", self._time(what))
        never = [where for (_, what), (units, where) in self.times.items() if what == "restore" and not units]
        if never:  # a recovery time of 0: a deadlock is found and nothing is done
            self.settings.set(f"{path}.on", False, *never)
        if self.behaviour is not None and self.behaviour[0] is not None:
            self.settings.set(f"{path}.action", *self.behaviour)
        elif self.family:
            self.settings.set_cell(f"{path}.action", self.own.otherwise(f"{self.family}.action"))
        else:
            self.settings.forbid_default(f"{path}.action", Why.NO_DEFAULT)

    def _time(self, what: str) -> Cell[Any]:
        """Milliseconds; one value where all paused priorities have the same."""
        timer = self.timers.get(what)
        if timer is not None:
            return known(float(timer[0]), timer[1])
        if self.priorities.is_unknown:
            return unknown(Why.NOT_VISIBLE, *self.priorities.at)
        units = {self.times.get((number, what)) for number in self.priorities.get()} or {None}
        said = [found for found in units if found is not None]
        if not said and self.interval is None:
            return self.own.otherwise(what)
        interval = known(*self.interval) if self.interval is not None else self.own.otherwise("interval")
        if interval.is_unknown:
            return interval
        different = {found[0] if found is not None else 10 for found in units}
        at = (*(found[1] for found in said), *interval.at)
        return (
            known(float(different.pop() * interval.get()), *at) if len(different) == 1 else unknown(Why.CONFLICT, *at)
        )

    # buffers --------------------------------------------------------------------------------------------------------

    def _threshold(self, said: st.Threshold, at: At) -> None:
        base = f"groups.{said.queue}"
        for name, given in (("xoff_at_bytes", said.xoff), ("xon_at_bytes", said.xon)):
            if given is None:
                continue
            kind, value, unit = given
            factor = _UNITS.get(unit)
            if kind == "dynamic":
                cell: Cell[Any] = absent(at, Cited(DYNAMIC))
            else:
                cell = unknown(Why.NO_DEFAULT, at) if factor is None else known(value * factor, at)
            self.settings.set_cell(f"{base}.{name}", cell)
            # which factor a step of the dynamic threshold stands for is not documented
            alpha: Cell[Any] = unknown(Why.NO_DEFAULT, at) if kind == "dynamic" else absent(at)
            self.settings.set_cell(f"{base}.alpha", alpha)
        if said.offset_bytes is not None:
            self.settings.set(f"{base}.xon_offset_bytes", said.offset_bytes, at)

    def _shown(self, said: st.ShownBuffer, at: At) -> None:
        """What is in effect; a statement of the port says it itself."""
        if said.what == "xoff" or said.what == "xon":
            kind: Literal["static", "dynamic"] = "dynamic" if said.unit == "D" else "static"
            given = (kind, said.value, _SHOWN_UNITS.get(said.unit, ""))
            none = st.Threshold(said.queue)
            self._threshold(none._replace(xoff=given) if said.what == "xoff" else none._replace(xon=given), at)
            return
        factor = _UNITS.get(_SHOWN_UNITS.get(said.unit, ""))
        cell: Cell[Any] = unknown(Why.NO_DEFAULT, at) if factor is None else known(said.value * factor, at)
        self.settings.set_cell(f"groups.{said.queue}.{_SHOWN[said.what]}", cell)

    def _group(self, number: int) -> None:
        base = f"groups.{number}"
        if self.priorities.is_unknown:
            self.settings.set_cell(f"{base}.lossless", self.priorities)
            self._in_doubt(base, self.priorities.why or Why.NO_DEFAULT, *self.priorities.at)
            return
        if number not in self.priorities.get():
            return
        backed = self._backed()
        self.settings.set_cell(f"{base}.lossless", backed)
        if self.pool is not None and self.pool[0] is not None:
            self.settings.set(f"{base}.pool.shared_headroom_bytes", *self.pool)
        if self.family == "ce8855":
            self.settings.set(f"{base}.headroom_is_shared", True, _SHARED_HEADROOM)
            for name, path in (
                ("headroom", "headroom_bytes"),
                ("reserved", "reserved_bytes"),
                ("offset", "xon_offset_bytes"),
                ("xoff", "xoff_at_bytes"),
            ):
                self._otherwise(f"{base}.{path}", f"ce8855.{name}")
        elif self.family == "ce6866":
            self._otherwise(f"{base}.xoff_at_bytes", "ce6866.xoff")
            self._otherwise(f"{base}.xon_at_bytes", "ce6866.xon")
        self._in_doubt(base)

    def _otherwise(self, path: str, name: str) -> None:
        if self.settings.get(path) is None:
            self.settings.set_cell(path, self.own.otherwise(name))

    def _in_doubt(self, base: str, why: Why = Why.NO_DEFAULT, *at: Where) -> None:
        """What neither a statement nor the guide says of a lossless group."""
        for name in (*_THRESHOLDS, "headroom_bytes", "headroom_is_shared", "reserved_bytes", "pool"):
            self.settings.forbid_default(f"{base}.{name}", why, *at)

    def _backed(self) -> Cell[Any]:
        """Whether a buffer stands behind PFC: one family has it of itself, the other needs the headroom pool."""
        because = self.priorities.at
        if self.pool is not None:
            size, at = self.pool
            if size or self.family != "ce8855":
                return known(True, at, *because) if size or self.family else unknown(Why.NO_DEFAULT, at)
            return known(False, at, Cited(POOL_NEEDED))
        if self.family == "ce6866":
            return known(True, *because)
        if not self.family:
            return unknown(Why.NO_DEFAULT, *because)
        said = self.own.otherwise("pool")
        elsewhere = self.of_other_slots.get(st.HeadroomPool)
        return (
            said
            if said.is_unknown
            else known(False, *((elsewhere,) if elsewhere else because[-1:]), Cited(POOL_NEEDED))
        )

    def groups_of_classes(self, marks: Classification, routed: Cell[Any]) -> None:
        """The group of each internal class: its own, but where backpressure goes by the tag and packets have none."""
        for number in range(8):
            self.settings.set_cell(f"classes.{number}.group", self._group_of_class(number, marks, routed))

    def _group_of_class(self, number: int, marks: Classification, routed: Cell[Any]) -> Cell[Any]:
        if self.mapping is not None and self.mapping[0]:
            return known(number, self.mapping[1])
        if self.family == "ce6866":
            return known(number, Cited("this chip family backpressures by queue"))
        if not self.family:
            return unknown(Why.NO_DEFAULT)
        by_tag = known(False, self.mapping[1]) if self.mapping is not None else self.own.otherwise("mapping")
        if by_tag.is_unknown:
            return by_tag
        if marks.mark.is_unknown or marks.mark.value == "pcp":
            return unknown(Why.NOT_VISIBLE, *marks.mark.at)
        if routed.is_unknown or not routed.get():
            return unknown(Why.NOT_VISIBLE, *by_tag.at)  # a switched port may carry tags
        priority = marks.port_priority()
        elsewhere = self.of_other_slots.get(st.DscpMapping)
        lines = (elsewhere, *marks.mark.at) if elsewhere else marks.mark.at
        return priority if priority.is_unknown else known(priority.get(), *lines, Cited(BY_TAG))
