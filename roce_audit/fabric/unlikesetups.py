"""Setups of hosts side by side: one file of the same name in the folder of each host, of which one sets what all others set otherwise.

Folders of hosts of one kind have names that differ in their numbers alone (`gpu11`, `gpu12`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from roce_audit.model import NicSetup, Observation
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.values import Cell, Place, known

_FEWEST = 4
_DIGITS = lazy(r"\d+")
_MARKS = {
    "cnp_dscp": "DSCP {} for CNPs",
    "cnp_priority": "priority {} for CNPs",
    "tos": "ToS byte {} for all queue pairs",
    "cma_tos": "ToS byte {} for connections of rdma_cm",
}
"""What other rules judge in no case, or by the class alone, in words."""
_OF_DATA = frozenset({"tos", "cma_tos"})


class _Said(NamedTuple):
    """What one file sets."""

    path: PurePosixPath
    cell: Cell[int]
    at: Place


def unlike_setups(devices: Iterable[DeviceReading], dscps: Collection[int]) -> Iterator[Observation]:
    """One observation for each file that differs. `dscps` are those of the RoCE classes: rules tell marks of data outside of them."""
    said: dict[tuple[str, ...], list[_Said]] = defaultdict(list)
    for device in devices:
        for setup in device.host.nic_setups.or_else(()) if device.host is not None else ():
            for field, one in _marks(setup):
                host = one.path.parent
                said[str(host.parent), _DIGITS.sub("#", host.name), one.path.name, setup.name, field].append(one)
    told: dict[PurePosixPath, Observation] = {}
    for (*_, name, field), those in said.items():
        odd = _odd_one(those)
        if odd is None or odd[0].path in told or (field in _OF_DATA and dscps and odd[0].cell.get() // 4 not in dscps):
            continue
        mine, usual = odd
        words = _MARKS[field]
        text = (
            f"{name}: {words.format(mine.cell.get())} here, and {words.format(usual.cell.get())} in the same file of {len(those) - 1}"
            f" other hosts, such as {usual.path.parent.name}"
        )
        told[mine.path] = Observation(
            "conflict", mine.path.parent.name, text, known(True, mine.at), known(name, mine.at, usual.at)
        )
    yield from told.values()


def _marks(setup: NicSetup) -> Iterator[tuple[str, _Said]]:
    fields: Mapping[str, Cell[Any]] = {field: getattr(setup, field) for field in _MARKS}
    for field, cell in fields.items():
        place = next((at for at in cell.at if isinstance(at, Place)), None)
        if place is not None and (cell.is_known or cell.is_unknown):
            yield field, _Said(PurePosixPath(place.path), cell, place)


def _odd_one(those: list[_Said]) -> tuple[_Said, _Said] | None:
    """The file that says what no other says, and one of all others, which agree; None where it is not so, or one is not known."""
    if len({one.path for one in those}) < max(_FEWEST, len(those)) or not all(one.cell.is_known for one in those):
        return None
    counted = Counter(one.cell.get() for one in those)
    usual, most = counted.most_common(1)[0]
    if most != len(those) - 1:
        return None
    odd = next(one for one in those if one.cell.get() != usual)
    return odd, next(one for one in those if one.cell.get() == usual)
