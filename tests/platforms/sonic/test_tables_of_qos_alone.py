"""A file of QoS tables alone, as `sonic-cfggen` renders `qos.json`: names in it, and priorities of tunnels between two ToRs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.policy import Policy
from roce_audit.text.document import DeviceInput, Document

UPLINKS = tuple(f"Ethernet{n}" for n in (24, 28))
PORTS = (*(f"Ethernet{n}" for n in range(0, 24, 4)), *UPLINKS)


def tables() -> dict[str, dict[str, Any]]:
    numbers = {str(n): str(n) for n in range(8)}
    return {
        "DSCP_TO_TC_MAP": {"AZURE": {str(n): str(n) if n in (2, 3, 4, 6) else "1" for n in range(64)}},
        "TC_TO_QUEUE_MAP": {"AZURE": numbers},
        "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": numbers},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": numbers},
        "WRED_PROFILE": {
            "LOSSLESS": {
                "wred_green_enable": "true",
                "ecn": "ecn_all",
                "green_min_threshold": "250000",
                "green_max_threshold": "2097152",
                "green_drop_probability": "5",
            }
        },
        "PORT_QOS_MAP": {
            port: {
                "dscp_to_tc_map": "AZURE",
                "tc_to_queue_map": "AZURE",
                "tc_to_pg_map": "AZURE",
                "pfc_to_queue_map": "AZURE",
                "pfc_enable": "2,3,4,6" if port in UPLINKS else "3,4",
            }
            for port in PORTS
        },
        "QUEUE": {
            f"{port}|{n}": {"wred_profile": "LOSSLESS"}
            for port in PORTS
            for n in ((2, 3, 4, 6) if port in UPLINKS else (3, 4))
        },
    }


def read(written: dict[str, Any]) -> list[tuple[str, str]]:
    text = json.dumps(written, indent=1)
    reading = platform("sonic").read(DeviceInput("leaf", "sonic", (Document("qos.json", text),)))
    told = (seen.observation for seen in reading.seen if seen.observation.kind != "undefined-apart")
    return [(one.kind, one.text) for one in told]


def test_a_slip_in_a_name_is_told_and_a_name_of_another_file_is_not() -> None:
    written = tables()
    assert read(written) == []
    written["WRED_PROFILE"]["LOSSLES"] = written["WRED_PROFILE"].pop("LOSSLESS")
    ((kind, text),) = read(written)
    assert kind == "undefined"
    assert "LOSSLES is defined and never applied" in text
    del written["WRED_PROFILE"]
    assert read(written) == []


@pytest.mark.parametrize(("marked", "severity"), [(True, "info"), (False, "warning")])
def test_two_more_lossless_priorities_for_tunnels_are_a_design(marked: bool, severity: str, tmp_path: Path) -> None:
    written = tables()
    if not marked:
        for port in UPLINKS:
            for number in (2, 6):
                del written["QUEUE"][f"{port}|{number}"]
    (tmp_path / "qos.json").write_text(json.dumps(written, indent=1))
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    told = {finding.rule: finding.severity for finding in report.findings if finding.verdict == "fails"}
    assert told["pfc/extra-priority"] == severity


def test_a_field_of_channels_that_sets_nothing_of_ours() -> None:
    written = {"PORTCHANNEL": {"PortChannel1": {"admin_status": "up", "mtu": "9100", "mix_speed": "false"}}}
    assert read(written | tables()) == []
