"""A script that lies beside a `config_db.json` changes what it says: the device is judged as it is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms.sonic import PLATFORM
from roce_audit.policy.values import Policy
from roce_audit.readings.parcel import joined, parcel
from roce_audit.sources.planning import planned
from roce_audit.text.document import DeviceInput, Document

PORTS = ("Ethernet0", "Ethernet8", "Ethernet16", "Ethernet24")


def _datastore(name: str = "leaf1", later: str = "") -> str:
    metadata = {"hostname": name, "type": "LeafRouter", **({"default_pfcwd_status": later} if later else {})}
    binding = {"dscp_to_tc_map": "ROCE", "tc_to_queue_map": "ROCE", "tc_to_pg_map": "ROCE", "pfc_to_queue_map": "ROCE"}
    straight = {str(number): str(number) for number in range(8)}
    curve = {
        f"{colour}_{end}_threshold": value
        for colour in ("green", "yellow", "red")
        for end, value in (("min", "250000"), ("max", "1000000"))
    }
    return json.dumps(
        {
            "DEVICE_METADATA": {"localhost": metadata},
            "PORT": {port: {"speed": "400000", "admin_status": "up", "mtu": "9216"} for port in PORTS},
            "CABLE_LENGTH": {"AZURE": dict.fromkeys(PORTS, "5m")},
            "DSCP_TO_TC_MAP": {"ROCE": {str(n): {26: "3", 48: "6"}.get(n, "0") for n in range(64)}},
            "TC_TO_QUEUE_MAP": {"ROCE": straight},
            "TC_TO_PRIORITY_GROUP_MAP": {"ROCE": {n: "3" if n == "3" else "0" for n in straight}},
            "MAP_PFC_PRIORITY_TO_QUEUE": {"ROCE": straight},
            "PORT_QOS_MAP": {port: {**binding, "pfc_enable": "3", "pfcwd_sw_enable": "3"} for port in PORTS},
            "QUEUE": {f"{port}|3": {"wred_profile": "ROCE"} for port in PORTS},
            "WRED_PROFILE": {"ROCE": {"ecn": "ecn_all", "wred_green_enable": "true", **curve}},
            "BUFFER_POOL": {
                "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "60000000", "xoff": "6000000"}
            },
            "BUFFER_PROFILE": {
                "lossless": {
                    "pool": "ingress_lossless_pool",
                    "size": "38912",
                    "xon": "38912",
                    "xoff": "250000",
                    "dynamic_th": "0",
                }
            },
            "BUFFER_PG": {f"{port}|3": {"profile": "lossless"} for port in PORTS},
        },
        indent=1,
    )


STARTED = "#!/bin/bash\nsudo config pfcwd start --action drop all 200 --restoration-time 400\n"


def _found(tmp_path: Path, *files: tuple[str, str]) -> set[tuple[str, str, str, int]]:
    for name, text in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    ran = check(Request((str(tmp_path),), Policy.empty()))
    return {
        (found.rule, found.device or "", Path(found.locations[0].path).name, found.locations[0].line or 0)
        for found in ran.report.findings
        if found.verdict == "fails" and found.severity in ("error", "warning")
    }


def _rules(found: set[tuple[str, str, str, int]]) -> set[str]:
    return {rule for rule, *_ in found}


def test_what_a_script_starts_is_not_missing(tmp_path: Path) -> None:
    alone = _found(tmp_path / "a", ("leaf1/config_db.json", _datastore()))
    assert "pfc/watchdog-off" in _rules(alone)
    assert not _found(tmp_path / "b", ("leaf1/config_db.json", _datastore()), ("leaf1/apply.sh", STARTED))


@pytest.mark.parametrize(
    "ports", ["all", "ports all detection-time", " ".join(PORTS), f"ports {' '.join(PORTS)} detection-time"]
)
def test_words_between_name_no_port(tmp_path: Path, ports: str) -> None:
    assert not _found(
        tmp_path, ("leaf1/config_db.json", _datastore()), ("leaf1/apply.sh", STARTED.replace("all", ports))
    )
    device = "config interface pfc priority Ethernet0 3 on\n" + STARTED.replace("all", ports)
    reading = PLATFORM.read(DeviceInput("leaf1", "sonic", (Document("apply.sh", device),)))
    assert {port.name for port in reading.ports} <= {"Ethernet0", *PORTS}


@pytest.mark.parametrize("script", ["leaf2/apply.sh", "apply.sh"])
def test_a_script_is_for_its_folder_or_what_lies_below(tmp_path: Path, script: str) -> None:
    found = _found(
        tmp_path,
        ("leaf1/config_db.json", _datastore()),
        ("leaf2/config_db.json", _datastore("leaf2")),
        (script, STARTED),
    )
    assert {device for rule, device, *_ in found if rule == "pfc/watchdog-off"} == (
        {"leaf1"} if "/" in script else set()
    )


def test_a_script_for_several_switches_may_name_ports_that_one_does_not_have(tmp_path: Path) -> None:
    script = STARTED + "config interface pfc priority Ethernet99 3 on\n"
    files = (("fabric/leaf1/config_db.json", _datastore()), ("fabric/leaf2/config_db.json", _datastore("leaf2")))
    assert not _found(tmp_path / "a", *files, ("fabric/apply.sh", script))
    assert "input/undefined-or-unapplied" in _rules(_found(tmp_path / "b", files[0], ("fabric/apply.sh", script)))


def test_a_script_of_a_repository_is_not_for_all_that_lies_below(tmp_path: Path) -> None:
    files = (("fabric/leaf1/config_db.json", _datastore()), ("stop.sh", STARTED))
    assert "pfc/watchdog-off" in _rules(_found(tmp_path, *files))


def test_a_switch_and_its_script_are_opened_again_where_their_texts_were_let_go(tmp_path: Path) -> None:
    files = (("fabric/leaf1/config_db.json", _datastore()), ("fabric/leaf2/config_db.json", _datastore("leaf2")))
    for name, text in (*files, ("fabric/apply.sh", STARTED)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    plan = planned([str(tmp_path)])
    assert len(plan.batches) == 3
    loaded, found = joined(plan, [parcel(batch, plan) for batch in plan.batches])
    assert [device.name for device in loaded.devices] == ["leaf1", "leaf2"]
    for outcome in found:
        assert outcome.reading is not None
        assert all(port.facts.pfc.get().watchdog.get().on.get() for port in outcome.reading.ports)


def test_a_script_with_the_name_of_a_device_is_that_device_s(tmp_path: Path) -> None:
    files = (("leaf1.json", _datastore()), ("leaf2.json", _datastore("leaf2")), ("leaf2.sh", STARTED))
    found = _found(tmp_path, *files)
    assert {device for rule, device, *_ in found if rule == "pfc/watchdog-off"} == {"leaf1"}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("config interface pfc priority Ethernet8 3 off", "pfc/priority-off"),
        ("sonic-db-cli CONFIG_DB hset 'DSCP_TO_TC_MAP|ROCE' 26 4", "marking/nothing-enters-lossless"),
        ("sonic-db-cli CONFIG_DB hset 'PORT_QOS_MAP|Ethernet8' pfc_enable 4", "pfc/priority-off"),
        ("config pfcwd stop", "pfc/watchdog-off"),
        ("config interface pfc priority Ethernet9 3 on", "input/undefined-or-unapplied"),
        ("config load -y /etc/sonic/config_db.json\nconfig qos reload", "input/conflict"),
    ],
)
@pytest.mark.parametrize("later", ["", "enable"])
def test_what_a_script_takes_away_is_told_where_it_does(tmp_path: Path, line: str, rule: str, later: str) -> None:
    script = f"{STARTED}{line}\n"
    found = _found(tmp_path, ("leaf1/config_db.json", _datastore("leaf1", later)), ("leaf1/apply.sh", script))
    assert rule in _rules(found)
    if rule not in ("pfc/watchdog-off", "marking/nothing-enters-lossless"):
        assert any(one[0] == rule and one[2] == "apply.sh" for one in found)


@pytest.mark.parametrize(
    "line", ["config interface pfc priority Ethernet8 3 on", "config qos reload", "config save -y"]
)
def test_what_changes_nothing_is_no_news(tmp_path: Path, line: str) -> None:
    script = f"{STARTED}{line}\n"
    assert not _found(tmp_path, ("leaf1/config_db.json", _datastore()), ("leaf1/apply.sh", script))


def test_an_old_row_for_several_ports_gives_each_its_watchdog(tmp_path: Path) -> None:
    store = json.loads(_datastore())
    rows = store["PORT_QOS_MAP"]
    store["PORT_QOS_MAP"] = {",".join(PORTS): rows[PORTS[0]]}
    text = json.dumps(store, indent=1)
    assert not _found(tmp_path / "a", ("leaf1/config_db.json", text), ("leaf1/apply.sh", STARTED))
    script = f"{STARTED}config interface pfc priority Ethernet8 3 off\n"
    found = _found(tmp_path / "b", ("leaf1/config_db.json", text), ("leaf1/apply.sh", script))
    assert ("pfc/priority-off", "leaf1", "apply.sh", 3) in found
    assert "input/conflict" not in _rules(found)
