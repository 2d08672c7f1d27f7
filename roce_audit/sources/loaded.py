"""What loading gives: devices, and everything that is to be said about files that are none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from roce_audit.records import dataclass
from roce_audit.sources.hints import PathHint
from roce_audit.sources.topology.files import TopologyFile
from roce_audit.sources.unit import Unit
from roce_audit.text.document import DeviceInput

ProblemKind = Literal[
    "merge-conflict",
    "truncated",
    "unreadable",
    "conflict",
    "same-device-twice",
    "snapshot-damaged",
    "without-configuration",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the input itself. `line` 0 means the file as a whole; `kind` is that of an Observation."""

    path: str
    line: int
    text: str
    kind: ProblemKind
    device: str = ""
    """Whom it is about, where that is a device: unlike a path it has no date in it."""
    judged: tuple[str, ...] = ()
    """Under which names the files in question are judged, where they are devices."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Everything that lies in the paths."""

    devices: tuple[DeviceInput, ...] = ()
    topology_files: tuple[TopologyFile, ...] = ()
    problems: tuple[Problem, ...] = ()
    unrecognised: tuple[tuple[str, str], ...] = ()
    """Path and the clear word: what it is."""
    excluded: int = 0
    notes: tuple[str, ...] = ()
    rendered_from: Mapping[str, str] = field(default_factory=dict)
    """Path of a document -> the template that it was rendered from, as the policy says."""
    filled_from: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Path of a template or playbook -> the files that give values of its placeholders."""
    templates: frozenset[str] = frozenset()
    """Files of which only what stands there whatever is rendered was read."""
    unused_hints: tuple[PathHint, ...] = ()
    policies: tuple[str, ...] = ()
    """Policy files that lie in the paths, whether they hold or not."""
    incomplete: tuple[str, ...] = ()
    """Paths of host bundles that do not hold all that the host was asked."""
    unreached: Mapping[str, str] = field(default_factory=dict)
    """Devices of the snapshots that `collect` could not read to the end -> why."""
    units: tuple[tuple[Unit, ...], ...] = ()
    """Of each device what it is put together from."""
