"""The lines that findings quote: each file is opened once for all of them, however many files and rules there are."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import synthetic

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.sources import lines

FILES = 80
"""More than are kept open."""


def test_each_file_is_opened_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for n in range(FILES):
        text = synthetic.leaf(f"leaf{n}", 6, filler=0, odd_port=5)
        (tmp_path / f"leaf{n}.cfg").write_text(text.replace("   mtu 9214\n", "   mtu 1500\n", 1))
    opened: Counter[str] = Counter()
    whole = lines.read_plain
    monkeypatch.setattr(lines, "read_plain", lambda path, limit: opened.update([path]) or whole(path, limit))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    quoted = {at.path for finding in report.findings for at in finding.locations}
    rules = {finding.rule for finding in report.findings if len(finding.members) >= FILES}
    assert len(quoted) >= FILES
    assert len(rules) > 1
    assert set(opened.values()) == {1}
    assert all(at.text for finding in report.findings for at in finding.locations if at.line)
