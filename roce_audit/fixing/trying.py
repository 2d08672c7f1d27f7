"""The site while changes are tried: the texts and the readings of the last try, what was accepted, and how much may still be tried."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from roce_audit.audit import JudgedSite, Step
from roce_audit.fixing.proposals import Proposal
from roce_audit.fixing.proving import Brought, Standing
from roce_audit.platforms.repair import Edit, as_read, numbered
from roce_audit.readings.parcel import Parcel, opened
from roce_audit.records import dataclass
from roce_audit.sources import batches
from roce_audit.sources.batches import Batch
from roce_audit.text.decode import LIMIT_BYTES, decode


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is tried; each try judges the whole site once more."""

    each: int = 40
    """Proposals tried for one finding at each of its ends."""
    tries: int = sys.maxsize
    """Proposals tried in all."""
    readings: int = sys.maxsize
    """Changed files read again, in all tries together."""
    work: int = sys.maxsize
    """Ports joined again, each four failures and doubts judged again, and each ten lines of changed files read again, in all tries
    together."""
    findings: int = sys.maxsize
    members: int = sys.maxsize
    """A finding of more members is left."""


UNLIMITED = Limits()


@dataclass(frozen=True, slots=True)
class Proved:
    """A proposal that proved out, and the site after it."""

    proposal: Proposal
    gone: frozenset[str]
    """Fingerprints of the failures that it is for."""
    after: Standing
    brings: tuple[Brought, ...]
    texts: dict[str, list[str]]


@dataclass
class State:
    """The site with the changes accepted so far."""

    checked: JudgedSite
    limits: Limits
    texts: FileTexts
    changed: dict[str, str] = field(default_factory=dict)
    """Path -> text, of the files that differ by now."""
    origins: dict[str, list[int]] = field(default_factory=dict)
    """Path -> for each line of a changed file its number as it was read; 0 for a line that a change wrote."""
    tries: int = 0
    readings: int = 0
    """Changed files that tries read again."""
    work: int = 0
    """What the tries cost, in ports."""

    def __post_init__(self) -> None:
        self.standing = Standing(self.checked)

    @property
    def spent(self) -> bool:
        """Whether no more may be tried."""
        limits = self.limits
        return self.tries >= limits.tries or self.readings >= limits.readings or self.work >= limits.work

    def tried(self, texts: Mapping[str, Sequence[str]]) -> None:
        """Count a try that changes these files."""
        self.tries += 1
        self.readings += len(texts)
        self.work += sum(len(device.ports) for device in self.checked.devices)
        self.work += (len(self.standing.fails) + len(self.standing.unknown)) // 4
        self.work += sum(len(lines) for lines in texts.values()) // 10

    def accept(self, found: Proved) -> tuple[Edit, ...]:
        """Go on from the site with this change. Gives its edits as lines of the files as they were read, if they can be."""
        its_edits = by_path(found.proposal)
        for path in its_edits:
            self.origins.setdefault(path, list(range(1, len(self.texts[path]) + 1)))
        first = [as_read(edit, self.origins[path]) for path, edits in its_edits.items() for edit in edits]
        for path, edits in its_edits.items():
            self.origins[path] = numbered(self.origins[path], edits)
        self.checked = found.after.site
        self.texts.update(found.texts)
        self.changed |= {path: "\n".join(lines) for path, lines in found.texts.items()}
        self.standing = found.after
        return () if None in first else tuple(edit for edit in first if edit is not None)


class Kept:
    """Loads the files of one try after the other: what a try does not change is as the last one left it, and its texts stay."""

    def __init__(self) -> None:
        self._parcels: dict[Batch, tuple[list[str | None], Parcel]] = {}

    def __call__(self, plan: batches.Plan, step: Step) -> Iterator[Parcel]:
        for batch in plan.batches:
            changed = [plan.instead.get(file.path) for file in batch.files]
            kept = self._parcels.get(batch)
            if kept is None or kept[0] != changed:
                kept = self._parcels[batch] = changed, opened(batch, plan)
            yield kept[1]


class FileTexts(dict[str, Sequence[str]]):
    """Lines of the files of a run, read when they are first asked for; changed ones stand for those of the file."""

    def __missing__(self, path: str) -> Sequence[str]:
        try:
            with open(path, "rb") as file:
                lines = decode(file.read(LIMIT_BYTES + 1)).text.split("\n")
        except OSError:
            lines = []
        self[path] = lines
        return lines

    def get(self, path: str, default: object = None) -> Sequence[str]:
        """The lines; none for a file that is not there."""
        return self[path]


def by_path(proposal: Proposal) -> dict[str, list[Edit]]:
    """Its edits, file by file."""
    found: dict[str, list[Edit]] = defaultdict(list)
    for edit in dict.fromkeys(proposal.edits):
        found[edit.path].append(edit)
    return found
