"""Votes: what one device does for its lossless priorities, and which code points and tags lead to each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.fabric.carrying.portconfig import is_own
from roce_audit.fabric.classes.sending import tos_bytes
from roce_audit.fabric.port import FabricPort, of_facts_alone
from roce_audit.model import Class, Port
from roce_audit.records import dataclass
from roce_audit.values import Cell, Cited, Why

_NOTHING: frozenset[int] = frozenset()
USUAL_OF_CNPS = 48
"""The DSCP with which NICs of most vendors send CNPs (mlxconfig: CNP_DSCP_P1, default 48)."""
SINGLED_OUT = 4
"""Default maps lead eight code points into a class. Up to half of them, by lines of their own, were meant; seven are a hole."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What leads to a priority's group on one device: all DSCPs, those that a line (no default) sends there, and tags."""

    dscp: frozenset[int] = frozenset()
    explicit: frozenset[int] = frozenset()
    pcp: frozenset[int] = frozenset()
    sent: frozenset[int] = frozenset()
    """Those DSCPs that a host's NIC is told to send with."""
    unclear: frozenset[int] = frozenset()
    """DSCPs of which nobody knows where they lead."""

    @property
    def meant(self) -> frozenset[int]:
        """The code points that lines single out, else all that lead there."""
        return self.explicit if 0 < len(self.explicit) <= SINGLED_OUT else self.dscp


@dataclass(frozen=True, slots=True)
class Vote:
    """What one device does: priorities with PFC, and for each the marks that lead to it."""

    priorities: frozenset[int]
    marks: Mapping[int, Marks]
    is_host: bool = False
    unmapped_tos: frozenset[int] = frozenset()
    """ToS bytes that a host sends with, where nobody saw which priority its NIC puts them in."""

    def speaks_of(self, cls: Class) -> bool:
        """Whether this device says anything that the class could contradict."""
        if not self.priorities:
            return bool(self.unmapped_tos) and cls.dscp.is_known
        if not cls.priority.is_known or not cls.priority.get() <= self.priorities:
            return True
        return not any(cls.dscp.or_else(frozenset()) & self.marks[priority].unclear for priority in cls.priority.get())

    def has(self, cls: Class) -> bool:
        """Whether this device pauses the class's priority and leads the class's marks, as far as these are known, to it."""
        if not self.priorities:
            return cls.dscp.is_known and all(tos // 4 in cls.dscp.get() for tos in self.unmapped_tos)
        if not cls.priority.is_known or not cls.priority.get() <= self.priorities:
            return False
        marks = [self.marks[priority] for priority in cls.priority.get()]
        if cls.dscp.is_known:
            return all(cls.dscp.get() <= one.dscp for one in marks)
        return not cls.pcp.is_known or self.is_host or all(cls.pcp.get() <= one.pcp for one in marks)


_Kinds = dict[tuple[int, frozenset[int]], list[FabricPort]]
"""The ports of a device by the id of their facts and the ToS bytes that each sends with."""


_MOST = 1_000
_known: dict[tuple[object, ...], tuple[Vote | None, Sequence[Port]]] = {}
"""Votes by all that they follow from, with the facts that this names by their ids; as many as these at most."""


def vote_of(ports: Sequence[FabricPort]) -> Vote | None:
    """What most RoCE ports of a device do; None where that is not known or nothing is lossless.

    Most devices have ports like those of another one, and so its vote.
    """
    host = ports[0].device.host
    alike: _Kinds = defaultdict(list)
    for port in _speaking_of_marks(ports):
        alike[id(port.reading.facts), tos_bytes(port) if port.is_nic else _NOTHING].append(port)
    policy = host.smb_direct_priority if host is not None else None
    key = (policy, *[(kind, len(members)) for kind, members in alike.items()])
    found = _known.get(key)
    if found is None:
        if len(_known) >= _MOST:
            _known.clear()
        found = _known[key] = _counted(alike), [members[0].reading.facts for members in alike.values()]
    return found[0]


def _counted(alike: _Kinds) -> Vote | None:
    ports = [members[0] for members in alike.values()]
    by_priorities: dict[frozenset[int], _Kinds] = defaultdict(dict)
    for kind, members in alike.items():
        paused = _asked_for(members[0].reading.facts)
        if paused:
            by_priorities[paused][kind] = members
    is_host = any(port.is_nic for port in ports)
    unmapped = _NOTHING.union(*(_unmapped(those[0], tos) for (_, tos), those in alike.items() if those[0].is_nic))
    if not by_priorities:
        to_send = _policy_priority(ports)
        if to_send:
            nobody_knows = Marks(unclear=frozenset(range(64)))
            return Vote(to_send, dict.fromkeys(to_send, nobody_knows), is_host, unmapped)
        return Vote(_NOTHING, {}, is_host, unmapped) if unmapped else None
    priorities = max(by_priorities, key=lambda voted: _weight(voted, by_priorities[voted]))
    marks = {}
    for priority in priorities:
        votes: Counter[Marks] = Counter()
        for (_, tos), members in _deciding(by_priorities[priorities], priority).items():
            votes[_with_sent(marks_of(members[0].reading.facts, priority), tos)] += len(members)
        marks[priority] = votes.most_common(1)[0][0]
    return Vote(priorities, marks, is_host, unmapped)


def _weight(priorities: frozenset[int], alike: _Kinds) -> tuple[int, int, int]:
    """How many ports pause these; of as many of them those count that send into what they pause, then those that map to it by lines."""
    sending = mapping = 0
    for (_, tos), members in alike.items():
        marks = [marks_of(members[0].reading.facts, priority) for priority in priorities]
        sending += len(members) * any(byte // 4 in one.dscp for byte in tos for one in marks)
        mapping += len(members) * any(one.explicit for one in marks)
    return sum(map(len, alike.values())), sending, mapping


def _speaking_of_marks(ports: Sequence[FabricPort]) -> Sequence[FabricPort]:
    """Without ports to which no tag comes and that trust it only because nothing is said, where a line has others trust code points."""
    told = (port.reading.facts.trust for port in ports if not port.is_nic)
    if not any(trust.value in ("dscp", "both") and is_written(trust) for trust in told):
        return ports
    return [port for port in ports if not _left_trusting_tags(port)]


def _left_trusting_tags(port: FabricPort) -> bool:
    trust = port.reading.facts.trust
    return not port.is_nic and port.reading.labels.untagged and trust.value == "pcp" and not is_written(trust)


def _deciding(alike: _Kinds, priority: int) -> _Kinds:
    """Where lines single code points out for some ports: without those that trust the tag only because nothing is said of them.

    Ports of a switch that only its own map leads there, a peer link for instance, do not decide either.
    """
    marks = {kind: marks_of(members[0].reading.facts, priority) for kind, members in alike.items()}
    singled_out = {kind for kind, one in marks.items() if 0 < len(one.explicit) <= SINGLED_OUT}
    if not singled_out:
        return alike
    return {
        kind: members
        for kind, members in alike.items()
        if marks[kind].explicit or not _is_untold(members[0].reading.facts)
    }


def _is_untold(facts: Port) -> bool:
    """Whether a port of a switch trusts nothing, DSCPs, or tags because nothing is said of them."""
    return not facts.is_nic and (facts.trust.value != "pcp" or not is_written(facts.trust))


def vote_by_intent(ports: Sequence[FabricPort]) -> Vote | None:
    """The vote of a switch of which no port pauses, by what most of its RoCE ports are told beside; None where that is nothing.

    It is for a fabric in which nothing else votes: its class is known by what it was given, and its fault is that PFC is off.
    """
    if any(port.is_nic or paused_priorities(port.reading.facts) for port in ports):
        return None
    counted = Counter(_intended(port) for port in ports)
    priorities, count = counted.most_common(1)[0]
    if not priorities or 2 * count <= len(ports):
        return None
    example = next(port.reading.facts for port in ports if _intended(port) == priorities)
    return Vote(priorities, {priority: marks_of(example, priority) for priority in priorities})


def _intended(port: FabricPort) -> frozenset[int]:
    """The priorities that a port without PFC is told to pause in one direction, or to watch for endless pause.

    One that sends it for some and obeys it of others has one fault: what it sends is for the class of its own packets.
    """
    facts = port.reading.facts
    pfc = facts.pfc.value_or_none()
    if pfc is None or not pfc.priorities.is_known:
        return _NOTHING
    watchdog = pfc.watchdog.value_or_none()
    told = [pfc.send_only, pfc.receive_only, *([watchdog.priorities] if watchdog is not None else [])]
    sent, *heard = [cell.or_else(_NOTHING) if is_own(cell, port.reading.parts) else _NOTHING for cell in told]
    return sent or _NOTHING.union(*heard)


def paused_priorities(facts: Port) -> frozenset[int]:
    """The priorities with PFC; those on which it runs where nobody saw what is configured."""
    pfc = facts.pfc.value_or_none()
    if pfc is None:
        return _NOTHING
    told = pfc.operational if pfc.priorities.is_unknown else pfc.priorities
    return told.or_else(frozenset())


def _asked_for(facts: Port) -> frozenset[int]:
    """The priorities with PFC, without those that a system pauses beside them of its own accord: no class is meant by these."""
    pfc = facts.pfc.value_or_none()
    unasked = pfc.unasked.or_else(_NOTHING) if pfc is not None else _NOTHING
    return paused_priorities(facts) - unasked


def paused_groups(facts: Port) -> frozenset[int]:
    """The buffer groups of the priorities with PFC; empty where one of them is not known."""
    groups = groups_of_paused(facts)
    return frozenset(group.get() for group in groups) if all(group.is_known for group in groups) else _NOTHING


def groups_of_paused(facts: Port) -> list[Cell[int]]:
    """The buffer group of each priority with PFC, as far as it is known."""
    paused = paused_priorities(facts)
    return [one.group for one in facts.priorities.or_else(()) if one.number in paused]


def in_doubt(cells: Iterable[Cell[int]]) -> Cell[int] | None:
    """The first of these that is not known though some input would show it; None where all are known or are documented nowhere."""
    return next((cell for cell in cells if cell.is_unknown and cell.why is not Why.NO_DEFAULT), None)


@of_facts_alone
def marks_of(facts: Port, priority: int) -> Marks:
    """What leads to the internal classes that the priority pauses on this port."""
    mine = protected_classes(facts, priority)

    def leading(cells: tuple[Cell[int], ...]) -> tuple[frozenset[int], frozenset[int]]:
        hits = [(mark, cell) for mark, cell in enumerate(cells) if cell.is_known and cell.get() in mine]
        said = frozenset(mark for mark, cell in hits if is_written(cell))
        return frozenset(mark for mark, _ in hits), said

    dscp, explicit = leading(facts.dscp.or_else(()))
    tags, tags_said = leading(facts.pcp.or_else(()))
    if facts.is_nic:
        tags = frozenset()  # a NIC trusts the tag as its driver sets it up: that is no sign that anybody tags
    elif facts.trust.value != "pcp":
        tags = tags_said  # a port that believes nothing but the tag needs no line that says which
    table = facts.dscp.or_else(())
    unclear = frozenset(mark for mark in range(64) if not table or not table[mark].is_known)
    return Marks(dscp, explicit, tags, unclear=unclear)


@of_facts_alone
def feedback_marks(facts: Port) -> frozenset[int]:
    """The one DSCP that a switch port singles out for a strict queue that nothing pauses, beside a lossless class.

    That is how every guide treats CNPs. Two such code points, or one among others that lines send there, may be anything else.
    """
    paused = paused_priorities(facts)
    if facts.is_nic or not paused:
        return _NOTHING
    lossless = frozenset().union(*(protected_classes(facts, priority) for priority in paused))
    written: dict[int, list[int]] = defaultdict(list)
    for mark, cell in enumerate(facts.dscp.or_else(())):
        if cell.is_known and is_written(cell) and cell.get() not in lossless:
            written[cell.get()].append(mark)
    queues = {queue.number: queue for queue in facts.queues.or_else(())}
    found = frozenset(
        written[one.number][0]
        for one in facts.classes.or_else(())
        if len(written.get(one.number, ())) == 1
        and one.queue.is_known
        and (queue := queues.get(one.queue.get())) is not None
        and queue.scheduling.value == "strict"
    )
    return found if lossless and len(found) == 1 else _NOTHING


def is_written(cell: Cell[Any]) -> bool:
    """Whether lines alone say this; a default that a line brings into force is nobody's choice."""
    return bool(cell.at) and not any(isinstance(at, Cited) for at in cell.at)


def _with_sent(marks: Marks, tos: frozenset[int]) -> Marks:
    """With what is sent of it. A ToS byte that misses this priority on its own NIC is a slip, and says nothing of the class."""
    return replace(marks, sent=marks.dscp & {byte // 4 for byte in tos})


def _policy_priority(ports: Sequence[FabricPort]) -> frozenset[int]:
    """The priority that the policy for SMB Direct writes, on a host whose NICs pause nothing or of which nobody saw that."""
    host = ports[0].device.host
    if host is None or not host.smb_direct_priority.is_known:
        return frozenset()
    return frozenset({host.smb_direct_priority.get()})


def _unmapped(port: FabricPort, sent: frozenset[int]) -> frozenset[int]:
    """The ToS bytes of those that a NIC sends with of which nobody saw which priority it puts them in."""
    facts = port.reading.facts
    pfc = facts.pfc.value_or_none()
    is_seen = pfc is not None and pfc.priorities.is_known
    table = facts.dscp.or_else(())
    return frozenset(tos for tos in sent if not (is_seen and table and table[tos // 4].is_known))


def protected_classes(facts: Port, priority: int) -> frozenset[int]:
    """The internal classes whose packets the priority pauses; where several priorities share a group, by their queue.

    By their queue alone, which the priority stops, where nobody knows the group of any class: a tag of its own may decide that.
    """
    if facts.is_nic:
        return frozenset({priority})  # the class of a packet on a NIC is its priority
    priorities = facts.priorities.or_else(())
    if priority >= len(priorities) or not priorities[priority].group.is_known:
        return frozenset()
    group, queue = priorities[priority].group.get(), priorities[priority].queue
    classes = facts.classes.or_else(())
    if queue.is_known and not any(c.group.is_known for c in classes):
        return frozenset(c.number for c in classes if c.queue.is_known and c.queue.get() == queue.get())
    in_group = [c for c in classes if c.group.is_known and c.group.get() == group]
    in_queue = [c for c in in_group if not queue.is_known or not c.queue.is_known or c.queue.get() == queue.get()]
    return frozenset(c.number for c in in_queue or in_group)
