"""Classes: what the policy says, or what a majority of devices does. One vote a device; several classes may win."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from roce_audit.fabric.majority import FEWEST_VOTES, Support, agreeing, enough, leading
from roce_audit.fabric.nics import nic_of
from roce_audit.fabric.pathmtu import path_mtu
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.votes import SINGLED_OUT, Marks, Vote, vote_of
from roce_audit.model import Class
from roce_audit.policy.values import ClassPolicy, FabricPolicy, Policy
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

_MOST_CLASSES = 2
"""More lossless classes than this are never inferred (Guo et al. 2016: buffers pay for two)."""


@dataclass(slots=True)
class Classes:
    """The classes of one fabric."""

    roce: tuple[Class, ...] = ()
    cnp: Class | None = None
    inferred: list[Support] = field(default_factory=list)
    votes: Mapping[frozenset[int], int] = field(default_factory=dict)
    """Priority set -> devices that vote for it."""


def decide(ports: Sequence[FabricPort], policy: Policy, fabric: FabricPolicy | None, voting: Iterable[str]) -> Classes:
    """The classes of the fabric whose ports these are; `voting` are the devices that have a vote."""
    found = Classes()
    given = policy.classes_of(fabric)
    carrying: dict[str, list[FabricPort]] = defaultdict(list)
    voters = frozenset(voting)
    for port in ports:
        if port.roce.carries and port.device.name in voters:
            carrying[port.device.name].append(port)
    votes = {name: vote for name, members in carrying.items() if (vote := vote_of(members)) is not None}
    mtu = path_mtu(policy, fabric, carrying, found.inferred)
    roce = [entry for entry in given if entry.role == "roce"]
    if roce:
        found.roce = tuple(_completed(entry, votes, mtu, found) for entry in roce)
    else:
        found.roce = tuple(_inferred(votes, mtu, lossless_intended(policy, fabric), found))
    found.votes = Counter(vote.priorities for vote in votes.values())
    cnp = next((entry for entry in given if entry.role == "cnp"), None)
    found.cnp = _cnp(cnp, carrying, found)
    return found


def _inferred(votes: Mapping[str, Vote], mtu: Cell[int], lossless: Cell[bool], found: Classes) -> Iterable[Class]:
    total = len(votes)
    counted = Counter(priority for vote in votes.values() for priority in vote.priorities)
    winners = sorted(p for p, n in counted.items() if n >= enough(total))
    if len(winners) > _MOST_CLASSES:
        return  # PFC on nearly everything is a fault of its own and says nothing about the classes that were meant
    if winners:
        support = min(counted[p] for p in winners) / total
        found.inferred.append(Support("roce.priority", winners, support, total, total < FEWEST_VOTES))
    for priority in winners:
        dscp, pcp = _agreed_marks(votes.values(), priority, found)
        name = "roce" if len(winners) == 1 else f"roce-{priority}"
        cited = Cited(agreeing(counted[priority], total))
        yield Class(name, dscp, pcp, known(frozenset({priority}), cited), lossless, mtu)


def _agreed_marks(
    votes: Iterable[Vote], priority: int, found: Classes
) -> tuple[Cell[frozenset[int]], Cell[frozenset[int]]]:
    """(DSCPs, tags) by which the devices put packets in this priority's class: by DSCP where most do, else by tag."""
    voters = [vote.marks[priority] for vote in votes if priority in vote.priorities]
    voters = [marks for marks in voters if marks.dscp or marks.pcp]
    by_dscp = [marks for marks in voters if marks.dscp]
    if not voters:
        return unknown(Why.NOT_VISIBLE), absent()
    if len(by_dscp) >= enough(len(voters)):
        return _agreed_dscp(by_dscp, found), absent()
    tags = Counter(tag for marks in voters for tag in marks.pcp)
    agreed = frozenset(tag for tag, count in tags.items() if count >= enough(len(voters)))
    if not agreed:
        return unknown(Why.CONFLICT), absent()
    support = min(tags[tag] for tag in agreed) / len(voters)
    found.inferred.append(Support("roce.pcp", sorted(agreed), support, len(voters), len(voters) < FEWEST_VOTES))
    cited = Cited(agreeing(len(voters), len(voters)))
    return absent(cited), known(agreed, cited)


def _agreed_dscp(voters: Sequence[Marks], found: Classes) -> Cell[frozenset[int]]:
    """The code points on which the devices agree; explicit lines narrow a default map of eight code points down."""
    counted = Counter(d for marks in voters for d in marks.dscp)
    common = {d for d, n in counted.items() if n >= enough(len(voters))}
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
    return known(agreed, Cited(agreeing(len(voters), len(voters))))


def _completed(entry: ClassPolicy, votes: Mapping[str, Vote], mtu: Cell[int], found: Classes) -> Class:
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


def _agreed_priority(dscp: frozenset[int], votes: Mapping[str, Vote], found: Classes) -> Cell[frozenset[int]]:
    counted: Counter[int] = Counter()
    for vote in votes.values():
        counted.update(p for p, marks in vote.marks.items() if dscp <= marks.dscp)
    total = sum(1 for vote in votes.values() if any(dscp <= marks.dscp for marks in vote.marks.values()))
    winners = [p for p, n in counted.items() if n >= enough(total)]
    if len(winners) != 1:
        return unknown(Why.CONFLICT if winners else Why.NOT_VISIBLE)
    found.inferred.append(Support("roce.priority", winners, counted[winners[0]] / total, total, total < FEWEST_VOTES))
    return known(frozenset(winners), Cited(agreeing(counted[winners[0]], total)))


def lossless_intended(policy: Policy, fabric: FabricPolicy | None) -> Cell[bool]:
    """Whether the policy means the fabric to be lossless; yes where it does not say."""
    for cell in (fabric.lossless if fabric is not None else None, policy.lossless):
        if cell is not None and cell.is_known:
            return cell
    return known(True, Cited("PFC is on for it"))


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
        votes.update(leading(marks))
    total = votes.total()
    if not total:
        return None
    (dscp, priority), count = votes.most_common(1)[0]
    if count < enough(total):
        return None
    cited = Cited(agreeing(count, total, "host"))
    found.inferred.append(Support("cnp.dscp", [dscp], count / total, total, total < FEWEST_VOTES, "host"))
    number: Cell[frozenset[int]] = unknown(Why.NOT_VISIBLE) if priority == -1 else known(frozenset({priority}), cited)
    return Class(
        "cnp", known(frozenset({dscp}), cited), absent(cited), number, known(False, cited), unknown(Why.NOT_VISIBLE)
    )
