"""Configurations that a page sets in or quotes are those that they are without: whole ones too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

EOS = (
    "! Command: show running-config\nhostname leaf1\n!\nqos map dscp 26 to traffic-class 3\n!\n"
    + "".join(
        f"interface Ethernet{n}\n   description gpu{n}\n   no switchport\n   mtu 9214\n"
        + ("   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n" if n != 4 else "")
        + "!\n"
        for n in range(1, 7)
    )
    + "end\n"
)
XR = (
    "!! IOS XR Configuration 24.4.2\nhostname leaf1\nhw-module profile priority-flow-control location 0/RP0/CPU0\n"
    " buffer-internal traffic-class 3 pause-threshold 1574400 bytes headroom 1651200 bytes\n!\n"
    + "".join(
        f"interface HundredGigE0/0/0/{n}\n description gpu{n}\n mtu 9216\n"
        + (" priority-flow-control mode on\n" if n != 4 else "")
        + "!\n"
        for n in range(1, 7)
    )
    + "end\n"
)


def _set_in(text: str) -> str:
    return "".join(f"    {line}\n" for line in text.splitlines())


def _quoted(text: str) -> str:
    return f"# leaf1\n\nWhat runs:\n\n```\n{text}```\n"


@pytest.mark.parametrize("text", [EOS, XR])
@pytest.mark.parametrize("shown", [_set_in, _quoted])
def test_what_is_missing_is_missing_there_as_well(tmp_path: Path, text: str, shown: Callable[[str], str]) -> None:
    (tmp_path / "leaf1.cfg").write_text(shown(text))
    rules = ("pfc/priority-off", "input/truncated", "input/unread-line")
    report = check(Request((str(tmp_path),), Policy.empty(), select=rules, context=())).report
    assert [(one.rule, one.subject[-1]) for one in report.findings] == [("pfc/priority-off", "4")]


def test_an_answer_that_begins_with_blanks_keeps_them(tmp_path: Path) -> None:
    """Its columns stand where the device puts them."""
    answer = Path(__file__).parents[2] / "fixtures/aoscx/answers/leaf1/show_qos_pool_config.txt"
    text = answer.read_text()
    assert all(line.startswith("  ") for line in text.splitlines() if line)
    (tmp_path / "leaf1").mkdir()
    (tmp_path / "leaf1" / answer.name).write_text(text)
    report = check(Request((str(tmp_path),), Policy.empty(), context=())).report
    assert report.coverage.devices == 1
