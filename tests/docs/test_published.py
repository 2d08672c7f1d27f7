"""No page promises what is not published: until there is a release, roce-audit comes from a checkout."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / ".pre-commit-hooks.yaml",
    *sorted((ROOT / ".gitlab").rglob("*.yml")),
    *sorted((ROOT / ".github" / "action").rglob("*.yml")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
BY_NAME = re.compile(r"""install\b[^\n]*[\s"']roce-audit(?:\[[a-z,]*\])?["'`).,]*(?=\s|$)(?! @ git\+)""")
RELEASE = re.compile(r"rev: v\d|roce-audit\S*@v\d")
MESSAGE = "roce-audit: collect needs more than is installed"
"""Printed by an installed roce-audit: the command adds to what is there."""


def claims(line: str) -> bool:
    return bool(BY_NAME.search(line) or RELEASE.search(line)) and not line.startswith(MESSAGE)


@pytest.mark.parametrize(
    "line",
    [
        "- run: pip install roce-audit",
        "pip install --quiet 'roce-audit[postgres]'",
        "on the machine (`pip install roce-audit`).",
        "        uses: your-org/roce-audit/.github/action@v0.1.0",
        "    rev: v0.1.0",
    ],
)
def test_a_claim_is_seen(line: str) -> None:
    assert claims(line)


def test_nothing_is_installed_by_name_or_by_a_release() -> None:
    assert [
        f"{page.relative_to(ROOT)}: {line.strip()}"
        for page in PAGES
        for line in page.read_text(encoding="utf-8").splitlines()
        if claims(line)
    ] == []
