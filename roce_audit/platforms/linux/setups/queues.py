"""Traffic classes and receive buffers as a script sets them up, seen from the priorities that use them.

A priority that the script gives no traffic class has the one of its own number: so drivers begin. Of priorities 0 and 1 only that
is said which holds for both classes, for mlx5 begins with the two exchanged (Linux, mlx5/core/en_dcbnl.c, mlx5e_ets_init).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from roce_audit.platforms.shared.host import boot as hostboot
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.values import Cell, Where, Why, absent, known, unknown

_TRAFFIC_CLASS: Note[int] = hostboot.QUEUES["tc-of"]
_SCHEDULING: Note[str] = hostboot.QUEUES["tsa"]
_SHARE: Note[int] = hostboot.QUEUES["share"]
_BUFFER: Note[int] = hostboot.QUEUES["buffer-of"]
_BYTES: Note[int] = hostboot.QUEUES["bytes"]
_EXCHANGED = (0, 1)
_OF_PAUSED = 1
"""Where a ConnectX puts what it pauses by itself: its firmware leads it there as PFC is turned on (mlnx_qos shows it so)."""
_UNMARKED = 0
_TIMES = 3


def strict(nic: NicSettings) -> Cell[frozenset[int]]:
    """The priorities whose traffic class is made strict; that of a paused one is named first."""
    return _priorities(nic, (_SCHEDULING,), lambda found: found == ["strict"])


def unserved(nic: NicSettings) -> Cell[frozenset[int]]:
    """The priorities whose traffic class shares by weight and gets nothing."""
    return _priorities(nic, (_SHARE, _SCHEDULING), lambda found: found == [0, "ets"])


def outweighed(nic: NicSettings) -> Cell[frozenset[int]]:
    """The priorities whose traffic class gets something, and less than a third of what that of unmarked traffic (priority 0) gets."""
    unmarked = _of_unmarked(nic)
    given = nic.cell(_TRAFFIC_CLASS[unmarked])
    if given is not None and given.is_unknown:
        return unknown(given.why or Why.NOT_VISIBLE, *given.at)
    usual = _EXCHANGED if unmarked in _EXCHANGED else (unmarked,)
    numbers = usual if given is None else (given.get(),)
    weighted = [
        nic.cell(_SHARE[n]) for n in numbers if (tsa := nic.cell(_SCHEDULING[n])) is not None and tsa.value == "ets"
    ]
    shares = [cell.get() for cell in weighted if cell is not None and cell.is_known]
    least = min(shares) if len(shares) == len(numbers) else 0
    return _priorities(nic, (_SHARE, _SCHEDULING), lambda found: found[1] == "ets" and 0 < _TIMES * found[0] < least)


def beside_unmarked(nic: NicSettings) -> Cell[frozenset[int]]:
    """The priorities with PFC that the script leads to one traffic class with unmarked traffic, which has no PFC itself."""
    paused, unmarked = _paused(nic), _of_unmarked(nic)
    led = {n: cell for n in sorted({*paused, unmarked}) if (cell := nic.cell(_TRAFFIC_CLASS[n])) is not None}
    if not paused or unmarked in paused or unmarked not in led or len(led) == 1:
        return absent()
    not_known = next((cell for cell in led.values() if cell.is_unknown), None)
    if not_known is not None:
        return unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
    found = [n for n in led if n != unmarked and led[n].get() == led[unmarked].get()]
    return known(frozenset(found), *_places(led[n] for n in (*found, unmarked)))


def _of_unmarked(nic: NicSettings) -> int:
    """The priority of packets that nobody marks."""
    of_zero = nic.cell(f"{hostboot.DSCP}.0")
    return of_zero.get() if of_zero is not None and of_zero.is_known else _UNMARKED


def apart(nic: NicSettings) -> Cell[frozenset[int]]:
    """The priorities that the script leads to traffic classes which are served, other than that of unmarked traffic; absent where it
    makes none but that."""
    if not nic.keys(_TRAFFIC_CLASS) or not nic.keys(_SHARE):
        return absent()
    led = {n: cell for n in range(8) if (cell := nic.cell(_TRAFFIC_CLASS[n])) is not None}
    shares = {n: cell for n in range(8) if (cell := nic.cell(_SHARE[n])) is not None}
    scheduled = {n: tsa for n in range(8) if (tsa := nic.cell(_SCHEDULING[n])) is not None}
    said: list[Cell[Any]] = [*led.values(), *shares.values(), *scheduled.values()]
    not_known = next((cell for cell in said if cell.is_unknown), None)
    if not_known is not None:
        return unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
    if len(led) < len(range(8)):
        return absent()
    weighted = {
        n for n, cell in shares.items() if cell.get() > 0 and (n not in scheduled or scheduled[n].get() == "ets")
    }
    served = weighted | {n for n, cell in scheduled.items() if cell.get() != "ets"}
    found = [n for n, cell in led.items() if cell.get() in served - {led[_UNMARKED].get()}]
    if not found and not weighted - {led[_UNMARKED].get()}:
        return absent()
    return known(frozenset(found), *_places(led[n] for n in found or (_UNMARKED,)))


def total_share(nic: NicSettings) -> Cell[int]:
    """The sum of the shares of the traffic classes that share by weight, percent."""
    if not nic.keys(_SHARE) or not nic.keys(_SCHEDULING):
        return absent()
    cells = [
        cell for number in range(8) for note in (_SCHEDULING, _SHARE) if (cell := nic.cell(note[number])) is not None
    ]
    not_known = next((cell for cell in cells if cell.is_unknown), None)
    if not_known is not None:
        return unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
    weighted = [n for n in range(8) if (tsa := nic.cell(_SCHEDULING[n])) is not None and tsa.get() == "ets"]
    shares = [cell for n in weighted if (cell := nic.cell(_SHARE[n])) is not None]
    return known(sum(cell.get() for cell in shares), *_places(shares)) if shares else absent()


def lossless_bytes(nic: NicSettings) -> Cell[int]:
    """The smallest receive buffer that a paused priority is led to."""
    found: list[Cell[int]] = []
    usual = nic.cell(_BYTES[_OF_PAUSED])
    is_usual = not nic.keys(_BUFFER) and usual is not None and (usual.is_unknown or usual.get() > 0)
    for priority in sorted(_paused(nic)):
        number = known(_OF_PAUSED) if is_usual else nic.cell(_BUFFER[priority])
        size = nic.cell(_BYTES[number.get()]) if number is not None and number.is_known else number
        if size is not None and size.is_unknown:
            return unknown(size.why or Why.NOT_VISIBLE, *size.at)
        if size is not None and number is not None:
            found.append(known(size.get(), *size.at, *number.at))
    return min(found, key=lambda cell: cell.get(), default=absent())


def sharing(nic: NicSettings) -> Cell[frozenset[int]]:
    """The priorities without PFC in the receive buffer of one with it."""
    paused = _paused(nic)
    buffers = {n: cell for n in range(8) if (cell := nic.cell(_BUFFER[n])) is not None}
    if not paused or not buffers:
        return absent()
    not_known = next((cell for cell in buffers.values() if cell.is_unknown), None)
    if not_known is not None:
        return unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
    lossless = {buffers[n].get() for n in paused if n in buffers}
    others = [n for n, cell in buffers.items() if n not in paused and cell.get() in lossless]
    return known(frozenset(others), *_places(buffers[n] for n in (*sorted(paused & buffers.keys()), *others)))


def _priorities(nic: NicSettings, notes: tuple[Note[Any], ...], is_meant: Any) -> Cell[frozenset[int]]:
    """The priorities of whose traffic class this is said by all of these notes; absent where one of them says nothing."""
    if any(not nic.keys(note) for note in notes):
        return absent()
    meant: dict[int, tuple[Where, ...]] = {}
    asked: list[Cell[Any]] = []
    for priority in range(8):
        given = nic.cell(_TRAFFIC_CLASS[priority])
        if given is not None and given.is_unknown:
            return unknown(given.why or Why.NOT_VISIBLE, *given.at)
        if given is not None:
            numbers: tuple[int, ...] = (given.get(),)
        else:
            numbers = _EXCHANGED if priority in _EXCHANGED else (priority,)
        found = [[cell for note in notes if (cell := nic.cell(note[number])) is not None] for number in numbers]
        said = [cell for cells in found for cell in cells]
        not_known = next((cell for cell in said if cell.is_unknown), None)
        if not_known is not None:
            return unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
        asked += said
        if all(len(cells) == len(notes) and is_meant([cell.get() for cell in cells]) for cells in found):
            meant[priority] = said[0].at
    paused = _paused(nic)
    ordered = sorted(meant, key=lambda priority: priority not in paused)
    return known(frozenset(meant), *dict.fromkeys(at for n in ordered for at in meant[n]), *_places(asked)[:1])


def _paused(nic: NicSettings) -> frozenset[int]:
    cell = nic.cell(hostboot.PFC)
    return cell.get() if cell is not None and cell.is_known else frozenset()


def _places(cells: Iterable[Cell[Any]]) -> tuple[Where, ...]:
    return tuple(dict.fromkeys(at for cell in cells for at in cell.at))
