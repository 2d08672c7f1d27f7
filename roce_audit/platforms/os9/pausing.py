"""Which priorities a port pauses, by its DCB map or by the input policy of releases before 9.3."""

from __future__ import annotations

from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.os9.defaults import NO_GROUPS
from roce_audit.platforms.os9.groups import Groups
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.records import dataclass
from roce_audit.text.fill import Lack
from roce_audit.values import At, Cited, Why


@dataclass(frozen=True, slots=True)
class Pausing:
    """Paused priorities with their lines, or the doubt about them."""

    paused: dict[int, At]
    because: tuple[At | Cited, ...]
    bound: At
    doubt: tuple[Why, At] | None = None


def from_map(groups: Groups[At] | tuple[Why, At], bound: At, header: At | None, lack: Lack) -> Pausing:
    """By a DCB map; without a list of priorities it pauses none."""
    if isinstance(groups, tuple):
        return Pausing({}, (), bound, groups)
    if groups.by_priority is None:
        otherwise = lack.otherwise("pfc.priorities")
        if otherwise.why is not None:  # a fragment: the list may stand elsewhere
            return Pausing({}, (), bound, (otherwise.why, bound))
        return Pausing({}, (*((header,) if header else ()), Cited(NO_GROUPS)), bound)
    if groups.undefined:
        return Pausing({}, (), bound, (lack.undefined, groups.by_priority[1]))
    return Pausing(groups.paused(), groups.because(), bound)


def from_input(policies: Policies, name: str, bound: At, undefined: Why) -> Pausing:
    """By an input policy: `pfc mode on`, which is the default, and `pfc priority`."""
    lines = policies.lines("dcbinput", name)
    if lines is None:
        return Pausing({}, (), bound, (undefined, bound))
    priorities: tuple[int, ...] = ()
    said: At | None = policies.header("dcbinput", name)
    off: At | None = None
    for parsed, at in lines:
        match parsed.value:
            case None:
                return Pausing({}, (), bound, (Why.NOT_PARSED, at))
            case st.PfcPriorities(priorities=numbers):
                priorities, said = numbers, at
            case st.PfcMode(on=on):
                off = None if on else at
    if off is not None:
        return Pausing({}, (off,), bound)
    return Pausing(dict.fromkeys(priorities, said or bound), (said or bound,), bound)
