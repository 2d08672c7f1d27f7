"""A rule explained: what it asks and why, who says so, how to fix it, and what bad and good look like per platform."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Iterator, Sequence

from roce_audit.engine.rules.rule import Rule
from roce_audit.proof.edits import Tree
from roce_audit.proof.examples import case_tree, good_tree, of_rule
from roce_audit.proof.exampletext import Example, ExampleSet
from roce_audit.report.catalogue import Entry
from roce_audit.report.words import prose
from roce_audit.text.structured.indented import around, depth

_LABEL = 11
_MOST_LINES = 40
_ASKS = {
    "present": "whether what is written contradicts itself; asked of every port",
    "absent": "whether something is missing; asked only of ports that carry RoCE",
    "forbidden": "whether something is there that should not be; asked only of ports that certainly carry no RoCE",
}


def rule_lines(entry: Entry, width: int) -> Iterator[str]:
    """Everything the rule's file says, in reading order."""
    rule = entry.rule
    yield f"{rule.id}: {prose(rule.title)}"
    rows = [
        ("severity", entry.severity + ("" if entry.severity == rule.severity else f" (here; else {rule.severity})")),
        ("scope", rule.scope),
        ("asks", _ASKS.get(rule.asks or "", "")),
        ("why", rule.why),
        ("when", rule.when or ""),
        *((f"let {name}", text) for name, text in rule.let.items()),
        ("require", rule.require),
        *(("source", source.text) for source in rule.source),
        ("confidence", rule.confidence),
        ("owner", rule.owner),
        ("tags", ", ".join(rule.tags)),
        ("after", ", ".join(rule.after)),
        *(("param", f"{name} = {p.value}: {p.doc}") for name, p in rule.params.items()),
        ("fix", fix_text(rule)),
        ("needs", "; ".join(entry.needs)),
    ]
    for label, text in rows:
        if text:
            yield from _wrapped(label, prose(text), width)
    for found in of_rule(rule):
        yield ""
        yield from example_lines(found)


def fix_text(rule: Rule) -> str:
    """What the rule says of its fix, in words; empty where it says nothing."""
    if rule.fix is None:
        return ""
    form = "swap {} and {}" if rule.fix.swaps else "set {} to {}"
    change = form.format(rule.fix.path, rule.fix.value) if rule.fix.path else ""
    return "; ".join(part for part in (change, rule.fix.note) if part)


def _wrapped(label: str, text: str, width: int) -> Iterator[str]:
    head = f"{label:<{_LABEL}} "
    yield from textwrap.wrap(
        text,
        max(width, 40),
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def example_lines(found: ExampleSet) -> Iterator[str]:
    """The bad examples of one platform, each beside the good configuration."""
    good = good_tree(found)
    for case in found.bad:
        yield f"{found.platform}: {prose(case.title)}"
        lines = list(_difference(good, case_tree(found, case).tree, case))
        yield from lines[:_MOST_LINES]
        if len(lines) > _MOST_LINES:
            yield f"         ... {len(lines) - _MOST_LINES} more lines"


def _difference(good: Tree, bad: Tree, case: Example) -> Iterator[str]:
    for name in dict.fromkeys((*good, *bad)):
        old, new = good.get(name), bad.get(name)
        if old == new or (new is None and case.files):
            continue
        yield f"  {name}"
        yield from _changes((old or "").splitlines(), (new or "").splitlines())


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Changed lines under the headers of the blocks they stand in."""
    shown: set[int] = set()
    for tag, a, a_end, b, b_end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        changed = [line for line in (*old[a:a_end], *new[b:b_end]) if line.strip()]
        for at in around(old, a, min((depth(line) for line in changed), default=0)):
            if at not in shown:
                shown.add(at)
                yield f"       | {old[at]}"
        yield from (f"  good | {line}" for line in old[a:a_end])
        yield from (f"  bad  | {line}" for line in new[b:b_end])
