"""How EOS writes a change: Arista EOS User Manual, Quality of Service, Traffic Management, Ethernet Ports."""

from __future__ import annotations

from collections.abc import Sequence

from roce_audit.platforms.base import PortReading
from roce_audit.platforms.eos.avd import is_structured
from roce_audit.platforms.repair import Change, Texts
from roce_audit.platforms.shared.cli.repair import CliRepairs
from roce_audit.values import Place


class _Repairs(CliRepairs):
    """Statements of a running-config. A structured configuration of AVD is no text of statements: it is not changed."""

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """As for all command lines."""
        return [] if _is_structured(port, texts) else super().say(path, value, places, port, texts)

    def like(
        self, port: PortReading, twin: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """As for all command lines."""
        structured = _is_structured(port, texts) or _is_structured(twin, texts)
        return [] if structured else super().like(port, twin, places, wanted, texts)

    def mirror(
        self, port: PortReading, twin: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """As for all command lines."""
        structured = _is_structured(port, texts) or _is_structured(twin, texts)
        return [] if structured else super().mirror(port, twin, places, wanted, texts)

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """As for all command lines."""
        return [] if _is_structured(port, texts) else super().bind(port, header, texts)

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """As for all command lines."""
        return [] if _is_structured(port, texts) else super().drop(port, place, texts)


def _is_structured(port: PortReading, texts: Texts) -> bool:
    return is_structured("\n".join(texts.get(port.header.path, ())))


REPAIRS = _Repairs(
    statements={
        "port.ip_mtu_bytes": lambda value: f"mtu {value}",
        "port.trust": lambda value: f"qos trust {value}",
        "port.pfc.mode": lambda value: "priority-flow-control on" if value == "on" else "no priority-flow-control",
    },
    binds={"qos profile": "service-profile", "policy-map type quality-of-service": "service-policy type qos input"},
    before=("configure",),
    after=("end", "write memory"),
)
