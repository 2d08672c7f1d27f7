"""Which ports take tags: a class that only a tag tells needs one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text

POLICY = "classes: [{name: storage, pcp: [3], priority: 3, lossless: true}]\n"
RULE = "marking/tag-on-untagged-port"


@pytest.mark.parametrize(
    ("tables", "fails"),
    [
        ({"VLAN_MEMBER": {"Vlan711|Ethernet0": {"tagging_mode": "tagged"}}}, False),
        ({"VLAN_MEMBER": {"Vlan711|Ethernet0": {"tagging_mode": "untagged"}}}, True),
        ({"INTERFACE": {"Ethernet0": {}, "Ethernet0|10.1.1.0/31": {}}}, True),
        (
            {
                "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.1.1.0/31": {}},
                "VLAN_SUB_INTERFACE": {"Ethernet0.711": {"admin_status": "up"}},
            },
            False,
        ),
        (
            {
                "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.1.1.0/31": {}},
                "VLAN_SUB_INTERFACE": {"Eth0.711": {"vlan": "711"}},
            },
            False,
        ),
    ],
    ids=["tagged", "untagged", "routed", "subinterfaces", "subinterfaces, short names"],
)
def test_a_class_told_by_its_tag_needs_a_port_that_takes_tags(
    tmp_path: Path, tables: dict[str, Any], fails: bool
) -> None:
    numbers = {str(number): str(number) for number in range(8)}
    maps = {"dot1p_to_tc_map": "M", "tc_to_queue_map": "M", "tc_to_pg_map": "M", "pfc_to_queue_map": "M"}
    configuration = {
        "DEVICE_METADATA": {"localhost": {"hostname": "tor1"}},
        "PORT": {"Ethernet0": {"lanes": "1", "speed": "100000", "mtu": "9100", "admin_status": "up"}},
        "DOT1P_TO_TC_MAP": {"M": numbers},
        "TC_TO_QUEUE_MAP": {"M": numbers},
        "TC_TO_PRIORITY_GROUP_MAP": {"M": numbers},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"M": numbers},
        "PORT_QOS_MAP": {"Ethernet0": maps | {"pfc_enable": "3"}},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(configuration | tables, indent=1))
    report = check(Request((str(tmp_path),), load_text(POLICY, "roce-audit.yaml"), select=(RULE,))).report
    assert [found.verdict for found in report.findings] == ["fails"] * fails
