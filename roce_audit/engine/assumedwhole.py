"""Which findings rest on the assumption that a file which looks whole is whole, and how that is said."""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.engine.placing import Evidence, own
from roce_audit.engine.subjects import Subject
from roce_audit.fabric.site import Site
from roce_audit.records import dataclass

IF_WHOLE = " (if the file is whole)"
_OF_NAMES = frozenset({"undefined", "unapplied", "unpaused"})
_NOT_READ = frozenset({"joined", "a_joined", "b_joined", "link", "counters", "hop_counters", "app"})
"""Roots of what was joined or counted: no file's silence decides there."""


@dataclass(frozen=True, slots=True)
class AssumedWhole:
    """Paths of files that are taken as whole, and the fabrics that their devices are in."""

    paths: frozenset[str] = frozenset()
    fabrics: frozenset[str] = frozenset()

    @staticmethod
    def of(site: Site) -> AssumedWhole:
        """Those of a site."""
        paths = {fabric.name: [p for device in fabric.devices for p in device.assumed_whole] for fabric in site.fabrics}
        return AssumedWhole(
            frozenset(path for those in paths.values() for path in those),
            frozenset(name for name, those in paths.items() if those),
        )

    def decides(self, subject: Subject, found: list[Evidence]) -> bool:
        """Whether the failure is one of something that such a file does not say."""
        if not self.paths:
            return False
        if subject.seen is not None:
            return subject.seen.observation.kind in _OF_NAMES and subject.seen.place.path in self.paths
        if subject.device is None:
            return subject.fabric in self.fabrics and any(_is_nothing(item) for item in found)
        return any(self._is_silence(subject, item) for item in own(subject, found))

    def _is_silence(self, subject: Subject, item: Evidence) -> bool:
        root = str(item.path[0])
        if root in _NOT_READ or (item.places and not _is_nothing(item)) or item.cell is None or item.cell.is_unknown:
            return False
        return any(path in self.paths for path in _paths(subject, root))


def _paths(subject: Subject, root: str) -> Iterable[str]:
    """The files whose silence may be behind a value of this root."""
    port = subject.end(root) or next(iter(subject.ports), None)
    if port is not None and root != "device":
        return (port.reading.header.path,)
    return () if subject.device is None else subject.device.assumed_whole


def _is_nothing(item: Evidence) -> bool:
    """There is none of something, even where a line is named that would need it: `mode on`, and no priority."""
    return item.cell is not None and not item.cell.is_unknown and not item.cell.value
