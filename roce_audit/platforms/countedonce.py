"""Counters of one snapshot that say something by themselves: losses in what this switch keeps lossless, and PFC storms.

Since when they count nobody says, so they are told and no more; whether they still grow takes an earlier snapshot. Only the switch itself
bounds that time: packets lost by the second ever since it was started are no matter of the day of the installation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from roce_audit.model import Port
from roce_audit.model.counts import Count, Uptime
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.values import Place

_WORDS = {
    "ingress": "packets dropped on entering lossless priority groups",
    "egress": "packets dropped at the queues of paused priorities",
    "alike": "packets dropped at queues with the number of a paused priority",
    "storms": "PFC storms",
}
_MOST = 4
_OFTEN = 1.0
"""Packets a second on average from which losses are told as such (source: unverified)."""
_DAY = 86_400


def counted_once(counts: Iterable[Count], reading: DeviceReading, up: Uptime | None = None) -> Iterator[Seen]:
    """One observation for each kind of loss: the ports that show it, at the line of the one that shows most.

    `up`: how long the switch has been running.
    """
    ports: Mapping[str, tuple[str, Port]] = {
        name.lower(): (port.name, port.facts) for port in reading.ports for name in (port.name, *port.labels.aliases)
    }
    found: dict[str, dict[str, tuple[int, Place]]] = defaultdict(dict)
    for count in counts:
        name, facts = ports.get(count.port.lower(), ("", None))
        kind = _kind(count.name, facts) if count.value and facts is not None else ""
        if kind and (count.value or 0) > found[kind].get(name, (0, count.place))[0]:
            found[kind][name] = (count.value or 0, count.place)
    for kind, by_port in found.items():
        most = sorted(by_port.items(), key=lambda item: -item[1][0])
        told = ", ".join(f"{name} {number:,}" for name, (number, _) in most[:_MOST])
        more = f" and fewer on {len(most) - _MOST} more ports" if len(most) > _MOST else ""
        rate = most[0][1][0] / (up.seconds + up.resolution_s) if up is not None and kind != "storms" else 0.0
        when = "since when that is counted is not known: only an earlier snapshot (--since) tells whether it goes on"
        if up is not None and rate >= _OFTEN:
            when = f"the switch runs for {up.seconds / _DAY:,.1f} days, so at least {rate:,.0f} a second were lost on average"
        text = f"{_WORDS[kind]}: {told}{more}; {when}"
        yield seen(
            "counted-often" if rate >= _OFTEN else "counted-once", most[0][0], text, most[0][1][1], kind, tuple(by_port)
        )


def _kind(path: str, facts: Port) -> str:
    """What a counter of a port counts; "" for one that by itself says nothing."""
    table, _, leaf = path.rpartition(".")
    row, _, number = table.partition(".")
    if leaf == "storms":
        return "storms"
    if leaf != "drops" or not number.isdigit():
        return ""
    if row == "groups" and facts.groups.is_known:
        group = next((one for one in facts.groups.get() if one.number == int(number)), None)
        return "ingress" if group is not None and group.lossless.or_else(False) else ""
    if row == "queues" and facts.pfc.is_known and facts.pfc.get().priorities.is_known and facts.priorities.is_known:
        paused = facts.pfc.get().priorities.get()
        its = [one for one in facts.priorities.get() if one.number in paused]
        if any(one.queue.is_known and one.queue.value == int(number) for one in its):
            return "egress"
        return "alike" if any(one.queue.is_unknown and one.number == int(number) for one in its) else ""
    return ""
