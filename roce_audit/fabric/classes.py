"""Classes: what the policy says, or what a majority of devices does. One vote a device; several classes may win."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from roce_audit.fabric.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.model import Class, Port
from roce_audit.policy.values import ClassPolicy, FabricPolicy, Policy
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

_Value = TypeVar("_Value", int, tuple[int, int])

THRESHOLD = 0.8
FEWEST_VOTES = 3
_MOST_CLASSES = 2
"""More lossless classes than this are never inferred (Guo et al. 2016: buffers pay for two)."""
_RDMA_MTUS = (4096, 2048, 1024, 512, 256)
_ROCE_OVERHEAD = 64
SINGLED_OUT = 4
"""Default maps lead eight code points into a class. Up to half of them, by lines of their own, were meant; seven are a hole."""


@dataclass(frozen=True, slots=True)
class Support:
    """How an inferred value was found: the value, the share of votes, the number of voters."""

    key: str
    value: object
    support: float
    of: int
    weak: bool
    unit: str = "device"


@dataclass(slots=True)
class Classes:
    """The classes of one fabric."""

    roce: tuple[Class, ...] = ()
    cnp: Class | None = None
    inferred: list[Support] = field(default_factory=list)
    votes: Mapping[frozenset[int], int] = field(default_factory=dict)
    """Priority set -> devices that vote for it."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What leads to a priority's group on one device: all DSCPs, those that a line (no default) sends there, and tags."""

    dscp: frozenset[int] = frozenset()
    explicit: frozenset[int] = frozenset()
    pcp: frozenset[int] = frozenset()

    @property
    def meant(self) -> frozenset[int]:
        """The code points that lines single out, else all that lead there."""
        return self.explicit if 0 < len(self.explicit) <= SINGLED_OUT else self.dscp


@dataclass(frozen=True, slots=True)
class _Vote:
    """What one device does: priorities with PFC, and for each the marks that lead to it."""

    priorities: frozenset[int]
    marks: Mapping[int, Marks]


def decide(ports: Sequence[FabricPort], policy: Policy, fabric: FabricPolicy | None, voting: Iterable[str]) -> Classes:
    """The classes of the fabric whose ports these are; `voting` are the devices that have a vote."""
    found = Classes()
    given = policy.classes_of(fabric)
    carrying: dict[str, list[FabricPort]] = defaultdict(list)
    voters = frozenset(voting)
    for port in ports:
        if port.roce.carries and port.device.name in voters:
            carrying[port.device.name].append(port)
    votes = {name: vote for name, members in carrying.items() if (vote := _vote(members)) is not None}
    mtu = _mtu(policy, fabric, carrying, found)
    roce = [entry for entry in given if entry.role == "roce"]
    if roce:
        found.roce = tuple(_completed(entry, votes, mtu, found) for entry in roce)
    else:
        found.roce = tuple(_inferred(votes, mtu, lossless_intended(policy, fabric), found))
    found.votes = Counter(vote.priorities for vote in votes.values())
    cnp = next((entry for entry in given if entry.role == "cnp"), None)
    found.cnp = _cnp(cnp, carrying, found)
    return found


def _vote(ports: Sequence[FabricPort]) -> _Vote | None:
    """One vote a device: what most of its RoCE ports do; None where that is not known or nothing is lossless."""
    by_priorities: dict[frozenset[int], list[Port]] = defaultdict(list)
    for port in ports:
        pfc = port.reading.facts.pfc.value_or_none()
        if pfc is not None and pfc.priorities.is_known and pfc.priorities.get():
            by_priorities[pfc.priorities.get()].append(port.reading.facts)
    if not by_priorities:
        return None
    priorities = max(by_priorities, key=lambda voted: len(by_priorities[voted]))
    counted = Counter(map(id, by_priorities[priorities]))
    distinct = {id(facts): facts for facts in by_priorities[priorities]}
    marks = {}
    for priority in priorities:
        votes: Counter[Marks] = Counter()
        for key, facts in distinct.items():
            votes[marks_of(facts, priority)] += counted[key]
        marks[priority] = votes.most_common(1)[0][0]
    return _Vote(priorities, marks)


def marks_of(facts: Port, priority: int) -> Marks:
    """What leads to the internal classes that the priority pauses on this port."""
    mine = _protected(facts, priority)

    def leading(cells: tuple[Cell[int], ...]) -> tuple[frozenset[int], frozenset[int]]:
        hits = [(mark, cell) for mark, cell in enumerate(cells) if cell.is_known and cell.get() in mine]
        said = frozenset(mark for mark, cell in hits if cell.at and not isinstance(cell.at[0], Cited))
        return frozenset(mark for mark, _ in hits), said

    dscp, explicit = leading(facts.dscp.or_else(()))
    # a NIC trusts the tag as its driver sets it up: that is no sign that anybody tags
    tags = frozenset() if facts.is_nic else leading(facts.pcp.or_else(()))[1]
    return Marks(dscp, explicit, tags)


def _protected(facts: Port, priority: int) -> frozenset[int]:
    """The internal classes whose packets the priority pauses; where several priorities share a group, by their queue."""
    if facts.is_nic:
        return frozenset({priority})  # the class of a packet on a NIC is its priority
    priorities = facts.priorities.or_else(())
    if priority >= len(priorities) or not priorities[priority].group.is_known:
        return frozenset()
    group, queue = priorities[priority].group.get(), priorities[priority].queue
    in_group = [c for c in facts.classes.or_else(()) if c.group.is_known and c.group.get() == group]
    in_queue = [c for c in in_group if not queue.is_known or not c.queue.is_known or c.queue.get() == queue.get()]
    return frozenset(c.number for c in in_queue or in_group)


def _inferred(votes: Mapping[str, _Vote], mtu: Cell[int], lossless: Cell[bool], found: Classes) -> Iterable[Class]:
    total = len(votes)
    counted = Counter(priority for vote in votes.values() for priority in vote.priorities)
    winners = sorted(p for p, n in counted.items() if n >= _enough(total))
    if len(winners) > _MOST_CLASSES:
        return  # PFC on nearly everything is a fault of its own and says nothing about the classes that were meant
    if winners:
        support = min(counted[p] for p in winners) / total
        found.inferred.append(Support("roce.priority", winners, support, total, total < FEWEST_VOTES))
    for priority in winners:
        dscp, pcp = _agreed_marks(votes.values(), priority, found)
        name = "roce" if len(winners) == 1 else f"roce-{priority}"
        cited = Cited(_agreeing(counted[priority], total))
        yield Class(name, dscp, pcp, known(frozenset({priority}), cited), lossless, mtu)


def _agreeing(agreeing: int, of: int, what: str = "device") -> str:
    """The citation of an inferred value: `inferred: 405 of 412 devices`, `inferred: one device`."""
    return f"inferred: {agreeing} of {of} {what}s" if of > 1 else f"inferred: one {what}"


def _enough(votes: int) -> float:
    """How many of these votes must agree."""
    return THRESHOLD * votes if votes >= FEWEST_VOTES else votes


def _agreed_marks(
    votes: Iterable[_Vote], priority: int, found: Classes
) -> tuple[Cell[frozenset[int]], Cell[frozenset[int]]]:
    """(DSCPs, tags) by which the devices put packets in this priority's class: by DSCP where most do, else by tag."""
    voters = [vote.marks[priority] for vote in votes if priority in vote.priorities]
    voters = [marks for marks in voters if marks.dscp or marks.pcp]
    by_dscp = [marks for marks in voters if marks.dscp]
    if not voters:
        return unknown(Why.NOT_VISIBLE), absent()
    if len(by_dscp) >= _enough(len(voters)):
        return _agreed_dscp(by_dscp, found), absent()
    tags = Counter(tag for marks in voters for tag in marks.pcp)
    agreed = frozenset(tag for tag, count in tags.items() if count >= _enough(len(voters)))
    if not agreed:
        return unknown(Why.CONFLICT), absent()
    support = min(tags[tag] for tag in agreed) / len(voters)
    found.inferred.append(Support("roce.pcp", sorted(agreed), support, len(voters), len(voters) < FEWEST_VOTES))
    cited = Cited(_agreeing(len(voters), len(voters)))
    return absent(cited), known(agreed, cited)


def _agreed_dscp(voters: Sequence[Marks], found: Classes) -> Cell[frozenset[int]]:
    """The code points on which the devices agree; explicit lines narrow a default map of eight code points down."""
    counted = Counter(d for marks in voters for d in marks.dscp)
    common = {d for d, n in counted.items() if n >= _enough(len(voters))}
    narrow = [marks.explicit for marks in voters if 0 < len(marks.explicit) <= SINGLED_OUT]
    explicit = Counter(d for said in narrow for d in said)
    # where others contradict it, one device's own code point is its fault and not the class's second mark
    pointed = {d for d in common if 2 * explicit[d] > len(narrow)}
    if not pointed and not all(said & common for said in narrow):
        return unknown(Why.CONFLICT)  # each says its own: what the default maps have in common nobody meant
    pointed = pointed or {d for d in common if explicit[d]}
    agreed = frozenset(pointed or common)
    if any(d >= 8 for d in agreed):
        agreed -= {0}  # what nobody marked is no mark of a class that has one of its own
    if not agreed:
        return unknown(Why.CONFLICT)
    support = min(counted[d] for d in agreed) / len(voters)
    found.inferred.append(Support("roce.dscp", sorted(agreed), support, len(voters), len(voters) < FEWEST_VOTES))
    return known(agreed, Cited(_agreeing(len(voters), len(voters))))


def _completed(entry: ClassPolicy, votes: Mapping[str, _Vote], mtu: Cell[int], found: Classes) -> Class:
    """A class of the policy, with what it leaves out taken from the majority."""
    dscp, pcp, priority = entry.dscp, entry.pcp, entry.priority
    if dscp.is_unknown and priority.is_known and len(priority.get()) == 1:
        (number,) = priority.get()
        dscp, inferred_pcp = _agreed_marks(votes.values(), number, found)
        pcp = pcp if pcp.is_known else inferred_pcp
    if priority.is_unknown and dscp.is_known:
        priority = _agreed_priority(dscp.get(), votes, found)
    lossless = (
        entry.lossless
        if entry.lossless.is_known
        else known(True, Cited("a RoCE class is lossless unless said otherwise"))
    )
    return Class(entry.name, dscp, pcp, priority, lossless, entry.mtu_bytes if entry.mtu_bytes.is_known else mtu)


def _agreed_priority(dscp: frozenset[int], votes: Mapping[str, _Vote], found: Classes) -> Cell[frozenset[int]]:
    counted: Counter[int] = Counter()
    for vote in votes.values():
        counted.update(p for p, marks in vote.marks.items() if dscp <= marks.dscp)
    total = sum(1 for vote in votes.values() if any(dscp <= marks.dscp for marks in vote.marks.values()))
    winners = [p for p, n in counted.items() if n >= _enough(total)]
    if len(winners) != 1:
        return unknown(Why.CONFLICT if winners else Why.NOT_VISIBLE)
    found.inferred.append(Support("roce.priority", winners, counted[winners[0]] / total, total, total < FEWEST_VOTES))
    return known(frozenset(winners), Cited(_agreeing(counted[winners[0]], total)))


def lossless_intended(policy: Policy, fabric: FabricPolicy | None) -> Cell[bool]:
    """Whether the policy means the fabric to be lossless; yes where it does not say."""
    for cell in (fabric.lossless if fabric is not None else None, policy.lossless):
        if cell is not None and cell.is_known:
            return cell
    return known(True, Cited("PFC is on for it"))


def _mtu(
    policy: Policy, fabric: FabricPolicy | None, carrying: Mapping[str, Sequence[FabricPort]], found: Classes
) -> Cell[int]:
    """RDMA path MTU: the policy's, else that of most NICs, else the largest that most ports carry."""
    for cell in (fabric.mtu_bytes if fabric is not None else None, policy.mtu_bytes):
        if cell is not None and cell.is_known:
            return cell
    votes: Counter[int] = Counter()
    by_ports: Counter[int] = Counter()
    for ports in carrying.values():
        nics = [nic_of(s) for s in ports if s.is_nic]
        sizes = Counter(nic.rdma_mtu_bytes.get() for nic in nics if nic is not None and nic.rdma_mtu_bytes.is_known)
        votes.update(_leading(sizes))
        if not sizes:
            carried = [s.reading.facts.ip_mtu_bytes for s in ports]
            at_most: Counter[int] = Counter()
            for size, count in Counter([cell.get() for cell in carried if cell.is_known]).items():
                at_most[fits(size)] += count
            by_ports.update(_leading(at_most, largest=True))
    most = max(votes.values(), default=0)
    if not votes or votes.total() < 2 * most < 2 * _enough(votes.total()):
        # too few NICs spoke, though most of them alike: the ports of the other devices help to tell the odd one
        votes += by_ports
    total = votes.total()
    if not total:
        return unknown(Why.NOT_VISIBLE)
    value, count = votes.most_common(1)[0]
    if count < _enough(total):
        return unknown(Why.CONFLICT)
    found.inferred.append(Support("mtu.roce", value, count / total, total, total < FEWEST_VOTES))
    return known(value, Cited(_agreeing(count, total)))


def _leading(seen: Counter[_Value], largest: bool = False) -> list[_Value]:
    """A device's one vote: what more of its ports have than anything else; a tie is no vote, or one for the largest."""
    most = max(seen.values(), default=0)
    leading = sorted(value for value, count in seen.items() if count == most)
    return leading[-1:] if largest or len(leading) == 1 else []


def fits(ip_mtu: int) -> int:
    """The largest RDMA path MTU, bytes, whose packets an IP MTU holds; 0 where it holds none."""
    return next((size for size in _RDMA_MTUS if size + _ROCE_OVERHEAD <= ip_mtu), 0)


def _cnp(entry: ClassPolicy | None, carrying: Mapping[str, Sequence[FabricPort]], found: Classes) -> Class | None:
    """The CNP class: the policy's, else what most hosts' NICs send."""
    if entry is not None:
        return Class(
            entry.name, entry.dscp, entry.pcp, entry.priority, known(False, entry.at), unknown(Why.NOT_VISIBLE)
        )
    votes: Counter[tuple[int, int]] = Counter()
    for ports in carrying.values():
        marks: Counter[tuple[int, int]] = Counter(
            (nic.cnp_dscp.get(), nic.cnp_priority.or_else(-1))
            for s in ports
            if (nic := nic_of(s)) is not None and nic.cnp_dscp.is_known
        )
        votes.update(_leading(marks))
    total = votes.total()
    if not total:
        return None
    (dscp, priority), count = votes.most_common(1)[0]
    if count < _enough(total):
        return None
    cited = Cited(_agreeing(count, total, "host"))
    found.inferred.append(Support("cnp.dscp", [dscp], count / total, total, total < FEWEST_VOTES, "host"))
    number: Cell[frozenset[int]] = unknown(Why.NOT_VISIBLE) if priority == -1 else known(frozenset({priority}), cited)
    return Class(
        "cnp", known(frozenset({dscp}), cited), absent(cited), number, known(False, cited), unknown(Why.NOT_VISIBLE)
    )
