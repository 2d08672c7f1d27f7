"""A place that cannot be written to is the user's to put right: one line, exit code 2, never an internal error."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.cli.main import main

LEAF = Path(__file__).parents[2] / "fixtures/fabric/backend/leaf1.cfg"


@pytest.mark.parametrize(
    "words",
    [
        ["host-probe", "-o", "{}"],
        ["baseline", str(LEAF), "-o", "{}"],
        ["init", str(LEAF), "-o", "{}"],
        ["check", str(LEAF), "--shard", "1/1={}"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("place", ["nowhere/file", "folder"])
def test_it_is_said_in_one_line(
    words: list[str], place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert main([word.format(place) for word in words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "nowhere" in line or "folder" in line
    assert "internal" not in line
    assert "permitted" not in line
