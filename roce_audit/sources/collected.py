"""What the manifests of snapshots say about the files that are loaded: which are cut, and which devices are missing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from roce_audit.sources import manifest as manifests
from roce_audit.sources.files import Candidate
from roce_audit.sources.loaded import Problem
from roce_audit.sources.manifest import DeviceRecord, FileRecord


@dataclass
class Collected:
    """The manifests among the files of a run."""

    unreached: dict[str, str] = field(default_factory=dict)
    """Device -> why it was not read to the end."""
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _manifests: set[str] = field(default_factory=set)
    _files: dict[str, tuple[FileRecord, str]] = field(default_factory=dict)
    """Path as shown -> its record, and why it is cut ("" where it is whole)."""

    @classmethod
    def of(cls, candidates: Iterable[Candidate]) -> Collected:
        """Read the manifests; a file of that name that is none is left to the platforms."""
        found = cls()
        for candidate in candidates:
            if candidate.name == manifests.NAME:
                found._open(candidate)
        return found

    def alike(self) -> Collected:
        """The same manifests, of which nothing is known to be wrong yet."""
        return replace(self, problems=[])

    def is_manifest(self, candidate: Candidate) -> bool:
        """Whether this is a manifest's file, which describes no device."""
        return candidate.path in self._manifests

    def record(self, path: str) -> FileRecord | None:
        """What the manifest says of a file."""
        return self._files[path][0] if path in self._files else None

    def about(self, path: str) -> object:
        """All that the manifest says of a file: what loading it depends on beside its own text."""
        return self._files.get(path), path in self._manifests

    def of_files(self, paths: Iterable[str]) -> tuple[dict[str, tuple[FileRecord, str]], frozenset[str]]:
        """What the manifests say of these files, and which of them are manifests: enough to load them by."""
        asked = frozenset(paths)
        return {path: self._files[path] for path in asked & self._files.keys()}, asked & self._manifests

    @classmethod
    def said(cls, records: Mapping[str, tuple[FileRecord, str]], manifests: Iterable[str]) -> Collected:
        """What `of_files` gave, as manifests of their own."""
        return cls(_manifests=set(manifests), _files=dict(records))

    def check(self, path: str, size: int) -> bool:
        """Whether the end of a file is missing: when it was collected, or since. What is wrong becomes a problem."""
        record, why = self._files.get(path, (None, ""))
        if record is None:
            return False
        if record.truncated:
            self.problems.append(Problem(path, 0, f"the answer is cut off ({why})", "truncated"))
        elif size != record.bytes:
            words = f"has {size:,} bytes, {record.bytes:,} were collected: it was changed or cut since"
            self.problems.append(Problem(path, 0, words, "truncated"))
        return record.truncated or size < record.bytes

    def _open(self, candidate: Candidate) -> None:
        try:
            manifest = manifests.load(os.path.dirname(candidate.real) or ".")
        except manifests.Damaged as damage:
            self._manifests.add(candidate.path)
            words = f"not read: {damage}; devices that `collect` did not reach are not named in this report"
            self.problems.append(Problem(candidate.path, 0, words, "snapshot-damaged"))
            return
        if manifest is not None:
            self._manifests.add(candidate.path)
            self._take(candidate, manifest)

    def _take(self, candidate: Candidate, manifest: manifests.Manifest) -> None:
        path, folder = candidate.path, candidate.folder or "."
        self.unreached.update(manifest.unreached())
        prefix = "" if folder == "." else f"{folder}/"
        for name, device in manifest.devices.items():
            if device.outcome == "changed":
                self.notes.append(f"{name}: its answers may not belong together: {device.reason}")
            self._look_for(name, device, os.path.dirname(candidate.real), f"{prefix}{name}")
            for file, record in device.files.items():
                self._files[f"{prefix}{name}/{file}"] = (record, device.reason)
        if not manifest.finished:
            self.notes.append(f"{path}: the collection was broken off (`collect --resume` goes on)")

    def _look_for(self, name: str, device: DeviceRecord, beside: str, shown: str) -> None:
        """Whether what was collected of a device is still there."""
        gone = [file for file in device.files if not os.path.lexists(os.path.join(beside, name, file))]
        if gone and len(gone) == len(device.files):
            self.unreached.setdefault(name, f"collected, but its files are not in {shown} any more")
            return
        for file in gone:
            words = "was collected and is not there any more: nothing that it would say is known"
            self.problems.append(Problem(f"{shown}/{file}", 0, words, "snapshot-damaged"))
