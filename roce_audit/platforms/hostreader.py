"""Reads one host: hands each document to its tool, finds out which statements are about the same NIC, and places the ports."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from roce_audit.model import Device, Observation
from roce_audit.platforms.base import DeviceReading, Labels, PortReading, Seen, unseen_device
from roce_audit.platforms.hostfacts import GIDS, NicReading, read_nic
from roce_audit.platforms.hostsettings import HostFacts, host_of
from roce_audit.platforms.hosttools import HOST, REFUSED, UNNAMED, UNREADABLE, Answer, Subject, Tool, by_name, tool_for
from roce_audit.text.block import Part, block
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import At, Place, known

FAILED = re.compile(
    r"\A\s*(?:@@ S |Attribute (?:read|not found): |netlink error: |Cannot (?:find|get) device|Object \"[^\"\n]{1,40}\" is unknown"
    r"|-E- |Device \"?[^\"\n]{1,60}\"? does not exist|RTNETLINK answers: |[^\n]{0,80}: (?:command )?not found\s*\Z"
    r"|[^\n{\[]{0,120}(?:No such (?:device|file or directory)|Operation not (?:supported|permitted)|Permission denied)\s*\Z)"
)
_QUOTE = 200
_VARIABLE_PREFIX = re.compile(r"(?:NCCL|RCCL|UCX|NVSHMEM|ROCSHMEM|GLOO|FI|OMPI_MCA|MORI|DEEPEP)_[A-Za-z0-9_]{1,80}")


@dataclass
class Nic:
    """What is known of a network device's identity; no part of its facts."""

    rdma: str = ""
    pci: str = ""
    lag: str = ""
    representor: bool = False
    hidden: bool = False
    """A software device (loopback, bridge, container): no port unless some NIC tool speaks of it."""
    addresses: list[str] = field(default_factory=list)
    vlans: set[int] = field(default_factory=set)
    description: str = ""


class Collector:
    """One host being read."""

    def __init__(self) -> None:
        self.statements: dict[tuple[Subject, str, int], list[tuple[int, str]]] = {}
        self.documents: dict[int, Document] = {}
        self.nics: dict[str, Nic] = {}
        self.rdma_netdev: dict[str, str] = {}
        self.host = HostFacts()
        self.seen: list[Seen] = []
        self.identified: set[str] = set()
        """RDMA devices that a file was seen of."""
        self.boot_files: dict[str, Any] = {}
        """Path -> where its reader is; boot files come line by line."""
        self.relevant = 0

    def add(self, about: Subject, tool: str, document: Document, line: int, statement: str) -> None:
        """A statement that tool `tool` read in a document."""
        self.documents[id(document)] = document
        self.statements.setdefault((about, tool, id(document)), []).append((line, statement))
        self.relevant += 1

    def unread(self, document: Document, line: int, text: str) -> None:
        """A relevant line that was not understood and concerns no NIC that could be named."""
        self.relevant += 1
        self.seen.append(_seen("unread-line", Place(document.path, line), text, _UNREAD, ()))

    def nic(self, name: str) -> Nic:
        """The identity of a network device."""
        return self.nics.setdefault(name, Nic())

    def is_rdma(self, device: str, netdev: str) -> None:
        """An RDMA device belongs to a network device; the first answer counts."""
        self.rdma_netdev.setdefault(device, netdev)
        nic = self.nic(netdev)
        nic.rdma = nic.rdma or device

    def at_pci(self, netdev: str, address: str) -> None:
        """A network device sits at a PCI address; the first answer counts."""
        nic = self.nic(netdev)
        nic.pci = nic.pci or address.lower()

    def variable(self, name: str, value: str, place: Place, rank: int) -> None:
        """An environment variable; a higher rank wins, then the first."""
        if not _VARIABLE_PREFIX.fullmatch(name):
            return
        have = self.host.variables.get(name)
        if have is None or rank > have[0]:
            self.host.variables[name] = (rank, known(value, place))


_UNREAD = "this line concerns lossless settings and was not understood; what it sets is taken as unknown"


def _seen(kind: str, place: Place, text: str, meaning: str, ports: tuple[str, ...]) -> Seen:
    quote = text[:_QUOTE]
    observation = Observation(
        kind=kind,  # type: ignore[arg-type]
        name=quote,
        text=meaning,
        relied_on=known(bool(ports), place),
        at=known(quote, place),
    )
    return Seen(observation, place, quote, ports)


def read_host(device: DeviceInput, platform: str) -> DeviceReading:
    """Everything of one host."""
    collector = Collector()
    complete: dict[str, str] = {}
    lines = 0
    for document in device.documents:
        lines += document.text.count("\n") + 1
        found = tool_for(document)
        if found is not None:
            _hand_over(document, *found, collector)
            if not document.truncated and document.command is not None and document.exit_status in (None, 0):
                complete.setdefault(document.path, "answers of the commands that show the settings")
    ports = _ports(collector)
    host, misread = host_of(collector.host)
    collector.seen.extend(_seen("unread-line", place, text, _UNREAD, ()) for place, text in misread)
    first = device.documents[0]
    return DeviceReading(
        name=device.name,
        platform=platform,
        kind="host",
        device=Device(**unseen_device()),
        device_parts=(),
        ports=ports,
        first=Place(first.path, first.first_line),
        host=host,
        seen=tuple(collector.seen),
        complete_because=complete,
        lines=lines,
        lines_relevant=collector.relevant,
    )


def _hand_over(document: Document, tool: Tool, subject: Subject | None, collector: Collector) -> None:
    answer = Answer(document, tool, subject, collector)
    silent = document.exit_status is None and not document.text.strip()
    failed = silent or document.exit_status not in (None, 0) or FAILED.match(document.text[:400]) is not None
    if failed and tool.covers:
        first = next(
            (text for _, text in answer.lines()), "no answer" if silent else f"exit status {document.exit_status}"
        )
        line = next((number for number, _ in answer.lines()), document.first_line)
        if document.exit_status == 127:
            first = "the host has no such tool"
        answer.say(REFUSED + first.strip()[:_QUOTE], line, subject or HOST)
    readable = not failed or (tool.partial and document.exit_status != 127 and not FAILED.match(document.text[:400]))
    if readable and tool.split is not None:
        tool.split(answer)


def _pci_of_name(name: str) -> str:
    """`enp59s0f1np1` sits at 0000:3b:00.1 (systemd.net-naming-scheme: bus and slot are decimal in the name)."""
    found = re.fullmatch(r"en(?:P(\d+))?p(\d+)s(\d+)(?:f(\d+))?(?:np\d+)?", name)
    if found is None:
        return ""
    domain, bus, slot, function = (int(g or 0) for g in found.groups())
    return f"{domain:04x}:{bus:02x}:{slot:02x}.{function:x}"


class _Resolver:
    """Which network device a statement's subject is."""

    def __init__(self, collector: Collector) -> None:
        self.collector = collector
        self.by_pci: dict[str, str] = {}
        for name, nic in collector.nics.items():
            if not nic.pci:
                nic.pci = _pci_of_name(name)
            if nic.pci and not nic.representor and not nic.hidden:
                self.by_pci.setdefault(nic.pci, name)
        self._place_lonely_card()
        self._place_lonely_device()

    def _place_lonely_device(self) -> None:
        """The only RDMA device of a host is that of its only RDMA NIC; an answer without a name is that NIC's as well."""
        tools = by_name()
        told = {
            about[1] for about, tool, _ in self.collector.statements if about[0] == "net" and tools[tool].of_rdma_nic
        }
        devices = {about[1] for about, _, _ in self.collector.statements if about[0] == "rdma"}
        if len(told) == 1 and len(devices) == 1 and not self.collector.rdma_netdev:
            self.collector.is_rdma(devices.pop(), told.pop())
        named = [n for n, nic in self.collector.nics.items() if n != UNNAMED[1] and not (nic.hidden or nic.representor)]
        self.nameless = named[0] if len(named) == 1 else UNNAMED[1]

    def _place_lonely_card(self) -> None:
        """Firmware settings of the only card of a host are those of its only NICs, function by function."""
        wanted = {about[1] for about, _, _ in self.collector.statements if about[0] == "pci"} - set(self.by_pci)
        homeless = [
            n for n, nic in self.collector.nics.items() if not nic.pci and not nic.hidden and not nic.representor
        ]
        bases = {address.rpartition(".")[0] for address in wanted}
        stems = {re.sub(r"(?:f\d+)?(?:np\d+)?$", "", name) for name in homeless}
        if len(bases) != 1 or len(stems) != 1 or self.by_pci:
            return
        base = bases.pop()
        for name in homeless:
            found = re.search(r"np?(\d+)$", name) or re.search(r"f(\d+)$", name)
            function = int(found.group(1)) if found else 0
            if len(homeless) == 1 or found:
                address = f"{base}.{function if len(homeless) > 1 else _lowest(wanted)}"
                self.collector.nics[name].pci = address
                self.by_pci[address] = name

    def name(self, about: Subject) -> str:
        """The name of the port that a subject is."""
        kind, name = about
        if kind == "rdma":
            return self.collector.rdma_netdev.get(name, name)
        if kind == "pci":
            return self.by_pci.get(name, name)
        return self.nameless if about == UNNAMED else name


def _lowest(addresses: set[str]) -> str:
    return min(address.rpartition(".")[2] for address in addresses)


def _ports(collector: Collector) -> tuple[PortReading, ...]:
    for about, _, _ in list(collector.statements):
        if about[0] == "net":
            collector.nic(about[1])
    resolver = _Resolver(collector)
    device_parts: list[Part] = []
    own: dict[str, list[Part]] = defaultdict(list)
    for (about, tool, document), lines in collector.statements.items():
        numbers = tuple(number for number, _ in lines)
        found = block(collector.documents[document].path, min(numbers), tuple(s for _, s in lines), numbers)
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
            and all(p.kind == "mlxconfig" for p in parts)
            and _is_spare(name, own)
        ):
            continue
        ordered = sorted((*device_parts, *parts), key=lambda p: p.kind == GIDS)
        ports.append(_port(name, nic, tuple(ordered), min(parts, key=_rank).block.place(0)))
    _observe(ports, collector)
    return tuple([port for port, _ in ports])


_HEADERS = ("ip link", "mlnx_qos", "rdma link")


def _rank(part: Part) -> int:
    """Which part introduces a port best: an absence is shown at its first line."""
    return _HEADERS.index(part.kind) if part.kind in _HEADERS else len(_HEADERS)


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
    )
    return PortReading(name, reading.port, parts, header, labels), reading


_NOTES = {
    "_tsa": "the scheduling of traffic class",
    "_bandwidth": "the share of traffic class",
    "_dscp2prio": "the priority of DSCP",
    "_np": "whether CNPs are sent for priority",
    "_rp": "whether CNPs are obeyed for priority",
}


def _called(path: str) -> str:
    """A path as people say it: notes between tools have no name in the model."""
    note, _, number = path.partition(".")
    return f"{_NOTES[note]} {number}" if note in _NOTES else path.lstrip("_")


def _observe(ports: list[tuple[PortReading, NicReading]], collector: Collector) -> None:
    """Unread statements and disagreements, each place once with all ports that lean on it."""
    told: dict[tuple[str, Place], tuple[str, str, list[str]]] = {}
    for port, reading in ports:
        for at in reading.unread:
            part = port.parts[at.part]
            entry = told.setdefault(
                ("unread-line", part.block.place(at.index)), (part.block.texts.statements[at.index], _UNREAD, [])
            )
            entry[2].append(port.name)
        for path, cell in reading.conflicts:
            spots = [at for at in cell.at if isinstance(at, At)]
            places = [port.parts[at.part].block.place(at.index) for at in spots]
            quote = port.parts[spots[0].part].block.texts.statements[spots[0].index]
            others = ", ".join(f"{p.path}:{p.line}" for p in places[1:] if p != places[0])
            meaning = f"{_called(path)} is said differently in {others}: it is taken as unknown"
            told.setdefault(("conflict", places[0]), (quote, meaning, []))[2].append(port.name)
    for port, _ in ports:
        for part in port.parts:
            for index, statement in enumerate(part.block.texts.statements):
                if statement.startswith(UNREADABLE):
                    told.setdefault(
                        ("unread-line", part.block.place(index)), (statement.removeprefix(UNREADABLE), _UNREAD, [])
                    )[2].append(port.name)
    collector.seen = [s for s in collector.seen if (s.observation.kind, s.place) not in told]
    for (kind, place), (quote, meaning, names) in told.items():
        collector.seen.append(_seen(kind, place, quote, meaning, tuple(dict.fromkeys(names))))
