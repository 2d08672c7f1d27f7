"""Priorities that pause and are not watched: those of RoCE, and those in which the tunnels of a pair of switches carry on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text

PORTS = [f"Ethernet{8 * number}" for number in range(4)]
POLICY = "roce: {dscp: [3, 4], priority: [3, 4]}\n"


@pytest.mark.parametrize(("watched", "severity"), [("3,4", "info"), ("3,6", "warning"), ("2,3,4,6", "")])
def test_a_storm_outside_of_the_classes_is_told_more_quietly(tmp_path: Path, watched: str, severity: str) -> None:
    numbers = {str(number): str(number) for number in range(8)}
    maps = {"dscp_to_tc_map": "M", "tc_to_queue_map": "M", "tc_to_pg_map": "M", "pfc_to_queue_map": "M"}
    pfc = {"pfc_enable": "2,3,4,6", "pfcwd_sw_enable": watched}
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "tor1"}},
        "PORT": {port: {"lanes": "1", "speed": "100000", "mtu": "9100", "admin_status": "up"} for port in PORTS},
        "DSCP_TO_TC_MAP": {"M": numbers},
        "TC_TO_QUEUE_MAP": {"M": numbers},
        "TC_TO_PRIORITY_GROUP_MAP": {"M": numbers},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"M": numbers},
        "PORT_QOS_MAP": dict.fromkeys(PORTS, maps | pfc),
        "PFC_WD": {port: {"action": "drop", "detection_time": "400", "restoration_time": "400"} for port in PORTS},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(tables, indent=1))
    policy = load_text(POLICY, "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("pfc/watchdog-incomplete",))).report
    assert [found.severity for found in report.findings if found.verdict == "fails"] == [severity] * bool(severity)
