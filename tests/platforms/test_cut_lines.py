"""A capture of a system without an end mark that ends inside a line of a stanza is told as cut off."""

from __future__ import annotations

from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

PLATFORMS = Path(roce_audit.__file__).parent / "platforms"
FIXTURES = Path(__file__).parents[2] / "fixtures"
CAPTURES = {"nxos": FIXTURES / "nxos/plain", "os10": FIXTURES / "os10/answers"}


def told(text: str) -> list[str]:
    Path("leaf1.cfg").write_text(text)
    found = check(Request(("leaf1.cfg",), Policy.empty())).report.findings
    return [finding.rule for finding in found if finding.rule == "input/truncated"]


@pytest.mark.parametrize("name", CAPTURES)
def test_a_line_that_is_cut_is_told(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (source,) = [path for path in CAPTURES[name].iterdir() if "running" in path.name or path.suffix == ".cfg"]
    text = source.read_text().rstrip("\n") + "\n"
    at = text.lower().index("\ninterface ethernet", text.lower().index("\ninterface ethernet") + 1)
    line_end = text.index("\n", text.index("\n ", at) + 1)
    assert told(text) == []
    assert told(text[: line_end + 1]) == []
    assert told(text[: line_end - 3]) == ["input/truncated"]
    assert told(text[text.index("\n") + 1 : line_end - 3].replace("!Command: show running-config", "")) == []
