"""The picture of a report in the README is what the program prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from roce_audit.cli.main import main

ROOT = Path(__file__).parents[2]
PICTURE = re.compile(r"<!-- output: check fixtures/fabric-faulty -->\n```\n(.*?)```", re.S)
LEFT_OUT = "[...]"


def test_every_line_of_the_picture_is_printed_in_this_order(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    main(["check", "fixtures/fabric-faulty"])
    printed = iter(capsys.readouterr().out.splitlines())
    found = PICTURE.search((ROOT / "README.md").read_text())
    assert found is not None
    shown = [line for line in found.group(1).splitlines() if line.strip() and line != LEFT_OUT]
    assert len(shown) > 15
    for line in shown:
        assert any(one == line for one in printed), line


def test_it_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150
