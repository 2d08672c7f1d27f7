"""Setups of hosts side by side: one file of the same name in the folder of each host, of which one sets what all others set otherwise,
does not set it at all, or leaves a NIC out; NICs of one file that send alike and are paused otherwise; and tasks that turn PFC on for
some of the hosts that they prepare for RoCE.

Folders of hosts of one kind have names that differ in their numbers alone (`gpu11`, `gpu12`); the file may lie deeper in the tree of
a host's file system (`gpu11/etc/netplan/50-roce.yaml`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from roce_audit.fabric.hosts.setupsbeside import NEEDED_BYTES, of_one_host, trees
from roce_audit.model import NicSetup, Observation
from roce_audit.model.device import ObservationKind
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.sentences import listed, runs
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
_WORDS = _MARKS | {
    "ip_mtu_bytes": "an MTU of {} B",
    "trust": "trust in {}",
    "pfc_priorities": "PFC for priority {}",
    "cnps_sent": "CNPs on for priority {}",
    "cnps_obeyed": "CNPs obeyed for priority {}",
}
"""What each host of a kind gets if one of them does, in words."""
_FROM_FACTORY = frozenset({"cnp_dscp", "cnp_priority"})
"""What NICs have without a word as most sites set it."""
_OF_DATA = frozenset({"tos", "cma_tos"})
_NAMED = 3


class _File(NamedTuple):
    """A file in the folder of its host."""

    home: PurePosixPath
    inside: str

    @property
    def kind(self) -> tuple[str, str, str]:
        """What files of the same name of hosts of one kind have in common."""
        return str(self.home.parent), _DIGITS.sub("#", self.home.name), self.inside


class _Said(NamedTuple):
    """What one file sets, or does not."""

    path: _File
    cell: Cell[Any]
    at: Place
    """The line that sets it; of what is not set the first line about its NICs."""
    is_for_roce: bool
    """The file sets the NICs up for RoCE as well, so that rules judge what it sets."""


def unlike_setups(
    devices: Sequence[DeviceReading], dscps: Collection[int], priorities: Set[int]
) -> Iterator[Observation]:
    """One observation for each file that differs. `dscps` and `priorities` are those of the RoCE classes: rules tell marks of data outside
    of them, and that a file pauses none.
    """
    said: dict[tuple[str, ...], list[_Said]] = defaultdict(list)
    paused: dict[tuple[str, ...], dict[_File, list[NicSetup]]] = defaultdict(lambda: defaultdict(list))
    setting = [device for device in devices if device.host is not None and device.host.nic_setups.or_else(())]
    answering = [device.first.path for device in devices if device.kind == "host" and device.ports] if setting else []
    tree_of = trees([device.first.path for device in setting], answering)
    for device in setting:
        for setup in device.host.nic_setups.or_else(()) if device.host is not None else ():
            first = _first_line(setup)
            if first is None:
                continue
            path = _file(first.path, tree_of)
            for field in _WORDS:
                said[*path.kind, setup.name, field].append(_field(setup, field, path, first))
            if not setup.pfc_priorities.is_absent:
                paused[path.kind][path].append(setup)
    told: dict[_File, Observation] = {}
    for those in paused.values():
        for observation in _without_a_nic(those):
            told.setdefault(observation[0], observation[1])
    for (*_, name, field), fields in said.items():
        odd = _odd_one(fields) or (_small_one(fields) if field == "ip_mtu_bytes" else None)
        if odd is None or odd[0].path in told or not _is_telling(field, *odd, dscps):
            continue
        mine, usual = odd
        usually, count, such = _WORDS[field].format(_shown(usual.cell)), len(fields) - 1, usual.path.home.name
        others = f"in the same file of {f'{count} other hosts, such as {such}' if count > 1 else such}"
        if mine.cell.is_absent:
            text = f"{name}: the file says nothing of what stands {others}: {usually}"
        else:
            text = f"{name}: {_WORDS[field].format(_shown(mine.cell))} here, and {usually} {others}"
        lost = (
            field == "pfc_priorities" and not mine.cell.is_absent and (usual.cell.get() - mine.cell.get()) & priorities
        )
        told[mine.path] = Observation(
            "unprotected" if lost else "conflict",
            mine.path.home.name,
            text,
            known(True, mine.at),
            known(name, mine.at, usual.at),
        )
    yield from told.values()
    for device in setting:
        yield from _unlike_nics(device.host.nic_setups.or_else(()) if device.host is not None else ())


def _unlike_nics(setups: Iterable[NicSetup]) -> Iterator[Observation]:
    """NICs of one file whose driver is told one DSCP for RoCE, and that are paused otherwise; or of which one is told another DSCP."""
    told = [one for one in setups if one.nics and one.driver_dscp.is_known and one.pfc_priorities.is_known]
    for one, other in _odd_ones(told, "driver_dscp", "pfc_priorities"):
        text = (
            f"{one.name} sends RoCE with DSCP {one.driver_dscp.get()} and gets {_paused(one)}, and {other.name}, which sends alike, "
            f"{_paused(other)}"
        )
        yield _observed("unprotected", one.name, text, one.pfc_priorities, other.pfc_priorities)
    for one, other in _odd_ones((one for one in told if one.pfc_priorities.get()), "pfc_priorities", "driver_dscp"):
        if one.driver_dscp.get() // 8 in one.pfc_priorities.get():  # two classes on purpose
            continue
        text = (
            f"{one.name} sends RoCE with DSCP {one.driver_dscp.get()}, and {other.name}, which gets the same PFC, with DSCP "
            f"{other.driver_dscp.get()}"
        )
        yield _observed("conflict", one.name, text, one.driver_dscp, other.driver_dscp)


def _odd_ones(those: Iterable[NicSetup], alike: str, compared: str) -> Iterator[tuple[NicSetup, NicSetup]]:
    """Of NICs that have one field in common those that differ from most in another one, each with one of these."""
    groups: dict[Any, dict[Any, list[NicSetup]]] = defaultdict(lambda: defaultdict(list))
    for one in those:
        groups[getattr(one, alike).get()][getattr(one, compared).get()].append(one)
    for values in groups.values():
        usual = max(values, key=lambda value: (len(values[value]), bool(value)))
        yield from ((one, values[usual][0]) for value, ones in values.items() if value != usual for one in ones)


def _paused(setup: NicSetup) -> str:
    cell = setup.pfc_priorities
    return _WORDS["pfc_priorities"].format(_shown(cell)) if cell.get() else "PFC for no priority"


def _observed(kind: ObservationKind, name: str, text: str, cell: Cell[Any], other: Cell[Any]) -> Observation:
    places = [at for one in (cell, other) for at in one.at[:1] if isinstance(at, Place)]
    return Observation(kind, name, text, known(True, *places[:1]), known(name, *places))


def partly_paused(devices: Iterable[DeviceReading]) -> Iterator[Observation]:
    """One observation for each host that tasks give the mark of RoCE and no PFC, while they give others the same mark with PFC."""
    by_file: dict[str, list[tuple[DeviceReading, tuple[NicSetup, ...]]]] = defaultdict(list)
    for device in devices:
        setups = device.host.nic_setups.or_else(()) if device.host is not None else ()
        for path in {first.path for setup in setups if (first := _first_line(setup)) is not None}:
            by_file[path].append((device, setups))
    for those in (those for those in by_file.values() if len(those) > 1):
        paused = {
            mark: setup
            for _, setups in those
            for setup in setups
            if setup.pfc_priorities.or_else(frozenset())
            for mark in _marks(setups)
        }
        for device, setups in those:
            other = next((paused[mark] for mark in _marks(setups) if mark in paused), None)
            if other is None or not all(setup.pfc_priorities.is_absent for setup in setups):
                continue
            at = [at for at in other.pfc_priorities.at if isinstance(at, Place)]
            pauses = _WORDS["pfc_priorities"].format(_shown(other.pfc_priorities))
            text = f"{device.name} gets the mark of RoCE and no PFC, and other hosts get {pauses} by the same tasks"
            yield Observation("unprotected", device.name, text, known(True, *at), known(other.name, *at))


def _marks(setups: Iterable[NicSetup]) -> frozenset[tuple[str, int]]:
    """The bytes with which data is sent."""
    cells = ((field, getattr(setup, field)) for setup in setups for field in _OF_DATA)
    return frozenset((field, cell.get()) for field, cell in cells if cell.is_known)


def _file(path: str, tree_of: Mapping[str, str]) -> _File:
    where = PurePosixPath(path)
    depth = len(PurePosixPath(tree_of[path].replace("//", "/", 1)).parts) if tree_of.get(path) else len(where.parts) - 1
    *_, outer = of_one_host(path)
    if not tree_of.get(path) and not _DIGITS.search(where.parent.name) and _DIGITS.search(PurePosixPath(outer).name):
        depth = len(PurePosixPath(outer).parts)  # `gpu11/netplan/50-roce.yaml`
    return _File(PurePosixPath(*where.parts[:depth]), "/".join(where.parts[depth:]))


def _first_line(setup: NicSetup) -> Place | None:
    """The first line about its NICs."""
    cells: Mapping[str, Cell[Any]] = {field: getattr(setup, field) for field in _WORDS}
    places = [at for cell in cells.values() for at in cell.at if isinstance(at, Place)]
    return min(places, key=lambda place: place.line, default=None)


def _field(setup: NicSetup, field: str, path: _File, first: Place) -> _Said:
    cell: Cell[Any] = getattr(setup, field)
    is_for_roce = not (setup.rdma.is_absent and setup.pfc_priorities.is_absent and setup.tos.is_absent)
    return _Said(path, cell, next((at for at in cell.at if isinstance(at, Place)), first), is_for_roce)


def _is_telling(field: str, mine: _Said, usual: _Said, dscps: Collection[int]) -> bool:
    """Whether no rule judges this by itself: what is not set, and of what is set marks, PFC for some of several priorities, and an MTU
    where nothing else is for RoCE.
    """
    cell = mine.cell
    if cell.is_absent:
        return field not in _FROM_FACTORY
    if field == "pfc_priorities":  # of several classes one may be paused
        return bool(cell.get()) and cell.get() < usual.cell.get()
    if field == "ip_mtu_bytes":
        return cell.get() < NEEDED_BYTES <= usual.cell.get() and not mine.is_for_roce
    return field in _MARKS and not (field in _OF_DATA and dscps and cell.get() // 4 not in dscps)


def _shown(cell: Cell[Any]) -> str:
    value = cell.get()
    return ", ".join(runs(sorted(value))) if isinstance(value, frozenset) else str(value)


def _small_one(those: list[_Said]) -> tuple[_Said, _Said] | None:
    """Of two or three hosts the one whose file gives the NIC an MTU that leaves RoCE small packets, and one that gives it a larger one."""
    if not 1 < len({one.path for one in those}) == len(those) < _FEWEST or not all(one.cell.is_known for one in those):
        return None
    small = [one for one in those if one.cell.get() < NEEDED_BYTES]
    return (small[0], next(one for one in those if one is not small[0])) if len(small) == 1 else None


def _odd_one(those: list[_Said]) -> tuple[_Said, _Said] | None:
    """The file that says what no other says, and one of all others, which agree; None where it is not so, or one is not known."""
    if len({one.path for one in those}) < max(_FEWEST, len(those)) or any(one.cell.is_unknown for one in those):
        return None
    counted = Counter(one.cell.value for one in those)
    usual, most = counted.most_common(1)[0]
    if most != len(those) - 1 or usual is None:
        return None
    odd = next(one for one in those if one.cell.value != usual)
    return odd, next(one for one in those if one.cell.value == usual)


def _without_a_nic(those: Mapping[_File, Iterable[NicSetup]]) -> Iterator[tuple[_File, Observation]]:
    """A file that turns PFC on for some of the NICs for which all others of its kind do."""
    nics = {path: frozenset(name for setup in setups for name in setup.nics) for path, setups in those.items()}
    usual, most = Counter(nics.values()).most_common(1)[0]
    if len(nics) < _FEWEST or most != len(nics) - 1:
        return
    path, its = next((path, its) for path, its in nics.items() if its != usual)
    if not its or not its < usual:
        return
    cells = [setup.pfc_priorities for setup in those[path]]
    at = next((at for cell in cells for at in cell.at if isinstance(at, Place)), None)
    if at is not None:
        others = listed(sorted(usual - its), _NAMED)
        text = (
            f"PFC is turned on for {listed(sorted(its), _NAMED)}, and in the same file of {most} other hosts for {others} as well:"
            " what this host receives there is dropped where the others pause"
        )
        yield path, Observation("conflict", path.home.name, text, known(True, at), known(others, at))
