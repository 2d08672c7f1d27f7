"""Judging what was asked for among much that is read beside it.

A finding is on these devices, at the far end of one of their ports, or names a line of them: because a port is compared with
others, or because what holds for the fabric is said there. For two things single rules are asked of the whole site: whether what
would explain a difference fails everywhere, so that it explains none; and whether an entry of the policy that suppresses failures
matches any.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace

from roce_audit.engine.judging import Judge
from roce_audit.engine.outcomes import Judged, Tally
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.severity import is_comparing
from roce_audit.engine.subjects import Some, Subjects
from roce_audit.engine.suppressing import Suppressions
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import Site
from roce_audit.model.walk import cells, named_parts, parts
from roce_audit.platforms.base import Seen
from roce_audit.policy.values import Policy
from roce_audit.records import dataclass
from roce_audit.values import Cell, Place


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: the names of devices, and the paths of what was read of them."""

    devices: frozenset[str]
    files: frozenset[str]


def judge(
    site: Site,
    seen: Sequence[Seen],
    rules: Sequence[Rule],
    policy: Policy,
    asked: Asked,
    suppressions: Suppressions,
) -> tuple[Judged, Judged]:
    """The verdicts on the devices that were asked for, which are counted; and these with what fails beside them, which findings are
    made of. `suppressions` learn which entries of the policy match failures elsewhere.
    """
    mine, others = _apart(site, asked)
    if not others.devices:
        judged = Judge(rules, policy).run(Subjects(site, seen))
        return judged, judged
    own = Judge(rules, policy).run(Subjects(site, seen, mine))
    beside = [Judge(some, policy).run(Subjects(site, (), among)) for some, among in _beside(site, asked, others, rules)]
    failing = {outcome.rule.id for judged in (own, *beside) for _, outcome in judged.outcomes if outcome.fails}
    explaining = {cause for rule in rules if rule.id in failing and is_comparing(rule) for cause in rule.after}
    suppressible = {rule.id for rule in rules if suppressions.may_cover(rule)}
    elsewhere = [rule for rule in rules if rule.id in suppressible | (explaining & failing)]
    whole = Judge(elsewhere, policy).run(Subjects(site, ()))
    for group, outcome in whole.outcomes:
        if outcome.fails and outcome.rule.id in suppressible:
            for subject in group.each():
                suppressions.note(outcome.rule, subject)
    own.crashes = list(dict.fromkeys(crash for judged in (own, *beside, whole) for crash in judged.crashes))
    return own, replace(_with_failures(own, beside), on_all=whole.everywhere)


def _apart(site: Site, asked: Asked) -> tuple[Some, Some]:
    """What was asked for, and everything else."""
    ports = [port for fabric in site.fabrics for port in fabric.in_use]
    devices = frozenset(device.name for fabric in site.fabrics for device in fabric.devices)
    mine = frozenset(port.id for port in ports if port.device.name in asked.devices)
    return Some(mine, asked.devices), Some(frozenset(port.id for port in ports) - mine, devices - asked.devices)


_ASKED_ONCE = ("link", "fabric", "input")
"""Scopes of which everything that may name these devices is judged with them."""


def _beside(site: Site, asked: Asked, others: Some, rules: Iterable[Rule]) -> Iterator[tuple[Sequence[Rule], Some]]:
    """Of which others failures of which rules may name a line of what was asked for."""
    quotes = _Quotes(asked.files)
    said = {("fabric", name) for fabric in site.fabrics for name in quotes.of(fabric.facts)}
    classes = [cls for fabric in site.fabrics for cls in (*fabric.classes.roce, fabric.classes.cnp) if cls is not None]
    of_class = any(quotes.any_of(cls) for cls in classes)
    near: list[Rule] = []
    everywhere: list[Rule] = []
    for rule in rules:
        if rule.scope not in _ASKED_ONCE:
            reads_all = (of_class and rule.uses_class) or not said.isdisjoint(rule.reads)
            (everywhere if reads_all else near).append(rule)
    ports = [port for fabric in site.fabrics for port in fabric.in_use if port.id in others.ports]
    close = [port for port in ports if _is_close(port, site, asked, quotes)]
    standing = {name for name, position in site.positions.items() if quotes.any_of(position)}
    devices = ({port.device.name for port in close} | standing) & others.devices
    yield near, Some(frozenset(port.id for port in close), frozenset(devices))
    yield everywhere, others


def _is_close(port: FabricPort, site: Site, asked: Asked, quotes: _Quotes) -> bool:
    if port.peer is not None and port.peer.device.name in asked.devices:
        return True
    if port.joined is None:
        return False
    told = (port.joined, port.application, site.transit.get(port.id))
    return any(quotes.any_of(one) for one in told if one is not None)


_PLAIN = (type(None), bool, int, float, str, frozenset)


class _Quotes:
    """Which values are said in some files."""

    def __init__(self, files: Set[str]) -> None:
        self._files = files
        self._elsewhere: set[int] = set()
        """The ids of values that were found not to be said there; the site keeps the values."""

    def of(self, told: object) -> Iterator[str]:
        """The fields of an object that are said there, or hold something that is."""
        return (name for name, value in named_parts(told).items() if self._says(value))

    def any_of(self, told: object) -> bool:
        """Whether one of the fields is."""
        elsewhere = self._elsewhere
        left = [value for value in parts(told) if id(value) not in elsewhere]
        return any(map(self._says, left))

    def _says(self, value: object) -> bool:
        if id(value) in self._elsewhere:
            return False
        if self._is_said(value):
            return True
        self._elsewhere.add(id(value))
        return False

    def _is_said(self, value: object) -> bool:
        inner = value
        if isinstance(value, Cell):
            for at in value.at:
                if isinstance(at, Place) and at.path in self._files:
                    return True
            inner = value.value
        return type(inner) not in _PLAIN and any(self._is_said(leaf) for _, leaf in cells(inner))


def _with_failures(own: Judged, beside: Sequence[Judged]) -> Judged:
    """The same with what fails in others, and how many were asked what fails there."""
    tallies = defaultdict(Tally, own.tallies)
    for judged in beside:
        for key, tally in judged.tallies.items():
            if tally.failed:
                tallies[key] = tallies[key].and_of(tally)
    failures = [found for judged in beside for found in judged.outcomes if found[1].fails]
    return replace(own, outcomes=[*own.outcomes, *failures], tallies=tallies)
