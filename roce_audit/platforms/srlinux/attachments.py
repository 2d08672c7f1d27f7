"""What stands under `qos interfaces`: for which interface or subinterface it is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from roce_audit.platforms.srlinux.statements import Documents
from roce_audit.platforms.srlinux.table import TABLE
from roce_audit.platforms.srlinux.values import interface
from roce_audit.records import dataclass
from roce_audit.values import Place

_NAMED = re.compile(r"(.+?)(?:\.([0-9]{1,4}))?\Z")
_BEGINNING = re.compile(r"(?:ethernet-[0-9]+(?:/[0-9]+){1,2}|lag[0-9]+|irb[0-9]+)")
REFERENCE = "interface-ref"


@dataclass(frozen=True, slots=True)
class Target:
    """Where an attachment belongs. `interface` None: nobody can tell; `nobody`: to no interface there is.

    `refers` is the statement that names the interface, where there is one.
    """

    interface: str | None
    sub: str
    place: Place
    nobody: bool = False
    refers: tuple[str, Place] | None = None


def target(name: str, documents: Documents, known: Iterable[str]) -> Target:
    """For which interface an attachment of this name is: as `interface-ref` says, else by its own name."""
    place = next(iter(documents.values())).header
    told: dict[str, str] = {}
    refers: tuple[str, Place] | None = None
    for text, at in [said for each in documents.values() for said in each.said]:
        if not text.startswith(REFERENCE):
            continue
        leaf = TABLE.parse("attachment", text).value
        if leaf is None:
            return Target(None, "", at)
        told[leaf.name.rpartition(" ")[2]] = str(leaf.value)
        refers = (text, at) if leaf.name.endswith(" interface") else refers
    if "interface" in told:
        return Target(told["interface"], told.get("subinterface", ""), place, refers=refers)
    own = _NAMED.match(name)
    assert own is not None  # any name has a beginning
    try:
        found = interface(own[1])
    except ValueError:
        return Target(None, "", place, nobody=True)
    return Target(found, own[2] or "", place, nobody=found not in known)


def begins(text: str) -> str:
    """The interface that a garbled name begins with; "" where it begins with none."""
    found = _BEGINNING.match(text)
    return found.group() if found else ""
