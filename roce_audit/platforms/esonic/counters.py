"""Counters of the Enterprise SONiC command line: PFC frames and watchdog by queue, drops of the unicast queues.

`show qos interface Eth all priority-flow-control statistics` has a table of what was received and one of what was sent, a column
for each priority; `... queue all priority-flow-control watchdog-statistics` port, queue, state, storms found and ended; `show
queue counters` the columns of SONiC. The tables as the node-scraper of ROCm reads them. `show priority-flow-control watchdog` says how
often the watchdog polls, and whether its counters are polled at all (dellemc.enterprise_sonic, sonic_qos_pfc, examples).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from roce_audit.patterns import lazy
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.text.document import Document
from roce_audit.values import Place

if TYPE_CHECKING:
    from collections.abc import Iterable

_PORT = r"(?P<port>Eth\S{1,20})"
_COLUMNS = "".join(rf" (?P<p{n}>[0-9]{{1,20}})" for n in range(8))
_SUMMARY = lazy(r"show priority-flow-control watchdog")
_UNPOLLED = lazy(r"\s*Flex Counters:? *: *disabled\s*")
_WATCHDOG = lazy(r"show qos interface Eth ?\S{1,20} queue \S{1,4} priority-flow-control watchdog-statistics")
_WATCHED = lazy(
    rf"{_PORT} (?P<n>[0-7]) (?P<state>[a-z]{{1,20}}) (?P<storms>[0-9]{{1,20}}) [0-9]{{1,20}}(?: [0-9]{{1,20}}){{8}}"
)


def _names(text: str) -> Iterable[str]:
    from roce_audit.platforms.esonic.reader import INTERFACES

    return INTERFACES.expand(text)


read = reader(
    (
        Form(
            command=lazy(
                r"show qos interface Eth ?\S{1,20} priority-flow-control statistics|show priority-flow-control statistics"
            ),
            source="priority-flow-control statistics",
            headings=(lazy(r"Flow Control frames (?P<way>received|transmitted)"),),
            words={"transmitted": "sent"},
            rows=(
                Row(
                    lazy(rf"{_PORT}{_COLUMNS}"),
                    {f"priorities.{n}.pause_{{way}}": f"p{n}" for n in range(8)},
                ),
            ),
        ),
        Form(
            command=_WATCHDOG,
            source="watchdog-statistics",
            rows=(Row(_WATCHED, {"queues.{n}.storms": "storms"}),),
        ),
        Form(
            command=lazy(r"show queue counters(?: interface .{1,30})?"),
            source="show queue counters",
            rows=(
                Row(
                    lazy(
                        rf"{_PORT} UC(?P<n>[0-7]) [0-9]{{1,20}} [0-9]{{1,20}}(?:(?: \S{{1,20}}){{3}})? "
                        r"(?P<drops>[0-9]{1,20}) [0-9]{1,20}"
                    ),
                    {"queues.{n}.drops": "drops"},
                ),
            ),
        ),
    ),
    _names,
)


def unpolled(document: Document, ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Ports whose watchdog is on while nobody polls the counters by which it watches."""
    if _SUMMARY.fullmatch(document.command or "") is None:
        return
    for line, text in document.numbered():
        if _UNPOLLED.fullmatch(text[:200]) is not None:
            pfc = ((port.name, port.facts.pfc.value_or_none()) for port in ports)
            dogs = ((name, one.watchdog.value_or_none()) for name, one in pfc if one is not None)
            watched = tuple(name for name, dog in dogs if dog is not None and dog.on.value)
            clause = "the watchdog is on, and its counters, by which it watches, are polled by nobody (Flex Counters: disabled)"
            if watched:
                yield seen("conflict", "Flex Counters", clause, Place(document.path, line), text.strip(), watched)


def stuck(document: Document) -> Iterator[Seen]:
    """Queues that the watchdog holds for stuck at the time of the answer."""
    if _WATCHDOG.fullmatch(document.command or "") is None:
        return
    for line, text in document.numbered():
        row = _WATCHED.fullmatch(" ".join(text[:400].split()))
        if row is not None and row["state"] == "stormed":
            clause = f"the watchdog holds queue {row['n']} of {row['port']} for stuck at this moment"
            yield seen("stuck", row["port"], clause, Place(document.path, line), row["port"], (row["port"],))
