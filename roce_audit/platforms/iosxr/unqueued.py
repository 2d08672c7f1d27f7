"""Ports that pause without an output policy, beside ports whose policy turns marking on: thresholds of the PFC profile turn none on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.model import Port
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.values import At, Why


def unqueued(ports: Sequence[PortReading]) -> Iterator[Seen]:
    """One observation for all such ports of a router, at the first of them."""
    pausing = [port for port in ports if (pfc := port.facts.pfc.value_or_none()) is not None and pfc.mode.value == "on"]
    marked = {number for port in pausing for number in _marked(port.facts)}
    bare = [(port, number) for port in pausing for number in sorted(_by_profile_alone(port.facts) & marked)]
    if bare:
        (port, number), others = bare[0], len({one.name for one, _ in bare}) - 1
        too = f", nor {'have' if others > 1 else 'has'} {others} more" if others else ""
        text = (
            f"the profile has thresholds of ECN for traffic class {number}, and {port.name} has no output policy{too}: `random-detect ecn`"
            " of a class there, as other ports have it, is what turns marking on"
        )
        names = tuple(dict.fromkeys(one.name for one, _ in bare))
        yield seen("conflict", port.name, text, port.header, "service-policy output", names)


def _marked(facts: Port) -> Iterator[int]:
    for queue in facts.queues.or_else(()):
        ecn = queue.ecn.value_or_none()
        if ecn is not None and ecn.marks.or_else(False):
            yield queue.number


def _by_profile_alone(facts: Port) -> set[int]:
    """Queues with thresholds of the profile to which no line of a policy leads a class."""
    classes = facts.classes.or_else(())
    return {
        number
        for number, (queue, one) in enumerate(zip(facts.queues.or_else(()), classes, strict=False))
        if queue.ecn.why is Why.NO_DEFAULT and queue.ecn.at and not any(isinstance(at, At) for at in one.queue.at)
    }
