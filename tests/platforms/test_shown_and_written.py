"""What runs, held against what is written: told where they differ, quiet where they agree or the port has no link."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load_text
from roce_audit.proof import examples

OS10 = "ethernet1/1/2\n   Admin Mode : true\n   Operstatus: {}\n   PFC Priorities: {}\n"
OS9 = "Interface TenGigabitEthernet 0/2\n Admin is enabled, Priority list is 3\n Local is {}\n"
SRL = '{{"qos": {{"interfaces": {{"interface": [{{"interface-id": "ethernet-1/2", "pfc": {{\n"oper-state": "{}"}}}}]}}}}}}\n'
TRUST = "Interface: HundredGigE1/0/2\n Port priority information\n   Port priority trust type: {}\n"
DCBX = """\
PFC operational state         : {}
Priority Flow Control (PFC)
-> Priority 3: True                    True
"""
VRP = """\
Interface          Queue Guaranteed  Xon-Lowest  Xon-Offset  Xoff      Hdrm
100GE1/0/2         3     0(B)        0(B)        20480(B)    5(D)      {}
"""
ONYX = """[{{"Interface ethernet": "1/2"}},
 {{"header": "TC-0", "Mode": "none"}},
 {{"header": "TC-3", {}}}]
"""
EOS = """\
W: PFC Watchdog Enabled
Port   Status  Priorities
Et1/2  E A {}   3
"""
STORM = "Eth1/2 3 {} 4 4 0 0 0 0 0 0 0 0\n"
FEC = "Eth1/2   QSFP-DD 400GBASE-DR4   {}   rs   up\n"
CURVE = '"Mode": "ECN", "Minimum threshold": "150 KB", "Maximum threshold": "1500 KB"'


@pytest.fixture
def failing(tmp_path: Path) -> object:
    """The findings of a platform's base with answers beside it, and the configuration in a folder of the device."""

    def run(platform: str, configuration: str, answers: dict[str, str]) -> set[str]:
        for name, text in examples.base(platform).items():
            path = tmp_path / (f"{name.removesuffix('.cfg')}/{configuration}" if name.endswith(".cfg") else name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for name, text in answers.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        policy = load_text((tmp_path / "roce-audit.yaml").read_text(encoding="utf-8"), "roce-audit.yaml")
        report = check(Request((str(tmp_path),), policy=policy)).report
        fails = [one for one in report.findings if one.verdict == "fails" and one.severity != "info"]
        return {word for one in fails for word in (one.rule, f"{one.rule} {one.severity}")}

    return run


RUNNING = {"os10": "show_running-configuration.txt", "esonic": "show_running-configuration.txt"}
DISPLAY = "display_current-configuration.txt"


@pytest.mark.parametrize(
    ("platform", "file", "text", "sound", "odd", "rule"),
    [
        (
            "os10",
            "show_interface_ethernet_1-1-2_priority-flow-control_details.txt",
            OS10,
            ("true", "3"),
            ("false", "3"),
            "pfc/operational-off",
        ),
        (
            "os10",
            "show_interface_ethernet_1-1-2_priority-flow-control_details.txt",
            OS10,
            ("true", "3"),
            ("true", "4"),
            "pfc/operational-off",
        ),
        (
            "os10",
            "show_interface_ethernet_1-1-2_priority-flow-control_details.txt",
            OS10,
            ("true", "3"),
            ("true", ""),
            "pfc/operational-off",
        ),
        (
            "os9",
            "show_interfaces_tengigabitethernet_0-2_pfc_summary.txt",
            "Interface TenGigabitEthernet 0/2\n Admin mode is {}\n Local is enabled, Priority list is 3\n",
            ("on",),
            ("off",),
            "pfc/operational-off",
        ),
        (
            "os9",
            "show_interfaces_tengigabitethernet_0-2_pfc_detail.txt",
            OS9,
            ("enabled, Priority list is 3",),
            ("disabled",),
            "pfc/operational-off",
        ),
        (
            "srlinux",
            "info_from_state_-_qos_interfaces_interface_*_pfc_|_as_json.json",
            SRL,
            ("up",),
            ("down",),
            "pfc/operational-off",
        ),
        ("aoscx", "show_dcbx_interface_1-1-2.txt", DCBX, ("active",), ("inactive",), "pfc/operational-off"),
        ("comware", "display_qos_trust_interface.txt", TRUST, ("dscp",), ("untrust",), "input/conflict"),
        ("vrp", "display_dcb_pfc_buffer.txt", VRP, ("500000(B)",), ("0(B)",), "buffer/headroom-below-floor"),
        ("vrp", "display_dcb_pfc_buffer.txt", VRP, ("524288(B)",), ("300000(B)",), "input/conflict"),
        ("onyx", "show_interfaces_congestion-control.json", ONYX, (CURVE,), ('"Mode": "none"',), "input/conflict"),
        ("eos", "show_priority-flow-control_status.txt", EOS, ("W",), ("-",), "pfc/watchdog-off"),
        (
            "esonic",
            "show_qos_interface_Ethall_queue_all_priority-flow-control_watchdog-statistics.txt",
            STORM,
            ("operational",),
            ("stormed",),
            "pfc/queue-stuck",
        ),
        ("esonic", "show_interface_fec_status.txt", FEC, ("rs",), ("none",), "input/conflict"),
    ],
)
def test_what_runs_is_held_against_what_is_written(
    failing: object, platform: str, file: str, text: str, sound: tuple[str, ...], odd: tuple[str, ...], rule: str
) -> None:
    assert callable(failing)
    device = "tor1" if platform == "os9" else "leaf1"
    written = RUNNING.get(platform, DISPLAY if platform in ("comware", "vrp") else "show_running-config.txt")
    assert rule not in failing(platform, written, {f"{device}/{file}": text.format(*sound)})
    assert rule in failing(platform, written, {f"{device}/{file}": text.format(*odd)})


@pytest.mark.parametrize(
    ("platform", "answers"),
    [
        (
            "os10",
            {
                "show_interface_ethernet_1-1-2_priority-flow-control_details.txt": OS10.format("false", ""),
                "show_interface_status.txt": "Eth 1/1/2       gpu host2 rail1 down     0        full     -\n",
            },
        ),
        (
            "eos",
            {
                "show_priority-flow-control.txt": "Port  Enabled  Priorities  Active  Note\nEthernet1/2  Yes  3  No\n",
                "show_interfaces_status.txt": "Et1/2      gpu host2 rail1   notconnect   routed   full   400G   400GBASE-DR4\n",
            },
        ),
    ],
)
def test_a_port_without_link_is_not_asked_whether_pfc_runs(
    failing: object, platform: str, answers: dict[str, str]
) -> None:
    assert callable(failing)
    written = RUNNING.get(platform, "show_running-config.txt")
    shown = {f"leaf1/{name}": text for name, text in answers.items()}
    assert "pfc/operational-off" not in failing(platform, written, shown)
    status = next(name for name in shown if name.endswith("_status.txt"))
    assert "pfc/operational-off" in failing(platform, written, {**shown, status: ""})


@pytest.mark.parametrize(
    ("platform", "answers"),
    [
        (
            "eos",
            {
                "show_priority-flow-control.txt": "Port  Enabled  Priorities  Active  Note\nEthernet1/2  Yes  3  No\n",
                "show_interfaces.txt": "Ethernet1/2 is up, line protocol is up (connected)\n  Full-duplex, 400Gb/s, uni-link\n",
            },
        ),
        (
            "nxos",
            {
                "show_interface_priority-flow-control.txt": "Ethernet1/2        On   Off            4          0\n",
                "show_interface.txt": "Ethernet1/2 is up\n  full-duplex, 400 Gb/s, media type is 400G\n",
            },
        ),
    ],
)
def test_a_link_that_is_up_and_runs_no_pfc_is_an_error(failing: object, platform: str, answers: dict[str, str]) -> None:
    assert callable(failing)
    shown = {f"leaf1/{name}": text for name, text in answers.items()}
    assert "pfc/operational-off error" in failing(platform, "show_running-config.txt", shown)
    link = next(name for name in shown if "priority" not in name)
    assert "pfc/operational-off warning" in failing(platform, "show_running-config.txt", {**shown, link: ""})


@pytest.mark.parametrize(
    ("platform", "name", "text", "how"),
    [
        ("eos", "show_priority-flow-control.txt", "Port  Status Priorities\nEt1/2  {}  3\n", ("D  ", "E  ")),
        ("eos", "show_priority-flow-control.txt", "Ethernet1/2  {}  3  No  DCBX disabled\n", ("No ", "Yes")),
        ("nxos", "show_interface_priority-flow-control.txt", "Ethernet1/2   {}   Off   4   0\n", ("Off", "On ")),
        (
            "nxos",
            "show_interface_priority-flow-control_detail.txt",
            "Ethernet1/2\n    Admin Mode: {}\n    Oper Mode: Off\n",
            ("Off", "On"),
        ),
        (
            "os10",
            "show_interface_ethernet_1-1-2_priority-flow-control_details.txt",
            "ethernet1/1/2\n   Admin Mode : {}\n   Operstatus: false\n   PFC Priorities:\n",
            ("false", "true"),
        ),
    ],
)
def test_pfc_that_is_shown_as_switched_off_is_an_error_whatever_the_link(
    failing: object, platform: str, name: str, text: str, how: tuple[str, str]
) -> None:
    assert callable(failing)
    written = RUNNING.get(platform, "show_running-config.txt")
    for word, severity in zip(how, ("error", "warning"), strict=True):
        found = failing(platform, written, {f"leaf1/{name}": text.format(word)})
        assert f"pfc/operational-off {severity}" in found


def test_windows_hears_what_the_switch_pauses(failing: object) -> None:
    assert callable(failing)
    file = "node1/Get-NetAdapterQos.json"
    said = examples.base("windows")[file]
    heard = '"OperationalFlowControl": "Priority 3 Enabled", "RemoteFlowControl": "Priority {} Enabled"'
    for priority, told in ((3, False), (4, True)):
        text = said.replace('"OperationalFlowControl": "Priority 3 Enabled"', heard.format(priority))
        found = failing("windows", "show_running-config.txt", {file: text})
        assert ("dcbx/far-end-pauses-others" in found) is told
