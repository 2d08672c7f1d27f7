"""What the page's script reads: findings, devices, ports and pictures as short lists, each picture once.

Locations are cut with a count; members are kept, for ports and devices find their findings by them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from roce_audit.engine.findings import Finding, Location, Report
from roce_audit.report.causes import Cause, causes
from roce_audit.report.drawing import PortDrawing, SiteDrawing
from roce_audit.report.html.curves import curve, shares
from roce_audit.report.html.packetpath import packet_path
from roce_audit.report.html.thresholds import thresholds
from roce_audit.report.words import clean, prose, reach_words, subjects
from roce_audit.report.worst import Worst, rank

PRIMARIES, RELATED = 8, 6
"""Locations kept of a finding."""
MOST_DRAWN = 4_000_000
"""Characters of pictures of ports after which no further one is drawn. The worst ports come first."""
LARGEST = 8_500_000
"""Characters of all lists that a page wants to stay below: the longer the others, the less room for pictures."""
_NOT_DRAWN = -1


class Embedded:
    """The findings in the order of the page, and who is concerned by them."""

    def __init__(self, report: Report, site: SiteDrawing | None) -> None:
        self.report = report
        self.site = site if site is not None else SiteDrawing((), (), ())
        self.rules: dict[str, list[str]] = {}
        self.findings: list[list[object]] = []
        self._ports = {port.id: i for i, port in enumerate(self.site.ports)}
        for cause in causes(report):
            self._add(cause)

    def as_json(self) -> str:
        """JSON that no browser takes for markup."""
        site = self.site
        lists = {
            "rules": _written(self.rules),
            "findings": _written(self.findings),
            "devices": _written([[*map(_text, _device(d)), d.ports] for d in site.devices]),
            "ports": _written([[*map(_text, _port(p)), p.line] for p in site.ports]),
        }
        room = min(MOST_DRAWN, LARGEST - sum(map(len, lists.values())))
        lists |= {name: _written(value) for name, value in self._drawn(site, room).items()}
        return "{" + ",".join(f'"{name}":{text}' for name, text in lists.items()) + "}"

    def _drawn(self, site: SiteDrawing, room: int) -> Mapping[str, object]:
        """Pictures of so many characters, those of the worst ports, and which port has which."""
        pictures: dict[str, int] = {}
        artist = _Artist()
        drawings: dict[int | None, int | None] = {None: None}
        drawn: list[list[tuple[str, int]]] = []
        worst = Worst.of(self.report).ends
        for port in sorted(site.ports, key=lambda port: rank(worst.get(port.id, "none"))):
            if port.drawing is None or port.drawing in drawings:
                continue
            if room <= 0:
                drawings[port.drawing] = _NOT_DRAWN
                continue
            drawings[port.drawing] = len(drawn)
            told = artist.pictures(site.drawings[port.drawing])
            room -= sum(len(_written(text)) for _, text in told if text not in pictures)
            drawn.append([(heading, pictures.setdefault(text, len(pictures))) for heading, text in told])
        return {
            "drawing_of": [drawings[port.drawing] for port in site.ports],
            "drawings": drawn,
            "pictures": list(pictures),
        }

    def _add(self, cause: Cause) -> None:
        first = len(self.findings)
        self._append(cause.finding, None)
        for finding in cause.consequences:
            self._append(finding, first)

    def _append(self, finding: Finding, because: int | None) -> None:
        self.rules.setdefault(finding.rule, _rule(finding))
        members = dict.fromkeys(one for member in finding.members for one in self._member(member.id))
        self.findings.append(_finding(finding, because, list(members)))

    def _member(self, id: str) -> Iterator[int | str]:
        """The number of a listed port, else its id; of ports that are not listed the devices."""
        ends, elsewhere = id.split(" <-> "), self.site.elsewhere
        if id in self._ports:
            yield self._ports[id]
        elif all(end in elsewhere for end in ends):
            yield from (clean(elsewhere[end]) for end in ends)
        else:
            yield clean(id)


def _written(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _rule(finding: Finding) -> list[str]:
    return [prose(finding.title), prose(finding.why), prose(finding.source), prose(finding.page)]


def _finding(finding: Finding, because: int | None, members: Sequence[int | str]) -> list[object]:
    """Fields in the order that `assets/data.js` names them; a member that is a port is the port's number."""
    unknown = finding.verdict == "unknown"
    places = [at for at in finding.locations if at.role == "primary"]
    related = [at for at in finding.locations if at.role == "related"]
    shown = [*places[:PRIMARIES], *related[:RELATED]]
    fix = finding.fix
    return [
        finding.fingerprint,
        prose(finding.rule),
        "unknown" if unknown else finding.severity,
        prose(finding.owner),
        subjects(finding),
        prose(finding.message + (f" ({finding.unknown_because})" if unknown and finding.unknown_because else "")),
        prose(finding.spread),
        _status(finding),
        because,
        [_location(at) for at in shown],
        len(places) + len(related) - len(shown),
        members,
        None if fix is None else [prose(fix.note), fix.safe, [clean(command) for command in fix.commands]],
        reach_words(finding),
    ]


def _location(at: Location) -> list[object]:
    return [clean(at.path), at.line, clean(at.text).rstrip()[:400], at.role == "primary", prose(at.note)]


def _status(finding: Finding) -> str:
    """Empty for an open finding."""
    by = finding.suppressed
    if by is not None:
        return prose(f"suppressed until {by.until}: {by.reason} ({by.path}:{by.line})")
    return "in the baseline" if finding.baselined else ""


def _device(device: object) -> Iterable[object]:
    names = ("name", "kind", "platform", "fabric", "model", "path", "complete")
    return [getattr(device, name) for name in names]


def _port(port: object) -> Sequence[object]:
    names = ("id", "device", "name", "description", "speed", "mtu", "roce", "evidence", "peer", "cable", "path")
    return [getattr(port, name) for name in names]


def _text(value: object) -> str:
    return prose(str(value))


class _Artist:
    """Draws ports. Most of what many of them show reads alike, and is drawn once."""

    def __init__(self) -> None:
        self._packet_path = cache(packet_path)
        self._curve = cache(curve)
        self._shares = cache(shares)

    def pictures(self, drawing: PortDrawing) -> list[tuple[str, str]]:
        """(heading, picture) of everything that can be drawn."""
        rows = tuple((path.name, path.steps) for path in drawing.paths)
        found = [("The path of each class through this port", self._packet_path(rows))]
        for path in drawing.paths:
            if path.thresholds is not None:
                found.append((f"Buffer thresholds of class {prose(path.name)}", thresholds(path.thresholds)))
            if path.curve is not None:
                found.append((f"ECN curve of class {prose(path.name)}", self._curve(path.curve)))
        found.append(("Scheduling of the queues", self._shares(drawing.shares, drawing.share_kind)))
        return [(heading, drawn) for heading, drawn in found if drawn]
