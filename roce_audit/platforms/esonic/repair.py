"""How Enterprise SONiC writes a change: Dell Enterprise SONiC User Guide, Quality of Service; Broadcom's QoS design documents."""

from __future__ import annotations

import math
from collections.abc import Sequence

from roce_audit.platforms.base import PortReading
from roce_audit.platforms.repair import Change, Texts, line_at
from roce_audit.platforms.shared.cli.repair import CliRepairs
from roce_audit.values import Place


class _Repairs(CliRepairs):
    """Statements of the command line; none for a port that a tree describes."""

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        return super().say(path, value, places, port, texts) if _is_typed(port, texts) else []

    def like(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        typed = _is_typed(port, texts) and _is_typed(similar, texts)
        return super().like(port, similar, places, wanted, texts) if typed else []

    def mirror(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        typed = _is_typed(port, texts) and _is_typed(similar, texts)
        return super().mirror(port, similar, places, wanted, texts) if typed else []

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        return super().bind(port, header, texts) if _is_typed(port, texts) else []

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        return super().drop(port, place, texts) if _is_typed(port, texts) else []


def _is_typed(port: PortReading, texts: Texts) -> bool:
    """Whether the port's stanza is one of the command line."""
    return line_at(port.header, texts).lstrip().startswith("interface")


REPAIRS = _Repairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
        "port.cable_m": lambda value: f"cable-length {math.ceil(float(str(value)))}m",
    },
    binds={
        "qos scheduler-policy": "scheduler-policy",
        "qos map dscp-tc": "qos-map dscp-tc",
        "qos map dot1p-tc": "qos-map dot1p-tc",
        "qos map tc-queue": "qos-map tc-queue",
        "qos map tc-pg": "qos-map tc-pg",
        "qos map pfc-priority-queue": "qos-map pfc-priority-queue",
    },
    # the `no` forms inside maps and scheduler policies (`no dscp ...`, `no weight ...`): source unverified
    shortened=(
        "mtu",
        "speed",
        "fec",
        "cable-length",
        "scheduler-policy",
        "qos-map *",
        "queue * wred-policy",
        "buffer priority-group *",
        "buffer queue *",
        "priority-flow-control watchdog polling-interval",
        "priority-flow-control watchdog restore-time",
        "priority-flow-control watchdog action",
        "green",
        "ecn",
    ),
    after=("end", "write memory"),
)
