"""A rule explained in Markdown, for the window that an editor opens over a finding."""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.engine.rules.rule import Rule
from roce_audit.patterns import lazy
from roce_audit.proof.examples import of_rule
from roce_audit.report.words import clean, prose
from roce_audit.views.ruletext import example_lines

_MOST_LINES = 30
"""Lines of examples."""
_VALUE = lazy(r"\{[^{}]{1,900}\}")
"""A value of the finding in a rule's words: the finding itself tells it."""


def explanation(rule: Rule, platform: str) -> str:
    """Why the rule exists, who says so, how to fix it, and what bad and good look like on this platform."""
    return "\n\n".join(_paragraphs(rule, platform))


def _paragraphs(rule: Rule, platform: str) -> Iterator[str]:
    yield f"**{rule.id}**: {_plain(rule.title)}"
    yield _plain(rule.why)
    if rule.fix is not None and rule.fix.note:
        yield f"Fix: {_plain(_VALUE.sub('…', rule.fix.note))}"
    yield f"Source: {_plain('; '.join(source.text for source in rule.source))}"
    lines = [clean(line) for found in of_rule(rule) if found.platform == platform for line in example_lines(found)]
    if lines:
        shown = [*lines[:_MOST_LINES], *(["..."] if len(lines) > _MOST_LINES else [])]
        yield "\n".join(["```text", *(line.replace("```", "'''") for line in shown), "```"])


def _plain(text: str) -> str:
    """Words that are no markup, whatever they hold."""
    return "".join(f"\\{letter}" if letter in "\\`*_[]<>#|" else letter for letter in prose(text))
