"""Mutation of a user's own files: break one relevant line at a time, in memory, and see whether any rule notices."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Literal

from roce_audit.audit import Checked, Request, check
from roce_audit.engine.fingerprints import identity
from roce_audit.proof import damage
from roce_audit.proof.breakage import Breakage, Kind, Relevant, change, counted, deletion, relevant
from roce_audit.records import dataclass
from roce_audit.sources.files import STDIN
from roce_audit.sources.lines import text_of

Reason = Literal["nothing changes", "not asked there", "no rule"]
REASONS: Mapping[Reason, str] = {
    "nothing changes": "change nothing that is read: the line says the default, or another line says the same",
    "not asked there": "change ports that are not known to carry RoCE, where only contradictions are looked for",
    "no rule": "change a setting, and no rule misses it",
}

MAKERS: Mapping[Kind, Callable[[Relevant, str], Breakage | None]] = {
    "deleted": deletion,
    "changed": change,
    "misspelt": damage.misspelt,
    "foreign letter": damage.foreign_letter,
    "conflict": damage.conflict,
    "cut": damage.cut,
}
"""What makes a breakage of each kind; None for a line that has nothing to break so."""
DAMAGE: tuple[Kind, ...] = ("misspelt", "foreign letter", "conflict", "cut")
"""What happens to files by accident, and must always be told."""


@dataclass(frozen=True, slots=True)
class Unnoticed:
    """A breakage that raises nothing, why that is so, and the model fields that it changes."""

    breakage: Breakage
    reason: Reason
    fields: tuple[str, ...]


@dataclass(slots=True)
class Mutations:
    """What was tried, and what nobody would notice. Counts are of lines, each group of equal lines with all its places."""

    devices: int
    lines: int
    groups: int
    tried: dict[Kind, int] = field(default_factory=dict)
    """Kind of breakage -> lines that the trials stand for."""
    trials: int = 0
    unnoticed: list[Unnoticed] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Breakages at which the program itself failed."""
    seconds: float = 0.0

    def missed(self, kind: Kind, *reasons: Reason) -> int:
        """Lines whose breakage of this kind raises nothing, for one of these reasons (any, where none is given)."""
        wanted = reasons or tuple(REASONS)
        these = (one for one in self.unnoticed if one.breakage.kind == kind and one.reason in wanted)
        return counted(one.breakage.line for one in these)

    @property
    def not_tried(self) -> int:
        """Lines whose deletion was not tried."""
        return self.lines - self.tried.get("deleted", 0)


Clock = Callable[[], float]


def run(
    request: Request, kinds: Sequence[Kind], *, limit: int | None, seconds: float, clock: Clock = time.monotonic
) -> Mutations:
    """Break the lines of the request's files one by one, until all are tried, `limit` trials are made or time is up.

    Standard input is read but not broken. Groups that stand for most lines come first.
    """
    started = clock()
    request = replace(request, honour_suppressions=False)
    before = check(request)
    lines = [one for one in relevant(before.site, before.devices, before.lines) if one.places[0].path != STDIN]
    done = Mutations(len(before.devices), counted(lines), len(lines), dict.fromkeys(kinds, 0))
    told = _told(before)
    for breakage in _breakages(lines, kinds):
        if (limit is not None and done.trials >= limit) or (done.trials and clock() - started > seconds):
            break
        path = breakage.line.places[0].path
        after = check(replace(request, instead={**request.instead, path: breakage.text}))
        done.trials += 1
        done.tried[breakage.kind] += len(breakage.line.places)
        if after.report.problems:
            done.problems.append(f"{path}:{breakage.line.places[0].line}: {after.report.problems[0]}")
        elif _told(after) <= told:
            done.unnoticed.append(_unnoticed(breakage, before, after))
    done.seconds = clock() - started
    return done


def _breakages(lines: Sequence[Relevant], kinds: Sequence[Kind]) -> Iterator[Breakage]:
    texts = _Texts()
    for kind in kinds:
        for line in lines:
            broken = MAKERS[kind](line, texts[line.places[0].path])
            if broken is not None:
                yield broken


class _Texts(dict[str, str]):
    """The files' texts, read when they are first asked for."""

    def __missing__(self, path: str) -> str:
        self[path] = text_of(path)
        return self[path]


def _told(checked: Checked) -> set[tuple[str, bool]]:
    """Fingerprint and verdict of all that fails or is unknown, and the files of which something was not read."""
    coverage = checked.report.coverage
    return {(identity(outcome.rule, subject), outcome.fails) for subject, outcome in checked.judged.each()} | {
        (path, False) for path in (*coverage.incomplete, *(path for path, _ in coverage.unrecognised))
    }


def _unnoticed(breakage: Breakage, before: Checked, after: Checked) -> Unnoticed:
    old, new = _readings(before), _readings(after)
    carrying = {port.id for fabric in before.site.fabrics for port in fabric.ports if port.roce.carries}
    changed: set[str] = set()
    asked = False
    for name, facts in old.items():
        if new.get(name) != facts:
            asked |= name in carrying or ":" not in name
            changed |= _different(facts, new.get(name))
    if not changed:
        return Unnoticed(breakage, "nothing changes", ())
    return Unnoticed(breakage, "no rule" if asked else "not asked there", tuple(sorted(changed)))


def _readings(checked: Checked) -> dict[str, object]:
    """What was read: the facts of every port, and of every device and host under the device's name."""
    found: dict[str, object] = {}
    for device in checked.devices:
        found[device.name] = _Whole(device.device, device.host)
        found.update({f"{device.name}:{port.name}": port.facts for port in device.ports})
    return found


@dataclass(frozen=True, slots=True)
class _Whole:
    device: object
    host: object


def _different(old: object, new: object) -> set[str]:
    """Names of the fields in which two readings differ; of a NIC and of a device's parts one level deeper."""
    if new is None:
        return {"the port itself"}
    names: set[str] = set()
    for field_ in fields(old):  # type: ignore[arg-type]
        a, b = getattr(old, field_.name), getattr(new, field_.name)
        if a == b:
            continue
        if isinstance(old, _Whole) and a is not None and b is not None:
            names |= _different(a, b)
        elif field_.name == "nic" and a.is_known and b.is_known:
            names |= {f"nic.{name}" for name in _different(a.value, b.value)}
        else:
            names.add(field_.name)
    return names
