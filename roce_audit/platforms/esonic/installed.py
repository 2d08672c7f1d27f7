"""`show qos interface`: the maps and the scheduler policy of ports, against those that their stanzas bind.

Lines `dscp-tc-map: NAME` and `scheduler policy: NAME` below the name of a port, or of the one that was asked for (SONiC, QoS management
framework HLD). What is left empty is held against nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.esonic.state import QOS, QOS_OF
from roce_audit.platforms.shared.cli.installed import InForce, against, bound_by, bound_in
from roce_audit.platforms.shared.cli.programmed import Programmed, lines_of
from roce_audit.text.document import Document
from roce_audit.text.memo import of_text

_MAP = lazy(
    r"(?:(dscp-tc|dot1p-tc|tc-queue|tc-pg|pfc-priority-queue)-map|(scheduler)[ -]policy) {0,4}: {0,4}(\S{1,64})"
)
_INTERFACE = lazy(r"interface (Eth(?:ernet)? ?\d[\d/]{0,12})\s{0,8}")
_APPLIED = lazy(r"\s{1,4}(?P<what>qos-map [a-z0-9-]{4,20}|scheduler-policy) (?P<name>\S{1,64})\s{0,8}")
_NONE = frozenset({"-", "none", "N/A", "n/a"})


def programmed(answer: Document, documents: Iterable[Document]) -> Programmed | None:
    """What the answer makes of the configuration of its switch; None for the answers of other commands, and where it shows no map."""
    asked = QOS.fullmatch(answer.command or "")
    shown = list(_in_force(answer, "" if asked[2] == "all" else f"{asked[1]}{asked[2]}")) if asked is not None else []
    return against(answer, shown, bound_in(documents, _bindings), "is in force") if shown else None


def _in_force(answer: Document, port: str) -> Iterator[InForce]:
    for text, line in lines_of(answer):
        said = text.strip()[:200]
        heading, given = QOS_OF.fullmatch(said), _MAP.fullmatch(said)
        if heading is not None:
            port = heading[1]
        elif given is not None and port and given[3] not in _NONE:
            what = "scheduler-policy" if given[2] else f"qos-map {given[1]}"
            yield InForce(port.replace(" ", ""), what, given[3], line)


@of_text
def _bindings(configuration: str) -> tuple[tuple[tuple[str, str], str], ...]:
    return tuple(
        ((port.replace(" ", ""), what), name) for (port, what), name in bound_by(configuration, _INTERFACE, _APPLIED)
    )
