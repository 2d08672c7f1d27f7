"""When is a word meant to be another? One answer for every platform, for command lines and for trees."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import takewhile

from roce_audit.patterns import lazy

_SHORTEST = 3
_LONG = 8
"""From this length on two slips are forgiven, below it one."""
_ANY_SLIP = 4
"""From this length on any letter may be the wrong one; of three letters two may be swapped or one doubled (`bfd` is no `afd`)."""
_RATIO = 0.85


def _any_letter(word: str, wanted: str) -> bool:
    """Whether any letter may be the wrong one; one that no keyword has, such as a blank of no width, is certainly."""
    return len(wanted) >= _ANY_SLIP or not word.isascii()


def meant(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that this word is a misspelling of; None where it is none of them, or is one itself."""
    near: list[tuple[float, str]] = []
    for wanted in candidates:
        if word == wanted:
            return None
        if is_near(word, wanted):
            near.append((SequenceMatcher(None, word, wanted).ratio(), wanted))
    return max(near, default=(0.0, None))[1]


@lru_cache(maxsize=65_536)
def is_near(word: str, wanted: str) -> bool:
    """Whether `word` is `wanted` with a slip of the pen in it, or with something stuck to its end that is no part of a word."""
    if word.startswith(wanted):
        return not (word[len(wanted)].isalnum() or word[len(wanted)] in "-_") or _is_slip(word, wanted)
    return _is_slip(word, wanted)


def _is_slip(word: str, wanted: str) -> bool:
    if min(len(word), len(wanted)) < _SHORTEST or abs(len(word) - len(wanted)) > 2:
        return False
    if word[:1].isalpha() != wanted[:1].isalpha() or word[:1].isupper() != wanted[:1].isupper():
        return False  # `$lldp`, `System Name:`: words of another kind of text
    if _one_slip(word, wanted):
        return True
    return min(len(word), len(wanted)) >= _LONG and SequenceMatcher(None, word, wanted).ratio() >= _RATIO


def _one_slip(word: str, wanted: str) -> bool:
    """One letter too many, missing, wrong or swapped with its neighbour. A digit for another digit is another name, no slip."""
    start = 0
    while start < min(len(word), len(wanted)) and word[start] == wanted[start]:
        start += 1
    left, right = word[start:], wanted[start:]
    if left[:1].isdigit() and (not right or right[:1].isdigit()):
        return False
    if len(left) >= 2 and left[:2] == right[1::-1] and left[2:] == right[2:]:
        return True
    if left[1:] == right:
        return _any_letter(word, wanted) or (start > 0 and word[start] == word[start - 1])
    return _any_letter(word, wanted) and (left == right[1:] or left[1:] == right[1:])


_LEAST_LETTERS, _LEAST_TO_DIFFER = 4, 5
"""Letters that a word inside a name has at the least, for a slip in it to be no other word; more where one letter is another one."""


def _alike(one: str, other: str) -> int:
    """How many letters two words have in common before they part."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def is_slip_in_name(name: str, wanted: str) -> bool:
    """Whether a name is another one with a slip of the pen in a word of it: two letters swapped, or one wrong, missing or too many.

    Names that differ in a number, in the first or last letter of a word (`leaf-a`, `LEAP`), or in the `s` of a plural are two names.
    """
    start = _alike(name, wanted)
    end = _alike(name[start:][::-1], wanted[start:][::-1])
    left, right = name[start : len(name) - end], wanted[start : len(wanted) - end]
    swapped = len(left) == 2 and left == right[::-1]
    if not (left + right).isalpha() or not (swapped or max(len(left), len(right)) == 1):
        return False
    longer = max(name, wanted, key=len)
    word = next(word for word in _WORDS.finditer(longer) if word.start() <= start < word.end())
    letters = len(word.group())
    if swapped:
        return letters >= _LEAST_LETTERS
    if left and right:
        return letters >= _LEAST_TO_DIFFER and word.start() < start < word.end() - 1
    is_plural = longer[start].lower() == "s" and start == word.end() - 1 and longer[start - 1 : start] != longer[start]
    return letters >= _LEAST_LETTERS and not is_plural


_WORDS = lazy(r"[^\W\d_]+")


def with_verb_inside(verb: str, words: Sequence[str], named: Collection[str] = ()) -> list[str]:
    """The words behind a verb that its system does not know (`ste` for `set`), as a statement of theirs that nobody understands: what
    the line does to them nobody knows. The verb stands behind the first word, or behind the name that follows one of `named`.
    """
    at = 2 if words[0] in named else 1
    return [*words[:at], verb, *words[at:]]
