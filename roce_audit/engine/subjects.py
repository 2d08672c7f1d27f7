"""Subjects: what a rule is judged on. One subject has the objects its expressions read, and a place for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from roce_audit.engine.rules.scopes import Scope
from roce_audit.fabric.cables.links import LinkView
from roce_audit.fabric.counters import NOT_COMPARED, of_class
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.layers import LEAF
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.model import Class
from roce_audit.platforms.base import DeviceReading, Seen
from roce_audit.records import dataclass
from roce_audit.text.block import resolve
from roce_audit.text.secrets.redact import redact
from roce_audit.values import Cited, Place, Where, Why, absent, known, unknown

Resolver = Callable[[Where], Place | Cited]
"""From a cell's `where` to a file and line."""


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """One thing a rule is asked about, for one class where classes matter."""

    id: str
    name: str
    fabric: str
    device: DeviceReading | None
    ports: tuple[FabricPort, ...]
    env: Mapping[str, object]
    header: Place
    cls: Class | None = None
    seen: Seen | None = None

    def end(self, key: str) -> FabricPort | None:
        """The end of a link that env[key] speaks of; None for anything else."""
        if len(self.ports) < 2 or not key.startswith(("a", "b")):
            return None
        return self.ports[0] if key.startswith("a") else self.ports[1]

    def resolver(self, key: str) -> Resolver:
        """How places of the cells below env[key] are found."""
        if key in ("device", "host") and self.device is not None:
            parts = self.device.device_parts if key == "device" else self.device.host_parts
            return lambda where: resolve(where, parts)
        if self.ports:
            return (self.end(key) or self.ports[0]).place
        return lambda where: resolve(where, ())


_OfFacts = dict[int, dict[str, object]]
"""Facts of ports, by their id -> the objects that a subject with these facts reads, whichever port it is."""
PORT_SCOPES: frozenset[Scope] = frozenset({"port", "hop", "nic"})
"""Scopes whose subjects are single ports."""


@dataclass(frozen=True, slots=True)
class Some:
    """Some of what a site has."""

    ports: frozenset[str]
    """Their ids."""
    devices: frozenset[str]
    """Their names."""


class Subjects:
    """All subjects of a site, scope by scope; or only those of `some` ports and devices, and of the fabrics and the input."""

    def __init__(self, site: Site, seen: Sequence[Seen], some: Some | None = None) -> None:
        self.site = site
        self.seen = seen
        self._some = some

    def ports(self, fabric: FabricView) -> Sequence[FabricPort]:
        """The ports of a fabric that are meant."""
        some = self._some
        return fabric.in_use if some is None else [port for port in fabric.in_use if port.id in some.ports]

    def _devices(self, fabric: FabricView) -> Sequence[DeviceReading]:
        some = self._some
        return fabric.devices if some is None else [one for one in fabric.devices if one.name in some.devices]

    def of(self, scope: Scope, by_class: bool) -> Iterator[Subject]:
        """The subjects of a scope; one per class of the fabric where the verdict depends on the class."""
        for fabric in self.site.fabrics:
            for cls in self._classes(fabric, by_class):
                yield from self._in_fabric(scope, fabric, cls)
        if scope == "link":
            makers = self.links_of(by_class)
            yield from (make(view) for view in self.links for make in makers[view.a.fabric])
        elif scope == "input":
            yield from (_observed(seen) for seen in self.seen)

    def ports_of(
        self, scope: Scope, by_class: bool
    ) -> Iterator[tuple[FabricView, Class | None, Callable[[FabricPort], Subject]]]:
        """For a scope of single ports, fabric by fabric and class by class: what makes a subject of one of its ports."""
        for fabric in self.site.fabrics:
            for cls in self._classes(fabric, by_class):
                yield fabric, cls, partial(self._port, scope, fabric=fabric, cls=cls, known={})

    def _classes(self, fabric: FabricView, by_class: bool) -> Sequence[Class | None]:
        return fabric.classes.roce if by_class else (None,)

    def _in_fabric(self, scope: Scope, fabric: FabricView, cls: Class | None) -> Iterator[Subject]:
        shared = class_roots(fabric, cls)
        known: _OfFacts = {}
        if scope in PORT_SCOPES:
            asked = (port for port in self.ports(fabric) if is_asked_of(scope, port))
            yield from (self._port(scope, port, fabric, cls, known) for port in asked)
        elif scope == "host":
            for device in self._devices(fabric):
                if device.host is not None:
                    yield Subject(
                        device.name,
                        device.name,
                        fabric.name,
                        device,
                        (),
                        {"host": device.host, **shared},
                        device.first,
                        cls,
                    )
        elif scope == "device":
            for device in self._devices(fabric):
                if device.kind == "switch":
                    env = {"device": device.device, "position": self.site.positions[device.name], **shared}
                    yield Subject(device.name, device.name, fabric.name, device, (), env, device.first, cls)
        elif scope == "path":
            for port in self.ports(fabric):
                way = self.site.transit.get(port.id)
                if way is not None:
                    subject = self._port("hop", port, fabric, cls, known)
                    yield replace(subject, env={**subject.env, "path": way})
        elif scope == "fabric":
            first = fabric.devices[0].first
            yield Subject(fabric.name, fabric.name, fabric.name, None, (), shared, first, cls)

    def _port(self, scope: Scope, port: FabricPort, fabric: FabricView, cls: Class | None, known: _OfFacts) -> Subject:
        """The subject of a port; `known` is what was found for other ports of this scope, fabric and class."""
        facts = port.reading.facts
        roots = known.get(id(facts))
        if roots is None:
            roots = known[id(facts)] = {"port": facts, **class_roots(fabric, cls)}
            if scope == "hop":
                roots |= self._hop_roots("", port, fabric, cls)
        env = {
            **roots,
            "joined": port.joined,
            "device": port.device.device,
            "counters": port.counters or NOT_COMPARED,
        }
        if scope == "hop" and cls is not None:
            hop = self.site.hops.of(facts, cls)
            env["hop_counters"] = of_class(port.counters or NOT_COMPARED, hop, port.is_nic)
        elif scope == "nic":
            env |= {"nic": nic_of(port), "host": port.device.host, "app": port.application}
        return Subject(port.id, port.reading.name, fabric.name, port.device, (port,), env, port.reading.header, cls)

    def _hop_roots(self, prefix: str, port: FabricPort, fabric: FabricView, cls: Class | None) -> Mapping[str, object]:
        roots: dict[str, object] = {}
        if cls is not None:
            roots[f"{prefix}hop"] = self.site.hops.of(port.reading.facts, cls)
        if not prefix:
            cnp = cnp_at(port, fabric.classes.cnp or UNKNOWN_CLASS)
            roots["cnp"] = cnp
            roots["cnp_hop"] = self.site.hops.of(port.reading.facts, cnp)
        return roots

    @cached_property
    def links(self) -> Sequence[LinkView]:
        """The links that are meant, the end first in each that is told first."""
        found: list[LinkView] = []
        for view in self.site.links:
            if "not_data" in (view.a.roce.rank, view.b.roce.rank):
                continue
            if self._some is not None and self._some.ports.isdisjoint((view.a.id, view.b.id)):
                continue
            is_turned = self._place_of_end(view.b) < self._place_of_end(view.a)
            found.append(replace(view, a=view.b, b=view.a) if is_turned else view)
        return found

    def links_of(self, by_class: bool) -> Mapping[str, Sequence[Callable[[LinkView], Subject]]]:
        """Fabric -> class by class, what makes a subject of one of its links."""
        return {
            fabric.name: [
                partial(self._link, fabric=fabric, cls=cls, shared=class_roots(fabric, cls))
                for cls in self._classes(fabric, by_class)
            ]
            for fabric in self.site.fabrics
        }

    def _link(self, view: LinkView, fabric: FabricView, cls: Class | None, shared: Mapping[str, object]) -> Subject:
        env: dict[str, object] = {"link": view.link, **shared}
        a, b = view.a, view.b
        for prefix, port in (("a", a), ("b", b)):
            env[prefix] = port.reading.facts
            env[f"{prefix}_joined"] = port.joined
            env |= self._hop_roots(f"{prefix}_", port, fabric, cls)
        return Subject(view.id, f"{a.id} <-> {b.id}", fabric.name, a.device, (a, b), env, a.reading.header, cls)

    def _place_of_end(self, port: FabricPort) -> tuple[bool, int, str]:
        """Switches come before hosts, leaves before spines, whoever told of the link: one fault reads the same of each link."""
        return (port.is_nic, self.site.layers.get(port.device.name, LEAF), port.id)


def is_asked_of(scope: Scope, port: FabricPort) -> bool:
    """Whether rules on single ports of this scope are asked of this one."""
    return port.roce.rank != "not_data" and (scope != "nic" or port.is_nic)


UNKNOWN_CLASS = Class("none", *(unknown(Why.NOT_VISIBLE) for _ in range(5)))
"""Stands in where a fabric has no such class: whatever is asked of it is unknown."""


def class_roots(fabric: FabricView, cls: Class | None) -> Mapping[str, object]:
    """What all subjects of a fabric read alike, for one of its classes or for none."""
    return {
        "roce": cls or UNKNOWN_CLASS,
        "cnp": fabric.classes.cnp or UNKNOWN_CLASS,
        "fabric": fabric.facts,
        "fabric_counters": fabric.counters,
    }


def cnp_at(port: FabricPort, cnp: Class) -> Class:
    """The CNPs of a port: on a NIC those that it sends itself, whatever DSCP the others of the fabric use.

    Of a NIC that did not show its CNP DSCP nobody knows which class its CNPs are in. A switch port that believes nothing but the tag
    goes by their priority, where that is known.
    """
    nic = nic_of(port)
    if nic is None and port.reading.facts.trust.value == "pcp" and cnp.pcp.is_absent:
        return replace(cnp, dscp=absent(), pcp=cnp.priority)
    if nic is None or nic.cnp_dscp.is_absent:
        return cnp
    at = nic.cnp_dscp.at
    if nic.cnp_dscp.why is not None:
        return replace(cnp, dscp=unknown(nic.cnp_dscp.why, *at), pcp=unknown(nic.cnp_dscp.why, *at))
    own = frozenset({nic.cnp_dscp.get()})
    if cnp.dscp.is_known and cnp.dscp.get() == own:
        return cnp
    return replace(cnp, dscp=known(own, *at), pcp=absent(*at))


def _observed(seen: Seen) -> Subject:
    found = seen.observation
    # what is kept and told of a line, in baselines and histories too, holds no secret
    observation = replace(found, name=redact(found.name), text=redact(found.text))
    return Subject(
        id=f"{observation.kind}:{observation.name}",
        name=observation.name,
        fabric="",
        device=None,
        ports=(),
        env={"input": observation},
        header=seen.place,
        seen=seen,
    )
