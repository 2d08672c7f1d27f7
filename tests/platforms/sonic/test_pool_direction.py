"""Buffer groups are for packets that come in, and their profiles lie in a pool for these."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy


@pytest.mark.parametrize("form", ["{}", "[BUFFER_POOL|{}]"])
@pytest.mark.parametrize(("direction", "found"), [("ingress", 0), ("both", 0), ("egress", 1)])
def test_a_pool_for_packets_that_leave(tmp_path: Path, form: str, direction: str, found: int) -> None:
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"speed": "100000", "lanes": "1,2,3,4", "mtu": "9100"}},
        "BUFFER_POOL": {"in_pool": {"type": direction, "mode": "dynamic", "size": "12000000"}},
        "BUFFER_PROFILE": {
            "lossless": {
                "pool": form.format("in_pool"),
                "size": "0",
                "xon": "18432",
                "xoff": "90112",
                "dynamic_th": "0",
            }
        },
        "BUFFER_PG": {"Ethernet0|3": {"profile": form.format("lossless").replace("POOL", "PROFILE")}},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(database, indent=2))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert len([f for f in report.findings if f.rule == "input/conflict" and "in_pool" in f.message]) == found


@pytest.mark.parametrize(
    ("others", "xoff", "found"),
    [
        ({}, {}, 0),
        ({}, {"xoff": "90112"}, 1),
        ({"in_pool": {"type": "ingress", "mode": "dynamic", "size": "9000000"}}, {}, 1),
    ],
)
def test_one_pool_for_all_that_drops(
    tmp_path: Path, others: dict[str, dict[str, str]], xoff: dict[str, str], found: int
) -> None:
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"speed": "100000", "lanes": "1,2,3,4", "mtu": "9100"}},
        "BUFFER_POOL": {"out_pool": {"type": "egress", "mode": "dynamic", "size": "12000000"}, **others},
        "BUFFER_PROFILE": {"lossy": {"pool": "out_pool", "size": "0", "static_th": "22798336", **xoff}},
        "BUFFER_PG": {"Ethernet0|0-7": {"profile": "lossy"}},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(database, indent=2))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    assert len([f for f in report.findings if f.rule == "input/conflict" and "out_pool" in f.message]) == found
