"""Suppressions: comments in the configuration and `ignore:` entries of the policy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from roce_audit.engine.findings import Suppressed
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.subjects import Subject
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.model import Observation
from roce_audit.patterns import lazy
from roce_audit.platforms.base import DeviceReading, Seen
from roce_audit.policy.values import Ignore, Policy
from roce_audit.text import globs
from roce_audit.text.comments import Comment
from roce_audit.values import Place, known

_FORM = lazy(
    r'^ignore\[([a-z0-9*/, -]{1,200})\](?: +reason="([^"]{0,500})")?(?: +until=(\d{4}-\d{2}-\d{2}))? *(?:\*/)?$'
)


_DATELESS = "has no date, so it is refused; say until when it holds (until{}YYYY-MM-DD)"


@dataclass(slots=True)
class _Inline:
    rules: tuple[str, ...]
    reason: str
    until: date
    comment: Comment
    used: bool = False


@dataclass(slots=True)
class Suppressions:
    """All suppressions of a run, and which of them were used."""

    policy: Policy
    today: date
    ids: Sequence[str] = ()
    """The rules that there are."""
    inline: list[_Inline] = field(default_factory=list)
    problems: list[Seen] = field(default_factory=list)
    _used: set[int] = field(default_factory=set)

    @staticmethod
    def of(policy: Policy, devices: Iterable[DeviceReading], today: date, ids: Sequence[str] = ()) -> Suppressions:
        """Read the comments of all devices; a comment without a reason or a date, or of unknown form, is refused."""
        found = Suppressions(policy, today, ids)
        for device in devices:
            for comment in device.inline_suppressions:
                found._read(comment)
        return found

    def _read(self, comment: Comment) -> None:
        form = _FORM.match(comment.text)
        if form is None:
            self._refuse(comment, 'is not understood; write ignore[rule] reason="..." until=YYYY-MM-DD')
            return
        if not (form.group(2) or "").strip():
            self._refuse(comment, "has no reason, so it is refused")
            return
        if not form.group(3):
            self._refuse(comment, _DATELESS.format("="))
            return
        try:
            until = date.fromisoformat(form.group(3))
        except ValueError:
            self._refuse(comment, f"has no such date: {form.group(3)}")
            return
        rules = tuple(piece.strip() for piece in form.group(1).split(","))
        self.inline.append(_Inline(rules, form.group(2), until, comment))

    def _refuse(self, comment: Comment, why: str) -> None:
        self.problems.append(_seen("suppression-invalid", comment.text, f"this suppression {why}", comment.place))

    def find(self, rule: Rule, subject: Subject, primary: Place) -> Suppressed | None:
        """The suppression that covers this failure, if any; refused and expired ones cover nothing.

        A comment covers what fails in its stanza, and what fails on the port whose stanza it is, wherever the line to
        change may stand (a class of a policy, a profile).
        """
        if rule.not_suppressible:
            return None
        for item in self.inline:
            if (
                any(_is_inside(place, item.comment) for place in (primary, subject.header))
                and any(globs.matches(pattern, rule.id) for pattern in item.rules)
                and self.today <= item.until
            ):
                item.used = True
                at = item.comment.place
                return Suppressed(item.reason, at.path, at.line, item.until.isoformat())
        for index, entry in self._in_force():
            if entry.until is not None and self._covers(entry, rule, subject):
                self._used.add(index)
                return Suppressed(entry.reason, entry.at.path, entry.at.line, entry.until.isoformat())
        return None

    def may_cover(self, rule: Rule) -> bool:
        """Whether an entry of the policy that is in force may speak of failures of this rule."""
        return not rule.not_suppressible and any(entry.may_cover(rule.id, rule.tags) for _, entry in self._in_force())

    def note(self, rule: Rule, subject: Subject) -> None:
        """Learn of a failure that is not told; an entry of the policy that covers it is used."""
        for index, entry in () if rule.not_suppressible else self._in_force():
            if self._covers(entry, rule, subject):
                self._used.add(index)
                return

    def _in_force(self) -> Iterator[tuple[int, Ignore]]:
        """The entries of the policy that hold today, with their numbers."""
        for index, entry in enumerate(self.policy.ignores):
            if entry.until is not None and self.today <= entry.until:
                yield index, entry

    def _covers(self, entry: Ignore, rule: Rule, subject: Subject) -> bool:
        names = [name for port in subject.ports for name in (port.reading.name, *port.reading.labels.aliases)]
        if subject.seen is not None:
            names = [*subject.seen.ports, subject.name]
        return entry.covers(
            rule=rule.id,
            device=subject.device.name if subject.device is not None else "",
            ports=names,
            fabric=subject.fabric,
            class_name=subject.cls.name if subject.cls is not None else "",
            tags=rule.tags,
        )

    def leftovers(self) -> Iterator[Seen]:
        """Refused, expired and unused suppressions: each is a finding."""
        yield from self.problems
        for item in self.inline:
            if self.today > item.until:
                text = f"this suppression ended on {item.until}"
                yield _seen("suppression-invalid", item.comment.text, text, item.comment.place)
            elif not item.used:
                text = f"this suppression matches no finding{self._no_such(item.rules)}"
                yield _seen("suppression-unused", item.comment.text, text, item.comment.place)
        for index, entry in enumerate(self.policy.ignores):
            if entry.until is None:
                text = f"this ignore entry {_DATELESS.format(': ')}"
                yield _seen("suppression-invalid", _called(entry), text, entry.at)
            elif self.today > entry.until:
                text = f"this ignore entry ended on {entry.until}"
                yield _seen("suppression-invalid", _called(entry), text, entry.at)
            elif index not in self._used:
                text = f"this ignore entry matches no finding{self._no_such([entry.rule] if entry.rule else [])}"
                yield _seen("suppression-unused", _called(entry), text, entry.at)

    def _no_such(self, patterns: Iterable[str]) -> str:
        """A word on a rule that there is not."""
        for pattern in patterns:
            if self.ids and not any(globs.matches(pattern, rule) for rule in self.ids):
                return f": no rule is called '{pattern}'{did_you_mean(pattern, self.ids)}"
        return ""


def _is_inside(place: Place, comment: Comment) -> bool:
    return comment.place.path == place.path and comment.first <= place.line <= comment.last


def _called(entry: Ignore) -> str:
    return f"ignore[{entry.rule or '*'}] {entry.reason}"


def _seen(kind: str, name: str, text: str, place: Place) -> Seen:
    observation = Observation(kind, name, text, known(False, place), known(name, place))  # type: ignore[arg-type]
    return Seen(observation, place, name)
