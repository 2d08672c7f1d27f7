"""Variables by which a script chooses whether a job uses RDMA: under a condition, or for one of its jobs alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_CHOICES = frozenset({"NCCL_IB_DISABLE", "NCCL_NET", "UCX_TLS", "FI_PROVIDER", "I_MPI_OFI_PROVIDER"})
_BEGINS = re.compile(r"[ \t]{0,80}(?:if[ \t][^\n]{0,400}?(?:\bthen\b|[^:\s][ \t]{0,9}$)|case[ \t][^\n]{1,400}? in\b)")
_ENDS = re.compile(r"(?:^|[ \t;])(?:fi|esac)[ \t;]{0,9}(?:#.*)?$")
_ALONE = re.compile(r"[ \t]{0,80}(?:\[{1,2}|test)[ \t][^\n]{1,300}?[\])]{0,2} (?:&&|\|\|) ")
_DEFAULT = re.compile(r"-z[ \t]|\$\{\w{1,60}:?[-+]|BASH_SOURCE|SLURM_JOB_ID|RANK")
"""Of a condition that holds where nobody has set the variable, or that asks in which place the script runs."""
_LAUNCHES = re.compile(r"(?:[^#\n]{0,300}?[ \t;&|(/])?(?:mpirun|mpiexec(?:\.hydra)?|srun|torchrun|deepspeed)[ \t]")
Pairs = Sequence[tuple[str, str]]
"""(variable, value) of a line."""


def chosen(lines: Sequence[tuple[str, Pairs]]) -> frozenset[str]:
    """The variables that a script gives several values, sets under a condition, or hands to some of its jobs and not to others."""
    values: dict[str, set[str]] = {}
    for _, pairs in lines:
        for name, value in pairs:
            if name in _CHOICES:
                values.setdefault(name, set()).add(value)
    if not values:
        return frozenset()
    several = {name for name, found in values.items() if len(found) > 1}
    return frozenset({*several, *_under_condition(lines), *_of_some_jobs(lines)}) & values.keys()


def _under_condition(lines: Sequence[tuple[str, Pairs]]) -> set[str]:
    found: set[str] = set()
    opened: list[bool] = []
    """Of each block that is open at a line, whether its condition is a choice."""
    for text, pairs in lines:
        begins = _BEGINS.match(text) is not None
        if begins:
            opened.append(_DEFAULT.search(text) is None)
        if any(opened) or _ALONE.match(text) is not None:
            found.update(name for name, _ in pairs)
        if opened and _ENDS.search(text) is not None:
            opened.pop()
    return set() if opened else found


def _of_some_jobs(lines: Sequence[tuple[str, Pairs]]) -> Iterator[str]:
    jobs: list[set[str]] = []
    is_open = False
    for text, pairs in lines:
        if not is_open and _LAUNCHES.match(text) is None:
            continue
        if not is_open:
            jobs.append(set())
        jobs[-1].update(name for name, _ in pairs)
        is_open = text.rstrip().endswith("\\")
    handing = [names for names in jobs if names]
    for names in handing:
        yield from (name for name in names if any(name not in others for others in handing))
