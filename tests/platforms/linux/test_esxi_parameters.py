"""What `esxcli system module parameters list` shows is judged as the call that sets the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy.values import Policy

LOG = """[root@esx01:~] esxcli system module parameters list -m nmlx5_core | egrep "Name|pfc|trust"
Name                 Type          Value  Description
pfcrx                int           {obeyed}   Priority based Flow Control policy on RX.
pfctx                int           {sent}   Priority based Flow Control policy on TX.
trust_state          int           2      Port policy to calculate the switch priority.
[root@esx01:~] esxcli system module parameters list -m nmlx5_rdma
Name                 Type          Value  Description
-------------------  ------------  -----  -----------
dscp_force           int           {code}     DSCP value to force on outgoing RoCE traffic.
pcp_force            int                  PCP value to force on outgoing RoCE traffic.
"""


@pytest.mark.parametrize(
    ("sent", "obeyed", "code", "expected"),
    [
        ("0x08", "0x08", "26", []),
        ("0x08", "0x00", "26", [("pfc/setup-one-way", "error", 3)]),
        ("0x10", "0x10", "26", [("marking/setup-misses-own-pfc", "error", 4)]),
        ("0x08", "0x08", "34", [("marking/setup-misses-own-pfc", "error", 4)]),
    ],
)
def test_parameters_of_modules(
    tmp_path: Path, sent: str, obeyed: str, code: str, expected: list[tuple[str, str, int]]
) -> None:
    (tmp_path / "esx01.txt").write_text(LOG.format(sent=sent, obeyed=obeyed, code=code))
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [
        (one.rule, one.severity, one.locations[0].line)
        for one in found
        if one.verdict == "fails" and one.severity != "info"
    ]
    assert told == expected


BESIDE = """[root@esx01:~] esxcli network nic dcb status get -n vmnic4
   Nic Name: vmnic4
   Mode: 3 - IEEE Mode
   Enabled: true
   PFC Enabled: true
   PFC Configuration: 0 0 0 1 0 0 0 0
"""


@pytest.mark.parametrize(("code", "rules"), [("26", []), ("46", ["marking/setup-misses-own-pfc"])])
def test_beside_the_adapters_that_they_are_for(tmp_path: Path, code: str, rules: list[str]) -> None:
    (tmp_path / "esx01.txt").write_text(LOG.format(sent="0x08", obeyed="0x08", code=code) + BESIDE)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert [one.rule for one in found if one.verdict == "fails" and one.severity == "error"] == rules


UPLINKS = """[root@{host}:~] esxcli rdma device list
Name     Driver      State    MTU  Speed     Paired Uplink  Description
-------  ----------  ------  ----  --------  -------------  -----------
vmrdma0  nmlx5_rdma  Active  4096  100 Gbps  vmnic4         MT28841 Family [ConnectX-6 Dx]
vmrdma1  nmlx5_rdma  Active  {mtu}  100 Gbps  vmnic5         MT28841 Family [ConnectX-6 Dx]
[root@{host}:~] esxcli network nic pauseParams list
NIC     Pause Params Supported  Pause RX  Pause TX  Auto Negotiation
------  ----------------------  --------  --------  ----------------
vmnic4  true                    {pause}     false     true
vmnic5  true                    false     false     true
"""


@pytest.mark.parametrize(
    ("mtu", "pause", "bits", "rules"),
    [
        ("4096", "false", "0 0 0 1 0 0 0 0", set()),
        ("1024", "false", "0 0 0 1 0 0 0 0", {("mtu/rdma-mtu-small", "vmnic5")}),
        ("4096", "true ", "0 0 0 1 0 0 0 0", {("pfc/link-pause-on", "vmnic4")}),
        ("4096", "false", "0 0 0 0 0 0 0 0", {("pfc/priority-off", "vmnic4")}),
    ],
)
def test_adapters_below_devices_that_send_a_forced_dscp(
    tmp_path: Path, mtu: str, pause: str, bits: str, rules: set[tuple[str, str]]
) -> None:
    log = LOG.format(sent="0x08", obeyed="0x08", code="26") + BESIDE
    own = UPLINKS.format(host="esx01", mtu=mtu, pause=pause)
    other = UPLINKS.format(host="esx02", mtu="4096", pause="false") + log.replace("esx01", "esx02")
    (tmp_path / "esx01.txt").write_text(own + log.replace("0 0 0 1 0 0 0 0", bits))
    (tmp_path / "esx02.txt").write_text(other)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = {(one.rule, one.subject) for one in found if one.verdict == "fails" and one.severity in ("error", "warning")}
    assert rules <= told
    assert bool(told) == bool(rules)
