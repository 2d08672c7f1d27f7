"""Room for pause that a port keeps for other priorities than it pauses."""

from __future__ import annotations

from typing import Any

from roce_audit.fabric.classes.votes import groups_of_paused, in_doubt, paused_groups
from roce_audit.fabric.port import of_facts_alone
from roce_audit.model import Port
from roce_audit.values import At, Cell, Where, Why, absent, known, unknown

_ONLY_FOR_PAUSE = ("lossless", "headroom_bytes", "xoff_at_bytes", "xon_at_bytes", "xon_offset_bytes")
"""What nobody sets for a group that is not paused."""
_NONE: Cell[frozenset[int]] = absent()


@of_facts_alone
def room_for_others(facts: Port) -> Cell[frozenset[int]]:
    """Buffer groups of a switch port that lines make no-drop, or give headroom or thresholds of pause, while no priority that is paused
    is in them and no line gives the same to the groups of those.

    Absent where there are none. Unknown where lines give groups such things and it is not known which groups are paused,
    or where lines about groups were not understood.
    """
    protected = paused_groups(facts)
    doubt = in_doubt(groups_of_paused(facts))
    if facts.is_nic or not (protected or doubt is not None):
        return _NONE
    if facts.groups.why in (Why.NOT_PARSED, Why.UNDEFINED):  # buffers that are only not visible are made at run time
        return unknown(facts.groups.why, *facts.groups.at)
    others: dict[int, Where] = {}
    unclear: Cell[Any] | None = None
    for name in _ONLY_FOR_PAUSE:
        written: dict[int, Where] = {}
        for group in facts.groups.or_else(()):
            cell = getattr(group, name)
            lines = [at for at in cell.at if type(at) is At]
            if not lines or cell.is_absent or cell.value is False:
                continue
            if cell.why in (Why.UNDEFINED, Why.NOT_PARSED):
                unclear = cell if unclear is None else unclear
            else:
                written[group.number] = lines[0]
        if protected.isdisjoint(written):
            others = written | others
    if others and doubt is not None:
        unclear = doubt
    if unclear is not None:
        return unknown(unclear.why or Why.NOT_VISIBLE, *unclear.at)
    return known(frozenset(others), *others.values()) if others else _NONE
