"""Tunnels of a pair of switches keep lossless what is lossless, and a watchdog whose counters are not polled is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

_TUNNEL = {f"encap_tc_to_{what}_map": "T" for what in ("dscp", "queue")} | {
    "decap_dscp_to_tc_map": "T",
    "decap_tc_to_pg_map": "T",
    "dscp_mode": "pipe",
    "tunnel_type": "IPINIP",
}


def _switch() -> dict[str, Any]:
    """Two ports: hosts with priority 3, and the way up, where what is tunnelled has priority 2."""
    same = {str(number): str(number) for number in range(8)}
    return {
        "DEVICE_METADATA": {"localhost": {"hostname": "tor1", "subtype": "DualToR"}},
        "PORT": {f"Ethernet{n}": {"speed": "100000", "mtu": "9100", "admin_status": "up"} for n in (0, 4)},
        "DSCP_TO_TC_MAP": {"P": {"3": "3"}, "UP": {"2": "2", "3": "3"}, "T": {"0": "0", "2": "0", "3": "3"}},
        "TC_TO_PRIORITY_GROUP_MAP": {"P": same, "T": {"0": "0", "3": "2"}},
        "TC_TO_QUEUE_MAP": {"P": same, "T": {"0": "0", "3": "2"}},
        "TC_TO_DSCP_MAP": {"T": {"0": "0", "3": "2"}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"P": same},
        "TUNNEL": {"MuxTunnel0": dict(_TUNNEL)},
        "PORT_QOS_MAP": {
            port: {
                "dscp_to_tc_map": marks,
                "tc_to_queue_map": "P",
                "tc_to_pg_map": "P",
                "pfc_to_queue_map": "P",
                "pfc_enable": on,
            }
            for port, marks, on in (("Ethernet0", "P", "3"), ("Ethernet4", "UP", "2,3"))
        },
    }


def _told(folder: Path, switch: dict[str, Any], word: str) -> list[tuple[str, str]]:
    (folder / "config_db.json").write_text(json.dumps(switch, indent=2))
    report = check(Request((str(folder),), Policy.empty())).report
    return [(str(f.severity), f.message) for f in report.findings if f.rule == "input/conflict" and word in f.message]


@pytest.mark.parametrize(
    ("table", "key", "value", "clause"),
    [
        ("TC_TO_QUEUE_MAP", "3", "0", "leaves in queue 0"),
        ("TC_TO_DSCP_MAP", "3", "0", "gets the outer DSCP 0"),
        ("DSCP_TO_TC_MAP", "3", "0", "comes out in traffic class 0"),
        ("TC_TO_PRIORITY_GROUP_MAP", "3", "0", "comes out in buffer group 0"),
        ("TC_TO_QUEUE_MAP", "0", "5", ""),
    ],
)
def test_a_lossless_class_in_a_tunnel(tmp_path: Path, table: str, key: str, value: str, clause: str) -> None:
    switch = _switch()
    assert _told(tmp_path, switch, "tunnel") == []
    switch[table]["T"][key] = value
    found = _told(tmp_path, switch, "tunnel")
    assert [(severity, clause in message) for severity, message in found] == ([("error", True)] if clause else [])
    switch["TUNNEL"]["MuxTunnel0"]["dscp_mode"] = "uniform"  # the maps are for the other mode
    assert _told(tmp_path, switch, "tunnel") == []


def test_what_comes_out_in_the_group_of_another_priority_than_it_was_sent_with(tmp_path: Path) -> None:
    switch = _switch()
    switch["TC_TO_PRIORITY_GROUP_MAP"]["T"]["3"] = "3"
    ((severity, message),) = _told(tmp_path, switch, "tunnel")
    assert severity == "error"
    assert "comes out in buffer group 3, and its outer DSCP 2 is of group 2 at the ports" in message
    switch["TC_TO_DSCP_MAP"]["T"]["3"] = "3"
    assert _told(tmp_path, switch, "tunnel") == []


def test_a_tunnel_whose_maps_agree_is_told_once(tmp_path: Path) -> None:
    switch = _switch()
    switch["PORT_QOS_MAP"]["Ethernet4"]["pfc_enable"] = "3"
    ((severity, message),) = _told(tmp_path, switch, "tunnel")
    assert severity == "error"
    assert message.endswith("goes by queue, outer DSCP and buffer group 2, which no port pauses")


@pytest.mark.parametrize(("on", "told"), [("3", True), ("", True), ("2,3", False)])
def test_one_way_up_of_several_without_the_pause_of_the_tunnel(tmp_path: Path, on: str, told: bool) -> None:
    switch = _switch()
    for port in ("Ethernet8", "Ethernet12"):
        switch["PORT"][port] = dict(switch["PORT"]["Ethernet4"])
        switch["PORT_QOS_MAP"][port] = dict(switch["PORT_QOS_MAP"]["Ethernet4"])
    switch["PORT_QOS_MAP"]["Ethernet8"]["pfc_enable"] = on
    found = _told(tmp_path, switch, "tunnel")
    assert [severity for severity, _ in found] == (["error"] if told else [])
    assert all("Ethernet8 obeys no pause, unlike 2 ports" in message for _, message in found)


@pytest.mark.parametrize(
    ("status", "time", "told"), [("disable", "400", True), ("enable", "400", False), ("disable", "", False)]
)
def test_counters_of_the_watchdog_that_nobody_polls(tmp_path: Path, status: str, time: str, told: bool) -> None:
    switch = _switch() | {
        "FLEX_COUNTER_TABLE": {"PFCWD": {"FLEX_COUNTER_STATUS": status}, "PORT": {"FLEX_COUNTER_STATUS": "disable"}}
    }
    switch["PFC_WD"] = {"Ethernet0": {"action": "drop"} | ({"detection_time": time} if time else {})}
    assert [severity for severity, _ in _told(tmp_path, switch, "PFCWD")] == (["warning"] if told else [])
