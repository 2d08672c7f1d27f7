"""Ports that turn PFC on without a mapping profile, beside ports that have one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.values import Place, Why


def unprofiled(ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Such ports: the profile `default` holds there, whose priorities no document tells, and the line that binds a profile is missing."""
    pausing = [
        (port, pfc) for port in ports if (pfc := port.facts.pfc.value_or_none()) is not None and pfc.mode.value == "on"
    ]
    profiled = [port for port, pfc in pausing if pfc.priorities.or_else(frozenset())]
    for port, pfc in pausing if profiled else ():
        if pfc.priorities.why is Why.NO_DEFAULT and not pfc.priorities.at:
            place = resolve(pfc.mode.at[0], port.parts)
            if isinstance(place, Place):
                others = "another port" if len(profiled) == 1 else f"{len(profiled)} other ports"
                text = (
                    f"PFC is enabled without a pfc-mapping-profile, which {others} {'has' if len(profiled) == 1 else 'have'}:"
                    " which priorities are paused here, no document tells"
                )
                yield seen("conflict", port.name, text, place, "pfc-enable", (port.name,))
