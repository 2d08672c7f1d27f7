"""Counters of one snapshot: losses in what is lossless are told, at a time that nobody knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text
from roce_audit.proof import examples

GROUPS = """Ingress PG dropped packets:
     Port    PG0    PG1    PG2    PG3
---------  -----  -----  -----  -----
Ethernet0  {lossy:>5}      0      0  {lossless:>5}
"""
QUEUES = """Ethernet0:
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet0    UC3             100            10000  {lossless:>11}             0
Ethernet0    UC1             100            10000  {lossy:>11}             0
"""
WATCHDOG = """      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP
-----------  -----------  -------------------------  ------------  ------------
Ethernet0:3  operational  {lossless:>23}/0         100/0         100/0
"""


def told(folder: Path, tables: dict[str, str], since: dict[str, str] | None = None) -> list[str]:
    """The messages of the rule about a switch with these answers."""
    for root, answers in (("now", tables), ("before", since or {})):
        for name, text in {
            **examples.base("sonic"),
            **{f"leaf1/{name}.txt": text for name, text in answers.items()},
        }.items():
            path = folder / root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    paths = (str(folder / "now"),)
    earlier = None if since is None else str(folder / "before")
    report = check(Request(paths, policy, since=earlier, select=("buffer/dropped-before",))).report
    return [f.message for f in report.findings if f.verdict == "fails" and f.severity == "info"]


@pytest.mark.parametrize(
    ("name", "table"),
    [("show_priority-group_drop_counters", GROUPS), ("show_queue_counters", QUEUES), ("show_pfcwd_stats", WATCHDOG)],
)
def test_what_is_lossless_lost_something(tmp_path: Path, name: str, table: str) -> None:
    (message,) = told(tmp_path, {name: table.format(lossy=0, lossless="1,211")})
    assert "Ethernet0 1,211" in message


def test_losses_of_what_is_lossy_are_none(tmp_path: Path) -> None:
    tables = {"show_priority-group_drop_counters": GROUPS, "show_queue_counters": QUEUES}
    assert not told(tmp_path, {name: table.format(lossy=99, lossless=0) for name, table in tables.items()})


def test_an_earlier_snapshot_decides(tmp_path: Path) -> None:
    table = {"show_priority-group_drop_counters": GROUPS.format(lossy=0, lossless=7)}
    assert not told(tmp_path, table, table)


@pytest.mark.parametrize(("lost", "severity"), [("1,211", "info"), ("99,000,000", "warning")])
def test_losses_by_the_second_ever_since_the_switch_runs(tmp_path: Path, lost: str, severity: str) -> None:
    tables = {
        "show_queue_counters": QUEUES.format(lossy=0, lossless=lost),
        "show_uptime": "up 41 days, 3 hours\n",
    }
    for name, text in {
        **examples.base("sonic"),
        **{f"leaf1/{name}.txt": text for name, text in tables.items()},
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("buffer/dropped-before",))).report
    assert [f.severity for f in report.findings if f.verdict == "fails"] == [severity]
