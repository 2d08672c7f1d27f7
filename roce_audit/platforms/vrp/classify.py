"""Classification: the queue of a RoCEv2 packet that enters a port, by the mark it trusts and its DiffServ domain."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.policy.classify import Classifier, Field
from roce_audit.platforms.vrp import statements as st
from roce_audit.platforms.vrp.policies import TrafficPolicies
from roce_audit.text.fill import Lack
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cell, Where, Why, known, unknown

_SIZES: tuple[tuple[Field, int], ...] = (("dscp", 64), ("pcp", 8))


class Classification:
    """What the statements of one port say of it."""

    def __init__(self, settings: Settings, policies: TrafficPolicies, own: Lack) -> None:
        self.settings = settings
        self.policies = policies
        self.own = own
        self.trust: tuple[str, At] | None = None
        self.domain: tuple[str, At] | None = None
        self.priority: tuple[int, At] | None = None
        self.marking: tuple[bool, At] | None = None
        self.mark: Cell[Any] = unknown(Why.NOT_VISIBLE)
        """The mark that decides: "dscp", "pcp" or "none"."""
        self._inbound: dict[tuple[str, int], tuple[int, At]] = {}
        self._outbound: dict[int, tuple[int, At]] = {}
        self._doubts: dict[str, Cell[Any]] = {}
        self._nameless: Cell[Any] | None = None
        """The doubt that a domain brings which nothing defines."""

    def take(self, said: object, at: At) -> None:
        """One statement of the port."""
        match said:
            case st.Trust(mark=mark):
                self.trust = None if mark is None else (mark, at)
            case st.Upstream(domain=domain):
                self.domain = (domain, at) if domain else None
            case st.PortPriority(number=number):
                self.priority = (number, at)
            case st.Marking(on=on):
                self.marking = (on, at)

    def settle(self, routed: Cell[Any], bound: tuple[str, At] | None) -> None:
        """Put trust and the queue of every mark; a traffic policy that is bound comes before them."""
        self._read_domain()
        self.mark = self._mark(routed)
        self.settings.set_cell("trust", self.mark)
        classifier = None if bound is None else Classifier(self.policies, self.own.undefined)
        if classifier is not None and bound is not None:
            believed = classifier.believes(*bound)
            if not believed.is_absent:
                self.settings.set_cell("trust", believed)
        for field, size in _SIZES:
            for value in range(size):
                answer = self._queue(field, value)
                if classifier is not None and bound is not None:
                    answer = classifier.group(*bound, field, value, answer)
                self.settings.set_cell(f"{field}.{value}", answer)
        self._rewriting()

    def port_priority(self) -> Cell[Any]:
        """The 802.1p priority of packets without a tag."""
        return known(*self.priority) if self.priority is not None else self.own.otherwise("port")

    def _mark(self, routed: Cell[Any]) -> Cell[Any]:
        """Command reference, trust: what a port believes that says nothing depends on whether it routes."""
        if self.domain is not None and self.domain[0] == "none":
            return known("none", self.domain[1])
        if self._nameless is not None:
            return self._nameless
        if self.trust is not None:
            return known(*self.trust)
        usual = self.own.otherwise("trust")
        if usual.is_unknown or routed.is_unknown:
            return usual if usual.is_unknown else routed
        return known("dscp" if routed.get() else "pcp", *usual.at)

    def _queue(self, field: Field, value: int) -> Cell[Any]:
        if self.mark.is_unknown:
            return self.mark
        mark = self.mark.get()
        if mark == "none" or (mark == "pcp" and field == "dscp"):  # an untagged packet has the port's priority
            priority = self.port_priority()
            return priority if priority.is_unknown else self._mapped("pcp", priority.get(), *self.mark.at, *priority.at)
        if mark != field:  # tagged, and classified by its DSCP: the question by DSCP answers it
            return unknown(Why.NOT_VISIBLE, *self.mark.at)
        return self._mapped(field, value, *self.mark.at)

    def _mapped(self, field: str, value: int, *because: Where) -> Cell[Any]:
        doubt = self._doubts.get(field)
        if doubt is not None:
            return doubt
        found = self._inbound.get((field, value))
        if found is not None:
            return known(found[0], found[1], *because)
        return self.own.otherwise(f"{field}.{value}", *because)

    def _read_domain(self) -> None:
        """The maps of the domain that holds for the port."""
        name, bound_at = self.domain if self.domain is not None else ("default", None)
        if name == "none":
            return
        lines = self.policies.lines("domain", name)
        if lines is None and bound_at is not None and name != "default":
            self._nameless = unknown(self.own.undefined, bound_at)
            self._doubts = dict.fromkeys(("dscp", "pcp", "outbound"), self._nameless)
            return
        for parsed, at in lines or ():
            match parsed.value:
                case None:
                    for path in parsed.paths or ():
                        kind = path if path in ("dscp", "pcp") else "outbound"
                        self._doubts.setdefault(kind, unknown(Why.NOT_PARSED, at))
                case st.Inbound(field=field, value=value, queue=queue):
                    for number in range(64 if field == "dscp" else 8) if value is None else (value,):
                        _put(self._inbound, (field, number), queue, at)
                case st.Outbound(queue=queue, colour=colour, dscp=dscp) if colour in ("green", ""):
                    for number in range(8) if queue is None else (queue,):
                        _put(self._outbound, number, dscp, at)

    def _rewriting(self) -> None:
        """Packets that leave get the DSCP of their class where the port maps PHBs to DSCP; green ones, as most are."""
        if self.marking is None or not self.marking[0]:
            return
        at = self.marking[1]
        self.settings.set("rewrites_dscp", frozenset(range(8)), at)
        for number in range(8):
            found = self._outbound.get(number)
            cell = known(found[0], found[1], at) if found is not None else self.own.otherwise(f"outbound.{number}", at)
            self.settings.set_cell(f"classes.{number}.new_dscp", self._doubts.get("outbound", cell))


def _put(where: dict[Any, tuple[int, At]], key: object, value: int | None, at: At) -> None:
    """Note what was said of a mark or class; None takes it back."""
    if value is None:
        where.pop(key, None)
    else:
        where[key] = (value, at)
