"""Code points that look like slips of the pen: led away from the paused priority in whose block of eight they stand, or next to the one
that everybody uses.

Switches lead DSCP 24 to 31 to class 3 unless a line says otherwise, and so on by eights.
"""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.fabric.classes.votes import (
    SINGLED_OUT,
    USUAL_OF_CNPS,
    feedback_marks,
    in_doubt,
    is_written,
    marks_of,
    paused_groups,
    paused_priorities,
    protected_classes,
)
from roce_audit.fabric.port import of_facts_alone
from roce_audit.model import Port
from roce_audit.values import Cell, Why, absent, known, unknown

_BLOCK = 8
_UNMARKED = 0
"""The class of unmarked traffic: what is led there is taken out of all others."""
_USUAL = 26
"""What guides send RoCE with: nobody takes it out on purpose."""
_BLOCK_OF_USUAL = frozenset(range(24, 32))
_BESIDE_THE_USUAL = frozenset({25, 27})
"""Its neighbours; neither of them has a name."""
_BESIDE_THAT_OF_CNPS = frozenset({47, 49})
"""The neighbours of the one with which most NICs send CNPs; neither of them has a name."""
_NONE: Cell[frozenset[int]] = absent()
_NO_MARK: Cell[int] = absent()
_NO_NUMBER: Cell[int] = absent()


@of_facts_alone
def taken_out(facts: Port) -> Cell[frozenset[int]]:
    """Those code points of a switch port, and the usual one, that lines lead to what nothing pauses; absent where there are none.

    Not where some line leads a code point to a paused priority: that is the one that was meant, unless lines lead all of a block
    there but the usual one. Nor where many lines map code points,
    as designs for all kinds of traffic do. Unknown where a line about such a code point was not understood, or where it is not
    known which buffer groups are paused, or in which of them the code points end.
    """
    paused = paused_priorities(facts)
    if facts.is_nic or not paused or facts.trust.value == "pcp":
        return _NONE
    if facts.dscp.why is Why.NOT_PARSED:
        return unknown(Why.NOT_PARSED, *facts.dscp.at)
    table = facts.dscp.or_else(())
    if _is_alone(facts, paused):
        return known(frozenset({_USUAL}), *table[_USUAL].at)
    written = _meant(table)
    misread = [cell for mark, cell in enumerate(table) if mark // _BLOCK in paused and cell.why is Why.NOT_PARSED]
    if not (written or misread) or len(written) > SINGLED_OUT:
        return _NONE
    group_of, stopped = _ends(facts, paused)
    protected = frozenset(one.get() for one in stopped) if all(one.is_known for one in stopped) else frozenset[int]()
    reached = {mark: group_of[cell.get()] for mark, cell in written.items() if cell.get() in group_of}
    if not protected.isdisjoint(one.get() for one in reached.values() if one.is_known):
        return _NONE
    # CNPs are never what was meant
    led = [one for mark, one in reached.items() if mark != USUAL_OF_CNPS or one.is_known]
    out = {mark: cell for mark, cell in written.items() if _is_led_away(mark, cell.get(), paused, facts)}
    doubt = in_doubt((*misread, *stopped, *led)) if out or misread else None
    if doubt is not None:
        return unknown(doubt.why or Why.NOT_VISIBLE, *doubt.at)
    if not protected or len(reached) < len(written) or not all(one.is_known for one in led):
        return _NONE
    return known(frozenset(out), *(at for cell in out.values() for at in cell.at)) if out else _NONE


def _ends(facts: Port, paused: frozenset[int]) -> tuple[dict[int, Cell[int]], list[Cell[int]]]:
    """Where the packets of each class end, and what PFC guards: buffer groups; queues, where nobody documents the groups of classes."""
    classes = facts.classes.or_else(())
    is_grouped = all(one.group.why is not Why.NO_DEFAULT for one in classes)
    guarding = [one for one in facts.priorities.or_else(()) if one.number in paused]
    return (
        {one.number: one.group if is_grouped else one.queue for one in classes},
        [one.group if is_grouped else one.queue for one in guarding],
    )


def _is_alone(facts: Port, paused: frozenset[int]) -> bool:
    """Whether lines lead the usual code point elsewhere, and the seven others of its block to what is paused."""
    usual = facts.dscp.get()[_USUAL] if facts.dscp.is_known else _NO_MARK
    led = frozenset[int]().union(*(marks_of(facts, priority).explicit for priority in paused))
    return usual.is_known and is_written(usual) and led & _BLOCK_OF_USUAL == _BLOCK_OF_USUAL - {_USUAL}


def _meant(table: Sequence[Cell[int]]) -> dict[int, Cell[int]]:
    """The code points that lines map, without those that they lead to the class of unmarked traffic, where others are mapped."""
    written = {mark: cell for mark, cell in enumerate(table) if cell.is_known and is_written(cell)}
    unmarked = {mark for mark, cell in written.items() if cell.get() == _UNMARKED}
    if len(unmarked) <= SINGLED_OUT:
        unmarked.discard(_USUAL)
    return {mark: cell for mark, cell in written.items() if mark not in unmarked} or written


def _is_led_away(mark: int, number: int, paused: frozenset[int], facts: Port) -> bool:
    """Whether a code point that a line leads to the class of this number belongs into a paused one."""
    if mark // _BLOCK in paused:
        return True
    if number in paused:
        return False
    # where ECN marks its queue, and none that is paused, it is RoCE, whatever number it has
    return mark == _USUAL or (mark != USUAL_OF_CNPS and _alone_marked(facts, number))


def _alone_marked(facts: Port, number: int) -> bool:
    """Whether ECN marks the queue of a class, and that of no class which is paused."""
    queues = facts.queues.or_else(())
    marking = {one.number for one in queues if (ecn := one.ecn.value_or_none()) is not None and ecn.marks.value}
    its = {one.group.value for one in facts.classes.or_else(()) if one.number == number}
    groups = {one.group.or_else(-1) for one in facts.priorities.or_else(()) if one.queue.or_else(-1) in marking}
    return not its.isdisjoint(groups) and paused_groups(facts).isdisjoint(groups)


@of_facts_alone
def beside_the_usual(facts: Port) -> Cell[int]:
    """The only code point that lines of a switch port lead to what is paused, where it is 25 or 27; absent elsewhere."""
    if facts.is_nic:
        return _NO_MARK
    led = frozenset[int]().union(*(marks_of(facts, priority).explicit for priority in paused_priorities(facts)))
    if len(led) != 1 or not led <= _BESIDE_THE_USUAL:
        return _NO_MARK
    (mark,) = led
    return known(mark, *facts.dscp.get()[mark].at)


@of_facts_alone
def beside_the_usual_of_cnps(facts: Port) -> Cell[int]:
    """The code point that a switch port singles out as that of CNPs, where it is 47 or 49 and 48 leads elsewhere; absent elsewhere."""
    singled_out = feedback_marks(facts) & _BESIDE_THAT_OF_CNPS
    if not singled_out:
        return _NO_MARK
    (mark,) = singled_out
    usual, its = facts.dscp.get()[USUAL_OF_CNPS], facts.dscp.get()[mark]
    return known(mark, *its.at) if usual.is_known and usual.get() != its.get() else _NO_MARK


@of_facts_alone
def paused_by_another_number(facts: Port) -> Cell[int]:
    """The number that the only lossless class of a switch port has, where its pause has another one; absent elsewhere.

    Its number where all the others agree: traffic class, queue where it is seen, and the block of eight of every code point that a line
    leads to it.
    """
    paused = paused_priorities(facts)
    if facts.is_nic or len(paused) != 1:
        return _NO_NUMBER
    (priority,) = paused
    blocks = {mark // _BLOCK for mark in marks_of(facts, priority).explicit}
    classes = [one for one in facts.classes.or_else(()) if one.number in protected_classes(facts, priority)]
    if len(blocks) != 1 or len(classes) != 1 or priority in blocks:
        return _NO_NUMBER
    (number,) = blocks
    queue = classes[0].queue
    if classes[0].number != number or queue.or_else(number) != number or queue.why is Why.NOT_PARSED:
        return _NO_NUMBER
    return known(number, *facts.pfc.get().priorities.at)
