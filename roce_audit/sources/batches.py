"""Batches: files that are loaded together. What a batch gives depends on its own files and on the variables of the repository alone,
so each can be loaded anywhere, in any order, and kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from roce_audit.records import dataclass
from roce_audit.sources.collected import Collected
from roce_audit.sources.files import Candidate, Walk, shown, shown_below
from roce_audit.sources.hints import PathHint
from roce_audit.sources.loaded import Problem
from roce_audit.sources.repository.variables import Variables
from roce_audit.sources.topology.files import TopologyFile
from roce_audit.sources.unit import Unit


@dataclass(frozen=True, slots=True)
class Batch:
    """tree: a host's own file system below `folder`. device: a folder of one device. beside: a file, and files of
    a device's own file system below its folder. file: a file by itself. shared: files of a folder that hold answers of many
    hosts each."""

    folder: str
    files: tuple[Candidate, ...]
    kind: Literal["tree", "device", "beside", "file", "shared"]


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the files of a batch are, and what is to be said of them."""

    units: tuple[Unit, ...] = ()
    topologies: tuple[TopologyFile, ...] = ()
    problems: tuple[Problem, ...] = ()
    cut: tuple[Problem, ...] = ()
    """Problems that the manifest of a snapshot makes known."""
    unrecognised: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    policies: tuple[str, ...] = ()
    rendered_from: Mapping[str, str] = field(default_factory=dict)
    filled_from: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    templates: tuple[str, ...] = ()
    """Files of which only what stands there whatever is rendered was read."""
    incomplete: tuple[str, ...] = ()
    hints_used: tuple[PathHint, ...] = ()
    of_many: bool = False
    """It holds answers of many hosts, and says nothing before all such files of its folder are loaded together."""
    unclaimed: tuple[tuple[Unit, str], ...] = ()
    """Answers to commands that no platform recognised by themselves, and what is said of them where they stay so."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be opened, and what holds for all of it."""

    paths: tuple[str, ...]
    """The files and folders that were given."""
    batches: tuple[Batch, ...]
    walk: Walk
    hints: tuple[PathHint, ...]
    base: str
    """The folder that the patterns of hints are relative to, absolute."""
    instead: Mapping[str, str]
    collected: Collected
    variables: Variables = Variables()
    """What the repository gives its templates and playbooks."""
    asked: tuple[str, ...] | None = None
    """Those of the paths that were asked for, as shown to people; None where nothing is only read beside them."""

    def is_asked(self, path: str) -> bool:
        """Whether a path, as shown to people, was asked for."""
        return self.asked is None or any(shown_below(path, one) for one in self.asked)

    def is_apart(self, path: str) -> bool:
        """Whether it was asked for and lies outside of what is only read beside the paths: a snapshot, a file before it is committed."""
        beside = self.paths[len(self.asked or self.paths) :]
        return self.is_asked(path) and not any(shown_below(path, shown(one)) for one in beside)
