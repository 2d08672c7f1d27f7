"""Needs: unknowns counted by the input that would decide them, not by rule and port."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType
from typing import Literal

from roce_audit.engine.findings import MissingInput
from roce_audit.engine.placing import Evidence
from roce_audit.engine.subjects import Subject
from roce_audit.fabric.port import FabricPort
from roce_audit.model import Class, Hop
from roce_audit.model.pathwords import path_words
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.values import Why

_CLASSES = ("roce", "cnp")
_COUNTERS = ("counters", "hop_counters", "fabric_counters")
PlatformNeeds = Mapping[str, Mapping[str, str]]
"""Platform -> model path pattern -> the command or input that would show it."""


NOT_READ = "not read"
"""What a platform says of a command whose answer this version cannot read."""
NOTHING = "nothing"
"""How it begins where there is no such command, or none whose answer was ever seen."""
_WHOLE = "the whole running-config (if the file is whole, policy paths: {complete: true})"
_WITH_VALUES = "the file as it is rendered or run, with the value in it"
_NOTHING_SHOWS = "no command is known that shows it; a statement that sets it would"
_COUNTERS_SHOWN = f"{NOTHING}: no counters of this platform are read"
_CLASSES_IN_POLICY = "policy classes: (or roce:, cnp:)"
_MTU_IN_POLICY = "policy mtu: {roce: BYTES}, or mtu of the class in classes:"


_DATASTORE = "the whole datastore"
_SPEED = "a speed statement on the port, or the answer that shows the speed of the link"


@dataclass(frozen=True, slots=True)
class Missing:
    """A missing input. `of` says what it is missing of: "" where the words say it already."""

    words: str
    how: str
    of: str = ""
    root: str = field(default="", compare=False)
    """The root of the expression that it is missing at: of a link, which end did not show it."""


@dataclass(slots=True)
class _Count:
    checks: int = 0
    devices: set[str] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)


class Needs:
    """Collects the missing inputs of a run."""

    def __init__(self, platforms: PlatformNeeds, configurations: Mapping[str, str] = MappingProxyType({})) -> None:
        self.platforms = platforms
        self._configurations = configurations
        self._counts: dict[Missing, _Count] = defaultdict(_Count)

    def of(self, subject: Subject, found: list[Evidence], note: str) -> tuple[str, Missing]:
        """(why the verdict is unknown, the input that would decide it), counted."""
        unknown = [item for item in found if item.cell is None or item.cell.is_unknown]
        # a class that nobody defined leaves every step of its path unknown: the class is what is missing
        not_known = next((item for item in unknown if item.path[0] in _CLASSES), next(iter(unknown), None))
        if not unknown and any(
            item.path[-1] == "speed_bps" and item.cell is not None and item.cell.is_absent for item in found
        ):
            why, missing = note or "unknown", Missing("port speed", _SPEED, "ports")
        elif not_known is None or not_known.cell is None:
            why = note or "unknown"
            missing = _undefined_class(subject, found) or Missing(note or "more input", _NOTHING_SHOWS)
        else:
            why = str(not_known.cell.why)
            missing = self._missing(subject, not_known, not_known.cell.why or Why.NOT_VISIBLE)
        if not_known is not None:
            missing = replace(missing, root=str(not_known.path[0]))
        self.again(subject, missing)
        return why, missing

    def again(self, subject: Subject, missing: Missing) -> None:
        """Count one more check that this input would decide."""
        count = self._counts[missing]
        count.checks += 1
        count.subjects.add(subject.id)
        device = _device(subject, missing.root)
        if device is not None:
            count.devices.add(device.name)

    def again_on(self, ports: Sequence[FabricPort], missing: Missing) -> None:
        """The same for one check of each of these ports."""
        count = self._counts[missing]
        count.checks += len(ports)
        count.subjects.update([port.id for port in ports])
        count.devices.update({port.device.name for port in ports})

    def words(self, missing: Missing, subject: Subject) -> str:
        """The input in words, for one subject."""
        device = _device(subject, missing.root)
        return (
            f"{missing.words} of {device.name if device is not None else 'the fabric'}" if missing.of else missing.words
        )

    def _missing(self, subject: Subject, not_known: Evidence, reason: Why) -> Missing:
        root, *steps = (str(step) for step in not_known.path)
        path = ".".join("*" if step.isdigit() else step for step in steps)
        return (
            _at_a_line(root, not_known, reason)
            or self._of_the_fabric(subject, root, path, reason)
            or self._of_a_device(subject, root, path, not_known, reason)
        )

    def _of_the_fabric(self, subject: Subject, root: str, path: str, reason: Why) -> Missing | None:
        """What cables, the policy or counters would say; None where a device's own configuration would."""
        if root in ("joined", "a_joined", "b_joined", "link") and path.endswith("length_m"):
            return Missing("cable length", "policy cables:, or length_m in the topology file", "links or ports")
        if root in _CLASSES:
            return _of_class(subject, root, path)
        if root == "fabric" and path in ("roce_dscps", "lossless_priorities"):
            return Missing(f"the RoCE class of fabric {subject.fabric}", "policy roce: or classes:")
        if root in _COUNTERS:
            return self._counter(subject, reason)
        if path == "carries_roce":
            return Missing("evidence for or against RoCE", "policy ports:", "ports")
        return None

    def _of_a_device(self, subject: Subject, root: str, path: str, not_known: Evidence, reason: Why) -> Missing:
        """What the configuration or an answer of the device would say."""
        path = "nic.persisted" if path in ("unsaved", "not_running") else _in_the_model(root, path)
        words = _words(path)
        if reason is Why.CONFLICT:
            lines = dict.fromkeys(f"{at.path}:{at.line}" for at in not_known.places)
            one = f"one value in {', '.join(lines)}" if lines else _NOTHING_SHOWS
            sources = Missing(f"{words} (sources disagree)", one, "devices")
            return (_several(subject, root) if root.endswith("hop") else None) or sources
        if reason is Why.REFUSED:
            return Missing(f"{words} (refused, or the tool is missing)", self._shown_by(subject, root, path), "devices")
        device = _device(subject, root)
        if reason is Why.NOT_VISIBLE and device is not None and device.kind == "switch" and not device.complete_because:
            whole = _DATASTORE if device.first.path.endswith(".json") else _WHOLE
            return Missing("what a fragment does not show", whole, "devices")
        shown = self._shown_by(subject, root, path)
        if device is not None and (reason is Why.NO_DEFAULT or device.complete_because):
            shown = self._without_configuration(shown, device)
        return Missing(words, shown, "devices")

    def _without_configuration(self, shown: str, device: DeviceReading) -> str:
        """The configuration was read and does not say it: to show it once more would change nothing."""
        command = self._configurations.get(device.platform, "")
        if not command or not shown.startswith(command):
            return shown
        _, bracket, remark = shown.partition("(")
        return f"{_NOTHING_SHOWS} {bracket}{remark}".rstrip()

    def _counter(self, subject: Subject, reason: Why) -> Missing:
        """Counters are one input, whichever of them a rule would have liked to see."""
        if reason is Why.RESET:
            return Missing("two snapshots without a reset or restart between them", "collect once more", "devices")
        table = self.platforms.get(subject.device.platform if subject.device is not None else "", {})
        return Missing("further counters in both snapshots", table.get("counters", _COUNTERS_SHOWN), "devices")

    def _shown_by(self, subject: Subject, root: str, path: str) -> str:
        """What would show a path: as the NIC's family says, else its device's platform; else what shows something near."""
        device = _device(subject, root)
        port = subject.end(root) or next(iter(subject.ports), None)
        names = (port.reading.family if port is not None else "", device.platform if device is not None else "")
        table = next((self.platforms[name] for name in names if name in self.platforms), {})
        for is_near in (_is_below, _is_akin):
            best = max((key for key in table if is_near(path, key)), key=len, default=None)
            if best is not None:
                return table[best]
        return _NOTHING_SHOWS

    def listed(self) -> tuple[MissingInput, ...]:
        """All needs, the one that decides most first."""
        rows = [
            MissingInput(_counted(missing, c), c.checks, missing.how, len(c.devices), _decided_by(missing.how))
            for missing, c in self._counts.items()
        ]
        return tuple(sorted(rows, key=lambda need: (-need.checks, need.input)))


def _at_a_line(root: str, not_known: Evidence, reason: Why) -> Missing | None:
    """What a line would say that nobody understands, or whose value stands elsewhere; None where it is no line that is lacking."""
    place = not_known.places[0] if not_known.places else None
    if place is None:
        return None
    if reason is Why.NOT_PARSED:
        return Missing(f"line {place.path}:{place.line} not understood", "see input/unread-line")
    if reason is Why.UNDEFINED:
        return Missing(f"the definition of the name in {place.path}:{place.line}", "see input/undefined-or-unapplied")
    if root == "host" and reason is Why.NOT_VISIBLE and place.line:
        return Missing(f"what {place.path}:{place.line} sets in the end", _WITH_VALUES)
    return None


def _of_class(subject: Subject, root: str, path: str) -> Missing:
    how = _MTU_IN_POLICY if path == "mtu_bytes" else _CLASSES_IN_POLICY
    return Missing(f"the {path_words(f'{root}.{path}')} of fabric {subject.fabric}", how)


def _undefined_class(subject: Subject, found: list[Evidence]) -> Missing | None:
    """What a class has not, where all else is known: a class that traffic joins by its tag has no DSCP."""
    absent = [item.path for item in found if item.cell is not None and item.cell.is_absent and item.path[0] in _CLASSES]
    return next((_of_class(subject, str(path[0]), str(path[-1])) for path in absent), None)


def _several(subject: Subject, root: str) -> Missing | None:
    """Of a hop whose class has several priorities, or several traffic classes on this port: no source disagrees there."""
    cls = subject.env.get("cnp" if root.startswith("cnp") else "roce")
    hop = subject.env.get(root)
    if isinstance(cls, Class) and len(cls.priority.or_else(frozenset())) > 1:
        return Missing(
            f"which of its priorities class {cls.name} of fabric {subject.fabric} has",
            "policy classes: (a class for each priority)",
        )
    if isinstance(hop, Hop) and len(hop.dscp_classes.or_else(frozenset())) > 1:
        return Missing(
            "one traffic class for all code points of the class", "see marking/class-broken-in-box", "devices"
        )
    return None


def _is_below(path: str, key: str) -> bool:
    return path == key or path.startswith(key + ".")


def _is_akin(path: str, key: str) -> bool:
    """Both are of one part of the port. What is known of a NIC comes from many tools: there nothing is near."""
    part = path.partition(".")[0]
    return part == key.partition(".")[0] and part != "nic"


def _decided_by(how: str) -> Literal["user", "finding", "nobody"]:
    if how.startswith(("see input", "see marking")):
        return "finding"
    is_open = NOT_READ in how or how.startswith((_NOTHING_SHOWS, NOTHING))
    return "nobody" if is_open else "user"


def _device(subject: Subject, root: str) -> DeviceReading | None:
    """The device behind a root of the subject's expressions: of a link, that of the end."""
    port = subject.end(root)
    return port.device if port is not None else subject.device


def _counted(missing: Missing, count: _Count) -> str:
    if missing.of == "links or ports":
        return f"{missing.words} of {_number(count, 'link or port', 'links or ports')}"
    if missing.of:
        names = sorted(count.devices)
        devices = names[0] if len(names) == 1 else f"{len(names)} devices"
        return f"{missing.words} of {_number(count, 'port', 'ports')} on {devices}" if names else missing.words
    return missing.words


def _number(count: _Count, one: str, many: str) -> str:
    return f"{len(count.subjects)} {one if len(count.subjects) == 1 else many}"


def _in_the_model(root: str, path: str) -> str:
    """The path as a platform's table of needs knows it: from the port on, a hop's steps as the tables behind them."""
    if root.endswith("hop"):
        step, dot, rest = path.partition(".")
        table = HOP_STEPS.get(step, step)
        return f"{table}.*{dot}{rest}" if rest else table
    return f"nic.{path}" if root == "nic" else path or root


def _words(path: str) -> str:
    """What people call it: the longest known path in it, else the words for its last steps."""
    known = [key for key in _CALLED if path == key or path.startswith(key + ".")]
    if known:
        return _CALLED[max(known, key=len)]
    return path_words(path.replace(".*", ""))


HOP_STEPS = {
    "queue": "queues",
    "group": "groups",
    "traffic_class": "classes",
    "dscp_classes": "dscp",
    "mapped_instead": "dscp",
    "mapped_to_it": "dscp",
    "pfc_on": "pfc",
    "pfc_priority": "priorities",
    "group_priorities": "priorities",
    "sharers": "classes",
}
_CALLED = {
    "groups.*.headroom_bytes": "PFC headroom",
    "groups.*.xoff_at_bytes": "PFC threshold (XOFF)",
    "groups.*.xon_at_bytes": "PFC threshold (XON)",
    "groups.*.alpha": "dynamic buffer threshold (alpha)",
    "groups": "ingress buffers",
    "queues.*.ecn": "ECN curve",
    "queues.*.scheduling": "queue scheduling",
    "queues": "egress queues",
    "pfc.operational": "operational PFC state",
    "pfc.watchdog": "PFC watchdog",
    "pfc": "PFC state",
    "dscp": "classification",
    "pcp": "classification",
    "classes": "classification",
    "priorities": "PFC priority maps",
    "buffer_architecture": "switch model (buffer architecture)",
    "nic.dcqcn": "congestion control (DCQCN)",
    "nic.persisted": "boot-time configuration",
    "nic.next_boot": "firmware settings for the next boot",
    "nic.gids": "GID table",
    "nic.driver": "NIC driver",
    "nic.pcie_gbps": "PCIe bandwidth",
    "nic.routed": "default route or other routes with a gateway",
    "link_pause": "link pause (802.3x)",
    "cable_m": "cable length",
    "ip_mtu_bytes": "MTU",
    "speed_bps": "speed",
}
