"""Which fabric a job script or a set-up without a host belongs to: that of the hosts it lies beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from roce_audit.fabric.facts import is_hostless
from roce_audit.platforms.base import DeviceReading


def beside(devices: Sequence[DeviceReading], names: Mapping[str, str]) -> dict[str, str]:
    """Hostless file -> fabric, where the nearest folder with devices leaves no choice; `names` are the devices' fabrics.

    Such a file names no port, so no cable says where it belongs. Hosts count before switches: it is they who run it.
    """
    below: dict[str, tuple[set[str], set[str]]] = {}
    for device in devices:
        if not is_hostless(device):
            for folder in _folders(device):
                hosts, all_kinds = below.setdefault(folder, (set(), set()))
                all_kinds.add(names[device.name])
                if device.kind == "host":
                    hosts.add(names[device.name])
    found: dict[str, str] = {}
    for device in filter(is_hostless, devices):
        hosts, all_kinds = next((below[f] for f in _folders(device) if f in below), (set(), set()))
        choice = hosts or all_kinds
        if len(choice) == 1:
            (found[device.name],) = choice
    return found


def _folders(device: DeviceReading) -> list[str]:
    """The folders around a device's main file, the nearest first."""
    steps = device.first.path.split("/")[:-1]
    return ["/".join(steps[:end]) for end in range(len(steps), -1, -1)]
