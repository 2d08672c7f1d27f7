"""A queue that PFC pauses has a row in BUFFER_QUEUE where other queues of its port have one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import sonic
from roce_audit.policy import Policy, load_text
from roce_audit.text.sentences import listed


@pytest.mark.parametrize(
    ("rows", "pauses", "queue_of", "loud"),
    [
        (["Ethernet0|0-2", "Ethernet0|3", "Ethernet4|0-7"], "3", {}, []),
        (["Ethernet0,Ethernet4|0-4"], "3,4", {}, []),
        (["Ethernet0|0-2", "Ethernet0|4", "Ethernet4|0-4"], "3", {}, ["Ethernet0"]),
        (["Ethernet0|0-2", "Ethernet4|0-2"], "3", {}, ["Ethernet0", "Ethernet4"]),
        (["Ethernet0,Ethernet4|0-3"], "3,4", {}, ["Ethernet0", "Ethernet4"]),
        (["Ethernet0,Ethernet4|0-3"], "4", {"4": "3"}, []),
        (["Ethernet0,Ethernet4|0-3"], "3", {"3": "5"}, ["Ethernet0", "Ethernet4"]),
        (["Ethernet0,Ethernet4|low", "Ethernet0,Ethernet4|0"], "3", {}, []),  # what it is for was not understood
        (["Ethernet0,Ethernet4|\u00b2", "Ethernet0,Ethernet4|0"], "3", {}, []),  # a digit that is no number
        ([], "3", {}, []),  # nothing is configured by row
    ],
)
def test_each_queue_that_is_paused_has_a_row(
    tmp_path: Path, rows: list[str], pauses: str, queue_of: dict[str, str], loud: list[str]
) -> None:
    ports = ["Ethernet0", "Ethernet4"]
    maps = {"pfc_enable": pauses, **({"pfc_to_queue_map": "M"} if queue_of else {})}
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {port: {"speed": "100000", "admin_status": "up", "mtu": "9100"} for port in ports},
        "PORT_QOS_MAP": dict.fromkeys(ports, maps),
        "MAP_PFC_PRIORITY_TO_QUEUE": {"M": queue_of} if queue_of else {},
        "BUFFER_POOL": {"egress_pool": {"type": "egress", "mode": "dynamic", "size": "12000000"}},
        "BUFFER_PROFILE": {"out": {"pool": "egress_pool", "size": "0", "dynamic_th": "7"}},
        "BUFFER_QUEUE": {row: {"profile": "out"} for row in rows},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(database, indent=2))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [f for f in report.findings if "BUFFER_QUEUE has rows" in f.message]
    assert [f.rule for f in told] == ["input/conflict"] * bool(loud)
    assert all(f"other queues of {listed(loud, 3)} and none" in f.message for f in told)
    assert all(f.severity == "warning" for f in told)


@pytest.mark.parametrize(
    ("pools", "bound", "severity"),
    [
        (("egress_lossless_pool", "egress_lossy_pool"), {"3": "out_lossy"}, "error"),
        (("egress_lossless_pool", "egress_lossy_pool"), {"3": "out_lossless", "0-2": "out_lossy"}, None),
        (("egress_lossy_pool",), {"3": "out_lossy"}, None),  # there is no other
        (
            ("egress_lossless_pool", "egress_lossy_pool"),
            {"3": "out_lossless", "4": "out_lossy"},
            "warning",
        ),  # 4 may be of no use
        (
            ("egress_lossless_pool", "egress_lossy_pool"),
            {"0": "out_lossy"},
            None,
        ),  # of the paused queue nothing is seen here
        (
            ("egress_lossless_pool", "egress_lossy_pool"),
            {"0": "of_lossless"},
            "warning",
        ),  # named so, and bound to no paused queue
    ],
)
def test_a_queue_that_is_paused_is_not_in_the_pool_of_lossy_traffic(
    tmp_path: Path, pools: tuple[str, ...], bound: dict[str, str], severity: str | None
) -> None:
    database = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}},
        "PORT": {"Ethernet0": {"speed": "100000", "admin_status": "up", "mtu": "9100"}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4" if "4" in bound else "3"}},
        "BUFFER_POOL": {pool: {"type": "egress", "mode": "dynamic", "size": "12000000"} for pool in pools},
        "BUFFER_PROFILE": {
            "out_lossless": {"pool": "egress_lossless_pool", "size": "0", "dynamic_th": "7"},
            "out_lossy": {"pool": "egress_lossy_pool", "size": "0", "dynamic_th": "7"},
            **({"of_lossless": {"pool": "egress_lossy_pool", "size": "0"}} if "of_lossless" in bound.values() else {}),
        },
        "BUFFER_QUEUE": {f"Ethernet0|{queues}": {"profile": profile} for queues, profile in bound.items()},
    }
    (tmp_path / "config_db.json").write_text(json.dumps(database, indent=2))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    told = [f for f in report.findings if "which lossy traffic can fill" in f.message]
    assert [(f.rule, f.severity) for f in told] == ([("input/conflict", severity)] if severity else [])
    for finding in told:
        line = (tmp_path / "config_db.json").read_text().split("\n")[finding.locations[0].line - 1]
        assert ("egress_lossy_pool" if "of_lossless" in bound.values() else "out_lossy") in line


def test_the_limit_of_a_lossy_queue_comes_of_the_pool_that_it_is_in(tmp_path: Path) -> None:
    """One cause: the profile in the wrong pool; that its limit is that of lossy queues follows from it."""
    shutil.copytree(Path(sonic.__file__).parent / "examples" / "base", tmp_path, dirs_exist_ok=True)
    file = tmp_path / "leaf1" / "config_db.json"
    database = json.loads(file.read_text())
    database["BUFFER_QUEUE"]["Ethernet0|3"]["profile"] = "egress_lossy_profile"
    file.write_text(json.dumps(database, indent=2))
    policy = load_text((tmp_path / "roce-audit.yaml").read_text(), "roce-audit.yaml", folder=tmp_path)
    found = check(Request((str(tmp_path),), policy)).report.findings
    cause = next(one for one in found if one.rule == "input/conflict" and one.severity == "error")
    limited = next(one for one in found if one.rule == "buffer/lossless-queue-limited" and one.verdict == "fails")
    assert limited.because_of == cause.fingerprint
