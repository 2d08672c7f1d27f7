"""From the statements that concern one PicOS port to its facts: a pure function, memoised over the fleet.

An internal class of the model is a local priority: it is the queue, and the code point of PFC.
"""

from __future__ import annotations

from typing import Any, ClassVar

from roce_audit.model import Port
from roce_audit.platforms.picos import defaults as d
from roce_audit.platforms.picos import statements as st
from roce_audit.platforms.picos.table import TABLE
from roce_audit.platforms.shared.cli.builder import PortBuilder, elsewhere
from roce_audit.platforms.shared.cli.syntax import PortContext
from roce_audit.platforms.shared.memo import memoised
from roce_audit.text.block import HEADER, Part
from roce_audit.text.statements.parsed import Parsed
from roce_audit.values import At, Cell, Cited, Why, absent, known, unknown

_EIGHT = range(8)
_BUFFERS = (
    "headroom_bytes",
    "headroom_is_shared",
    "xoff_at_bytes",
    "xon_at_bytes",
    "xon_offset_bytes",
    "reserved_bytes",
    "alpha",
    "pool",
)
_Lines = list[tuple[Parsed, At]]


@memoised
def read_port(parts: tuple[Part, ...], context: PortContext) -> Port:
    """The facts of a port; equal statements give the same object."""
    return _Builder(parts, context).port()


class _Builder(PortBuilder):
    table = TABLE
    defaults = d.DEFAULTS
    order = ("top", "port")

    def __init__(self, parts: tuple[Part, ...], context: PortContext) -> None:
        super().__init__(parts, context)
        self.easy_ecn: At | None = None
        self.wred: dict[int, dict[str, tuple[Any, At]]] = {}

    def port(self) -> Port:
        for number in _EIGHT:
            for path in ("classes.{}.queue", "priorities.{}.queue"):
                self.settings.set(path.format(number), number, Cited(d.EIGHT_QUEUES))
            for path in ("classes.{}.group", "priorities.{}.group"):
                self.settings.set(path.format(number), number, Cited(d.SAME_PRIORITY))
        self.take_in()
        self.settings.set("kind", self.context.kind)  # any of its lines makes a port, so none is the place
        self._pfc()
        self._marks()
        self._scheduling()
        self._ecn()
        return self.filled()

    def _named(self, kind: str, name: str) -> _Lines | None:
        """The statements of a definition; None where it is not at hand."""
        found = [(index, part) for index, part in enumerate(self.parts) if (part.kind, part.name) == (kind, name)]
        if not found:
            return None
        return [one for index, part in found for one in self._statements_of(index, part)]

    def _applied(self, kind: str, *paths: str) -> tuple[str, At, _Lines] | None:
        """The definition that is applied to the port, where, and its statements; `paths` are unknown where it is not at hand."""
        bound = self.bound(kind, "")
        if bound is None:
            return None
        name, at = bound
        lines = self._named(kind, name)
        if lines is None:
            self._unknown(self.lack.undefined, at, *paths)
            return None
        return name, at, lines

    def _unknown(self, why: Why, at: At, *paths: str) -> None:
        for path in paths:
            self.settings.set_unknown(path, why, at)

    # PFC ------------------------------------------------------------------------------------------------------------

    def _pfc(self) -> None:
        applied = self._applied("pfcprofile", "pfc.mode", "pfc.priorities", "groups")
        if applied is None:
            return
        name, at, lines = applied
        said: dict[int, tuple[bool, At]] = {}
        again: list[At] = []
        for parsed, where in lines:
            match parsed.value:
                case None:
                    self._unknown(Why.NOT_PARSED, where, "pfc.priorities", "groups")
                case st.Drop(priority=priority, drop=None):
                    said.pop(priority, None)
                case st.Drop(priority=priority, drop=bool(drop)):
                    again += [where] if priority in said else []
                    said[priority] = (drop, where)
        self.settings.set("pfc.mode", "on", at)
        unsaid = self._unsaid(name, at)
        on = {number: where for number, (drop, where) in said.items() if not drop}
        if len(said) < len(_EIGHT) and unsaid.is_unknown:
            self.settings.set_cell("pfc.priorities", unsaid)
        else:  # what stands twice, and what nobody says, comes first: it is what nobody expects
            usual = unsaid.at if len(said) < len(_EIGHT) else ()
            places = dict.fromkeys((*again, *usual, *on.values(), *(where for _, where in said.values()), at))
            paused = frozenset(on) | (frozenset(_EIGHT) - said.keys())
            self.settings.set("pfc.priorities", paused, *places)
        for number in _EIGHT:
            base = f"groups.{number}"
            if number in said:
                drop, where = said[number]
                self.settings.set(f"{base}.lossless", not drop, where, at, Cited(d.BUFFERED))
            else:
                self.settings.set_cell(f"{base}.lossless", unsaid if unsaid.is_unknown else known(True, *unsaid.at, at))
            for leaf in () if number in said and said[number][0] else _BUFFERS:
                self.settings.forbid_default(f"{base}.{leaf}", Why.NO_DEFAULT)

    def _unsaid(self, name: str, at: At) -> Cell[Any]:
        """What holds for a code point that the profile does not name: PFC is on."""
        header = next(i for i, part in enumerate(self.parts) if (part.kind, part.name) == ("pfcprofile", name))
        usual = self.lack.otherwise("not-dropped", At(header, HEADER))
        return unknown(usual.why or Why.NOT_VISIBLE, at) if usual.is_unknown else usual

    # classification -------------------------------------------------------------------------------------------------

    def _marks(self) -> None:
        if self.bound("classifier", "") is None:
            trust = self.lack.otherwise("trust")
            if trust.is_known:
                self._untrusted("dscp", 64)
                self._untrusted("pcp", 8)
            return
        applied = self._applied("classifier", "trust", "dscp", "pcp")
        if applied is None:
            return
        _, at, lines = applied
        mark: tuple[str, At] | None = None
        listed: dict[int, tuple[str, At]] = {}
        for parsed, where in lines:
            match parsed.value:
                case None:
                    self._unknown(Why.NOT_PARSED, where, *(parsed.paths or ()))
                case st.Believed(mark=said):
                    mark = None if said is None else (said, where)
                case st.Classified(forwarding_class=name, code_point=code_point):
                    listed[code_point] = (name, where)
                case st.Unclassified(forwarding_class=name, code_point=code_point):
                    listed = {p: s for p, s in listed.items() if s[0] != name or code_point not in (None, p)}
        if mark is None:  # no guide says what a classifier without one believes
            self._unknown(Why.NO_DEFAULT, at, "trust", "dscp", "pcp")
            return
        self.settings.set("trust", mark[0], mark[1], at)
        field, size = ("dscp", 64) if mark[0] == "dscp" else ("pcp", 8)
        for number in range(size):
            found = listed.get(number)
            cell = unknown(Why.NO_DEFAULT, at) if found is None else self._local(found[0], found[1], at)
            self.settings.set_cell(f"{field}.{number}", cell)
        if mark[0] == "dscp":
            self._unknown(Why.NOT_VISIBLE, at, "pcp")  # its DSCP decides
        else:
            self._untrusted("dscp", 64, mark[1], at)

    def _untrusted(self, field: str, size: int, *at: At) -> None:
        for number in range(size):
            self.settings.set_cell(f"{field}.{number}", self.lack.otherwise("untrusted", *at))

    def _local(self, name: str, *at: At) -> Cell[Any]:
        """The local priority of a forwarding class."""
        lines = self._named("forwardingclass", name)
        if lines is None:
            return unknown(self.lack.undefined, *at)
        found: tuple[int, At] | None = None
        for parsed, where in lines:
            match parsed.value:
                case None:
                    return unknown(Why.NOT_PARSED, where)
                case st.LocalPriority(number=number):
                    found = None if number is None else (number, where)
        return (
            self.lack.otherwise("local-priority", *at) if found is None else known(found[0], *at[:1], found[1], *at[1:])
        )

    # queues ---------------------------------------------------------------------------------------------------------

    def _scheduling(self) -> None:
        applied = self._applied("schedulerprofile", "queues")
        if applied is None:
            return
        lines = applied[2]
        served: dict[str, tuple[str, At]] = {}
        for parsed, where in lines:
            match parsed.value:
                case None:
                    self._unknown(Why.NOT_PARSED, where, "queues")
                case st.Served(forwarding_class=name, scheduler=None):
                    served.pop(name, None)
                case st.Served(forwarding_class=name, scheduler=str(scheduler)):
                    served[name] = (scheduler, where)
        for name, (scheduler, where) in served.items():
            queue = self._local(name, where)
            if queue.is_unknown:
                self._unknown(queue.why or Why.NOT_VISIBLE, where, "queues")
            else:
                self._serve(f"queues.{queue.get()}", scheduler, where)

    def _serve(self, base: str, scheduler: str, at: At) -> None:
        lines = self._named("scheduler", scheduler)
        if lines is None:
            self._unknown(self.lack.undefined, at, f"{base}.scheduling", f"{base}.share", f"{base}.max_rate_bps")
            return
        strict = False
        self.settings.set(f"{base}.share_kind", "weight", at)
        for parsed, where in lines:
            match parsed.value:
                case None:
                    self._unknown(Why.NOT_PARSED, where, f"{base}.scheduling", f"{base}.share")
                case st.Scheduling(mode=mode):
                    strict = mode == "strict"
                    self.settings.set(f"{base}.scheduling", mode, where, at)
                case st.Weight(number=number):
                    self.settings.set(f"{base}.share", number, where, at)
                case st.Limited():
                    self.settings.set_cell(f"{base}.max_rate_bps", unknown(Why.NO_DEFAULT, where, at))
        if strict:
            self.settings.set_absent(f"{base}.share", at)

    def _ecn(self) -> None:
        """WRED as the port configures it; Easy ECN marks by itself, and no guide says in which queues."""
        for queue, said in self.wred.items():
            base = f"queues.{queue}.ecn"
            on = said.get("on")
            if on is None or self.easy_ecn is not None:
                self.settings.set_cell(base, unknown(Why.NO_DEFAULT, *(at for _, at in said.values())))
            elif not on[0]:
                self.settings.set_cell(base, absent(on[1]))
            else:
                self.settings.set(f"{base}.marks", False, on[1], Cited(d.DROPPED_EARLY))
                self.settings.set(f"{base}.drops", True, on[1], Cited(d.DROPPED_EARLY))
                for leaf, (value, at) in said.items():
                    if leaf != "on":
                        self.settings.set(f"{base}.{leaf}", value, at)
        if self.easy_ecn is not None:
            for queue in _EIGHT:
                if queue not in self.wred:
                    self.settings.set_cell(
                        f"queues.{queue}.ecn", unknown(Why.NO_DEFAULT, self.easy_ecn, Cited(d.EASY_ECN))
                    )

    # handlers of single statements ----------------------------------------------------------------------------------

    def on_apply(self, said: st.Apply, role: str, at: At) -> None:
        self.bind(said.kind, "", said.name, role, at)

    def on_wred(self, said: st.Wred, role: str, at: At) -> None:
        of_queue = self.wred.setdefault(said.queue, {})
        of_queue.pop(said.what, None)
        if said.value is not None:
            of_queue[said.what] = (said.value, at)

    def on_easy_ecn(self, said: st.EasyEcn, role: str, at: At) -> None:
        self.easy_ecn = at if said.on else None

    handlers: ClassVar = {
        st.Apply: on_apply,
        st.Channel: elsewhere,
        st.Wred: on_wred,
        st.EasyEcn: on_easy_ecn,
    }
