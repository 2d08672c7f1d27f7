"""The policy as plain data. Every entry knows its line, for an entry that matches nothing is a finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from datetime import date
from typing import Literal

from roce_audit.policy.farends import FarEndPolicy
from roce_audit.records import dataclass
from roce_audit.text import globs
from roce_audit.values import Cell, Place, Why, known, unknown

_UNSAID: Cell[int] = unknown(Why.NOT_VISIBLE)
_UNSAID_FLAG: Cell[bool] = unknown(Why.NOT_VISIBLE)


@dataclass(frozen=True, slots=True)
class Entry:
    """A pattern or path, and its line."""

    text: str
    at: Place


@dataclass(frozen=True, slots=True)
class ClassPolicy:
    """A class of traffic as the site means it. A field that the file does not give is unknown: to be inferred."""

    name: str
    role: Literal["roce", "cnp"]
    dscp: Cell[frozenset[int]]
    """Any of these code points; absent where the class is given by `pcp` alone."""
    pcp: Cell[frozenset[int]]
    """802.1p priority in the tag of entering packets; absent where the class is given by DSCP alone."""
    priority: Cell[frozenset[int]]
    """802.1p number in the PFC frame: no traffic class, qos-group or queue of a switch."""
    lossless: Cell[bool]
    mtu_bytes: Cell[int]
    """RDMA path MTU (payload), bytes."""
    at: Place


@dataclass(frozen=True, slots=True)
class FabricPolicy:
    """A fabric by the names of its devices; settings that it does not give are those of the whole policy."""

    name: str
    devices: tuple[Entry, ...]
    carries_roce: bool
    """False for `roce: none`: judged for contradictions only, votes in no majority."""
    profile: Cell[str]
    classes: tuple[ClassPolicy, ...]
    mtu_bytes: Cell[int]
    lossless: Cell[bool]
    at: Place

    def has(self, device: str) -> bool:
        """True when the device is one of this fabric."""
        return any(globs.matches(entry.text, device) for entry in self.devices)


@dataclass(frozen=True, slots=True)
class PortPolicy:
    """Says of some ports whether they carry RoCE. Both patterns must match where both are given."""

    device: str | None
    port: str | None
    description: str | None
    roce: bool
    because: str
    at: Place

    def covers(self, device: str, names: Iterable[str], description: str) -> bool:
        """True when the entry speaks of this port; `names` are its name and its aliases."""
        if self.description is not None and not globs.matches(self.description, description):
            return False
        if self.device is None or self.port is None:
            return True
        return globs.matches(self.device, device) and any(globs.matches_port(self.port, name) for name in names)


@dataclass(frozen=True, slots=True)
class CablePolicy:
    """Length of the cables between two kinds of devices; each end is a role or a glob over device names."""

    between: tuple[str, str]
    length_m: float
    at: Place

    def strangers(self, names: Iterable[str]) -> tuple[str, ...]:
        """Its ends that match none of these names."""
        known = tuple(names)
        return tuple(end for end in self.between if not any(globs.matches(end, name) for name in known))

    def covers(self, a: Iterable[str], b: Iterable[str]) -> bool:
        """True for a cable whose ends go by these names (device name, role), in either direction."""
        one, other = self.between
        a, b = tuple(a), tuple(b)

        def goes_by(pattern: str, names: tuple[str, ...]) -> bool:
            return any(globs.matches(pattern, name) for name in names)

        return (goes_by(one, a) and goes_by(other, b)) or (goes_by(one, b) and goes_by(other, a))


@dataclass(frozen=True, slots=True)
class PathPolicy:
    """What is known of some files that detection cannot see; None and "" mean: not said."""

    pattern: str
    at: Place
    platform: str | None = None
    device: str | None = None
    complete: bool | None = None
    state: Literal["running", "startup", "intended", "candidate"] | None = None
    rendered_from: str = ""
    """The template to change instead of the file."""


@dataclass(frozen=True, slots=True)
class GivenPath:
    """An entry of the path file: a way of traffic, and the switches that it passes one after the other, as globs."""

    start: str
    """The switch on which it begins, or its host."""
    end: str
    via: tuple[tuple[str, ...], ...]
    """Step by step, the switches that it may pass there; none: the two ends are cabled to each other."""
    one_way: bool
    """Nothing is said of traffic back."""
    at: Place

    def begins_at(self, names: Iterable[str]) -> bool:
        """Whether traffic of a switch or host that goes by these names is meant."""
        return any(globs.matches(self.start, name) for name in names)

    def ends_at(self, names: Iterable[str]) -> bool:
        """Whether traffic to a switch or host that goes by these names is meant."""
        return any(globs.matches(self.end, name) for name in names)

    def passes(self, step: int, name: str) -> bool:
        """Whether this switch is allowed at a step, counted from 0."""
        return any(globs.matches(pattern, name) for pattern in self.via[step])

    @property
    def backwards(self) -> GivenPath:
        """The same for traffic back."""
        return replace(self, start=self.end, end=self.start, via=self.via[::-1])


@dataclass(frozen=True, slots=True)
class RulePolicy:
    """Another severity or other numbers for one rule. Ids and parameters are checked against the rules later."""

    rule: str
    severity: Literal["error", "warning", "info"] | None
    params: Mapping[str, int | float | bool | str]
    at: Place
    param_places: Mapping[str, Place] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ignore:
    """A suppression: every selector that is given must match (globs); `reason` is never empty."""

    reason: str
    at: Place
    rule: str | None = None
    device: str | None = None
    port: str | None = None
    fabric: str | None = None
    class_name: str | None = None
    tag: str | None = None
    until: date | None = None
    """Last day on which it holds; without one it is refused, and told."""

    def may_cover(self, rule: str, tags: Iterable[str]) -> bool:
        """True when the suppression speaks of some failures of this rule."""
        return (self.rule is None or globs.matches(self.rule, rule)) and (
            self.tag is None or any(globs.matches(self.tag, tag) for tag in tags)
        )

    def covers(
        self,
        *,
        rule: str,
        device: str,
        ports: Iterable[str] = (),
        fabric: str = "",
        class_name: str = "",
        tags: Iterable[str] = (),
    ) -> bool:
        """True when the suppression speaks of this check, whatever its date."""
        pairs = ((self.device, device), (self.fabric, fabric), (self.class_name, class_name))
        return (
            self.may_cover(rule, tags)
            and all(pattern is None or globs.matches(pattern, text) for pattern, text in pairs)
            and (self.port is None or any(globs.matches_port(self.port, port) for port in ports))
        )


@dataclass(frozen=True, slots=True)
class Policy:
    """All that people said about the site. `Policy.empty()` where they said nothing."""

    file: str | None
    folder: str | None
    """Absolute folder of the file: patterns over paths and relative paths start here."""
    profile: Cell[str]
    classes: tuple[ClassPolicy, ...] = ()
    mtu_bytes: Cell[int] = _UNSAID
    """RDMA path MTU, bytes, of classes that give none: inferred ones too."""
    lossless: Cell[bool] = _UNSAID_FLAG
    """Whether classes that do not say so are lossless: inferred ones too."""
    fabrics: tuple[FabricPolicy, ...] = ()
    ports: tuple[PortPolicy, ...] = ()
    cables: tuple[CablePolicy, ...] = ()
    far_ends: tuple[FarEndPolicy, ...] = ()
    """How descriptions of ports name their far ends."""
    exclude: tuple[Entry, ...] = ()
    maintenance: tuple[Entry, ...] = ()
    paths: tuple[PathPolicy, ...] = ()
    rules: tuple[RulePolicy, ...] = ()
    rules_of_fabrics: Mapping[str, tuple[RulePolicy, ...]] = field(default_factory=dict)
    """Fabric with a profile of its own -> what holds for rules there instead of `rules`."""
    ignores: tuple[Ignore, ...] = ()
    rules_paths: tuple[Entry, ...] = ()
    path_file: Entry | None = None
    given_paths: tuple[GivenPath, ...] = ()
    """What the path file says, in its order."""

    @staticmethod
    def empty() -> Policy:
        """The policy of a site that wrote none."""
        return Policy(file=None, folder=None, profile=known("base"))

    def port(self, device: str, names: Iterable[str], description: str = "") -> PortPolicy | None:
        """The entry that decides for this port: the last one that matches."""
        names = tuple(names)
        return next((entry for entry in reversed(self.ports) if entry.covers(device, names, description)), None)

    def fabric(self, device: str) -> FabricPolicy | None:
        """The first fabric that has this device."""
        return next((fabric for fabric in self.fabrics if fabric.has(device)), None)

    def classes_of(self, fabric: FabricPolicy | None) -> tuple[ClassPolicy, ...]:
        """The classes that hold in a fabric: its own where it gives some, else those of the whole policy."""
        if fabric is not None and not fabric.carries_roce:
            return ()
        return fabric.classes if fabric is not None and fabric.classes else self.classes

    def cable(self, a: Iterable[str], b: Iterable[str]) -> CablePolicy | None:
        """The first entry for a cable whose ends go by these names (device name, role)."""
        a, b = tuple(a), tuple(b)
        return next((entry for entry in self.cables if entry.covers(a, b)), None)

    def in_maintenance(self, device: str) -> Entry | None:
        """The entry that says the device is being worked on."""
        return next((entry for entry in self.maintenance if globs.matches(entry.text, device)), None)
