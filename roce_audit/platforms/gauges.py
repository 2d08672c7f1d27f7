"""Levels that an answer shows by itself, told where they are out of bounds: bit errors, headroom that was full, failing modules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from roce_audit.model import Port
from roce_audit.model.counts import Gauge
from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import DeviceReading, Seen, seen

MOST_BEFORE_FEC = 2.4e-4
"""Bit error ratio that RS(544,514) is made for: IEEE 802.3-2018, clause 120.1.4."""
MOST_AFTER_FEC = 1e-12
"""Bit error ratio of a link within its standard at the interface to the MAC: IEEE 802.3-2018, clause 80.1."""
_MOST = 4


def out_of_bounds(gauges: Iterable[Gauge], reading: DeviceReading) -> Iterator[Seen]:
    """One observation a port for what ails its link, where it has one, and one for its groups whose headroom was full."""
    ports: Mapping[str, tuple[str, Port]] = {
        name.lower(): (port.name, port.facts) for port in reading.ports for name in (port.name, *port.labels.aliases)
    }
    found: dict[tuple[ObservationKind, str], dict[str, Gauge]] = defaultdict(dict)
    dark = {port.name for port in reading.ports if port.labels.no_link}
    for gauge in gauges:
        name, facts = ports.get(gauge.port.lower(), ("", None))
        if facts is not None and (gauge.kind == "headroom-peak" or name not in dark):
            for kind, text in _told(gauge, facts):
                found[kind, name].setdefault(text, gauge)
    for (kind, name), told in found.items():
        places = list(dict.fromkeys(gauge.place for gauge in told.values()))
        more = f", and {len(told) - _MOST} more" if len(told) > _MOST else ""
        text = f"{name}: {', '.join(list(told)[:_MOST])}{more}"
        yield seen(kind, name, text, places[0], next(iter(told.values())).said, (name,), *places[1:_MOST])


def _told(gauge: Gauge, facts: Port) -> Iterator[tuple[ObservationKind, str]]:
    if gauge.kind == "stuck":
        yield "stuck", f"the watchdog holds {gauge.said} for stuck at this moment"
    elif gauge.kind == "module":
        yield "link-ailing", gauge.said
    elif gauge.kind == "errors-before-fec" and gauge.value >= MOST_BEFORE_FEC:
        yield (
            "link-ailing",
            f"one bit in {1 / gauge.value:,.0f} comes in wrong ({gauge.said}), more than FEC is made for",
        )
    elif gauge.kind == "errors-after-fec" and gauge.value >= MOST_AFTER_FEC:
        yield "link-ailing", f"one bit in {1 / gauge.value:,.3g} is wrong after FEC ({gauge.said})"
    elif gauge.kind == "headroom-peak" and facts.groups.is_known:
        group = next((one for one in facts.groups.get() if one.number == gauge.number), None)
        room = group.headroom_bytes if group is not None and group.lossless.or_else(False) else None
        if room is not None and room.is_known and 0 < room.get() <= gauge.value:
            text = f"group {gauge.number} once held {gauge.value:,.0f} bytes in its headroom of {room.get():,} bytes"
            yield "headroom-full", text
