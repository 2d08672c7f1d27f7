"""The README and the guide for contributors: what they show is what the program is and prints."""

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


def test_every_room_of_the_package_is_told_to_who_works_on_it() -> None:
    table = (ROOT / "CONTRIBUTING.md").read_text().partition("## How the parts fit")[2].partition("\n## ")[0]
    parts = [
        path for path in (ROOT / "roce_audit").iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()
    ]
    names = {f"{path.name}{'' if path.suffix else '/'}" for path in parts if not path.name.startswith("__")}
    assert {name for name in names if f"`{name}" not in table} == set()
