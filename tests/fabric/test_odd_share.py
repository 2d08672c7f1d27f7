"""Of similar ports that share the bandwidth, one without a line for the share of its lossless queue is odd."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

PORT = """interface HundredGigE1/0/{}
 port link-mode route
 description gpu
 priority-flow-control enable
 priority-flow-control no-drop dot1p 5
 qos trust dscp
 qos wfq byte-count
{} qos wfq cs6 group sp
#
"""
SHARE = " qos wfq ef group 1 byte-count 60\n"


@pytest.mark.parametrize("odd", [0, 3])
def test_a_queue_without_its_share_is_odd(tmp_path: Path, odd: int) -> None:
    ports = "".join(PORT.format(n, "" if n == odd else SHARE) for n in range(1, 7))
    (tmp_path / "leaf1.cfg").write_text(f"#\n version 7.1.070, Release 6710\n#\n sysname leaf1\n#\n{ports}return\n")
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [f for f in report.findings if f.rule == "fleet/odd-port-out"]
    assert [f.subject for f in told] == (["HundredGigE1/0/3"] if odd else [])
    assert all("share of queue 5" in f.message for f in told)
