"""A text that ends within a line is told; one that merely ends without a line end is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import roce_audit
from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy
from roce_audit.text.cutoff import cut_in_a_line
from roce_audit.text.document import Document

PLATFORMS = Path(roce_audit.__file__).parent / "platforms"
LINES = "interface Eth1/1\n mtu 9100\n priority-flow-control priority 3\n no shutdown\n!\n"
SETS = "set interface gigabit-ethernet xe-1/1/1 mtu 9216\nset interface gigabit-ethernet xe-1/1/2 mtu 9216\n" * 2


@pytest.mark.parametrize(
    "text",
    [
        LINES + "interface Eth1/2\n priority-flow-cont",
        LINES + "interface Eth1/2\n mt",
        LINES + "interf",
        SETS + "set interface gigabit-",
        SETS + "set interface gigabit-ethernet",
        SETS + "set interface gigabit-ethernet ",
        SETS + "set class-of-service interface xe-1/1/1 gigab",
    ],
)
def test_a_line_that_only_begins_is_cut(text: str) -> None:
    assert cut_in_a_line(Document("a.cfg", text)).endswith(": it is cut off")
    assert not cut_in_a_line(Document("a.cfg", text + "\n"))


@pytest.mark.parametrize(
    "text",
    [
        LINES + "interface Eth1/2\n no shutdown",
        LINES + "interface Eth1/2\n mtu 9100",
        LINES + "interface Eth1/11\ninterface Eth1/1",
        LINES + "exit-address-family\nexit",
        LINES + " description spare\n description sp",
        SETS + "set vlans vlan-id 10",
        LINES,
        "",
        "end",
    ],
)
def test_a_text_may_end_without_a_line_end(text: str) -> None:
    assert not cut_in_a_line(Document("a.cfg", text))


@pytest.mark.parametrize(
    ("platform", "file", "last"),
    [
        ("esonic", "leaf1.cfg", "  remote-as 65002"),
        ("esonic", "leaf1.cfg", " no shutdown"),
        ("esonic", "leaf1.cfg", " priority-flow-con"),
        ("picos", "leaf1.set", "set class-of-service interface xe-1/1/31 sched"),
        ("picos", "leaf1.set", "set class-of-ser"),
    ],
)
def test_what_is_cut_off_is_told_and_nothing_is_absent_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, file: str, last: str
) -> None:
    text = (PLATFORMS / platform / "examples" / "base" / file).read_text()
    monkeypatch.chdir(tmp_path)
    Path(file).write_text(text)
    whole = check(Request((".",), Policy.empty())).report
    assert "input/truncated" not in {finding.rule for finding in whole.findings}
    cut = text[: text.rindex(last) + len(last)]
    Path(file).write_text(cut)
    report = check(Request((".",), Policy.empty())).report
    (told,) = [finding for finding in report.findings if finding.rule == "input/truncated"]
    assert told.members[0].line == cut.count("\n") + 1
    assert report.coverage.incomplete == (file,)
    assert not report.coverage.assumed_whole
