"""The dialect of NX-OS: its tables and grammar put together."""

from __future__ import annotations

from importlib.resources import files

from roce_audit.platforms.nxos.tables import IGNORED, LABELS, OPENERS, RAW, STRICT, TOPICS
from roce_audit.platforms.nxos.transform import RULES
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
