"""Thresholds of the ingress buffers of a port by priority: `dcb-buffer-threshold`."""

from __future__ import annotations

from roce_audit.platforms.os9 import statements as st
from roce_audit.platforms.os9.defaults import BUFFERS
from roce_audit.platforms.os9.groups import PRIORITIES
from roce_audit.platforms.shared.policy.policies import Policies
from roce_audit.text.settings import Settings
from roce_audit.values import At, Cited, Why, unknown

_BYTES_PER_KB = 1_000
"""The guide does not say whether a KB is 1,000 or 1,024 bytes; the smaller reading is taken."""
_DEFAULT_SIZE, _DEFAULT_PAUSE, _DEFAULT_OFFSET = 45, 10, 10
_SET = ("reserved_bytes", "headroom_bytes", "xoff_at_bytes", "xon_offset_bytes")


def thresholds(settings: Settings, policies: Policies, name: str, bound_at: At, undefined: Why) -> dict[int, At]:
    """Set the buffers of the priorities that the policy names, and return these, each with its line."""
    lines = policies.lines("threshold", name)
    if lines is None:
        settings.forbid_default("groups", undefined, bound_at)
        return {}
    found: dict[int, tuple[st.Thresholds, At]] = {}
    for parsed, at in lines:
        match parsed.value:
            case st.Thresholds():
                found |= dict.fromkeys(parsed.value.priorities, (parsed.value, at))
            case st.NoThresholds(priorities=priorities):
                found = {number: said for number, said in found.items() if number not in priorities}
            case _:
                for priority in PRIORITIES:
                    for path in _SET:
                        settings.set_unknown(f"groups.{priority}.{path}", Why.NOT_PARSED, at)
    for priority, (value, at) in found.items():
        _threshold(settings, f"groups.{priority}.", value, at, bound_at)
    return {priority: at for priority, (_, at) in found.items()}


def _threshold(settings: Settings, base: str, value: st.Thresholds, *at: At) -> None:
    """XOFF is sent at the pause threshold, so what lies above it is headroom."""
    parts = (value.size, value.pause, value.resume_offset)
    defaults = (_DEFAULT_SIZE, _DEFAULT_PAUSE, _DEFAULT_OFFSET)
    size, pause, offset = (default if part is None else part for part, default in zip(parts, defaults, strict=True))
    where = (*at, *((Cited(BUFFERS),) if None in parts else ()))
    settings.set(base + "reserved_bytes", size * _BYTES_PER_KB, *where)
    settings.set(base + "headroom_bytes", max(size - pause, 0) * _BYTES_PER_KB, *where)
    settings.set(base + "xoff_at_bytes", pause * _BYTES_PER_KB, *where)
    settings.set(base + "xon_offset_bytes", offset * _BYTES_PER_KB, *where)
    # what the shared buffer adds is not documented
    settings.set_cell(base + "headroom_is_shared", unknown(Why.NO_DEFAULT, *at))
