"""Patches (`config apply-patch`) that lie beside a CONFIG_DB: the switch is judged as they leave it, one after the other."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

PORTS = [f"Ethernet{number}" for number in (0, 8, 16, 24)]
BASE = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf5", "type": "LeafRouter"}},
    "PORT": {port: {"lanes": str(number), "speed": "400000", "mtu": "9100"} for number, port in enumerate(PORTS)},
}
MAPS = {
    "DSCP_TO_TC_MAP": {"AZURE": {str(dscp): "3" if dscp == 26 else "0" for dscp in range(64)}},
    "TC_TO_QUEUE_MAP": {"AZURE": {str(tc): str(tc) for tc in range(8)}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {str(tc): "3" if tc == 3 else "0" for tc in range(8)}},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"AZURE": {str(tc): str(tc) for tc in range(8)}},
    "WRED_PROFILE": {
        "ECN": {
            "ecn": "ecn_green",
            "wred_green_enable": "true",
            "green_min_threshold": "1000000",
            "green_max_threshold": "2000000",
            "green_drop_probability": "10",
        }
    },
}
BINDINGS = {
    "QUEUE": {f"{port}|3": {"wred_profile": "ECN"} for port in PORTS},
    "PORT_QOS_MAP": {
        port: {
            "dscp_to_tc_map": "AZURE",
            "tc_to_queue_map": "AZURE",
            "tc_to_pg_map": "AZURE",
            "pfc_to_queue_map": "AZURE",
            "pfc_enable": "3",
            "pfcwd_sw_enable": "3",
        }
        for port in PORTS
    },
    "PFC_WD": {port: {"action": "drop", "detection_time": "200", "restoration_time": "400"} for port in PORTS},
}


def patch(tables: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"op": "add", "path": f"/{table}", "value": rows} for table, rows in tables.items()]


def told(folder: Path, within: str, *further: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    files = {"config_db.json": BASE, f"{within}01-maps.json": patch(MAPS), f"{within}02-ports.json": patch(BINDINGS)}
    files |= {f"{within}{number:02}-more.json": one for number, one in enumerate(further, 3)}
    for name, value in files.items():
        file = folder / "leaf5" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, indent=1), encoding="utf-8")
    report = check(Request((str(folder),), Policy.empty())).report
    assert report.coverage.devices == 1
    failing = [one for one in report.findings if one.verdict == "fails" and one.severity in ("error", "warning")]
    return [(one.severity, one.rule, Path(one.locations[0].path).name) for one in failing]


@pytest.mark.parametrize("within", ["", "patches/"])
def test_what_patches_leave_is_right(tmp_path: Path, within: str) -> None:
    assert told(tmp_path, within) == []


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        (
            {"op": "replace", "path": "/DSCP_TO_TC_MAP/AZURE/26", "value": "0"},
            ("error", "marking/nothing-enters-lossless", "01-maps.json"),
        ),
        (
            {"op": "replace", "path": "/WRED_PROFILE/ECN/green_min_threshold", "value": "3000000"},
            ("error", "ecn/min-above-max", "03-more.json"),
        ),
        ({"op": "remove", "path": "/PORT_QOS_MAP/Ethernet8"}, ("error", "pfc/priority-off", "config_db.json")),
        (
            {"op": "add", "path": "/PORT_QOS_MAP/Ethernet8", "value": {"dscp_to_tc_map": "AZURE"}},
            ("error", "pfc/priority-off", "03-more.json"),
        ),
    ],
)
def test_what_a_later_patch_breaks(tmp_path: Path, later: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert expected in told(tmp_path, "", [later])


def test_a_still_later_patch_mends_it(tmp_path: Path) -> None:
    off = {"op": "replace", "path": "/PORT_QOS_MAP/Ethernet8/pfc_enable", "value": "4"}
    assert told(tmp_path, "", [off], [{**off, "value": "3"}]) == []
