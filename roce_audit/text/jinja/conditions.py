"""Conditions of tasks and templates (`when: lossless and fabric == 'gpu'`), as far as the values that are known decide them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text.jinja.values import Effort, Open, value_of

_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0", ""})
_COMPARED = lazy(r"(?P<left>[^=!<>]{1,200}?)\s{0,8}(?P<sign>==|!=)\s{0,8}(?P<right>[^=!<>]{1,200})")
_IN, _NOT = " in ", " not"
_DEFINED = lazy(r"(?P<name>[A-Za-z_]\w{0,60})\s{1,8}is\s{1,8}(?P<no>not\s{1,8})?defined")
_CALL = lazy(r"\|\s{0,8}\w{1,30}\((?![^()]{0,80} (?:and|or) )[^()]{0,80}\)")
"""A filter with its arguments."""
_GROUP = lazy(r"(?P<before>\A|\(|\bnot |\band |\bor )\((?P<inner>[^()]{1,400})\)(?=\Z|\)| and | or )")
_ASKS = lazy(r" (?:and|or|in|is) |[=!]=")
"""Brackets around what a condition says, and the words that tell them from others."""
_OPEN = "_not_known"
_BOOLEAN = lazy(r"\s{0,8}\|\s{0,8}bool\s*")
_LONGEST = 2_000
_MOST = 40
_DEEPEST = 4


def decided(written: Any, variables: Mapping[str, Any], effort: Effort | None = None) -> bool | None:
    """Whether a condition holds, or each of a list of them; None where that hangs on what is not known.

    `effort` is that of the value in which it stands.
    """
    effort = effort or Effort()
    if isinstance(written, bool):
        return written
    if isinstance(written, list):
        return _all([decided(one, variables, effort) if not isinstance(one, list) else None for one in written[:_MOST]])
    if not isinstance(written, str) or len(written) > _LONGEST:
        return None
    text = " ".join(written.split()).removeprefix("{{").removesuffix("}}").strip()

    def settled(group: re.Match[str]) -> str:
        holds = _either(group["inner"], variables, effort) if _ASKS.search(group["inner"]) is not None else None
        return group["before"] + (_OPEN if holds is None else str(holds).lower())

    for _ in range(_DEEPEST if "(" in text else 0):
        text = _GROUP.sub(settled, text)
    return _either(text, variables, effort)


def _either(text: str, variables: Mapping[str, Any], effort: Effort) -> bool | None:
    """Whether one of the parts between `or` holds."""
    if (" and " in text or " or " in text) and "(" in _CALL.sub("", text):
        return None
    either = [
        _all([_one(part, variables, effort) for part in one.split(" and ")]) for one in text.split(" or ")[:_MOST]
    ]
    return True if True in either else None if None in either else False


def _all(found: list[bool | None]) -> bool | None:
    return False if False in found else None if None in found else True


def _one(text: str, variables: Mapping[str, Any], effort: Effort) -> bool | None:
    text = text.strip()
    if text.startswith("not "):
        opposite = _one(text[4:], variables, effort) if not text.startswith("not not ") else None
        return None if opposite is None else not opposite
    asked = _DEFINED.fullmatch(text)
    if asked is not None:
        return (asked["no"] is None) if asked["name"] in variables else None
    try:
        left, within, right = text.partition(_IN)
        if within:
            listed = _value(right, variables, effort)
            if not isinstance(listed, list | str):
                return None
            return (_value(left.removesuffix(_NOT), variables, effort) in listed) != left.endswith(_NOT)
        compared = _COMPARED.fullmatch(text)
        if compared is not None:
            is_equal = bool(_value(compared["left"], variables, effort) == _value(compared["right"], variables, effort))
            return is_equal == (compared["sign"] == "==")
        return _truth(_value(_BOOLEAN.sub("", text), variables, effort))
    except (Open, TypeError):
        return None


def _value(text: str, variables: Mapping[str, Any], effort: Effort) -> Any:
    word = text.strip()
    if word.lower() in ("true", "false"):
        return word.lower() == "true"
    return value_of("{{ " + word + " }}", variables, effort)


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool | int):
        return bool(value)
    if isinstance(value, str):
        return True if value.lower() in _TRUE else False if value.lower() in _FALSE else None
    return bool(value) if isinstance(value, list | dict) else None
