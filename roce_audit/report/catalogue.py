"""The catalogue of rules: as text for people, as plain data for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roce_audit.engine.findings import Severity
from roce_audit.engine.rules.rule import Rule
from roce_audit.records import dataclass
from roce_audit.report.words import clean, count, prose


@dataclass(frozen=True, slots=True)
class Entry:
    """A rule as the catalogue shows it: with the policy's severity and what is known of it beyond its file."""

    rule: Rule
    severity: Severity
    platforms: tuple[str, ...]
    """Platforms with examples."""
    needs: tuple[str, ...]
    """Inputs beyond the configuration that show what it reads, by platform: `eos: show interfaces status`."""
    profiles: tuple[str, ...]
    """base, where every rule stands with the numbers of its own file, and the profiles that have others for this one."""


def as_json(entries: Sequence[Entry]) -> Mapping[str, object]:
    """The catalogue for programs."""
    return {"rules": [_plain(entry) for entry in entries]}


def _plain(entry: Entry) -> Mapping[str, object]:
    rule = entry.rule
    return {
        "id": rule.id,
        "topic": rule.topic,
        "title": rule.title,
        "severity": entry.severity,
        "scope": rule.scope,
        "asks": rule.asks,
        "confidence": rule.confidence,
        "source": "; ".join(source.text for source in rule.source),
        "owner": rule.owner,
        "tags": list(rule.tags),
        "platforms": list(entry.platforms),
        "profiles": list(entry.profiles),
        "needs": list(entry.needs),
        "fixable": rule.fix is not None and rule.fix.path is not None,
    }


def as_text(entries: Sequence[Entry]) -> Iterator[str]:
    """A line a rule, topic by topic, and how many there are."""
    width = max((len(entry.rule.id) for entry in entries), default=0)
    for entry in entries:
        rule = entry.rule
        yield clean(f"{rule.id:<{width}}  {entry.severity:<7}  {rule.scope:<6}  {prose(rule.title)}")
    yield count(len(entries), "rule")
