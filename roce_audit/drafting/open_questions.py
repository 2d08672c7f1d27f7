"""What only people can say: unclear ports, cable lengths, files that are whole. Each as policy lines, commented out."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from roce_audit.audit import Checked
from roce_audit.drafting.yamltext import comment, literal, text
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ranges import short
from roce_audit.fabric.site import Site
from roce_audit.records import dataclass
from roce_audit.report.words import count

_MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Question:
    """Lines of the file, and the question in a few words."""

    words: str
    lines: tuple[str, ...]


def of(checked: Checked, folder: str) -> list[Question]:
    """All open questions of a site; paths are shown relative to `folder`, where the file will lie."""
    return [*_ports(checked.site), *_cables(checked.site), *_paths(checked, folder)]


def _ports(site: Site) -> Iterator[Question]:
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for fabric in site.fabrics:
        for port in fabric.ports:
            if port.roce.carries is None and port.roce.rank != "not_data":
                groups[(fabric.name, port.device.platform, port.roce.because, *port.similarity)].append(port)
    if not groups:
        return
    ports = sum(map(len, groups.values()))
    lines = ["# ports:     # it is unclear whether these carry RoCE; missing settings are no findings there"]
    for members in sorted(groups.values(), key=len, reverse=True):
        about = members[0].reading.labels.description
        said = members[0].roce.because
        lines.append(
            comment("; ".join(filter(None, (count(len(members), "port"), about and f"'{about}'", said))), "#   ")
        )
        lines += _matches(members)
    yield Question(f"{count(ports, 'unclear port')}", _cut(lines))


def _matches(members: Sequence[FabricPort]) -> Iterator[str]:
    by_device: dict[str, list[str]] = defaultdict(list)
    for port in members:
        by_device[port.device.name].append(port.reading.name)
    for device, names in by_device.items():
        for run in short(map(literal, names)):
            yield f"#   - {{match: {text(f'{literal(device)}:{run}')}, roce: false}}"


def _cables(site: Site) -> Iterator[Question]:
    open_ = [link for link in site.links if link.link.length_m.is_unknown]
    if not open_:
        return
    kinds = Counter(" - ".join(sorted((_role(link.a), _role(link.b)))) for link in open_)
    lines = [
        "# cables:    # without a length, headroom is judged against 0 m alone; these are examples, not measurements"
    ]
    for kind, number in kinds.most_common():
        ends = ", ".join(kind.split(" - "))
        lines.append(f"#   - {{between: [{ends}], length_m: 5}}   # {count(number, 'link')}")
    yield Question(f"the length of {count(len(open_), 'link')}", tuple(lines))


def _role(port: FabricPort) -> str:
    if port.is_nic:
        return "host"
    return next(
        (part for part in ("leaf", "spine", "tor") if part in port.device.name.lower()), text(literal(port.device.name))
    )


def _paths(checked: Checked, folder: str) -> Iterator[Question]:
    whole = [path for device in checked.devices for path in device.assumed_whole]
    if not whole:
        return
    lines = ["# paths:     # these look whole and are taken as whole: true says that they are, false that they are not"]
    for path in dict.fromkeys(whole):
        inside = os.path.relpath(os.path.abspath(path), folder).replace(os.sep, "/")
        lines.append(f"#   {text(inside)}: {{complete: true}}")
    yield Question(f"{count(len(lines) - 1, 'file')} taken as whole", _cut(lines))


def _cut(lines: Sequence[str]) -> tuple[str, ...]:
    if len(lines) <= _MOST_LINES:
        return tuple(lines)
    return (*lines[:_MOST_LINES], f"#   ... and {len(lines) - _MOST_LINES:,} more lines like these")
