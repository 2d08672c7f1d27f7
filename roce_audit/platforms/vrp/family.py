"""Chip families: what a switch accepts and has of itself differs, and its configuration does not name the model.

The answer of `display version` names it. Else statements that only one family has give it away: a switch prints no line that
it does not know. Where neither speaks, or both families do, the family is unknown, and so is all in which they differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from roce_audit.text.document import Document
from roce_audit.values import Place

Family = Literal["ce6866", "ce8855", ""]
"""Named after one model of each, as the guide lists them; "" = unknown."""

_MODELS: dict[Family, re.Pattern[str]] = {
    "ce8855": re.compile(r"CE(?:6855-48XS8CQ|6863E-48S8CQ|6885|8851-32CQ4BQ|8855)"),
    "ce6866": re.compile(r"CE(?:6866|6860-(?:SAN|HAM)|8850-(?:SAN|HAM)|8851K|8851-32CQ8DQ)"),
}
_ONLY_HERE: dict[Family, re.Pattern[str]] = {
    "ce8855": re.compile(
        r"^[ \t]*(?:dcb pfc (?:dscp-mapping enable slot \d|deadlock-detect interval \d|buffer \d hdrm \d+(?: kbytes)?[ \t]*$"
        r"|buffer \d guaranteed \d+(?: k?bytes)?[ \t]*$)|priority \d deadlock-(?:detect|recovery) time \d)",
        re.M,
    ),
    "ce6866": re.compile(
        r"^[ \t]*(?:qos ecn enable|qos hpc enhanced|dcb pfc (?:deadlock-(?:detect|recovery) timer \d|buffer \d xon (?:static|dynamic) \d))",
        re.M,
    ),
}
_OLDER = re.compile(r"^!Software Version V(?!300)\d{3}R", re.M)
"""Releases of other guides, in which other chips have these statements too."""
_VERSION = re.compile(r"^HUAWEI (CE\S{1,60}) uptime is (.{1,80})$", re.M | re.I)
_UPTIME = re.compile(r"[\w ,]{1,70}\bminutes?\s*")


class Model(NamedTuple):
    """The line that names the model; `name` is "" where something in the line was not understood."""

    name: str
    place: Place
    line: str


def model_of(documents: Iterable[Document]) -> Model | None:
    """What `display version` says."""
    for document in documents:
        found = _VERSION.search(document.text[:4_000])
        if found is not None:
            name = found.group(1) if _UPTIME.fullmatch(found.group(2)) else ""
            return Model(name, Place(document.path, document.line_at(found.start())), found.group())
    return None


def family_of(documents: Iterable[Document]) -> Family:
    """The chip family of the switch that these texts are of."""
    texts = tuple(documents)
    model = model_of(texts)
    if model is not None:
        return next((family for family, names in _MODELS.items() if names.match(model.name.upper())), "")
    if any(_OLDER.search(document.text[:4_000]) for document in texts):
        return ""
    speaking = [f for f, lines in _ONLY_HERE.items() if any(lines.search(document.text) for document in texts)]
    return speaking[0] if len(speaking) == 1 else ""
