"""What to check, and how; and what follows from it before anything is read: files to open, rules to ask."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from datetime import date
from pathlib import Path

from roce_audit.engine.baseline import NONE, Baseline
from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule
from roce_audit.policy.load import PolicyError
from roce_audit.policy.load import Problem as PolicyProblem
from roce_audit.policy.values import Policy
from roce_audit.readings.parcel import Parcel
from roce_audit.records import dataclass
from roce_audit.sources.batches import Plan
from roce_audit.sources.hints import PathHint
from roce_audit.sources.planning import planned

Step = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Request:
    """What to check, and how."""

    paths: tuple[str, ...]
    policy: Policy
    topology: str | None = None
    context: tuple[str, ...] = ()
    """Read and used for links, majority and similar ports; findings are shown only where they touch `paths`."""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    honour_suppressions: bool = True
    today: date | None = None
    rules: tuple[Rule, ...] | None = None
    """Rules to judge by; None: those of the tool and of the policy's `rules_path`."""
    baseline: Baseline = NONE
    since: str | None = None
    """An earlier snapshot of the same devices: their counters then are compared with those in `paths` and `context`."""
    remembered: Mapping[str, str] | None = None
    """What a majority decided when the site was judged last, as text; None: nothing is remembered."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Path as shown -> text to judge in place of what the file holds: a change that is tried before anybody makes it."""
    readers: Callable[[Plan, Step], Iterable[Parcel]] | None = None
    """Who loads and reads the batches of a plan, in their order; None: this process, one after the other."""
    blocks: bool = True
    """Findings say which stanzas are around their lines: finding these takes as long as the lines themselves."""
    narrow: bool = False
    """What only the context holds is not judged, as far as nothing in `paths` depends on it: neither told nor counted."""
    progress: Step | None = None
    """Called at each step: what is done, how many of how many (0: nobody knows); "" at the end."""

    def step(self, doing: str, done: int = 0, total: int = 0) -> None:
        """One step further."""
        if self.progress is not None:
            self.progress(doing, done, total)


def planned_for(request: Request) -> Plan:
    """What is to be opened for a request."""
    policy = request.policy
    return planned(
        request.paths,
        beside=request.context,
        hints=hints(policy),
        exclude=[entry.text for entry in (*policy.exclude, *([policy.path_file] if policy.path_file else ()))],
        base=policy.folder or ".",
        instead=request.instead,
        apart=request.since,
    )


def hints(policy: Policy) -> list[PathHint]:
    """What the policy says of files."""
    return [
        PathHint(p.pattern, p.platform, p.complete, p.state, p.device, p.rendered_from or None) for p in policy.paths
    ]


def rules_of(policy: Policy) -> tuple[Rule, ...]:
    """The rules that come with the tool and those of the policy's `rules_path`. Raises RuleError."""
    base = Path(policy.folder or ".")
    for entry in policy.rules_paths:
        if not os.path.lexists(base / entry.text):
            missing = PolicyProblem(entry.at.path, entry.at.line, f"rules_path: no such folder of rules: {entry.text}")
            raise PolicyError((missing,))
    return rulepack.load([rulepack.builtin_folder(), *(base / entry.text for entry in policy.rules_paths)])


def is_whole_site(request: Request) -> bool:
    """Whether everything that the policy speaks of was read, so that an entry which matches nothing is wrong."""
    folder = request.policy.folder
    given = [os.path.realpath(path) for path in (*request.paths, *request.context)]
    return folder is not None and any(f"{os.path.realpath(folder)}/".startswith(f"{path}/") for path in given)
