"""Classifiers that list DSCPs and do not say that they believe them, or believe the tag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.picos import statements as st
from roce_audit.platforms.picos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.values import Place, Why

_LAST_TAG = 7


def untrusting(ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Applied classifiers whose code points are no tags: without a trust mode, of which no guide says what it believes, or with that
    of the tag, whose priorities end at 7."""
    using: dict[tuple[str, Place, str, Place | None], dict[str, None]] = {}
    for port in ports:
        of_tags = port.facts.trust.value == "pcp"
        if not of_tags and port.facts.trust.why is not Why.NO_DEFAULT:
            continue
        for part in port.parts:
            said = part.block.texts.statements if part.kind == "classifier" else ()
            values = [TABLE.parse("classifier", statement).value for statement in said]
            listed = [i for i, v in enumerate(values) if isinstance(v, st.Classified) and v.code_point > _LAST_TAG]
            trusts = [i for i, value in enumerate(values) if isinstance(value, st.Believed)]
            if listed:
                trust = part.block.place(trusts[-1]) if of_tags and trusts else None
                using.setdefault((part.name, part.block.place(listed[0]), said[listed[0]], trust), {})[port.name] = None
    for (name, place, statement, trust), names in using.items():
        if trust is None:
            text = f"classifier {name} lists DSCPs and has no trust-mode: whether it believes them, no guide says"
            yield seen("conflict", name, text, place, statement, tuple(names))
        else:
            text = f"classifier {name} lists DSCPs and trusts the 802.1p tag, whose priorities end at {_LAST_TAG}"
            yield seen("map-without-trust", name, text, trust, name, tuple(names), place)
