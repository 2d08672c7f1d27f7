"""Observations: what was noticed beside the settings themselves, each with its line; rules of scope `input` judge them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from roce_audit.fabric.cables.links import goes_by
from roce_audit.fabric.carrying.portconfig import PortConfig, is_own, sets_up_queues
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort, of_facts_alone
from roce_audit.fabric.ports import FabricPorts
from roce_audit.fabric.ranges import short
from roce_audit.fabric.site import FabricView, Site
from roce_audit.fabric.traffic.givenpaths import hosts_at
from roce_audit.model import Observation, Port
from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import Seen
from roce_audit.platforms.portreading import facts_of
from roce_audit.policy.values import Policy
from roce_audit.text.sentences import listed
from roce_audit.values import Cell, Cited, Place, Why, known

_MOST_LINES = 6
_SEVERAL = 3
"""Similar ports that say enough of one that a part of a configuration passes over."""
_MOST_GROUPS = 6
"""Beyond these the smallest groups are put together: many ports that are similar to no other are one question, not many."""
_ROLES = frozenset({"host", "switch", "leaf", "spine", "tor"})
"""Words of `cables:` that stand for any device of a role."""
_SWITCH_ROLES = ("leaf", "spine", "tor")
_CABLED = "a neighbour"
_CONFIGURED = "settings for RoCE"


def unclear_ports(fabric: FabricView) -> Iterator[Seen]:
    """One observation per group of unclear ports that are configured alike. A fabric without any lossless element asks another question."""
    if not fabric.facts.any_lossless.value and not fabric.classes.roce:
        return
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in fabric.in_use:
        if port.roce.rank == "none" and port.left_out is None:
            groups[(port.device.platform, *port.similarity)].append(port)
    largest_first = sorted(groups.values(), key=len, reverse=True)
    cut = len(groups) if len(groups) <= _MOST_GROUPS else _MOST_GROUPS - 1
    for members in largest_first[:cut]:
        yield _unclear(members, members[0].reading.labels.description)
    if cut < len(groups):
        yield _unclear([port for members in largest_first[cut:] for port in members], "")


def left_out_devices(fabric: FabricView) -> Iterator[Seen]:
    """One observation per switch without anything lossless, where similar ports of other switches carry RoCE."""
    found: dict[str, list[FabricPort]] = defaultdict(list)
    for port in fabric.in_use:
        if port.left_out is not None and port.roce.rank == "none":
            found[port.device.name].append(port)
    for name, members in found.items():
        first = members[0].device.first
        similar = next(port.left_out for port in members if port.left_out is not None)
        ports = short([port.reading.name for port in members])
        text = (
            f"no port of {name} has a lossless setting, and {similar.because}; if {name} carries no RoCE, say so in the "
            f'policy: ports: - {{match: "{name}:*", roce: false}}'
        )
        off = next((place for port in members for place in _where_off(port)), first)
        observation = Observation(
            "device-left-out", name, text, known(True, off), known(", ".join(ports), off, *similar.at)
        )
        yield Seen(observation, off, name, tuple(port.reading.name for port in members), name)


def left_out_ports(fabric: FabricView) -> Iterator[Seen]:
    """Ports on which a part of a switch's configuration has nothing lossless while it has that on similar ones, or nothing that classifies
    packets, or no watchdog, while it binds that to others.
    """
    found: dict[str, list[FabricPort]] = defaultdict(list)
    for port in fabric.in_use:
        if port.roce.carries and not port.is_nic and port.reading.header.path not in port.device.assumed_whole:
            found[port.device.name].append(port)
    unpaused, unclassified, unwatched = [], [], []
    for members in found.values():
        lossless = Counter(port.similarity for port in members if port.roce.rank != "similar_ports")
        lossy = [
            port
            for port in members
            if port.roce.rank == "similar_ports" and lossless[port.similarity] >= _SEVERAL and _is_passed_over(port)
        ]
        unpaused += [(lossy, lossy[0].roce.because)] if lossy else []
        lacking = [port for port in members if _is_unclassified(port)]
        example = next((port for port in members if _binds_classes(port)), None) if lacking else None
        if lacking and example is None:  # a routed port believes DSCPs by itself, and tags may be meant
            lacking = [port for port in lacking if port.reading.labels.routed is False and port.reading.labels.untagged]
            example = next((port for port in members if _is_trusting(port)), None)
        unclassified += [(lacking, f"a line does on {example.reading.name}")] if lacking and example is not None else []
        watched = next((port for port in members if _is_watched(port)), None)
        forgotten = [port for port in members if watched is not None and _is_unwatched(port, watched)]
        unwatched += (
            [(forgotten, f"a line does on {watched.reading.name}")] if watched is not None and forgotten else []
        )
    yield from _by_place(unpaused, "nothing that was read makes {} lossless, and {}")
    yield from _by_place(unclassified, "nothing that was read classifies what enters {}, and {}")
    yield from _by_place(unwatched, "nothing that was read turns on the PFC watchdog of {}, and {}")


def _by_place(found: Iterable[tuple[Sequence[FabricPort], str]], words: str) -> Iterator[Seen]:
    """One observation for the ports of switches that stand at one line: tasks and templates make those of many. `words` take the ports
    and what is said of the first switch.
    """
    told: dict[Place, list[tuple[Sequence[FabricPort], str]]] = defaultdict(list)
    for ports, because in found:
        told[ports[0].reading.header].append((ports, because))
    for place, those in told.items():
        labels = [
            f"{ports[0].device.name}:{listed(short([one.reading.name for one in ports]), _MOST_LINES)}"
            for ports, _ in those
        ]
        named = listed(labels, _MOST_LINES)
        headers = dict.fromkeys(one.reading.header for ports, _ in those for one in ports)
        text = words.format(named, those[0][1])
        observation = Observation("device-left-out", named, text, known(True, place), known(labels[0], *headers))
        first = those[0][0]
        one_device = len(those) == 1
        names = [port.reading.name if one_device else port.id for ports, _ in those for port in ports]
        yield Seen(observation, place, first[0].reading.name, tuple(names), first[0].device.name if one_device else "")


def _is_unclassified(port: FabricPort) -> bool:
    """Whether PFC is on, and no line of a part says which packets are in which class."""
    facts = port.reading.facts
    cells: list[Cell[Any]] = [facts.trust]
    for table in (facts.dscp, facts.pcp):
        cells += table.get() if table.is_known else (table,)
    return _is_paused(port) and all(map(_is_unsaid, cells))


def _is_paused(port: FabricPort) -> bool:
    pfc = port.reading.facts.pfc.value_or_none()
    return pfc is not None and pfc.mode.value == "on" and bool(pfc.priorities.value)


def _is_watched(port: FabricPort) -> bool:
    """Whether a line of the port itself turns its watchdog on."""
    pfc = port.reading.facts.pfc.value_or_none()
    watchdog = pfc.watchdog.value_or_none() if pfc is not None else None
    return watchdog is not None and watchdog.on.value is True and is_own(watchdog.on, port.reading.parts)


def _is_unwatched(port: FabricPort, watched: FabricPort) -> bool:
    """Whether PFC is on, and the same text turns the watchdog on for another port and says nothing of one here."""
    is_beside = port.reading.header.path == watched.reading.header.path
    return is_beside and _is_paused(port) and _is_unsaid(port.reading.facts.pfc.get().watchdog)


def _is_unsaid(cell: Cell[Any]) -> bool:
    return cell.why is Why.NOT_VISIBLE and not cell.at


def _binds_classes(port: FabricPort) -> bool:
    """Whether a line of the port itself, or a policy that is bound to it, leads code points to classes."""
    return any(cell.is_known and is_own(cell, port.reading.parts) for cell in port.reading.facts.dscp.or_else(()))


def _is_trusting(port: FabricPort) -> bool:
    """Whether a line of the port itself has it believe code points."""
    trust = port.reading.facts.trust
    return trust.value in ("dscp", "both") and is_own(trust, port.reading.parts)


def _is_passed_over(port: FabricPort) -> bool:
    """Whether no line of a part says anything of PFC, lossless buffers or queues on a switch port, and the similar ones stand in the same
    file: who gives a port queues and no pause does not forget it.
    """
    facts, header, example = port.reading.facts, port.reading.header, next(iter(port.roce.at), None)
    mode: Cell[Any] = facts.pfc.get().mode if facts.pfc.is_known else facts.pfc
    says_group = any(is_own(group.lossless, port.reading.parts) for group in facts.groups.or_else(()))
    says_queue = sets_up_queues(facts, port.reading.parts)
    is_silent = mode.why is Why.NOT_VISIBLE and not mode.at and not says_group and not says_queue
    return is_silent and isinstance(example, Place) and example.path == header.path


def _where_off(port: FabricPort) -> Sequence[Place]:
    """The lines that turn PFC off for every priority; none where nothing speaks of it."""
    pfc = port.reading.facts.pfc
    cells = (pfc.get().mode, pfc.get().priorities) if pfc.is_known else ()
    return [place for cell in cells for place in port.places(cell.at)]


def iwarp_nodes(fabric: FabricView) -> Iterator[Seen]:
    """One observation per host whose adapters speak iWARP where the NICs of the fabric carry RoCE.

    Beside RoCE NICs of its own, a host's adapter counts only if it is of the model and speed of a RoCE NIC.
    """
    carrying = [port for port in fabric.in_use if port.is_nic and port.roce.carries]
    nodes = {port.device.name for port in carrying}
    alike = {port.similarity for port in carrying}
    found: dict[str, list[FabricPort]] = defaultdict(list)
    for port in fabric.in_use if carrying else ():
        nic, kind = nic_of(port), port.reading.facts.kind
        if kind.or_else("other") != "iwarp" or not port.reading.facts.admin_up.or_else(True):
            continue
        way_out = nic is not None and nic.default_route.or_else(False)
        said = ("host", "ethernet", *port.similarity[2:])
        if not way_out and (port.device.name not in nodes or said in alike):
            found[port.device.name].append(port)
    for name, members in found.items():
        names = [port.reading.name for port in members]
        verb = "speaks" if len(names) == 1 else "speak"
        text = (
            f"{', '.join(names)} of {name} {verb} iWARP, and the NICs of the fabric carry RoCE, such as {carrying[0].id}: the two "
            "do not talk to each other"
        )
        lines = members[0].places(members[0].reading.facts.kind.at) or (members[0].reading.header,)
        observation = Observation("iwarp", name, text, known(True, lines[0]), known(names[0], *lines))
        yield Seen(observation, lines[0], names[0], tuple(names), name)


def _unclear(members: Sequence[FabricPort], about: str) -> Seen:
    by_device: dict[str, list[str]] = defaultdict(list)
    for port in members:
        by_device[port.device.name].append(port.reading.name)
    lines = [
        f'- {{match: "{device}:{run}", roce: false}}' for device, names in by_device.items() for run in short(names)
    ]
    first = members[0]
    named = f" ('{about}')" if about else ""
    runs = {device: listed(short(ports), _MOST_LINES, between=",") for device, ports in by_device.items()}
    names = ", ".join([f"{device}:{ports}" for device, ports in runs.items()][:3])
    others = len(by_device) - 3
    more = f" and {others} more device{'s' if others > 1 else ''}" if others > 0 else ""
    text = (
        f"it is unclear whether {names}{more}{named} {'carries' if len(members) == 1 else 'carry'} RoCE, so missing settings "
        f"are no findings there; decide it in the policy, e.g. ports: {' '.join(lines[:_MOST_LINES])}"
    )
    place = first.reading.header
    observation = Observation(
        "roce-undecided", names + more, text, known(False, place), known(first.reading.name, place)
    )
    device = first.device.name if len(by_device) == 1 else ""
    ports = tuple(port.reading.name if device else port.id for port in members)
    return Seen(observation, place, first.reading.name, ports, device)


def conflicting_ports(ports: Iterable[FabricPort]) -> Iterable[Observation]:
    """Ports whose own configuration contradicts a hint: one observation per device."""
    by_device: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.roce.rank == "conflict":
            by_device[port.device.name].append(port)
    for name, members in by_device.items():
        first = members[0]
        places = first.places(first.roce.at) or (first.reading.header,)
        names = ", ".join(short(port.reading.name for port in members))
        text = f"{first.roce.because}; so it is unclear whether RoCE is meant to run there"
        yield Observation(
            "scope-conflict", f"{name}: {names}", text, known(False, places[0]), known(first.roce.because, *places)
        )


def ports_down_by_default(ports: FabricPorts) -> Iterator[Observation]:
    """A port that somebody shut says so in a line and is silent here; settings alone may be a template's, so they are a hint."""
    config = PortConfig()
    found: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    some = any(_is_down_by_default(alike[0].reading.facts) for alike in ports.alike)
    for port in ports.active if some else ():
        if _is_down_by_default(port.reading.facts):
            meant = _meant(port, config)
            if meant:
                found[port.device.name, meant].append(port)
    for (device, meant), members in found.items():
        first = members[0]
        names, single = ", ".join(short(port.reading.name for port in members)), len(members) == 1
        text = (
            f"nothing turns {'the port' if single else 'the ports'} up, and the default is down ({_default(first)}), "
            f"but {'it has' if single else 'they have'} {meant}; a port that is down is not checked"
        )
        places = [port.reading.header for port in members]
        kind: ObservationKind = "conflict" if meant == _CABLED else "scope-conflict"
        yield Observation(
            kind, f"{device}: {names}", text, known(meant == _CABLED, places[0]), known(first.reading.name, *places)
        )


@of_facts_alone
def _is_down_by_default(facts: Port) -> bool:
    up = facts.admin_up
    if not up.is_known or up.get() or facts.is_nic or facts.kind.or_else("other") != "ethernet":
        return False
    return all(isinstance(at, Cited) for at in up.at)


def _default(port: FabricPort) -> str:
    return next((str(getattr(at, "source", at)) for at in port.reading.facts.admin_up.at), "documented")


def _meant(port: FabricPort, config: PortConfig) -> str:
    if port.peer is not None or port.has_neighbour:
        return _CABLED
    said = config.of(port)
    return _CONFIGURED if said is not None and said.carries else ""


def unused_entries(policy: Policy, site: Site, roles: Mapping[str, str], unused_paths: Iterable[str]) -> Iterator[Seen]:
    """One observation per entry of ports, fabrics, maintenance, cables, far ends, paths, path file that matches nothing.

    Of cables it is one with an end that nothing here goes by. Role words are no names, and where no host was read one of the two
    ends may be a host.
    """
    read = [device for fabric in site.fabrics for device in fabric.devices]
    devices = {device.name for device in read}
    for entry in policy.ports:
        named = (
            (device.name, (port.name, *port.labels.aliases), port.labels.description)
            for device in read
            for port in device.ports
        )
        if not any(entry.covers(*one) for one in named):
            yield _unused(entry.at, "this ports: entry matches no port")
    for fabric in policy.fabrics:
        if not any(fabric.has(name) for name in devices):
            yield _unused(fabric.at, f"fabric {fabric.name} has no device in these files")
    for place in policy.maintenance:
        if not any(policy.in_maintenance(name) is place for name in devices):
            yield _unused(place.at, "this maintenance: entry matches no device")
    texts = {port.labels.description for device in read for port in device.ports} if policy.far_ends else ()
    for form in policy.far_ends:
        if not any(form.read(text) for text in texts):
            yield _unused(form.at, "no description of a port has this form of far_ends:")
    yield from _unused_cables(policy, site, roles)
    unused = set(unused_paths)
    for path in policy.paths:
        if path.pattern in unused:
            yield _unused(path.at, "this paths: entry matches no file")
    given = site.ways.given
    for at, clause in given.unused(site.ways.routes, hosts_at(site.links)) if given else ():
        yield _unused(at, clause)


def _unused_cables(policy: Policy, site: Site, roles: Mapping[str, str]) -> Iterator[Seen]:
    if not policy.cables:
        return
    read = [device for fabric in site.fabrics for device in fabric.devices]
    kinds = {(device.name, facts.is_nic) for device in read for facts in facts_of(device.ports)}
    ends = {name for device, is_nic in kinds for name in goes_by(device, roles, is_nic=is_nic)}
    cabled = {port.device.name for view in site.links for port in (view.a, view.b) if not port.is_nic}
    without_role = sorted(name for name in cabled if goes_by(name, roles, is_nic=False) == (name, "switch"))
    for cable in policy.cables:
        strangers = cable.strangers(ends | _ROLES)
        if len(strangers) > (0 if any(is_nic for _, is_nic in kinds) else 1):
            words = " or ".join(dict.fromkeys(strangers))
            yield _unused(cable.at, f"this cables: entry matches no cable: no device or role here is called {words}")
        elif without_role and (words := " or ".join(one for one in _SWITCH_ROLES if one in cable.strangers(ends))):
            why = f"nothing says which of {listed(without_role, _MOST_LINES)} is a {words}: give roles in the topology file, or names here"
            yield _unused(cable.at, f"this cables: entry matches no cable: {why}")


def _unused(place: Place, text: str) -> Seen:
    name = f"{place.path}:{place.line}"
    return Seen(Observation("policy-entry-unused", name, text, known(False, place), known(name, place)), place, "")


def moved_values(site: Site, before: Mapping[str, str]) -> Iterator[Seen]:
    """One observation for every value that a majority decides otherwise now, at the fabric's first device."""
    now = {name: (value, fabric) for name, value, fabric in inferred_values(site)}
    for name, old in before.items():
        found = now.get(name)
        if found is None or found[0] == old:
            continue
        view = next(view for view in site.fabrics if view.name == found[1])
        place = view.devices[0].first
        text = (
            f"{name} of fabric {view.name} was {old} in the last run, and most devices say {found[0]} now: everything is "
            "judged by the new value; write it into the policy (classes:) if it is meant"
        )
        yield Seen(Observation("inferred-moved", name, text, known(True, place), known(found[0], place)), place, "")


def inferred_values(site: Site) -> Iterator[tuple[str, str, str]]:
    """(name, value as text, fabric) of what majorities decided; the largest fabric has the plain names."""
    used: set[str] = set()
    for fabric in sorted(site.fabrics, key=lambda view: -len(view.devices)):
        for value in fabric.classes.inferred:
            name = value.key if value.key not in used else f"{value.key}@{fabric.name}"
            used.add(name)
            yield name, _text(value.value), fabric.name


def _text(value: object) -> str:
    if isinstance(value, frozenset | set | list | tuple):
        return ", ".join(map(str, sorted(value, key=str)))
    return str(value)
