"""A leaf of a tree that people keep (YAML or JSON of a playbook, a REST body) with another value, on the line where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from roce_audit.patterns import lazy
from roce_audit.platforms.repair import Change, Edit, Texts, line_at
from roce_audit.values import Place

_LONGEST = 300
_LEAF = lazy(r"(.{0,200}?[\"']?)\b([\w-]{1,60})([\"']? ?: ?[\"']?)([\w.+-]{1,60})([\"']?[ ,}\]]{0,10})")
"""What stands before, the key, what stands between, the value, what ends the line."""


def written(
    leaves: Mapping[str, Callable[[object], str]],
    statement: Callable[[object], str] | None,
    value: object,
    places: Sequence[Place],
    texts: Texts,
) -> Iterator[Change]:
    """The value in the first of these lines that holds it: by its leaf, or by one that is called as the statement's last word but one."""
    words = statement(value).split() if statement is not None else []
    named = {_name(key): write(value) for key, write in leaves.items()}
    named |= {_name(words[-2]): words[-1]} if len(words) > 1 and words[0] != "no" else {}
    for place in places:
        found = _leaf(place, texts)
        new = named.get(_name(found[2])) if found is not None else None
        if found is not None and new is not None and new != found[4]:
            yield _changed(place, found, new)
            return


def copied(places: Sequence[Place], wanted: Sequence[Place], texts: Texts) -> Iterator[Change]:
    """The value of the leaf in one of the wanted lines, in the line here whose leaf is called as it."""
    theirs = [found for place in wanted if (found := _leaf(place, texts)) is not None]
    for place in places:
        found = _leaf(place, texts)
        for other in theirs if found is not None else ():
            if found is not None and found[2] == other[2] and found[4] != other[4]:
                yield _changed(place, found, other[4])


def _leaf(place: Place, texts: Texts) -> re.Match[str] | None:
    line = line_at(place, texts)
    return _LEAF.fullmatch(line) if len(line) <= _LONGEST else None


def _changed(place: Place, found: re.Match[str], new: str) -> Change:
    line = f"{found[1]}{found[2]}{found[3]}{new}{found[5]}"
    where = f"# {place.path}:{place.line}"
    edit = Edit(place.path, place.line, found[0], line)
    return Change((edit,), (f"{line.strip()}   {where}",), (f"{found[0].strip()}   {where}",), in_file=True)


def _name(key: str) -> str:
    return key.replace("-", "_").lower()
