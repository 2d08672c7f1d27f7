"""Members of one channel: a hash spreads flows over all of them, so that what one member carries each of them does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence

_DECIDED = frozenset({"policy", "cabling", "port_config"})


def decide_by_channel(ports: Sequence[FabricPort]) -> None:
    """A member that says nothing, or turns PFC off, beside one that carries RoCE by its own evidence. What speaks against RoCE stands."""
    channels: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.reading.labels.lag and not port.is_nic:
            channels[port.device.name, port.reading.labels.lag].append(port)
    for members in channels.values():
        like = next((port for port in members if port.roce.carries and port.roce.rank in _DECIDED), None)
        for port in members if like is not None else ():
            if like is not None and _is_open(port):
                at = (like.reading.header, *like.absolute(like.roce.at))
                port.roce = RoceEvidence(True, "similar_ports", at, f"{like.id}, of the same channel, carries RoCE")


def _is_open(port: FabricPort) -> bool:
    turned_off = port.roce.carries is False and port.roce.rank == "port_config"
    return turned_off or (port.roce is UNDECIDED and (port.hint is None or port.reading.labels.peer_link))
