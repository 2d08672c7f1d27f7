"""A no-drop class without an MTU, where MTUs are those of classes alone.

(Cisco Nexus 5000 Series Switch CLI Software Configuration Guide, Configuring QoS: MTU is specified per system class, and interfaces
have none.)
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.nxos import statements as st
from roce_audit.platforms.nxos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.policy.statements import ClassHeader
from roce_audit.text.block import Part
from roce_audit.text.statements.rows import Set
from roce_audit.values import Place

_JUMBO = 2_000
"""Bytes: a class with more of them shows that large packets are meant to pass."""


def short_classes(reading: DeviceReading) -> Iterator[Seen]:
    """No-drop classes that say no MTU, beside one of the same policy that says a large one, on a switch whose ports say none."""
    if any(_says_mtu(port) for port in reading.ports):
        return
    policies = {
        part.block.place(0): part
        for port in reading.ports
        for part in port.parts
        if part.kind == "nqpolicy" and part.block.texts.statements
    }
    for policy in policies.values():
        yield from _of_policy(policy, reading)


def _says_mtu(port: PortReading) -> bool:
    return any(
        statement.startswith("mtu ")
        for part in port.parts
        for statement in (part.block.texts.statements if part.kind == "port" else ())
    )


def _of_policy(part: Part, reading: DeviceReading) -> Iterator[Seen]:
    name, at = "", part.block.place(0)
    large: dict[str, int] = {}
    paused: dict[str, Place] = {}
    with_mtu: set[str] = set()
    for index, statement in enumerate(part.block.texts.statements):
        match TABLE.parse(part.kind, statement).value:
            case ClassHeader() as header:
                name, at = header.name, part.block.place(index)
            case st.PauseUnnamed():
                paused[name] = at
            case Set(paths=paths, value=int(size)) if any(path.endswith("mtu_bytes") for path in paths):
                with_mtu.add(name)
                large |= {name: size} if size > _JUMBO else {}
    for one, place in paused.items():
        if one not in with_mtu and large:
            other, size = next(iter(large.items()))
            text = (
                f"class {one} is no-drop and says no mtu, while {other} lets packets of {size:,} bytes through: MTUs are those of"
                " classes here, for no port says one, and without a line the class has the default of the switch"
            )
            yield seen(
                "conflict", one, text, place, f"class type network-qos {one}", tuple(p.name for p in reading.ports)
            )
