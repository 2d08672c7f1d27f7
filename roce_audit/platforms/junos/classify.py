"""Classification and rewriting: what the classifiers of a port's units make of a RoCEv2 packet."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.junos.builder import EIGHT, Bound, Builder
from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Why, known, unknown

_MARKS = 64
_CONTROL = 48
"""From this DSCP on the default classifier may lead to network control."""
_LISTED = ("forwarding-class * loss-priority * code-points", "forwarding-class * loss-priority * code-point")
_FAMILIES = ("inet", "inet6", "ethernet-switching")
BEST_EFFORT = "best-effort"


class Classification:
    """Which forwarding class, by its name, a packet enters by its DSCP, and by its tag."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder
        self.by_mark: list[Cell[str]] = [unknown(Why.NOT_VISIBLE)] * _MARKS
        self.by_tag: list[Cell[str]] = [unknown(Why.NOT_VISIBLE)] * len(EIGHT)
        self.tag: Bound | None = None
        """The 802.1p classifier that is bound, where there is no other."""

    def apply(self) -> None:
        """Set what the port trusts, and the class of each mark."""
        builder = self.builder
        answers: list[list[Cell[str]]] = []
        tagged: list[list[Cell[str]]] = []
        for number in builder.units:
            marks = builder.of_unit("classifiers dscp", number)
            tags = builder.of_unit("classifiers ieee-802.1", number)
            answers.append(self._unit(number, marks, tags))
            tagged.append(self._tags(marks, tags))
            self._trust(marks, tags)
            self.tag = tags if tags is not None and marks is None else self.tag
        self.by_mark = [self._agreed([each[mark] for each in answers]) for mark in range(_MARKS)]
        self.by_tag = [self._agreed([each[tag] for each in tagged]) for tag in EIGHT]
        for kind, cells in (("dscp", self.by_mark), ("pcp", self.by_tag)):
            for index, cell in enumerate(cells):
                builder.cell(f"{kind}.{index}", self._queue(cell))
        self._policed()

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

    def _unit(self, number: str, marks: Bound | None, tags: Bound | None) -> list[Cell[str]]:
        """The forwarding class of each DSCP at one unit."""
        filtered = self._filtered(number)
        if filtered is not None:
            return [filtered] * _MARKS
        fixed = self.builder.of_unit("forwarding-class", number)
        if fixed is not None:
            return [known(str(fixed[0]), fixed[1])] * _MARKS
        if marks is not None:
            return self._classified("dscp-classifier", marks, _MARKS)
        if tags is not None:  # without a tag a packet has priority 0
            return [self._best_effort("classifier unlisted", tags[1])] * _MARKS
        default = self._best_effort("classifier default")
        return [default] * _CONTROL + [unknown(default.why or Why.NO_DEFAULT)] * (_MARKS - _CONTROL)

    def _by_default(self, at: At, count: int) -> list[Cell[str]]:
        """The default classifier, named at `at`; that of tags leads some of them to no-loss classes."""
        if count < _MARKS:
            return [unknown(Why.NO_DEFAULT, at)] * count
        usual = self._best_effort("classifier default", at)
        return [usual] * _CONTROL + [unknown(Why.NO_DEFAULT, at)] * (count - _CONTROL)

    def _tags(self, marks: Bound | None, tags: Bound | None) -> list[Cell[str]]:
        """The forwarding class of each tag; where a DSCP classifier is bound, it decides."""
        if tags is None or marks is not None:
            return [unknown(Why.NOT_VISIBLE)] * len(EIGHT)
        return self._classified("tag-classifier", tags, len(EIGHT))

    def _filtered(self, number: str) -> Cell[str] | None:
        """A filter that may choose the class itself: what it matches is not read."""
        for family in _FAMILIES:
            for leaf in ("input", "input-list"):
                bound = self.builder.logical.last(f"unit * family {family} filter {leaf}", number)
                if bound is None:
                    continue
                found = self.builder.objects.get(("filter", str(bound[0])))
                if found is None:
                    return unknown(self.builder.lack.undefined, bound[1])
                chosen = [at for p, at in found.statements if "dscp" in (p.paths or ())]
                if chosen:
                    return unknown(Why.NO_DEFAULT, bound[1], *chosen[:1])
        return None

    def _policed(self) -> None:
        for parsed, at in self.builder.logical.statements:
            leaf = parsed.value
            if isinstance(leaf, Leaf) and leaf.name.endswith("policer input"):
                self.builder.put("policed", True, at)
            elif isinstance(leaf, Leaf) and " filter input" in leaf.name:
                found = self.builder.objects.get(("filter", str(leaf.value)))
                limits = found.values("term * then policer") if found is not None else []
                if limits:
                    self.builder.put("policed", True, limits[0][1], at)
                elif found is None:
                    self.builder.set_unknown(("policed",), self.builder.lack.undefined, at)

    def _classified(self, kind: str, bound: Bound, count: int) -> list[Cell[str]]:
        name, at = bound
        if name == "default":
            return self._by_default(at, count)
        found = self.builder.objects.get((kind, str(name)))
        if found is None:
            return [unknown(self.builder.lack.undefined, at)] * count
        bits = 6 if count == _MARKS else 3
        listed, open_ = self._listed(found, bits, at)
        rest = self._rest(found, at, open_, count)
        return [listed.get(mark, rest[mark]) for mark in range(count)]

    def _rest(self, found: Leaves, at: At, open_: list[At], count: int) -> list[Cell[str]]:
        """The classes of what is not listed."""
        template = found.last("import")
        if open_:
            return [unknown(Why.NOT_PARSED, *open_)] * count
        if template is None:
            return [self._best_effort("classifier unlisted", at)] * count
        return self._by_default(template[1], count) if template[0] == "default" else [
            unknown(Why.NO_DEFAULT, template[1])
        ] * count  # fmt: skip

    def _best_effort(self, name: str, *at: At) -> Cell[str]:
        found = self.builder.otherwise(name, "dscp", *at)
        return Cell(BEST_EFFORT if found.is_known else None, found.why, found.at)

    def _listed(self, found: Leaves, bits: int, bound: At) -> tuple[dict[int, Cell[str]], list[At]]:
        """The class of each code point that is listed; and the statements whose code points nobody knows."""
        listed: dict[int, Cell[str]] = {}
        open_: list[At] = []
        for parsed, at in found.statements:
            leaf = parsed.value or parsed.meant
            if parsed.unread:
                open_.append(at)
            elif isinstance(leaf, Leaf) and leaf.name in _LISTED:
                mark = self.builder.code_point(str(leaf.value), bits)
                if mark.is_known:
                    listed[mark.get()] = known(str(leaf.keys[0]), at, bound)
                else:
                    open_.append(at)
        return listed, open_


def rewriting(builder: Builder) -> None:
    """A rewrite rule writes the classes that it lists; the others keep their mark."""
    rules: dict[str, Bound] = {}
    for number in builder.units:
        bound = builder.of_unit("rewrite-rules dscp", number)
        if bound is not None:
            rules[str(bound[0])] = bound
    paths = ("rewrites_dscp", *(f"classes.{n}.new_dscp" for n in EIGHT))
    if len(rules) > 1:
        builder.set_unknown(paths, Why.CONFLICT, *[at for _, at in rules.values()])
        return
    for name, bound in rules.items():
        if name == "default":
            builder.set_unknown(paths, Why.NO_DEFAULT, bound[1])
            continue
        found = builder.object("dscp-rewrite", bound, paths)
        if found is not None:
            builder.unparsed(found)
            _rewrite(builder, found, bound[1], paths)


def _rewrite(builder: Builder, found: Leaves, bound: At, paths: tuple[str, ...]) -> None:
    written: dict[int, tuple[str, Cell[Any]]] = {}
    places: list[At] = []
    for leaf, at in found.all("forwarding-class * loss-priority * code-point"):
        queue, loss = builder.queue(str(leaf.keys[0])), str(leaf.keys[1])
        mark = builder.code_point(str(leaf.value), 6)
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
