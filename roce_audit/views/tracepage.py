"""A trace as one HTML page without a script: the hops as boxes from device to device, and the line behind each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from urllib.parse import quote as quoted

from roce_audit.engine.findings import Finding
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.traffic.chain import owner_of
from roce_audit.fabric.traffic.paths import Row, TracedPath
from roce_audit.report.html.document import asset, head
from roce_audit.report.words import clean, count, position, prose
from roce_audit.text.sentences import listed
from roce_audit.views.cellwords import Quote, positions
from roce_audit.views.tracecells import ShownCell, cells_of
from roce_audit.views.tracetext import (
    break_lines,
    cell_place,
    class_words,
    outer_said,
    outer_words,
    ports_text,
    sent_words,
    shape,
    unseen_lines,
    verdict_lines,
    ways_lines,
    why_none,
)
from roce_audit.views.tracing import Trace, outer_dscp, tunnels

_DEVICES_NAMED = 2
_FINDINGS_NAMED = 3

Noted = Mapping[str, Sequence[Finding]]
"""Port id -> findings about it that are named in its box."""


def page(found: Sequence[Trace], findings: Sequence[Finding], quote: Quote) -> Iterator[str]:
    """The whole document in pieces. Traces that read alike are drawn once."""
    drawn: dict[object, list[Trace]] = {}
    for trace in found:
        drawn.setdefault(shape(trace), []).append(trace)
    yield from head(f"roce-audit: {_ends(found[0])}", asset("style.css") + asset("trace.css"))
    yield '<body>\n<header><div class="brand"><strong>roce-audit</strong> <span class="quiet">trace</span></div></header>\n'
    yield '<main id="main">\n'
    for alike in drawn.values():
        yield from _trace(alike, quote)
    yield from _findings(findings)
    yield "</main>\n</body>\n</html>\n"


def _ends(trace: Trace) -> str:
    return f"{trace.source.id} → {trace.target.id}"


def _trace(alike: Sequence[Trace], quote: Quote) -> Iterator[str]:
    trace = alike[0]
    yield f"<h1>{_text(_ends(trace))}</h1>\n<p>{_text(class_words(trace.sent.cls, str(trace.sent.mark)))}</p>\n"
    if len(alike) > 1:
        others = listed([_ends(other) for other in alike[1:]], 4)
        yield f'<p class="quiet">Every hop reads the same from {_text(others)}.</p>\n'
    yield from data_drawing(trace, quote, {})
    if trace.path is not None:
        yield from _cnps(trace, quote)


def data_drawing(trace: Trace, quote: Quote, noted: Noted) -> Iterator[str]:
    """What is sent, by which path, whether it is protected on all of it, and the boxes of its hops."""
    yield f"<p><b>Sent as</b> {_text(sent_words(trace.sent))}</p>\n"
    if trace.path is None:
        yield f'<p class="verdict bad">No way is known from {_text(trace.source.id)} to {_text(trace.target.id)}: '
        yield f"{_text(why_none(trace))}</p>\n"
        return
    for line in ways_lines(trace.path):
        label, _, words = line.partition(" ")
        yield f"<p><b>{label.capitalize()}</b> {_text(words)}</p>\n"
    around = tunnels(trace.path)
    if around:
        outer = outer_dscp(trace.path)
        words = f"{outer_words(outer)}   {outer_said(outer)}".rstrip()
        yield f"<p><b>VXLAN</b> is set up: {_text(positions(around))}. Where it carries these packets, each is 50 bytes larger "
        yield f"(70 with IPv6), and {_text(words)}.</p>\n"
    yield from _verdict(list(verdict_lines(trace, str)), broken=trace.breaks, unseen=trace.unseen)
    yield from _path(trace.path, quote, noted)


def _cnps(trace: Trace, quote: Quote) -> Iterator[str]:
    cnps = trace.cnps
    if cnps is None or cnps.path is None:
        if trace.sent.cls is not None and cnps is None:
            yield '<p class="quiet">The CNPs back are not seen: neither a NIC nor the policy says their DSCP.</p>\n'
        return
    at = positions(cnps.places)
    yield f"<h2>CNPs back</h2>\n<p>{_text(f'{cnps.mark} ({cnps.because})   {at}')}</p>\n"
    lines = list(break_lines(cnps.path)) or ["The CNPs have a queue of their own at every hop that was seen."]
    yield from _verdict([*lines, *unseen_lines(cnps.path)], broken=cnps.breaks, unseen=cnps.unseen)
    yield from _path(cnps.path, quote, {})


def _verdict(lines: Sequence[str], *, broken: bool, unseen: bool) -> Iterator[str]:
    kind = "bad" if broken else "doubt" if unseen else "good"
    yield f'<div class="verdict {kind}">{"<br>".join(map(_text, lines))}</div>\n'


def _path(path: TracedPath, quote: Quote, noted: Noted) -> Iterator[str]:
    yield '<ol class="hops">\n'
    for rows in _devices(path.rows):
        names = list(dict.fromkeys(port.device.name for row in rows for port in row.ports))
        bad = " bad" if any(row.breaks for row in rows) else ""
        yield f'<li class="device{bad}"><h3>{_text(listed(names, _DEVICES_NAMED))}</h3>\n'
        for row in rows:
            yield from _hop(row, quote, noted)
        yield "</li>\n"
    yield "</ol>\n"
    yield '<details class="written"><summary>Where it is written</summary>\n<div class="scroll"><table>\n'
    for row in path.rows:
        yield from _written(row, quote)
    yield "</table></div></details>\n"


def _devices(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows cut where packets come to the next device."""
    together: list[Row] = []
    for row in rows:
        if together and row.crossing.entering and not together[-1].crossing.entering:
            yield together
            together = []
        together.append(row)
    yield together


def _hop(row: Row, quote: Quote, noted: Noted) -> Iterator[str]:
    crossing = row.crossing
    kind = "bad" if row.breaks else "doubt" if row.unseen else "good"
    way = "in by" if crossing.entering else "out by"
    yield f'<section class="hop {kind}"><h4>{row.number} <span class="quiet">{way}</span> {_text(ports_text(row.ports))}</h4>\n<ul>'
    for cell in cells_of(crossing):
        tip = cell_place(cell, crossing.port, quote)
        yield f'<li{_doubt(cell)} title="{_text(tip)}">{_text(cell.text)}</li>'
    yield "</ul>\n"
    for one in row.breaks:
        yield f'<p class="break">{_text(one.text)} <span class="quiet">({one.owner})</span><br>'
        yield f"<code>{_text(positions(one.places))}</code></p>\n"
    for missing in row.unseen:
        yield f'<p class="missing">not seen: {_text(missing.text)}</p>\n'
    yield from _named(row, noted)
    yield "</section>\n"


def _named(row: Row, noted: Noted) -> Iterator[str]:
    """The findings about the ports of a row, each with its ports where they are not all."""
    about: dict[str, list[FabricPort]] = {}
    findings: dict[str, Finding] = {}
    for port in row.ports:
        for found in noted.get(port.id, ()):
            findings[found.fingerprint] = found
            about.setdefault(found.fingerprint, []).append(port)
    for fingerprint, found in list(findings.items())[:_FINDINGS_NAMED]:
        ports = about[fingerprint]
        of = f" {_text(ports_text(ports))}" if len(ports) < len(row.ports) else ""
        yield f'<p><span class="badge {found.severity}">{found.severity}</span> '
        yield f'<a href="#/finding/{quoted(fingerprint)}">{_text(found.rule)}</a>{of}</p>\n'
    if len(findings) > _FINDINGS_NAMED:
        yield f'<p class="quiet">and {count(len(findings) - _FINDINGS_NAMED, "more finding")}</p>\n'


def _doubt(cell: ShownCell) -> str:
    return ' class="doubt"' if cell.cell.is_unknown else ""


def _written(row: Row, quote: Quote) -> Iterator[str]:
    port = row.crossing.port
    more = f" and {count(len(row.ports) - 1, 'port')} like it" if len(row.ports) > 1 else ""
    at = position(port.reading.header.path, port.reading.header.line)
    yield f'<tr><th colspan="2" scope="rowgroup">{row.number} {_text(f"{port.id}{more}: {port.device.platform}, {owner_of(port)}")}'
    yield f' <code class="quiet">{_text(at)}</code></th></tr>\n'
    for cell in cells_of(row.crossing):
        yield f"<tr><td{_doubt(cell)}>{_text(cell.text)}</td>"
        yield f"<td><code>{escape(clean(cell_place(cell, port, quote)))}</code></td></tr>\n"


def _findings(findings: Sequence[Finding]) -> Iterator[str]:
    if not findings:
        return
    yield '<h2>Findings about the ports on the way</h2>\n<div class="scroll"><table>\n'
    for finding in findings:
        primary = next(place for place in finding.locations if place.role == "primary")
        named = f"{finding.device or ''} {finding.subject}".strip()
        yield f'<tr><td><span class="badge {finding.severity}">{finding.severity}</span></td>'
        yield f"<td><code>{_text(finding.rule)}</code></td><td>{_text(named)}: {_text(finding.message)}</td>"
        yield f"<td><code>{_text(position(primary.path, primary.line))}</code></td></tr>\n"
    yield "</table></div>\n"


def _text(words: str) -> str:
    return escape(prose(words))
