"""Room for pause that a port keeps for other priorities than it pauses."""

from __future__ import annotations

from roce_audit.fabric.port import of_facts_alone
from roce_audit.fabric.votes import paused_groups
from roce_audit.model import Port
from roce_audit.values import At, Cell, Where, absent, known

_ONLY_FOR_PAUSE = ("lossless", "headroom_bytes", "xoff_at_bytes", "xon_at_bytes", "xon_offset_bytes")
"""What nobody sets for a group that is not paused."""
_NONE: Cell[frozenset[int]] = absent()


@of_facts_alone
def room_for_others(facts: Port) -> Cell[frozenset[int]]:
    """Buffer groups of a switch port that lines make no-drop, or give headroom or thresholds of pause, while no priority that is paused
    is in them and no line gives the same to the groups of those.

    Absent where there are none, or where it is not known which groups are paused.
    """
    protected = paused_groups(facts)
    if facts.is_nic or not protected:
        return _NONE
    others: dict[int, Where] = {}
    for name in _ONLY_FOR_PAUSE:
        written: dict[int, Where] = {}
        for group in facts.groups.or_else(()):
            cell = getattr(group, name)
            lines = [at for at in cell.at if type(at) is At]
            if lines and not cell.is_absent and cell.value is not False:
                written[group.number] = lines[0]
        if protected.isdisjoint(written):
            others = written | others
    return known(frozenset(others), *others.values()) if others else _NONE
