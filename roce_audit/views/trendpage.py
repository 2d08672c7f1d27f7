"""The trend as one HTML page without a script: failed checks run by run, and what has been failing longest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape

from roce_audit.engine.findings import Severity
from roce_audit.history.trends import By, Point, Trend, days_since
from roce_audit.report.html import svg
from roce_audit.report.html.document import asset, head
from roce_audit.report.words import count, prose

DEVICES = 30
"""Devices that are listed, those with most failed checks first."""
_WIDTH, _HEIGHT, _LEFT, _BELOW = 1000.0, 220.0, 56.0, 26.0
_SPARK_WIDTH, _SPARK_HEIGHT = 180.0, 24.0
_SHOWN: tuple[Severity, ...] = ("error", "warning", "info")
_TABLES: tuple[tuple[By, str], ...] = (("topic", "Topics"), ("fabric", "Fabrics"), ("device", "Devices"))


def page(found: Trend, now: datetime) -> Iterator[str]:
    """The whole document in pieces."""
    style = asset("style.css") + asset("trend.css")
    yield from head("roce-audit: trend", style)
    yield "<body>\n<header>"
    yield f'<div class="brand"><strong>roce-audit</strong> <span class="quiet">trend · {now:%Y-%m-%d %H:%M} UTC</span></div>'
    yield '</header>\n<main id="main">\n<h1>Failed checks over time</h1>\n'
    if not found.points:
        yield "<p>No runs yet: <code>roce-audit audit</code> keeps one.</p>\n"
    else:
        yield from _of_runs(found, now)
    yield "</main>\n</body>\n</html>\n"


def _of_runs(found: Trend, now: datetime) -> Iterator[str]:
    first, last = found.points[0], found.points[-1]
    yield (
        f'<p class="quiet">{count(len(found.points), "run")} from {first.started:%Y-%m-%d %H:%M} to '
        f"{last.started:%Y-%m-%d %H:%M} UTC · {count(last.devices, 'device')} in the last · suppressed and accepted "
        "findings are left out</p>\n"
    )
    severities = found.table("severity")
    none = [0] * len(found.points)
    yield '<ul class="tiles">\n'
    for severity in _SHOWN:
        yield _tile(severity, severities.get(severity, none))
    yield "</ul>\n"
    drawn = _bars(found.points, {severity: severities.get(severity, none) for severity in _SHOWN})
    yield f'<div class="scroll trend" tabindex="0" role="region" aria-label="failed checks run by run">{drawn}</div>\n'
    for by, title in _TABLES:
        yield from _table(title, found.table(by))
    yield from _longest(found, now)


def _tile(severity: Severity, series: Sequence[int]) -> str:
    word = severity if series[-1] == 1 else f"{severity}s"
    change = ""
    if len(series) > 1:
        change = f' <span class="quiet">{_change(series[-1] - series[-2])} since the run before</span>'
    style = severity if series[-1] else "zero"
    return f'<li class="tile {style}"><div><b>{series[-1]:,}</b> <span>{word}</span>{change}</div></li>\n'


def _change(by: int) -> str:
    return f"{by:+,}" if by else "±0"


def _bars(points: Sequence[Point], series: dict[Severity, list[int]]) -> str:
    """Stacked bars, one a run, errors at the bottom; dates below the first, the last, and some between."""
    highest = max(max(map(sum, zip(*series.values(), strict=True))), 1)
    scale = (_HEIGHT - 10) / highest
    step = (_WIDTH - _LEFT) / len(points)
    parts: list[str] = []
    for tick in svg.ticks(highest):
        if tick == int(tick):
            y = _HEIGHT - tick * scale
            parts.append(svg.line(_LEFT, y, _WIDTH, y, "grid"))
            parts.append(svg.label(_LEFT - 6, y + 4, f"{int(tick):,}", anchor="end"))
    for index, point in enumerate(points):
        y = _HEIGHT
        numbers = [(severity, of_runs[index]) for severity, of_runs in series.items()]
        said = ", ".join(count(number, severity) for severity, number in numbers)
        bars = [svg.title(f"run {point.run}, {point.started:%Y-%m-%d %H:%M} UTC: {said}")]
        bars.append(svg.rect(_LEFT + index * step, 0, step, _HEIGHT, "column", rx=0))
        for severity, number in numbers:
            height = number * scale
            y -= height
            bars.append(svg.rect(_LEFT + index * step + step * 0.1, y, step * 0.8, height, f"bar {severity}", rx=0))
        parts.append(svg.element("g", *bars))
    for index in sorted({0, len(points) // 3, 2 * len(points) // 3, len(points) - 1}):
        anchor = "start" if index == 0 else "end" if index == len(points) - 1 else "middle"
        x = _LEFT + (index + {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]) * step
        parts.append(svg.label(x, _HEIGHT + 18, f"{points[index].started:%Y-%m-%d}", anchor=anchor))
    return svg.picture(_WIDTH, _HEIGHT + _BELOW, "failed checks run by run, by severity", parts, "trend")


def _table(title: str, rows: dict[str, list[int]]) -> Iterator[str]:
    rows = {name: series for name, series in rows.items() if name}
    if not rows:
        return
    yield f'<h2>{title}</h2>\n<div class="scroll"><table class="trend"><thead><tr><th scope="col">{title[:-1]}</th>'
    yield '<th scope="col">now</th><th scope="col">change</th><th scope="col">run by run</th></tr></thead>\n'
    for name, series in list(rows.items())[:DEVICES]:
        yield f'<tr><th scope="row">{escape(prose(name))}</th><td>{series[-1]:,}</td>'
        yield f"<td>{_change(series[-1] - series[0])}</td><td>{_spark(name, series)}</td></tr>\n"
    yield "</table></div>\n"
    if len(rows) > DEVICES:
        yield f'<p class="quiet">and {count(len(rows) - DEVICES, "more")} with fewer</p>\n'


def _spark(name: str, series: Sequence[int]) -> str:
    step = _SPARK_WIDTH / len(series)
    highest = max(max(series), 1)
    bars = []
    for index, number in enumerate(series):
        height = number / highest * _SPARK_HEIGHT
        bars.append(svg.rect(index * step, _SPARK_HEIGHT - height, step * 0.8, height, "bar all", rx=0))
    said = f"{name}: from {series[0]:,} to {series[-1]:,}, at most {max(series):,}"
    return svg.picture(_SPARK_WIDTH, _SPARK_HEIGHT, said, bars, "spark")


def _longest(found: Trend, now: datetime) -> Iterator[str]:
    if not found.longest:
        return
    yield '<h2>Failing longest</h2>\n<div class="scroll"><table><thead><tr><th scope="col">since</th>'
    yield '<th scope="col">days</th><th scope="col">severity</th><th scope="col">rule</th><th scope="col">what</th></tr></thead>\n'
    for one in found.longest:
        item = one.item
        days = days_since(one.since, now)
        yield (
            f"<tr><td>{one.since:%Y-%m-%d}</td><td>{'clock set back' if days is None else f'{days:,}'}</td>"
            f'<td><span class="badge {item.severity}">{item.severity}</span></td><td><code>{escape(prose(item.rule))}</code></td>'
            f"<td>{escape(prose(item.shown))}: {escape(prose(item.message))}</td></tr>\n"
        )
    yield "</table></div>\n"
