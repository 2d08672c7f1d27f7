"""Maps of DSCPs that no port uses, or that lead a code point to two classes; a paused queue that drops before it marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.text.block import resolve
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.sentences import runs
from roce_audit.values import At, Place

_DROPS = "random-detect drop"
_TAG_ALONE = "qos trust cos"
_MAPPED = "qos map dscp "
_FEW = 8
"""Of a line for this many code points or more a later one is the exception."""
_USUAL = 26
"""What most guides send RoCE with."""


def contradictions(device: DeviceInput, reading: DeviceReading) -> Iterator[Seen]:
    """Everything of this kind in the texts of one switch."""
    yield from _unused(device, reading)
    if any(_DROPS in document.text for document in device.documents):
        yield from _drops_first(reading)
    for document in device.documents:
        if document.text.count(_MAPPED) > 1 and is_configuration(document):
            yield from _taken_out(document, reading)


def _drops_first(reading: DeviceReading) -> Iterator[Seen]:
    """Each curve of a paused queue that drops packets from a lower depth than that from which the other one marks them.

    Arista, TOI on WRED: it drops packets whether they are capable of ECN or not.
    """
    told: dict[Place, tuple[list[str], str, int, str, int]] = {}
    for port in reading.ports:
        paused = _paused(port)
        for queue in port.facts.queues.or_else(()):
            ecn = queue.ecn.value_or_none() if queue.number in paused else None
            if ecn is None or ecn.marks.value is not True or ecn.drops.value is not True:
                continue
            at = next((at for at in ecn.drops.at if isinstance(at, At)), None)
            place = resolve(at, port.parts) if at is not None else None
            if at is None or not isinstance(place, Place):
                continue
            part = port.parts[at.part]
            statement = part.block.texts.statements[at.index]
            said = TABLE.parse(part.kind, statement).value
            low = ecn.min_value.value
            if not isinstance(said, st.WredCurve) or said.low_unit != ecn.min_unit.value or low is None:
                continue
            if said.low <= low:
                told.setdefault(place, ([], statement, said.low, said.low_unit, low))[0].append(port.name)
    for place, (names, statement, first, unit, then) in told.items():
        text = f"the queue drops packets from {first} {unit} on and marks them from {then} {unit} on, and PFC pauses its priority"
        yield seen("conflict", names[0], text, place, statement, tuple(names))


def _taken_out(document: Document, reading: DeviceReading) -> Iterator[Seen]:
    """Each line that takes a code point out of a class which ports pause and in which an earlier line leaves others.

    What a switch shows has each code point once; lists of commands may have it twice, and the last one counts.
    """
    moved: dict[int, tuple[int, st.DscpMap, Place, str]] = {}
    last: dict[int, st.DscpMap] = {}
    for index, text in _map_lines(document.text):
        said = TABLE.parse("top", text).value
        if not isinstance(said, st.DscpMap):
            continue
        for mark in said.code_points:
            before = last.get(mark)
            if before is not None and before.traffic_class != said.traffic_class and len(before.code_points) < _FEW:
                moved[mark] = (before.traffic_class, said, Place(document.path, document.line(index)), text)
            last[mark] = said
    for mark, (led, said, place, text) in moved.items():
        ports = [
            port.name
            for port in reading.ports
            if led in _paused(port) and last[mark].traffic_class not in _paused(port)
        ]
        if last[mark] is said and ports and any(one.traffic_class == led for one in last.values()):
            words = f"this line takes DSCP {mark} out of traffic class {led}, to which an earlier one leads it and which PFC pauses"
            kind: ObservationKind = "unprotected" if mark == _USUAL else "conflict"
            yield seen(kind, text, words, place, text, tuple(ports))


def _map_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that map DSCPs, each with its number from 0. Parting the text at them is quicker than looking at every line."""
    before, *rest = f"\n{text}".split(f"\n{_MAPPED}")
    index = before.count("\n")
    for piece in rest:
        rest_of_line = piece.partition("\n")[0]
        yield index, f"{_MAPPED}{rest_of_line}".strip()
        index += piece.count("\n") + 1


def _unused(device: DeviceInput, reading: DeviceReading) -> Iterator[Seen]:
    """Each line that trusts the tag alone on ports that pause what a map leads DSCPs to.

    Where another port trusts DSCP, the map is for that one: only a port of its kind whose packets have no tag is told of then. A port
    whose VLANs come with tags may be meant so, and is never told of.
    """
    # most devices have no such line
    if not any(_TAG_ALONE in d.text or "trust: cos" in d.text for d in device.documents):
        return
    by_line: dict[Place, tuple[list[str], list[int]]] = defaultdict(lambda: ([], []))
    routed_using = {
        port.labels.routed is True for port in reading.ports if port.facts.trust.value in ("dscp", "both", "acl")
    }
    with_subinterfaces = {port.name.rpartition(".")[0] for port in reading.ports}
    for port in reading.ports:
        trust, labels = port.facts.trust, port.labels
        is_untagged = labels.untagged or (labels.routed is True and port.name not in with_subinterfaces)
        is_alone = is_untagged and (labels.routed is True) in routed_using
        if trust.value != "pcp" or (routed_using and not is_alone) or _gives_priority(port):
            continue
        at = next((at for at in trust.at if isinstance(at, At)), None)
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


def _gives_priority(port: PortReading) -> bool:
    """Whether a line of the port gives packets without a tag a priority."""
    return any(text.startswith("qos cos ") for part in port.parts for text in part.block.texts.statements)


def _led_to_pause(port: PortReading) -> list[int]:
    """The DSCPs that lines of the switch lead to a class that PFC pauses on the port."""
    paused = _paused(port)
    said = [
        TABLE.parse(part.kind, text).value
        for part in port.parts
        for text in part.block.texts.statements
        if "dscp" in text
    ]
    led = {mark: one.traffic_class for one in said if isinstance(one, st.DscpMap) for mark in one.code_points}
    return [mark for mark, number in led.items() if number in paused]


def _paused(port: PortReading) -> frozenset[int]:
    pfc = port.facts.pfc.value_or_none()
    return pfc.priorities.or_else(frozenset()) if pfc is not None else frozenset()
