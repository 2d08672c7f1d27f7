"""Agreement: which priorities the devices of a fabric make lossless classes, and which DSCPs or tags belong to each.

The best-supported answer is taken, one vote a device; where two are supported alike there is none. Hosts go ahead of
switches: what their NICs pause and are told to send is the class, and a switch that maps it elsewhere is at fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from roce_audit.fabric.classes.votes import SINGLED_OUT, Marks, Vote
from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True)
class AgreedMarks:
    """What classifies the packets of a priority: code points, else tags; neither where the devices contradict each other."""

    dscp: frozenset[int] = frozenset()
    pcp: frozenset[int] = frozenset()


def priorities(votes: Collection[Vote]) -> frozenset[int]:
    """The lossless priorities of most devices. One that the hosts do not pause is none that RoCE uses."""
    speaking = [vote for vote in votes if vote.priorities]
    hosts = [vote for vote in speaking if vote.is_host]
    leading = _best_supported([vote.priorities for vote in speaking])
    if not leading:
        leading = _best_supported([frozenset(p for p, marks in vote.marks.items() if marks.sent) for vote in hosts])
    paused = frozenset(p for p in leading if 2 * sum(p in vote.priorities for vote in hosts) >= len(hosts))
    return paused or leading


def marks(votes: Collection[Vote], priority: int, alone: bool = True) -> AgreedMarks | None:
    """What leads to the priority on most devices; None = nobody says. `alone`: there is no other class to send for."""
    switches = [vote.marks[priority] for vote in votes if priority in vote.priorities and not vote.is_host]
    hosts = [vote.marks[priority] for vote in votes if priority in vote.priorities and vote.is_host]
    if alone:
        hosts += _senders(votes, [*switches, *hosts])
    asked = len(hosts)
    hosts = [one for one in hosts if one.dscp]
    switches = [one for one in switches if one.dscp or one.pcp]
    voters = [*hosts, *switches]
    by_dscp = [one for one in voters if one.dscp]
    if not voters:
        return None
    if (hosts and 2 * len(hosts) >= asked) or 2 * len(by_dscp) > len(voters):
        return AgreedMarks(dscp=_without_unmarked(_dscps(hosts, by_dscp), alone and priority == 0, hosts))
    tags = [one.pcp for one in voters]
    # on a tagged link the number in the PFC frame is that in the tag: it decides where all go by tags and none has a majority
    own = frozenset({priority} if not by_dscp and any(priority in one for one in tags) else ())
    return AgreedMarks(pcp=of_most(tags) or own)


def _senders(votes: Iterable[Vote], others: Sequence[Marks]) -> list[Marks]:
    """Hosts of which only the ToS byte was seen. A few of them against many devices are the odd ones, and so is a DSCP
    that was written where a ToS byte belongs."""
    mapped = of_most([one.dscp for one in others])
    sent = [frozenset(tos // 4 for tos in vote.unmapped_tos - mapped) for vote in votes]
    found = [Marks(dscp=one, sent=one) for one in sent if one]
    return found if 2 * len(found) >= len(others) else []


def _dscps(hosts: Sequence[Marks], voters: Sequence[Marks]) -> frozenset[int]:
    """The code points on which the devices agree; those that are sent or singled out narrow a default map of eight down."""
    common = of_most([one.dscp for one in voters])
    base = of_most([one.dscp for one in hosts]) or common
    said = [one.sent or one.explicit for one in voters if one.sent or 0 < len(one.explicit) <= SINGLED_OUT]
    if hosts:  # what no NIC puts in this priority is nothing that the hosts could send in it
        said = [one for one in said if one & base]
    pointed = of_most(said) & base or of_most([one.sent for one in hosts if one.sent]) & base
    if said and not pointed:
        if all(one & base for one in said):
            pointed = frozenset[int]().union(*said) & base
        elif 2 * len(said) >= len(voters):
            return frozenset()  # each says its own: what the default maps have in common nobody meant
    return pointed or base & common or base


def _without_unmarked(agreed: frozenset[int], is_default: bool, hosts: Iterable[Marks]) -> frozenset[int]:
    """What nobody marked is no mark of a class that has one of its own, unless the only class is that of unmarked packets."""
    is_meant = is_default or any(0 in one.sent for one in hosts)
    return agreed - {0} if any(dscp >= 8 for dscp in agreed) and not is_meant else agreed


def _best_supported(votes: Collection[frozenset[int]]) -> frozenset[int]:
    """What more than half say; else what half say, if nothing else has as many votes."""
    counted = Counter(number for vote in votes for number in vote)
    first = [number for number, count in counted.items() if count == max(counted.values())]
    if len(first) == 1 and 2 * counted[first[0]] >= len(votes) > 2:
        return of_most(votes) or frozenset(first)
    return of_most(votes)


def of_most(votes: Collection[frozenset[int]]) -> frozenset[int]:
    """The numbers that more than half of these sets hold."""
    counted = Counter(number for vote in votes for number in vote)
    return frozenset(number for number, count in counted.items() if 2 * count > len(votes))
