"""Counters in a dump of COUNTERS_DB: told as those of tables are, each at its line."""

from __future__ import annotations

import json

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.sonic import countersdb
from roce_audit.text.document import DeviceInput, Document

_NAMES = {"QUEUE": {"Ethernet8:3": "oid:0x15"}, "PG": {"Ethernet8:3": "oid:0x1a"}, "PORT": {"Ethernet8": "oid:0x1"}}


def dump(*, status: str = "operational", drops: str = "0", wrapped: bool = True, maps_first: bool = True) -> Document:
    rows = {
        "COUNTERS:oid:0x15": {"SAI_QUEUE_STAT_DROPPED_PACKETS": drops, "PFC_WD_STATUS": status},
        "COUNTERS:oid:0x1a": {"SAI_INGRESS_PRIORITY_GROUP_STAT_DROPPED_PACKETS": "7"},
        "COUNTERS:oid:0x1": {"SAI_PORT_STAT_PFC_3_RX_PKTS": "12", "SAI_PORT_STAT_IF_IN_OCTETS": "1"},
        "COUNTERS:oid:0x99": {"SAI_QUEUE_STAT_DROPPED_PACKETS": "5"},
    }
    maps = {f"COUNTERS_{kind}_NAME_MAP": names for kind, names in _NAMES.items()}
    tables: dict[str, dict[str, str]] = {**maps, **rows} if maps_first else {**rows, **maps}
    whole = {name: {"type": "hash", "value": row} for name, row in tables.items()} if wrapped else tables
    return Document("COUNTERS_DB.json", json.dumps(whole, indent=2))


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize("maps_first", [True, False])
def test_each_counter_has_the_port_that_the_maps_name_and_its_line(wrapped: bool, maps_first: bool) -> None:
    document = dump(drops="48", wrapped=wrapped, maps_first=maps_first)
    found = list(countersdb.counts(document))
    assert {(count.port, count.name, count.value) for count in found} == {
        ("Ethernet8", "queues.3.drops", 48),
        ("Ethernet8", "groups.3.drops", 7),
        ("Ethernet8", "priorities.3.pause_received", 12),
    }
    lines = document.text.split("\n")
    assert all(f': "{count.value}"' in lines[count.place.line - 1] for count in found)


@pytest.mark.parametrize(("status", "stuck"), [("stormed", ["queue 3"]), ("operational", [])])
def test_a_queue_that_is_held_now(status: str, stuck: list[str]) -> None:
    assert [gauge.said for gauge in countersdb.stuck(dump(status=status))] == stuck


def test_what_stands_behind_the_damage_is_not_read() -> None:
    whole = dump(drops="48", maps_first=False)
    cut = Document(whole.path, whole.text[: whole.text.find("COUNTERS_QUEUE_NAME_MAP")])
    assert not list(countersdb.counts(cut))


def test_a_switch_that_is_given_as_files_alone_is_told_of() -> None:
    configured = {
        "PORT": {"Ethernet8": {"lanes": "1", "admin_status": "up"}},
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": "3", "tc_to_queue_map": "M"}},
        "TC_TO_QUEUE_MAP": {"M": {"3": "3"}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"M": {"3": "3"}},
    }
    documents = (Document("config_db.json", json.dumps(configured)), dump(status="stormed", drops="48"))
    seen = platform("sonic").read(DeviceInput("leaf1", "sonic", documents)).seen
    assert {"stuck", "counted-once"} <= {one.observation.kind for one in seen}
