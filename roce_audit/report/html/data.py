"""What the page's script reads: findings, devices, ports and pictures as short lists, each text once.

Locations are cut with a count; members are kept, for ports and devices find their findings by them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.engine.findings import SEVERITIES, Finding, Location, Report, Severity
from roce_audit.report.causes import Cause, causes
from roce_audit.report.drawing import PortDrawing, SiteDrawing
from roce_audit.report.html.curves import curve, shares
from roce_audit.report.html.packetpath import packet_path
from roce_audit.report.html.thresholds import thresholds
from roce_audit.report.words import clean, prose, subjects

PRIMARIES, RELATED = 8, 6
"""Locations kept of a finding."""


class Embedded:
    """The findings in the order of the page, and who is concerned by them."""

    def __init__(self, report: Report, site: SiteDrawing | None) -> None:
        self.report = report
        self.site = site
        self._ports = {port.id: i for i, port in enumerate(site.ports)} if site is not None else {}
        self.rules: dict[str, list[str]] = {}
        self.findings: list[list[object]] = []
        self.worst: dict[str, Severity] = {}
        """Port or link id -> worst open finding."""
        self.worst_device: dict[str, Severity] = {}
        for cause in causes(report):
            self._add(cause)

    def as_json(self) -> str:
        """JSON that no browser takes for markup."""
        text = json.dumps(self._plain(), separators=(",", ":"), allow_nan=False)
        return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

    def _plain(self) -> Mapping[str, object]:
        site = self.site
        return {
            "rules": self.rules,
            "findings": self.findings,
            "devices": [] if site is None else [list(map(_text, _device(d))) for d in site.devices],
            "ports": [] if site is None else [[*map(_text, _port(p)), p.line, p.drawing] for p in site.ports],
            "drawings": [] if site is None else [_pictures(drawing) for drawing in site.drawings],
        }

    def _add(self, cause: Cause) -> None:
        first = len(self.findings)
        self._append(cause.finding, None, cause.accepted)
        for finding in cause.consequences:
            self._append(finding, first, cause.accepted)

    def _append(self, finding: Finding, because: int | None, accepted: bool) -> None:
        self.rules.setdefault(finding.rule, _rule(finding))
        if finding.verdict == "fails" and not accepted:
            for member in finding.members:
                _keep_worst(self.worst, member.id, finding.severity)
                _keep_worst(self.worst_device, member.device, finding.severity)
        members = [self._ports.get(member.id, clean(member.id)) for member in finding.members]
        self.findings.append(_finding(finding, because, members))


def _rule(finding: Finding) -> list[str]:
    return [prose(finding.title), prose(finding.why), prose(finding.source), prose(finding.page)]


def _keep_worst(table: dict[str, Severity], key: str, severity: Severity) -> None:
    before = table.get(key, "none")
    if SEVERITIES.index(severity) < SEVERITIES.index(before):
        table[key] = severity


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


def _pictures(drawing: PortDrawing) -> list[list[str]]:
    """(heading, picture) of everything that can be drawn."""
    rows = [(path.name, path.steps) for path in drawing.paths]
    found = [["The path of each class through this port", packet_path(rows)]]
    for path in drawing.paths:
        if path.thresholds is not None:
            found.append([f"Buffer thresholds of class {prose(path.name)}", thresholds(path.thresholds)])
        if path.curve is not None:
            found.append([f"ECN curve of class {prose(path.name)}", curve(path.curve)])
    found.append(["Scheduling of the queues", shares(drawing.shares, drawing.share_kind)])
    return [[heading, drawn] for heading, drawn in found if drawn]
