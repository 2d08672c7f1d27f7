"""Classifiers that list DSCPs and do not say that they believe them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.picos import statements as st
from roce_audit.platforms.picos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.values import Place, Why

_LAST_TAG = 7


def untrusting(ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Applied classifiers without a trust mode whose code points are no tags: what they believe no guide says."""
    using: dict[tuple[str, Place, str], dict[str, None]] = {}
    for port in ports:
        if port.facts.trust.why is not Why.NO_DEFAULT:
            continue
        for part in port.parts:
            for index, statement in enumerate(part.block.texts.statements if part.kind == "classifier" else ()):
                value = TABLE.parse("classifier", statement).value
                if isinstance(value, st.Classified) and value.code_point > _LAST_TAG:
                    using.setdefault((part.name, part.block.place(index), statement), {})[port.name] = None
                    break
    for (name, place, statement), names in using.items():
        text = f"classifier {name} lists DSCPs and has no trust-mode: whether it believes them, no guide says"
        yield seen("conflict", name, text, place, statement, tuple(names))
