"""Classification and rewriting: what the policies of a port's subinterfaces make of a RoCEv2 packet."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.srlinux.defaults import DEFAULT_CLASSIFIER, UNLISTED_CLASS, UNLISTED_MARK
from roce_audit.platforms.srlinux.fold import EIGHT, Fold, Object
from roce_audit.platforms.srlinux.subinterfaces import Subinterface
from roce_audit.platforms.srlinux.values import dscp as code_point
from roce_audit.values import At, Cell, Cited, Where, Why, known, unknown

_MARKS = 64
Bound = tuple[Any, At]


def classification(fold: Fold, subs: list[Subinterface]) -> None:
    """DSCP decides for IP packets, tagged or not; several subinterfaces that disagree leave the port in doubt."""
    answers = [answer for sub in subs for answer in _of(fold, sub)]
    for mark in range(_MARKS):
        fold.settings.set_cell(f"dscp.{mark}", _agreed([answer[mark] for answer in answers], fold))
    for priority in EIGHT:  # a tagged packet is classified by its DSCP: the DSCP question answers it
        fold.settings.set_cell(f"pcp.{priority}", unknown(Why.NOT_VISIBLE))
    for given in fold.attachments:
        policer = given.last("input policer-policies policer-policy")
        if policer is not None:
            fold.settings.set("policed", True, policer[1])


def _agreed(cells: list[Cell[Any]], fold: Fold) -> Cell[Any]:
    if not cells:
        return unknown(Why.NO_DEFAULT if fold.context.complete else Why.NOT_VISIBLE)
    if any(cell != cells[0] for cell in cells):
        return unknown(Why.CONFLICT, *dict.fromkeys(at for cell in cells for at in cell.at[:2]))
    return cells[0]


def _of(fold: Fold, sub: Subinterface) -> list[list[Cell[Any]]]:
    """The forwarding class of each code point, by each of the policies that RoCE packets may meet."""
    given = fold.attached(sub.index)
    both = given.last("input classifiers dscp-policy")
    four = given.last("input classifiers ipv4-dscp-policy") or both
    six = given.last("input classifiers ipv6-dscp-policy") or both
    other = given.last("input classifiers default forwarding-class")
    if four is None and six is None:
        return [_by_default(fold, sub)]
    answers = [_by_policy(fold, four, other)] if four is not None else []
    if six is not None and (four is None or six[0] != four[0]):
        answers.append(_by_policy(fold, six, other))
    elif six is None and sub.has_ipv6:
        answers.append(_by_default(fold, sub))
    if four is None and sub.has_ipv4:
        answers.append(_by_default(fold, sub))
    return answers


def _by_default(fold: Fold, sub: Subinterface) -> list[Cell[Any]]:
    """Without a policy of its own a routed subinterface has the default one: eight code points a class."""
    if not fold.context.complete:
        return [unknown(Why.NOT_VISIBLE)] * _MARKS
    if not sub.routed:
        return [unknown(Why.NO_DEFAULT)] * _MARKS
    return [known(mark // 8, Cited(DEFAULT_CLASSIFIER.source)) for mark in range(_MARKS)]


def _by_policy(fold: Fold, bound: Bound, other: Bound | None) -> list[Cell[Any]]:
    name, at = bound
    if name == "default":
        return [known(mark // 8, at, Cited(DEFAULT_CLASSIFIER.source)) for mark in range(_MARKS)]
    found = fold.objects.get(("dscp-policy", name))
    if found is None:
        return [unknown(fold.undefined, at)] * _MARKS
    listed = _listed(fold, found)
    unkeyed = [at for said, at in found.said if said.unread and not _is_mark(said.keys)]
    return [_answer(fold, listed.get(mark), unkeyed, at, found, other) for mark in range(_MARKS)]


def _answer(
    fold: Fold, listed: Cell[Any] | None, unkeyed: list[At], at: At, found: Object, other: Bound | None
) -> Cell[Any]:
    if listed is not None:
        return Cell(listed.value, listed.why, (*listed.at, at))
    if unkeyed:
        return unknown(Why.NOT_PARSED, *unkeyed)
    if not fold.context.complete:
        return unknown(Why.NOT_VISIBLE, at)
    if other is not None:
        cell = fold.forwarding_class(other[0])
        return Cell(cell.value, cell.why, (other[1], *cell.at))
    return known(UNLISTED_CLASS.value, at, Cited(UNLISTED_CLASS.source))


def _listed(fold: Fold, found: Object) -> dict[int, Cell[Any]]:
    listed: dict[int, Cell[Any]] = {}
    for said, at in found.said:
        if not _is_mark(said.keys):
            continue
        mark = code_point(said.keys[0])
        if said.unread:
            listed[mark] = unknown(Why.NOT_PARSED, at)
        elif said.leaf == "dscp * forwarding-class":
            cell = fold.forwarding_class(str(said.value))
            listed[mark] = Cell(cell.value, cell.why, (at, *cell.at))
    return listed


def _is_mark(keys: tuple[str, ...]) -> bool:
    try:
        return bool(keys) and code_point(keys[0]) >= 0
    except ValueError:
        return False


def rewriting(fold: Fold, subs: list[Subinterface]) -> None:
    """A rewrite policy writes every packet: a class that it does not list leaves with DSCP 0."""
    policies: dict[str, Bound] = {}
    for sub in subs:
        given = fold.attached(sub.index)
        for leaf in ("dscp-policy", "ipv4-dscp-policy", "ipv6-dscp-policy"):
            bound = given.last(f"output rewrite-rules {leaf}")
            if bound is not None:
                policies[str(bound[0])] = bound
    for bound in policies.values():
        found = fold.object("rewrite-policy", bound, ("rewrites_dscp", *[f"classes.{n}.new_dscp" for n in EIGHT]))
        if found is not None:
            fold.spoil(found)
            _rewrite(fold, found, bound[1], len(policies) > 1)


def _rewrite(fold: Fold, found: Object, at: At, several: bool) -> None:
    settings = fold.settings
    settings.set("rewrites_dscp", frozenset(EIGHT), at)
    written: dict[int, Cell[Any]] = {}
    for said, where in found.said:
        if said.unread or not said.leaf.startswith("map *"):
            continue
        number = fold.forwarding_class(said.keys[0])
        if not number.is_known:
            fold.dark(("classes.*.new_dscp",), number.why or Why.UNDEFINED, where)
        elif said.leaf == "map * dscp":
            written[number.get()] = known(said.value, where, at)
        elif said.value is not None:
            # packets of another drop probability or profile get another mark: which one RoCE has is not told here
            written.setdefault(number.get(), unknown(Why.NO_DEFAULT, where))
    rest: tuple[Where, ...] = (at, Cited(UNLISTED_MARK.source))
    for number_ in EIGHT:
        cell = written.get(number_)
        if cell is None:
            cell = known(0, *rest) if fold.context.complete else unknown(Why.NOT_VISIBLE, at)
        before = settings.get(f"classes.{number_}.new_dscp")
        if several and before is not None and before != cell:
            cell = unknown(Why.CONFLICT, *before.at[:1], *cell.at[:1])
        settings.set_cell(f"classes.{number_}.new_dscp", cell)
