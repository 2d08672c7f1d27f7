"""Headroom by speed and cable: `pg_profile_lookup.ini`, from which buffermgrd makes the lossless profiles of the traditional model.

A line is `speed cable size xon xoff threshold [xon_offset]`; what follows `#` at its beginning is a comment
(sonic-swss cfgmgr/buffermgr.cpp, readPgProfileLookupFile).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from roce_audit.platforms.sonic.statements import header, statement
from roce_audit.text.block import Block, block
from roce_audit.text.document import Document
from roce_audit.values import Place

FILE = re.compile(r"(?:\A|/)pg_profile_lookup[\w.-]*\.ini\Z")
POOL = "ingress_lossless_pool"
_ROW = re.compile(
    r"[ \t]*([0-9]{3,8})[ \t]+([0-9]{1,7}m)[ \t]+([0-9]{1,12})[ \t]+([0-9]{1,12})[ \t]+([0-9]{1,12})"
    r"[ \t]+(-?[0-9]{1,12})(?:[ \t]+([0-9]{1,12}))?[ \t]*\Z"
)
_HEADING = re.compile(r"^#[ \t]*(?:PG lossless profiles|speed[ \t]+cable[ \t]+size)", re.I | re.M)
_HEAD = 2_000


@dataclass
class Lookup:
    """The rows of one table; `odd` are the lines that are none, so that a row that is missing may be one of them."""

    path: str
    rows: dict[tuple[str, str], tuple[tuple[str, ...], int]] = field(default_factory=dict)
    odd: list[tuple[str, Place]] = field(default_factory=list)

    def profile(self, name: str, pool_mode: str) -> Block | None:
        """The BUFFER_PROFILE row that the device would make under this name; None where the table has none for it."""
        speed, _, cable = name.removeprefix("pg_lossless_").removesuffix("_profile").partition("_")
        found = self.rows.get((speed, cable))
        if found is None or name != generated(speed, cable):
            return None
        (size, xon, xoff, threshold, offset), line = found
        given = {"pool": POOL, "size": size, "xoff": xoff, "xon": xon, "xon_offset": offset}
        if pool_mode:
            given[f"{pool_mode}_th"] = threshold
        row = header("BUFFER_PROFILE")
        said = [statement(row, name, value) for name, value in sorted(given.items()) if value]
        return block(self.path, line, (row, *said), (line,) * (len(said) + 1))


def generated(speed: str, cable: str) -> str:
    """The name that the device gives the lossless profile for a speed (Mbit/s) and a cable (`40m`)."""
    return f"pg_lossless_{speed}_{cable}_profile"


def is_table(document: Document) -> bool:
    """Whether a document is such a table, by its name or its heading."""
    return FILE.search(document.path) is not None or _HEADING.search(document.text[:_HEAD]) is not None


def parse(document: Document) -> Lookup:
    """The table; the last line for a speed and a cable holds."""
    found = Lookup(document.path)
    for number, line in document.numbered():
        if not line.strip() or line.startswith("#"):
            continue
        row = _ROW.match(line)
        if row is None:
            found.odd.append((line.strip(), Place(document.path, number)))
        else:
            speed, cable, *numbers = row.groups()
            found.rows[speed, cable] = (tuple(n or "" for n in numbers), number)
    return found
