"""Odd settings: in which a port differs from nearly all similar ports, or a device from the devices of its tier."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.fabric.classes.numbering import Numberings
from roce_audit.fabric.classes.votes import paused_priorities
from roce_audit.fabric.port import FabricPort, as_said
from roce_audit.fabric.similar import devicevotes
from roce_audit.fabric.similar.comparedports import ComparedPorts
from roce_audit.fabric.similar.comparedsettings import UNSAID, Settings
from roce_audit.fabric.similar.devicevotes import DeviceVote
from roce_audit.model import OddSetting
from roce_audit.model.walk import Path, dotted, follow
from roce_audit.values import HERE, At, Cell, Cited, Place, Where, Why, known, unknown

FEWEST = 4
AGREEING = 0.9
_ALL_BUT_ONE = 8
"""So many ports, all but one of which agree, say how a switch sets up what has nothing to do with the port."""
_WATCHDOG = ("pfc", "watchdog")
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
        "autoneg",
        "policed",
        "rewrites_dscp",
    ]
)
_OF_CLASSES = frozenset(["pfc", "trust", "dscp", "queues", "groups", "classes", "priorities"])
_OF_DRIVERS = frozenset(
    {("dcbx", "owner"), ("nic", "forced_traffic_class"), ("nic", "cma_mode"), ("nic", "cma_tos"), ("nic", "roce")}
)
_NIC = frozenset({"nic"})
_WITHIN = _COMPARED | {path[0] for path in _OF_DRIVERS}
_DECISIVE = "lossless"
_BY_ITSELF = frozenset({"conflict", "port_config", "hint"})
"""Ranks of evidence that are what the port itself says."""
_HEADROOM = "headroom_bytes"
_FRACTION = 4
"""So many times less headroom than similar ports is no other length of cable: most of it pays for packets and the answer to a pause."""
_OWN_BY_NATURE = frozenset([_HEADROOM, "reserved_bytes", "profile_cable_m", "operational", "shown_off"])
"""Settings that follow the cable or the traffic, and so differ between similar ports without a fault."""
_VERSIONS = frozenset({("nic", "firmware"), ("nic", "driver_version")})
_CONGESTION_CONTROL = frozenset({("nic", "dcqcn"), ("nic", "cnp_dscp"), ("nic", "cnp_priority")})


Odd = Cell[tuple[OddSetting, ...]]
_NONE: Odd = known(())
"""Settings in which a port differs from similar ports; unknown where one that they are compared by was misread on it."""


def odd_settings(ports: ComparedPorts) -> Mapping[str, Odd]:
    """Port id -> settings in which it differs from nine tenths of the similar ports, or its device from those of its tier."""
    settings = Settings(_is_compared, _WITHIN)
    odd = {**_slow_nics(ports), **_short_headrooms(ports), **_odd_watchdogs(ports), **_odd_ones(ports, settings)}
    return _with_devices(odd, ports, settings)


def _is_compared(path: Path) -> bool:
    return (path[0] in _COMPARED or path[:2] in _OF_DRIVERS) and path[-1] not in _OWN_BY_NATURE


def odd_congestion_control(ports: ComparedPorts) -> Mapping[str, Odd]:
    """The same for the congestion control of NICs; where they are too few for a majority, of one host."""
    settings = Settings(_of_congestion_control, _NIC)
    odd = {**_odd_ones(ports.nics, settings), **_unlike_on_one_host(ports.nics, settings)}
    return _with_devices(odd, ports.nics, settings)


def odd_versions(ports: ComparedPorts) -> Mapping[str, Odd]:
    """The same for the firmware and the driver of NICs."""
    settings = Settings(lambda path: path[:2] in _VERSIONS, _NIC)
    return _with_devices(_odd_ones(ports.nics, settings), ports.nics, settings)


def odd_in_channel(ports: Sequence[FabricPort]) -> Mapping[str, Odd]:
    """Port id -> settings in which it differs from most members of its channel; of two from the one that is set up as RoCE needs it.

    Members that pause, and may lead out of the fabric by their names, are compared as well: a hash spreads flows over them too.
    """
    channels: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.reading.labels.lag:
            channels[port.device.name, port.reading.labels.lag].append(port)
    odd: dict[str, Odd] = {}
    settings = Settings(_is_compared, _WITHIN)
    for all_members in channels.values():
        may_lead_out = any(port.roce.rank == "conflict" for port in all_members)
        members = [port for port in all_members if port.roce.carries or (may_lead_out and port.roce.rank in _BY_ITSELF)]
        if len({id(port.reading.facts) for port in members}) > 1:
            members.sort(key=_as_meant)
            odd.update(_odd_members(members, settings))
    return odd


def _as_meant(port: FabricPort) -> tuple[bool, int]:
    """First the members that pause, and of them those that let the longest packets through."""
    facts = port.reading.facts
    return not paused_priorities(facts), -(facts.ip_mtu_bytes.value_or_none() or 0)


def _odd_members(members: Sequence[FabricPort], settings: Settings) -> Iterator[tuple[str, Odd]]:
    on_all = [path for path in settings.of(members[0]) if all(path in settings.of(port) for port in members)]
    usual: dict[Path, tuple[FabricPort, Cell[Any], int]] = {}
    for path in on_all:
        values = Counter(settings.of(port)[path].value for port in members)
        if len(values) > 1 and UNSAID not in values:
            value, agreeing = values.most_common(1)[0]
            usual[path] = (*_holder(members, settings, path, value), agreeing)
    for port in members:
        mine = settings.of(port)
        told = [
            _odd(path, mine[path], *usual[path])
            for path in _told([p for p, (_, cell, _) in usual.items() if mine[p].value != cell.value])
        ]
        not_known = next(iter(settings.misread(port, _WITHIN).values()), None)
        if told:
            yield port.id, known(tuple(told), HERE)
        elif not_known is not None:
            yield port.id, unknown(not_known.why or Why.NOT_PARSED, *as_said(not_known.at))


def _with_devices(odd: Mapping[str, Odd], ports: ComparedPorts, settings: Settings) -> Mapping[str, Odd]:
    """The same, and what devices differ in. Of a setting that both tell, the comparison of devices says more."""
    votes = devicevotes.compared(ports, settings)
    found = dict(odd)
    numberings = Numberings()
    together: dict[tuple[object, ...], Odd] = {}
    """By what they follow from: facts, votes, and what the port differs in alone."""
    for port in ports.carrying if votes else ():
        its = votes.get(port.id)
        if its is not None:
            alone = odd.get(port.id, _NONE)
            key = (id(port.reading.facts), id(alone), *map(id, its))
            if key not in together:
                together[key] = _of_devices(_not_renumbered(its, port, numberings), alone, settings.of(port))
            found[port.id] = together[key]
    return found


def _not_renumbered(votes: Sequence[DeviceVote], port: FabricPort, numberings: Numberings) -> Sequence[DeviceVote]:
    """Without what is equal but for the numbers that each device gives to what it keeps for the same priorities."""
    mine = port.reading.facts
    return [vote for vote in votes if not numberings.explain(mine, vote.example.reading.facts, vote.path)]


def _of_devices(votes: Sequence[DeviceVote], alone: Odd, mine: Mapping[Path, Cell[Any]]) -> Odd:
    by_path = {vote.path: vote for vote in votes}
    told = [_of_device(mine[path], by_path[path]) for path in _told(list(by_path))]
    told.sort(key=lambda setting: setting.tied)
    objects = {_object(tuple(setting.path.split("."))) for setting in told}
    more = [one for one in alone.or_else(()) if _object(tuple(one.path.split("."))) not in objects]
    return known((*told, *more), HERE)


def _of_device(mine: Cell[Any], vote: DeviceVote) -> OddSetting:
    found = _odd(vote.path, mine, vote.example, vote.usual, vote.agreeing)
    return replace(found, peers=vote.peers, devices=True, tied=vote.tied)


def _of_congestion_control(path: Path) -> bool:
    return path[:2] in _CONGESTION_CONTROL


def _odd_ones(ports: ComparedPorts, settings: Settings) -> Mapping[str, Odd]:
    odd: dict[str, Odd] = {}
    for members in ports.similar:
        alike = ports.alike(members)
        if len(members) >= FEWEST and len(alike) > 1:
            odd.update(_odd_in_group(members, alike, settings))
    return odd


def _odd_watchdogs(ports: ComparedPorts) -> Mapping[str, Odd]:
    """The one port of a switch whose PFC watchdog is set otherwise than on all its others: that follows neither speed nor neighbour."""
    settings = Settings(lambda path: path[:2] == _WATCHDOG, _WATCHDOG[:1])
    odd: dict[str, Odd] = {}
    for members in ports.by_switch:
        alike = ports.alike(members)
        if len(members) >= _ALL_BUT_ONE and len(alike) > 1:
            found = {port: its for port, its in _odd_in_group(members, alike, settings).items() if its.is_known}
            odd.update(found if len(found) == 1 else {})
    return odd


def _short_headrooms(ports: ComparedPorts) -> Mapping[str, Odd]:
    """Ports with a fraction of the headroom that similar ports or switches have, of one speed and told the same length of cable or none."""
    by_length: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in ports.carrying:
        facts, length = port.reading.facts, port.length.value if port.length is not None else None
        by_length[length, facts.cable_m.value, facts.speed_bps.value].append(port)
    settings = Settings(lambda path: path[-1] == _HEADROOM, ("groups",))
    odd: dict[str, Odd] = {}
    for those in by_length.values():
        alike = ComparedPorts(those)
        for name, its in _with_devices(_odd_ones(alike, settings), alike, settings).items():
            short = tuple(one for one in its.or_else(()) if _is_fraction(one) and not one.tied)
            if short:
                odd[name] = known(short, HERE)
    return odd


def _slow_nics(ports: ComparedPorts) -> Mapping[str, Odd]:
    """The one NIC that runs slower than all others of its model in the same slot of the other hosts: speed makes NICs unlike, so that
    nothing else compares them."""
    slots: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in ports.carrying:
        nic = port.reading.facts.nic.value if port.is_nic else None
        if nic is not None and nic.model_name.is_known and port.reading.facts.speed_bps.is_known:
            slots[port.fabric, nic.model_name.get(), port.reading.name].append(port)
    odd: dict[str, Odd] = {}
    for members in slots.values():
        counted = Counter(port.reading.facts.speed_bps.get() for port in members)
        (usual, agreeing), *others = counted.most_common()
        if agreeing >= max(FEWEST - 1, len(members) - 1) and others and others[0][0] < usual:
            example = next(port for port in members if port.reading.facts.speed_bps.get() == usual)
            slow = next(port for port in members if port.reading.facts.speed_bps.get() < usual)
            mine, its = (
                known(f"{one.reading.facts.speed_bps.get() / 1e9:g}G", *one.reading.facts.speed_bps.at)
                for one in (slow, example)
            )
            odd[slow.id] = known((_odd(("speed_bps",), mine, example, its, agreeing),), HERE)
    return odd


def _is_fraction(setting: OddSetting) -> bool:
    mine, usual = setting.value.get(), setting.usual.get()
    return mine.isdecimal() and usual.isdecimal() and _FRACTION * int(mine) <= int(usual)


def _unlike_on_one_host(nics: ComparedPorts, settings: Settings) -> Mapping[str, Odd]:
    """Where NICs are too few for a majority: those of one host that differ from its first of the same model and speed."""
    odd: dict[str, Odd] = {}
    for members in nics.similar:
        hosts: dict[str, list[FabricPort]] = defaultdict(list)
        for port in members if len(members) < FEWEST else ():
            hosts[port.device.name].append(port)
        for first, *others in hosts.values():
            usual = settings.of(first)
            for port in others:
                mine = settings.of(port)
                different = [p for p, cell in usual.items() if p in mine and _are_unlike(p, mine[p], cell)]
                if different:
                    found = (_odd(p, mine[p], first, usual[p], 1) for p in _told(different))
                    odd[port.id] = known(tuple(found), HERE)
    return odd


_JUDGED_ALONE = frozenset({"np_priorities", "rp_priorities", "off_alone", "half_on_alone", "algorithm", "out_of_range"})
"""What other rules say of each NIC by itself: of two NICs one is right, and which of them these rules know."""


def _are_unlike(path: Path, mine: Cell[Any], other: Cell[Any]) -> bool:
    """Whether two NICs differ in a parameter that neither of them has at a value (0) which is judged for itself."""
    is_parameter = path[:2] == ("nic", "dcqcn") and len(path) > 2 and path[2] not in _JUDGED_ALONE
    return is_parameter and mine.value != other.value and 0 not in (mine.value, other.value)


def _odd_in_group(
    members: Sequence[FabricPort], alike: Sequence[Sequence[FabricPort]], settings: Settings
) -> Mapping[str, Odd]:
    """`alike` are the members by their facts."""
    different = settings.where_they_differ([ports[0] for ports in alike])
    counted: dict[Path, Counter[object]] = defaultdict(Counter)
    for ports, its in zip(alike, different, strict=True):
        for path, cell in its.items():
            counted[path][cell.value] += len(ports)
    usual, unsaid = _usual(len(members), alike, counted, settings)
    deciding = [port for port in members if not port.roce.is_inferred]
    if deciding and len(deciding) < len(members):  # the odd one is why the others count as RoCE
        usual = {path: value for path, value in usual.items() if any(_has(p, path, value, settings) for p in deciding)}
    example = {path: _holder(members, settings, path, value) for path, value in usual.items()}
    usual = {path: value for path, value in usual.items() if not _is_believed(example[path][1])}
    seen = {path[:end] for path in counted for end in range(1, len(path) + 1)}
    differing = {path[0] for path in counted}
    numberings = Numberings()
    odd: dict[str, Odd] = {}
    for ports, mine in zip(alike, different, strict=True):
        facts = ports[0].reading.facts
        unlike = [
            path
            for path, value in usual.items()
            if path in mine
            and mine[path].value != value
            and not numberings.explain(facts, example[path][0].reading.facts, path)
        ]
        not_known = next((cell for path, cell in settings.misread(ports[0], differing).items() if path in seen), None)
        for port in ports if unlike or unsaid or not_known is not None else ():
            told = _told(unlike + unsaid.get(port.id, []))
            if told:
                found = (_odd(p, mine.get(p, known(UNSAID)), *example[p], counted[p][usual[p]]) for p in told)
                odd[port.id] = known(tuple(found), HERE)
            elif not_known is not None:
                odd[port.id] = unknown(not_known.why or Why.NOT_PARSED, *as_said(not_known.at))
    return odd


def _is_believed(cell: Cell[Any]) -> bool:
    """Whether only a default without a document says it: who has a value of its own (as one answer shows it) is not unlike that."""
    return any(isinstance(where, Cited) and where.is_unverified for where in cell.at)


def _usual(
    number: int, alike: Sequence[Sequence[FabricPort]], counted: Mapping[Path, Counter[object]], settings: Settings
) -> tuple[dict[Path, object], Mapping[str, list[Path]]]:
    """(path -> the value of nearly all the `number` members, port that says nothing of such a path -> those paths)."""
    usual: dict[Path, object] = {}
    unsaid: dict[str, list[Path]] = defaultdict(list)
    for path, values in counted.items():
        value, count = values.most_common(1)[0]
        if value == UNSAID or count < FEWEST - 1:
            continue
        if len(values) > 1 and count >= AGREEING * (sum(values.values()) - 1):
            usual[path] = value
        elif len(values) == 1 and 0 < number - count <= max(1, (1 - AGREEING) * number):
            usual[path] = value
            for silent in _silent(alike, settings, path):
                unsaid[silent].append(path)
    return usual, unsaid


def _has(port: FabricPort, path: Path, value: object, settings: Settings) -> bool:
    cell = settings.at(port, path)
    return cell is not None and cell.value == value


def _silent(alike: Iterable[Sequence[FabricPort]], settings: Settings, path: Path) -> frozenset[str]:
    """Members of which a file says nothing here, though it says it of all similar ports in it.

    Such a file proves no absence by itself; that the same file writes the line for each similar port does, where it looks whole,
    or sets something of the class on this port as well. A port that leans on a name that nobody defines has said something: the name is
    told. `alike` are ports by their facts.
    """
    spoken: Counter[str] = Counter()
    silent: list[FabricPort] = []
    for ports in alike:
        if settings.at(ports[0], path) is not None:
            spoken.update(port.reading.header.path for port in ports)
            continue
        not_known = follow(ports[0].reading.facts, path)
        if not_known is not None and not_known.why is Why.NOT_VISIBLE and not not_known.at:
            silent += ports
    return frozenset(
        port.id
        for port in silent
        if spoken[port.reading.header.path] >= FEWEST - 1
        and (
            port.reading.header.path in port.device.assumed_whole
            or port.roce.rank == "port_config"
            or _is_set_up(port, settings)
        )
    )


def _is_set_up(port: FabricPort, settings: Settings) -> bool:
    """Whether the port's own stanza says how its packets are classified or queued: whoever wrote it had the class in mind."""
    parts = port.reading.parts
    return any(
        isinstance(where, At) and where.part < len(parts) and parts[where.part].role == "own"
        for path, cell in settings.of(port).items()
        if path[0] in _OF_CLASSES
        for where in as_said(cell.at)
    )


def _told(paths: list[Path]) -> list[Path]:
    """One path per object: of `queues.3.ecn.*` the first is enough, of a group whether it is lossless."""
    first: dict[tuple[str | int, ...], Path] = {}
    for path in paths:
        if path[-1] == _DECISIVE:
            first[_object(path)] = path
        first.setdefault(_object(path), path)
    return list(first.values())


def _object(path: Path) -> Path:
    return path[:1] if path[0] == "dscp" else path[:2] if path[0] == "groups" else path[:3]


def _holder(
    members: Sequence[FabricPort], settings: Settings, path: Path, value: object
) -> tuple[FabricPort, Cell[Any]]:
    """The first port with this value, and the value as it says it."""
    cells = ((port, settings.at(port, path)) for port in members)
    return next((port, cell) for port, cell in cells if cell is not None and cell.value == value)


def _odd(path: Path, mine: Cell[Any], example: FabricPort, theirs: Cell[Any], count: int) -> OddSetting:
    return OddSetting(
        path=dotted(path),
        value=known(_text(mine.value), *_lines(mine)),
        usual=known(_text(theirs.value), *example.absolute(_lines(theirs))),
        agreeing=count,
        peers=_peers(example, count),
        devices=False,
        tied=False,
    )


def _peers(example: FabricPort, count: int) -> str:
    what = "NIC" if example.is_nic else "port"
    return f"the similar {what} {example.id}" if count == 1 else f"{count} similar {what}s, such as {example.id}"


def _lines(cell: Cell[Any]) -> tuple[Where, ...]:
    """Where a port's value is said; where the port begins if no line says it."""
    at = as_said(cell.at)
    return at if any(isinstance(where, At | Place) for where in at) else (HERE,)


def _text(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, frozenset):
        return ", ".join(map(str, sorted(value))) or "none"
    return {True: "on", False: "off"}.get(value, str(value)) if isinstance(value, bool) else str(value)
