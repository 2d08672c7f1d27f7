"""A difference, and the list of past runs, as text and as plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from roce_audit.history.comparing import Difference
from roce_audit.history.record import Recorded
from roce_audit.text.decode import printable

_MOST = 40
"""Lines of one sort before the rest is counted."""


def lines(difference: Difference, *, verbose: bool = False) -> Iterator[str]:
    """What changed, the new failures first."""
    most = 10**9 if verbose else _MOST
    if difference.other_rules:
        yield "judged by different rules: what is new may be an old fault that nobody asked about"
    for move in difference.moved:
        yield f"inferred policy moved: {move.name}: {move.before or 'nothing'} -> {move.now or 'nothing'}"
    for one in difference.fewer:
        yield f"fewer {one.what} than before: {one.now:,} of {one.before:,}; nothing is said of the others"
    yield from _sort("new", difference.new, most, verbose=verbose)
    yield from _changed(difference, most)
    yield from _sort("fixed", difference.fixed, most, verbose=verbose)
    yield from _sort("no longer judged", difference.lost, most, verbose=verbose)
    yield (
        f"{len(difference.new)} new, {len(difference.changed)} changed, {len(difference.fixed)} fixed, "
        f"{len(difference.lost)} no longer judged, {len(difference.unchanged)} unchanged"
    )


def _sort(name: str, items: Sequence[Recorded], most: int, *, verbose: bool) -> Iterator[str]:
    """One line for what one line of a file makes of several; what follows from others is counted."""
    there = {item.fingerprint for item in items}
    told = [item for item in items if verbose or item.cause not in there]
    alike: dict[object, list[Recorded]] = {}
    for item in told:
        same = (item.severity, item.rule, item.accepted, item.verdict, item.message, item.path, item.line)
        alike.setdefault(item.fingerprint if verbose or not item.path else same, []).append(item)
    for item, *others in list(alike.values())[:most]:
        where = f"  {item.path}{f':{item.line}' if item.line else ''}" if item.path else ""
        accepted = " (accepted)" if item.accepted else ""
        said = f": {item.message}" if item.message else f" ({item.verdict})" if name == "no longer judged" else ""
        more = f" and {len(others)} more" if others else ""
        yield printable(f"{name:>16}  {item.severity}[{item.rule}] {item.shown}{more}{accepted}{said}{where}")
    if len(alike) > most:
        yield f"{name:>16}  and {len(alike) - most} more (-v)"
    if len(told) < len(items):
        yield f"{name:>16}  and {len(items) - len(told)} that follow from these (-v)"


def _changed(difference: Difference, most: int) -> Iterator[str]:
    for old, new in difference.changed[:most]:
        severity = new.severity if old.severity == new.severity else f"{old.severity} -> {new.severity}"
        yield printable(f"{'changed':>16}  {severity}[{new.rule}] {new.shown}: {old.value} -> {new.value}")
    if len(difference.changed) > most:
        yield f"{'changed':>16}  and {len(difference.changed) - most} more (-v)"


def plain(difference: Difference) -> dict[str, object]:
    """For programs; schema `roce-audit/diff/1`."""
    return {
        "schema": "roce-audit/diff/1",
        "new": [asdict(item) for item in difference.new],
        "fixed": [asdict(item) for item in difference.fixed],
        "changed": [{"before": asdict(old), "now": asdict(new)} for old, new in difference.changed],
        "lost": [asdict(item) for item in difference.lost],
        "unchanged": len(difference.unchanged),
        "inferred": [asdict(move) for move in difference.moved],
        "other_rules": difference.other_rules,
        "fewer": [asdict(one) for one in difference.fewer],
    }
