"""The dialect of OS10: its tables and grammar put together."""

from __future__ import annotations

from importlib.resources import files

from roce_audit.platforms.os10.tables import BUILTIN, IGNORED, LABELS, OPENERS, RAW, STRICT, TOPICS
from roce_audit.platforms.os10.transform import RULES
from roce_audit.platforms.shared.policy.policies import PolicySyntax
from roce_audit.text.dialect import Dialect

DIALECT = Dialect(
    name="os10",
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
POLICY_SYNTAX = PolicySyntax(DIALECT, BUILTIN)
