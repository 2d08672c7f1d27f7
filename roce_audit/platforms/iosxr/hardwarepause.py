"""`show controllers npu priority-flow-control location LOCATION`: whether PFC is in force in the hardware of a line card.

Of the answer only `PFC: Disabled` is taken, which speaks for itself: thresholds and their units are not read (no public capture was
found). A profile that was configured without the reload that it asks for is not in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.base import seen
from roce_audit.platforms.iosxr.names import slot_of
from roce_audit.platforms.shared.cli.installed import bound_by, bound_in
from roce_audit.platforms.shared.cli.programmed import Line, Programmed, lines_of
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text
from roce_audit.values import Place

_COMMAND = lazy(r"sh(?:ow)? controllers? npu priority-flow-control location .{1,40}\Z")
_LOCATION = lazy(r"\s{0,8}Location(?: ?Id)?: {1,30}([0-9]{1,3}/(?:[0-9]{1,3}|RP[0-9]))/CPU[0-9]\s{0,8}", 2)
_PFC = lazy(r"\s{0,8}PFC: {1,30}(Enabled|Disabled)\s{0,8}", 2)
_INTERFACE = lazy(r"interface (?:preconfigure )?(\S{3,40})\s{0,8}")
_ON = lazy(r" {1,4}(?P<what>priority-flow-control mode) (?P<name>on)\s{0,8}")


def programmed(answer: Document, documents: Iterable[Document]) -> Programmed | None:
    """Ports with PFC on a line card whose hardware has none; None for the answers of other commands."""
    if not _COMMAND.match(answer.command or ""):
        return None
    lines = lines_of(answer)
    if not any(_PFC.fullmatch(text) for text, _ in lines):
        return Programmed(is_read=not answer.text.strip())
    paused = [port for port, _ in bound_in(documents, _bindings)]
    told = []
    for location, (text, line) in _disabled(lines):
        ports = tuple(port for port in paused if slot_of(port) == location)
        clause = f"PFC is off in the hardware of location {location}, and on at its ports: no class is lossless there"
        if ports:
            told.append(seen("not-in-force", location, clause, Place(answer.path, line), text.strip(), ports))
    return Programmed(told=tuple(told))


def _disabled(lines: Iterable[Line]) -> Iterator[tuple[str, Line]]:
    location = ""
    for text, line in lines:
        head, pfc = _LOCATION.fullmatch(text), _PFC.fullmatch(text)
        location = (
            location if head is None else head[1].replace("RP", "")
        )  # a router without line cards has its ports there
        if pfc is not None and pfc[1].lower() == "disabled" and location:
            yield location, (text, line)


@of_text
def _bindings(configuration: str) -> tuple[tuple[tuple[str, str], str], ...]:
    return tuple(bound_by(configuration, _INTERFACE, _ON))
