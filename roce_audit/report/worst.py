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
    ends: Mapping[str, Severity]
    """By the id of a port: of the port or of its link."""
    devices: Mapping[str, Severity]

    @staticmethod
    def of(report: Report) -> Worst:
        """Of a report: of causes and of what follows from them."""
        places: dict[str, Severity] = {}
        devices: dict[str, Severity] = {}
        standing = [cause for cause in causes(report) if not cause.accepted]
        findings = [finding for cause in standing for finding in (cause.finding, *cause.consequences)]
        failing = [finding for finding in findings if finding.verdict == "fails" and finding.severity != "none"]
        for finding in sorted(failing, key=lambda one: rank(one.severity)):  # what is there already is as bad or worse
            for member in finding.members:
                places.setdefault(member.id, finding.severity)
                devices.setdefault(member.device, finding.severity)
        ends: dict[str, Severity] = {}
        for place, severity in places.items():
            for end in place.split(" <-> "):
                ends.setdefault(end, severity)
        return Worst(places, ends, devices)


def rank(severity: Severity) -> int:
    """0 for the worst."""
    return SEVERITIES.index(severity)
