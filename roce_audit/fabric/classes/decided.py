"""Classes: what the policy says, or what a majority of devices does. One vote a device; several classes may win."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace

from roce_audit.fabric.classes import agreement
from roce_audit.fabric.classes.majority import FEWEST_VOTES, Support, agreeing, enough, leading
from roce_audit.fabric.classes.pathmtu import path_mtu
from roce_audit.fabric.classes.sending import told
from roce_audit.fabric.classes.votes import Vote, feedback_marks, vote_by_intent, vote_of
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.model import Class
from roce_audit.policy.values import ClassPolicy, FabricPolicy, Policy
from roce_audit.records import dataclass
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

_MOST_CLASSES = 2
"""More lossless classes than this are never inferred (Guo et al. 2016: buffers pay for two)."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """On what a class rests: the devices that have a say in it, and those that pause another priority or map otherwise."""

    of: int
    against: tuple[str, ...]
    hosts_alone: bool = False
    """All that agree are hosts, and there are others: it is what these send."""

    @property
    def agreeing(self) -> int:
        """How many devices lead the class's own marks to its priority, and pause that."""
        return self.of - len(self.against)


@dataclass(slots=True)
class Classes:
    """The classes of one fabric."""

    roce: tuple[Class, ...] = ()
    cnp: Class | None = None
    inferred: list[Support] = field(default_factory=list)
    votes: Mapping[frozenset[int], int] = field(default_factory=dict)
    """Priority set -> devices that vote for it."""
    agreements: Mapping[str, Agreement] = field(default_factory=dict)
    """Class name -> who agrees with it."""


def decide(ports: Sequence[FabricPort], policy: Policy, fabric: FabricPolicy | None, voters: Iterable[str]) -> Classes:
    """The classes of the fabric whose ports these are; `voters` are the devices that have a vote."""
    found = Classes()
    given = policy.classes_of(fabric)
    carrying: dict[str, list[FabricPort]] = defaultdict(list)
    voters = frozenset(voters)
    for port in ports:
        if port.roce.carries and port.device.name in voters:
            carrying[port.device.name].append(port)
    votes = {name: vote for name, members in carrying.items() if (vote := vote_of(members)) is not None}
    if not any(vote.priorities for vote in votes.values()):
        votes |= {name: vote for name, members in carrying.items() if (vote := vote_by_intent(members)) is not None}
    mtu = path_mtu(policy, fabric, carrying, found.inferred)
    roce = [entry for entry in given if entry.role == "roce"]
    if roce:
        apart = (one for entry in roce for one in _by_priority(entry, votes.values()))
        found.roce = tuple(_completed(entry, votes, mtu, found) for entry in apart)
    else:
        found.roce = tuple(_inferred(votes, mtu, lossless_intended(policy, fabric), found))
    found.votes = Counter(vote.priorities for vote in votes.values() if vote.priorities)
    found.agreements = {cls.name: _agreement(cls, votes) for cls in found.roce}
    if not roce:
        found.roce = tuple(_with_example(cls, found.agreements[cls.name], votes, carrying) for cls in found.roce)
    cnp = next((entry for entry in given if entry.role == "cnp"), None)
    found.cnp = _cnp(cnp, carrying, found)
    return found


def _inferred(votes: Mapping[str, Vote], mtu: Cell[int], lossless: Cell[bool], found: Classes) -> Iterable[Class]:
    winners = sorted(agreement.priorities(votes.values()))
    if len(winners) > _MOST_CLASSES:
        return  # PFC on nearly everything is a fault of its own and says nothing about the classes that were meant
    if winners:
        paused = [vote.priorities for vote in votes.values() if vote.priorities]
        count = min(sum(priority in vote for vote in paused) for priority in winners)
        found.inferred.append(_support("roce.priority", winners, count, len(paused)))
    for priority in winners:
        name = "roce" if len(winners) == 1 else f"roce-{priority}"
        number = known(frozenset({priority}))
        dscp, pcp = _marks(name, priority, len(winners) == 1, votes, found)
        cited = Cited(_rests_on(Class(name, dscp, pcp, number, lossless, mtu), votes))
        yield Class(name, dscp, pcp, known(number.get(), cited), lossless, mtu)


def _marks(
    name: str, priority: int, alone: bool, votes: Mapping[str, Vote], found: Classes
) -> tuple[Cell[frozenset[int]], Cell[frozenset[int]]]:
    """(DSCPs, tags) by which the devices put packets in this priority's class."""
    agreed = agreement.marks(votes.values(), priority, alone)
    if agreed is None or not (agreed.dscp or agreed.pcp):
        return unknown(Why.NOT_VISIBLE if agreed is None else Why.CONFLICT), absent()
    number = known(frozenset({priority}))
    by_dscp, by_tag = known(agreed.dscp), known(agreed.pcp)
    if not agreed.dscp:
        by_dscp = absent()
    else:
        by_tag = absent()
    rests = _agreement(Class(name, by_dscp, by_tag, number, absent(), absent()), votes)
    cited = Cited(agreeing(rests.agreeing, rests.of))
    key, marks = ("roce.dscp", agreed.dscp) if agreed.dscp else ("roce.pcp", agreed.pcp)
    found.inferred.append(_support(key, sorted(marks), rests.agreeing, rests.of))
    return Cell(by_dscp.value, by_dscp.why, (cited,)), Cell(by_tag.value, by_tag.why, (cited,) if agreed.pcp else ())


def _agreement(cls: Class, votes: Mapping[str, Vote]) -> Agreement:
    speaking = {name: vote for name, vote in votes.items() if vote.speaks_of(cls)}
    against = tuple(sorted(name for name, vote in speaking.items() if not vote.has(cls)))
    hosts_alone = all(vote.is_host for name, vote in speaking.items() if name not in against)
    return Agreement(len(speaking), against, hosts_alone and not all(vote.is_host for vote in speaking.values()))


def _with_example(
    cls: Class, rests: Agreement, votes: Mapping[str, Vote], carrying: Mapping[str, Sequence[FabricPort]]
) -> Class:
    """The class with the lines of one device that agrees, where others do not: what the odd one is held against."""
    agreeing_first = sorted(votes, key=lambda name: votes[name].is_host)
    name = next((name for name in agreeing_first if rests.against and name not in rests.against), None)
    for port in carrying[name] if name is not None else ():
        pfc = port.reading.facts.pfc.value_or_none()
        if pfc is None or not pfc.priorities.is_known or not cls.priority.get() <= pfc.priorities.get():
            continue
        table = port.reading.facts.dscp.or_else(())
        marks = [table[dscp] for dscp in sorted(cls.dscp.or_else(frozenset())) if table]
        paused, led = (
            port.places(pfc.priorities.at)[:1],
            port.places(at for cell in (*told(port), *marks) for at in cell.at),
        )
        return replace(
            cls,
            priority=replace(cls.priority, at=(*cls.priority.at, *paused)),
            dscp=replace(cls.dscp, at=(*cls.dscp.at, *led[:1])),
        )
    return cls


def _rests_on(cls: Class, votes: Mapping[str, Vote]) -> str:
    rests = _agreement(cls, votes)
    return agreeing(rests.agreeing, rests.of)


def _support(key: str, value: object, count: int, of: int) -> Support:
    return Support(key, value, count / of if of else 0.0, of, of < FEWEST_VOTES)


def _by_priority(entry: ClassPolicy, votes: Collection[Vote]) -> Sequence[ClassPolicy]:
    """An entry with several priorities as a class for each, where most devices agree which of its DSCPs lead to which."""
    priorities = sorted(entry.priority.or_else(frozenset()))
    if len(priorities) < 2 or entry.pcp.is_known:
        return [entry]
    dscps = [entry.dscp for _ in priorities]
    if entry.dscp.is_known:
        dscps = [replace(entry.dscp, value=marks) for marks in _shared_out(entry.dscp.get(), priorities, votes)]
    return [
        replace(
            entry, name=f"{entry.name}-{number}", dscp=dscp, priority=replace(entry.priority, value=frozenset({number}))
        )
        for number, dscp in zip(priorities, dscps, strict=False)
    ] or [entry]


def _shared_out(dscp: frozenset[int], priorities: Sequence[int], votes: Collection[Vote]) -> list[frozenset[int]]:
    """Which of the DSCPs lead to each priority on most devices; empty where one leads to none, or to several.

    One priority to which they lead none, beside DSCPs that they lead to none, are of each other.
    """
    led = [agreement.of_most([vote.marks[p].dscp for vote in votes if p in vote.marks]) & dscp for p in priorities]
    if sum(not marks for marks in led) == 1:
        led[led.index(frozenset())] = dscp.difference(*led)
    each_once = sorted(mark for marks in led for mark in marks) == sorted(dscp)
    return led if each_once and all(led) else []


def _completed(entry: ClassPolicy, votes: Mapping[str, Vote], mtu: Cell[int], found: Classes) -> Class:
    """A class of the policy, with what it leaves out taken from the majority."""
    dscp, pcp, priority = entry.dscp, entry.pcp, entry.priority
    if dscp.is_unknown and priority.is_known and len(priority.get()) == 1:
        (number,) = priority.get()
        dscp, inferred_pcp = _marks(entry.name, number, True, votes, found)
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
    led = [frozenset(p for p, marks in vote.marks.items() if dscp <= marks.dscp) for vote in votes.values()]
    led = [one for one in led if one]
    winners = sorted(agreement.of_most(led))
    if len(winners) != 1:
        return unknown(Why.CONFLICT if winners else Why.NOT_VISIBLE)
    count = sum(winners[0] in one for one in led)
    found.inferred.append(_support("roce.priority", winners, count, len(led)))
    return known(frozenset(winners), Cited(agreeing(count, len(led))))


def lossless_intended(policy: Policy, fabric: FabricPolicy | None) -> Cell[bool]:
    """Whether the policy means the fabric to be lossless; yes where it does not say."""
    for cell in (fabric.lossless if fabric is not None else None, policy.lossless):
        if cell is not None and cell.is_known:
            return cell
    return known(True, Cited("PFC is on for it"))


def _cnp(entry: ClassPolicy | None, carrying: Mapping[str, Sequence[FabricPort]], found: Classes) -> Class | None:
    """The CNP class: the policy's, else what most hosts' NICs send, else what most switches single out for them."""
    if entry is not None:
        return Class(
            entry.name, entry.dscp, entry.pcp, entry.priority, known(False, entry.at), unknown(Why.NOT_VISIBLE)
        )
    votes: Counter[int] = Counter()
    tagged: dict[int, Counter[int]] = defaultdict(Counter)
    """CNP DSCP -> the priorities at which hosts send it; not every NIC tells that of its own."""
    for ports in carrying.values():
        nics = [nic for s in ports if (nic := nic_of(s)) is not None and nic.cnp_dscp.is_known]
        votes.update(leading(Counter(nic.cnp_dscp.get() for nic in nics)))
        for dscp in {nic.cnp_dscp.get() for nic in nics}:
            known_ones = (nic for nic in nics if nic.cnp_dscp.get() == dscp and nic.cnp_priority.is_known)
            tagged[dscp].update(leading(Counter(nic.cnp_priority.get() for nic in known_ones)))
    unit, total = "host", votes.total()
    if not votes:
        # one vote a switch, and all of them count: what a few single out in the midst of others is nobody's rule
        unit, total = "device", sum(not any(s.is_nic for s in ports) for ports in carrying.values())
        for ports in carrying.values():
            votes.update(leading(Counter(dscp for s in ports for dscp in feedback_marks(s.reading.facts))))
    if not votes:
        return None
    dscp, count = votes.most_common(1)[0]
    if count < enough(votes.total()) or 2 * count < total:
        return None
    at_priority = tagged[dscp].most_common(1)
    priority = at_priority[0][0] if at_priority and at_priority[0][1] >= enough(tagged[dscp].total()) else None
    cited = Cited(agreeing(count, total, unit))
    found.inferred.append(Support("cnp.dscp", [dscp], count / total, total, total < FEWEST_VOTES, unit))
    number: Cell[frozenset[int]] = unknown(Why.NOT_VISIBLE) if priority is None else known(frozenset({priority}), cited)
    return Class(
        "cnp", known(frozenset({dscp}), cited), absent(cited), number, known(False, cited), unknown(Why.NOT_VISIBLE)
    )
