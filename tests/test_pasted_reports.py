"""What people paste when RoCE does not work: logs of jobs, filtered answers, tables that a window cut, sessions of a guide."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.cli.main import main

QOS = """root@gpu1:~# ibdev2netdev
mlx5_0 port 1 ==> ens1 (Up)
root@gpu1:~# mlnx_qos -i ens1
DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
        prio:0 dscp:07,06,05,04,03,02,01,00,
        prio:1 dscp:15,14,13,12,11,10,09,08,
        prio:2 dscp:23,22,21,20,19,18,17,16,
        prio:3 dscp:31,30,29,28,27,26,25,24,
        prio:4 dscp:39,38,37,36,35,34,33,32,
        prio:5 dscp:47,46,45,44,43,42,41,40,
        prio:6 dscp:55,54,53,52,51,50,49,48,
        prio:7 dscp:63,62,61,60,59,58,57,56,
default priority:
Receive buffer size (bytes): 130944,130944,0,0,0,0,0,0,max_buffer_size=262016
Cable len: 7
PFC configuration:
        priority    0   1   2   3   4   5   6   7
        enabled     0   0   0   1   0   0   0   0
        buffer      0   0   0   1   0   0   0   0
"""
LOG = """gpu1:986:1338 [6] NCCL INFO NCCL_IB_HCA set to mlx5_0
gpu1:986:1338 [6] NCCL INFO NCCL_IB_TC set by environment to 128.
gpu1:980:1348 [0] NCCL INFO NCCL_IB_TC set by environment to 128.
"""
GIDS = """root@gpu1:~# show_gids
DEV     PORT    INDEX   GID                                     IPv4            VER     DEV
---     ----    -----   ---                                     ------------    ---     ---
mlx5_0  1       0       fe80:0000:0000:0000:0ac0:ebff:feda:1cfb                 v1      ens1
mlx5_0  1       1       fe80:0000:0000:0000:0ac0:ebff:feda:1cfb                 v2      ens1
mlx5_0  1       2       0000:0000:0000:0000:0000:ffff:0a0a:010b 10.10.1.11      v1      ens1.100
mlx5_0  1       3       0000:0000:0000:0000:0000:ffff:0a0a:010b 10.10.1.11      v2      ens1.100
n_gids_found=4
"""
WINDOWS = """PS C:\\> Get-NetQosPolicy

Name           : SMB
NetDirectPort  : 445
PriorityValue  : 3

PS C:\\> Get-NetAdapterQos -Name "SLOT 3"

Name                       : SLOT 3
Enabled                    : True
Capabilities               :                       Hardware     Current
                                                   --------     -------
                             MacSecBypass        : NotSupported NotSupported
                             DcbxSupport         : IEEE         IEEE
                             NumTCs(Max/ETS/PFC) : 8/8/8        8/8/8

OperationalTrafficClasses  : TC TSA    Bandwidth Priorities
                             -- ---    --------- ----------
                              0 ETS    50%       0-2,4-7
                              1 ETS    50%       3

OperationalFlowControl     : All Priorities Disabled

PS C:\\> Get-NetQosFlowControl

Priority   Enabled    PolicySet        IfIndex IfAlias
--------   -------    ---------        ------- -------
0          False      Global
1          False      Global
2          False      Global
3          True       Global
4          False      Global
5          False      Global
6          False      Global
7          False      Global

PS C:\\> Get-NetAdapterAdvancedProperty -Name "SLOT 3" -RegistryKeyword *NetworkDirectTechnology

Name      DisplayName                 DisplayValue   RegistryKeyword RegistryValue
----      -----------                 ------------   --------------- -------------
SLOT 3    NetworkDirect Technology    RoCEv2         *NetworkDire... {4}
"""
NEXUS = """version 10.2(3)
hostname n9k
class-map type qos match-all ROCE
  match dscp 26
policy-map type qos ROCE-IN
  class ROCE
    set qos-group 3
policy-map type network-qos ROCE-NET
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
system qos
  service-policy type qos input ROCE-IN
  service-policy type network-qos ROCE-NET
interface Ethernet1/27
  mtu 9216
  priority-flow-control mode on
"""
SESSION = """Leaf-1(config)# qos map dscp 26 to traffic-class 3
Leaf-1(config)# qos profile ROCE
Leaf-1(config-qos-profile-ROCE)# priority-flow-control on
Leaf-1(config-qos-profile-ROCE)# priority-flow-control priority 3 no-drop
Leaf-1(config-qos-profile-ROCE)# uc-tx-queue 6
Leaf-1(config-qos-profile-ROCE-uc-txq-6)# priority strict
Leaf-1(config)# priority-flow-control pause watchdog default timeout 0.20
Leaf-1(config)# interface Ethernet1
Leaf-1(config-if-Et1)# service-profile ROCE
"""
NICCTL = """#!/bin/bash
nicctl update qos dscp-to-priority --dscp 0-63 --priority 0
nicctl update qos dscp-to-priority --dscp 24 --priority 3
nicctl update qos dscp-to-priority --dscp 46 --priority 6
nicctl update qos pfc --priority 0 --no-drop enable
nicctl update qos pfc --priority 3 --no-drop enable
"""


def told(folder: Path, capsys: pytest.CaptureFixture[str], **files: str) -> dict[str, tuple[str, str]]:
    """Rule -> (severity, line of the text) of what the files are told."""
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text)
    main(["check", "--no-cache", "-j1", "-f", "json", str(folder)])
    found = {}
    for one in json.loads(capsys.readouterr().out)["findings"]:
        if one["verdict"] == "fails" and one["because_of"] is None:
            at = one["members"][0]
            lines = Path(at["path"]).read_text().split("\n")
            found[one["rule"]] = (one["severity"], lines[at["line"] - 1].strip())
    return found


def test_the_log_of_a_job_says_what_it_was_handed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(tmp_path, capsys, gpu1=QOS, log=LOG)
    assert found["app/job-outside-class"] == ("error", LOG.split("\n")[1])
    assert "app/job-outside-class" not in told(tmp_path, capsys, gpu1=QOS, log=LOG.replace("128", "106"))
    kept = '{"stdout": "' + LOG.replace("128.", "106").replace("\n", "\\n") + '"}\n'
    assert "input/unread-line" not in told(tmp_path, capsys, gpu1=QOS, log=kept)


@pytest.mark.parametrize(("gids", "severity"), [("", "error"), (GIDS, "info"), (GIDS.replace(".100", ""), "error")])
def test_vlans_of_a_gid_table_have_a_tag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], gids: str, severity: str
) -> None:
    text = QOS.replace("trust state: dscp", "trust state: pcp")
    text += gids + "root@gpu1:~# cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class\nGlobal tclass=106\n"
    found = told(tmp_path, capsys, gpu1=text)
    assert found["marking/priority-unreachable"] == (severity, "Priority trust state: pcp")


@pytest.mark.parametrize(("gids", "is_told"), [(GIDS, False), (GIDS.replace(".100", ""), True)])
def test_the_tag_of_a_vlan_decides_where_the_nic_trusts_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], gids: str, is_told: bool
) -> None:
    text = QOS.replace("trust state: dscp", "trust state: pcp") + gids
    text += "root@gpu1:~# env\nNCCL_IB_HCA=mlx5_0\nNCCL_IB_TC=106\nNCCL_IB_SL=3\n"
    (tmp_path / "gpu1.txt").write_text(text)
    main(["check", "--no-cache", "-j1", "-f", "json", str(tmp_path)])
    found = json.loads(capsys.readouterr().out)["findings"]
    assert any(one["rule"] == "app/lossy-priority" and one["verdict"] == "fails" for one in found) is is_told


def test_a_filtered_query_of_the_firmware(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = "root@gpu1:~# mlxconfig -d mlx5_0 -e q | grep -E 'ROCE'\n"
    row = "*        ROCE_CONTROL      ROCE_ENABLE(2)      ROCE_ENABLE(2)      ROCE_DISABLE(1)\n"
    found = told(tmp_path, capsys, gpu1=QOS + query + row)
    assert found["fleet/next-boot-differs"] == ("warning", row.strip())
    assert "fleet/next-boot-differs" not in told(
        tmp_path, capsys, gpu1=QOS + query + row.replace("DISABLE(1)", "ENABLE(2)")
    )


def test_an_adapter_with_a_cut_keyword_carries_smb_direct(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(tmp_path, capsys, host=WINDOWS)
    assert found == {"pfc/operational-off": ("warning", "OperationalFlowControl     : All Priorities Disabled")}
    assert not told(tmp_path, capsys, host=WINDOWS.replace("All Priorities Disabled", "Priority 3 Enabled"))
    assert not told(tmp_path, capsys, host=WINDOWS.replace("Enabled                    : True", "Enabled : False"))


def test_a_class_of_the_queuing_kind_is_none_of_network_qos(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(tmp_path, capsys, leaf=NEXUS.replace("c-8q-nq3", "c-out-8q-q3"))
    assert found["input/undefined-or-unapplied"] == ("error", "class type network-qos c-out-8q-q3")
    assert not told(tmp_path, capsys, leaf=NEXUS)


def test_a_line_that_the_top_level_alone_understands_ends_a_flat_block(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not told(tmp_path, capsys, leaf=SESSION)
    found = told(tmp_path, capsys, leaf=SESSION.replace("default timeout 0.20", "default timeout soon"))
    assert [*found] == ["input/unread-line"]


SONIC_QUEUES = """admin@tor1:~$ show queue counters Ethernet8
     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes
---------  -----  --------------  ---------------  -----------  ------------
Ethernet8    UC3          552198           234311            0             0
"""
NEXUS_QUEUES = """n9k# show queuing pfc-queue detail
Ethernet1/2 Interface PFC watchdog: [Enabled]
| QOS GROUP 3 [Active]   PFC [YES] PFC-COS [3]
|               Shutdown|                   0|
"""


@pytest.mark.parametrize("answer", [SONIC_QUEUES, NEXUS_QUEUES])
def test_a_lone_answer_is_known_by_its_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: str) -> None:
    (tmp_path / "a.txt").write_text(answer)
    main(["check", "--no-cache", "-j1", "-f", "json", str(tmp_path)])
    assert not json.loads(capsys.readouterr().out)["coverage"]["unrecognised"]


def test_one_sweep_over_all_code_points_does_not_mean_the_cnps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "setup.sh").write_text(NICCTL)
    assert "cnp/setup-in-data-class" not in told(tmp_path, capsys)
    (tmp_path / "setup.sh").write_text(NICCTL.replace("--dscp 0-63", "--dscp 48,49"))
    assert "cnp/setup-in-data-class" in told(tmp_path, capsys)


def test_pfc_that_negotiation_left_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = """<leaf1>display priority-flow-control interface
Interface                        AdminMode  OperMode  Dot1pList   Prio  Recv       Send       Inpps      Outpps
--------------------------------------------------------------------------------
HGE1/0/1                         Auto       Disabled  5           -     0          0          0          0
HGE1/0/2                         Enabled    Enabled   5           5     5221       1211       0          0
"""
    assert "input/unread-line" not in told(tmp_path, capsys, leaf1=text)


@pytest.mark.parametrize(("index", "severity"), [(1, "warning"), (2, "error"), (3, None)])
def test_the_gid_table_of_ibv_devinfo(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], index: int, severity: str | None
) -> None:
    table = """root@gpu1:~# ibv_devinfo -d mlx5_bond_0 -v
hca_id: mlx5_bond_0
        fw_ver:                         20.31.1014
                port:   1
                        state:                  PORT_ACTIVE (4)
                        active_mtu:             4096 (5)
                        link_layer:             Ethernet
                        GID[  0]:               fe80:0000:0000:0000:0ac0:ebff:feda:1cfb, RoCE v1
                        GID[  1]:               fe80::ac0:ebff:feda:1cfb, RoCE v2
                        GID[  2]:               0000:0000:0000:0000:0000:ffff:c800:d106, RoCE v1
                        GID[  3]:               ::ffff:200.0.209.6, RoCE v2
"""
    job = f"#!/bin/bash\nexport NCCL_IB_HCA=mlx5_bond_0\nexport NCCL_IB_GID_INDEX={index}\nexport NCCL_IB_TC=106\n"
    found = told(tmp_path, capsys, gpu1=table, run=job)
    assert found.get("app/job-takes-default-gid", (None, ""))[0] == severity


def test_what_esxi_says_of_its_adapters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = """[root@esx1:~] esxcli network nic dcb status get -n vmnic4
   Nic Name: vmnic4
   Mode: 3 - IEEE Mode
   Enabled: true
   PFC Enabled: true
   PFC Configuration: 0 0 0 1 0 0 0 0
   IEEE ETS Configuration:
         Willing Bit In ETS Config TLV: 0
"""
    bits = "PFC Configuration: 0 0 0 {} 0 0 0"
    hosts = {f"esx{n}": answer for n in (1, 2, 3)}
    assert "pfc/priority-off" not in told(tmp_path, capsys, **hosts)
    hosts["esx3"] = answer.replace(bits.format("1 0"), bits.format("0 1"))
    found = told(tmp_path, capsys, **hosts)
    assert found["pfc/priority-off"] == ("error", bits.format("0 1"))
    hosts["esx3"] = answer.replace(bits.format("1 0"), "PFC Configuration: 0 0 0 yes")
    assert "input/unread-line" in told(tmp_path, capsys, **hosts)


EOS = """! Command: show running-config
hostname leaf1
qos map dscp 26 to traffic-class 3
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
interface Ethernet1
   no switchport
   service-profile ROCE
end
"""
TRUST = """leaf1#show qos interfaces ethernet 1
Ethernet1:
   Trust Mode: COS
   Default COS: 0
   Default DSCP: 0
"""


@pytest.mark.parametrize(("host", "is_placed"), [("leaf1", True), ("leaf2", False)])
def test_an_answer_is_of_the_switch_that_its_prompt_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str, is_placed: bool
) -> None:
    (tmp_path / "leaf1.cfg").write_text(EOS)
    (tmp_path / "case-4711.txt").write_text(TRUST.replace("leaf1", host))
    main(["check", "--no-cache", "-j1", "-f", "json", str(tmp_path)])
    found = json.loads(capsys.readouterr().out)
    assert bool(found["coverage"]["unrecognised"]) is not is_placed
    lines = [one["members"][0]["line"] for one in found["findings"] if one["rule"] == "input/conflict"]
    assert (3 in lines) is is_placed


def test_what_stands_below_a_gid_table_is_no_row_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = GIDS.replace(".100", "")
    assert "input/unread-line" not in told(
        tmp_path, capsys, gpu1=f"{table}mpirun -x NCCL_IB_GID_INDEX=3 ./all_reduce_perf\n"
    )
    assert "input/unread-line" in told(tmp_path, capsys, gpu1=table.replace("n_gids_found=4", "mlx5_0  1   what"))


def test_an_environment_file_of_a_name_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".env.dspark").write_text("NCCL_IB_HCA=rocep1s0f0\nNCCL_IB_GID_INDEX=0\n")
    assert "app/job-takes-default-gid" in told(tmp_path, capsys)


@pytest.mark.parametrize(("driver", "severity"), [("ice", "error"), ("bnxt_en", None)])
def test_a_nic_with_a_map_of_its_own_is_set_up_for_roce(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], driver: str, severity: str | None
) -> None:
    text = f"""root@n1:~# ethtool -i ens1
driver: {driver}
version: 6.8.0
firmware-version: 4.40
root@n1:~# dcb pfc show dev ens1
pfc-cap 8 macsec-bypass off delay 0
prio-pfc 0:off 1:off 2:off 3:off 4:off 5:off 6:off 7:off
root@n1:~# dcb app show dev ens1
dscp-prio 26:3 48:6
root@n1:~# rdma link show
link rocep1s0f0/1 state ACTIVE physical_state LINK_UP netdev ens1
"""
    on = text.replace("3:off", "3:on")
    found = told(tmp_path, capsys, n1=text, n2=on.replace("n1", "n2"), n3=on.replace("n1", "n3"))
    assert found.get("pfc/priority-off", (None, ""))[0] == severity


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("UCCL_IB_TC=160", "app/job-outside-class"),
        ("UCCL_IB_TC=104", None),
        ("UCCL_IB_GID_INDEX=1", "app/job-takes-default-gid"),
        ("UCCL_IB_GID_INDEX=3", None),
    ],
)
def test_uccl_has_variables_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, rule: str | None
) -> None:
    job = f"#!/bin/bash\nexport UCCL_IB_HCA=mlx5_0\nexport {line}\nexport NCCL_IB_TC=106\ntorchrun bench.py\n"
    found = told(tmp_path, capsys, gpu1=QOS + GIDS.replace(".100", ""), run=job)
    assert [*found] == ([rule] if rule else [])


@pytest.mark.parametrize(("priority", "is_told"), [(0, True), (3, False)])
def test_smb_direct_in_a_priority_that_is_not_paused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], priority: int, is_told: bool
) -> None:
    classified = f"""OperationalFlowControl     : Priority 3 Enabled
OperationalClassifications : Protocol  Port/Type Priority
                             --------  --------- --------
                             Default             0
                             NetDirect 445       {priority}
"""
    found = told(
        tmp_path, capsys, host=WINDOWS.replace("OperationalFlowControl     : All Priorities Disabled\n", classified)
    )
    assert found == ({"input/conflict": ("error", "NetDirect 445       0")} if is_told else {})
