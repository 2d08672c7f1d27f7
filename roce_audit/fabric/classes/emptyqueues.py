"""Egress queues that are set up and that no packet enters, beside the queue of a paused priority for which no line says anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from roce_audit.fabric.classes.votes import USUAL_OF_CNPS, in_doubt, is_written, marks_of, paused_priorities
from roce_audit.fabric.port import of_facts_alone
from roce_audit.model import Port, Queue
from roce_audit.values import At, Cell, Where, Why, absent, known, unknown

_NONE: Cell[frozenset[int]] = absent()
_NO_QUEUE: Cell[int] = absent()
_SEVERAL = 3
"""A line about so many queues sets none of them up: it is what holds for the rest."""


@of_facts_alone
def empty_queues(facts: Port) -> Cell[frozenset[int]]:
    """Queues of a switch port with a share, an order or an ECN curve of their own, into which no traffic class leads.

    Absent where the queues of all paused priorities have such lines as well. Unknown where lines set queues up and it is not known
    which queue a class or a paused priority leads to.
    """
    paused = paused_priorities(facts)
    if facts.is_nic or not paused:
        return _NONE
    lines = _own_lines(facts.queues.or_else(()))
    mine = [one.queue for one in facts.priorities.or_else(()) if one.number in paused]
    if not lines or not mine or all(queue.is_known and queue.get() in lines for queue in mine):
        return _NONE
    entered = [one.queue for one in facts.classes.or_else(())]
    doubt = in_doubt((*mine, *entered))
    if doubt is not None:
        return unknown(doubt.why or Why.NOT_VISIBLE, *doubt.at)
    if not all(queue.is_known for queue in (*entered, *mine)):
        return _NONE
    empty = {number: lines[number][0] for number in lines.keys() - {queue.get() for queue in entered}}
    return known(frozenset(empty), *(empty[number] for number in sorted(empty))) if empty else _NONE


@of_facts_alone
def strict_queue_unreached(facts: Port) -> Cell[int]:
    """The only queue that lines of a switch port make strict, where it is not paused and CNPs with the usual code point miss it:
    no code point and no tag leads there, or none but by default, while a line leads the usual one to unmarked traffic.

    Absent where they do not, or where no line leads a code point or a tag to what is paused: then the port maps nothing by itself.
    """
    paused = paused_priorities(facts)
    marks = [marks_of(facts, priority) for priority in paused]
    if facts.is_nic or not any(one.explicit or one.pcp for one in marks):
        return _NO_QUEUE
    strict = [queue for queue in facts.queues.or_else(()) if queue.scheduling.value == "strict"]
    if len(strict) != 1 or not any(type(at) is At for at in strict[0].scheduling.at):
        return _NO_QUEUE
    number = strict[0].number
    if any(one.queue.value == number for one in facts.priorities.or_else(()) if one.number in paused):
        return _NO_QUEUE
    table = facts.dscp.or_else(())
    tags = facts.pcp.or_else(()) if facts.trust.value != "dscp" else ()
    queue_of = {one.number: one.queue for one in facts.classes.or_else(())}
    led = [(cell, queue_of.get(cell.get()) if cell.is_known else None) for cell in (*table, *tags)]
    if any(queue is None or not queue.is_known for _, queue in led):
        return _NO_QUEUE
    there = [cell for cell, queue in led if queue is not None and queue.get() == number]
    usual = table[USUAL_OF_CNPS] if table else None
    led_away = (
        usual is not None
        and is_written(usual)
        and usual.get() == table[0].get()
        and usual not in there
        and not any(map(is_written, there))
    )
    return known(number, *strict[0].scheduling.at) if not there or led_away else _NO_QUEUE


def _own_lines(queues: Sequence[Queue]) -> dict[int, list[Where]]:
    """Queue -> the lines that say something of it, and not of several queues alike."""
    said = {queue.number: list(_lines(queue)) for queue in queues}
    named = Counter(at for found in said.values() for at in set(found))
    return {number: own for number, found in said.items() if (own := [at for at in found if named[at] < _SEVERAL])}


def _lines(queue: Queue) -> Iterable[Where]:
    """The lines that say something of this queue."""
    cells: tuple[Cell[object], ...] = (queue.share, queue.scheduling, queue.ecn)  # type: ignore[assignment]
    return (at for cell in cells if cell.is_known for at in cell.at if type(at) is At)
