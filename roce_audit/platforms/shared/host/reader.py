"""Reads one host: hands each document to its tool, finds out which statements are about the same NIC, and places the ports."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import lru_cache

from roce_audit.model import Device
from roce_audit.model.device import ObservationKind
from roce_audit.model.pathwords import path_words
from roce_audit.platforms.base import UNREAD_LINE, DeviceReading, no_link, unseen_device
from roce_audit.platforms.portreading import Labels, PortReading
from roce_audit.platforms.shared.host.alike import Alike, alike
from roce_audit.platforms.shared.host.collector import HOST, Collector, Nic, Subject, noticed, unread
from roce_audit.platforms.shared.host.facts import NicReading
from roce_audit.platforms.shared.host.layout import Layout, Said, layouts, unreadable
from roce_audit.platforms.shared.host.names import strangers
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.repeated import Heard, hear, heard
from roce_audit.platforms.shared.host.resolver import Resolver
from roce_audit.platforms.shared.host.settings import host_of
from roce_audit.platforms.shared.host.tools import changes
from roce_audit.platforms.unreadanswers import NOBODYS, is_about_lossless, nothing_reads
from roce_audit.text.block import PlacedParts
from roce_audit.text.comments import before_next_line
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import At, Place, known


def read_host(device: DeviceInput) -> DeviceReading:
    """Everything of one host."""
    own = Own()
    answers = tuple([heard(document, own) for document in device.documents])
    outdated = _outdated(device.documents, answers)
    if outdated:
        device = replace(device, documents=tuple([d for n, d in enumerate(device.documents) if n not in outdated]))
        answers = tuple([one for number, one in enumerate(answers) if number not in outdated])
    lines = sum([one.lines or d.text.count("\n") + 1 for one, d in zip(answers, device.documents, strict=True)])
    by_name = any(_is_named(one, document) for one, document in zip(answers, device.documents, strict=True))
    found = common(answers) if not by_name else None
    return found.placed(device, lines, own) if found is not None else read_alone(device, answers, lines)


def _outdated(documents: Sequence[Document], answers: Sequence[Heard]) -> set[int]:
    """Answers of a log behind which a command of the same tool changed what it shows, and showed it."""
    outdated: set[int] = set()
    for number, (document, one) in enumerate(zip(documents, answers, strict=True)):
        tool = one.tool[0] if one.tool is not None else None
        if tool is not None and document.text.strip() and changes(tool, document):
            earlier = zip(documents[:number], answers[:number], strict=True)
            outdated.update(n for n, (d, o) in enumerate(earlier) if o.tool == one.tool and d.path == document.path)
    return outdated


def _is_named(one: Heard, document: Document) -> bool:
    """Whether the name of a file says something of what is in it."""
    pattern = one.tool[0].named if one.tool is not None and document.command is None else ""
    return bool(pattern) and re.search(pattern, document.path) is not None


@lru_cache(maxsize=64)
def common(answers: tuple[Heard, ...]) -> Alike | None:
    """What hosts have in common whose answers are these, but for what is each host's own; None where they are read one by one."""
    if not all(one.tool is not None and not one.has_comments for one in answers):
        return None
    documents = tuple([replace(one.document, path=str(number)) for number, one in enumerate(answers)])
    return alike(read_alone(DeviceInput("", "", documents), answers, 0))


def read_alone(device: DeviceInput, answers: Sequence[Heard], lines: int) -> DeviceReading:
    """Everything of one host, of whose answers this is known."""
    collector = Collector()
    complete: dict[str, str] = {}
    read: dict[str, bool] = {}
    unread: dict[str, list[str]] = defaultdict(list)
    commented = []
    for document, one in zip(device.documents, answers, strict=True):
        hear(document, one, collector)
        read[document.path] = read.get(document.path, False) or one.tool is not None
        if one.tool is None and document.command and document.text.strip() and is_about_lossless(document.command):
            unread[document.path].append(f"`{document.command}`")
        if one.is_complete:
            complete.setdefault(document.path, "answers of the commands that show the settings")
        if one.has_comments:
            commented.append(document)
    ports = _ports(collector)
    first = device.documents[0]
    if not ports and (collector.launched is not None or collector.set_up):
        # beside a host's other answers a job or setup says only what it sets; alone it is all there is
        collector.host.environment = known(True, *((collector.launched,) if collector.launched is not None else ()))
    collector.host.values["only_environment"] = known(not ports and collector.host.environment is not None)
    host, misread = host_of(collector.host)
    for place, text in misread:
        collector.tell(place, text)
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
        unrecognised=(
            *((path, NOBODYS.format("host")) for path, known_form in read.items() if not known_form),
            *((path, nothing_reads(which)) for path, which in unread.items() if read[path]),
        ),
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
    for about, place in collector.unlinked:
        nic = collector.nics.get(resolver.name(about))
        if nic is not None:
            nic.no_link = nic.no_link or place
    names: dict[Subject, str | None] = {HOST: None}
    said: list[Said] = []
    paths: list[str] = []
    firsts: list[int] = []
    for (about, tool, number), told in collector.statements.items():
        if about not in names:
            names[about] = resolver.name(about)
        document, (texts, before, offsets) = collector.documents[number], told.outline
        said.append((names[about], tool, texts, offsets))
        paths.append(document.path)
        firsts.append(document.first_line + before)
    found = layouts(tuple(said), tuple([(name, nic.hidden) for name, nic in collector.nics.items()]))
    ports = [
        _port(layout, collector.nics.get(layout.name, Nic()), collector.tagged, paths, firsts) for layout, _ in found
    ]
    for layout, _ in found:
        nic = collector.nics.get(layout.name)
        if nic is not None and nic.no_link is not None:
            collector.seen.append(no_link(layout.name, nic.no_link, layout.name))
    if any(is_odd for _, is_odd in found):
        _observe([(port, layout.reading) for port, (layout, _) in zip(ports, found, strict=True)], collector)
    return tuple(ports)


def _port(
    layout: Layout, nic: Nic, tagged: Mapping[str, Set[int]], paths: Sequence[str], firsts: Sequence[int]
) -> PortReading:
    """The port on this host; `paths` and `firsts` say where each thing that was said begins, `tagged` the VLANs above devices."""
    aliases = tuple(alias for alias in (nic.rdma, nic.pci) if alias and alias != layout.name)
    labels = Labels(
        description=nic.description,
        vlans=frozenset().union(nic.vlans, *(tagged.get(name, ()) for name in (layout.name, nic.lag))),
        lag=nic.lag,
        aliases=aliases,
        addresses=tuple(nic.addresses),
        no_link=nic.no_link is not None,
    )
    files = [paths[number] for number in layout.said]
    is_one = files.count(files[0]) == len(files)
    parts = PlacedParts(
        layout.shapes, tuple(files[:1] if is_one else files), tuple([firsts[number] for number in layout.said])
    )
    header = parts.place(layout.header, 0)
    return PortReading(layout.name, layout.reading.port, parts, header, labels, layout.reading.family)


def _conflicts(port: PortReading, reading: NicReading) -> Iterator[tuple[list[Place], str, str]]:
    """(places, statement, what is wrong), once for each group of tools that disagree: two snapshots differ in many settings."""
    by_tools: dict[frozenset[str], list[tuple[str, list[At]]]] = defaultdict(list)
    for path, cell in reading.conflicts:
        spots = [at for at in cell.at if isinstance(at, At)]
        by_tools[frozenset(port.parts[at.part].kind for at in spots)].append((path, spots))
    for found in by_tools.values():
        path, spots = min(found, key=lambda one: one[0] != "pfc.priorities")
        places = list(dict.fromkeys(port.parts[at.part].block.place(at.index) for at in spots))
        quote = port.parts[spots[0].part].block.texts.statements[spots[0].index]
        rest = "another setting" if len(found) == 2 else f"{len(found) - 1} more settings"
        more = f"; the same tools disagree on {rest}" if len(found) > 1 else ""
        where = f"in {len(places)} places" if len(places) > 1 else "within this statement"
        setting = path if " " in path else path_words(path)
        yield places, quote, f"{setting}: different values {where}, so it is taken as unknown{more}"


def _observe(ports: list[tuple[PortReading, NicReading]], collector: Collector) -> None:
    """Unread statements and disagreements, each place once with all ports that lean on it."""
    told: dict[tuple[ObservationKind, Place], tuple[str, str, list[Place], list[str]]] = {}

    def tell(kind: ObservationKind, places: list[Place], words: str, meaning: str, name: str) -> None:
        told.setdefault((kind, places[0]), (words, meaning, places[1:], []))[-1].append(name)

    for port, reading in ports:
        for at in reading.unread:
            part = port.parts[at.part]
            kind, words, meaning = unread(part.block.texts.statements[at.index])
            tell(kind, [part.block.place(at.index)], words, meaning, port.name)
        for places, quote, meaning in _conflicts(port, reading):
            tell("conflict", places, quote, meaning, port.name)
    for port, _ in ports:
        for part in port.parts:
            for index, statement in unreadable(part.block.texts):
                tell("unread-line", [part.block.place(index)], statement, UNREAD_LINE, port.name)
    collector.seen = [s for s in collector.seen if (s.observation.kind, s.place) not in told]
    for (kind, place), (quote, meaning, others, names) in told.items():
        collector.seen.append(noticed(kind, place, quote, meaning, tuple(dict.fromkeys(names)), *others))
