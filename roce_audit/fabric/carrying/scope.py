"""Scope: which ports carry RoCE. The first rank of evidence that speaks decides; decided once, before the rules.

0 not a data port, 1 policy or topology, 2 cabling (the far end), 3 the port's own configuration, 4 similar ports, 5 the path
between RoCE switches, 6 a statement for the whole device, 7 hints against.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from roce_audit.fabric.cables.breakouts import decide_by_siblings
from roce_audit.fabric.cables.hostfacing import to_hosts
from roce_audit.fabric.carrying.portconfig import PortConfig, hint_against, hint_for, hint_of_fcoe, is_own
from roce_audit.fabric.carrying.samevlan import decide_by_vlans
from roce_audit.fabric.carrying.similarports import (
    decide_by_similar_ports,
    decide_by_similar_ports_elsewhere,
    doubt_single_offs,
    similarity,
)
from roce_audit.fabric.carrying.uplinks import decide_uplinks
from roce_audit.fabric.hosts import nics
from roce_audit.fabric.lags import peerlinks
from roce_audit.fabric.lags.channels import decide_by_channel
from roce_audit.fabric.port import NOT_DATA, UNDECIDED, FabricPort, RoceEvidence, from_afar, of_facts_alone
from roce_audit.fabric.ports import FabricPorts
from roce_audit.model import Port
from roce_audit.model.joined import Facing
from roce_audit.policy.values import Policy
from roce_audit.values import HERE, THERE, Cell, Place, Where, Why, absent, known, unknown

_DATA = frozenset({"ethernet", "lag"})
_SLOW = 4
_FEWEST_OTHERS = 3
_FACES_UNSEEN: Cell[Facing] = unknown(Why.NOT_VISIBLE)
_FACES_A_PEER: Cell[Facing] = known("peer-link", HERE)
_FACES_A_HOST: Cell[Facing] = known("host", THERE)
_FACES_THE_FABRIC: Cell[Facing] = known("fabric", THERE)


@dataclass(slots=True)
class _Gathered:
    """What was gathered of all ports before any of them is decided, by port id."""

    by_policy: dict[str, RoceEvidence] = field(default_factory=dict)
    by_config: dict[str, RoceEvidence] = field(default_factory=dict)
    weak: set[str] = field(default_factory=set)
    """Ports whose hint stands back where their own configuration speaks for RoCE."""
    _afar: dict[int, tuple[RoceEvidence, tuple[Where, ...]]] = field(default_factory=dict)

    def seen_from_afar(self, answer: RoceEvidence) -> tuple[Where, ...]:
        """The places of what is said of a port, as the port at its far end has them; many ports share an answer."""
        found = self._afar.get(id(answer))
        if found is None:
            found = self._afar[id(answer)] = answer, (*from_afar(answer.at), THERE)
        return found[1]


def decide(
    all_ports: FabricPorts,
    policy: Policy,
    said: Mapping[str, tuple[bool, Place]],
    lists: nics.ListsOfHosts,
    templates: Set[str] = frozenset(),
) -> None:
    """Set `roce`, `facing`, `hint`, `named`, `config` and `similarity` of every port.

    Ports of `templates`, devices of which only a template was read, are similar to none of other devices: most that lie together are
    alternatives.
    """
    configured = PortConfig()
    ports = _without_idle_ports(all_ports)
    channels = nics.channels_of(ports)
    kinds: dict[tuple[object, ...], tuple[object, ...]] = {}
    for port in ports:
        port.named = _named(port, channels, lists) if port.is_nic else None
        port.facing = _facing(port)
        alike = similarity(port)
        port.similarity = kinds.setdefault(alike, alike)
    gathered = _Gathered(by_policy=_by_policy(ports, policy, said))
    _hints(ports, channels, gathered)
    for port in ports:
        port.config = configured.of(port)
        by_config = _by_config(port, lists)
        if by_config is not None:
            gathered.by_config[port.id] = by_config
    members = {(port.device.name, port.reading.labels.lag) for port in ports if port.reading.labels.lag}
    data = []
    for port in ports:
        if (port.device.name, port.reading.name) in members:
            port.roce = RoceEvidence(None, "not_data", (port.reading.header,), "a channel: its members are judged")
        elif _is_empty_channel(port):
            port.roce = RoceEvidence(None, "not_data", (port.reading.header,), "a channel without members")
        elif _not_data(port.reading.facts):
            port.roce = RoceEvidence(None, "not_data", (port.reading.header,), "not a data port")
        else:
            data.append(port)
            port.roce = _by_its_own_evidence(port, gathered)
    nics.settings_of_bond(data)
    decide_by_channel(data)
    if _some_open(data):
        decide_by_similar_ports(data)
        decide_by_siblings(data)
        _by_far_end(data)
        aside = _sized_aside(data)
        _by_path([port for port in data if not (_leads_where_a_hint_speaks(port) or port.id in aside)])
        _by_device_wide(data, configured)
        _from_device_wide(data)
        of_devices = [port for port in data if port.device.name not in templates]
        decide_by_similar_ports_elsewhere(of_devices)
        decide_by_vlans(of_devices)
        decide_uplinks(of_devices, all_ports)
        _by_far_end(data)
    peerlinks.decide(data)
    doubt_single_offs(data)
    if _some_open(data):
        for port in data:
            if port.roce is UNDECIDED and port.hint is not None:
                port.roce = port.hint
        _by_far_hint(data)
        _by_speed(data)


def _some_open(ports: Iterable[FabricPort]) -> bool:
    """Whether any port is undecided: the ranks behind its own evidence decide no other."""
    return any(port.roce is UNDECIDED for port in ports)


def _without_idle_ports(ports: FabricPorts) -> list[FabricPort]:
    """A switch's ports that carry no data need no evidence; a host's say something of the host."""
    for alike in ports.alike:
        if not alike[0].is_nic and _not_data(alike[0].reading.facts):
            for port in alike:
                port.roce = NOT_DATA
    return [port for port in ports.in_use if port.roce is not NOT_DATA]


def _by_its_own_evidence(port: FabricPort, gathered: _Gathered) -> RoceEvidence:
    """Ranks 1 to 3."""
    return gathered.by_policy.get(port.id) or _by_cabling(port, gathered) or _against_hint(port, gathered) or UNDECIDED


def _is_empty_channel(port: FabricPort) -> bool:
    """Whether a port of a switch is a channel of which the whole configuration shows no member: one is set up before its host comes.

    A text that only looks whole may name its ports in a way that is not read.
    """
    is_channel = not port.is_nic and port.reading.facts.kind.value == "lag"
    path, device = port.reading.header.path, port.device
    return is_channel and path in device.complete_because and path not in device.assumed_whole


@of_facts_alone
def _not_data(facts: Port) -> bool:
    kind, up = facts.kind, facts.admin_up
    return (kind.why is None and kind.value not in _DATA) or (up.why is None and not up.value)


def _named(port: FabricPort, channels: nics.Channels, lists: nics.ListsOfHosts) -> Cell[bool]:
    host = port.device.host
    device = nics.rdma_device_of(port, channels)
    if host is None or device.is_unknown:
        return unknown(Why.NOT_VISIBLE)
    return absent() if device.is_absent else lists.of(host).names(device.get())


def _by_policy(
    ports: Sequence[FabricPort], policy: Policy, said: Mapping[str, tuple[bool, Place]]
) -> dict[str, RoceEvidence]:
    """Port id -> what the policy or the topology says of it."""
    found: dict[str, RoceEvidence] = {}
    for port in ports if policy.ports or said else ():
        labels = port.reading.labels
        entry = policy.port(port.device.name, (port.reading.name, *labels.aliases), labels.description)
        if entry is not None:
            because = f" ({entry.because})" if entry.because else ""
            found[port.id] = RoceEvidence(entry.roce, "policy", (entry.at,), f"the policy says so{because}")
        elif port.id in said:
            value, place = said[port.id]
            found[port.id] = RoceEvidence(value, "policy", (place,), "the topology says so")
    if all(fabric.carries_roce for fabric in policy.fabrics):
        return found
    fabrics = {name: policy.fabric(name) for name in {port.device.name for port in ports}}
    for port in ports:
        fabric = fabrics[port.device.name]
        if fabric is not None and not fabric.carries_roce:
            evidence = RoceEvidence(False, "policy", (fabric.at,), f"fabric {fabric.name} carries no RoCE")
            found.setdefault(port.id, evidence)
    return found


def _by_config(port: FabricPort, lists: nics.ListsOfHosts) -> RoceEvidence | None:
    if port.named is not None and port.named.is_known and port.named.get() and port.device.host is not None:
        nic = nics.nic_of(port)
        device = nic.rdma_device.or_else("") if nic is not None else ""
        return RoceEvidence(True, "port_config", port.named.at, lists.of(port.device.host).that_name(device))
    if port.config is None and port.is_nic:
        return nics.near_gpu(port.reading.facts) or nics.settings_for_roce(port)
    return port.config


def _by_cabling(port: FabricPort, gathered: _Gathered) -> RoceEvidence | None:
    """The far end's evidence, where policy or its own configuration decides it.

    A switch port that was set up for RoCE does not outweigh what speaks against RoCE on the NIC behind it: a conflict.
    """
    peer = port.peer
    if peer is None or _not_data(peer.reading.facts):
        return None
    far = gathered.by_policy.get(peer.id) or gathered.by_config.get(peer.id)
    if far is None or far.carries is None:
        return None
    if not far.carries and not peer.is_nic and far.rank != "policy":
        return None  # a switch port with PFC off says nothing about the port at its far end
    at = gathered.seen_from_afar(far)
    said = f"far end {peer.id}: {far.because}"
    hint = port.hint
    if far.carries and far.rank == "port_config" and port.is_nic and hint is not None and port.id not in gathered.weak:
        return RoceEvidence(None, "conflict", (*at, *hint.at), f"{said}, but {hint.because}")
    return RoceEvidence(far.carries, "cabling", at, said)


def _hints(ports: Iterable[FabricPort], channels: nics.Channels, gathered: _Gathered) -> None:
    hosts: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.is_nic:
            hosts[port.device.name].append(port)
        labels = port.reading.labels
        port.hint = hint_against(port, (labels.description, labels.vrf, port.reading.name if port.is_nic else ""))
        port.hint = port.hint or hint_of_fcoe(port)
        if port.hint is None:  # what a policy is called tells what it is for, which need not be the port
            port.hint = hint_against(port, labels.names) or (peerlinks.hint(port) if labels.peer_link else None)
            if port.hint is not None:
                gathered.weak.add(port.id)
    hints = nics.HintsOfHosts(channels)
    for members in hosts.values():
        for port, found in zip(members, hints.of(members), strict=True):
            if found is not None and port.hint is None:
                port.hint = found.answer
                if found.weak:
                    gathered.weak.add(port.id)


def _against_hint(port: FabricPort, gathered: _Gathered) -> RoceEvidence | None:
    """Rank 3; against a hint of rank 7 it is a conflict, and the port unclear."""
    config, hint = gathered.by_config.get(port.id), port.hint
    if config is None or not config.carries or hint is None or port.id in gathered.weak:
        return config
    return RoceEvidence(None, "conflict", (*config.at, *hint.at), f"{config.because}, but {hint.because}")


def _facing(port: FabricPort) -> Cell[Facing]:
    if port.reading.labels.peer_link:
        return _FACES_A_PEER
    if port.peer is None:
        return _FACES_UNSEEN
    return _FACES_A_HOST if port.peer.is_nic else _FACES_THE_FABRIC


def _by_far_end(ports: Iterable[FabricPort]) -> None:
    """Rank 2 once more: a switch port whose NIC was decided by similar ports."""
    for port in ports:
        peer = port.peer
        if port.roce is UNDECIDED and peer is not None and peer.is_nic and peer.roce.rank == "similar_ports":
            at = (*peer.absolute(peer.roce.at), peer.reading.header)
            port.roce = RoceEvidence(peer.roce.carries, "cabling", at, f"far end {peer.id}: {peer.roce.because}")


def _by_far_hint(ports: Iterable[FabricPort]) -> None:
    """What speaks against RoCE on a NIC speaks against it on the switch port before it."""
    for port in ports:
        peer = port.peer
        if port.roce is UNDECIDED and peer is not None and peer.is_nic and peer.roce.rank == "hint":
            port.roce = RoceEvidence(
                False, "hint", peer.absolute(peer.roce.at), f"far end {peer.id}: {peer.roce.because}"
            )


def _leads_where_a_hint_speaks(port: FabricPort) -> bool:
    """Whether nothing but a hint against RoCE is known of a cable between switches: at one end of it, it counts for the other."""
    peer = port.peer
    is_open = peer is not None and not port.is_nic and not peer.is_nic and port.roce is peer.roce is UNDECIDED
    return is_open and peer is not None and (port.hint or peer.hint) is not None


def _sized_aside(ports: Iterable[FabricPort]) -> Set[str]:
    """Undecided ports of switches that carry less, by their own lines, than all those that are lossless by theirs: ways for others."""
    sizes: dict[str, list[int]] = defaultdict(list)
    small: list[tuple[FabricPort, int]] = []
    for port in ports:
        size = port.reading.facts.ip_mtu_bytes
        if port.is_nic or not size.is_known or not is_own(size, port.reading.parts):
            continue
        if port.roce.carries and port.roce.rank == "port_config":
            sizes[port.device.name].append(size.get())
        elif port.roce is UNDECIDED:
            small.append((port, size.get()))
    several = {name: min(those) for name, those in sizes.items() if len(those) >= _FEWEST_OTHERS}
    return {port.id for port, size in small if size < several.get(port.device.name, 0)}


def _by_path(ports: Sequence[FabricPort]) -> None:
    """Rank 5: on a switch that serves RoCE hosts, the ports to other switches of the fabric; and their far ends.

    A port that bridges none of the hosts' VLANs is on no way of theirs where the switch has another one.
    """
    serving: dict[str, list[FabricPort]] = defaultdict(list)
    for port in to_hosts(ports):
        serving[port.device.name].append(port)
    bridged = {name: _vlans_alone(hosts) for name, hosts in serving.items()}
    leading: dict[str, list[tuple[FabricPort, FabricPort]]] = defaultdict(list)
    for port in ports:
        peer = port.peer
        if peer is not None and not peer.is_nic and port.fabric == peer.fabric and port.device.name in serving:
            leading[port.device.name].append((port, peer))
    for name, pairs in leading.items():
        ways = [(port, peer) for port, peer in pairs if not _bridges_others(port, bridged[name])]
        host_port = serving[name][0]
        for port, peer in ways if any(not port.reading.labels.peer_link for port, _ in ways) else pairs:
            said = f"leads from {host_port.id}, which carries RoCE, to the switch {peer.device.name}"
            for end, far in ((port, peer), (peer, port)):
                if end.roce is UNDECIDED and end.hint is None:
                    end.roce = RoceEvidence(True, "path", (host_port.reading.header, far.reading.header), said)


def _vlans_alone(hosts: Sequence[FabricPort]) -> frozenset[int]:
    """The VLANs that all these ports to hosts are in; none where one is routed, or nobody knows its own."""
    vlans = [frozenset() if host.reading.labels.routed else host.reading.labels.vlans for host in hosts]
    return frozenset().union(*vlans) if all(vlans) else frozenset()


def _bridges_others(port: FabricPort, vlans: frozenset[int]) -> bool:
    labels = port.reading.labels
    return bool(vlans and labels.vlans) and not labels.routed and labels.vlans.isdisjoint(vlans)


def _by_device_wide(ports: Sequence[FabricPort], configured: PortConfig) -> None:
    """Rank 6, except for a port that was set apart: smaller packets than on the ports of which more is known, and no word for RoCE.

    Cables to switches alone tell nothing of ports to hosts.
    """
    sizes: dict[str, list[int]] = defaultdict(list)
    to_hosts_too: set[str] = set()
    for port in ports:
        if port.roce.carries and port.roce.rank in ("port_config", "cabling"):
            sizes[port.device.name].append(port.reading.facts.ip_mtu_bytes.or_else(0))
            if port.roce.rank == "port_config" or (port.peer is not None and port.peer.is_nic):
                to_hosts_too.add(port.device.name)
    for port in ports:
        if port.roce is UNDECIDED and port.hint is None:
            others, size = sizes[port.device.name], port.reading.facts.ip_mtu_bytes
            own_size = size.is_known and is_own(size, port.reading.parts)
            many = len(others) >= _FEWEST_OTHERS and port.device.name in to_hosts_too
            is_small = own_size and many and size.get() < min(others)
            if not is_small or hint_for(port):
                port.roce = configured.device_wide(port) or UNDECIDED


def _from_device_wide(ports: Iterable[FabricPort]) -> None:
    """Rank 5 again: a switch port whose far end is on another switch that carries RoCE on every port."""
    for port in ports:
        peer = port.peer
        if peer is None or port.is_nic or peer.is_nic or port.fabric != peer.fabric or port.hint is not None:
            continue
        if port.roce is UNDECIDED and peer.roce.rank == "device_wide" and peer.roce.carries:
            at = (*peer.absolute(peer.roce.at), peer.reading.header)
            port.roce = RoceEvidence(True, "path", at, f"leads to {peer.id}, which carries RoCE by {peer.roce.because}")


def _by_speed(ports: Sequence[FabricPort]) -> None:
    """Rank 7: below a quarter of the device's RoCE speed."""
    if not _some_open(ports):
        return
    fastest: dict[str, int] = defaultdict(int)
    devices: dict[str, list[FabricPort]] = defaultdict(list)
    for port in ports:
        devices[port.device.name].append(port)
        if port.roce.carries:
            fastest[port.device.name] = max(fastest[port.device.name], port.reading.facts.speed_bps.or_else(0))
    for name, members in devices.items():
        for port in members:
            speed = port.reading.facts.speed_bps.or_else(0)
            if port.roce is UNDECIDED and 0 < speed * _SLOW < fastest[name]:
                at = port.absolute(port.reading.facts.speed_bps.at)
                port.roce = RoceEvidence(False, "hint", at, "below a quarter of the speed of the device's RoCE ports")
