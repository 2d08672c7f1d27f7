"""A port's own configuration: does what is written for *this* port say that it carries lossless traffic? And the hints against.

Only what was said for the port, its channel, or a policy bound to it counts; what holds for the whole device does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from roce_audit.fabric.port import FabricPort, RoceEvidence, as_said, of_facts_alone
from roce_audit.fabric.words import label
from roce_audit.model import Pfc, Port
from roce_audit.text.block import SHOWN, Parts, PlacedParts, Role
from roce_audit.values import At, Cell, DefaultLocation, Where, Why


class PortConfig:
    """Rank 3, and the device-wide statements of rank 6, memoised by facts."""

    def __init__(self) -> None:
        self._memo: dict[int, RoceEvidence | None] = {}

    def of(self, port: FabricPort) -> RoceEvidence | None:
        """Yes, no, or None where the port says nothing."""
        facts = port.reading.facts
        key = id(facts)
        if key not in self._memo:
            self._memo[key] = _speak(facts, _origins(port.reading.parts))
        return self._memo[key]

    def device_wide(self, port: FabricPort) -> RoceEvidence | None:
        """Yes where a statement for the whole switch sets RoCE up, or turns PFC on for this port; "auto" turns nothing on."""
        mode = port.device.device.roce_mode
        if not port.is_nic and mode.is_known:
            return RoceEvidence(True, "device_wide", mode.at, f"the switch's RoCE mode, {mode.get()}")
        pfc = port.reading.facts.pfc.value_or_none()
        if port.is_nic or pfc is None or pfc.mode.or_else("off") != "on" or not pfc.priorities.or_else(frozenset()):
            return None
        at = tuple(at for at in (*pfc.mode.at, *pfc.priorities.at) if _is_device_wide(at, port.reading.parts))
        return RoceEvidence(True, "device_wide", port.absolute(at), "a statement for the whole switch") if at else None


class _Origin(NamedTuple):
    """What tells of a part of a port's configuration whether it is the port's own."""

    role: Role
    kind: str


_Origins = tuple[_Origin, ...]


def _origins(parts: Parts) -> _Origins:
    each = parts.shapes if isinstance(parts, PlacedParts) else parts
    return tuple([_Origin(one.role, one.kind) for one in each])


@of_facts_alone
def _speak(facts: Port, parts: _Origins) -> RoceEvidence | None:
    said: list[str] = []
    places: list[Where] = []
    is_nic = facts.is_nic
    for family, cell in _families(facts, parts, is_nic):
        if family not in said:
            said.append(family)
        places.extend(cell.at[:1])
    if said:
        because = "its configuration has " + ", ".join(said)
        return RoceEvidence(True, "port_config", as_said(dict.fromkeys(places)), because)
    off = None if is_nic else _explicit_off(facts, parts)  # a NIC without PFC is as its driver sets it up
    return None if off is None else RoceEvidence(False, "port_config", as_said(off.at), "PFC is explicitly off here")


def is_own(cell: Cell[Any], parts: Parts | _Origins) -> bool:
    """Whether a statement of the port itself, its channel, or a policy bound to it set the value."""
    said = (at for at in cell.at if isinstance(at, At) and not isinstance(at, DefaultLocation))
    return any(parts[at.part].role != "device" for at in said)


def sets_up_queues(facts: Port, parts: Parts | _Origins) -> bool:
    """Whether a statement of the port itself, its channel, or a policy bound to it serves or marks a queue."""
    queues = facts.queues.or_else(())
    return any(is_own(cell, parts) for queue in queues for cell in (queue.ecn, queue.share))


def classifies_and_queues(port: FabricPort) -> bool:
    """Whether statements of the port itself, its channel, or policies bound to it lead code points, and serve or mark a queue."""
    facts, parts = port.reading.facts, port.reading.parts
    return any(_bound(cell, parts) for cell in facts.dscp.or_else(())) and sets_up_queues(facts, parts)


def _is_shown(cell: Cell[Any], parts: _Origins) -> bool:
    """Whether the answer of a show command tells it, which has a word for what nobody switched as well."""
    return any(isinstance(at, At) and parts[at.part].kind == SHOWN for at in cell.at)


def _is_device_wide(at: Where, parts: Parts) -> bool:
    return isinstance(at, At) and parts[at.part].role == "device"


def _families(facts: Port, parts: _Origins, is_nic: bool) -> Iterator[tuple[str, Cell[Any]]]:
    """What the port says of lossless traffic by itself: (what it is called, what says so)."""
    pfc = facts.pfc.value_or_none()
    if not is_nic:
        yield from _named_for_no_drop(facts, parts)
    if pfc is not None:
        yield from _by_pfc(facts, pfc, parts, is_nic)
    if not is_nic:
        yield from _by_buffers(facts, pfc, parts)
    default = _default_queue(facts)
    for queue in facts.queues.or_else(()):
        ecn = queue.ecn.value_or_none()
        if ecn is not None and queue.number != default and ecn.marks.or_else(False) and is_own(ecn.marks, parts):
            yield "ECN", ecn.marks
    lossless = {group.number for group in facts.groups.or_else(()) if group.lossless.or_else(False)}
    yield from _classified(facts, parts, lossless, is_nic)


def _by_pfc(facts: Port, pfc: Pfc, parts: _Origins, is_nic: bool) -> Iterator[tuple[str, Cell[Any]]]:
    one_way = pfc.receive_only.or_else(frozenset()) | pfc.send_only.or_else(frozenset())
    nothing_bound = pfc.priorities.is_known and not pfc.priorities.get() and not one_way
    is_meant = not nothing_bound or (not is_nic and _marks_on_purpose(facts))
    if pfc.mode.or_else("off") == "on" and is_own(pfc.mode, parts) and is_meant:
        yield "PFC", pfc.mode
    elif pfc.priorities.or_else(frozenset()) and is_own(pfc.priorities, parts):
        yield "PFC", pfc.priorities
    elif pfc.mode.is_unknown and pfc.operational.or_else(frozenset()) and is_own(pfc.operational, parts):
        yield "PFC that runs", pfc.operational  # answers of show commands, and no configuration beside them
    elif one_way and pfc.priorities.is_known:
        halves = (cell for cell in (pfc.receive_only, pfc.send_only) if cell.or_else(frozenset()))
        yield from (("PFC one way", cell) for cell in halves if is_own(cell, parts))
    watchdog = pfc.watchdog.value_or_none()
    if watchdog is not None and watchdog.on.or_else(False) and is_own(watchdog.on, parts):
        yield "PFC watchdog", watchdog.on


def _by_buffers(facts: Port, pfc: Pfc | None, parts: _Origins) -> Iterator[tuple[str, Cell[Any]]]:
    for group in facts.groups.or_else(()):
        room = group.headroom_bytes  # what an answer shows of it may be the system's, and stand at each port
        if group.lossless.or_else(False) and is_own(group.lossless, parts):
            yield "lossless buffer", group.lossless
        elif room.or_else(0) > 0 and is_own(room, parts) and not _is_shown(room, parts):
            yield "headroom", room
        elif pfc is not None and _pauses_at(group.xoff_at_bytes, pfc.mode, parts):
            yield "pause thresholds", group.xoff_at_bytes


def _pauses_at(xoff: Cell[int], mode: Cell[Any], parts: _Origins) -> bool:
    """Whether a port whose PFC hangs on its peer, or that nothing switches on or off, has a level of its own at which it pauses: nobody
    writes that for lossy traffic.
    """
    if mode.value == "auto":
        said = xoff.is_absent or xoff.or_else(0) > 0  # absent where it is a share of what is free
    else:
        said = mode.value == "off" and not is_own(mode, parts) and xoff.or_else(0) > 0
    return said and is_own(xoff, parts) and not _is_shown(xoff, parts)


def _marks_on_purpose(facts: Port) -> bool:
    """Whether a queue that not all packets use marks with ECN: beside PFC that is on, RoCE was meant, though nothing is no-drop."""
    default = _default_queue(facts)
    queues = facts.queues.or_else(())
    return any(
        ecn.marks.or_else(False)
        for queue in queues
        if queue.number != default and (ecn := queue.ecn.value_or_none()) is not None
    )


def _named_for_no_drop(facts: Port, parts: _Origins) -> Iterator[tuple[str, Cell[Any]]]:
    """A name that nothing defines, of a kind that sets no-drop classes alone: a profile that might set anything says nothing."""
    pfc = facts.pfc.value_or_none()
    if any(cell.why is Why.UNDEFINED for cell in (facts.queues, facts.dscp, facts.trust)):
        return
    for named in (pfc.priorities if pfc is not None else facts.pfc, facts.groups):
        if named.why is Why.UNDEFINED and is_own(named, parts):
            yield "a policy for no-drop classes that nothing defines", named


def _classified(facts: Port, parts: _Origins, lossless: set[int], is_nic: bool) -> Iterator[tuple[str, Cell[Any]]]:
    if not lossless or is_nic:
        return
    classes = facts.classes.or_else(())
    # ports of tenants trust their tags as well: a tag tells something where a line leads it there, and not trust alone
    tags = [cell for cell in facts.pcp.or_else(()) if cell.at[:1] != facts.trust.at[:1]]
    for cell in (*facts.dscp.or_else(()), *tags):
        number = cell.or_else(-1)
        if 0 <= number < len(classes) and classes[number].group.or_else(-1) in lossless and _bound(cell, parts):
            yield "classifier", cell
            return


def _bound(cell: Cell[Any], parts: Parts | _Origins) -> bool:
    return any(isinstance(at, At) and parts[at.part].role in ("own", "bound", "lag") for at in cell.at[:1])


def _default_queue(facts: Port) -> int:
    """The queue of unmarked packets; where an access list classifies, DSCP 0 is led by what else such a packet is."""
    dscp, classes = facts.dscp.or_else(()), facts.classes.or_else(())
    number = dscp[0].or_else(0) if dscp and facts.trust.or_else("none") != "acl" else 0
    return classes[number].queue.or_else(number) if number < len(classes) else number


def _explicit_off(facts: Port, parts: _Origins) -> Cell[Any] | None:
    pfc = facts.pfc.value_or_none()
    if (
        pfc is not None
        and pfc.mode.or_else("on") == "off"
        and is_own(pfc.mode, parts)
        and not _is_shown(pfc.mode, parts)
    ):
        return pfc.mode
    return None


def hint_against(port: FabricPort, texts: Iterable[str]) -> RoceEvidence | None:
    """Rank 7: words of labels of the port that speak against RoCE."""
    for text in texts:
        found = label(text).against if text else None
        if found:
            return RoceEvidence(
                False, "hint", (port.reading.header,), f"'{text[:60]}' names {', '.join(sorted(found))}"
            )
    return None


def hint_of_fcoe(port: FabricPort) -> RoceEvidence | None:
    """Rank 7: words for FCoE at a port of a switch whose lossless class no DSCP leads to; its frames are no IP, and have tags alone."""
    labels, facts = port.reading.labels, port.reading.facts
    texts = (labels.description, labels.vrf, *labels.names)
    text = next((text for text in texts if text and label(text).is_fcoe), "")
    if not text or port.is_nic or any(label(text).is_for_rdma for text in texts) or _a_dscp_leads_to_lossless(facts):
        return None
    return RoceEvidence(False, "hint", (port.reading.header,), f"'{text[:60]}' names FCoE")


def _a_dscp_leads_to_lossless(facts: Port) -> bool:
    lossless = {group.number for group in facts.groups.or_else(()) if group.lossless.or_else(False)}
    classes = facts.classes.or_else(())
    led = {
        classes[number].group for cell in facts.dscp.or_else(()) if (number := cell.or_else(-1)) in range(len(classes))
    }
    return any(group.or_else(-1) in lossless for group in led)


def hint_for(port: FabricPort) -> bool:
    """Whether the labels speak of RoCE, GPUs or storage."""
    labels = port.reading.labels
    if label(labels.description).is_for or label(labels.vrf).is_for:
        return True
    return any(label(name).is_for for name in labels.names)
