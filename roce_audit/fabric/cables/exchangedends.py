"""Two ports of a switch, each described as the far end of the other one's cable: descriptions or cables are exchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from roce_audit.fabric.port import FabricPort
from roce_audit.model import Observation
from roce_audit.values import known


def exchanged(
    ports: Iterable[FabricPort], named_by: Callable[[FabricPort], Mapping[str, FabricPort]]
) -> Iterator[Observation]:
    """One observation for each two ports of a switch: each names one port of another device, which names the other of the two.

    A single description that does not fit may be old. `ports` have no cable that anything else tells.
    """
    meant = {port.id: beside for port in ports if (beside := _named_instead(port, named_by)) is not None}
    for id, (port, far, other) in meant.items():
        back = meant.get(other.id)
        if back is not None and back[2] is port and id < other.id:
            text = (
                f"{id} is described as cabled to {far.id}, and {other.id} to {back[1].id}, and each of these names the other one:"
                " the descriptions or the cables are exchanged"
            )
            places = [end.reading.header for end in (port, other, far, back[1])]
            yield Observation(
                "conflict", id, text, known(True, places[0]), known(port.reading.labels.description, *places)
            )


def _named_instead(
    port: FabricPort, named_by: Callable[[FabricPort], Mapping[str, FabricPort]]
) -> tuple[FabricPort, FabricPort, FabricPort] | None:
    """The port, the only one that it names, and another port of its own switch, the only one which that names."""
    if port.is_nic or not port.reading.labels.description:
        return None
    named = list(named_by(port).values())
    if len(named) != 1 or named[0].is_nic:
        return None
    back = list(named_by(named[0]).values())
    if len(back) != 1 or back[0] is port or back[0].device is not port.device:
        return None
    return port, named[0], back[0]
