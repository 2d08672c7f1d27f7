"""Peer links: between the two switches of a pair (vPC, MLAG, VLT). They carry RoCE where they are set up for it or bridge it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence

_BOTH = 2


def hint(port: FabricPort) -> RoceEvidence:
    """What a peer link is where nothing else is known: hosts have a way of their own over both switches."""
    return RoceEvidence(False, "hint", (port.reading.header,), "peer link of a switch pair")


def decide(ports: Sequence[FabricPort]) -> None:
    """Decide the peer links that no configuration of their own decides; set `crossed_by` of all of them."""
    links = [port for port in ports if port.reading.labels.peer_link]
    if not links:
        return
    serving = _serving(ports)
    lossless = [port for port in links if port.config is not None and port.config.carries]
    for port in links:
        port.crossed_by = _crossing(port, serving.get(port.device.name, {}))
        if port.roce is not UNDECIDED:
            continue
        if port.crossed_by is not None:
            other, vlan = port.crossed_by
            said = f"bridges VLAN {vlan} of {other.id}, which carries RoCE"
            port.roce = RoceEvidence(True, "path", (other.reading.header, port.reading.header), said)
            continue
        beside = next((one for one in lossless if _is_of_same_link(one, port)), None)
        others = [one for one in lossless if _is_other_end(one, port)]
        if beside is not None:
            port.roce = _like(beside, "another port of the peer link", elsewhere=False)
        elif len(others) % _BOTH:  # an even number of them are pairs of their own
            port.roce = _like(others[0], "the peer link of the other switch", elsewhere=True)


def _like(other: FabricPort, called: str, *, elsewhere: bool) -> RoceEvidence:
    at = (other.reading.header, *other.absolute(other.config.at if other.config else ()))
    return RoceEvidence(True, "similar_ports", at, f"{called}, {other.id}, is set up for RoCE", elsewhere=elsewhere)


def _is_of_same_link(one: FabricPort, port: FabricPort) -> bool:
    return one.device is port.device and one.reading.labels.lag == port.reading.labels.lag


def _serving(ports: Iterable[FabricPort]) -> Mapping[str, Mapping[int, FabricPort]]:
    """Device -> VLAN -> a port of it that carries RoCE. VLANs that other ports have as well are no RoCE VLANs."""
    others: dict[str, set[int]] = defaultdict(set)
    for port in ports:
        if not port.roce.carries and not port.reading.labels.peer_link:
            others[port.device.name] |= port.reading.labels.vlans
    found: dict[str, dict[int, FabricPort]] = defaultdict(dict)
    for port in ports:
        labels = port.reading.labels
        if port.roce.carries and not port.is_nic and not labels.peer_link and not labels.routed:
            for vlan in labels.vlans - others[port.device.name]:
                found[port.device.name].setdefault(vlan, port)
    return found


def _crossing(port: FabricPort, serving: Mapping[int, FabricPort]) -> tuple[FabricPort, int] | None:
    """A RoCE port whose VLAN the peer link names. One that names none is a factory default: nobody said what is meant to cross."""
    labels = port.reading.labels
    if labels.routed:
        return None
    common = sorted(vlan for vlan in serving if vlan in labels.vlans)
    return (serving[common[0]], common[0]) if common else None


def _is_other_end(one: FabricPort, port: FabricPort) -> bool:
    """Whether two peer links are likely those of one pair: same fabric, platform and channel, and no cable leads elsewhere."""
    if one.device is port.device or (one.fabric, one.device.platform) != (port.fabric, port.device.platform):
        return False
    if one.peer not in (None, port) or port.peer not in (None, one):
        return False
    return one.reading.labels.lag == port.reading.labels.lag and one.reading.name == port.reading.name
