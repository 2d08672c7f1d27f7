"""Similar ports: those that people would configure alike. What most of them do is expected of each, and an outlier is a fault.

The consensus is evidence of rank 4 on whether a port carries RoCE; the outliers differ in a setting from nearly all others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.fabric.carrying.portconfig import classifies_and_queues, hint_for, sets_up_queues
from roce_audit.fabric.hosts.nics import has_rdma_device, nic_of
from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence, of_facts_alone
from roce_audit.fabric.words import label, role_letters
from roce_audit.model import Port
from roce_audit.patterns import lazy
from roce_audit.text.block import SHOWN
from roce_audit.values import Cell, Why

_FEWEST_VOTERS = 3
_MOST_DIFFERENT = 0.1
_SWITCHES = frozenset({"leaf", "spine", "superspine", "tor"})
_FACTORY_VLANS = frozenset({1})
"""In which a switch port is when nobody put it into another."""
_SETTLED = frozenset({"policy", "cabling", "port_config"})
_SETTLED_ANYWHERE = _SETTLED | {"device_wide"}
_SLOT_NAME = lazy(r"en(?:P\d+)?[ps]\d\w*|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]|unnamed")
"""A name that tells where the NIC sits (systemd.net-naming-scheme), and no mere number of it; or none, of the only one asked for."""
_PCI = lazy(r"[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")


def similarity(port: FabricPort) -> tuple[object, ...]:
    """What makes two ports similar.

    Switch ports: kind, facing, speed, layer, VLANs or VRF, and the description's words. NICs: model and speed.
    """
    facts, labels = port.reading.facts, port.reading.labels
    if port.is_nic:
        return _of_nic(facts)
    kind, speed = facts.kind.or_else("other"), facts.speed_bps.or_else(0)
    facing = port.facing.value if port.facing is not None else None
    words = label(labels.description).kind
    vlans = labels.vlans if not labels.routed else frozenset()
    return ("switch", kind, facing, speed, labels.routed, vlans, labels.vrf, words)


@of_facts_alone
def _of_nic(facts: Port) -> tuple[object, ...]:
    nic = facts.nic.value_or_none()
    model = nic.model_name.or_else("") if nic is not None else ""
    return ("host", facts.kind.or_else("other"), facts.speed_bps.or_else(0), model)


def decide_by_similar_ports(ports: Sequence[FabricPort]) -> None:
    """Rank 4 among the ports of the same device; then links to switches of one kind, be the speed of some of them unknown."""
    serving = {port.device.name for port in ports if port.roce.carries}
    for members in _groups(ports, lambda port: (port.device.name,)):
        found, votes = _consensus(members, _SETTLED)
        if found.carries and _are_mostly_spare(members, votes):
            continue
        letters = _letters(members)
        for port in members:
            asked = _is_open(port) and votes >= _fewest(port) and not _is_unused(port)
            if asked and not _is_of_another_letter(port, letters) and not _leads_aside(port, serving):
                port.roce = found
    carrying = Counter(port.device.name for port in ports if port.roce.carries)
    for members in _groups(ports, lambda port: (port.device.name,), _leads_to_a_switch, _but_for_the_speed):
        found, votes = _consensus(members, _SETTLED)
        if found.carries and len({port.reading.facts.speed_bps.or_else(0) for port in members} - {0}) < 2:
            others = [port for port in members if _is_open(port) and not _leads_aside(port, serving)]
            name = members[0].device.name
            # one of many links may be a slip of its own, on a switch without RoCE elsewhere
            if votes >= min(_FEWEST_VOTERS, len(others) - 1) or carrying[name] > votes:
                for port in others:
                    port.roce = found
    if any(_is_open(port) for port in ports):
        _decide_by_same_setup(ports)


def _decide_by_same_setup(ports: Sequence[FabricPort]) -> None:
    """Open ports of a switch whose own lines classify and queue packets as on most ports with the same lines, which carry RoCE.

    Where fewer of these carry it than are open, the lines are those of every port, and PFC is what sets some apart.
    """
    opened = [port for port in ports if not port.is_nic and _is_open(port) and classifies_and_queues(port)]
    devices = {port.device.name for port in opened}
    groups: dict[tuple[object, ...], tuple[list[FabricPort], list[FabricPort]]] = {}
    for port in opened:
        groups.setdefault(_setup(port), ([], []))[0].append(port)
    for port in ports if devices else ():
        if port.device.name in devices and port.roce.carries and port.roce.rank in _SETTLED and not port.is_nic:
            groups.get(_setup(port), ([], []))[1].append(port)
    for mine, others in groups.values():
        if len(others) > len(mine):
            said = f"its own lines set it up as those of {others[0].id}, which carries RoCE"
            at = (others[0].reading.header, *others[0].absolute(others[0].roce.at))
            for port in mine:
                port.roce = RoceEvidence(True, "similar_ports", at, said)


def _setup(port: FabricPort) -> tuple[object, ...]:
    """How packets enter and leave."""
    facts = port.reading.facts
    return (port.device.name, facts.trust, facts.dscp, facts.pcp, facts.queues)


def _leads_aside(port: FabricPort, serving: Collection[str]) -> bool:
    """Whether the cable leads to a switch of which no port is known to carry RoCE, and is lossy: nobody forgets both ends of it."""
    far = port.peer
    if far is None or far.is_nic or far.device.name in serving:
        return False
    return _is_seen_lossy(port) and _is_seen_lossy(far)


def _letters(members: Sequence[FabricPort]) -> set[tuple[str, ...]]:
    """The letters before the numbers in the descriptions of the ports that are decided."""
    return {role_letters(port.reading.labels.description) for port in members if not _is_open(port)}


def _is_of_another_letter(port: FabricPort, letters: set[tuple[str, ...]]) -> bool:
    """Whether one letter before the number is that of all decided ports, and another one that of this port (`ncn-s01`, `ncn-m01`)."""
    its = role_letters(port.reading.labels.description)
    return len(letters) == 1 and its not in letters and len(its) == len(next(iter(letters)))


def _leads_to_a_switch(port: FabricPort) -> bool:
    """Routed, with a description that names a switch by its role: links to switches of one kind are made alike, be there but two."""
    labels = port.reading.labels
    return bool(labels.routed) and not label(labels.description).kind.isdisjoint(_SWITCHES) and _comparable(port)


def _but_for_the_speed(port: FabricPort) -> tuple[object, ...]:
    kind, what, facing, _, *others = port.similarity
    return (kind, what, facing, *others)


def doubt_single_offs(ports: Sequence[FabricPort]) -> None:
    """A switch port with PFC off, of whose kind all others on the switch carry RoCE, three at least, and whose label is theirs, or whose
    own lines are theirs but for pause.

    Where that label speaks for RoCE, or its lines are theirs, the port carries it, as they do; else nobody knows.
    """
    if not any(_is_off(port) for port in ports):
        return
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if not port.is_nic and port.roce.rank in _SETTLED:
            groups[(port.device.name, *port.similarity)].append(port)
    for members in groups.values():
        off = [port for port in members if _is_off(port)]
        others = [port for port in members if port.roce.carries]
        if len(off) == 1 and len(others) == len(members) - 1 >= _FEWEST_VOTERS:
            port, example = off[0], others[0]
            alike = _is_set_up_like(port, example)
            if not (alike or label(port.reading.labels.description).kind):
                continue
            at = (*port.roce.at, example.reading.header)
            said = f"{port.roce.because}, but {len(others)} similar ports carry RoCE, such as {example.id}"
            says_so = alike or hint_for(port)
            port.roce = RoceEvidence(says_so or None, "similar_ports" if says_so else "conflict", at, said)


def _is_set_up_like(port: FabricPort, other: FabricPort) -> bool:
    """Whether its own lines set up queues, and packets enter and leave as on the other one: nobody does that for a spare port."""
    return sets_up_queues(port.reading.facts, port.reading.parts) and _setup(port) == _setup(other)


def _are_mostly_spare(members: Sequence[FabricPort], votes: int) -> bool:
    """Whether more switch ports are open than were decided, and nothing is written on any of them that says what it is for.

    Of ports without description, address, VRF and VLAN of their own, those that somebody set up are the ones in use: a switch that is
    half empty is no switch on which most ports were forgotten.
    """
    return not members[0].is_nic and sum(map(_is_open, members)) > votes and all(map(_has_no_purpose, members))


def _has_no_purpose(port: FabricPort) -> bool:
    labels = port.reading.labels
    return not (labels.description or labels.addresses or labels.vrf or labels.lag or labels.vlans - _FACTORY_VLANS)


def _is_unused(port: FabricPort) -> bool:
    """Whether a switch port is named and nothing else is said of it: a running-config names the ports that nobody uses as well."""
    if port.reading.labels.routed is not None or not _has_no_purpose(port):
        return False
    own = [part.block for part in port.reading.parts if part.kind == "port" and part.role == "own"]
    return bool(own) and all(text.startswith("interface ") for block in own for text in block.texts.statements)


def _is_off(port: FabricPort) -> bool:
    """Whether its own configuration turns PFC off."""
    return port.roce.carries is False and port.roce.rank == "port_config"


def decide_by_similar_ports_elsewhere(ports: Sequence[FabricPort]) -> None:
    """Rank 4 among the ports of devices of the same fabric and tier, NICs there by their slot.

    A switch on which nothing is lossless at all is one question and not one for each port: it may have been forgotten, or serve
    something else. Where more switches are like that than are lossless, nobody forgot them: they are another network in the same
    folder, and unclear; so is one where the far ends of its cables are lossy as well. A port whose description speaks against RoCE makes
    no switch a lossless one. Ports of other models and roles are asked for it as well.
    """
    lossless = {port.device.name for port in ports if _is_lossless(port) and port.roce.rank != "conflict"}
    aside = _lossy_at_both_ends(ports, lossless)
    serving = {port.device.name for port in ports if port.roce.carries}
    others: set[str] = set()
    for members in _groups(ports, lambda port: (port.fabric, port.device.platform)):
        blank = [
            port for port in members if port.device.name not in lossless and _is_open(port) and _is_seen_lossy(port)
        ]
        found, votes = _consensus(members, _SETTLED_ANYWHERE)
        if len({port.device.name for port in blank}) > len({port.device.name for port in members} & lossless):
            others |= {port.id for port in blank}
            continue
        others |= {port.id for port in blank if port.device.name in aside or _leads_aside(port, serving)}
        for port in blank:
            if port.id not in others and found.carries and votes >= _FEWEST_VOTERS and not port.tier.against:
                port.left_out = found
    for members in _groups(ports, lambda port: (port.fabric, port.tier, _slot(port)), _comparable_by_slot):
        found, votes = _consensus(members, _SETTLED_ANYWHERE)
        if found.carries and _are_mostly_spare(members, votes):
            continue
        letters = _letters(members)
        for port in members:
            asked = _is_open(port) and port.left_out is None and port.id not in others and votes >= _fewest(port)
            if not asked or _is_unused(port) or _leads_aside(port, serving):
                continue
            # a port of which nothing says what it is for is like those of a switch of another network, too
            if not (port.is_nic or port.device.name in lossless) and _has_no_purpose(port):
                continue
            if not _is_of_another_letter(port, letters):
                port.roce = replace(found, elsewhere=True)


def _lossy_at_both_ends(ports: Iterable[FabricPort], lossless: Collection[str]) -> set[str]:
    """The switches to which lossless ones are cabled, with ports alone that are lossy: nobody forgets a device at both ends."""
    far_ends: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports:
        far = port.peer
        if far is not None and not port.is_nic and port.device.name not in lossless and far.device.name in lossless:
            far_ends[port.device.name].append(far)
    return {
        name for name, fars in far_ends.items() if all(not far.roce.carries and _is_seen_lossy(far) for far in fars)
    }


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
            and port.reading.header.path in port.device.assumed_whole
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
    ports: Sequence[FabricPort],
    where: Callable[[FabricPort], tuple[object, ...]],
    comparable: Callable[[FabricPort], bool] | None = None,
    alike: Callable[[FabricPort], tuple[object, ...]] = lambda port: port.similarity,
) -> Iterable[Sequence[FabricPort]]:
    """Ports of one place that are `alike` (similar, unless it says otherwise), where at least one of them is open."""
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    if any(_is_open(port) for port in ports):
        for port in ports:
            if (comparable or _comparable)(port):
                groups[(*where(port), *alike(port))].append(port)
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
    """NICs of which neither model nor speed was seen are not alike for that, nor ports of which no configuration was."""
    if port.is_nic:
        return any(port.similarity[2:])
    return any(part.kind != SHOWN for part in port.reading.parts)


def _comparable_by_slot(port: FabricPort) -> bool:
    """Also NICs of which only the tool for QoS was asked: in the same slot of other hosts, where somebody set the trust up."""
    named = port.is_nic and _SLOT_NAME.fullmatch(_slot(port)) is not None
    return _comparable(port) or (named and port.reading.facts.trust.or_else("none") == "dscp")
