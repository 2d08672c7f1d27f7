"""Which series a switch is of, by the two letters before its release: what its packet memory is depends on it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from roce_audit.text.document import Document
from roce_audit.values import Cell, Place, Why, known, unknown

_RELEASE = re.compile(
    r"^(?:!|! )?(?:(?:ArubaOS-CX|AOS-CX) )?Version +:? *(?:ArubaOS-CX |AOS-CX )?([A-Z]{2})(\.\d\S{0,30})", re.M
)
_SHOWN = re.compile(r"^(?:! )?Product Name +: +(\S[^\n]{0,80}?) *$", re.M)
_HEAD = 20_000

POOLS = "pools"
FIXED = "fixed"
CAMPUS = "campus"
_BY_LETTERS = {
    "GL": POOLS,
    "HL": POOLS,
    "CL": POOLS,
    "DL": POOLS,
    "LL": FIXED,
    "XL": FIXED,
    "FL": CAMPUS,
    "ML": CAMPUS,
    "PL": CAMPUS,
    "RL": CAMPUS,
    "SL": CAMPUS,
}
"""8325, 8325H, 9300, 10000; 8100 and 8360, 8400; 6300 and 6400, 6200, 4100 and 6100, 6000. Captures show GL, HL, LL, FL."""


def family_of(documents: Sequence[Document]) -> str:
    """POOLS, FIXED or CAMPUS; empty where no release is shown, or one of another series."""
    for document in documents:
        found = _RELEASE.search(document.text[:_HEAD])
        if found is not None:
            return _BY_LETTERS.get(found.group(1), "")
    return ""


def release_of(documents: Sequence[Document]) -> Cell[str]:
    """The release with the letters of its series."""
    return _first(_RELEASE, documents)


def model_of(documents: Sequence[Document]) -> Cell[str]:
    """The model as `show system` names it."""
    return _first(_SHOWN, documents)


def _first(pattern: re.Pattern[str], documents: Sequence[Document]) -> Cell[str]:
    for document in documents:
        found = pattern.search(document.text[:_HEAD])
        if found is not None:
            return known("".join(found.groups()), Place(document.path, document.line_at(found.start())))
    return unknown(Why.NOT_VISIBLE)
