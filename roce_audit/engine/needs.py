"""Needs: unknowns counted by the input that would settle them, not by rule and port."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from roce_audit.engine.findings import Need
from roce_audit.engine.placing import Evidence
from roce_audit.engine.subjects import Subject
from roce_audit.values import Why

_CLASSES = ("roce", "cnp")
PlatformNeeds = Mapping[str, Mapping[str, str]]
"""Platform -> model path pattern -> the command or input that would show it."""


@dataclass(slots=True)
class _Count:
    judgements: int = 0
    devices: set[str] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)


class Needs:
    """Collects the missing inputs of a run."""

    def __init__(self, platforms: PlatformNeeds) -> None:
        self.platforms = platforms
        self._counts: dict[tuple[str, str, str], _Count] = defaultdict(_Count)

    def of(self, subject: Subject, found: list[Evidence], note: str) -> tuple[str, str]:
        """(why the verdict is unknown, the input that would settle it), counted."""
        unknown = [item for item in found if item.cell is None or item.cell.is_unknown]
        # a class that nobody defined darkens every step of its way: the class is what is missing
        dark = next((item for item in unknown if item.path[0] in _CLASSES), next(iter(unknown), None))
        why, what, how = self._name(subject, dark, note)
        count = self._counts[(what, how, why)]
        count.judgements += 1
        count.subjects.add(subject.id)
        if subject.device is not None:
            count.devices.add(subject.device.name)
        return why, what

    def _name(self, subject: Subject, dark: Evidence | None, note: str) -> tuple[str, str, str]:
        device = subject.device.name if subject.device is not None else "the fabric"
        if dark is None or dark.cell is None:
            return note or "unknown", note or "more input", "see the message"
        reason = dark.cell.why or Why.NOT_VISIBLE
        root, *steps = (str(step) for step in dark.path)
        path = ".".join("*" if step.isdigit() else step for step in steps)
        if reason is Why.NOT_PARSED and dark.places:
            place = dark.places[0]
            return str(reason), f"line {place.path}:{place.line} not understood", "see input/unread-line"
        if reason is Why.UNDEFINED and dark.places:
            place = dark.places[0]
            return (
                str(reason),
                f"the definition of the name in {place.path}:{place.line}",
                "see input/undefined-or-unapplied",
            )
        if root in ("joined", "a_joined", "b_joined", "link") and path.endswith("length_m"):
            return str(reason), "cable lengths", "policy cables:, or length_m in the topology file"
        if root in _CLASSES:
            return (
                str(reason),
                f"the {root} class's {path} of fabric {subject.fabric}",
                "policy classes: (or roce:, cnp:)",
            )
        if reason is Why.CONFLICT:
            return str(reason), f"{path} of {device} (sources disagree)", "see input findings"
        if reason is Why.REFUSED:
            return (
                str(reason),
                f"{path} of {device} (command refused or tool missing)",
                self._command(subject, root, path),
            )
        command = self._command(subject, root, path)
        if reason is Why.NOT_VISIBLE:
            return str(reason), f"{_FAMILY.get(path.partition('.')[0], path)} of {device}", command
        return str(reason), f"{path or root} of {device}", command

    def _command(self, subject: Subject, root: str, path: str) -> str:
        platform = subject.device.platform if subject.device is not None else ""
        table = self.platforms.get(platform, {})
        prefix = {"nic": "nic.", "hop": "", "cnp_hop": ""}.get(root, "")
        wanted = prefix + HOP_STEPS.get(path.partition(".")[0], path) if root.endswith("hop") else prefix + path
        best = max((key for key in table if wanted == key or wanted.startswith(key + ".")), key=len, default=None)
        if best is None:
            best = max(
                (key for key in table if wanted.partition(".")[0] == key.partition(".")[0]), key=len, default=None
            )
        return table[best] if best is not None else "the complete configuration (policy paths: complete: true if it is)"

    def listed(self) -> tuple[Need, ...]:
        """All needs, the one that settles most first."""
        rows = [
            Need(
                what if len(c.subjects) < 2 or what.startswith("line ") else f"{what} ({len(c.subjects)} subjects)",
                c.judgements,
                how,
                len(c.devices),
            )
            for (what, how, _), c in self._counts.items()
        ]
        return tuple(sorted(rows, key=lambda need: (-need.judgements, need.input)))


def _counted(what: str, count: _Count) -> str:
    if what == "cable lengths":
        return f"cable length of {len(count.subjects)} ports or links"
    return what


HOP_STEPS = {
    "queue": "queues",
    "group": "groups",
    "traffic_class": "classes",
    "dscp_classes": "dscp",
    "pfc_on": "pfc",
    "pfc_priority": "priorities",
    "group_priorities": "priorities",
    "sharers": "classes",
}
_FAMILY = {"pfc_on": "PFC state", "dscp_classes": "classification", "traffic_class": "classification"}
