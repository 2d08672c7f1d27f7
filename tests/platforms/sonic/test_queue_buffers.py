"""A queue that PFC pauses has a row in BUFFER_QUEUE where other queues of its port have one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy
from roce_audit.text.sentences import listed


@pytest.mark.parametrize(
    ("rows", "pauses", "queue_of", "loud"),
    [
        (["Ethernet0|0-2", "Ethernet0|3", "Ethernet4|0-7"], "3", {}, []),
        (["Ethernet0,Ethernet4|0-4"], "3,4", {}, []),
        (["Ethernet0|0-2", "Ethernet0|4", "Ethernet4|0-4"], "3", {}, ["Ethernet0"]),
        (["Ethernet0|0-2", "Ethernet4|0-2"], "3", {}, ["Ethernet0", "Ethernet4"]),
        (["Ethernet0,Ethernet4|0-3"], "3,4", {}, ["Ethernet0", "Ethernet4"]),
        (["Ethernet0,Ethernet4|0-3"], "4", {"4": "3"}, []),
        (["Ethernet0,Ethernet4|0-3"], "3", {"3": "5"}, ["Ethernet0", "Ethernet4"]),
        (["Ethernet0,Ethernet4|low", "Ethernet0,Ethernet4|0"], "3", {}, []),  # what it is for was not understood
        (["Ethernet0,Ethernet4|\u00b2", "Ethernet0,Ethernet4|0"], "3", {}, []),  # a digit that is no number
        ([], "3", {}, []),  # nothing is configured by row
    ],
)
def test_each_queue_that_is_paused_has_a_row(
    tmp_path: Path, rows: list[str], pauses: str, queue_of: dict[str, str], loud: list[str]
) -> None:
    ports = ["Ethernet0", "Ethernet4"]
    maps = {"pfc_enable": pauses, **({"pfc_to_queue_map": "M"} if queue_of else {})}
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {port: {"speed": "100000", "admin_status": "up", "mtu": "9100"} for port in ports},
        "PORT_QOS_MAP": dict.fromkeys(ports, maps),
        "MAP_PFC_PRIORITY_TO_QUEUE": {"M": queue_of} if queue_of else {},
        "BUFFER_POOL": {"egress_pool": {"type": "egress", "mode": "dynamic", "size": "12000000"}},
        "BUFFER_PROFILE": {"out": {"pool": "egress_pool", "size": "0", "dynamic_th": "7"}},
        "BUFFER_QUEUE": {row: {"profile": "out"} for row in rows},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(database, indent=2))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [f for f in report.findings if "BUFFER_QUEUE has rows" in f.message]
    assert [f.rule for f in told] == ["input/conflict"] * bool(loud)
    assert all(f"other queues of {listed(loud, 3)} and none" in f.message for f in told)
    assert all(f.severity == "warning" for f in told)
