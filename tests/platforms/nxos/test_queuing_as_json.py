"""`show queuing interface | json`: the drops and PFC frames that the table shows as well."""

from __future__ import annotations

import json

import pytest

from roce_audit.platforms.nxos import counters
from roce_audit.text.document import DeviceInput, Document


def answer(drops: object, *, one: bool) -> str:
    entry = {"eq-stat-type": "WRED/AFD & Tail Drop", "eq-stat-units": "Pkts", "eq-uc-stat-value": drops}
    other = {"eq-stat-type": "WRED/AFD & Tail Drop", "eq-stat-units": "Byts", "eq-uc-stat-value": "99"}
    groups = [
        {
            "eq-qosgrp": group,
            "TABLE_qosgrp_egress_stats_entry": {"ROW_qosgrp_egress_stats_entry": entry if one else [other, entry]},
        }
        for group in ("3", "CONTROL QOS GROUP")
    ]
    paused = {"cos": "3", "tx-pause-count": "150", "rx-pause-count": "12"}
    rows = [
        {
            "if_name_str": "Ethernet1/8",
            "dir": "Egress",
            "TABLE_qosgrp_egress_stats": {"ROW_qosgrp_egress_stats": groups},
        },
        {
            "if_name_str": "Ethernet1/8",
            "dir": "Ingress",
            "TABLE_pfc_stats": {"ROW_pfc_stats": paused if one else [paused]},
        },
    ]
    module = {"module_number": "1", "TABLE_queuing_interface": {"ROW_queuing_interface": rows}}
    return json.dumps({"TABLE_module": {"ROW_module": module if one else [module]}}, indent=1)


@pytest.mark.parametrize("one", [True, False])
def test_what_the_table_shows_is_read(one: bool) -> None:
    text = answer("77122", one=one)
    document = Document("a.json", text, "show queuing interface | json")
    found = list(counters.read(DeviceInput("a", "nxos", (document,))))
    assert {(count.port, count.name, count.value) for count in found} == {
        ("Ethernet1/8", "queues.3.drops", 77122),
        ("Ethernet1/8", "priorities.3.pause_sent", 150),
        ("Ethernet1/8", "priorities.3.pause_received", 12),
    }
    lines = text.split("\n")
    assert all(f'"{count.value}"' in lines[count.place.line - 1] for count in found)


def test_no_number_is_no_counter_of_zero() -> None:
    document = Document("a.json", answer(None, one=True), "show queuing interface | json")
    (drops,) = [c for c in counters.read(DeviceInput("a", "nxos", (document,))) if c.name == "queues.3.drops"]
    assert drops.value is None
