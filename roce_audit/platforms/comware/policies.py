"""QoS policies of a port: `classifier C behavior B` lines, which name what they take and what they do to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.platforms.comware import statements as st
from roce_audit.platforms.comware.queues import QUEUES
from roce_audit.platforms.shared.cli.builder import PortBuilder
from roce_audit.platforms.shared.cli.filters import DROPS, LIST
from roce_audit.platforms.shared.policy.rulelines import neutral
from roce_audit.text.acl import roce_chosen
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Why


class PolicyBuilder(PortBuilder):
    """The part of a port's builder that reads blocks by their names, and policies."""

    def _named(self, kind: str, name: str) -> list[tuple[int, Part]]:
        return [(i, part) for i, part in enumerate(self.parts) if (part.kind, part.name) == (kind, name)]

    def said_in(self, kind: str, name: str, doubted: str) -> list[tuple[object, At]] | None:
        """The statements of a named block, what was not understood made unknown; None where nothing defines the name."""
        blocks = self._named(kind, name)
        found: list[tuple[object, At]] = []
        for index, part in blocks:
            for parsed, at in self._statements_of(index, part):
                if parsed.value is None:
                    for path in parsed.paths or doubted.split():
                        self.settings.set_unknown(path, Why.NOT_PARSED, at)
                else:
                    found.append((parsed.value, at))
        return found if blocks else None

    def policies(self) -> None:
        """Fold the policies that are bound to what enters and to what leaves."""
        for direction in ("inbound", "outbound"):
            for role, (name, at) in self.bindings.get(("policy", direction), {}).items():
                self._policy(name, direction, at, role)

    def _policy(self, name: str, direction: str, at: At, role: str) -> None:
        """What a policy does to RoCE hangs on its classifiers: of those that go by marks nobody knows whether they take it."""
        pairs = self.said_in("qospolicy", name, f"dscp pcp policed rewrites_dscp {DROPS}")
        if pairs is None:
            for path in ("dscp", "pcp", "policed", "rewrites_dscp"):
                self.settings.set_unknown(path, self.lack.undefined, at)
            return
        first = True
        free = set(range(64))
        for pair, where in pairs:
            takes = self._takes_roce(pair.classifier, where) if isinstance(pair, st.Pair) else False
            if isinstance(pair, st.Pair) and takes is not False:
                marks = set(self._marks(pair.classifier))
                asked = marks & free if takes or self._goes_by_dscp(pair.classifier) else set()
                free -= marks
                meets = first and (takes is True or self._is_paused(pair.classifier))
                actions = list(self._actions(pair.behavior, at))
                is_queued = any(isinstance(said, st.Action) and said.queue is not None for said, _ in actions)
                for action, place in actions:
                    if is_queued and action == st.Action("classifies"):
                        continue  # a new tag beside the local precedence, which tells the queue
                    if isinstance(action, st.Action) and action.what == "polices":
                        self._police(direction, meets, place, at)
                    else:
                        self._act(action, direction, first and takes is True, marks, asked, place, at)
                if first and takes:
                    return
                first = False

    def _actions(self, behavior: str, at: At) -> Iterator[tuple[object, At]]:
        said = self.said_in("behavior", behavior, "dscp pcp policed rewrites_dscp")
        if said is None:
            for path in ("dscp", "pcp", "policed", "rewrites_dscp"):
                self.settings.set_unknown(path, self.lack.undefined, at)
            return
        yield from said

    def _takes_roce(self, classifier: str, at: At) -> bool | None:
        """Whether a classifier takes all RoCEv2 packets, or none; None where that is not read, or hangs on other marks."""
        answers = {self._line_takes_roce(line, at) for line in self._criteria(classifier)}
        return answers.pop() if len(answers) == 1 else None

    def _criteria(self, classifier: str) -> list[object]:
        parts = self._named("classifier", classifier)
        return [parsed.value for index, part in parts for parsed, _ in self._statements_of(index, part)]

    def _marks(self, classifier: str) -> Iterable[int]:
        """The code points of the packets that a classifier may take."""
        lines = self._criteria(classifier)
        named = [line.dscps for line in lines if isinstance(line, st.Taken) and line.dscps]
        return (
            range(64) if len(named) < len(lines) or not named else sorted({mark for marks in named for mark in marks})
        )

    def _goes_by_dscp(self, classifier: str) -> bool:
        """Whether code points are all that a classifier asks for."""
        lines = self._criteria(classifier)
        return len(lines) == 1 and isinstance(lines[0], st.Taken) and bool(lines[0].dscps)

    def _line_takes_roce(self, line: object, at: At) -> bool | None:
        if not isinstance(line, st.Taken) or not (line.everything or line.acl):
            return None
        if line.everything:
            return True
        lists = self._named(LIST, line.acl)
        rules = [neutral(text) for _, part in lists for text in part.block.texts.statements]
        chosen = roce_chosen(tuple(rules) if lists else None, self.lack.undefined, at)
        return None if isinstance(chosen, Cell) else chosen

    def _is_paused(self, classifier: str) -> bool:
        """Whether the only criterion of a classifier is code points that lead to a priority with PFC: whoever sends with them is paused."""
        lines, paused = self._criteria(classifier), self.settings.get("pfc.priorities")
        if len(lines) != 1 or not isinstance(lines[0], st.Taken) or paused is None or not paused.is_known:
            return False
        led = [self.settings.get(f"dscp.{mark}") for mark in lines[0].dscps]
        return any(cell is not None and cell.is_known and cell.get() in paused.get() for cell in led)

    def _classify(self, queue: int | None, marks: Iterable[int], asked: set[int], *at: At) -> None:
        """New classes of packets: known where a map gives a paused priority, whose pause stops another queue than this one.

        What becomes of their buffer is documented nowhere, so a queue that is the right one leaves their class unknown.
        """
        paused = self.settings.get("pfc.priorities")
        priorities = paused.get() if paused is not None and paused.is_known else frozenset()
        of_queue = [n for n in QUEUES if queue is not None and self._leads(f"classes.{n}.queue") == queue]
        self.settings.set_unknown("pcp", Why.NOT_VISIBLE, *at)
        for mark in marks:
            led = self._leads(f"dscp.{mark}")
            if mark in asked and of_queue and led in priorities and self._leads(f"priorities.{led}.queue") != queue:
                self.settings.set(f"dscp.{mark}", of_queue[0], *at)
            else:
                self.settings.set_unknown(f"dscp.{mark}", Why.NOT_VISIBLE, *at)

    def _leads(self, path: str) -> int | None:
        cell = self.settings.cell(path)
        found: int | None = None if cell is None else cell.value_or_none()
        return found

    def _police(self, direction: str, meets: bool, *at: At) -> None:
        """A policer of what enters; whether it meets RoCE may not be known."""
        if direction == "inbound" and meets:
            self.settings.set("policed", True, *at)
        elif direction == "inbound":
            self.settings.set_unknown("policed", Why.NOT_VISIBLE, *at)

    def _act(
        self, action: object, direction: str, everything: bool, marks: Iterable[int], asked: set[int], *at: At
    ) -> None:
        what = action.what if isinstance(action, st.Action) else ""
        inbound = direction == "inbound"
        if what == "drops" and everything:
            self.settings.set(DROPS, True, *at)
        elif what == "drops":
            self.settings.set_unknown(DROPS, Why.NOT_VISIBLE, *at)
        elif isinstance(action, st.Action) and what == "classifies" and inbound:
            self._classify(action.queue, marks, asked, *at)
        elif isinstance(action, st.Action) and what == "marks" and everything and action.dscp is not None:
            self.settings.set("rewrites_dscp", frozenset(QUEUES), *at)
            for number in QUEUES:
                self.settings.set(f"classes.{number}.new_dscp", action.dscp, *at)
        elif what == "marks":
            for path in ("rewrites_dscp", *((*[f"dscp.{mark}" for mark in marks], "pcp") if inbound else ())):
                self.settings.set_unknown(path, Why.NOT_VISIBLE, *at)
