"""A port of a device, and what the fabric knows of it. The facts behind it are shared by equal ports of the whole fleet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import TypeVar, TypeVarTuple

from roce_audit.fabric.similar.tiers import UNKNOWN_TIER, Tier
from roce_audit.model import Application, Counters, Joined, Port
from roce_audit.model.joined import Facing, Rank
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import PortReading
from roce_audit.records import dataclass
from roce_audit.text.block import resolve
from roce_audit.values import At, Cell, Cited, DefaultLocation, Far, Header, Place, Where


@dataclass(frozen=True, slots=True)
class RoceEvidence:
    """Whether a port carries RoCE: yes, no, or None = unclear; `rank` names the kind of evidence, `at` and `because` are it."""

    carries: bool | None
    rank: Rank
    at: tuple[Where, ...] = ()
    because: str = ""
    elsewhere: bool = False
    """The evidence is that similar ports of other devices are set up so."""

    @property
    def is_inferred(self) -> bool:
        """True where nothing about the port itself or its cable decided."""
        return self.rank in _INFERRED


_INFERRED: frozenset[Rank] = frozenset({"similar_ports", "path", "device_wide"})

T = TypeVar("T")
More = TypeVarTuple("More")
UNDECIDED = RoceEvidence(None, "none")
NOT_DATA = RoceEvidence(None, "not_data", (), "not a data port")


@dataclass(slots=True, eq=False)
class FabricPort:
    """One port of one device, and what the fabric comes to know of it."""

    device: DeviceReading
    reading: PortReading
    fabric: str = ""
    roce: RoceEvidence = UNDECIDED
    peer: FabricPort | None = None
    facing: Cell[Facing] | None = None
    length: Cell[float] | None = None
    joined: Joined | None = None
    similarity: tuple[object, ...] = ()
    """What makes it similar to others; one object for equal ones."""
    tier: Tier = UNKNOWN_TIER
    left_out: RoceEvidence | None = None
    """What similar ports of other switches do, where nothing on this port's switch is lossless: the whole switch is in question."""
    named: Cell[bool] | None = None
    """Whether the application's list of devices names this NIC; None for a switch port."""
    application: Application | None = None
    """What the communication libraries do with a NIC."""
    config: RoceEvidence | None = None
    """What is written for the port itself says about RoCE (rank 3), whatever decided."""
    hint: RoceEvidence | None = None
    """What speaks against RoCE here (rank 7), whatever decided."""
    crossed_by: tuple[FabricPort, int] | None = None
    """Of a peer link: a port that carries RoCE and the VLAN of it that the peer link bridges."""
    has_neighbour: bool = False
    """Its LLDP, its configuration or a plan tells of a far end, whether that was read or not."""
    peer_offers_pfc: Cell[frozenset[int]] | None = None
    """The priorities for which its far end offers PFC by DCBX, as LLDP shows it."""
    peer_offers_roce_priority: Cell[int] | None = None
    """The priority that the application TLV of its far end gives to RoCEv2."""
    peer_offers_shares: Cell[tuple[int, ...]] | None = None
    """The share that its far end offers each priority by ETS, as LLDP shows it."""
    counters: Counters | None = None
    """How far its counters went between two snapshots; None where none were compared. Never part of the facts."""
    id: str = ""
    """`device:port`."""
    is_nic: bool = False
    """True for a port of a host."""
    subnets: frozenset[tuple[int, int]] | None = None
    """Its IPv4 subnets, once `subnets_of` was asked."""

    def __post_init__(self) -> None:
        self.id = f"{self.device.name}:{self.reading.name}"
        self.is_nic = self.reading.facts.nic.why is None

    def place(self, where: Where) -> Place | Cited:
        """The file and line of an evidence of this port, or the document."""
        if isinstance(where, Header):
            return self.reading.header
        if isinstance(where, Far):
            assert self.peer is not None  # nothing is said at the far end of no cable
            return self.peer.place(where.at)
        return resolve(where, self.reading.parts)

    def places(self, at: Iterable[Where]) -> tuple[Place, ...]:
        """The file lines among these evidences."""
        found = (self.place(where) for where in at)
        return tuple(place for place in found if not isinstance(place, Cited))

    def first_place(self, at: Iterable[Where]) -> Place | None:
        """The first file line among these evidences; None where there is none."""
        return next((place for place in map(self.place, at) if not isinstance(place, Cited)), None)

    def first_line(self, at: Iterable[Where]) -> Place:
        """The first file line among these evidences; where the port begins where there is none."""
        return self.first_place(at) or self.reading.header

    def absolute(self, at: Sequence[Where]) -> tuple[Where, ...]:
        """The same evidences, good outside of this port."""
        if not at:
            return ()
        return tuple([self.place(where) for where in at])


def as_said(at: Iterable[Where]) -> tuple[Where, ...]:
    """The same evidences, each as a line that says it: of what is missing that is the header of the block that should say it."""
    return tuple([At(one.part, one.index) if isinstance(one, DefaultLocation) else one for one in at])


def from_afar(at: Iterable[Where]) -> tuple[Where, ...]:
    """Evidences of a port as the port at the far end of its cable has them."""
    return tuple([Far(one) if isinstance(one, At | Header) else one for one in at])


def by_facts(ports: Iterable[FabricPort]) -> Iterable[list[FabricPort]]:
    """The ports that share their facts, together."""
    found: defaultdict[int, list[FabricPort]] = defaultdict(list)
    for port in ports:
        found[id(port.reading.facts)].append(port)
    return found.values()


_MOST_ANSWERS = 20_000
"""Answers of one question, beyond which a process that lives long asks anew."""


def of_facts_alone(question: Callable[[Port, *More], T]) -> Callable[[Port, *More], T]:
    """A question that facts answer by themselves, whichever port has them: asked once of each, for thousands share them."""
    answers: dict[tuple[object, ...], tuple[Port, T]] = {}
    """By the id of the facts, which are held, so that it is no others'."""

    @wraps(question)
    def ask(facts: Port, *more: *More) -> T:
        found = answers.get((id(facts), *more))
        if found is None:
            if len(answers) >= _MOST_ANSWERS:
                answers.clear()
            found = answers[(id(facts), *more)] = facts, question(facts, *more)
        return found[1]

    return ask
