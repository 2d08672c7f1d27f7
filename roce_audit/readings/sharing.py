"""Facts that a device read here shares with devices that were read elsewhere: findings list what equal ports say in one order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from roce_audit.model import Port
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import PartKey, key_of


class SharedFacts:
    """The facts of some readings, by the statements that they were read from."""

    def __init__(self, readings: Iterable[DeviceReading]) -> None:
        self._known: defaultdict[PartKey, list[Port]] = defaultdict(list)
        for reading in readings:
            for port in reading.ports:
                same = self._known[key_of(port.parts)]
                if not any(port.facts is facts for facts in same):
                    same.append(port.facts)

    def applied(self, reading: DeviceReading) -> DeviceReading:
        """The reading, its ports sharing facts as if all devices had been read in one process."""
        return replace(reading, ports=tuple(map(self._port, reading.ports)))

    def _port(self, port: PortReading) -> PortReading:
        facts: Any = next((one for one in self._known.get(key_of(port.parts), ()) if one == port.facts), port.facts)
        return port if facts is port.facts else replace(port, facts=facts)
