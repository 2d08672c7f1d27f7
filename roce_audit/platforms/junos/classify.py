"""Classification and rewriting: what the classifiers of a port's units make of a RoCEv2 packet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from roce_audit.platforms.junos.builder import EIGHT, Bound, Builder
from roce_audit.platforms.junos.defaults import TAG_CLASSES
from roce_audit.platforms.junos.filters import drops_roce, given, picks_by_port, policed
from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Why, absent, known, unknown

_MARKS = 64
_CONTROL = 48
"""From this DSCP on the default classifier may lead to network control."""
_LISTED = ("forwarding-class * loss-priority * code-points", "forwarding-class * loss-priority * code-point")
_MARKS_OF_ONE = 8
"""DSCPs of one IP precedence, which is their upper three bits."""
_CLASSIFIERS = {"dscp": "dscp-classifier", "ieee-802.1": "tag-classifier", "inet-precedence": "precedence-classifier"}
_BEST_EFFORT_BY_DEFAULT = frozenset({0, 2, 3, 4})
"""IP precedences that the default classifier leads to best-effort (Junos CoS guide, Default IP Precedence Classifier: ipprec-default)."""
_FAMILIES = ("inet", "inet6", "ethernet-switching")
_DROPPING = (
    *("family inet filter input", "family inet filter output"),
    *("family ethernet-switching filter input", "family ethernet-switching filter output"),
)
_OF_VLAN = frozenset({"filter input", "forwarding-options filter input"})
_BY_PRECEDENCE = "classifiers inet-precedence"
BEST_EFFORT = "best-effort"


class Classification:
    """Which forwarding class, by its name, a packet enters by its DSCP, and by its tag."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.by_mark: list[Cell[str]] = [unknown(Why.NOT_VISIBLE)] * _MARKS
        self.by_tag: list[Cell[str]] = [unknown(Why.NOT_VISIBLE)] * len(EIGHT)
        self.tag: Bound | None = None
        """The 802.1p classifier that is bound, where there is no other."""
        self.is_filtered = False
        """A filter on the way in chooses classes, for packets of any tag."""
        self._by_port: At | None = None
        """Where the filter is bound that picks RoCE packets out by their port."""

    def apply(self) -> None:
        """Set what the port trusts, and the class of each mark."""
        builder = self.builder
        answers: list[list[Cell[str]]] = []
        tagged: list[list[Cell[str]]] = []
        for number in builder.units:
            marks, precedence = builder.of_unit("classifiers dscp", number), builder.of_unit(_BY_PRECEDENCE, number)
            tags = builder.of_unit("classifiers ieee-802.1", number)
            by_packet = marks or precedence
            by_filter = self._filtered(number)
            self.is_filtered = self.is_filtered or not all(one.is_absent for one in by_filter)
            classes = self._unfiltered(number, marks, tags, precedence)
            answers.append(
                [one if chosen.is_absent else chosen for one, chosen in zip(classes, by_filter, strict=True)]
            )
            tagged.append(self._tags(by_packet, tags, by_filter))
            if self._by_port is not None:
                builder.put("trust", "acl", self._by_port)
            else:
                self._trust(by_packet, tags)
            self.tag = tags if tags is not None and by_packet is None else self.tag
        self.by_mark = [self._agreed([each[mark] for each in answers]) for mark in range(_MARKS)]
        self.by_tag = [self._agreed([each[tag] for each in tagged]) for tag in EIGHT]
        for kind, cells in (("dscp", self.by_mark), ("pcp", self.by_tag)):
            for index, cell in enumerate(cells):
                builder.cell(f"{kind}.{index}", self._queue(cell))
        self._policed()
        self._dropped()

    def _trust(self, marks: Bound | None, tags: Bound | None) -> None:
        if marks is not None and tags is not None:
            self.builder.put("trust", "both", marks[1], tags[1])
        elif marks is not None:
            self.builder.put("trust", "dscp", marks[1])
        elif tags is not None:
            self.builder.put("trust", "pcp", tags[1])

    def _queue(self, name: Cell[str]) -> Cell[int]:
        if not name.is_known:
            return unknown(name.why or Why.NOT_VISIBLE, *name.at)
        queue = self.builder.queue(name.get())
        return Cell(queue.value, queue.why, (*name.at, *queue.at))

    @staticmethod
    def _agreed(cells: list[Cell[str]]) -> Cell[str]:
        if any(cell != cells[0] for cell in cells):
            return unknown(Why.CONFLICT, *dict.fromkeys(at for cell in cells for at in cell.at[:2]))
        return cells[0]

    def _unfiltered(
        self, number: str, marks: Bound | None, tags: Bound | None, precedence: Bound | None
    ) -> list[Cell[str]]:
        """The forwarding class of each DSCP at one unit, without what a filter on the way in says."""
        fixed = self.builder.of_unit("forwarding-class", number)
        if fixed is not None:
            return [known(str(fixed[0]), fixed[1])] * _MARKS
        if marks is not None and precedence is not None:
            return [unknown(Why.CONFLICT, marks[1], precedence[1])] * _MARKS
        if marks is not None:
            return self._classified("dscp", marks)
        if precedence is not None:
            by_precedence = self._classified("inet-precedence", precedence)
            return [by_precedence[mark // _MARKS_OF_ONE] for mark in range(_MARKS)]
        if tags is not None:  # without a tag a packet has priority 0
            return [self._best_effort("classifier unlisted", tags[1])] * _MARKS
        default = self._best_effort("classifier default")
        return [default] * _CONTROL + [unknown(default.why or Why.NO_DEFAULT)] * (_MARKS - _CONTROL)

    def _by_default(self, at: At, kind: str) -> list[Cell[str]]:
        """The default classifier, named at `at`; that of tags leads some of them to no-loss classes."""
        other: Cell[str] = unknown(Why.NO_DEFAULT, at)
        if kind == "ieee-802.1":
            found = self.builder.otherwise("classifier default tags", "pcp", at)
            return [Cell(name if found.is_known else None, found.why, found.at) for name in TAG_CLASSES]
        usual = self._best_effort("classifier default", at)
        if kind == "inet-precedence":
            return [usual if number in _BEST_EFFORT_BY_DEFAULT else other for number in EIGHT]
        return [usual] * _CONTROL + [other] * (_MARKS - _CONTROL)

    def _tags(self, marks: Bound | None, tags: Bound | None, by_filter: list[Cell[str]]) -> list[Cell[str]]:
        """The forwarding class of each tag; a DSCP classifier, and a filter that asks for no DSCP, have the word before it."""
        if tags is None or marks is not None:
            return [unknown(Why.NOT_VISIBLE)] * len(EIGHT)
        if not by_filter[0].is_absent and all(one == by_filter[0] for one in by_filter):
            return by_filter[: len(EIGHT)]
        return self._classified("ieee-802.1", tags)

    def _filtered(self, number: str) -> list[Cell[str]]:
        """What the filters on the way in choose for each DSCP; absent where they choose nothing."""
        chosen: list[Cell[str]] = [absent()] * _MARKS
        for family in _FAMILIES:
            for leaf in ("input", "input-list"):
                bound = self.builder.logical.last(f"unit * family {family} filter {leaf}", number)
                if bound is None:
                    continue
                found = self.builder.objects.get(("filter", str(bound[0])))
                if found is None:
                    return [unknown(self.builder.lack.undefined, bound[1])] * _MARKS
                if picks_by_port(found):
                    self._by_port = bound[1]
                by_this = given(found, bound[1], lambda text: self.builder.code_point(text, "dscp"))
                if leaf == "input-list":  # the other filters of the list are not read
                    by_this = [one if one.is_absent else unknown(Why.NO_DEFAULT, *one.at) for one in by_this]
                chosen = [then if one.is_absent else one for one, then in zip(chosen, by_this, strict=True)]
        return chosen

    @property
    def _filtering(self) -> Iterator[tuple[Parsed, At]]:
        """The statements of the units, of their VLANs, and of the forwarding table, whose filter meets the packets of all ports."""
        yield from self.builder.logical.statements
        yield from self.builder.vlan.statements
        yield from self.builder.forwarding.statements

    def _policed(self) -> None:
        met: dict[int, At] = {}
        for parsed, at in self._filtering:
            leaf = parsed.value
            if isinstance(leaf, Leaf) and leaf.name.endswith("policer input"):
                self.builder.put("policed", True, at)
                met |= dict.fromkeys(range(_MARKS), at)
            elif isinstance(leaf, Leaf) and "filter input" in leaf.name:
                found = self.builder.objects.get(("filter", str(leaf.value)))
                by_this = (
                    policed(found, lambda text: self.builder.code_point(text, "dscp")) if found is not None else {}
                )
                if by_this:
                    most_met = [limit for limit, _ in Counter(by_this.values()).most_common()]
                    self.builder.put("policed", True, *most_met, at)
                    met |= by_this
                elif found is None:
                    self.builder.set_unknown(("policed",), self.builder.lack.undefined, at)
        if 0 < len(met) < _MARKS:
            self.builder.put("policed_dscps", frozenset(met), *dict.fromkeys(met.values()))

    def _dropped(self) -> None:
        is_whole = self.builder.lack.undefined is Why.UNDEFINED
        for parsed, at in self._filtering:
            leaf = parsed.value
            if not isinstance(leaf, Leaf) or not (leaf.name.endswith(_DROPPING) or leaf.name in _OF_VLAN):
                continue
            found = self.builder.objects.get(("filter", str(leaf.value)))
            dropped = found and drops_roce(found, at, lambda text: self.builder.code_point(text, "dscp"), is_whole)
            if dropped:
                self.builder.put("drops_roce", True, *dropped)

    def _classified(self, kind: str, bound: Bound) -> list[Cell[str]]:
        """The class of each code point of a kind, by the classifier that is bound."""
        name, at = bound
        count = _MARKS if kind == "dscp" else len(EIGHT)
        if name == "default":
            return self._by_default(at, kind)
        found = self.builder.objects.get((_CLASSIFIERS[kind], str(name)))
        if found is None:
            return [unknown(self.builder.lack.undefined, at)] * count
        listed, open_ = self._listed(found, kind, at)
        rest = self._rest(found, at, open_, kind)
        return [listed.get(mark, rest[mark]) for mark in range(count)]

    def _rest(self, found: Leaves, at: At, open_: list[At], kind: str) -> list[Cell[str]]:
        """The classes of what is not listed."""
        count = _MARKS if kind == "dscp" else len(EIGHT)
        template = found.last("import")
        if open_:
            return [unknown(Why.NOT_PARSED, *open_)] * count
        if template is None:
            return [self._best_effort("classifier unlisted", at)] * count
        return self._by_default(template[1], kind) if template[0] == "default" else [
            unknown(Why.NO_DEFAULT, template[1])
        ] * count  # fmt: skip

    def _best_effort(self, name: str, *at: At) -> Cell[str]:
        found = self.builder.otherwise(name, "dscp", *at)
        return Cell(BEST_EFFORT if found.is_known else None, found.why, found.at)

    def _listed(self, found: Leaves, kind: str, bound: At) -> tuple[dict[int, Cell[str]], list[At]]:
        """The class of each code point that is listed; and the statements whose code points nobody knows."""
        listed: dict[int, Cell[str]] = {}
        open_: list[At] = []
        for parsed, at in found.statements:
            leaf = parsed.value or parsed.meant
            if parsed.unread:
                open_.append(at)
            elif isinstance(leaf, Leaf) and leaf.name in _LISTED:
                mark = self.builder.code_point(str(leaf.value), kind)
                if mark.is_known:
                    listed[mark.get()] = known(str(leaf.keys[0]), at, bound)
                else:
                    open_.append(at)
        return listed, open_


def rewriting(builder: Builder) -> None:
    """A rewrite rule writes the classes that it lists; the others keep their mark."""
    rules: dict[str, Bound] = {}
    precedences: dict[str, Bound] = {}
    for number in builder.units:
        for kind, found_ones in (("dscp", rules), ("inet-precedence", precedences)):
            bound = builder.of_unit(f"rewrite-rules {kind}", number)
            if bound is not None:
                found_ones[str(bound[0])] = bound
    paths = ("rewrites_dscp", *(f"classes.{n}.new_dscp" for n in EIGHT))
    if len(rules) + len(precedences) > 1:
        builder.set_unknown(paths, Why.CONFLICT, *[at for _, at in (*rules.values(), *precedences.values())])
        return
    for bound in precedences.values():
        _rewrite_precedence(builder, bound, paths)
    for name, bound in rules.items():
        if name == "default":
            builder.set_unknown(paths, Why.NO_DEFAULT, bound[1])
            continue
        found = builder.object("dscp-rewrite", bound, paths)
        if found is not None:
            builder.unparsed(found)
            _rewrite(builder, found, bound[1], paths)


def _rewrite_precedence(builder: Builder, bound: Bound, paths: tuple[str, ...]) -> None:
    """It writes the upper three bits of the DSCP and leaves the others: what comes out follows from what came in."""
    found = builder.object("precedence-rewrite", bound, paths) if bound[0] != "default" else None
    if found is None or found.last("import") is not None:
        builder.set_unknown(paths, Why.NO_DEFAULT, bound[1])
        return
    builder.unparsed(found)
    written: dict[int, At] = {}
    for leaf, at in found.all("forwarding-class * loss-priority * code-point"):
        queue = builder.queue(str(leaf.keys[0]))
        if not queue.is_known:
            builder.set_unknown(paths, queue.why or Why.UNDEFINED, at)
            return
        written.setdefault(queue.get(), at)
    builder.put("rewrites_dscp", frozenset(written), *written.values(), bound[1])
    for number, at in written.items():
        builder.cell(f"classes.{number}.new_dscp", unknown(Why.NO_DEFAULT, at, bound[1]))


def _rewrite(builder: Builder, found: Leaves, bound: At, paths: tuple[str, ...]) -> None:
    written: dict[int, tuple[str, Cell[Any]]] = {}
    places: list[At] = []
    for leaf, at in found.all("forwarding-class * loss-priority * code-point"):
        queue, loss = builder.queue(str(leaf.keys[0])), str(leaf.keys[1])
        mark = builder.code_point(str(leaf.value), "dscp")
        if not queue.is_known:
            builder.set_unknown(paths, queue.why or Why.UNDEFINED, at)
            return
        places.append(at)
        if queue.get() not in written or loss == "low":
            written[queue.get()] = (loss, Cell(mark.value, mark.why, (at, bound)))
    template = found.last("import")
    if template is not None:
        builder.set_unknown(("rewrites_dscp",), Why.NO_DEFAULT, template[1])
    builder.put("rewrites_dscp", frozenset(written), *places[:1], bound)
    for queue_, (_, cell) in written.items():
        builder.cell(f"classes.{queue_}.new_dscp", cell)
