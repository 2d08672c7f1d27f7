"""Words that were replaced stay out: of the code, of the rules, and of what readers are told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOT_YET = ("docs/reference/", "docs/platforms/generated/")
"""Pages made from rules and tables, whose words are checked there."""

CODE = (
    r"\b(?:Seats?|seats?|OwnWords|settle_twins|twin_key|Crowds?|crowds?|witness(?:es)?|Owntest|owntest|Granted|granted)\b",
    r"\b(?:Passages?|passages?|Ladder|ladder|\w*contested\w*|\w*camps?|hostless|defaultdown|Teller|teller|telling|manyhosts)\b",
    r"\b(?:typedconfig|echoed\.py|World|Judgements?|judgements|SEAT_SCOPES|off-lane|off_lane)\b",
)
PROSE: Mapping[str, str] = {
    r"\btwins?\b": "similar ports",
    r"\bown words\b": "its own configuration",
    r"\btaken for granted\b": "assumed",
    r"\b(?:cry|cries|cried) wolf\b": "false alarm",
    r"\bhead of the block\b": "the interface line",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\blanes?\b": "path",
    r"\bbrakes?\b": "protection",
    r"\bset-ups?\b": "setup",
    r"\bsettles \d|\bwould settle\b": "would decide",
    r"\bjudgements?\b": "checks",
    r"\bfreeze:": "pin:",
    r"\bits likes\b": "its peers",
}
ALLOWED: tuple[tuple[str, str, str], ...] = (
    ("rules/link/pcie-slower-than-port.yaml", "lane", "a lane of PCIe is the field's own word"),
    ("roce_audit/platforms/", "lane", "the lanes of a port, and of PCIe"),
    ("roce_audit/cli/calc", "lanes", "the lanes of a port"),
    ("roce_audit/formulas/sonicheadroom.py", "lanes", "the lanes of a port"),
    ("roce_audit/fabric/cables/breakouts.py", "lane", "the lanes of a port"),
    ("roce_audit/text/names.py", "lane", "the lanes of a port"),
)


def texts() -> Iterator[tuple[str, str]]:
    """Path and text of code, rules, and pages."""
    for top in ("roce_audit", "rules", "docs"):
        for path in sorted((ROOT / top).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix in {".py", ".yaml", ".md", ".js", ".html", ".json"} and not name.startswith(NOT_YET):
                yield name, path.read_text(encoding="utf-8")
    for name in ("README.md", "CONTRIBUTING.md"):
        yield name, (ROOT / name).read_text(encoding="utf-8")


def uses(pattern: str) -> list[str]:
    """`file:line: word` of every use that is not allowed."""
    wanted = re.compile(pattern, re.I if pattern in PROSE else 0)
    return [
        f"{name}:{number}: {found[0]}"
        for name, text in texts()
        for number, line in enumerate(text.split("\n"), 1)
        for found in wanted.finditer(line)
        if not any(name.startswith(path) and found[0].lower().startswith(word.lower()) for path, word, _ in ALLOWED)
    ]


@pytest.mark.parametrize("pattern", CODE)
def test_replaced_names_stay_out(pattern: str) -> None:
    assert not uses(pattern)


@pytest.mark.parametrize("pattern", PROSE, ids=PROSE.values())
def test_replaced_words_stay_out(pattern: str) -> None:
    assert not uses(pattern), f"say: {PROSE[pattern]}"


@pytest.mark.parametrize(("path", "word", "why"), ALLOWED)
def test_every_exception_is_needed(path: str, word: str, why: str) -> None:
    assert why
    assert any(re.search(word, text, re.I) for name, text in texts() if name.startswith(path)), "delete this exception"
