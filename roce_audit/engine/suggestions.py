"""Did you mean: the one wording of a suggestion for a mistyped word."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """`, did you mean 'x'?` for the closest known word, or an empty text when none is close."""
    import difflib  # only on the way to an error

    names = list(known)
    near = difflib.get_close_matches(word, names, 1) or [n for n in names if len(word) > 2 and word in n.split("_")]
    return f", did you mean '{near[0]}'?" if near else ""
