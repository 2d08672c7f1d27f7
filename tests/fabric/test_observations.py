"""A port that is down because nothing turns it up is told where it is meant for use; one that was shut is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fabric_samples import ROCE, NicText, host, switch

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.policy.values import Policy

ROW = {"speed": "400000", "mtu": "9100"}


def told(tmp_path: Path, row: dict[str, str], **tables: object) -> list[tuple[str, str]]:
    ports = {"Ethernet0": ROW | {"admin_status": "up"}, "Ethernet8": ROW | row}
    database = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}}, "PORT": ports} | tables
    (tmp_path / "config_db.json").write_text(json.dumps(database, indent=1))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    found = [f for f in report.findings if f.rule == "input/conflict" and f.verdict == "fails"]
    assert not [f.message for f in found if "Ethernet" in f.message]  # the ports stand before the message
    return [(f.severity, f.subject.rpartition(" ")[2]) for f in found]


@pytest.mark.parametrize(
    ("row", "tables", "expected"),
    [
        ({}, {"DEVICE_NEIGHBOR": {"Ethernet8": {"name": "gpu1", "port": "eth0"}}}, [("warning", "Ethernet8")]),
        ({}, {"PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": "3"}}}, [("info", "Ethernet8")]),
        ({}, {}, []),
        ({"admin_status": "down"}, {"PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": "3"}}}, []),
    ],
)
def test_who_is_told(
    tmp_path: Path, row: dict[str, str], tables: dict[str, object], expected: list[tuple[str, str]]
) -> None:
    assert told(tmp_path, row, **tables) == expected


@pytest.mark.parametrize(
    ("between", "with_host", "told"),
    [
        ("[gpu1, leaf1]", True, ""),
        ("[host, spine]", False, ""),
        ("['gpu*', leaf1]", False, ""),
        ("['node*', leaf1]", True, "node*"),
        ("['rack7-*', 'core*']", False, "rack7-* or core*"),
    ],
)
def test_cables_of_the_policy_that_match_nothing(tmp_path: Path, between: str, with_host: bool, told: str) -> None:
    files = switch("leaf1", {"Ethernet1/1": [ROCE]}) | (host("gpu1", NicText("ens1", "mlx5_0")) if with_host else {})
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "roce-audit.yaml").write_text(f"cables:\n  - {{between: {between}, length_m: 5}}\n")
    policy = load(tmp_path / "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("input/policy-entry-unused",))).report
    assert [told in finding.message for finding in report.findings] == ([True] if told else [])


def test_of_many_ports_of_which_nothing_is_known_the_first_are_named(tmp_path: Path) -> None:
    ports = {f"Ethernet{8 * n}": ROW | {"admin_status": "up"} for n in range(41)}
    database = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf1"}}, "PORT": ports}
    database["PORT_QOS_MAP"] = {"Ethernet320": {"pfc_enable": "3"}}
    (tmp_path / "config_db.json").write_text(json.dumps(database, indent=1))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    (found,) = [f for f in report.findings if f.rule == "input/roce-ports-undecided"]
    assert "Ethernet40 and 34 more carry RoCE" in found.message
    assert len(found.message) < 900


def test_what_could_not_be_read_may_be_what_an_entry_speaks_of(tmp_path: Path) -> None:
    for name, text in switch("leaf1", {"Ethernet1/1": [ROCE]}).items():
        (tmp_path / name).write_text(text)
    (tmp_path / "roce-audit.yaml").write_text('maintenance: [leaf9]\npaths: {"leaf*.cfg": {platform: eos}}\n')
    asked = Request((str(tmp_path),), load(tmp_path / "roce-audit.yaml"), select=("input/policy-entry-unused",))
    assert [finding.rule for finding in check(asked).report.findings] == ["input/policy-entry-unused"]
    (tmp_path / "leaf9.cfg").write_bytes(b"hostname leaf9\n" + b"\0" * 100)
    assert not check(asked).report.findings
