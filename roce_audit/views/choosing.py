"""Which devices and ports are meant by DEVICE[:PORT]; ports that look the same are put together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from roce_audit.engine.suggestions import did_you_mean
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ranges import short
from roce_audit.fabric.site import Site
from roce_audit.platforms.base import DeviceReading
from roce_audit.records import dataclass
from roce_audit.text.globs import matches, matches_port


class NothingChosen(ValueError):
    """No device or port goes by this name."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A device, and the ports of it that are meant."""

    device: DeviceReading
    ports: tuple[FabricPort, ...]
    whole: bool
    """The device was named, not one of its ports."""


def choose(site: Site, devices: Sequence[DeviceReading], subject: str | None) -> list[Chosen]:
    """Everything, or what `subject` names: patterns over device and port names. Raises NothingChosen."""
    wanted_device, colon, wanted_port = (subject or "*").partition(":")
    ports = [port for fabric in site.fabrics for port in fabric.ports]
    found: list[Chosen] = []
    for device in devices:
        if not matches(wanted_device, device.name):
            continue
        mine = [port for port in ports if port.device is device]
        if colon:
            mine = [port for port in mine if any(matches_port(wanted_port, name) for name in names_of(port))]
        if mine or not colon:
            found.append(Chosen(device, tuple(mine), not colon))
    if subject is not None and not found:
        named = (f"{port.device.name}:{name}" for port in ports for name in names_of(port))
        known = list(named) if colon else [device.name for device in devices]
        raise NothingChosen(f"there is no {'port' if colon else 'device'} '{subject}'{did_you_mean(subject, known)}")
    return found


def names_of(port: FabricPort) -> tuple[str, ...]:
    """All names of the port."""
    return (port.reading.name, *port.reading.labels.aliases)


def alike(
    ports: Sequence[FabricPort], key: Callable[[FabricPort], Hashable]
) -> Iterator[tuple[FabricPort, tuple[FabricPort, ...]]]:
    """(the first, all) of each group of ports with the same key, in the order of their first ports."""
    groups: dict[Hashable, list[FabricPort]] = {}
    for port in ports:
        groups.setdefault(key(port), []).append(port)
    for members in groups.values():
        yield members[0], tuple(members)


def run(ports: Sequence[FabricPort]) -> str:
    """`Ethernet1/1-4, Ethernet1/7`."""
    return ", ".join(short(port.reading.name for port in ports))
