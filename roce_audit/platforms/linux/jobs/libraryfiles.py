"""Slips in files that NCCL and RCCL read themselves, line by line: no shell takes words, quotes and remarks out of them.

Source: NVIDIA NCCL, src/misc/param.cc, setEnvFile: the name is all that stands before the first `=`, the value all behind it; numbers
are taken by strtoll, which leaves out what follows them.
"""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host.settings import NUMBERS, VARIABLES

NAMED = r"(?:^|/)\.?(?:nccl|rccl)\.conf(?:\.j2|\.tmpl)?\Z"
"""Pattern of their paths."""
_LINE = re.compile(r"[ \t]{0,9}(export[ \t]{1,9})?([A-Z][A-Z0-9_]{1,80})=([^\n]{0,500})")
_REMARK = re.compile(r"[^\s#][^#]{0,400}[ \t]#")
_NUMBERS = frozenset(NUMBERS.values())
NO_SHELL = "the library reads this file itself and takes all before the sign for the name: export is a word of shells, and nothing is set"
IN_QUOTES = "the library reads this file itself and takes the quotes for a part of the value"
WITH_REMARK = "the library reads this file itself and takes the remark for a part of the value"


def is_own(path: str) -> bool:
    """Whether the library reads a file of this name itself."""
    return re.search(NAMED, path) is not None


def slip(text: str) -> tuple[str, str] | None:
    """(variable, what is wrong) of a line that sets one otherwise than it reads."""
    found = _LINE.fullmatch(text.rstrip())
    if found is None or found[2] not in VARIABLES:
        return None
    if found[1]:
        return found[2], NO_SHELL
    if found[3][:1] in ("'", '"'):
        return found[2], IN_QUOTES
    if found[2] not in _NUMBERS and _REMARK.match(found[3]) is not None:
        return found[2], WITH_REMARK
    return None
