"""A trace as text: a table of the hops, what breaks and whose it is, the CNPs back, and the line behind every cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from roce_audit.engine.findings import Finding
from roce_audit.fabric.classes.sentmark import Sent
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.ranges import short
from roce_audit.fabric.traffic.chain import Break, owner_of
from roce_audit.fabric.traffic.paths import Row, TracedPath
from roce_audit.model import Class, PriorityGroup, Queue
from roce_audit.report.words import position
from roce_audit.text.sentences import listed
from roce_audit.values import Cell, Cited, Place
from roce_audit.views.cellwords import Quote, positions, value, where
from roce_audit.views.tracecells import ShownCell, cells_of, share_text
from roce_audit.views.tracing import Trace, outer_dscp, tunnels

Paint = Callable[[str], str]
"""What makes a text stand out on a terminal."""
_COLUMNS = ("#", "port", "", "mark", "class", "waits in", "PFC", "share", "ECN / headroom", "MTU")
_PORTS_NAMED = 3


def trace_lines(
    found: Sequence[Trace], findings: Sequence[Finding], quote: Quote, red: Paint, brief: bool
) -> Iterator[str]:
    """All traces. One whose hops read like those of an earlier one is only named; `brief` leaves the lines of cells out."""
    shown: dict[object, Trace] = {}
    for trace in found:
        first = shown.setdefault(shape(trace), trace)
        if first is trace:
            yield from _trace(trace, quote, red, brief)
        else:
            yield f"{trace.source.id} -> {trace.target.id}: every hop reads as from {first.source.id} to {first.target.id}"
            yield ""
    yield from _findings(findings)


def shape(trace: Trace) -> object:
    """Equal for traces that read alike, hop by hop."""
    paths = [path for path in (trace.path, trace.cnps.path if trace.cnps is not None else None) if path is not None]
    rows = [
        (id(row.crossing.port.reading.facts), row.crossing.mark, tuple(b.text for b in row.breaks))
        for path in paths
        for row in path.rows
    ]
    return (trace.sent.mark, trace.sent.because, tuple(rows), tuple(path.route.assumed for path in paths))


def _trace(trace: Trace, quote: Quote, red: Paint, brief: bool) -> Iterator[str]:
    sent = trace.sent
    yield f"{trace.source.id} -> {trace.target.id}   {class_words(sent.cls, str(sent.mark))}"
    yield f"sent as   {sent_words(sent)}"
    if trace.path is None:
        yield red(f"no way is known from {trace.source.id} to {trace.target.id}: {why_none(trace)}")
        yield ""
        return
    yield from ways_lines(trace.path)
    yield from _tunnels(trace.path)
    yield ""
    yield from _table(trace.path, red)
    yield ""
    yield from verdict_lines(trace, red)
    if trace.cnps is None and trace.sent.cls is not None:
        yield "CNPs back   not seen: neither a NIC nor the policy says their DSCP"
    elif trace.cnps is not None and trace.cnps.path is not None:
        at = positions(trace.cnps.places)
        yield f"CNPs back   {trace.cnps.mark} ({trace.cnps.because}){f'   {at}' if at else ''}"
        yield ""
        yield from _table(trace.cnps.path, red)
        yield ""
        broken = list(break_lines(trace.cnps.path))
        yield from (red(line) for line in broken[:1])
        yield from broken[1:]
        if not broken:
            yield "the CNPs have a queue of their own at every hop that was seen"
        yield from unseen_lines(trace.cnps.path)
    yield ""
    if not brief:
        yield from _written(trace.path, quote)
        yield ""


def sent_words(sent: Sent) -> str:
    """The mark with which packets are sent, who says so, and where."""
    at = positions(sent.places)
    told = (
        "assumed to be sent: nothing read of this port says what is, and jobs are not asked"
        if sent.assumed
        else sent.because
    )
    return f"{sent.mark} ({told}){f'   {at}' if at else ''}"


def class_words(cls: Class | None, sent: str) -> str:
    """`class roce: DSCP 26 -> priority 3, lossless`; `PCP 4` of a class that its packets' tag tells."""
    if cls is None:
        return f"{sent}: no class of the fabric, so nothing is demanded"
    kind = ("lossless" if cls.lossless.get() else "lossy") if cls.lossless.is_known else "lossless unknown"
    by_tag = cls.dscp.is_absent and cls.pcp.is_known
    mark = f"PCP {value(cls.pcp)}" if by_tag else f"DSCP {value(cls.dscp)}"
    return f"class {cls.name}: {mark} -> priority {value(cls.priority)}, {kind}"


def ways_lines(path: TracedPath) -> Iterator[str]:
    """By which routes packets take these ways, what the path file says, and what is assumed where neither tells."""
    route = path.route
    if route.tables:
        yield f"routed    by the tables of the switches   {positions(route.tables)}"
    if route.given:
        yield f"given     by the path file{', where no table says it' if route.tables else ''}   {positions(route.given)}"
    if route.without_table:
        names = listed(route.without_table, _PORTS_NAMED)
        yield f"assumed   at {names}, whose table was not given or has no route there: {route.assumed}"
    elif not route.steps:
        yield f"path      {route.assumed}"
    elif not route.tables and not route.given:
        yield f"assumed   {route.assumed}; no routing table is used"
    if route.not_cabled:
        yield f"skipped   the way of the path file, which no cables lead   {positions(route.not_cabled)}"


def why_none(trace: Trace) -> str:
    """Which cables are lacking for a way."""
    lacking = [port.id for port in (trace.source, trace.target) if port.is_nic and port.peer is None]
    if lacking:
        return f"no cable of {' and '.join(lacking)} is known (topology.yaml or LLDP)"
    return "no cables between their switches are known (topology.yaml or LLDP)"


_OUTER = {
    "packet": "that of the packet inside",
    "class": "made from its traffic class, so hops after the first tunnel end may differ",
}


def _tunnels(path: TracedPath) -> Iterator[str]:
    found = tunnels(path)
    if found:
        outer = outer_dscp(path)
        yield f"          VXLAN is set up   {positions(found)}   where it carries these packets, each is 50 bytes larger (70 with"
        yield f"          IPv6), and {outer_words(outer)}   {outer_said(outer)}".rstrip()


def outer_words(outer: Cell[Any]) -> str:
    """What the DSCP of the outer header is."""
    if not outer.is_known:
        return "its outer DSCP is taken to be the inner one"
    return f"its outer DSCP is {_OUTER.get(outer.get()) or f'{outer.get()}, whatever that of the packet is'}"


def outer_said(outer: Cell[Any]) -> str:
    """Who says it: lines, else the document."""
    if not outer.is_known:
        return ""
    said = positions([at for at in outer.at if isinstance(at, Place)])
    return said or next((f"default: {at.source}" for at in outer.at if isinstance(at, Cited)), "")


def _table(path: TracedPath, red: Paint) -> Iterator[str]:
    rows = [_COLUMNS, *map(_columns, path.rows)]
    wide = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    for columns, row in zip(rows, (None, *path.rows), strict=True):
        line = "  ".join(text.ljust(width) for text, width in zip(columns, wide, strict=True)).rstrip()
        yield red(line) if row is not None and row is path.first_break else line


def _columns(row: Row) -> tuple[str, ...]:
    crossing = row.crossing
    pauses = value(crossing.pauses)
    if crossing.pauses.is_known:
        pauses = "none" if not crossing.pauses.get() else f"{'pauses' if crossing.entering else 'stops on'} {pauses}"
    if crossing.entering:
        group = crossing.group.value_or_none()
        waits = f"group {group.number if group is not None else value(crossing.group)}"
        buffer = _headroom(group) if group is not None else ""
        share = ""
    else:
        queue = crossing.queue.value_or_none()
        waits = f"queue {queue.number if queue is not None else value(crossing.queue)}"
        buffer, share = ("", "") if queue is None else (ecn_text(queue), served_text(queue))
    mark = str(crossing.mark)
    if crossing.new_dscp.is_known:
        mark += f" -> {crossing.new_dscp.get()}"
    way = "in" if crossing.entering else "out"
    star = "*" if row.breaks else ""
    return (
        f"{row.number}{star}",
        ports_text(row.ports),
        way,
        mark,
        value(crossing.traffic_class),
        waits,
        pauses,
        share,
        buffer,
        _amount(crossing.mtu_bytes),
    )


def ports_text(ports: Sequence[FabricPort]) -> str:
    """`leaf1:Ethernet49/1-52/1`, `spine1:Ethernet1/1, spine2:Ethernet1/1 and 2 more`."""
    by_device: dict[str, list[str]] = {}
    for port in ports:
        by_device.setdefault(port.device.name, []).append(port.reading.name)
    names = [f"{device}:{', '.join(short(names))}" for device, names in by_device.items()]
    return listed(names, _PORTS_NAMED, spare_one=False)


def ecn_text(queue: Queue) -> str:
    """The ECN curve of a queue: `ECN 150,000..3,000,000 B`."""
    if not queue.ecn.is_known:
        return "no ECN" if queue.ecn.is_absent else f"ECN {value(queue.ecn)}"
    ecn = queue.ecn.get()
    if ecn.marks.is_known and not ecn.marks.get():
        return "WRED without ECN"
    low, high = ecn.min_bytes, ecn.max_bytes
    return f"ECN {_amount(low)}..{_amount(high)} B" if low.is_known and high.is_known else "ECN"


def served_text(queue: Queue) -> str:
    """How a queue is served: `strict`, `50 %`, `weight 15`."""
    if queue.scheduling.is_known and queue.scheduling.get() == "strict":
        return "strict"
    if not queue.share.is_known:
        return "" if queue.share.is_absent else "unknown"
    return share_text(queue)


def _headroom(group: PriorityGroup) -> str:
    """The headroom of a buffer that may need some."""
    cell = group.headroom_bytes
    if cell.is_absent or (group.lossless.is_known and not group.lossless.get()):
        return ""
    return f"headroom {cell.get():,} B" if cell.is_known else "headroom unknown"


def _amount(cell: Cell[int]) -> str:
    return f"{cell.get():,}" if cell.is_known else value(cell)


def verdict_lines(trace: Trace, red: Paint) -> Iterator[str]:
    """Whether the chain holds, each break with its owner and line, and what was not seen."""
    path = trace.path
    if path is None:
        return
    broken = list(break_lines(path))
    if trace.sent.wrong is not None:
        broken.insert(0, _broken("at the sender", trace.sent.wrong))
    if broken:
        yield red(f"The chain first breaks {broken[0]}")
        if len(broken) > 1:
            yield "Then also:"
            yield from (f"  {line}" for line in broken[1:])
    elif trace.sent.cls is None:
        yield "Nothing is demanded of this traffic."
    else:
        kind = "protected" if trace.sent.cls.lossless.or_else(True) else "in its class"
        known = not path.unseen
        yield f"The chain holds: {kind} at every hop." if known else "No break is seen, but not all of the chain is."
    yield from unseen_lines(path)


def break_lines(path: TracedPath) -> Iterator[str]:
    """Each break of a path: its hop, what is wrong, whose it is, and where."""
    for row in path.rows:
        for one in row.breaks:
            yield _broken(f"at hop {row.number}, {ports_text(row.ports)}", one)


def _broken(where_: str, one: Break) -> str:
    return f"{where_}: {one.text} ({one.owner})   {positions(one.places)}"


def unseen_lines(path: TracedPath) -> Iterator[str]:
    """What of a path was not seen."""
    for row, unseen in path.unseen:
        at = positions(unseen.places)
        yield f"not seen at {ports_text(row.ports)}: {unseen.text}{f'   {at}' if at else ''}"


def _written(path: TracedPath, quote: Quote) -> Iterator[str]:
    yield "Where it is written"
    for row in path.rows:
        port = row.crossing.port
        header = position(port.reading.header.path, port.reading.header.line)
        way = "in" if row.crossing.entering else "out"
        more = f" and {len(row.ports) - 1} more like it" if len(row.ports) > 1 else ""
        yield f"{row.number}  {port.id} {way}{more}   {port.device.platform}, {owner_of(port)}   {header}"
        for cell in cells_of(row.crossing):
            yield f"     {cell.text:<40} {cell_place(cell, port, quote)}".rstrip()


def cell_place(cell: ShownCell, port: FabricPort, quote: Quote) -> str:
    """The line that says a cell, with its text; the citation of a default."""
    return where(list(dict.fromkeys(port.place(at) for at in cell.cell.at)), quote)


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    if findings:
        yield "Findings about the ports on the way"
    for finding in findings:
        primary = next(place for place in finding.locations if place.role == "primary")
        named = f"{finding.device or ''} {finding.subject}".strip()
        yield f"  {finding.severity:<8} {finding.rule:<32} {named}   {position(primary.path, primary.line)}"
