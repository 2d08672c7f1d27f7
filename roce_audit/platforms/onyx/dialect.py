"""The dialect of Onyx: its tables and grammar put together."""

from __future__ import annotations

from importlib.resources import files

from roce_audit.platforms.onyx.tables import IGNORED, LABELS, OPENERS, RAW, STRICT, TOPICS
from roce_audit.platforms.onyx.transform import RULES
from roce_audit.text.dialect import Dialect

DIALECT = Dialect(
    name="onyx",
    grammar=lambda: files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8"),
    rules=RULES,
    topics=TOPICS,
    openers=OPENERS,
    comments=("#", "!"),
    strict=STRICT,
    raw=RAW,
    ignored=IGNORED,
    labels=LABELS,
)
