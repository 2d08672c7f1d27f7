"""What a port runs with against what it boots with: settings that the next reboot takes away, and saved ones that do not run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from roce_audit.fabric.port import FabricPort, of_facts_alone
from roce_audit.model import Port
from roce_audit.model.pathwords import words
from roce_audit.model.walk import Path, cells, follow
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import At, Cell, DefaultLocation, Place, Where, Why, absent, known, unknown

Clauses = Cell[tuple[str, ...]]
_COMPARED = frozenset(
    (
        "pfc",
        "trust",
        "dscp",
        "pcp",
        "ip_mtu_bytes",
        "link_pause_rx",
        "link_pause_tx",
        "classes",
        "priorities",
        "queues",
        "groups",
    )
)
_OF_NIC = (
    "pfc.priorities",
    "trust",
    "ip_mtu_bytes",
    "nic.forced_traffic_class",
    "nic.roce",
    "nic.dcqcn.np_priorities",
    "nic.dcqcn.rp_priorities",
)
_LEFT_OUT = frozenset({"operational", "shown_off"})
"""What a running switch reports and no configuration says."""


class BootState(NamedTuple):
    """Clauses on what differs; the places are those of the saved line and of the running one."""

    unsaved: Clauses
    not_running: Clauses


_NOT_COMPARED = BootState(absent(), absent())


def compared(port: FabricPort, boots: PortReading | None) -> BootState:
    """How a port's running settings differ from those that it boots with; absent where no saved ones were given.

    `boots` is the port of a switch as its saved configuration has it, None where that does not have it.
    """
    saved = port.device.saved
    if port.is_nic or saved is None:
        return of_facts(port.reading.facts)
    if boots is None:
        return _missing(port, saved)
    return _of_switch(port.reading, boots)


def _missing(port: FabricPort, saved: DeviceReading) -> BootState:
    """A port that only runs: lost with all its settings, where the saved configuration is whole."""
    if not saved.complete_because:
        return _NOT_COMPARED
    at = (saved.first, port.reading.header)
    return BootState(known(("the port is not in the saved configuration",), *at), known(()))


def _of_switch(runs: PortReading, boots: PortReading) -> BootState:
    lost: dict[Path, tuple[str, tuple[Where, ...]]] = {}
    dormant: dict[Path, tuple[str, tuple[Where, ...]]] = {}
    not_known: Cell[Any] | None = None
    for path, running in cells(runs.facts):
        if path[0] not in _COMPARED or _LEFT_OUT.intersection(path):
            continue
        saved = follow(boots.facts, path)
        if saved is None or (saved.why == running.why and saved.value == running.value):
            continue
        if running.is_unknown or saved.is_unknown:
            one, parts = (running, runs.parts) if running.is_unknown else (saved, boots.parts)
            if one.why in (Why.NOT_PARSED, Why.UNDEFINED) and not_known is None:
                not_known = unknown(one.why, *(resolve(at, parts) for at in one.at))
            continue
        here, there = _places(running, runs), _places(saved, boots)
        clause = f"{words(path)} is {_text(running)}, saved is {_text(saved)}"
        setting = path[:2] if path[0] == "pfc" else path[:1]
        if here:
            lost.setdefault(setting, (clause, (*(there or (boots.header,)), *here)))
        elif there:  # what no line says on either side follows from what one says elsewhere
            dormant.setdefault(setting, (clause, (runs.header, *there)))
    return BootState(_clauses(lost, not_known), _clauses(dormant, not_known))


def _clauses(found: Mapping[Path, tuple[str, tuple[Where, ...]]], not_known: Cell[Any] | None) -> Clauses:
    if not found and not_known is not None:
        return unknown(not_known.why or Why.NOT_PARSED, *not_known.at)
    at = dict.fromkeys(place for _, places in found.values() for place in places)
    return known(tuple(clause for clause, _ in found.values()), *at)


def _places(cell: Cell[Any], port: PortReading) -> tuple[Place, ...]:
    """The lines that say a value, or bring what is cited into force as a macro does; none behind a default that needs no line."""
    lines = (
        resolve(at, port.parts) for at in cell.at if isinstance(at, (At, Place)) and not isinstance(at, DefaultLocation)
    )
    return tuple(place for place in lines if isinstance(place, Place))[:1]


@of_facts_alone
def of_facts(facts: Port) -> BootState:
    """Where no saved configuration was given. Of a host: what its boot files say otherwise; what they leave alone is not lost."""
    nic = facts.nic.value_or_none()
    boots = nic.persisted.value_or_none() if nic is not None else None
    return _NOT_COMPARED if boots is None else BootState(known(tuple(_nic_clauses(facts, boots))), absent())


def _nic_clauses(facts: Port, boots: Port) -> Iterator[str]:
    for name in _OF_NIC:
        path = tuple(name.split("."))
        running, saved = follow(facts, path), follow(boots, path)
        if running is None or saved is None or not saved.is_known or running.is_unknown or running.value == saved.value:
            continue
        if name == "nic.roce":
            if not saved.value:
                yield "the boot files switch RoCE off"
        else:
            yield f"{words(path)} is {_text(running)}, the boot files set {_text(saved)}"
    codes = facts.dscp.or_else(())
    for code, (here, there) in enumerate(zip(codes, boots.dscp.or_else(()), strict=False)):
        if here.is_known and there.is_known and here.value != there.value:
            yield f"DSCP {code} leads to {here.value}, by the boot files to {there.value}"


def _text(cell: Cell[Any]) -> str:
    value = cell.value
    if cell.is_absent or value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, frozenset):
        return ", ".join(map(str, sorted(value))) or "none"
    return f"{value:,}" if isinstance(value, int) else str(value)
