"""How AOS-CX writes a change: the commands' own pages in the QoS Guide, and their `no` versions."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.repair import CliRepairs


def _priorities(value: object) -> str:
    numbers = sorted(value) if isinstance(value, frozenset) else [value]
    return f"flow-control priority rxtx {','.join(map(str, numbers))}"


REPAIRS = CliRepairs(
    statements={
        "port.trust": lambda value: f"qos trust {'cos' if value == 'pcp' else value}",
        "port.cable_m": lambda value: f"flow-control buffer cable-length {value}",
        "port.pfc.priorities": _priorities,
    },
    binds={
        "qos threshold-profile": "apply qos threshold-profile",
        "qos schedule-profile": "apply qos schedule-profile",
    },
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
