"""The one port of a switch whose watchdog is set otherwise than on all its others, be these of other speeds and neighbours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

SPEEDS = (10_000, 25_000, 40_000, 50_000, 100_000, 200_000, 400_000, 800_000)


def switch(slow: int, ports: int = len(SPEEDS)) -> str:
    """A SONiC switch with ports of different speeds, the first `slow` of which detect a storm later than all others."""
    names = {f"Ethernet{8 * n}": speed for n, speed in enumerate(SPEEDS[:ports])}
    timers = {
        name: {"action": "drop", "detection_time": "2000" if n < slow else "200", "restoration_time": "4000"}
        for n, name in enumerate(names)
    }
    return json.dumps(
        {
            "DEVICE_METADATA": {"localhost": {"hostname": "leaf1", "hwsku": "ACS-MSN4700"}},
            "PORT": {name: {"speed": str(speed), "mtu": "9216", "admin_status": "up"} for name, speed in names.items()},
            "PORT_QOS_MAP": {name: {"pfc_enable": "3", "pfcwd_sw_enable": "3"} for name in names},
            "PFC_WD": timers,
        },
        indent=1,
    )


@pytest.mark.parametrize(("slow", "ports", "told"), [(1, 8, ["Ethernet0"]), (0, 8, []), (2, 8, []), (1, 7, [])])
def test_a_single_port_is_told(tmp_path: Path, slow: int, ports: int, told: list[str]) -> None:
    (tmp_path / "config_db.json").write_text(switch(slow, ports))
    report = check(Request((str(tmp_path),), Policy.empty(), select=("fleet/odd-port-out",), context=())).report
    assert [f.subject for f in report.findings if f.verdict == "fails"] == told
