"""Switches of which nobody gave the configuration, only what show commands tell of PFC."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from fabric_samples import Network

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

NXOS = """leaf1# show interface priority-flow-control
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/1        On   On  (8)        12         40
Ethernet1/2        On   On  (8)        12         40
Ethernet1/3        On   On  (8)        12         40
Ethernet1/4        {odd}
leaf1# show clock
10:00:01.123 UTC Mon Nov 09 2026
"""
COMWARE = """<leaf1>display priority-flow-control interface
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send       Inpps      Outpps
--------------------------------------------------------------------------------
HGE1/0/1                         Enabled    Enabled   3           3     12         4          0          0
HGE1/0/2                         Enabled    Enabled   3           3     12         4          0          0
HGE1/0/3                         Enabled    Enabled   3           3     12         4          0          0
HGE1/0/4                         {odd}
<leaf1>display clock
10:00:01.123 UTC Mon 11/09/2026
"""
EOS = """leaf1#show priority-flow-control
The hardware supports PFC on priorities 0 1 2 3 4 5 6 7
Global PFC : Enabled

E: PFC Enabled, D: PFC Disabled, A: PFC Active, W: PFC Watchdog Enabled
Port       Status  Priorities  Action      Timeout  Recovery        Polling         Note
---------------------------------------------------------------------------------------
Et1        E A W   3           drop        -        - / -           - / -
Et2        E A W   3           drop        -        - / -           - / -
Et3        E A W   3           drop        -        - / -           - / -
Et4        {odd}
leaf1#show clock
Mon Nov  9 10:00:01 2026
"""
OFF = {
    "nxos": "Auto Off           0          0",
    "comware": "Disabled   Disabled",
    "eos": "D - -   -           -    -   - / -   - / -",
}
STUCK = {"nxos": "On   Off           0          0", "eos": "E - -   3           -    -   - / -   - / -"}
TEXTS = {"nxos": NXOS, "comware": COMWARE, "eos": EOS}


def network(tmp_path: Path, system: str, odd: Mapping[str, str]) -> Network:
    """Three leaves; only the first one's last port is odd."""
    alike = {
        "nxos": "On   On  (8)        12         40",
        "comware": "Enabled    Enabled   3           3     12         4",
    }
    alike["eos"] = "E A W   3           drop        -        - / -           - / -"
    text = TEXTS[system]
    files = {"leaf1.log": text.format(odd=odd[system])}
    files |= {f"leaf{n}.log": text.format(odd=alike[system]).replace("leaf1", f"leaf{n}") for n in (2, 3)}
    return Network(tmp_path, files)


PORTS = {"nxos": "Ethernet1/{}", "comware": "HundredGigE1/0/{}", "eos": "Ethernet{}"}


@pytest.mark.parametrize("system", sorted(TEXTS))
def test_ports_on_which_pfc_runs_carry_roce(tmp_path: Path, system: str) -> None:
    found = network(tmp_path, system, OFF)
    assert found.answer(f"leaf1:{PORTS[system].format(1)}") == (True, "port_config")


@pytest.mark.parametrize("system", sorted(OFF))
def test_nobody_knows_what_a_port_without_pfc_is_for(tmp_path: Path, system: str) -> None:
    """It may be spare: without the configuration ports are not alike, and no silence is taken as an answer either."""
    found = network(tmp_path, system, OFF)
    carries, _ = found.answer(f"leaf1:{PORTS[system].format(4)}")
    assert carries is None


@pytest.mark.parametrize("system", sorted(STUCK))
def test_pfc_that_is_switched_on_and_does_not_run(tmp_path: Path, system: str) -> None:
    network(tmp_path, system, STUCK)
    findings = check(Request((str(tmp_path),), Policy.empty())).report.findings
    failing = [f for f in findings if f.verdict == "fails" and f.severity in ("error", "warning")]
    port = f"leaf1:{PORTS[system].format(4)}"
    assert [(f.rule, [m.id for m in f.members]) for f in failing] == [("pfc/operational-off", [port])]
