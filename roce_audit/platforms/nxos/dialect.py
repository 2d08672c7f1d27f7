"""The dialect of NX-OS: its tables and grammar put together."""

from __future__ import annotations

import re
from importlib.resources import files

from roce_audit.platforms.nxos.tables import BUILTIN, IGNORED, LABELS, OPENERS, RAW, STRICT, TOPICS
from roce_audit.platforms.nxos.transform import RULES
from roce_audit.platforms.shared.policy.policies import PolicySyntax
from roce_audit.text.dialect import Dialect

DIALECT = Dialect(
    name="nxos",
    grammar=lambda: files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8"),
    rules=RULES,
    topics=TOPICS,
    openers=OPENERS,
    comments=("!", "#"),
    strict=STRICT,
    raw=RAW,
    ignored=IGNORED,
    labels=LABELS,
)

_NUMBERED = re.compile(r"^c-(?:(?:8q-)?nq|(?:out|in)-(?:8q-)?q)(-default|[1-7])$")


def _numbered(name: str) -> int | None:
    """The qos-group (= queue) that a class of NX-OS itself stands for."""
    found = _NUMBERED.match(name)
    if found is None:
        return 0 if name == "class-default" else None
    return 0 if found.group(1) == "-default" else int(found.group(1))


# NX-API reference, Configuring QoS Class Maps: a class-map that does not say it is match-all
POLICY_SYNTAX = PolicySyntax(DIALECT, BUILTIN, _numbered, unset_group=0, needs_all=True)
