"""Taking a statement back at a prompt that knows `no` or `undo`: the statement, or as much of it as names the setting."""

from __future__ import annotations

from collections.abc import Sequence


def negated(statement: str, shortened: Sequence[str] = (), word: str = "no") -> str:
    """`no STATEMENT`; what is negated already, without its `no`. `word` is what the platform negates with.

    `shortened`: beginnings of statements whose `no` takes nothing more (`mtu`: `no mtu`); `*` stands for any word. The
    longest that fits counts.
    """
    if statement.startswith(f"{word} "):
        return statement.removeprefix(f"{word} ")
    words = statement.split()
    fitting = [beginning.split() for beginning in shortened]
    fitting = [
        b for b in fitting if len(b) <= len(words) and all(w in ("*", g) for w, g in zip(b, words, strict=False))
    ]
    return " ".join([word, *words[: max(map(len, fitting), default=len(words))]])
