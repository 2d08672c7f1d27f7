"""`show qos maps`: the maps of the switch as they run, from DSCP and CoS to traffic class, and from there to transmit queue.

(EOS User Manual, Quality of Service: the tables of the command.) What a line of the configuration says otherwise is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.eos import statements as st
from roce_audit.platforms.eos.table import TABLE
from roce_audit.platforms.shared.cli.gathering import is_configuration
from roce_audit.platforms.shared.cli.programmed import Line
from roce_audit.platforms.shared.cli.runningmaps import Entry, RunningMaps
from roce_audit.text.document import Document

_COMMAND = lazy(r"show qos maps?(?: ?\| ?no-more)?\Z")
_HEADING = lazy(r"\s{0,12}(Cos-tc|Dscp-tc|Tc-(?:uc-)?tx-queue) map: ?", 2)
_OTHER = lazy(r"\s{0,12}[A-Za-z][\w -]{1,30} map:.{0,40}")
_TENS = lazy(r"\s{0,12}([0-6]) :((?:\s{1,6}[0-7]){1,10})\s{0,8}")
_FROM = lazy(r"\s{0,12}(?:cos|tc):((?:\s{1,12}[0-7]){1,8})\s{0,8}", 2)
_TO = lazy(r"\s{0,12}(?:tc|(?:uc-)?tx-queue):((?:\s{1,12}[0-9]){1,8})\s{0,8}", 2)
_SAID = lazy(r"\s*(qos map .{1,160}?)\s*")
_STATEMENTS = {
    "dscp": ("qos map dscp {} to traffic-class {}",),
    "cos": ("qos map cos {} to traffic-class {}",),
    "tc": ("qos map traffic-class {} to tx-queue {}",),
}
_WORDS = {
    "dscp": "DSCP {} -> traffic class {}",
    "cos": "CoS {} -> traffic class {}",
    "tc": "traffic class {} -> queue {}",
}


def _by_default(kind: str, key: int) -> int:
    """What a map leads to where no line says so: DSCPs by eights, and the two lowest changed over."""
    number = key // 8 if kind == "dscp" else key
    return number if kind == "tc" else {0: 1, 1: 0}.get(number, number)


def _entries(lines: Iterable[Line]) -> Iterator[Entry]:
    of_map = ""
    keys: list[int] = []
    for text, line in lines:
        heading = _HEADING.fullmatch(text)
        if heading is not None or _OTHER.fullmatch(text):
            of_map, keys = heading[1].lower() if heading is not None else "", []
            continue
        tens, left, right = (one.fullmatch(text) for one in (_TENS, _FROM, _TO))
        if of_map == "dscp-tc" and tens is not None:
            for units, to in enumerate(tens[2].split()):
                yield Entry("dscp", 10 * int(tens[1]) + units, int(to), line)
        elif of_map in ("", "dscp-tc"):
            continue
        elif not keys and left is not None:
            keys = [int(key) for key in left[1].split()]
        elif keys and right is not None and len(right[1].split()) == len(keys):
            for key, to in zip(keys, right[1].split(), strict=True):
                yield Entry("cos" if of_map == "cos-tc" else "tc", key, int(to), line)
            keys = []


def _configured(documents: Iterable[Document]) -> dict[tuple[str, int], int]:
    """What the lines of the configuration lead where."""
    found: dict[tuple[str, int], int] = {}
    for document in documents:
        if "qos map " not in document.text or not is_configuration(document):
            continue
        for text in document.text.split("\n"):
            said = _SAID.fullmatch(text)
            match TABLE.parse("top", said[1]).value if said is not None else None:
                case st.DscpMap(code_points=points, traffic_class=to):
                    found |= {("dscp", point): to for point in points}
                case st.CosMap(priorities=priorities, traffic_class=to):
                    found |= {("cos", priority): to for priority in priorities}
                case st.QueueMap(traffic_classes=classes, queue=to):
                    found |= {("tc", number): to for number in classes}
    return found


MAPS = RunningMaps(_COMMAND, _entries, _configured, _by_default, _STATEMENTS, _WORDS)
