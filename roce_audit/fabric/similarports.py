"""Similar ports: those that people would configure alike. What most of them do is expected of each, and an outlier is a fault.

The consensus is evidence of rank 4 on whether a port carries RoCE; the outliers differ in a setting from nearly all others.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass, replace
from functools import lru_cache
from typing import Any

from roce_audit.fabric.nics import has_rdma_device, nic_of
from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence
from roce_audit.fabric.words import words_of
from roce_audit.model import OddSetting, Port
from roce_audit.model.walk import Path, cells, dotted, follow
from roce_audit.text.block import Part
from roce_audit.values import At, Cell, Place, Why, known, unknown

_FEWEST_VOTERS = 3
_MOST_DIFFERENT = 0.1
_SETTLED = frozenset({"policy", "cabling", "port_config"})
_SETTLED_ANYWHERE = _SETTLED | {"device_wide"}
_PCI = re.compile(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


def similarity(port: FabricPort) -> tuple[object, ...]:
    """What makes two ports similar.

    Switch ports: kind, facing, speed, layer, VLANs or VRF, and the description's words. NICs: model and speed.
    """
    facts, labels = port.reading.facts, port.reading.labels
    kind, speed = facts.kind.or_else("other"), facts.speed_bps.or_else(0)
    if port.is_nic:
        nic = nic_of(port)
        model = nic.model_name.or_else("") if nic is not None else ""
        return ("host", kind, speed, model)
    facing = port.facing.value if port.facing is not None else None
    words = _kind_words(labels.description)
    vlans = labels.vlans if not labels.routed else frozenset()
    return ("switch", kind, facing, speed, labels.routed, vlans, labels.vrf, words)


@lru_cache(65536)
def _kind_words(description: str) -> frozenset[str]:
    """The words of a description without its numbers, which tell one port of a kind from the next."""
    return frozenset(word for word in words_of(description) if not word.isdigit())


def decide_by_similar_ports(ports: Sequence[FabricPort]) -> None:
    """Rank 4 among the ports of the same device."""
    for members in _groups(ports, lambda port: (port.device.name,)):
        found, votes = _consensus(members, _SETTLED)
        for port in members:
            if _is_open(port) and votes >= _fewest(port):
                port.roce = found


def decide_by_similar_ports_elsewhere(ports: Sequence[FabricPort]) -> None:
    """Rank 4 among the ports of devices of the same fabric and tier, NICs there by their slot.

    A switch on which nothing is lossless at all is one question and not one for each port: it may have been forgotten, or serve
    something else. Ports of other models and roles are asked for it as well.
    """
    lossless = {port.device.name for port in ports if _is_lossless(port)}
    for members in _groups(ports, lambda port: (port.fabric, port.device.platform)):
        blank = [
            port for port in members if port.device.name not in lossless and _is_open(port) and _is_seen_lossy(port)
        ]
        found, votes = _consensus(members, _SETTLED_ANYWHERE)
        for port in blank:
            if found.carries and votes >= _FEWEST_VOTERS and not port.tier.against:
                port.left_out = found
    for members in _groups(ports, lambda port: (port.fabric, port.tier, _slot(port))):
        found, votes = _consensus(members, _SETTLED_ANYWHERE)
        for port in members:
            if _is_open(port) and port.left_out is None and votes >= _fewest(port):
                port.roce = replace(found, elsewhere=True)


def _is_lossless(port: FabricPort) -> bool:
    return (port.config is not None and bool(port.config.carries)) or port.roce.rank == "device_wide"


def _is_seen_lossy(port: FabricPort) -> bool:
    """Whether a switch port is seen to pause for no priority, in a file that is whole or looks whole."""
    pfc = port.reading.facts.pfc
    if port.is_nic:
        return False
    decisive: Cell[Any] = pfc.get().mode if pfc.is_known else pfc
    if decisive.is_unknown:
        return (
            decisive.why is Why.NOT_VISIBLE
            and not decisive.at
            and port.reading.header.path in port.device.looks_complete
        )
    return decisive.is_absent or decisive.get() == "off" or not pfc.get().priorities.or_else(frozenset())


def _is_open(port: FabricPort) -> bool:
    return port.roce is UNDECIDED and port.hint is None


def _slot(port: FabricPort) -> str:
    """Where a NIC sits in its host: PCI address, else its name; "" for a switch port."""
    if not port.is_nic:
        return ""
    return next((alias for alias in port.reading.labels.aliases if _PCI.fullmatch(alias)), port.reading.name)


def _groups(
    ports: Sequence[FabricPort], where: Callable[[FabricPort], tuple[object, ...]]
) -> Iterable[Sequence[FabricPort]]:
    """Similar ports of one place, where at least one of them is open."""
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    if any(_is_open(port) for port in ports):
        for port in ports:
            if _comparable(port):
                groups[(*where(port), *port.similarity)].append(port)
    return [members for members in groups.values() if any(_is_open(port) for port in members)]


def _fewest(port: FabricPort) -> int:
    """How many similar ports must be decided.

    A NIC with an RDMA device is ready for RoCE: one is enough, unless it is the host's way out.
    """
    nic = nic_of(port)
    ready = nic is not None and has_rdma_device(port) and nic.model_name.is_known
    return 1 if ready and nic is not None and not nic.default_route.or_else(False) else _FEWEST_VOTERS


def _consensus(members: Sequence[FabricPort], settled: frozenset[str]) -> tuple[RoceEvidence, int]:
    """What nine tenths of those that are decided by such evidence do, and how many these are; 0 where they disagree."""
    decided = [port for port in members if port.roce.carries is not None and port.roce.rank in settled]
    yes = sum(1 for port in decided if port.roce.carries)
    most = max(yes, len(decided) - yes)
    if not decided or len(decided) - most > _MOST_DIFFERENT * len(decided):
        return UNDECIDED, 0
    value = most == yes
    example = next(port for port in decided if port.roce.carries is value)
    verb = ("carries" if most == 1 else "carry") if value else ("does not carry" if most == 1 else "do not carry")
    ports = "port" if len(decided) == 1 else "ports"
    said = f"{most} of {len(decided)} similar {ports} {verb} RoCE, such as {example.id}"
    at = (example.reading.header, *example.absolute(example.roce.at))
    return RoceEvidence(value, "similar_ports", at, said), len(decided)


def _comparable(port: FabricPort) -> bool:
    """NICs of which neither model nor speed was seen are not alike for that."""
    return not port.is_nic or any(port.similarity[2:])


FEWEST = 4
AGREEING = 0.9
_COMPARED = frozenset(
    [
        "pfc",
        "ip_mtu_bytes",
        "trust",
        "link_pause_rx",
        "link_pause_tx",
        "dscp",
        "queues",
        "groups",
        "classes",
        "priorities",
        "fec",
        "policed",
        "rewrites_dscp",
    ]
)
_OWN_BY_NATURE = frozenset(["headroom_bytes", "reserved_bytes", "profile_cable_m", "operational"])
"""Settings that follow the cable or the traffic, and so differ between similar ports without a fault."""
_WHETHER_AT_ALL = "profile"
"""The name of a buffer profile follows the cable as well; that a port has none while similar ports have one is odd."""
_UNSAID = "not said"
"""Nothing says it on this port, and no default is documented: odd where similar ports do say it."""
_CONGESTION_CONTROL = frozenset({("nic", "dcqcn"), ("nic", "cnp_dscp"), ("nic", "cnp_priority")})


Odd = Cell[tuple[OddSetting, ...]]
"""Settings in which a port differs from similar ports; unknown where one that they are compared by was misread on it."""


def odd_settings(ports: Sequence[FabricPort]) -> Mapping[str, Odd]:
    """Port id -> settings in which it differs from at least nine tenths of the similar ports (four at the least)."""
    return _odd_ones(ports, lambda path: path[0] in _COMPARED and path[-1] not in _OWN_BY_NATURE)


def odd_congestion_control(ports: Sequence[FabricPort]) -> Mapping[str, Odd]:
    """The same for the congestion control of NICs; where they are too few for a majority, of one host."""
    nics = [port for port in ports if port.is_nic]
    return {**_odd_ones(nics, _of_congestion_control), **_unlike_on_one_host(nics)}


def _of_congestion_control(path: Path) -> bool:
    return path[:2] in _CONGESTION_CONTROL


def _similar_groups(ports: Sequence[FabricPort]) -> Iterable[list[FabricPort]]:
    """Ports that carry RoCE, together with the ports similar to each."""
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.roce.carries:
            groups[(port.fabric, port.tier, *port.similarity)].append(port)
    return groups.values()


def _odd_ones(ports: Sequence[FabricPort], compared: Callable[[Path], bool]) -> Mapping[str, Odd]:
    odd: dict[str, Odd] = {}
    settings = _Settings(compared)
    for members in _similar_groups(ports):
        kinds = {id(port.reading.facts): port for port in members}
        if len(members) < FEWEST or len(kinds) == 1:
            continue
        odd.update(_odd_in_group(members, settings))
    return odd


def _unlike_on_one_host(nics: Sequence[FabricPort]) -> Mapping[str, Odd]:
    """Where NICs are too few for a majority: those of one host that differ from its first of the same model and speed."""
    odd: dict[str, Odd] = {}
    settings = _Settings(_of_congestion_control)
    for members in _similar_groups(nics):
        hosts: dict[str, list[FabricPort]] = defaultdict(list)
        for port in members if len(members) < FEWEST else ():
            hosts[port.device.name].append(port)
        for first, *others in hosts.values():
            usual = settings.of(first)
            for port in others:
                mine = settings.of(port)
                different = [p for p, cell in usual.items() if p in mine and _are_unlike(p, mine[p], cell)]
                if different:
                    found = (_odd(port, p, mine[p], usual[p].value, first, 1) for p in _told(different))
                    odd[port.id] = known(tuple(found), port.reading.header)
    return odd


_JUDGED_ALONE = frozenset({"np_priorities", "rp_priorities", "algorithm", "out_of_range"})
"""What other rules say of each NIC by itself: of two NICs one is right, and which of them these rules know."""


def _are_unlike(path: Path, mine: Cell[Any], other: Cell[Any]) -> bool:
    """Whether two NICs differ in a parameter that neither of them has at a value (0) which is judged for itself."""
    is_parameter = path[:2] == ("nic", "dcqcn") and len(path) > 2 and path[2] not in _JUDGED_ALONE
    return is_parameter and mine.value != other.value and 0 not in (mine.value, other.value)


class _Settings:
    """The compared settings of a port's facts, memoised."""

    def __init__(self, compared: Callable[[Path], bool]) -> None:
        self._compared = compared
        self._memo: dict[int, dict[Path, Cell[Any]]] = {}
        self._misread: dict[int, dict[Path, Cell[Any]]] = {}

    def of(self, port: FabricPort) -> dict[Path, Cell[Any]]:
        """Those that are known, or known to be absent."""
        facts = port.reading.facts
        found = self._memo.get(id(facts))
        if found is None:
            found = self._memo[id(facts)] = dict(self._read(facts, port.reading.parts))
        return found

    def misread(self, port: FabricPort) -> dict[Path, Cell[Any]]:
        """Those that are written somewhere and yet unknown."""
        facts = port.reading.facts
        found = self._misread.get(id(facts))
        if found is None:
            doubtful = [(p, c) for p, c in cells(facts) if c.is_unknown and c.at and c.why is not Why.NO_DEFAULT]
            not_known = ((path, cell) for path, cell in doubtful if self._compared(path))
            found = self._misread[id(facts)] = {_named(facts, path): cell for path, cell in not_known}
        return found

    def _read(self, facts: Port, parts: Sequence[Part]) -> Iterator[tuple[Path, Cell[Any]]]:
        """The values that are known, and of each object on the way to them that it is there at all."""
        there: set[Path] = set()  # objects that were looked at on the way
        for path, cell in cells(facts):
            if not self._compared(path):
                continue
            if cell.is_unknown:
                if cell.why is Why.NO_DEFAULT and _said_by_nobody(cell, parts):
                    yield _named(facts, path), known(_UNSAID)
                continue
            for end in range(1, len(path)):
                if path[:end] in there:
                    continue
                there.add(path[:end])
                around = follow(facts, path[:end])
                if around is not None and is_dataclass(around.value):
                    yield path[:end], known("set", *around.at)
            whether = path[-1] == _WHETHER_AT_ALL and cell.is_known
            yield _named(facts, path), known("set", *cell.at) if whether else cell


def _said_by_nobody(cell: Cell[Any], parts: Sequence[Part]) -> bool:
    """Whether no line of the port or of what it binds has to do with it."""
    return all(isinstance(at, At) and parts[at.part].role == "device" for at in cell.at)


def _named(facts: Port, path: Path) -> Path:
    """The path with names for numbers in lists whose elements go by a name: their order means nothing."""
    if path[0] != "nic":
        return path  # the lists of a port itself have one place for each number
    steps: list[str | int] = []
    for end, step in enumerate(path, 1):
        around = follow(facts, path[: end - 1]) if isinstance(step, int) else None
        listed = around.value if around is not None and isinstance(around.value, tuple) else ()
        element: object = listed[step] if isinstance(step, int) and step < len(listed) else None
        steps.append(
            str(getattr(element, "name", step)) if isinstance(step, int) and hasattr(element, "name") else step
        )
    return tuple(steps)


def _odd_in_group(members: Sequence[FabricPort], settings: _Settings) -> Mapping[str, Odd]:
    alike: dict[int, list[FabricPort]] = defaultdict(list)
    for port in members:
        alike[id(port.reading.facts)].append(port)
    counted: dict[Path, Counter[object]] = defaultdict(Counter)
    for ports in alike.values():
        for path, cell in settings.of(ports[0]).items():
            counted[path][cell.value] += len(ports)
    usual: dict[Path, object] = {}
    unsaid: dict[Path, frozenset[str]] = {}
    for path, values in counted.items():
        value, count = values.most_common(1)[0]
        if value == _UNSAID or count < FEWEST - 1:
            continue
        if len(values) > 1 and count >= AGREEING * (sum(values.values()) - 1):
            usual[path] = value
        elif len(values) == 1 and 0 < len(members) - count <= max(1, (1 - AGREEING) * len(members)):
            usual[path] = value
            unsaid[path] = _silent(members, settings, path)
    example = {path: _holder(members, settings, path, value) for path, value in usual.items()}
    seen = {path[:end] for path in counted for end in range(1, len(path) + 1)}
    odd: dict[str, Odd] = {}
    for ports in alike.values():
        mine = settings.of(ports[0])
        unlike = [p for p, value in usual.items() if p in mine and mine[p].value != value]
        not_known = next((cell for path, cell in settings.misread(ports[0]).items() if path in seen), None)
        for port in ports:
            different = unlike + [p for p, silent in unsaid.items() if port.id in silent]
            if different:
                found = (
                    _odd(port, p, mine.get(p, known(_UNSAID)), usual[p], example[p], counted[p][usual[p]])
                    for p in _told(different)
                )
                odd[port.id] = known(tuple(found), port.reading.header)
            elif not_known is not None:
                odd[port.id] = unknown(not_known.why or Why.NOT_PARSED, *port.absolute(not_known.at))
    return odd


def _silent(members: Sequence[FabricPort], settings: _Settings, path: Path) -> frozenset[str]:
    """Members of which a file that looks whole says nothing here, though it says it of all similar ports in it.

    Such a file proves no absence by itself; that the same file writes the line for each similar port does. A port that leans on
    a name that nobody defines has said something: the name is told.
    """
    spoken = Counter(port.reading.header.path for port in members if path in settings.of(port))
    return frozenset(
        port.id
        for port in members
        if spoken[port.reading.header.path] >= FEWEST - 1
        and port.reading.header.path in port.device.looks_complete
        and path not in settings.of(port)
        and (not_known := follow(port.reading.facts, path)) is not None
        and not_known.why is Why.NOT_VISIBLE
        and not not_known.at
    )


def _told(paths: list[Path]) -> list[Path]:
    """One path per object: of `queues.3.ecn.*` the first is enough."""
    first: dict[tuple[str | int, ...], Path] = {}
    for path in paths:
        first.setdefault(path[:1] if path[0] == "dscp" else path[:3], path)
    return list(first.values())


def _holder(members: Sequence[FabricPort], settings: _Settings, path: Path, value: object) -> FabricPort:
    return next(port for port in members if (c := settings.of(port).get(path)) is not None and c.value == value)


def _odd(port: FabricPort, path: Path, mine: Cell[Any], usual: object, example: FabricPort, count: int) -> OddSetting:
    at = port.absolute(mine.at)
    if not any(isinstance(place, Place) for place in at):
        at = (port.reading.header,)
    return OddSetting(
        path=dotted(path),
        value=known(_text(mine.value), *at),
        usual=known(_text(usual), example.reading.header),
        agreeing=count,
    )


def _text(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, frozenset):
        return ", ".join(map(str, sorted(value))) or "none"
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)
