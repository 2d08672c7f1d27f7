"""`nv show qos roce`: what the switch tells against the mode that it says it is in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.platforms.counting import counts_of
from roce_audit.policy import load_text
from roce_audit.text.document import DeviceInput, Document

ANSWER = """                    operational  applied
------------------  -----------  --------
enable                           on
mode                {mode}     {mode}
pfc
  pfc-priority      3
  rx-enabled        {rx}
  tx-enabled        {tx}
trust
  trust-mode        pcp,dscp

RoCE PCP/DSCP->SP mapping configurations
===========================================
       pcp  dscp                     switch-prio
    -  ---  -----------------------  -----------
    3  3    24,25,26,27,28,29,30,31  3
"""


@pytest.mark.parametrize(
    ("mode", "rx", "tx", "lines"),
    [
        ("lossless", "enabled", "enabled", []),
        ("lossless", "enabled", "disabled", [8]),
        ("lossless-single-ipool", "no", "no", [7, 8]),
        ("lossy", "disabled", "disabled", []),
    ],
)
def test_a_lossless_mode_without_pfc_contradicts_itself(mode: str, rx: str, tx: str, lines: list[int]) -> None:
    document = Document("roce.txt", ANSWER.format(mode=mode, rx=rx, tx=tx), "nv show qos roce")
    assert told(document) == [("not-in-force", line) for line in lines]
    fields = {"enable": "on", "mode": mode, "pfc": {"pfc-priority": "3", "rx-enabled": rx, "tx-enabled": tx}}
    for indent in (2, None):
        document = Document("roce.txt", json.dumps(fields, indent=indent), "nv show qos roce -o json")
        on_line = {7: 6, 8: 7} if indent else {7: 1, 8: 1}
        assert told(document) == [("not-in-force", on_line[line]) for line in lines]


def test_a_lossless_mode_that_trusts_no_mark_is_not_in_force() -> None:
    text = ANSWER.format(mode="lossless", rx="enabled", tx="enabled").replace("pcp,dscp", "port    ")
    assert told(Document("roce.txt", text, "nv show qos roce")) == [("not-in-force", 10)]
    fields = {"mode": "lossless", "trust": {"trust-mode": "port"}}
    document = Document("roce.txt", json.dumps(fields, indent=2), "nv show qos roce -o json")
    assert told(document) == [("not-in-force", 4)]


WATCHDOG = """                 operational  applied
---------------  -----------  -------
state            {}     enabled

PFC WD Status
===========================
    traffic-class  status    deadlock-count
    -------------  --------  --------------

    2              OK        1
    3              {}  4
"""


@pytest.mark.parametrize(
    ("state", "status", "runs", "stuck"),
    [("enabled", "OK", True, []), ("disabled", "OK", False, []), ("enabled", "DEADLOCK", True, [("stuck", 11)])],
)
def test_the_watchdog_of_a_port(state: str, status: str, runs: bool, stuck: list[tuple[str, int]]) -> None:
    document = Document("wd.txt", WATCHDOG.format(state, status), "nv show interface swp2 qos pfc-watchdog")
    configured = Document("a", "nv set interface swp2 qos pfc-watchdog state enable\n", "nv config show -o commands")
    switch = DeviceInput("leaf", "cumulus", (configured, document))
    reading = platform("cumulus").read(switch)
    assert [one.facts.pfc.get().watchdog.get().on.value for one in reading.ports] == [runs]
    told = [(one.observation.kind, one.place.line) for one in reading.seen]
    assert [one for one in told if one[0] == "stuck"] == stuck, told
    assert {one.name: one.value for one in counts_of(switch).by_port["swp2"].values()} == {
        "queues.2.storms": 1,
        "queues.3.storms": 4,
    }


def test_exceptions_and_marks_told_as_json() -> None:
    listed = {"exception-list": {"1": {"description": "RoCE PFC Priority Mismatch.Expected pfc-priority: 3."}}}
    fields = {"congestion-control": {"enabled-tc": "0"}, "mode": "lossless", "pfc": {"pfc-priority": 3}}
    document = Document("roce.txt", json.dumps(listed | fields, indent=2), "nv show qos roce -o json")
    assert told(document) == [("conflict", 4), ("conflict", 8)]


def told(document: Document) -> list[tuple[str, int]]:
    reading = platform("cumulus").read(DeviceInput("leaf1", "cumulus", (document,)))
    return [(one.observation.kind, one.place.line) for one in reading.seen]


@pytest.mark.parametrize(
    "text", [ANSWER.format(mode="lossy   ", rx="-", tx="-"), '{"enable": "on",\n  "mode": "lossy"}']
)
def test_what_runs_decides_where_the_datastore_says_lossless(text: str) -> None:
    saved = "- set:\n    system:\n      hostname: leaf1\n    qos:\n      roce:\n        enable: on\n        mode: lossless\n"
    saved += "    interface:\n      swp1:\n        link:\n          mtu: 9216\n"
    documents = (Document("startup.yaml", saved), Document("roce.txt", text, "nv show qos roce -o json"))
    for given, on in ((documents[:1], True), (documents, False)):
        (port,) = platform("cumulus").read(DeviceInput("leaf1", "cumulus", given)).ports
        pfc = port.facts.pfc.value_or_none()
        assert pfc is not None
        assert (3 in pfc.priorities.or_else(frozenset())) is on


PORT = """                    operational    applied  description
------------------  -------------  -------  ---------------------------------------------------
congestion-control
  congestion-mode   ecn, absolute           Congestion config mode
  enabled-tc        {marking}               Congestion config enabled Traffic Class
  max-threshold     {high}                  Congestion config max-threshold
  min-threshold     146.48 KB               Congestion config min-threshold
pfc
  pfc-priority      3                       switch-prio on which PFC is enabled
  rx-enabled        yes                     PFC Rx Enabled status
  tx-enabled        yes                     PFC Tx Enabled status
trust
  trust-mode        {trust}                 Trust Setting on the port for packet classification
mode                {mode}                  Roce Mode
"""
SOUND = {"marking": "0,3", "high": "1.43 MB", "trust": "pcp,dscp", "mode": "lossless"}


@pytest.mark.parametrize(
    ("said", "lines"),
    [
        ({}, []),
        ({"marking": "3"}, []),
        ({"marking": "0"}, [5]),
        ({"high": "100.00 KB"}, [6]),
        ({"trust": "pcp"}, [13]),
        ({"trust": "dscp"}, []),
        ({"mode": "lossy"}, [14]),
        ({"marking": "whatever"}, []),
    ],
)
def test_what_runs_at_a_port_and_cannot_be_meant(said: dict[str, str], lines: list[int]) -> None:
    text = PORT.format(**{**SOUND, **said})
    document = Document("status.txt", text, "nv show interface swp2 qos roce status")
    told = platform("cumulus").read(DeviceInput("leaf1", "cumulus", (document,))).seen
    assert [(one.observation.kind, one.place.line) for one in told] == [("conflict", line) for line in lines]


CLASSES = """
RoCE SP->TC mapping and ETS configurations
=============================================
       switch-prio  traffic-class  scheduler-weight
    -  -----------  -------------  ----------------
    0  0            0              DWRR-50%
    1  1            0              DWRR-50%
 roce  3            {}              dwrr-50%
  cnp  6            6              strict priority
RoCE pool config
"""


@pytest.mark.parametrize(("traffic_class", "lines"), [("3", []), ("0", [22]), ("6", [22])])
def test_the_paused_priority_has_its_traffic_class_alone(traffic_class: str, lines: list[int]) -> None:
    text = PORT.format(**SOUND) + CLASSES.format(traffic_class)
    document = Document("roce.txt", text, "nv show qos roce")
    told = platform("cumulus").read(DeviceInput("leaf1", "cumulus", (document,))).seen
    assert [(one.observation.kind, one.place.line) for one in told] == [("conflict", line) for line in lines]


def test_routes_of_frr_are_no_settings_of_the_switch() -> None:
    routes = Document("routes.txt", '{"0.0.0.0/0": []}\n{"10.0.0.0/8": []}\n', "vtysh -c 'show ip route vrf all json'")
    assert platform("cumulus").read(DeviceInput("leaf1", "cumulus", (routes,))).seen == ()


@pytest.mark.parametrize(
    ("mode", "severity"), [("lossless               lossless", ""), ("lossy                  lossless", "error")]
)
def test_a_switch_that_runs_lossy_though_lossless_is_applied(tmp_path: Path, mode: str, severity: str) -> None:
    (tmp_path / "nv_show_qos_roce.txt").write_text(
        "                    operational            applied\n------------------  ---------------------  ---------------------\n"
        f"enable                                     on\nmode                {mode}\npfc\n  pfc-priority      3\n"
        "  rx-enabled        enabled\n  tx-enabled        enabled\n"
    )
    (tmp_path / "startup.yaml").write_text(
        "- set:\n    system: {hostname: leaf1}\n    interface:\n      swp1-4: {type: swp, link: {mtu: 9216}}\n"
        "    qos:\n      roce: {enable: on, mode: lossless}\n"
    )
    report = check(Request((str(tmp_path),), load_text("", "roce-audit.yaml"), select=("input/conflict",))).report
    assert [f.severity for f in report.findings if f.verdict == "fails"] == [severity] * bool(severity)


@pytest.mark.parametrize(("priority", "severity"), [("3", ""), ("5", "error")])
def test_a_switch_that_pauses_another_priority_than_its_mode(tmp_path: Path, priority: str, severity: str) -> None:
    answer = ANSWER.format(mode="lossless", rx="enabled", tx="enabled").replace("  3\n", f"  {priority}\n", 1)
    (tmp_path / "nv_show_qos_roce.txt").write_text(answer)
    (tmp_path / "startup.yaml").write_text(
        "- set:\n    system: {hostname: leaf1}\n    interface:\n      swp1-4: {type: swp, link: {mtu: 9216}}\n"
        "    qos:\n      roce: {enable: on, mode: lossless}\n"
    )
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy, select=("pfc/operational-off",))).report
    assert [f.severity for f in report.findings if f.verdict == "fails"] == [severity] * bool(severity)
