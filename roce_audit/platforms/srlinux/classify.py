"""Classification and rewriting: what the policies of a port's subinterfaces make of a RoCEv2 packet."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.path.builder import Leaves
from roce_audit.platforms.srlinux.builder import EIGHT, Bound, Builder
from roce_audit.platforms.srlinux.subinterfaces import Subinterface
from roce_audit.text.statements.parsed import Parsed
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import At, Cell, Why, known, unknown

_MARKS = 64


def classification(builder: Builder, subs: list[Subinterface]) -> None:
    """DSCP decides for IP packets, tagged or not; several subinterfaces that disagree leave the port in doubt."""
    answers = [answer for sub in subs for answer in _of(builder, sub)]
    for mark in range(_MARKS):
        builder.settings.set_cell(f"dscp.{mark}", _agreed([answer[mark] for answer in answers], builder))
    for cell in {cell.get(): cell for answer in answers for cell in answer if cell.is_known}.values():
        queue = f"classes.{cell.get()}.queue"  # a class is counted by the index of its queue, which no other line can change
        if builder.lack.otherwise(queue).is_unknown:
            builder.settings.set_cell(queue, cell)
    for priority in EIGHT:  # a tagged packet is classified by its DSCP: the DSCP question answers it
        builder.settings.set_cell(f"pcp.{priority}", unknown(Why.NOT_VISIBLE))
    for given in builder.attachments:
        policer = given.last("input policer-policies policer-policy")
        if policer is not None:
            builder.settings.set("policed", True, policer[1])


def _agreed(cells: list[Cell[Any]], builder: Builder) -> Cell[Any]:
    if not cells:
        return builder.lack.otherwise("dscp.*")
    decided = [cell for cell in cells if cell.is_known]
    if any(cell != decided[0] for cell in decided):
        return unknown(Why.CONFLICT, *dict.fromkeys(at for cell in cells for at in cell.at[:2]))
    return next((cell for cell in cells if not cell.is_known), cells[0])


def _of(builder: Builder, sub: Subinterface) -> list[list[Cell[Any]]]:
    """The forwarding class of each code point, by each of the policies that RoCE packets may meet."""
    given = builder.attached(sub.index)
    both = given.last("input classifiers dscp-policy")
    four = given.last("input classifiers ipv4-dscp-policy") or both
    six = given.last("input classifiers ipv6-dscp-policy") or both
    other = given.last("input classifiers default forwarding-class")
    if builder.context.complete and sub.routed and sub.has_ipv4 and not sub.names_ipv6:
        six = None  # no IPv6 packet is routed here, so its policy classifies nothing
    if four is None and six is None:
        return [_by_default(builder, sub)]
    answers = [_by_policy(builder, four, other)] if four is not None else []
    if six is not None and (four is None or six[0] != four[0]):
        answers.append(_by_policy(builder, six, other))
    elif six is None and (sub.has_ipv6 or sub.ipv6_alone):
        answers.append(_by_default(builder, sub))
    if four is None and sub.has_ipv4:
        answers.append(_by_default(builder, sub))
    return answers


def _by_default(builder: Builder, sub: Subinterface) -> list[Cell[Any]]:
    """Without a policy of its own a routed subinterface has the default one: eight code points a class.

    A class counts by its index and not by its name (Nokia SR Linux Quality of Service Guide 24.7, Priority-based Flow Control:
    packets are mapped to PFC queues by the index of their forwarding class), so a class of another name takes fcN's packets.
    """
    return _each(builder.lack.otherwise("dscp-policy default" if sub.routed else "dscp.*"))


def _each(classes: Cell[Any]) -> list[Cell[Any]]:
    """The class of each code point, from all of them."""
    if not classes.is_known:
        return [classes] * _MARKS
    return [Cell(value, None, classes.at) for value in classes.get()]


def _by_policy(builder: Builder, bound: Bound, other: Bound | None) -> list[Cell[Any]]:
    name, at = bound
    if name == "default":
        return _each(builder.documented("dscp-policy default", at))
    found = builder.objects.get(("dscp-policy", name))
    if found is None:
        return [unknown(builder.lack.undefined, at)] * _MARKS
    listed = _listed(builder, found)
    unkeyed = [at for parsed, at in found.statements if parsed.unread and _mark(parsed) is None]
    return [_answer(builder, listed.get(mark), unkeyed, at, found, other) for mark in range(_MARKS)]


def _answer(
    builder: Builder, listed: Cell[Any] | None, unkeyed: list[At], at: At, found: Leaves, other: Bound | None
) -> Cell[Any]:
    if listed is not None:
        return Cell(listed.value, listed.why, (*listed.at, at))
    if unkeyed:
        return unknown(Why.NOT_PARSED, *unkeyed)
    rest = builder.lack.otherwise("dscp-policy unlisted", at)
    if other is not None and rest.is_known:
        cell = builder.forwarding_class(other[0])
        return Cell(cell.value, cell.why, (other[1], *cell.at))
    return rest


def _listed(builder: Builder, found: Leaves) -> dict[int, Cell[Any]]:
    listed: dict[int, Cell[Any]] = {}
    for parsed, at in found.statements:
        mark = _mark(parsed)
        if mark is not None and parsed.unread:
            listed[mark] = unknown(Why.NOT_PARSED, at)
        elif mark is not None and parsed.value.name == "dscp * forwarding-class":
            cell = builder.forwarding_class(str(parsed.value.value))
            listed[mark] = Cell(cell.value, cell.why, (at, *cell.at))
    return listed


def _mark(parsed: Parsed) -> int | None:
    """The code point that a statement is about."""
    leaf: Leaf | None = parsed.value or parsed.meant
    return next((int(str(key)) for key in leaf.keys[:1]), None) if leaf is not None else None


def rewriting(builder: Builder, subs: list[Subinterface]) -> None:
    """A rewrite policy writes every packet: a class that it does not list leaves with DSCP 0."""
    policies: dict[str, Bound] = {}
    for sub in subs:
        given = builder.attached(sub.index)
        for leaf in ("dscp-policy", "ipv4-dscp-policy", "ipv6-dscp-policy"):
            bound = given.last(f"output rewrite-rules {leaf}")
            if bound is not None:
                policies[str(bound[0])] = bound
    for bound in policies.values():
        found = builder.object("rewrite-policy", bound, ("rewrites_dscp", *[f"classes.{n}.new_dscp" for n in EIGHT]))
        if found is not None:
            builder.unparsed(found)
            _rewrite(builder, found, bound[1], len(policies) > 1)


def _rewrite(builder: Builder, found: Leaves, at: At, several: bool) -> None:
    settings = builder.settings
    settings.set("rewrites_dscp", frozenset(EIGHT), at)
    written: dict[int, Cell[Any]] = {}
    for parsed, where in found.statements:
        if parsed.unread:
            continue
        leaf = parsed.value
        number = builder.forwarding_class(str(leaf.keys[0]))
        if not number.is_known:
            builder.set_unknown(("classes.*.new_dscp",), number.why or Why.UNDEFINED, where)
        elif leaf.name == "map * dscp":
            written[number.get()] = known(leaf.value, where, at)
        elif leaf.value is not None:
            # packets of another drop probability or profile get another mark: which one RoCE has is not told here
            written.setdefault(number.get(), unknown(Why.NO_DEFAULT, where))
    for number_ in EIGHT:
        cell = written.get(number_)
        if cell is None:
            cell = builder.lack.otherwise("rewrite-policy unlisted", at)
        before = settings.get(f"classes.{number_}.new_dscp")
        if several and before is not None and before != cell:
            cell = unknown(Why.CONFLICT, *before.at[:1], *cell.at[:1])
        settings.set_cell(f"classes.{number_}.new_dscp", cell)
