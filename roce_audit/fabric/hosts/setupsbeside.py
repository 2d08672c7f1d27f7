"""Files without a host that set up one host together: what one of them does to a NIC that another one pauses, and which NIC all leave out.

Files belong to one host where they stand in one tree of its file system (`etc`, `usr` ...), or in one folder, or in folders of it that
are named after kinds of files. NICs are the same where they are written out with one name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from roce_audit.model import NicSetup, Observation
from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.sentences import listed
from roce_audit.text.series import COUNTS, ports_of_cards, series
from roce_audit.values import Cell, Place, known

_TREE = frozenset({"etc", "usr", "opt", "root", "lib", "home", "srv", "var"})
"""Folders at the top of a host's file system."""
_SURE = ("etc", "usr")
_KIND = re.compile(
    r"(?:shell|bash)?[-_]?scripts?|s?bin|tools|files|templates|netplan|nmstate|network(?:ing|d|s)?|systemd|services|units|udev|conf(?:ig)?s?"
    r"|interfaces|nics?|setup|boot|hosts?|nodes?|(?:cron|modprobe)(?:\.d)?"
)
_JOBS = re.compile(
    r"jobs?|(?:k8s|kubernetes|slurm|pbs|lsf|mpi|training|batch)(?:[-_]jobs?)?|launch(?:ers?)?|manifests|env"
)
_LARGEST_MTU = 4_096
NEEDED_BYTES = 4_192
"""The MTU of a network device with which its RDMA path MTU is that (Linux, include/rdma/ib_addr.h, iboe_get_mtu)."""
_NAMED = 3
_PAIR = 2
_TAKES_BACK = re.compile(
    r"reset|off|stop|down|disable|teardown|clean|restore|default|remove|undo|revert|lossy|factory|ecn"
)
_MOST_FILES = 400
_NAME = 8
"""Characters by which two names are surely of one thing."""


class _Said(NamedTuple):
    """One setup, and the file that it stands in."""

    path: str
    setup: NicSetup
    is_in_tree: bool


def contradictions(devices: Sequence[DeviceReading], has_class: bool) -> Iterator[Observation]:
    """What the files of one host say against each other of its NICs; where a class is known, code points are held against that."""
    groups: dict[str, list[_Said]] = defaultdict(list)
    tree_of = trees(device.first.path for device in devices[:_MOST_FILES])
    for path, device in ((one.first.path, one) for one in devices[:_MOST_FILES]):
        setups = device.host.nic_setups.or_else(()) if device.host is not None else ()
        for home in ([tree_of[path]] if path in tree_of else of_one_host(path)) if setups else ():
            groups[home] += [_Said(path, setup, path in tree_of) for setup in setups]
    told: set[tuple[Place, str]] = set()
    yield from () if has_class else _functions_outside(devices)
    for said in groups.values():
        for observation in (
            *_small(said),
            *_small_vlans(said),
            *_link_paused(said),
            *_paused_otherwise(said),
            *_taken_away(said),
            *_tagged_otherwise(said),
            *(() if has_class else _sent_outside(said)),
            *_never_trusted(said),
            *_left_out(said),
            *_without_roce(said),
        ):
            key = (next(at for at in observation.at.at if isinstance(at, Place)), observation.name)
            if key not in told:
                told.add(key)
                yield observation


def of_one_host(path: str) -> Iterator[str]:
    """The folders of which a file may be a part of one host."""
    folders = PurePosixPath(path).parts[:-1]
    yield "/".join(folders)
    if folders and _KIND.fullmatch(folders[-1].lower()):
        yield "/".join(folders[:-1])


def of_jobs(path: str) -> Iterator[str]:
    """The folder beside whose files those of a folder of jobs stand."""
    folders = PurePosixPath(path).parts[:-1]
    if folders and _JOBS.fullmatch(folders[-1].lower()):
        yield "/".join(folders[:-1])


def trees(paths: Iterable[str], answers: Iterable[str] = ()) -> Mapping[str, str]:
    """File -> the folder in which the host's file system stands that it is in (`gpu` of `gpu/etc/nccl.conf`), if it is in one.

    A folder is one where `etc` or `usr` stands in it, or answers of a host do; the root of this machine is none, for a checkout may lie
    in its `home`.
    """
    parts = {path: PurePosixPath(path).parts[:-1] for path in paths}
    homes = {PurePosixPath(path).parts[:-1] for path in answers}
    every = homes.union(parts.values())
    roots = {folders[:n] for folders in every for n, name in enumerate(folders) if name in _SURE} | homes
    roots.discard(("/",))
    found: dict[str, str] = {}
    for path, folders in parts.items():
        inside = [n for n, name in enumerate(folders) if name in _TREE and folders[:n] in roots]
        if inside:
            found[path] = "/".join(folders[: inside[-1]])
    return found


def _pausing(said: Iterable[_Said]) -> Mapping[str, list[_Said]]:
    """NIC -> the setups that turn PFC on for it."""
    found: dict[str, list[_Said]] = defaultdict(list)
    for one in said:
        if one.setup.pfc_priorities.or_else(frozenset()):
            for name in one.setup.nics:
                found[name].append(one)
    return found


def _open(said: Iterable[_Said]) -> list[_Said]:
    """The setups that turn PFC on for a NIC that somebody hands them: a script that a rule calls, the template of a unit."""
    return [one for one in said if not one.setup.nics and one.setup.pfc_priorities.or_else(frozenset())]


def _of_others(said: Sequence[_Said]) -> Iterator[tuple[str, _Said, _Said]]:
    """(NIC, setup of it without PFC, another setup of it with PFC)."""
    paused, handed = _pausing(said), _open(said)
    for one in said:
        if one.setup.pfc_priorities.is_absent:
            for name in sorted(one.setup.nics):
                others = [*paused.get(name, ()), *(handed if one.setup.rdma.or_else(False) else ())]
                if others:
                    yield name, one, others[0]


def _small(said: Sequence[_Said]) -> Iterator[Observation]:
    """An MTU that leaves RoCE small packets, of a NIC that is paused elsewhere."""
    mtus: dict[str, list[Cell[int]]] = defaultdict(list)
    for one in said:
        for name in one.setup.nics:
            if not one.setup.ip_mtu_bytes.is_absent:
                mtus[name].append(one.setup.ip_mtu_bytes)
    small: dict[tuple[Place, ...], tuple[list[str], Cell[int], _Said]] = {}
    for name, one, other in _of_others(said):
        mtu = one.setup.ip_mtu_bytes
        is_small = all(cell.is_known and cell.get() < NEEDED_BYTES for cell in mtus[name])
        if not mtu.is_absent and is_small and not one.setup.rdma.or_else(False):
            small.setdefault(tuple(_places(mtu)), ([], mtu, other))[0].append(name)  # a bond's is that of all members
    for names, mtu, other in small.values():
        text = (
            f"{listed(names, _NAMED)} {'gets' if len(names) == 1 else 'get'} an MTU of {mtu.get():,} B, and"
            f" {_where(other.setup.pfc_priorities)} pauses the class of RoCE on {'it' if len(names) == 1 else 'them'}: a path "
            f"MTU of {_LARGEST_MTU:,} needs {NEEDED_BYTES:,} B"
        )
        yield _conflict(names[0], text, mtu, f"mtu {mtu.get()}", other.setup.pfc_priorities)


def _small_vlans(said: Sequence[_Said]) -> Iterator[Observation]:
    """A NIC that pauses by the tag, and all of whose VLAN interfaces leave RoCE small packets: what has no tag is not paused."""
    for name, those in _pausing(said).items():
        by_tag = next((one.setup for one in those if one.setup.trust.value == "pcp"), None)
        above = [one.setup for one in said if any(nic.startswith(f"{name}.") for nic in one.setup.nics)]
        mtus = [one.ip_mtu_bytes for one in above if not one.ip_mtu_bytes.is_absent]
        if by_tag is None or not mtus or not all(mtu.is_known and mtu.get() < NEEDED_BYTES for mtu in mtus):
            continue
        vlans = sorted({nic for one in above for nic in one.nics})
        text = (
            f"{listed(vlans, _NAMED)} {'gets' if len(vlans) == 1 else 'get'} an MTU of {mtus[0].get():,} B, and "
            f"{_where(by_tag.pfc_priorities)} pauses on {name} by the tag: a path MTU of {_LARGEST_MTU:,} needs {NEEDED_BYTES:,} B"
        )
        yield _conflict(vlans[0], text, mtus[0], f"mtu {mtus[0].get()}", by_tag.pfc_priorities)


def _link_paused(said: Sequence[_Said]) -> Iterator[Observation]:
    """802.3x pause of a NIC that is paused by PFC elsewhere."""
    for name, one, other in _of_others(said):
        on = next((c for c in (one.setup.link_pause_rx, one.setup.link_pause_tx) if c.or_else(False)), None)
        if on is not None:
            off = any(cell.value is False for cell in (other.setup.link_pause_rx, other.setup.link_pause_tx))
            text = (
                f"802.3x pause for the whole link is turned on for {name}, and {_where(other.setup.pfc_priorities)} turns PFC on for it"
                f"{', and link pause off: which of them holds is a matter of which comes last' if off else ''}"
            )
            paused = other.setup.pfc_priorities
            yield _conflict(name, text, on, f"link pause of {name}", paused, kind="conflict" if off else "unprotected")


def _paused_otherwise(said: Sequence[_Said]) -> Iterator[Observation]:
    """PFC of one NIC that two files of a host turn on for different priorities."""
    inside = [one for one in said if one.is_in_tree]
    handed = _open(inside)
    for name, those in _pausing(inside).items():
        is_for_roce = any(one.setup.rdma.or_else(False) for one in those)
        first, *others = handed + those if is_for_roce else those
        for other in others:
            mine, theirs = first.setup.pfc_priorities, other.setup.pfc_priorities
            if other.path != first.path and mine.get() != theirs.get():
                text = (
                    f"it turns PFC on for {_priorities(theirs)} of {name}, and {_where(mine)} for {_priorities(mine)}: which of "
                    "them holds is a matter of which comes last"
                )
                yield _conflict(name, text, theirs, f"PFC of {name}", mine)


def _without_roce(said: Sequence[_Said]) -> Iterator[Observation]:
    """Options of a driver that switch RoCE off for all of its NICs, beside a file that turns PFC on for NICs and may be for these.

    It may where it sets up nothing but DCB, willingness included: what tools of vendors alone set is for the NICs of these vendors.
    """
    off = [one for one in said if not one.setup.nics and one.setup.roce.value is False and _is_switch_alone(one.setup)]
    files = {one.path for one in off}  # what one file says by itself app/setup-without-roce tells
    paused = [one for those in _pausing(said).values() for one in those if one.path not in files]
    is_open = any(one.setup.roce.is_unknown or one.setup.roce.or_else(False) for one in said)
    is_dcb = all(_is_dcb_alone(one.setup) for one in said) and all(not one.setup.willing.is_absent for one in paused)
    if not off or not paused or is_open or not is_dcb:
        return
    on = paused[0].setup.pfc_priorities
    text = (
        f"it has the NICs of its driver come up without RoCE (iWARP), and {_where(on)} turns PFC on for {_priorities(on)} of "
        f"{listed(sorted(paused[0].setup.nics), _NAMED)}, which is no use to NICs without RoCE"
    )
    yield _conflict("RoCE", text, off[0].setup.roce, "RoCE switched off", on)


def _is_dcb_alone(setup: NicSetup) -> bool:
    others = (setup.cnps_sent, setup.cnps_obeyed, setup.cnp_dscp, setup.tos, setup.cma_tos, setup.rdma_devices)
    return all(cell.is_absent for cell in others)


def _is_switch_alone(setup: NicSetup) -> bool:
    return setup.pfc_priorities.is_absent and setup.trust.is_absent and setup.tos.is_absent


def _taken_away(said: Sequence[_Said]) -> Iterator[Observation]:
    """PFC of a NIC that one file turns on and another off; not one whose name says that it takes back."""
    inside = [one for one in said if one.is_in_tree]
    paused = _pausing(inside)
    taken: dict[tuple[str, str], list[tuple[str, _Said, _Said]]] = defaultdict(list)
    for one in inside:
        takes_back = _TAKES_BACK.search(PurePosixPath(one.path).name.lower()) is not None
        if one.setup.pfc_priorities.value != frozenset() or (takes_back and not _unit_of_drop_in(one.path)):
            continue
        for name in sorted(one.setup.nics & paused.keys()):
            if paused[name][0].path != one.path:
                taken[one.path, paused[name][0].path].append((name, one, paused[name][0]))
    for (path, _), those in taken.items():
        (name, one, other), unit = those[0], _unit_of_drop_in(path)
        on = other.setup.pfc_priorities
        before = one.setup.started_after.or_else(frozenset()) | ({unit} - {""})
        is_later = any(_is_unit_of(other, earlier) for earlier in before)
        text = (
            f"it turns PFC off for every priority of {listed(sorted({nic for nic, _, _ in those}), _NAMED)}, and {_where(on)} turns it "
            f"on for {_priorities(on)}: "
            + (
                f"this {'drop-in' if unit else 'unit'} is run after that one, so nothing is paused in the end"
                if is_later
                else "which of them holds is a matter of which comes last"
            )
        )
        kind: ObservationKind = "pfc-taken-back" if is_later else "conflict"
        yield _conflict(name, text, one.setup.pfc_priorities, f"PFC of {name}", on, kind=kind)


def _unit_of_drop_in(path: str) -> str:
    """The unit that a file adds lines to (`NAME.service.d/20-own.conf`, systemd.unit(5)); "" where it is no such file."""
    folder = PurePosixPath(path).parent.name
    return folder.removesuffix(".d") if folder.endswith(".service.d") else ""


def _is_unit_of(said: _Said, unit: str) -> bool:
    """Whether a unit is a setup, or most likely runs the script that it is: one is named after the other."""
    name, stem = unit.removesuffix(".service"), PurePosixPath(said.path).stem
    return name == stem or (min(len(name), len(stem)) >= _NAME and (stem.startswith(name) or name.startswith(stem)))


def _tagged_otherwise(said: Sequence[_Said]) -> Iterator[Observation]:
    """A NIC that pauses by the tag, while what leaves by the VLAN interfaces above it is tagged with other priorities."""
    for name, those in _pausing(said).items():
        by_tag = next((one for one in those if one.setup.trust.value == "pcp"), None)
        tagging = [one for one in said if not one.setup.tag_priorities.is_absent]
        elsewhere = [one for one in tagging if by_tag is not None and one.path != by_tag.path]
        own = [one.setup.tag_priorities for one in elsewhere if name in one.setup.nics]
        if by_tag is None or not own or len(own) < len(tagging) or not all(cell.is_known for cell in own):
            continue
        paused, given = by_tag.setup.pfc_priorities, frozenset().union(*(cell.get() for cell in own))
        if given & paused.get():
            continue
        tags = (
            f"it tags what leaves by {name} with {_priorities(own[0])}"
            if any(given)
            else f"it gives the tags of what leaves by {name} no priority (no egress map says one), so that they have 0"
        )
        text = f"{tags}, and {_where(paused)} pauses {_priorities(paused)} on {name} by the tag"
        yield _conflict(name, text, own[0], f"tags of {name}", paused, kind="unprotected")


def _functions_outside(devices: Sequence[DeviceReading]) -> Iterator[Observation]:
    """A network of containers for RDMA that tags with other priorities than every setup pauses, where all setups go by the tag.

    Which NIC its functions are of, and on which hosts, is said elsewhere: no folder is asked for.
    """
    hosts = [device.host for device in devices if device.host is not None]
    setups = [setup for host in hosts for setup in host.nic_setups.or_else(())]
    networks = [one for one in setups if one.rdma.or_else(False) and one.tag_priorities.or_else(frozenset())]
    pausing = [one for one in setups if not one.pfc_priorities.is_absent] if networks else []
    if not pausing or not all(one.trust.value == "pcp" and one.pfc_priorities.or_else(frozenset()) for one in pausing):
        return
    paused = frozenset().union(*(one.pfc_priorities.get() for one in pausing))
    set_up = frozenset().union(*(one.nics for one in setups if one not in networks))
    on = pausing[0].pfc_priorities
    for one in networks:
        if one.tag_priorities.get() & paused or one.nics & set_up or not one.maps_to_tag.is_absent:
            continue
        text = (
            f"packets of RDMA leave the functions of {one.name} with tags of {_priorities(one.tag_priorities)}, and {_where(on)} goes by "
            f"the tag and pauses {_priorities(known(paused))} alone"
        )
        yield _conflict(one.name, text, one.tag_priorities, f"tags of {one.name}", on)


def _sent_outside(said: Sequence[_Said]) -> Iterator[Observation]:
    """A ToS byte, forced or for connections by rdma_cm, with a code point that no other file of the host leads to what it pauses."""
    pausing = [one for one in said if one.is_in_tree and one.setup.pfc_priorities.or_else(frozenset())]
    is_forced = any(not one.setup.tos.is_absent for one in said)
    if not pausing or any(one.setup.trust.value == "pcp" or one.setup.dscp.is_unknown for one in pausing):
        return
    for one in said:
        tos = one.setup.tos if is_forced else one.setup.cma_tos
        if not (one.is_in_tree and tos.or_else(0) > 3) or any(other.path == one.path for other in pausing):
            continue
        code = tos.get() // 4
        if not any(_may_lead(other.setup, code) for other in pausing):
            paused = pausing[0].setup.pfc_priorities
            text = (
                f"it {'forces' if is_forced else 'gives connections by rdma_cm'} ToS {tos.get()} (DSCP {code}), and {_where(paused)} "
                f"pauses {_priorities(paused)}, to which no file of this host leads that code point"
            )
            kind: ObservationKind = "unprotected" if is_forced else "conflict"
            yield _conflict("ToS" if is_forced else "rdma_cm", text, tos, f"ToS {tos.get()}", paused, kind=kind)


def _may_lead(setup: NicSetup, code: int) -> bool:
    """Whether a code point may be in a priority that a setup pauses: by its map, by that of the driver, or by default."""
    cell = setup.dscp.get()[code] if setup.dscp.is_known else None
    paused = setup.pfc_priorities.get()
    return (
        (cell.or_else(-1) in paused or cell.is_unknown)
        if cell is not None and not cell.is_absent
        else (code // 8 in paused or 0 in paused)
    )


def _never_trusted(said: Sequence[_Said]) -> Iterator[Observation]:
    """DSCPs that are forced on queue pairs, and PFC, while no file has the NIC go by DSCPs, or gives its packets a tag.

    The byte is forced by a file of the driver of ConnectX NICs, which go by the tag until they are told otherwise.
    """
    setups = [one.setup for one in said]
    paused = next((one.pfc_priorities for one in setups if one.pfc_priorities.or_else(frozenset())), None)
    forced = next((one.tos for one in setups if one.tos.or_else(0)), None)
    classify = (cell for one in setups for cell in (one.trust, one.dscp, one.maps_to_tag, one.tag_priorities))
    if paused is None or forced is None or not all(cell.is_absent for cell in classify):
        return
    text = (
        f"it turns PFC on for {_priorities(paused)}, and {_where(forced)} marks all packets with DSCP {forced.get() // 4}; nothing in "
        "these files has the NIC trust DSCPs, and as it comes it goes by the tag: what has none is in priority 0"
    )
    yield _conflict("trust", text, paused, "PFC without trust", forced)


def _left_out(said: Sequence[_Said]) -> Iterator[Observation]:
    """One NIC of a host's like ones that all files leave without PFC, while they pause on the others."""
    pausing = [one for one in said if not one.setup.pfc_priorities.is_absent]
    paused = _pausing(said)
    if any(not one.setup.nics or one.setup.pfc_priorities.is_unknown for one in pausing):
        return
    known_by: dict[str, _Said] = {}
    for one in said:
        for name in one.setup.nics:
            known_by.setdefault(name, one)
    for members in (*series(known_by), *ports_of_cards(known_by)):
        without = [name for name in members if name not in paused]
        if len(without) != 1 or not (len(members) in COUNTS or _are_pair(members, known_by)):
            continue
        name = without[0]
        one = known_by[name]
        others = [other for other in members if other != name]
        by = paused[others[0]][0]
        cells = [cell for cell in (one.setup.ip_mtu_bytes, one.setup.trust, one.setup.rdma) if not cell.is_absent]
        if not cells or (one.setup.ip_mtu_bytes.is_known and one.setup.ip_mtu_bytes.get() < NEEDED_BYTES):
            continue
        off = next((o.setup.pfc_priorities for o in pausing if name in o.setup.nics), None)
        left = "well, is left out" if off is None else "well, gets none"
        text = (
            f"PFC is turned on for {listed(others, _NAMED, spare_one=False)}, and {name}, which {_where(cells[0])} sets up as "
            f"{left}: what it receives is dropped where the others pause"
        )
        on = by.setup.pfc_priorities
        at, beside = (on, cells[0]) if off is None else (off, on)
        yield _conflict(name, text, at, f"PFC without {name}", beside)


def _are_pair(members: Sequence[str], known_by: Mapping[str, _Said]) -> bool:
    """Whether two NICs are for one purpose: one line has both carry large packets, such as that of the bond they are members of."""
    sizes = [known_by[name].setup.ip_mtu_bytes for name in members]
    is_large = len(members) == _PAIR and all(cell.is_known and cell.get() >= NEEDED_BYTES for cell in sizes)
    return is_large and sizes[0].at[:1] == sizes[1].at[:1]


def _priorities(cell: Cell[frozenset[int]]) -> str:
    found = sorted(cell.get())
    return f"{'priority' if len(found) == 1 else 'priorities'} {', '.join(map(str, found))}"


def _places(*cells: Cell[Any]) -> list[Place]:
    return [at for cell in cells for at in cell.at[:1] if isinstance(at, Place)]


def _where(cell: Cell[Any]) -> str:
    at = next(iter(_places(cell)), None)
    return f"{PurePosixPath(at.path).name}:{at.line}" if at is not None else "another file"


def _conflict(
    name: str, text: str, cell: Cell[Any], quote: str, *others: Cell[Any], kind: ObservationKind = "conflict"
) -> Observation:
    place, *more = _places(cell, *others)
    return Observation(kind, name, text, known(True, place), known(quote, place, *more))
