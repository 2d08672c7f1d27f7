"""`display qos buffer egress-usage`: which queues the chip holds for lossless, a row each.

The port stands in the row of its first queue alone. A queue that is paused by its configuration and lossy in the chip drops.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.model import Port
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading, Seen, seen
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = lazy(r"display qos buffer egress-usage(?: .{1,60})?")
_ROW = lazy(r"(?: *([0-9]{0,3}[A-Za-z]\S{3,30}))? +([0-7]) +(Lossy|Lossless) +\S{1,20} +\S{1,20} *")


def lossy_queues(documents: tuple[Document, ...], reading: DeviceReading) -> Iterator[Seen]:
    """Queues of paused priorities that the chip holds for lossy."""
    paused = {port.name: _paused(port.facts) for port in reading.ports}
    for document in documents:
        if _COMMAND.fullmatch(document.command or "") is None:
            continue
        port = ""
        for number, text in document.numbered():
            row = _ROW.fullmatch(text)
            if row is None:
                continue
            port = row[1] or port
            if row[3] == "Lossy" and int(row[2]) in paused.get(port, ()):
                clause = (
                    f"queue {row[2]} of {port} is that of a paused priority, and the chip holds it for lossy: it drops"
                )
                yield seen("not-in-force", port, clause, Place(document.path, number), text.strip(), (port,))


def _paused(facts: Port) -> frozenset[int]:
    if not (facts.pfc.is_known and facts.pfc.get().priorities.is_known and facts.priorities.is_known):
        return frozenset()
    pfc = facts.pfc.get()
    if pfc.mode.or_else("off") != "on":
        return frozenset()
    queues = (one.queue for one in facts.priorities.get() if one.number in pfc.priorities.get())
    return frozenset(queue.get() for queue in queues if queue.is_known)
