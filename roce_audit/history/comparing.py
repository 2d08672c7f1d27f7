"""What changed from one run to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from roce_audit.engine.findings import SEVERITIES
from roce_audit.history.record import Recorded, Run
from roce_audit.records import dataclass


@dataclass(frozen=True, slots=True)
class Moved:
    """A policy value that was inferred, and is another one now. "" where there was or is none."""

    name: str
    before: str
    now: str


@dataclass(frozen=True, slots=True)
class Fewer:
    """Something of which less was looked at than before: what is not there any more has no findings."""

    what: str
    before: int
    now: int


_COUNTED = {"devices": "devices", "roce ports": "RoCE ports"}
"""Numbers of a run's coverage that are compared, and how people read them."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Failures of two runs, sorted by what became of them; each of `changed` as it was and as it is."""

    new: tuple[Recorded, ...]
    fixed: tuple[Recorded, ...]
    changed: tuple[tuple[Recorded, Recorded], ...]
    unchanged: tuple[Recorded, ...]
    lost: tuple[Recorded, ...]
    """Failed before, and are undetermined or not applicable now."""
    moved: tuple[Moved, ...]
    other_rules: bool
    """The runs were judged by different rules: a new finding may be an old fault."""
    fewer: tuple[Fewer, ...] = ()


def compare(old: Run, new: Run) -> Difference:
    """From `old` to `new`. The new run must tell the fate of what failed in the old one."""
    before, now = old.failing(), new.failing()
    gone = {key: item for key, item in before.items() if key not in now}
    fixed = {key for key in gone if key in new.judged and new.judged[key].verdict == "holds"}
    both = [(before[key], now[key]) for key in before if key in now]
    return Difference(
        new=_ordered(item for key, item in now.items() if key not in before),
        fixed=_ordered(gone[key] for key in fixed),
        changed=tuple((a, b) for a, b in both if (a.value, a.severity) != (b.value, b.severity)),
        unchanged=_ordered(b for a, b in both if (a.value, a.severity) == (b.value, b.severity)),
        lost=_ordered(
            new.judged.get(key, item) if new.judged.get(key) is not None else item
            for key, item in gone.items()
            if key not in fixed
        ),
        moved=moved(old.inferred, new.inferred),
        other_rules=old.rules != new.rules,
        fewer=tuple(_fewer(old.coverage, new.coverage)),
    )


def _fewer(before: Mapping[str, int], now: Mapping[str, int]) -> Iterator[Fewer]:
    for name, words in _COUNTED.items():
        if now.get(name, 0) < before.get(name, 0):
            yield Fewer(words, before[name], now.get(name, 0))


def moved(before: Mapping[str, str], now: Mapping[str, str]) -> tuple[Moved, ...]:
    """Inferred policy values that are not what they were."""
    names = sorted({*before, *now})
    return tuple(Moved(n, before.get(n, ""), now.get(n, "")) for n in names if before.get(n, "") != now.get(n, ""))


def _ordered(items: Iterator[Recorded]) -> tuple[Recorded, ...]:
    return tuple(sorted(items, key=lambda item: (SEVERITIES.index(item.severity), item.rule, item.id)))
