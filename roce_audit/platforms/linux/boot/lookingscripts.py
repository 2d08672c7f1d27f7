"""Scripts that only look, by their names, and turn off what they are to show."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import PurePath

from roce_audit.platforms.linux.boot.calls import PlacedCall
from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.collector import noticed

_LOOKS = frozenset({"check", "checks", "verify", "validate", "show", "status", "list", "inspect", "diag", "diagnose"})
_CHANGES = frozenset(
    {"set", "reset", "setup", "apply", "config", "configure", "off", "disable", "fix", "clear", "restore"}
)
_PFC = frozenset({"pfc", "pfc-list", "pfc-mask", "pfc-bit"})
_OFF = re.compile(r"pfc 0(?:,0){7}|pfc-mask 0")
_MEANING = "this script is called {}, and the call does not show PFC but turns it off for every priority"


def tell_changing(calls: Iterable[PlacedCall]) -> None:
    """Say where all that a script of such a name does to PFC is to turn it off: `mlnx_qos --pfc` shows nothing."""
    by_path: dict[str, list[PlacedCall]] = defaultdict(list)
    for call in calls:
        if call.statement.partition(" ")[0] in _PFC:
            by_path[call.answer.document.path].append(call)
    for path, those in by_path.items():
        name = PurePath(path).name
        words = frozenset(re.split(r"[^a-z]+", name.lower()))
        if words.isdisjoint(_LOOKS) or words & _CHANGES or not all(_OFF.fullmatch(one.statement) for one in those):
            continue
        first = those[0]
        if not first.is_maybe:
            at = place(first.answer, first.number)
            first.answer.collector.seen.append(noticed("conflict", at, first.statement, _MEANING.format(name)))
