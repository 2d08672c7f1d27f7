"""Levels that an answer shows by itself: bit error ratios, alarms of modules, headroom that was full."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding
from roce_audit.policy import load_text
from roce_audit.proof import examples

RULES = ("link/poor-signal", "buffer/headroom-used-up", "link/fec-not-in-force", "link/fec-mismatch")
POLICY = "roce: {dscp: [26], priority: [3]}\n"


def told(folder: Path, platform: str, answers: dict[str, str], *without: str) -> list[Finding]:
    """What the rules say of the base of a platform with these answers."""
    for name, text in {**examples.base(platform), **answers}.items():
        if name not in without:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    report = check(Request((str(folder),), load_text(POLICY, "roce-audit.yaml"), select=RULES)).report
    return [f for f in report.findings if f.verdict == "fails"]


LINK = """Operational Info
----------------
State                              : {state}
Physical state                     : {physical}
FEC                                : {fec}
Troubleshooting Info
--------------------
Recommendation                     : {advice}
Physical Counters and BER Info
------------------------------
Effective Physical BER             : {after}
Raw Physical BER                   : {before}
"""
GOOD = {
    "state": "Active",
    "physical": "LinkUp",
    "fec": "Standard_RS-FEC - (544,514)",
    "advice": "No issue was observed",
    "after": "15E-255",
    "before": "2E-8",
}


@pytest.mark.parametrize(
    ("differing", "words"),
    [
        ({}, ""),
        ({"before": "2E-4"}, ""),
        ({"before": "4E-4"}, "more than FEC is made for"),
        ({"after": "3E-9"}, "wrong after FEC"),
        ({"after": "3E-9", "physical": "ETH_AN_FSM_ENABLE"}, "wrong after FEC"),
        ({"after": "3E-9", "physical": "ETH_AN_FSM_ENABLE", "state": "Disable"}, ""),
        ({"after": "1E-13"}, ""),
        ({"advice": "\x1b[31mBad signal integrity\x1b[0m"}, "Bad signal integrity"),
        ({"advice": "The port is closed by command"}, ""),
        ({"before": "4E-4", "state": "Polling"}, ""),
        ({"before": "N/A", "after": "N/A"}, ""),
    ],
)
def test_a_link_as_mlxlink_sees_it(tmp_path: Path, differing: dict[str, str], words: str) -> None:
    found = told(tmp_path, "linux", {"gpu1/mlxlink_-d_mlx5_0_-c.txt": LINK.format(**GOOD | differing)})
    assert [(f.rule, f.severity) for f in found] == ([("link/poor-signal", "warning")] if words else [])
    assert not words or words in found[0].message


def test_a_nic_beside_roce_is_told_as_a_note(tmp_path: Path) -> None:
    (found,) = told(tmp_path, "linux", {"gpu1/mlxlink_-d_mlx5_2_-c.txt": LINK.format(**GOOD | {"before": "4E-4"})})
    assert found.severity == "info"


@pytest.mark.parametrize(
    ("fec", "rules"),
    [
        ("Standard_RS-FEC - (544,514)", set()),
        ("Interleaved_Standard_RS-FEC - (544,514)", set()),
        ("Standard LL RS-FEC - RS(271,257)", set()),
        ("Ethernet_Consortium_LL_50G_RS_FEC -(272,257+1)", set()),
        ("Firecode FEC", {"link/fec-mismatch"}),
        ("No FEC", {"link/fec-mismatch"}),
        ("Zero_Latency_FEC", set()),
        ("N/A", set()),
    ],
)
def test_the_fec_that_mlxlink_shows(tmp_path: Path, fec: str, rules: set[str]) -> None:
    answers = {"gpu1/mlxlink_-d_mlx5_0_-c.txt": LINK.format(**GOOD | {"fec": fec})}
    found = told(tmp_path, "linux", answers, "gpu1/ethtool_--show-fec_ens1f0np0.txt")
    assert {f.rule for f in found} == rules


def test_mlxlink_as_json(tmp_path: Path) -> None:
    text = """{"status": {"code": 0}, "result": {"output": {
      "Operational Info": {"State": "Active", "Physical state": "LinkUp", "FEC": "Firecode FEC"},
      "Physical Counters and BER Info": {"Raw Physical Errors Per Lane": {"values": ["1", "2"]}, "Raw Physical BER": "4E-4"}}}}"""
    answers = {"gpu1/mlxlink_-d_mlx5_0_-c_--json.json": text}
    found = told(tmp_path, "linux", answers, "gpu1/ethtool_--show-fec_ens1f0np0.txt")
    lines = {f.rule: {where.line for where in f.locations if where.path.endswith("--json.json")} for f in found}
    assert lines == {"link/fec-mismatch": {2}, "link/poor-signal": {3}}


MODULE = """	Identifier                                : 0x11 (QSFP28)
	Alarm/warning flags implemented           : {flags}
	Laser rx power low alarm   (Channel 1)    : {alarm}
	Laser rx power low warning (Channel 1)    : On
	Module temperature high alarm             : {hot}
	Rcvr signal avg optical power(Channel 1)  : {first}
	Rcvr signal avg optical power(Channel 2)  : {second}
	Laser rx power low alarm threshold        : 0.0457 mW / -13.40 dBm
"""
LIT = {"flags": "Yes", "alarm": "Off", "hot": "Off", "first": "0.80 mW / -0.97 dBm", "second": "0.63 mW / -2.00 dBm"}
DARK = "0.0000 mW / -inf dBm"


@pytest.mark.parametrize(
    ("differing", "words"),
    [
        ({}, ""),
        ({"alarm": "On"}, "rx power low alarm of channel 1 is on"),
        ({"hot": "On"}, "temperature high alarm is on"),
        ({"flags": "No", "second": DARK}, "receive power of channel 2 is 0.0000 mW / -inf dBm"),
        ({"flags": "No", "first": DARK, "second": DARK}, ""),  # no light at all: the link is down
        ({"second": DARK}, ""),  # a module with flags says by them what is wrong
    ],
)
def test_a_module_as_ethtool_shows_it(tmp_path: Path, differing: dict[str, str], words: str) -> None:
    found = told(tmp_path, "linux", {"gpu1/ethtool_-m_ens1f0np0.txt": MODULE.format(**LIT | differing)})
    assert [f.severity for f in found] == (["warning"] if words else [])
    assert not words or words in found[0].message


HEADROOM = """Ingress headroom per PG:
     Port    PG0    PG1     PG3
---------  -----  -----  ------
Ethernet8  {lossy:>5}      0  {lossless:>6}
"""


@pytest.mark.parametrize(
    "command", ["show_priority-group_watermark_headroom", "show_priority-group_persistent-watermark_headroom"]
)
@pytest.mark.parametrize(
    ("lossy", "lossless", "full"), [(0, 169_984, True), (0, 169_983, False), (999_999, 0, False), (0, "N/A", False)]
)
def test_headroom_that_was_full(tmp_path: Path, command: str, lossy: int, lossless: int | str, full: bool) -> None:
    found = told(tmp_path, "sonic", {f"leaf1/{command}.txt": HEADROOM.format(lossy=lossy, lossless=lossless)})
    assert [f.rule for f in found] == (["buffer/headroom-used-up"] if full else [])


def test_an_answer_of_levels_is_not_called_unread(tmp_path: Path) -> None:
    for name, text in {
        **examples.base("sonic"),
        "leaf1/show_priority-group_watermark_headroom.txt": HEADROOM.format(lossy=0, lossless=7),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    report = check(Request((str(tmp_path),), load_text(POLICY, "roce-audit.yaml"))).report
    assert not [path for path, _ in report.coverage.unrecognised if "watermark" in path]


def test_a_port_without_link_ails_of_nothing(tmp_path: Path) -> None:
    answers = {
        "gpu1/ethtool_-m_ens1f0np0.txt": MODULE.format(**LIT | {"alarm": "On"}),
        "gpu1/ethtool_ens1f0np0.txt": "Settings for ens1f0np0:\n\tSpeed: Unknown!\n\tLink detected: no\n",
    }
    assert not told(tmp_path, "linux", answers)


@pytest.mark.parametrize(("state", "number"), [("U", 1), ("D", 0), ("X", 0)])
def test_bit_errors_of_a_switch_port(tmp_path: Path, state: str, number: int) -> None:
    text = f"""    IFACE    STATE    FEC_CORR    FEC_UNCORR    FEC_PRE_BER    FEC_POST_BER
---------  -------  ----------  ------------  -------------  --------------
Ethernet8  {state:>7}         112             0       4.10e-04        0.00e+00
"""
    found = told(tmp_path, "sonic", {"leaf1/show_interfaces_counters_fec-stats.txt": text})
    assert len(found) == number


DOM = """\
Ethernet8: SFP EEPROM detected
        ChannelMonitorValues:
                RX1Power: {one}dBm
                RX2Power: {two}dBm
                TX1Bias: 6.7500mA
        ChannelThresholdValues:
                RxPowerHighAlarm  : 3.4001dBm
                RxPowerLowAlarm   : -13.5067dBm
                RxPowerLowWarning : -9.5001dBm
"""


@pytest.mark.parametrize(
    "command", ["show_interfaces_transceiver_eeprom_--dom", "show_interface_transceiver_eeprom_-d"]
)
@pytest.mark.parametrize(
    ("one", "two", "words"),
    [
        ("0.3802", "-0.4871", ""),
        ("-14.2", "-0.4871", "channel 1 is -14.2 dBm"),
        ("0.3802", "-inf", "channel 2 is -inf dBm"),
        ("-10.1", "-0.4871", ""),
        ("-inf", "-inf", ""),
    ],
)
def test_light_that_a_module_of_sonic_receives(tmp_path: Path, command: str, one: str, two: str, words: str) -> None:
    found = told(tmp_path, "sonic", {f"leaf1/{command}.txt": DOM.format(one=one, two=two)})
    assert [(f.rule, f.severity) for f in found] == ([("link/poor-signal", "warning")] if words else [])
    assert not words or words in found[0].message


@pytest.mark.parametrize(("alarm", "warning", "number"), [("Off", "Off", 0), ("Off", "On", 0), ("On", "On", 1)])
def test_alarms_of_a_module_of_aoscx(tmp_path: Path, alarm: str, warning: str, number: int) -> None:
    text = f"Transceiver in 1/1/2\n Type: 100G-SR4\n  Rx Power low alarm: {alarm}\n  Rx Power low warning: {warning}\n"
    found = told(tmp_path, "aoscx", {"leaf1/show_interface_dom_detail.txt": text})
    assert [f.rule for f in found] == ["link/poor-signal"] * number
