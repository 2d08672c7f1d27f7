"""What tests ask of the reading of one SONiC switch."""

from __future__ import annotations

from typing import Any

from roce_audit.model.walk import follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import Cell, Place


def whole(**tables: Any) -> dict[str, Any]:
    """A complete datastore with one port."""
    base: dict[str, Any] = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf"}},
        "PORT": {"Ethernet0": {"speed": "100000", "admin_status": "up"}},
    }
    return base | tables


def port(reading: DeviceReading, name: str = "Ethernet0") -> PortReading:
    return next(p for p in reading.ports if p.name == name)


def at(reading: DeviceReading, path: str, name: str = "Ethernet0") -> Cell[Any]:
    steps = tuple(int(s) if s.isdigit() else s for s in path.split("."))
    cell = follow(port(reading, name).facts, steps)
    assert cell is not None, path
    return cell


def lines(reading: DeviceReading, path: str) -> list[int]:
    places = [resolve(a, port(reading).parts) for a in at(reading, path).at]
    return [p.line for p in places if isinstance(p, Place)]


def kinds(reading: DeviceReading) -> list[str]:
    return [s.observation.kind for s in reading.seen]
