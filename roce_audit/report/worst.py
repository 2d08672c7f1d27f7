"""The worst failure of each port, link and device that nobody accepted: what is listed first, and how drawings are coloured."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.engine.findings import SEVERITIES, Report, Severity
from roce_audit.records import dataclass
from roce_audit.report.causes import causes


@dataclass(frozen=True, slots=True)
class Worst:
    """Where something fails -> how severe the worst of it is."""

    places: Mapping[str, Severity]
    """By the id of a port or link."""
    devices: Mapping[str, Severity]

    @staticmethod
    def of(report: Report) -> Worst:
        """Of a report: of causes and of what follows from them."""
        places: dict[str, Severity] = {}
        devices: dict[str, Severity] = {}
        for cause in causes(report):
            for finding in () if cause.accepted else (cause.finding, *cause.consequences):
                for member in finding.members if finding.verdict == "fails" else ():
                    _keep(places, member.id, finding.severity)
                    _keep(devices, member.device, finding.severity)
        return Worst(places, devices)

    def ends(self) -> Mapping[str, Severity]:
        """Port id -> the worst failure of the port or of its link."""
        found: dict[str, Severity] = {}
        for place, severity in self.places.items():
            for end in place.split(" <-> "):
                _keep(found, end, severity)
        return found


def rank(severity: Severity) -> int:
    """0 for the worst."""
    return SEVERITIES.index(severity)


def _keep(table: dict[str, Severity], key: str, severity: Severity) -> None:
    if rank(severity) < rank(table.get(key, "none")):
        table[key] = severity
