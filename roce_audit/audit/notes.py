"""What the report says of a run besides findings: devices that were not reached, policies that do not hold, what was fixed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Set

from roce_audit.engine.baseline import Baseline, of, pruned
from roce_audit.engine.findings import Finding
from roce_audit.engine.rules.rule import Rule
from roce_audit.policy.values import Policy
from roce_audit.sources.files import shown_name
from roce_audit.sources.loaded import Loaded


def unreached(loaded: Loaded, policy: Policy) -> dict[str, str]:
    """Devices that were not reached and should have been -> why."""
    return {name: why for name, why in loaded.unreached.items() if policy.in_maintenance(name) is None}


def other_policies(loaded: Loaded, policy: Policy) -> Iterator[str]:
    """A note on each policy file that lies among the inputs and does not hold."""
    in_force = None if policy.file is None else shown_name(os.path.realpath(policy.file))
    for path in loaded.policies:
        if os.path.realpath(path) != in_force:
            holds = "no policy" if policy.file is None else shown_name(policy.file)
            yield f"{path} is not in force: {holds} holds for everything here (check its folder by itself, or --policy)"


def in_maintenance(loaded: Loaded, policy: Policy) -> Iterator[str]:
    """A note on each device in maintenance that was not reached."""
    for name, why in loaded.unreached.items():
        if policy.in_maintenance(name) is not None:
            yield f"{name} is in maintenance and was not reached: {why}"


def fixed(accepted: Baseline, findings: Iterable[Finding], devices: Set[str], rules: Iterable[Rule]) -> tuple[str, ...]:
    """A note on accepted findings that are there no more."""
    left = pruned(accepted.accepted.values(), of(findings), devices, {rule.id for rule in rules})
    gone = len(accepted.accepted) - len(left.accepted)
    return (
        (f"fixed since they were accepted in the baseline: {gone:,} (`roce-audit baseline --prune` takes them out)",)
        if gone
        else ()
    )
