"""A map of DSCPs beside ports that trust the 802.1p tag alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput
from roce_audit.text.sentences import runs
from roce_audit.values import At, Place

_TAG_ALONE = "qos trust cos"


def contradictions(device: DeviceInput, reading: DeviceReading) -> Iterator[Seen]:
    """Each line that trusts the tag alone on ports that pause what a map leads DSCPs to.

    Not where another port trusts DSCP: the map is for that one. A port whose VLANs come with tags may be meant so, and is not told of.
    """
    # most devices have no such line
    if not any(_TAG_ALONE in d.text or "trust: cos" in d.text for d in device.documents):
        return
    by_line: dict[Place, tuple[list[str], list[int]]] = defaultdict(lambda: ([], []))
    for port in reading.ports:
        trust = port.facts.trust
        if trust.value in ("dscp", "both", "acl"):
            return
        at = next((at for at in trust.at if isinstance(at, At)), None) if trust.value == "pcp" else None
        marks = _led_to_pause(port) if at is not None and not _is_tagged(port) else []
        place = resolve(at, port.parts) if at is not None and marks else None
        if isinstance(place, Place):
            names, led = by_line[place]
            names.append(port.name)
            led += marks
    for place, (names, led) in by_line.items():
        numbers = ", ".join(runs(sorted(set(led))))
        text = f"only the 802.1p tag is trusted here, so that the map of DSCP {numbers} into a lossless class has no effect"
        yield seen("map-without-trust", _TAG_ALONE, text, place, _TAG_ALONE, tuple(names))


def _is_tagged(port: PortReading) -> bool:
    return port.labels.routed is not True and bool(port.labels.vlans) and not port.labels.untagged


def _led_to_pause(port: PortReading) -> list[int]:
    """The DSCPs that lines of the switch lead to a class that PFC pauses on the port."""
    pfc = port.facts.pfc.value_or_none()
    paused = pfc.priorities.or_else(frozenset()) if pfc is not None else frozenset()
    said = [
        TABLE.parse(part.kind, text).value
        for part in port.parts
        for text in part.block.texts.statements
        if "dscp" in text
    ]
    led = {mark: one.traffic_class for one in said if isinstance(one, st.DscpMap) for mark in one.code_points}
    return [mark for mark, number in led.items() if number in paused]
