"""The page: what was not checked, the assumptions, the fabric, then findings, devices and ports by script."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import TypeVar
from urllib.parse import quote

from roce_audit.engine.findings import Coverage, Report
from roce_audit.report.assumptions import assumptions, missing_words, read_words, undetermined
from roce_audit.report.causes import reported
from roce_audit.report.drawing import SiteDrawing
from roce_audit.report.html.data import Embedded
from roce_audit.report.html.document import asset, head
from roce_audit.report.html.topology import topology
from roce_audit.report.options import Options
from roce_audit.report.summary import checks_words, fixable_line, nothing_judged, summary
from roce_audit.report.words import clean, count, position, prose, subjects

Row = TypeVar("Row")

LISTED = 200
"""Entries of one list before the rest is a count."""
WORST = 5
"""Causes that the overview names."""
SHOWN = 10
"""Entries of one list that are in sight; the others are a click away."""
SCRIPTS = ("data.js", "parts.js", "findings.js", "places.js", "route.js")
"""In the order in which they lean on each other."""


def page(report: Report, options: Options) -> Iterator[str]:
    """The whole document in pieces."""
    script = '"use strict";\n(() => {\n' + "\n".join(map(asset, SCRIPTS)) + "\n})();\n"
    embedded = Embedded(report, options.site)
    yield from head(f"roce-audit: {_verdict(report)}", asset("style.css") + asset("trace.css"), script)
    yield "<body>\n"
    yield _head(report, options)
    yield '<main id="main">\n<section id="overview" aria-labelledby="overview-title">\n'
    yield '<h1 id="overview-title" tabindex="-1">Overview</h1>\n'
    yield from _numbers(report)
    yield f"<p>{_text(' · '.join(words for words in read_words(report) if words))}</p>\n"
    yield from _worst(report)
    if options.site is not None:
        yield from _drawn(options.site)
        yield from _paths(options.site)
    yield from _assumed(report)
    yield from _not_judged(report)
    yield "</section>\n"
    yield '<section id="view" hidden></section>\n'
    yield "<noscript><p>Findings, devices and ports are shown by the script of this page, which does not run here. "
    yield "<code>roce-audit check -f text</code> prints them.</p></noscript>\n</main>\n"
    yield '<p id="status" role="status" class="unseen"></p>\n'
    yield f'<script type="application/json" id="data">{embedded.as_json()}</script>\n'
    yield f"<script>{script}</script>\n</body>\n</html>\n"


def _text(words: str) -> str:
    return escape(prose(words))


def _verdict(report: Report) -> str:
    numbers = summary(report)
    words = ", ".join(count(getattr(numbers, kind), kind) for kind in ("error", "warning", "info"))
    return nothing_judged(report) or words


def _head(report: Report, options: Options) -> str:
    when = f" · {options.now:%Y-%m-%d %H:%M} UTC" if options.now is not None else ""
    links = [("#/", "Overview"), ("#/findings", "Findings")]
    if options.site is not None:
        links.append(("#/devices", "Devices"))
    nav = "".join(f'<a href="{target}">{name}</a>' for target, name in links)
    return (
        '<a class="skip" href="#main">Skip to the content</a>\n<header>\n'
        f'<div class="brand"><strong>roce-audit</strong> <span class="quiet">{_text(report.version)}{when}</span></div>\n'
        f'<nav aria-label="Parts of the report">{nav}</nav>\n'
        '<button id="theme" type="button" hidden>Theme: system</button>\n</header>\n'
    )


def _numbers(report: Report) -> Iterator[str]:
    numbers = summary(report)
    for problem in report.problems:
        yield f'<p class="problem"><strong>Internal error:</strong> {_text(problem)}</p>\n'
    nothing = nothing_judged(report)
    if nothing:
        yield f'<p class="problem">{_text(nothing)}</p>\n'
    yield '<ul class="tiles">\n'
    for kind in ("error", "warning", "info", "unknown"):
        number = getattr(numbers, kind)
        yield (
            f'<li class="tile {kind if number else "zero"}"><a href="#/findings?severity={kind}"><b>{number:,}</b> '
            f"<span>{kind if number == 1 or kind == 'unknown' else kind + 's'}</span></a></li>\n"
        )
    yield "</ul>\n"
    accepted = "".join(
        f" · {number:,} {word}"
        for number, word in ((numbers.suppressed, "suppressed"), (numbers.baselined, "baselined"))
        if number
    )
    yield (
        f'<p class="quiet">{checks_words(report.checks)} · {count(report.coverage.lines_unread, "line")} unread'
        f"{accepted}</p>\n"
    )
    if fixable := fixable_line(report):
        yield f'<p class="quiet">{_text(fixable)}</p>\n'


def _not_judged(report: Report) -> Iterator[str]:
    coverage, left = report.coverage, undetermined(report)
    lists = [
        _fold(
            "bad",
            f"{count(len(coverage.blind), 'family', 'families')} not checked on any RoCE port because lines were not understood",
            coverage.blind,
            lambda row: f"<code>{escape(clean(row[0]))}</code>: {_text(row[1])}",
        ),
        _fold("bad", f"{count(len(coverage.unreached), 'device')} not reached", coverage.unreached, _text),
        _fold(
            "bad",
            f"{count(coverage.lines_unread, 'line')} not understood",
            coverage.unread,
            lambda at: f"<code>{escape(position(at.path, at.line))}</code>: <code>{_text(at.text)}</code>",
        ),
        _fold(
            "doubt",
            f"{count(len(left.by_user) if left else 0, 'missing input')} that you can give, most useful first",
            left.by_user if left else (),
            lambda need: _text(missing_words(need)),
        ),
        _fold(
            "",
            f"{count(len(left.by_nobody) if left else 0, 'input')} that this version cannot see",
            left.by_nobody if left else (),
            lambda need: _text(missing_words(need)),
        ),
        _fold(
            "",
            f"{count(len(coverage.unrecognised), 'file')} not recognised",
            coverage.unrecognised,
            lambda row: f"<code>{escape(clean(row[0]))}</code>: {_text(row[1])}",
        ),
        _fold("", f"{count(len(coverage.notes), 'note')} about the input", coverage.notes, _text),
        _fold(
            "",
            f"{count(len(report.nothing_to_judge), 'rule')} had nothing to judge",
            report.nothing_to_judge,
            lambda rule: f"<code>{_text(rule)}</code>",
        ),
    ]
    yield '<h2>What was not checked</h2>\n<div class="coverage">\n'
    yield "".join(lists) or "<p>Nothing: every line was understood, and every input was there.</p>\n"
    yield "</div>\n"
    yield _what_was_read(coverage)


def _what_was_read(coverage: Coverage) -> str:
    ports = coverage.ports_roce
    return (
        f'<p class="quiet">read: {count(coverage.documents, "file")}, {count(coverage.devices, "device")}, '
        f"{count(coverage.ports, 'port')}, {count(coverage.nics, 'NIC')}, {count(coverage.links, 'link')}"
        f"{f' ({coverage.links_one_end:,} with one end)' if coverage.links_one_end else ''} · RoCE: {ports.get('yes', 0):,} yes, "
        f"{ports.get('no', 0):,} no, {ports.get('undecided', 0):,} unclear · {coverage.lines:,} lines, "
        f"{coverage.lines_relevant:,} of them relevant{f' · {coverage.excluded:,} files excluded' if coverage.excluded else ''}</p>\n"
    )


def _fold(style: str, head: str, rows: Sequence[Row], draw: Callable[[Row], str]) -> str:
    """A list that opens and closes, cut with a count; empty without rows. What has a style is open from the start."""
    if not rows:
        return ""
    items = [f"<li>{draw(row)}</li>" for row in rows[:LISTED]]
    rest = ""
    if len(rows) > SHOWN:
        left = f"<li>and {len(rows) - LISTED:,} more</li>" if len(rows) > LISTED else ""
        rest = f"<details><summary>and {len(rows) - SHOWN:,} more</summary><ul>{''.join(items[SHOWN:])}{left}</ul></details>"
    opened = " open" if style else ""
    first = f"<ul>{''.join(items[:SHOWN])}</ul>"
    return f'<details class="{style}"{opened}><summary>{escape(head)}</summary>{first}{rest}</details>\n'


def _assumed(report: Report) -> Iterator[str]:
    rows = list(assumptions(report))
    if not rows:
        return
    yield '<h2>Assumptions</h2>\n<div class="scroll"><table>\n'
    for row in rows[:LISTED]:
        words = " · ".join(map(_text, row.words))
        yield f'<tr><th scope="row">{row.label} {_text(row.name)}</th><td>{words}</td></tr>\n'
    yield "</table></div>\n"
    if len(rows) > LISTED:
        yield f"<p>and {count(len(rows) - LISTED, 'more line')}</p>\n"


def _worst(report: Report) -> Iterator[str]:
    found = list(reported(report, unknown=False))
    if not found:
        return
    yield '<h2>The worst findings</h2>\n<ol class="worst">\n'
    for cause in found[:WORST]:
        finding = cause.finding
        follows = f" · {count(len(cause.consequences), 'consequence')}" if cause.consequences else ""
        yield (
            f'<li><a href="#/finding/{quote(finding.fingerprint)}"><span class="badge {finding.severity}">{finding.severity}'
            f"</span> <strong>{_text(subjects(finding))}</strong> {_text(finding.title or finding.rule)}</a>"
            f'<span class="quiet">{follows}</span></li>\n'
        )
    yield "</ol>\n"
    if len(found) > WORST:
        yield f'<p><a href="#/findings">and {count(len(found) - WORST, "more cause")}</a></p>\n'


def _drawn(site: SiteDrawing) -> Iterator[str]:
    yield '<h2>The fabric</h2>\n<div class="pictures">\n'
    for drawn in site.fabrics:
        name = _text(drawn.name)
        yield f'<figure><figcaption>{name or "no fabric"}</figcaption><div class="scroll" tabindex="0" role="region" '
        yield f'aria-label="drawing of fabric {name}">{topology(drawn)}</div></figure>\n'
    yield '</div>\n<p class="quiet">A line is a link, thicker where there are several. Its colour and sign are those of the worst '
    yield "finding on it or at one of its ends: × error, ! warning, i info.</p>\n"


def _paths(site: SiteDrawing) -> Iterator[str]:
    """The drawings of `trace`; the script shows those of a finding beside it too."""
    if not site.paths:
        return
    yield "<h2>Paths hop by hop</h2>\n"
    for i, path in enumerate(site.paths):
        of = escape(" ".join(path.findings))
        broken = ' <span class="badge error">breaks</span>' if path.broken else ""
        yield f'<details class="path" data-findings="{of}"{" open" if i == 0 else ""}><summary>{_text(path.title)}{broken}</summary>\n'
        yield f"{path.markup}</details>\n"
    yield '<p class="quiet">One path for each class, and those with findings about links and paths; paths that read alike are drawn '
    yield "once. <code>roce-audit trace A B -f html</code> draws any other.</p>\n"
