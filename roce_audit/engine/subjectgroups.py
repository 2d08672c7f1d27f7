"""Groups of subjects that no rule of a scope can tell apart, found before a subject is made for each of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field
from functools import cache, cached_property
from itertools import compress
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

from roce_audit.engine.rules.scopes import Scope
from roce_audit.engine.subjects import PORT_SCOPES, Subject, Subjects, class_roots, is_asked_of
from roce_audit.engine.verdicts import OF_ONE_SUBJECT, Keys
from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.similar.samefacts import NAME, but_for_names
from roce_audit.fabric.site import FabricView
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.values import Why

BY_EVIDENCE = frozenset({"policy", "cabling"})
"""Ranks of evidence that are more than a port's own configuration."""

Reads = tuple[tuple[str, str], ...]
"""(object, field) pairs that a rule reads."""

_FINE = 10
"""A field of which one in so many groups of ports has a value of its own is asked for apart."""
_MANY = 20
"""With fewer groups than this no field is: asking once more costs more than it saves."""

View = Callable[[tuple[object, ...]], object]
"""From what tells a group from others to what some rules see of it."""

LeftOut = Callable[[object, Callable[[FabricPort], Subject], Sequence[FabricPort]], bool]
"""Whether a group need not be made: what it has in common with those that differ from it in fine fields alone, what makes a subject
of a port, and its ports."""

_Own = tuple[Callable[[Any], object], Callable[[Any], Any], int]
"""What gives an object of a port or link, what reads some of its fields, and how many these are."""

_BESIDE_FACTS = ("device", "host")
"""What a rule on one port may read that is the same for many ports, and does not follow from the port's facts and the class."""
OF_PORTS: dict[str, Callable[[FabricPort], object]] = {
    "app": lambda port: port.application,
    "joined": lambda port: port.joined,
}
"""What is said of each port by itself, in plain values."""
NAMED = frozenset({("port", "nic"), ("nic", NAME)})
"""What holds the name of a NIC."""
_OWN_OF_LINK: dict[str, Callable[[LinkView], object]] = {
    "a_joined": lambda link: link.a.joined,
    "b_joined": lambda link: link.b.joined,
    "link": lambda link: link.link,
}
"""The same of each link."""
_NO_VALUE = {why: (why,) for why in Why}
"""What stands for a cell without a value: equal to no value."""


class Asked(NamedTuple):
    """What rules on a single port are asked by."""

    carries: bool | None
    by_evidence: bool
    """Whether it carries RoCE, and whether that is more than its own configuration says."""
    fabric: str
    cls: str
    """The names of its fabric and class."""


@dataclass(slots=True, eq=False)
class SubjectGroup:
    """Equal subjects; they are made only where somebody asks for one, or a finding names them."""

    made: Sequence[Subject] = ()
    """All of them, once somebody asked for them."""
    ports: Sequence[FabricPort] = ()
    """Of a scope of single ports those of the subjects, in their order."""
    links: Sequence[LinkView] = ()
    """The same of links."""
    make: Callable[[Any], Subject] | None = None
    """What makes the subject of one of `ports` or `links`."""
    alike: tuple[object, ...] = ()
    """Of a scope of single ports all that rules can tell these by: see `Columns.views`."""
    asked: Asked | None = None
    """Of a scope of single ports what decides which rules are asked, and by what their verdicts are counted."""
    columns: tuple[object, ...] = ()
    """Of a scope of single ports what is read beside the facts, as far as it is read."""
    roots: Mapping[str, object] = field(default_factory=dict)
    """Of a scope of single ports what it reads that all subjects of its fabric and class share."""
    _example: Subject | None = None

    @property
    def example(self) -> Subject:
        """One of them."""
        if self._example is None:
            self._example = self.made[0] if self.made else self.subject(self.things[0])
        return self._example

    @property
    def size(self) -> int:
        """How many they are."""
        return len(self.things)

    @property
    def things(self) -> Sequence[Subject] | Sequence[FabricPort] | Sequence[LinkView]:
        """All of them, or what they are made of."""
        return self.made or self.ports or self.links

    def subjects(self) -> Sequence[Subject]:
        """All of them."""
        if not self.made and self.make is not None:
            self.made = list(map(self.make, self.things))
        return self.made

    def each(self) -> Iterable[Subject]:
        """The same one after the other: those that nobody asked for yet are not kept."""
        return map(self.make, self.things) if not self.made and self.make is not None else self.made

    def subject(self, one: Subject | FabricPort | LinkView) -> Subject:
        """The subject of one of `things`."""
        if isinstance(one, Subject):
            return one
        assert self.make is not None  # there are no ports and no links without it
        return self.make(one)

    def devices(self) -> set[str]:
        """The names of their devices."""
        if self.ports:
            return {port.device.name for port in self.ports}
        if self.links:
            return {link.a.device.name for link in self.links}
        return {subject.device.name for subject in self.made if subject.device is not None}


@cache
def is_shared(reads: Reads) -> bool:
    """Whether all that is read belongs to objects which equal readings share."""
    return not any(root in OF_ONE_SUBJECT for root, _ in reads)


class Columns:
    """What rules read beside the facts, in one order: by it groups of ports, and of links, are told apart."""

    def __init__(self, on_ports: Iterable[Reads], on_links: Iterable[Reads]) -> None:
        """Of all rules on single ports, and of all on links, what they read."""
        fields = _fields(on_ports)
        self.beside = [read for read in fields if read[0] in _BESIDE_FACTS]
        self.own = _readers(fields, OF_PORTS)
        self.counters = [read for read in fields if read[0] in ("counters", "hop_counters")]
        said = [read for root in OF_PORTS for read in fields if read[0] == root]
        self.all = [*self.beside, *said, *self.counters]
        fields_of_links = _fields(on_links)
        self.own_of_link = _readers(fields_of_links, _OWN_OF_LINK)
        self.of_link = [read for root in _OWN_OF_LINK for read in fields_of_links if read[0] == root]

    def views(self, reads: Sequence[Reads]) -> list[View]:
        """What rules with each of these `reads` see of the groups of single ports that are made for all of them together.

        Groups of which it gives the same are the same to them: the facts come first in `SubjectGroup.alike`, then the facts but
        for names, then the fabric, the class and the answer on RoCE, and then the columns.
        """
        fields = {read for some in reads for read in some}
        wanted = list(enumerate((column for column in self.all if column in fields), 3))
        return [
            itemgetter(1 if NAMED.isdisjoint(some) else 0, 2, *[place for place, column in wanted if column in some])
            for some in reads
        ]


class SubjectGroups:
    """The subjects of one run in groups that rules cannot tell apart.

    Ports are grouped once by everything that any rule on single ports reads, and links by what any rule on links does; what
    rules with fewer `reads` cannot tell apart is then found among those groups instead of among all ports or links.
    """

    def __init__(self, subjects: Subjects, columns: Columns, keys: Keys) -> None:
        self._subjects = subjects
        self._columns = columns
        self._keys = keys
        self._by_fabric: dict[str, list[_Alike]] = {}
        self._numbers: dict[tuple[int, ...], Sequence[object]] = {}
        """What `_said_beside` and `_counted` found, by the ids of the site's objects that they read."""
        self._last: tuple[tuple[str, bool], Sequence[Subject]] = (("", False), ())
        """The scope that `_made` was asked for last, and its subjects."""

    def of(
        self, scope: Scope, by_class: bool, reads: Set[tuple[str, str]], left_out: LeftOut | None = None
    ) -> Iterator[SubjectGroup]:
        """All subjects of a scope, in groups that rules which read no more than that cannot tell apart.

        Of a scope of single ports without the groups that `left_out` takes.
        """
        if scope in PORT_SCOPES:
            return self._of_ports(scope, by_class, reads, left_out)
        if scope == "link":
            return self._of_links(by_class, reads)
        return self._of_others(scope, by_class, sorted(reads))

    @cached_property
    def fine(self) -> frozenset[tuple[str, str]]:
        """What of all that rules on single ports read tells most of the groups from each other."""
        groups = [group for fabric in self._subjects.site.fabrics for group in self._groups(fabric)]
        if len(groups) < _MANY:
            return frozenset()
        rows = zip(self._columns.all, zip(*(group.columns for group in groups), strict=True), strict=False)
        return frozenset(column for column, values in rows if len(set(values)) * _FINE > len(groups))

    def _of_ports(
        self, scope: Scope, by_class: bool, fields: Set[tuple[str, str]], left_out: LeftOut | None
    ) -> Iterator[SubjectGroup]:
        wanted = [column in fields for column in self._columns.all]
        coarse = [column not in self.fine for column in self._columns.all if column in fields] if left_out else []
        for fabric, cls, make in self._subjects.ports_of(scope, by_class):
            roots = class_roots(fabric, cls)
            alike: dict[tuple[Any, ...], list[FabricPort]] = defaultdict(list)
            for group in self._groups(fabric):
                if is_asked_of(scope, group.ports[0]):
                    alike[(group.key, *compress(group.columns, wanted))] += group.ports
            for (key, *columns), members in alike.items():
                if left_out is not None and left_out((make, key, *compress(columns, coarse)), make, members):
                    continue
                facts, carries, by_evidence = key
                unnamed = id(but_for_names(members[0].reading.facts))
                asked = Asked(carries, by_evidence, fabric.name, cls.name if cls is not None else "")
                seen = (facts, unnamed, asked, *columns)
                yield SubjectGroup(
                    ports=members, make=make, alike=seen, asked=asked, columns=tuple(columns), roots=roots
                )

    def _groups(self, fabric: FabricView) -> list[_Alike]:
        """The ports of a fabric that are alike in all that rules on single ports read."""
        found = self._by_fabric.get(fabric.name)
        if found is None:
            groups: dict[tuple[object, ...], _Alike] = {}
            device: DeviceReading | None = None
            beside: Sequence[object] = ()
            before: tuple[int, ...] = ()
            group: _Alike | None = None
            for port in self._subjects.ports(fabric):
                answer = port.roce
                if answer.rank == "not_data" or port.joined is None:
                    continue  # nothing is asked of it
                told = (port.device, port.reading.facts, answer, port.joined, port.application, port.counters)
                objects = tuple(map(id, told))
                if group is not None and objects == before:  # ports that follow each other are often alike
                    group.ports.append(port)
                    continue
                before = objects
                if port.device is not device:
                    device, beside = port.device, self._said_beside(port.device)
                key = (id(port.reading.facts), answer.carries, answer.rank in BY_EVIDENCE)
                columns = (*beside, *_said_of(port, self._columns.own), *self._counted(port))
                group = groups.get((key, columns))
                if group is None:
                    group = groups[(key, columns)] = _Alike(key, columns, [])
                group.ports.append(port)
            found = self._by_fabric[fabric.name] = list(groups.values())
        return found

    def _said_beside(self, device: DeviceReading) -> Sequence[object]:
        """Numbers of what is read beside the facts: equal for equal values, whether one object holds them or several."""
        about: Mapping[str, object] = {"device": device.device, "host": device.host}
        key = tuple(map(id, about.values()))
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = [
                None if about[root] is None else self._keys.read(about, root, name)
                for root, name in self._columns.beside
            ]
        return found

    def _counted(self, port: FabricPort) -> Sequence[object]:
        """The counters of a class follow from the port's counters, its facts and the class."""
        counters = port.counters
        found = self._numbers.get((id(counters),))
        if found is None:
            found = self._numbers[(id(counters),)] = [
                None if counters is None else self._keys.of(counters, name if root == "counters" else "*")
                for root, name in self._columns.counters
            ]
        return found

    def _of_links(self, by_class: bool, fields: Set[tuple[str, str]]) -> Iterator[SubjectGroup]:
        wanted = [column in fields for column in self._columns.of_link]
        makers = self._subjects.links_of(by_class)
        alike: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for (kind, said), numbers in self._alike_links.items():
            alike[(kind, *compress(said, wanted))] += numbers
        for numbers in alike.values():
            links = [self._subjects.links[number] for number in sorted(numbers)]
            for make in makers[links[0].a.fabric]:
                yield SubjectGroup(links=links, make=make)

    @cached_property
    def _alike_links(self) -> Mapping[tuple[object, tuple[object, ...]], Sequence[int]]:
        """The numbers of the links that are alike in all that rules on links read.

        Of the same kind are links with the same facts at both ends and the same answers on RoCE, in one fabric.
        """
        found: dict[tuple[object, tuple[object, ...]], list[int]] = defaultdict(list)
        for number, link in enumerate(self._subjects.links):
            found[(_kind_of(link), tuple(_said_of(link, self._columns.own_of_link)))].append(number)
        return found

    def _of_others(self, scope: Scope, by_class: bool, fields: Sequence[tuple[str, str]]) -> Iterator[SubjectGroup]:
        own = [read for read in fields if read[0] in OF_ONE_SUBJECT or read[0] in _BESIDE_FACTS]
        objects = sorted({root for root, _ in fields} - {root for root, _ in own})
        alike: dict[tuple[object, ...], list[Subject]] = defaultdict(list)
        for subject in self._made(scope, by_class):
            env: Any = subject.env
            kind = subject.device.kind if subject.device is not None else ""
            answers = tuple([(port.roce.carries, port.roce.rank in BY_EVIDENCE) for port in subject.ports])
            key = (subject.fabric, kind, answers, *[id(env[root]) for root in objects])
            alike[(*key, *[self._keys.read(env, root, name) for root, name in own])].append(subject)
        for members in alike.values():
            yield of_subjects(members)

    def _made(self, scope: Scope, by_class: bool) -> Sequence[Subject]:
        """The subjects of a scope that is none of single ports; those that were asked for last are made once."""
        if self._last[0] != (scope, by_class):
            self._last = ((scope, by_class), list(self._subjects.of(scope, by_class)))
        return self._last[1]


@dataclass(frozen=True, slots=True)
class _Alike:
    """Ports that no rule on single ports can tell apart: by facts and answer, and by each column."""

    key: tuple[object, ...]
    columns: tuple[object, ...]
    ports: list[FabricPort]


def _fields(reads: Iterable[Reads]) -> Sequence[tuple[str, str]]:
    """All that is read, each field once."""
    return sorted({read for some in reads for read in some})


def _readers(fields: Sequence[tuple[str, str]], roots: Mapping[str, Callable[[Any], object]]) -> Sequence[_Own]:
    """What reads those of these fields that belong to some objects, object by object."""
    found: list[_Own] = []
    for root, get in roots.items():
        names = [name for at, name in fields if at == root]
        if names:
            found.append((get, attrgetter(*names), len(names)))
    return found


def _said_of(thing: FabricPort | LinkView, own: Sequence[_Own]) -> list[object]:
    """What is said of this port or link alone."""
    said: list[object] = []
    for get, read, count in own:
        told = get(thing)
        if told is None:
            said += [None] * count
        else:
            cells = read(told) if count > 1 else (read(told),)
            said += [cell.value if cell.why is None else _NO_VALUE[cell.why] for cell in cells]
    return said


def _kind_of(link: LinkView) -> tuple[object, ...]:
    """What the kind of a link is told by, apart from what is said of it alone."""
    a, b = link.a, link.b
    facts = (id(a.reading.facts), id(b.reading.facts))
    answers = (a.roce.carries, a.roce.rank in BY_EVIDENCE, b.roce.carries, b.roce.rank in BY_EVIDENCE)
    return (a.fabric, a.device.kind, *facts, *answers)


def of_subjects(members: Sequence[Subject]) -> SubjectGroup:
    """A group of subjects that are made already."""
    return SubjectGroup(members)
