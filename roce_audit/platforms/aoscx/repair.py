"""How AOS-CX writes a change: the commands' own pages in the QoS Guide, and their `no` versions."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Change, Texts, line_at
from roce_audit.platforms.shared.cli.codelines import CodeLine
from roce_audit.platforms.shared.cli.repair import CliRepairs
from roce_audit.values import Place

_PFC = "flow-control priority"


def _priorities(value: object) -> str:
    numbers = sorted(value) if isinstance(value, frozenset) else [value]
    return f"{_PFC} rxtx {','.join(map(str, numbers))}"


class _CxRepairs(CliRepairs):
    """The line that pauses is replaced: it holds all priorities and directions of the port."""

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        if path == "port.pfc.priorities" and places and line_at(places[0], texts).strip().startswith(_PFC):
            return self._replaced(port, places[0], _priorities(value), texts)
        return super().say(path, value, places, port, texts)


REPAIRS = _CxRepairs(
    statements={
        "port.trust": lambda value: f"qos trust {'cos' if value == 'pcp' else value}",
        "port.cable_m": lambda value: f"flow-control buffer cable-length {value}",
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
        "port.pfc.priorities": _priorities,
        "port.pfc.watchdog.on": lambda value: "flow-control watchdog",
    },
    binds={
        "qos threshold-profile": "apply qos threshold-profile",
        "qos schedule-profile": "apply qos schedule-profile",
    },
    codes=(CodeLine("qos dscp-map {codes} local-priority {value}", adds=True),),
    strict={"dwrr queue ": lambda line: f"strict queue {str(line).split()[2]}"},
    of_channel=("ip mtu ",),
    in_place={"port.ip_mtu_bytes": {"ip mtu": lambda value: f"ip mtu {value}"}},
    shortened=(
        "mtu",
        "ip mtu",
        "flow-control rx",
        "flow-control rxtx",
        "qos trust",
        "qos dscp",
        "qos shape",
        "qos dscp-map *",
        "qos cos-map *",
        "apply qos schedule-profile",
        "apply qos threshold-profile",
    ),
    after=("end", "write memory"),
)
