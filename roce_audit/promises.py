"""What every reading must keep, whatever the text was. One that does not is a mistake in its platform, and is not judged."""

from __future__ import annotations

from typing import Any

from roce_audit.model import Port
from roce_audit.model.fitting import misfit
from roce_audit.model.walk import dotted
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.memo import Memory


class WrongReading(Exception):
    """A platform gave a reading that the rest of the product cannot judge."""


_FITTING: Memory[int, Port] = Memory()
"""Facts that were found to fit, by their id: equal ports of a fleet share theirs."""


def kept(reading: DeviceReading) -> DeviceReading:
    """The reading itself. Raises WrongReading with the port and the field that break a promise."""
    is_host = reading.kind == "host"
    if (reading.host is not None) is not is_host:
        raise WrongReading(f"a {reading.kind} {'without' if is_host else 'with'} facts of a host")
    _check("device", reading.device)
    if reading.host is not None:
        _check("host", reading.host)
    for port in reading.ports:
        if port.facts.is_nic is not is_host:
            raise WrongReading(f"port {port.name}: a port of a {reading.kind} {'without' if is_host else 'with'} a NIC")
        if id(port.facts) not in _FITTING:
            _check(f"port {port.name}", port.facts)
            _FITTING.keep(id(port.facts), port.facts)
    for seen in reading.seen:
        _check(f"{seen.place.path}:{seen.place.line}", seen.observation)
    return reading


def _check(name: str, subject: Any) -> None:
    path = misfit(subject)
    if path is not None:
        raise WrongReading(f"{name}: {dotted(path)} holds what the model does not allow there")
