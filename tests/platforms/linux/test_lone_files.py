"""Scripts, jobs and manifests on their own: slips that are told by the file alone, and what is sound beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy, load_text

JOB = "#!/bin/bash\nexport NCCL_IB_GID_INDEX=3\n{}\ntorchrun train.py\n"
SOURCED = "# {{}}\nsource /opt/ascend/set_env.sh\nexport HCCL_RDMA_TC={}\nexport HCCL_RDMA_SL={}\n"
UNIT = """[Unit]
Description=QoS of RoCE
[Service]
Type={}
ExecStart=/usr/bin/mlnx_qos -i ens1f0np0 --trust dscp
ExecStart=/usr/bin/mlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0
[Install]
WantedBy=multi-user.target
"""
NETWORKS = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {{name: rdma1}}
spec:
  resourceName: rdma1
  vlanQoS: {}
---
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {{name: rdma1}}
spec:
  deviceType: {}
  isRdma: true
  nicSelector: {{pfNames: [ens1f0np0]}}
"""
RANKS = """apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {{name: decode}}
spec:
  leaderTemplate:
    spec:
      containers:
      - name: leader
        env:
        - name: NCCL_IB_TC
          value: "{}"
  workerTemplate:
    spec:
      containers:
      - name: worker
        env:
        - name: NCCL_IB_TC
          value: "136"
"""
FIRMWARE = """#!/bin/bash
mlxconfig -d 0000:3b:00.0 -y set \\
  SRIOV_EN=0 ROCE_CC_PRIO_MASK_P1=255 \\
  {}
"""
WRITES = """#!/bin/bash
mlnx_qos -i ens1f0np0 --trust dscp --pfc 0,0,0,1,0,0,0,0
echo 106 > {}
"""
OPTION = """#!/bin/bash
MASK=$(cat /etc/roce.mask)
mlnx_qos -i ens1f0np0 {}="$MASK"
"""
TWICE = """#!/bin/bash
dcb pfc set dev ens1f0np0 prio-pfc 3:on
dcb app add dev ens1f0np0 dscp-prio 26:3
dcb app add dev ens1f0np0 dscp-prio {}
dcb app add dev ens1f0np0 dscp-prio 24:3
"""
GOES_ON = """#!/bin/bash
mlnx_qos -i ens1f0np0{}
    --trust dscp
mlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0
"""
IGNITION = """apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {{name: 99-roce}}
spec:
  config:
    ignition: {{version: 3.4.0}}
    systemd:
      units:
        - name: roce.service
          enabled: {}
          contents: |
            [Unit]
            Description=RoCE
            [Service]
            Type=oneshot
            ExecStart=/usr/bin/mlnx_qos -i ens1f0np0 --pfc 0,0,0,1,0,0,0,0
            [Install]
            WantedBy=multi-user.target
"""
ESXI = """#!/bin/sh
esxcli system module parameters set -m nmlx5_core -p "pfctx={0} pfcrx={0} trust_state={1}"
esxcli system module parameters set -m nmlx5_rdma -p "dscp_force={2}"
"""
PRINTED = """#!/bin/sh
mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0
echo {}106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class{}
"""
BESIDE = """#!/bin/sh
echo 104 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class
cma_roce_tos -d mlx5_0 -t {}
"""
LED_OUT = """#!/bin/sh
mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,0,0,1,0,0
mlnx_qos -i ens1 --dscp2prio set,{},6
"""
ESXI_AGAIN = """#!/bin/sh
esxcli system module parameters set -m nmlx5_core -p "pfctx=0x08 pfcrx=0x08 trust_state=2"
esxcli system module parameters set {}-m nmlx5_core -p "max_vfs=4"
"""
POLICY = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
spec:
  {}: true
  resourceName: rail
  nicSelector: {{deviceID: "1021"}}
"""
LAUNCH = """#!/bin/bash
tc=106
job_class=$1
mpirun -np 2 -mca btl self{}
  -x NCCL_IB_TC={} ./train
"""
LISTED = """#!/bin/bash
export NCCL_IB_HCA={},mlx5_1,mlx5_2,mlx5_3
torchrun train.py
"""
EITHER = """#!/bin/sh
if command -v mlnx_qos >/dev/null; then
    mlnx_qos -i "$NIC" --trust dscp --pfc 0,0,0,1,0,0,0,0
    mlnx_qos -i "$NIC" --dscp2prio set,26,3
elif command -v dcb >/dev/null; then
    dcb pfc set dev "$NIC" prio-pfc {}
    dcb app add dev "$NIC" dscp-prio {}
fi
"""
TAGGED = """#!/bin/sh
ip link set ens1 mtu 9000
mlnx_qos -i ens1 --trust {} --pfc 0,0,0,1,0,0,0,0
cma_roce_tos -d mlx5_0 -t 106
"""
SLIPPED = """#!/bin/sh
mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0
cma_roce_tos -d mlx5_0 -t {}
"""
NOBODY = """#!/bin/sh
mlnx_qos {} --pfc 0,0,0,1,0,0,0,0
ls /sys/class/net | grep ^ens | xargs -I@ mlnx_qos --trust dscp -i @
alias rail="mlnx_qos --trust dscp"
qos() {{ mlnx_qos --trust dscp "$@"; }}
qos -i ens1
mlnx_qos --interf ens1 --trust dscp
"""
HANDED_ON = """#!/bin/sh
qos() {{ mlnx_qos "$@"; }}
qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0
echo {} > /sys/class/infiniband/mlx5_0/tc/1/traffic_class
"""
BYPASSED = """#!/bin/sh
mlnx_qos -i ens1 --pfc 0,0,0,0,1,0,0,0
tc_wrap.py -i ens1 -u {0},{0},{0},{0},{0},{0},{0},{0},{0},{0},{0},{0},{0},{0},{0},{0}
"""
BUFFERS = """#!/bin/sh
mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0
mlnx_qos -i ens1 --buffer_size 65472,{},0,0,0,0,0,0
"""
TEMPLATE = """apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {{name: cx7}}
spec:
  nicSelector: {{nicType: "1021"}}
  template:
    numVfs: 0
    linkType: Ethernet
    roceOptimized:
      enabled: true
      qos:
        trust: dscp
{}    pfc: "0,0,0,1,0,0,0,0"
"""
SHARES = """Enable-NetQosFlowControl -Priority 3
New-NetQosPolicy "SMB" -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3
New-NetQosTrafficClass "SMB" -Priority 3 -BandwidthPercentage {} -Algorithm ETS
if ($slow) {{ New-NetQosTrafficClass "Cluster" -Priority 7 -BandwidthPercentage 2 -Algorithm ETS }}
else {{ New-NetQosTrafficClass "Cluster" -Priority 7 -BandwidthPercentage 1 -Algorithm ETS }}
New-NetQosPolicy "Cluster" -Cluster -PriorityValue8021Action 7
"""


@pytest.mark.parametrize(
    ("name", "text", "wrong", "sound", "rule", "line"),
    [
        pytest.param(
            "train.sh", JOB, ["NCCL_IB_TC=160"], ["export NCCL_IB_TC=160"], "input/conflict", 3, id="it is not exported"
        ),
        pytest.param(
            "train.sh",
            JOB,
            ["export NCCL_IB_TC= 160"],
            ["export NCCL_IB_TC=160 NCCL_IB_SL=5"],
            "input/unread-line",
            3,
            id="a blank behind the equal sign",
        ),
        pytest.param(
            "train.sh",
            JOB,
            ["export NCCL_IB_TIMEOUT=220"],
            ["export NCCL_IB_TIMEOUT=22"],
            "input/unread-line",
            3,
            id="out of range",
        ),
        pytest.param(
            "train.sh",
            JOB,
            ["export NCCL_IB_HCA=mlx5_0,mlx5_0"],
            ["export NCCL_IB_HCA=mlx5_0,mlx5_1"],
            "input/conflict",
            3,
            id="one device twice",
        ),
        pytest.param(
            "train.sh",
            JOB,
            ["export NCCL_IB_HCA=mlx5_0,mlx5_1.mlx5_2"],
            ["export NCCL_IB_HCA=^mlx5_0,mlx5_1"],
            "input/unread-line",
            3,
            id="a dot for a comma",
        ),
        pytest.param(
            "set_env.sh", SOURCED, ["162", "5"], ["160", "5"], "input/rejected-call", 3, id="HCCL: four times a DSCP"
        ),
        pytest.param(
            "set_env.sh", SOURCED, ["132", "8"], ["132", "4"], "input/rejected-call", 4, id="HCCL: eight levels"
        ),
        pytest.param(
            "qos.service", UNIT, ["simple"], ["oneshot"], "input/rejected-call", 5, id="a unit that systemd refuses"
        ),
        pytest.param(
            "sriov.yaml",
            NETWORKS,
            ["8", "netdevice"],
            ["3", "netdevice"],
            "input/rejected-call",
            6,
            id="three bits of priority",
        ),
        pytest.param(
            "sriov.yaml",
            NETWORKS,
            ["3", "vfio-pci"],
            ["3", "netdevice"],
            "input/rejected-call",
            12,
            id="RDMA in user space",
        ),
        pytest.param("lws.yaml", RANKS, ["106"], ["136"], "input/conflict", 18, id="ranks of two classes"),
        pytest.param(
            "nic.sh",
            FIRMWARE,
            ["CNP_DSCP_P1=64"],
            ["CNP_DSCP_P1=48"],
            "input/rejected-call",
            4,
            id="no such code point",
        ),
        pytest.param(
            "nic.sh",
            FIRMWARE,
            ["CNP_DCSP_P1=48"],
            ["CNP_DSCP_P1=48"],
            "input/unread-line",
            4,
            id="misspelt, on its own line",
        ),
        pytest.param(
            "roce.sh",
            WRITES,
            ["/sys/class/infiniband/mlx5_0/cma_roce_tos"],
            ["/sys/class/infiniband/mlx5_0/tc/1/traffic_class"],
            "input/unread-line",
            3,
            id="a file that no device has",
        ),
        pytest.param(
            "roce.sh", OPTION, ["--ecn"], ["--pfc"], "input/unread-line", 3, id="an option that the tool has not"
        ),
        pytest.param("roce.sh", GOES_ON, [""], [" \\"], "input/unread-line", 3, id="a backslash that is missing"),
        pytest.param(
            "any.sh", EITHER, ["4:on", "26:3"], ["3:on", "26:3"], "input/conflict", 6, id="PFC by the other tool"
        ),
        pytest.param(
            "any.sh", EITHER, ["3:on", "26:4"], ["3:on", "26:3"], "input/conflict", 7, id="a map by the other tool"
        ),
        pytest.param(
            "roce.sh", PRINTED, ['"', '"'], ["", ""], "input/unread-line", 3, id="the arrow within the quotes"
        ),
        pytest.param(
            "cm.sh", BESIDE, ["26"], ["104"], "app/setup-rdma-cm-misses-pfc", 3, id="a DSCP beside the forced byte"
        ),
        pytest.param(
            "map.sh", LED_OUT, ["40"], ["46"], "marking/setup-misses-own-pfc", 2, id="led out of what is paused"
        ),
        pytest.param(
            "esxi.sh", ESXI_AGAIN, [""], ["-a "], "input/conflict", 3, id="ESXi: the module's parameters again"
        ),
        pytest.param(
            "policy.yaml", POLICY, ["isRDMA"], ["isRdma"], "input/unread-line", 4, id="a key of a node policy"
        ),
        pytest.param(
            "policy.yaml", POLICY, ["rootDevices"], ["isRdma"], "input/unread-line", 4, id="a key of its selector"
        ),
        pytest.param(
            "run.sh", LAUNCH, ["", "$tc"], [" \\", "$tc"], "input/conflict", 5, id="a launch that does not go on"
        ),
        pytest.param(
            "run.sh", LAUNCH, [" \\", "$job_clas"], [" \\", "$tc"], "input/unread-line", 5, id="a job's variable"
        ),
        pytest.param("train.sh", LISTED, ["mxl5_0"], ["mlx5_0"], "input/conflict", 2, id="a device of a list"),
        pytest.param("train.sh", LISTED, ["=^mlx5_0"], ["^=mlx5_0"], "input/unread-line", 2, id="signs of a list"),
        pytest.param("99.yaml", IGNITION, ["false"], ["true"], "input/conflict", 10, id="a unit that no boot starts"),
        pytest.param(
            "esxi.sh",
            ESXI,
            ["3", "2", "26"],
            ["0x08", "2", "26"],
            "marking/setup-misses-own-pfc",
            2,
            id="ESXi: no mask",
        ),
        pytest.param(
            "esxi.sh",
            ESXI,
            ["8", "1", "26"],
            ["0x10", "2", "34"],
            "marking/setup-ignores-own-dscp",
            2,
            id="ESXi: by the tag",
        ),
        pytest.param(
            "cm.sh", TAGGED, ["pcp"], ["dscp"], "marking/setup-ignores-own-dscp", 3, id="the tag, and a ToS byte"
        ),
        pytest.param("cm.sh", SLIPPED, ["26"], ["104"], "app/setup-rdma-cm-misses-pfc", 3, id="a DSCP for a ToS byte"),
        pytest.param("roce.sh", NOBODY, ["-d mlx5_0"], ["$NIC"], "input/rejected-call", 2, id="of no network device"),
        pytest.param(
            "roce.sh", HANDED_ON, ["26"], ["104"], "marking/setup-misses-own-pfc", 4, id="words of a function"
        ),
        pytest.param("cx4.sh", BYPASSED, ["3"], ["4"], "marking/setup-sends-unpaused", 3, id="the tag of tc_wrap"),
        pytest.param(
            "buffers.sh", BUFFERS, ["19872"], ["219872"], "buffer/setup-without-room", 3, id="where firmware leads it"
        ),
        pytest.param(
            "esxi.sh", ESXI, ["8", "2", "104"], ["8", "2", "26"], "input/rejected-call", 3, id="ESXi: a ToS byte"
        ),
        pytest.param("nic.yaml", TEMPLATE, ["  "], ["    "], "input/unread-line", 13, id="a key of another level"),
        pytest.param("dcb.ps1", SHARES, ["100"], ["50"], "ets/setup-shares", 5, id="too much on either way"),
        pytest.param("roce.sh", TWICE, ["26:6"], ["48:6"], "input/conflict", 4, id="two priorities for a code point"),
    ],
)
def test_a_slip_is_told_where_it_stands(
    tmp_path: Path, name: str, text: str, wrong: list[str], sound: list[str], rule: str, line: int
) -> None:
    for values, expected in ((wrong, {(rule, line)}), (sound, set())):
        (tmp_path / name).write_text(text.format(*values))
        report = check(Request((str(tmp_path),), policy=Policy.empty())).report
        assert {(f.rule, f.locations[0].line) for f in report.findings if f.verdict == "fails"} == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "NCCL_IB_TC=160\nmpirun -x NCCL_IB_TC=$NCCL_IB_TC ./all_reduce_perf\n", id="handed over by a launcher"
        ),
        pytest.param("set -a\nNCCL_IB_TC=160\nset +a\n", id="everything is exported"),
        pytest.param("set -ea\nNCCL_IB_TC=160\n", id="everything is exported, and errors end it"),
        pytest.param("NCCL_IB_TC=160 \\\n  torchrun train.py\n", id="for one command"),
    ],
)
def test_what_reaches_the_programs_is_no_slip(tmp_path: Path, text: str) -> None:
    (tmp_path / "train.sh").write_text(f"#!/bin/bash\nexport NCCL_IB_GID_INDEX=3\n{text}")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [f.rule for f in report.findings if f.verdict == "fails"] == []


def test_a_job_script_may_begin_with_a_function(tmp_path: Path) -> None:
    text = "usage()\n{\n  echo launcher.sh\n}\n\nexport NCCL_IB_TC=10\npython train.py\n"
    (tmp_path / "launcher.sh").write_text(text)
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [f.rule for f in report.findings if f.verdict == "fails"] == ["app/tos-reads-like-priority"]


def test_a_remark_exports_nothing(tmp_path: Path) -> None:
    (tmp_path / "env.sh").write_text("# export NCCL_DEBUG=INFO\nNCCL_IB_TC=160\nNCCL_IB_GID_INDEX=3\n")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert [f.rule for f in report.findings if f.verdict == "fails"] == []


@pytest.mark.parametrize(
    ("lines", "severity"),
    [
        ("cma_roce_tos -d mlx5_0 -t 106", "error"),
        (
            "ip link add link ens1 name ens1.5 type vlan id 5 egress-qos-map 0:3\ncma_roce_tos -d mlx5_0 -t 106",
            "warning",
        ),
        ("tc_wrap.py -i ens1 -u 3,3,3,3,3,3,3,3\ncma_roce_tos -d mlx5_0 -t 106", "warning"),
    ],
)
def test_the_tag_may_have_been_meant_where_something_writes_it(tmp_path: Path, lines: str, severity: str) -> None:
    (tmp_path / "cm.sh").write_text(f"#!/bin/sh\nmlnx_qos -i ens1 --trust pcp --pfc 0,0,0,1,0,0,0,0\n{lines}\n")
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    (found,) = [f for f in report.findings if f.rule == "marking/setup-ignores-own-dscp"]
    assert found.severity == severity


SERVICE = """- name: script
  copy:
    dest: /usr/local/bin/roce.sh
    content: |
      #!/bin/sh
      {%% for nic in nics %%}
      mlnx_qos -i {{ nic }} --trust dscp --pfc 0,0,0,1,0,0,0,0
      {%% endfor %%}
- name: unit
  copy:
    dest: /etc/systemd/system/roce.service
    content: |
      [Service]
      Type=oneshot
      ExecStart=/usr/local/bin/roce.sh
      [Install]
      WantedBy=multi-user.target
- name: start
  ansible.builtin.systemd:
    name: %s
    %s
"""


@pytest.mark.parametrize(
    ("name", "switch", "told"),
    [
        ("roce", "enabled: false", {21}),
        ("roce.service", "masked: yes", {21}),
        ("roce", "enabled: true", set()),
        ("roce", "state: restarted", set()),
        ("lldpad", "enabled: false", set()),
    ],
)
def test_a_unit_that_the_playbook_leaves_switched_off(tmp_path: Path, name: str, switch: str, told: set[int]) -> None:
    (tmp_path / "main.yml").write_text(SERVICE % (name, switch))
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert {f.locations[0].line for f in report.findings if f.rule == "input/conflict"} == told


def test_an_option_behind_a_long_command_that_does_not_go_on(tmp_path: Path) -> None:
    text = "#!/bin/sh\nmlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0 \\\n  -p 0,1,2,3,4,5,6,7{}\n  --prio2buffer 0,0,0,1,0,0,0,0\n"
    for end, told in (("", {4}), (" \\", set())):
        (tmp_path / "roce.sh").write_text(text.format(end))
        report = check(Request((str(tmp_path),), policy=Policy.empty())).report
        assert {f.locations[0].line for f in report.findings if f.rule == "input/unread-line"} == told


HUAWEI = """#!/bin/bash
hinicadm3 qos -i enp135s0f0 -t dcb -e 1
hinicadm3 qos -i enp135s0f0 --dev_trust dscp
hinicadm3 qos -i enp135s0f0 --port_trust dscp
hinicadm3 qos -i enp135s0f0 -t pfc -e {} -f {}
"""


@pytest.mark.parametrize(
    ("switch", "bits", "told"),
    [("1", "0,0,0,1,0,0,0,0", set()), ("1", "0,0,0,0,1,0,0,0", {5})],
)
def test_nics_of_huawei(tmp_path: Path, switch: str, bits: str, told: set[int]) -> None:
    (tmp_path / "nof.sh").write_text(HUAWEI.format(switch, bits))
    policy = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy=policy)).report
    assert {f.locations[0].line for f in report.findings if f.rule == "pfc/setup-off-class"} == told


@pytest.mark.parametrize(("switch", "told"), [("1", set()), ("0", {("app/setup-without-roce", 2)})])
def test_a_line_that_is_added_to_a_file_of_the_driver(tmp_path: Path, switch: str, told: set[object]) -> None:
    (tmp_path / "irdma.sh").write_text(
        f"#!/bin/sh\necho 'options irdma roce_ena={switch}' | sudo tee -a /etc/modprobe.d/irdma.conf\n"
        "lldptool -T -i ens1 -V PFC willing=no enabled=3\n"
    )
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert {(f.rule, f.locations[0].line) for f in report.findings if f.verdict == "fails"} == told


BROADCOM = """#!/bin/bash
write() {{
    [[ -e "$1" ]] || return 0
    echo -n "$2" | sudo tee "$1" >/dev/null
}}
for dev in bnxt_re0 bnxt_re1; do
    net=$(cat "/sys/class/infiniband/$dev/ports/1/gid_attrs/ndevs/0")
    [[ -n "$net" ]] || {{ echo "no network device of $dev"; continue; }}
    sudo dcb pfc set dev "$net" prio-pfc all:off 3:on || {{ echo "PFC failed"; exit 1; }}
    sudo dcb app add dev "$net" dscp-prio 26:3
    write "/sys/kernel/config/bnxt_re/$dev/ports/1/cc/ecn_enable" {}
done
"""


@pytest.mark.parametrize(("switch", "told"), [("0x1", set()), ("0x0", {("dcqcn/setup-off", 11)})])
def test_a_script_goes_on_behind_what_it_does_in_braces(tmp_path: Path, switch: str, told: set[object]) -> None:
    (tmp_path / "bnxt.sh").write_text(BROADCOM.format(switch))
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert {(f.rule, f.locations[0].line) for f in report.findings if f.verdict == "fails"} == told


COMPUTED = """#!/bin/bash
while getopts "r:" o; do r=$OPTARG; done
pairs=",0:0,3:1"
for i in $(cat extra); do pairs+=",$i:0"; done
list="${pairs//,/ }"
dcb ets set dev ens1 tc-tsa 0:ets 1:ets \\
    tc-bw 0:50 1:50 prio-tc $list
dcb pfc set dev ens1 prio-pfc `printf "%d" $r`:on
"""
OWN_HEAD = """# !/bin/bash
NICS="mlx5_0:1,mlx5_1:1"
NCCL_PATH="/opt/nccl/build/lib"
NCCL_PROTO=Simple

echo -e "Details: \\\\n\\\\t NCCL_IB_HCA=${NICS}"
mpirun -np 16 -H a,b \\
    -x NCCL_IB_DISABLE=0  \\
    -x NCCL_IB_HCA=${NICS} \\
    -x NCCL_IB_TC={} train
"""
LATER = """#!/bin/bash
ENV="WORLD_SIZE=2 NCCL_IB_HCA=\\\\${NCCL_IB_HCA:-mlx5_0,mlx5_1} NCCL_IB_GID_INDEX=3"
ssh node1 "nohup bash -c '$ENV python train.py'"
"""


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("roce.sh", COMPUTED, set()),
        ("run.sh", OWN_HEAD.replace("{}", "104"), set()),
        ("run.sh", OWN_HEAD.replace("{}", "4"), {"app/tos-reads-like-priority"}),
        ("run.sh", LATER, set()),
    ],
)
def test_what_a_script_works_out_is_read_as_one_word(tmp_path: Path, name: str, text: str, told: set[str]) -> None:
    (tmp_path / name).write_text(text)
    report = check(Request((str(tmp_path),), policy=Policy.empty())).report
    assert {f.rule for f in report.findings if f.verdict == "fails" and f.severity != "info"} == told
