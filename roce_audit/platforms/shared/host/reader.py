"""Reads one host: hands each document to its tool, finds out which statements are about the same NIC, and places the ports."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache

from roce_audit.model import Device
from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import UNREAD_LINE, DeviceReading, Labels, PortReading, unseen_device
from roce_audit.platforms.shared.host import gids
from roce_audit.platforms.shared.host.answers import UNREADABLE, Tool
from roce_audit.platforms.shared.host.collector import HOST, Collector, Nic, noticed, unread
from roce_audit.platforms.shared.host.facts import NicReading, read_nic
from roce_audit.platforms.shared.host.names import strangers
from roce_audit.platforms.shared.host.repeated import hear
from roce_audit.platforms.shared.host.resolver import Resolver
from roce_audit.platforms.shared.host.settings import host_of
from roce_audit.platforms.shared.host.tools import by_name
from roce_audit.text.block import Part, Texts
from roce_audit.text.comments import before_next_line
from roce_audit.text.document import DeviceInput
from roce_audit.values import At, Place, known

_NOBODYS = "beside answers of a host, and neither called after a command that is read nor in the form of one"


def read_host(device: DeviceInput) -> DeviceReading:
    """Everything of one host."""
    collector = Collector()
    complete: dict[str, str] = {}
    lines = 0
    read: dict[str, bool] = {}
    commented = []
    for document in device.documents:
        heard = hear(document, collector)
        lines += heard.lines
        read[document.path] = read.get(document.path, False) or heard.tool is not None
        if heard.is_complete:
            complete.setdefault(document.path, "answers of the commands that show the settings")
        if heard.has_comments:
            commented.append(document)
    ports = _ports(collector)
    first = device.documents[0]
    if not ports and (collector.launched is not None or collector.set_up):
        # beside a host's other answers a job or setup says only what it sets; alone it is all there is
        collector.host.environment = known(True, *((collector.launched,) if collector.launched is not None else ()))
    collector.host.values["only_environment"] = known(not ports and collector.host.environment is not None)
    host, misread = host_of(collector.host)
    collector.seen.extend(noticed("unread-line", place, text, UNREAD_LINE) for place, text in misread)
    collector.seen.extend(strangers(collector, device.documents))
    return DeviceReading(
        name=device.name,
        platform=device.platform,
        kind="host",
        device=Device(**unseen_device()),
        device_parts=(),
        ports=ports,
        first=Place(first.path, first.first_line),
        host=host,
        seen=tuple(collector.seen),
        complete_because=complete,
        neighbours=tuple(collector.neighbours),
        macs={digits: tuple(sorted(names)) for digits, names in collector.macs.items()},
        unrecognised=tuple((path, _NOBODYS) for path, known_form in read.items() if not known_form),
        lines=lines,
        lines_relevant=collector.relevant,
        inline_suppressions=tuple(c for document in commented for c in before_next_line(document, "#")),
    )


def _ports(collector: Collector) -> tuple[PortReading, ...]:
    for about, _, _ in list(collector.statements):
        if about[0] == "net":
            collector.nic(about[1])
    resolver = Resolver(collector)
    collector.place_in_tree()
    collector.finish()
    device_parts: list[Part] = []
    own: dict[str, list[Part]] = defaultdict(list)
    for (about, tool, document), told in collector.statements.items():
        found = told.block(collector.documents[document])
        if about == HOST:
            device_parts.append(Part("device", found, tool))
        else:
            own[resolver.name(about)].append(Part("own", found, tool))
    has_netdevs = any(name in own for name in collector.nics)
    ports = []
    for name, parts in own.items():
        nic = collector.nics.get(name, Nic())
        kinds = {p.kind for p in parts if not p.kind.startswith("boot ")}
        if kinds <= _WEAK:
            continue  # a boot file or a route alone makes no NIC
        if nic.hidden and kinds <= _WEAK | {"ip link", "net files"}:
            continue
        if (
            has_netdevs
            and name not in collector.nics
            and all(_of_spare_ports(p) for p in parts)
            and _is_spare(name, own)
        ):
            continue
        general = device_parts if name in collector.nics else [p for p in device_parts if not _lists_by_name(p)]
        ordered = sorted((*general, *parts), key=lambda p: p.kind == gids.TOOL)
        ports.append(_port(name, nic, tuple(ordered), min(parts, key=_rank).block.place(0)))
    _observe(ports, collector)
    return tuple([port for port, _ in ports])


def _rank(part: Part) -> int:
    """Which part introduces a port best: an absence is shown at its first line."""
    tool = by_name().get(part.kind)
    return tool.introduces if tool is not None else Tool.introduces


def _of_spare_ports(part: Part) -> bool:
    tool = by_name().get(part.kind)
    return tool is not None and tool.of_spare_ports


def _lists_by_name(part: Part) -> bool:
    """Whether it lists RDMA devices by their network devices: of a NIC that only its vendor's tool numbers it says nothing."""
    tool = by_name().get(part.kind)
    return tool is not None and "nic.rdma_device" in tool.covers


_WEAK = frozenset({"ip route"})


def _is_spare(address: str, own: Mapping[str, list[Part]]) -> bool:
    """The second port that firmware settings mention on a card whose first port is no NIC of this host either."""
    return not address.endswith(".0") and any(name == f"{address[:-1]}0" for name in own)


def _port(name: str, nic: Nic, parts: tuple[Part, ...], header: Place) -> tuple[PortReading, NicReading]:
    reading = read_nic(parts)
    aliases = tuple(alias for alias in (nic.rdma, nic.pci) if alias and alias != name)
    labels = Labels(
        description=nic.description,
        vlans=frozenset(nic.vlans),
        lag=nic.lag,
        aliases=aliases,
        addresses=tuple(nic.addresses),
        no_link=nic.no_link,
    )
    return PortReading(name, reading.port, parts, header, labels, reading.family), reading


def _conflicts(port: PortReading, reading: NicReading) -> Iterator[tuple[Place, str, str]]:
    """(place, statement, what is wrong), once for each group of tools that disagree: two snapshots differ in many settings."""
    by_tools: dict[frozenset[str], list[tuple[str, list[At]]]] = defaultdict(list)
    for path, cell in reading.conflicts:
        spots = [at for at in cell.at if isinstance(at, At)]
        by_tools[frozenset(port.parts[at.part].kind for at in spots)].append((path, spots))
    for found in by_tools.values():
        path, spots = min(found, key=lambda one: one[0] != "pfc.priorities")
        places = [port.parts[at.part].block.place(at.index) for at in spots]
        quote = port.parts[spots[0].part].block.texts.statements[spots[0].index]
        others = ", ".join(f"{p.path}:{p.line}" for p in places[1:] if p != places[0])
        rest = "another setting" if len(found) == 2 else f"{len(found) - 1} more settings"
        more = f"; the same tools disagree on {rest}" if len(found) > 1 else ""
        where = f"is said differently in {others}" if others else "is said differently within this statement"
        yield places[0], quote, f"{path} {where}: it is taken as unknown{more}"


@lru_cache(maxsize=65_536)
def _unreadable(texts: Texts) -> tuple[tuple[int, str], ...]:
    """Index and words of the statements that say that an answer could not be read."""
    found = [(i, text) for i, text in enumerate(texts.statements) if text.startswith(UNREADABLE)]
    return tuple([(index, text.removeprefix(UNREADABLE)) for index, text in found])


def _observe(ports: list[tuple[PortReading, NicReading]], collector: Collector) -> None:
    """Unread statements and disagreements, each place once with all ports that lean on it."""
    told: dict[tuple[ObservationKind, Place], tuple[str, str, list[str]]] = {}
    for port, reading in ports:
        for at in reading.unread:
            part = port.parts[at.part]
            kind, words, meaning = unread(part.block.texts.statements[at.index])
            told.setdefault((kind, part.block.place(at.index)), (words, meaning, []))[2].append(port.name)
        for place, quote, meaning in _conflicts(port, reading):
            told.setdefault(("conflict", place), (quote, meaning, []))[2].append(port.name)
    for port, _ in ports:
        for part in port.parts:
            for index, statement in _unreadable(part.block.texts):
                told.setdefault(("unread-line", part.block.place(index)), (statement, UNREAD_LINE, []))[2].append(
                    port.name
                )
    collector.seen = [s for s in collector.seen if (s.observation.kind, s.place) not in told]
    for (kind, place), (quote, meaning, names) in told.items():
        collector.seen.append(noticed(kind, place, quote, meaning, tuple(dict.fromkeys(names))))
