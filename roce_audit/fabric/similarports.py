"""Similar ports: those that people would configure alike. What most of them do is evidence of rank 4 on whether each carries RoCE."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import lru_cache

from roce_audit.fabric.nics import nic_of
from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence
from roce_audit.fabric.portconfig import words_of

_FEWEST_VOTERS = 3
_MOST_DIFFERENT = 0.1
_SETTLED = ("policy", "cabling", "port_config")
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
    """Rank 4: among the ports of the same device; then of the same fabric and platform, NICs there by their slot."""
    if not any(_is_open(port) for port in ports):
        return
    _among(ports, lambda port: (port.device.name,))
    _among(ports, lambda port: (port.fabric, port.device.platform, _slot(port)))


def _is_open(port: FabricPort) -> bool:
    return port.roce is UNDECIDED and port.hint is None


def _slot(port: FabricPort) -> str:
    """Where a NIC sits in its host: PCI address, else its name; "" for a switch port."""
    if not port.is_nic:
        return ""
    return next((alias for alias in port.reading.labels.aliases if _PCI.fullmatch(alias)), port.reading.name)


def _among(ports: Sequence[FabricPort], where: Callable[[FabricPort], tuple[object, ...]]) -> None:
    groups: dict[tuple[object, ...], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if _comparable(port):
            groups[(*where(port), *port.similarity)].append(port)
    for members in groups.values():
        open_ones = [port for port in members if _is_open(port)]
        decided = [port for port in members if port.roce.carries is not None and port.roce.rank in _SETTLED]
        if not open_ones or len(decided) < _FEWEST_VOTERS:
            continue
        yes = sum(1 for port in decided if port.roce.carries)
        most = max(yes, len(decided) - yes)
        if len(decided) - most > _MOST_DIFFERENT * len(decided):
            continue
        value = most == yes
        example = next(port for port in decided if port.roce.carries is value)
        verb = "carry" if value else "do not carry"
        said = f"{most} of {len(decided)} similar ports {verb} RoCE, such as {example.id}"
        at = (example.reading.header, *example.absolute(example.roce.at))
        for port in open_ones:
            port.roce = RoceEvidence(value, "similar_ports", at, said)


def _comparable(port: FabricPort) -> bool:
    """NICs of which neither model nor speed was seen are not alike for that."""
    return not port.is_nic or any(port.similarity[2:])
