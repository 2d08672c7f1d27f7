"""Lengths for which the traditional buffer model has no row, and so makes no lossless group."""

from __future__ import annotations

import json
from typing import Any

import pytest

from roce_audit.platforms.sonic import PLATFORM
from roce_audit.text.document import DeviceInput, Document

PROFILE = {"own": {"pool": "p", "size": "9216", "xoff": "90000", "xon": "9216", "dynamic_th": "0"}}


def told(length: str, platform: str = "x86_64-dell_z9332f-r0", model: str = "traditional", **tables: Any) -> int:
    whole = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "platform": platform, "buffer_model": model}},
        "PORT": {"Ethernet0": {"speed": "400000", "lanes": "1", "admin_status": "up"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": length}},
    }
    document = Document("config_db.json", json.dumps(whole | tables, indent=1))
    reading = PLATFORM.read(DeviceInput("leaf1", "sonic", (document,)))
    return len([one for one in reading.seen if "no table of headrooms" in one.observation.text])


@pytest.mark.parametrize(("length", "found"), [("7m", 1), ("5m", 0), ("300m", 0), ("0m", 0), ("seven", 0)])
def test_a_length_that_no_table_has(length: str, found: int) -> None:
    assert told(length) == found


def test_where_no_table_is_asked_or_known() -> None:
    assert not told("7m", model="dynamic")
    assert not told("7m", platform="x86_64-8101_32fh_o-r0-cisco")
    assert not told("7m", BUFFER_PROFILE=PROFILE, BUFFER_PG={"Ethernet0|3": {"profile": "own"}})
    assert not told("7m", PORT_QOS_MAP={"Ethernet0": {"dscp_to_tc_map": "A"}})
