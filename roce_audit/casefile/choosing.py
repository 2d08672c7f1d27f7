"""Which finding is meant, and which devices show it: the fewest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.audit import Checked
from roce_audit.engine.findings import Finding, Member
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.report.prepare import prepare
from roce_audit.text.block import files_of
from roce_audit.text.globs import matches

_FEWEST_DIGITS = 4
_DEVICES = 2


class NoFinding(ValueError):
    """No finding goes by this name."""


def find(checked: Checked, wanted: str) -> tuple[list[Finding], str]:
    """(findings that are meant, the worst first; the device that was named or ""). Raises NoFinding."""
    findings = [f for f in prepare(checked.report).findings if f.verdict == "fails"]
    if len(wanted) >= _FEWEST_DIGITS:
        marked = [f for f in findings if any(mark.startswith(wanted) for mark in _marks(f))]
        if marked:
            return marked, ""
    rule, _, device = wanted.partition(":")
    rules = {known.id: known for known in checked.rules}
    named = [f for f in findings if rule in (f.rule, f.rule.partition("/")[2])]
    if not named:
        ids = [*rules, *(id.partition("/")[2] for id in rules)]
        if rule in ids:
            raise NoFinding(f"{rule} fails nowhere in these files")
        raise NoFinding(f"no finding has the fingerprint or rule '{rule}'{did_you_mean(rule, ids)}")
    if not device:
        return named, ""
    found = [f for f in named if any(matches(device, member.device) for member in f.members)]
    if not found:
        there = sorted({member.device for f in named for member in f.members})
        raise NoFinding(f"{rule} does not fail on '{device}'; it fails on {', '.join(there[:5])}")
    return found, device


def _marks(finding: Finding) -> Iterator[str]:
    yield finding.fingerprint
    yield from (member.fingerprint for member in finding.members)


def members(finding: Finding, device: str) -> tuple[Member, ...]:
    """The members that the case is about: those of the named device, else those of the first devices."""
    if device:
        return tuple(member for member in finding.members if matches(device, member.device))
    first = list(dict.fromkeys(member.device for member in finding.members))[:_DEVICES]
    return tuple(member for member in finding.members if member.device in first)


def circles(checked: Checked, finding: Finding, about: Sequence[Member]) -> Iterator[frozenset[str]]:
    """Devices to take along, each circle wider than the last: those involved, their neighbours, the fabric, everything."""
    everything = frozenset(device.name for device in checked.devices)
    fabrics = {device.name: fabric for fabric in checked.site.fabrics for device in fabric.devices}
    circle = frozenset(member.device for member in about) & everything
    circle = circle or _quoted(checked, finding, circle) or everything
    seen: set[frozenset[str]] = set()
    beside = {
        end.device.name
        for link in checked.site.links
        for end, far in ((link.a, link.b), (link.b, link.a))
        if far.device.name in circle
    }
    whole = {device.name for name in circle for device in fabrics[name].devices}
    for wider in (circle, circle | _quoted(checked, finding, circle), circle | beside, circle | whole, everything):
        if frozenset(wider) not in seen:
            seen.add(frozenset(wider))
            yield frozenset(wider)


def _quoted(checked: Checked, finding: Finding, circle: frozenset[str]) -> frozenset[str]:
    """Devices whose files the finding quotes: the far end of a link, a similar port."""
    paths = {
        device.name: frozenset[str]().union(*(files_of(port.parts) for port in device.ports))
        for device in checked.devices
    }
    quoted = {at.path for at in finding.locations} - set().union(*(paths[name] for name in circle))
    return frozenset(name for name, its in paths.items() if its & quoted)
