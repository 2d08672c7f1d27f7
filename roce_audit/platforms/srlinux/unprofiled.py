"""Ports that turn PFC on without a mapping profile, beside ports that have one; and switches that give none of them their buffers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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


def unbuffered(ports: Sequence[PortReading], profiles: Mapping[str, Place]) -> Iterator[Seen]:
    """No port that pauses has one of these profiles, which say what PFC queues take of the buffer; that is told at the first of them."""
    lossless = [
        port
        for port in ports
        if (pfc := port.facts.pfc.value_or_none()) is not None
        and pfc.mode.value == "on"
        and any(group.lossless.or_else(False) for group in port.facts.groups.or_else(()))
    ]
    groups = [group for port in lossless for group in port.facts.groups.or_else(()) if group.lossless.or_else(False)]
    if profiles and groups and all(group.profile.is_absent for group in groups):
        name, place = next(iter(profiles.items()))
        text = (
            f"no port that pauses has a pfc-buffer-allocation-profile, so what {name} gives PFC queues for packets that arrive after"
            " pause is given to none"
        )
        yield seen("conflict", name, text, place, name, tuple(port.name for port in lossless))
