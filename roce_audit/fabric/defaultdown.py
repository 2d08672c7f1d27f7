"""Ports that are down because nothing turns them up, although they are meant for use: one observation per device and evidence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from roce_audit.fabric.port import FabricPort, of_port_alone
from roce_audit.fabric.portconfig import PortConfig
from roce_audit.fabric.ranges import short
from roce_audit.model import Observation
from roce_audit.model.device import ObservationKind
from roce_audit.values import Place, known

_CABLED = "has a neighbour"
_SET_UP = "has settings for RoCE"


def observations(ports: Iterable[FabricPort]) -> Iterator[Observation]:
    """A port that somebody shut says so in a line and is silent here; settings alone may be a template's, so they are a hint."""
    words = PortConfig()
    found: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if _is_down_by_default(port):
            meant = _meant(port, words)
            if meant:
                found[port.device.name, meant].append(port)
    for (device, meant), members in found.items():
        first = members[0]
        names = ", ".join(short([port.reading.name for port in members])[:6])
        text = (
            f"{names}: nothing turns the port up, and its default is down ({_default(first)}), but it {meant}; "
            "nothing is asked of a port that is down"
        )
        places = [port.reading.header for port in members]
        kind: ObservationKind = "conflict" if meant == _CABLED else "scope-conflict"
        yield Observation(
            kind, f"{device}: {names}", text, known(meant == _CABLED, places[0]), known(first.reading.name, *places)
        )


@of_port_alone
def _is_down_by_default(port: FabricPort) -> bool:
    facts = port.reading.facts
    up = facts.admin_up
    if port.is_nic or not (facts.kind.is_known and facts.kind.get() == "ethernet"):
        return False
    return up.is_known and not up.get() and not any(isinstance(at, Place) for at in port.places(up.at))


def _default(port: FabricPort) -> str:
    return next((str(getattr(at, "source", at)) for at in port.reading.facts.admin_up.at), "documented")


def _meant(port: FabricPort, words: PortConfig) -> str:
    if port.peer is not None or port.reading.labels.neighbour:
        return _CABLED
    said = words.of(port)
    return _SET_UP if said is not None and said.carries else ""
