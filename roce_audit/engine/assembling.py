"""Assembling: from the judged site to the report: what was assumed, what was covered, what was found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from roce_audit.engine.findings import (
    Checks,
    Context,
    Coverage,
    FabricSummary,
    Finding,
    Inferred,
    MissingInput,
    UnreadLine,
)
from roce_audit.engine.judging import CORE
from roce_audit.engine.outcomes import Judged
from roce_audit.engine.rules.messages import runs
from roce_audit.fabric.cables.unreadends import unread_words
from roce_audit.fabric.classes.decided import Agreement
from roce_audit.fabric.facts import is_hostless, sets_nics_up
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import FabricView, Site
from roce_audit.fabric.traffic.cycles import MOST_ROUTED
from roce_audit.model import Class, Port
from roce_audit.platforms.base import DeviceReading, Seen
from roce_audit.text.sentences import listed
from roce_audit.values import Cell, Why

_MOST_NAMED = 3
CORE_FAMILIES = {"pfc": "pfc", "marking": "class", "ecn": "ecn", "buffer": "buffer", "mtu": "mtu"}
"""Topic -> the family name under which blindness is reported."""


def inferred(site: Site) -> Mapping[str, Inferred]:
    """Values that a majority decided, by name; of several fabrics the largest has the plain names, the others their own."""
    rows: dict[str, Inferred] = {}
    for fabric in sorted(site.fabrics, key=lambda view: -len(view.devices)):
        for value in fabric.classes.inferred:
            key = value.key if value.key not in rows else f"{value.key}@{fabric.name}"
            rows.setdefault(
                key, Inferred(value.value, round(value.support, 4), value.of, value.unit, fabric.name, value.weak)
            )
    return rows


def fabric_summaries(site: Site) -> tuple[FabricSummary, ...]:
    """One line per fabric, and the classes that were assumed in it."""
    return tuple(_summary(fabric) for fabric in site.fabrics)


def _summary(fabric: FabricView) -> FabricSummary:
    answers = Counter(_state(port) for port in fabric.in_use)
    ranks = Counter(port.roce.rank for port in fabric.in_use if port.roce.carries)
    jobs = sum(is_hostless(device) for device in fabric.devices)
    return FabricSummary(
        name=fabric.name,
        devices=len(fabric.devices) - jobs,
        roce_ports=answers["yes"],
        by_rank=dict(ranks.most_common()),
        undecided=answers["undecided"],
        not_roce=answers["no"],
        classes=tuple(_classes(fabric)),
        jobs=jobs,
    )


def _state(port: FabricPort) -> str:
    if port.roce.rank == "not_data":
        return "not_data"
    return {True: "yes", False: "no", None: "undecided"}[port.roce.carries]


def _classes(fabric: FabricView) -> Iterator[str]:
    for cls in fabric.classes.roce:
        kind = ("lossless" if cls.lossless.get() else "lossy") if cls.lossless.is_known else "lossless unknown"
        agree = _agreement(fabric.classes.agreements[cls.name], cls)
        cnp = f"   CNP {_marks(fabric.classes.cnp)}" if fabric.classes.cnp is not None else ""
        if fabric.classes.cnp is not None and fabric.classes.cnp.priority.is_known:
            cnp += f" -> priority {_numbers(fabric.classes.cnp.priority)}"
        mtu = f"   MTU {cls.mtu_bytes.value}" if cls.mtu_bytes.is_known else "   MTU unknown"
        yield f"{cls.name}: {_marks(cls)} -> priority {_numbers(cls.priority)}, {kind}{agree}{cnp}{mtu}"


def _marks(cls: Class) -> str:
    by_tag = cls.pcp.is_known and not cls.dscp.is_known
    return f"PCP {_numbers(cls.pcp)}" if by_tag else f"DSCP {_numbers(cls.dscp)}"


def _agreement(rests: Agreement, cls: Class) -> str:
    """How many devices have this very mapping, and which have not."""
    if rests.of < 2:
        return " (of one device)" if rests.of else ""
    what = "" if cls.dscp.is_known or cls.pcp.is_known else " on the priority"
    if not rests.against:
        return f" ({'both' if rests.of == 2 else f'{rests.of:,} of {rests.of:,}'} devices agree{what})"
    hosts = (
        ", all of them hosts" if rests.hosts_alone and rests.agreeing > 1 else ", a host" if rests.hosts_alone else ""
    )
    shown = listed(rests.against, _MOST_NAMED, spare_one=False)
    verb = "does" if len(rests.against) == 1 else "do"
    return f" ({rests.agreeing:,} of {rests.of:,} devices agree{what}{hosts}; {shown} {verb} not)"


def _numbers(cell: Cell[frozenset[int]]) -> str:
    return ", ".join(runs(sorted(cell.get()))) if cell.is_known else "unknown"


def checks(judged: Judged) -> Checks:
    """Rule x subject counts."""
    sizes = {True: 0, False: 0}
    for group, outcome in judged.outcomes:
        sizes[outcome.fails] += group.size
    return Checks(judged.holds, sizes[True], sizes[False], judged.not_applicable)


_INCOMPLETE = ("truncated", "snapshot-damaged", "without-configuration")
"""What is seen of inputs that do not hold all they should."""


def coverage(
    site: Site,
    devices: Sequence[DeviceReading],
    judged: Judged,
    seen: Sequence[Seen],
    needs: tuple[MissingInput, ...],
    *,
    asked: Set[str],
    context: Context,
    documents: int,
    unrecognised: tuple[tuple[str, str], ...],
    excluded: int,
    notes: tuple[str, ...],
    unreached: tuple[str, ...],
    incomplete: tuple[str, ...] = (),
) -> Coverage:
    """What was and what was not judged; `asked` are the names of the devices that were asked for."""
    devices = [device for device in devices if device.name in asked]
    ports = [port for fabric in site.fabrics for port in fabric.in_use if port.device.name in asked]
    idle = sum(len(device.ports) for device in devices) - len(ports)
    states = Counter(map(_state, ports))
    unread = {(s.place.path, s.place.line): s.quote for s in seen if s.observation.kind == "unread-line"}
    without_host = Counter(sets_nics_up(device) for device in devices if is_hostless(device))
    return Coverage(
        documents=documents,
        devices=len(devices),
        setups=without_host[True],
        jobs=without_host[False],
        ports=sum(not port.is_nic for port in ports) + idle,
        nics=sum(port.is_nic for port in ports),
        links=len(site.links),
        links_one_end=site.links_one_end,
        ports_roce={name: states[name] for name in ("yes", "no", "undecided")}
        | {"not_data": states["not_data"] + idle},
        roce_by=dict(Counter(str(port.roce.rank) for port in ports if port.roce.carries)),
        lines=sum(device.lines for device in devices),
        lines_relevant=sum(device.lines_relevant for device in devices),
        unread=tuple(UnreadLine(path, line, text) for (path, line), text in sorted(unread.items())),
        unread_more=sum(device.unread_more for device in devices),
        unreached=unreached,
        unrecognised=tuple(sorted({*unrecognised, *(row for device in devices for row in device.unrecognised)})),
        excluded=excluded,
        missing_input=needs,
        notes=(*notes, *_left_out(ports), *_without_rdma(ports), *_not_asked_of_tables(site), *_far_ends(site, asked)),
        blind=_blind(judged, seen, ports),
        incomplete=tuple(sorted({*incomplete, *(s.place.path for s in seen if s.observation.kind in _INCOMPLETE)})),
        assumed_whole=tuple(sorted(path for device in devices for path in device.assumed_whole)),
        context=context,
    )


def _far_ends(site: Site, asked: Set[str]) -> Iterator[str]:
    unread = unread_words(end for end in site.unread if end.port.device.name in asked)
    if unread:
        yield f"not read, though cables lead there: {listed(unread, _MOST_NAMED)}"


def _left_out(ports: Sequence[FabricPort]) -> Iterator[str]:
    kinds = Counter(
        str(s.reading.facts.kind.value)
        for s in ports
        if s.is_nic and s.roce.rank == "not_data" and s.reading.facts.kind.is_known
    )
    for kind, because in _LEFT_OUT.items():
        if kinds[kind]:
            yield f"{kind} ports of hosts that were left out: {kinds[kind]:,}; {because}"


_LEFT_OUT = {
    "infiniband": "InfiniBand has flow control of its own",
    "iwarp": "iWARP runs over TCP and needs no lossless class",
    "virtual-function": "their settings are those of the physical function",
    "dpu": "a BlueField in DPU mode is set up on the DPU, not on this host",
}


def _not_asked_of_tables(site: Site) -> Iterator[str]:
    """Fabrics with so many places of traffic that no table or path file is asked which ways it takes."""
    for fabric in site.fabrics if site.ways.tables.are_given or site.ways.given else ():
        names = {device.name for device in fabric.devices}
        places = sum(name in names for name in site.ways.routes.edges)
        if places > MOST_ROUTED:
            yield (
                f"fabric {fabric.name}: pause circles are looked for on all shortest ways, because routing tables and the path file "
                f"are asked of {MOST_ROUTED} switches with hosts at most, and there are {places:,}"
            )


def _without_rdma(ports: Sequence[FabricPort]) -> Iterator[str]:
    """Hosts of which it was seen that they have no RDMA device at all: why nothing was judged there."""
    bare: dict[str, bool] = {}
    for port in (s for s in ports if s.is_nic):
        nic = nic_of(port)
        bare[port.device.name] = bare.get(port.device.name, True) and nic is not None and nic.rdma_device.is_absent
    names = [name for name, has_none in bare.items() if has_none]
    if names:
        yield f"{listed(names, 3, spare_one=False)}: no RDMA device, so no RoCE there"


def _blind(judged: Judged, seen: Sequence[Seen], ports: Sequence[FabricPort]) -> tuple[tuple[str, str], ...]:
    """(document, family) where unread lines left nothing known of a core family on any RoCE port."""
    documents: dict[str, set[str]] = defaultdict(set)
    for item in seen:
        if item.observation.kind == "unread-line":
            documents[item.device].add(item.place.path)
    known: set[tuple[str, str]] = set(judged.known_of)
    not_known: set[tuple[str, str]] = set()
    for group, outcome in judged.outcomes:
        if outcome.fails or not any(port.roce.carries for port in group.example.ports):
            continue
        if CORE in outcome.rule.tags and any(why is Why.NOT_PARSED for why in outcome.whys):
            not_known |= {(device, outcome.rule.topic) for device in group.devices()}
    rows = {
        (path, CORE_FAMILIES[topic])
        for device, topic in not_known - known
        if topic in CORE_FAMILIES
        for path in documents.get(device, ())
    }
    return tuple(sorted({*rows, *_scopeless(ports, documents)}))


def _scopeless(ports: Sequence[FabricPort], documents: Mapping[str, set[str]]) -> Iterator[tuple[str, str]]:
    """(document, family) of switches without a RoCE port, where unread lines are why no port counts as one."""
    of_device: dict[str, list[FabricPort]] = {name: [] for name in documents}
    for port in ports:
        if port.device.name in of_device and port.roce.rank != "not_data":
            of_device[port.device.name].append(port)
    for name, its in of_device.items():
        if any(port.is_nic or port.roce.carries for port in its):
            continue
        unclear = [port.reading.facts for port in its if port.roce.carries is None]
        for family, is_unread in (("pfc", _pfc_is_unread), ("class", _class_is_unread)):
            if any(map(is_unread, unclear)):
                yield from ((path, family) for path in documents[name])


def _pfc_is_unread(facts: Port) -> bool:
    pfc = facts.pfc.value_or_none()
    cells: list[Cell[Any]] = [facts.pfc] if pfc is None else [pfc.mode, pfc.priorities]
    return any(cell.why is Why.NOT_PARSED for cell in cells)


def _class_is_unread(facts: Port) -> bool:
    cells: list[Cell[Any]] = [facts.dscp, facts.pcp, *facts.dscp.or_else(()), *facts.pcp.or_else(())]
    return any(cell.why is Why.NOT_PARSED for cell in cells)


def nothing_to_judge(judged: Judged, findings: Sequence[Finding]) -> tuple[str, ...]:
    """Rules that were asked of no subject."""
    failed = {finding.rule for finding in findings}
    return tuple(sorted(rule for rule, asked in judged.asked_of.items() if asked == 0 and rule not in failed))
