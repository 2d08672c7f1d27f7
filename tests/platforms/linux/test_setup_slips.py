"""Slips of scripts that set NICs up and of jobs, each beside what is sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.platforms.linux.boot.scriptcalls import Script, followed
from roce_audit.policy.values import Policy

PFC = "mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0"


def failing(folder: Path, *lines: str) -> set[str]:
    (folder / "roce.sh").write_text("\n".join(("#!/bin/bash", *lines, "")))
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load())))
    return {
        one.rule for one in report.report.findings if one.verdict == "fails" and one.severity in ("error", "warning")
    }


@pytest.mark.parametrize(
    ("rule", "slip", "sound"),
    [
        (
            "marking/setup-ignores-own-dscp",
            ["mlnx_qos -i ens1 --trust pcp --pfc 0,0,0,1,0,0,0,0", "cma_roce_tos -d mlx5_0 -t 106"],
            [PFC, "cma_roce_tos -d mlx5_0 -t 106"],
        ),
        (
            "marking/setup-ignores-own-dscp",
            ["mlnx_qos -i ens1 --trust pcp --pfc 0,0,0,1,0,0,0,0", "export NCCL_IB_TC=106"],
            ["mlnx_qos -i ens1 --trust pcp --pfc 0,0,0,1,0,0,0,0", "export NCCL_IB_TC=106", "export NCCL_IB_SL=3"],
        ),
        (
            "ets/setup-unmarked-outweighs",
            [
                "nicctl update qos pfc --priority 3 --no-drop enable",
                "nicctl update qos scheduling --priority 0,3,6 --dwrr 99,1,0",
            ],
            [
                "nicctl update qos pfc --priority 3 --no-drop enable",
                "nicctl update qos scheduling --priority 3,0,6 --dwrr 99,1,0",
            ],
        ),
        (
            "cnp/setup-in-data-class",
            ["dcb pfc set dev ens1 prio-pfc all:off 3:on", "dcb app replace dev ens1 dscp-prio 26:3 48:3"],
            ["dcb pfc set dev ens1 prio-pfc all:off 3:on", "dcb app replace dev ens1 dscp-prio 26:3 48:6"],
        ),
        (
            "dcqcn/setup-other-priority",
            [PFC, "echo 1 > /sys/class/net/ens1/ecn/roce_np/enable/4"],
            [PFC, "for p in 0 1 2 3 4 5 6 7; do echo 1 > /sys/class/net/ens1/ecn/roce_np/enable/$p; done"],
        ),
        (
            "app/setup-rdma-cm-misses-pfc",
            [
                "dcb pfc set dev ens1 prio-pfc all:off 3:on",
                "dcb app replace dev ens1 dscp-prio 26:3 48:6",
                "cma_roce_tos -d mlx5_0 -t 26",
            ],
            [
                "dcb pfc set dev ens1 prio-pfc all:off 3:on",
                "dcb app replace dev ens1 dscp-prio 26:3 48:6",
                "cma_roce_tos -d mlx5_0 -t 106",
            ],
        ),
        (
            "marking/setup-misses-own-pfc",
            [PFC, "mlnx_qos -i ens1 --dscp2prio set,26,4"],
            [PFC, "mlnx_qos -i ens1 --dscp2prio set,48,6"],
        ),
        (
            "app/job-without-rdma",
            ["export NCCL_IB_HCA=mlx5_0", "export NCCL_IB_DISABLE=1", "torchrun train.py"],
            ["export NCCL_SOCKET_IFNAME=eth0", "export NCCL_IB_DISABLE=1", "torchrun train.py"],
        ),
    ],
)
def test_a_slip_is_told_and_what_is_sound_is_not(tmp_path: Path, rule: str, slip: list[str], sound: list[str]) -> None:
    assert rule in failing(tmp_path, *slip)
    assert failing(tmp_path, *sound) == set()


@pytest.mark.parametrize(
    "asked",
    [
        "$(command -v mlnx_qos)",
        '"$(command -v mlnx_qos || echo /usr/bin/mlnx_qos)"',
        "`which mlnx_qos 2>/dev/null`",
        "$(type -P mlnx_qos || true)",
    ],
)
def test_a_variable_that_asks_where_a_tool_stands_is_the_tool(asked: str) -> None:
    script = Script("/roce.sh", ("#!/bin/sh", f"QOS={asked}", "sudo $QOS -i ens1 --trust dscp"), None, (), is_cut=False)
    assert ("ens1", "trust dscp") in [(call.device, call.statement) for call in followed(script).calls]


def test_a_state_of_links_is_no_device() -> None:
    lines = (
        "#!/bin/sh",
        "for n in $(ibdev2netdev | grep Up | awk '{print $5}'); do",
        "mlnx_qos -i $n --trust dscp",
        "done",
    )
    assert {call.device for call in followed(Script("/roce.sh", lines, None, (), is_cut=False)).calls} == {"$n"}


NEXUS = (
    "class-map type qos match-all ROCE\n  match dscp 26\npolicy-map type qos IN\n  class ROCE\n    set qos-group 3\n"
    "policy-map type network-qos LOSSLESS\n  class type network-qos c-8q-nq3\n    pause pfc-cos 3\n    mtu {mtu}\n"
    "system qos\n  service-policy type network-qos LOSSLESS\ninterface Ethernet1/1\n  service-policy type qos input IN\n"
    "  priority-flow-control mode on\n"
)


def test_a_script_whose_mtu_is_above_that_of_the_lossless_class(tmp_path: Path) -> None:
    (tmp_path / "nexus.cfg").write_text(NEXUS.format(mtu=1500))
    assert "mtu/setup-above-switch" in failing(tmp_path, PFC, "ip link set dev ens1 mtu 4200")
    (tmp_path / "nexus.cfg").write_text(NEXUS.format(mtu=9216))
    assert failing(tmp_path, PFC, "ip link set dev ens1 mtu 4200") == set()


OVER_SSH = 'over() {\n  local host=$1\n  local cmd=$2\n  ssh "$host" "$cmd"\n}'


@pytest.mark.parametrize(
    "lines",
    [
        [OVER_SSH, 'over gpu1 "sudo ethtool -A ens1 rx on tx on"', f'over gpu1 "sudo {PFC}"'],
        [f'TODO=("{PFC}" "ethtool -A ens1 rx on tx on")', 'for one in "${TODO[@]}"; do $one; done'],
        [
            "case $1 in",
            f'on) cmd="ethtool -A ens1 rx on tx on && {PFC}";;',
            "off) cmd=/opt/reset;;",
            "esac",
            'ssh gpu1 "$cmd"',
        ],
        ["spawn ssh gpu1", 'send "ethtool -A ens1 rx on tx on\\r"', f'send -- "{PFC}\\n"'],
    ],
)
def test_commands_that_are_handed_on(tmp_path: Path, lines: list[str]) -> None:
    assert failing(tmp_path, *lines) == {"pfc/setup-link-pause"}
    assert not failing(tmp_path, *(line.replace("rx on tx on", "rx off tx off") for line in lines))


@pytest.mark.parametrize(
    "line",
    [
        'echo -e "\\033[0;32mNow: mlnx_qos -i ens1 --pfc 0,0,0,1\\033[0m"',
        "echo 'first; then mlnx_qos -i ens1 --pfc 0,0,0,1'",
    ],
)
def test_a_command_that_is_only_printed_is_none(tmp_path: Path, line: str) -> None:
    assert not failing(tmp_path, PFC, line)
    assert failing(tmp_path, PFC, "mlnx_qos -i ens1 --pfc 0,0,0,1") == {"input/rejected-call"}


@pytest.mark.parametrize("value", ["`printf %d $PRI`", '`printf "%d" $PRI`', "$(printf %d $PRI)"])
def test_the_old_form_of_a_commands_output_is_a_value_like_the_new_one(tmp_path: Path, value: str) -> None:
    lines = [f"bnxtqos -dev=ens1 set_pfc enabled={value}", f"bnxtqos -dev=ens1 set_apptlv app={value},5,26"]
    assert failing(tmp_path, "PRI=$1", *lines) == set()
    assert "input/unread-line" in failing(tmp_path, "PRI=$1", *lines, "mlnx_qos -i ens2 --pfc '`'")


TAGGED = [
    "ip link set ens1.100 type vlan egress-qos-map 0:3 1:3 2:3 3:3 4:3",
    "hinicadm3 qos -i ens1 --port_trust pcp",
    "hinicadm3 qos -i ens1 -t pfc -e 1 -f 0,0,0,1,0,0,0,0",
]


@pytest.mark.parametrize(
    ("sound", "slip", "told"),
    [
        ("0,0,0,1,0", "0,0,0,0,1", {"marking/setup-sends-unpaused"}),
        ("0:3 1:3 2:3 3:3 4:3", "0:2 1:2 2:2 3:2 4:2", {"marking/setup-sends-unpaused"}),
        # one of them is paused; nobody knows what is written; nothing but best effort; the tag does not decide
        ("0:3 1:3 2:3 3:3 4:3", "0:0 4:3", set()),
        ("0:3 1:3 2:3 3:3 4:3", "0:$P 1:$P", set()),
        ("0:3 1:3 2:3 3:3 4:3", "0:0 1:0", set()),
        ("trust pcp", "trust dscp", set()),
    ],
)
def test_tags_that_are_not_paused(tmp_path: Path, sound: str, slip: str, told: set[str]) -> None:
    assert not failing(tmp_path, *TAGGED)
    assert failing(tmp_path, *(line.replace(sound, slip) for line in TAGGED)) == told


ESXI = [
    'esxcli system module parameters set -m nmlx5_core -p "pfctx=8 pfcrx=8 trust_state=2"',
    "esxcli network nic pauseParams set -n vmnic4 -r false -t false",
]


def test_pause_of_the_whole_link_on_esxi(tmp_path: Path) -> None:
    assert not failing(tmp_path, *ESXI)
    assert failing(tmp_path, ESXI[0], ESXI[1].replace("-r false", "--rx=true")) == {"pfc/setup-link-pause"}
    assert failing(tmp_path, ESXI[0], ESXI[1].replace("-t false", "-t 1")) == {"pfc/setup-link-pause"}
    assert not failing(tmp_path, ESXI[1].replace("false", "true"))  # instead of PFC


def test_the_priority_that_a_broadcom_driver_sends_in(tmp_path: Path) -> None:
    cc = "/sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc"
    script = ["dcb pfc set dev $(cat /sys/class/infiniband/bnxt_re0/ports/1/gid_attrs/ndevs/0) prio-pfc all:off 3:on"]
    assert not failing(tmp_path, *script, f"echo -n 3 > {cc}/roce_prio", f"echo -n 7 > {cc}/cnp_prio")
    slip = [*script, f"echo -n 7 > {cc}/roce_prio", f"echo -n 7 > {cc}/cnp_prio"]
    assert failing(tmp_path, *slip) == {"marking/setup-sends-unpaused"}


def test_calls_behind_the_end_of_a_script(tmp_path: Path) -> None:
    assert failing(tmp_path, "exit 0", PFC) == {"input/conflict"}
    assert not failing(tmp_path, "[ -e /sys/class/net/ens1 ] || exit 0", PFC)
    assert not failing(tmp_path, 'if [ -n "$SKIP" ]; then', "exit 0", "fi", PFC, "exit 0", "cat /proc/version")
    assert not failing(tmp_path, "usage() {", "echo usage", "exit 0", "}", PFC, "exit 0")


def test_all_priorities_behind_single_ones(tmp_path: Path) -> None:
    call = "dcb pfc set dev ens1 prio-pfc {}"
    assert failing(tmp_path, call.format("3:on all:off")) == {"input/rejected-call"}
    assert not failing(tmp_path, call.format("all:off 3:on"))
    assert not failing(tmp_path, "dcb ets set dev ens1 tc-tsa all:strict 0:ets 1:ets tc-bw all:0 0:50 1:50")


@pytest.mark.parametrize(
    "way", ["type vlan egress 0:{}", "type vlan id 100 egress-qos-map 0:{}", "type vlan egress-qos 0:{}"]
)
def test_tags_by_a_word_that_is_cut_short(tmp_path: Path, way: str) -> None:
    lines = ("mlnx_qos -i ens1 --trust pcp --pfc 0,0,0,1,0,0,0,0", f"ip link set ens1.100 {way}")
    assert "marking/setup-sends-unpaused" in failing(tmp_path, *(line.format(4) for line in lines))
    assert not failing(tmp_path, *(line.format(3) for line in lines))


def test_a_rule_of_udev_with_an_operator_that_its_key_does_not_take() -> None:
    rule = 'ACTION{}"add", SUBSYSTEM=="net", KERNEL=="ens*", RUN{}"/usr/bin/mlnx_qos -i %k --pfc 0,0,0,1,0,0,0,0"'

    def is_slip(compared: str, given: str) -> bool:
        found = followed(Script("/etc/udev/rules.d/9.rules", (rule.format(compared, given),), None, (), is_cut=False))
        return any(call.statement.startswith("misspelt") for call in found.calls)

    assert not is_slip("==", "+=")
    assert is_slip("=", "+=")
    assert is_slip("==", "==")


def test_two_ports_of_a_card_with_other_numbers(tmp_path: Path) -> None:
    call = "mlxconfig -y -d mlx5_0 set CNP_DSCP_P1=48 CNP_DSCP_P2={}"
    assert failing(tmp_path, call.format(26)) == {"input/conflict"}
    assert not failing(tmp_path, call.format(48))
    assert not failing(tmp_path, "mlxconfig -y -d mlx5_0 set ROCE_CC_PRIO_MASK_P1=8 ROCE_CC_PRIO_MASK_P2=0")


def test_two_code_points_of_one_device(tmp_path: Path) -> None:
    lines = ("echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class", "cma_roce_tos -d mlx5_0 -t {}")
    assert failing(tmp_path, lines[0], lines[1].format(98)) == {"input/conflict"}
    assert not failing(tmp_path, lines[0], lines[1].format(104))


def test_what_runs_when_an_interface_goes_down(tmp_path: Path) -> None:
    table = (
        "auto ens1",
        "iface ens1 inet static",
        "    post-up " + PFC,
        "    pre-down mlnx_qos -i ens1 --pfc 0,0,0,0,0,0,0,0",
    )
    (tmp_path / "interfaces").write_text("\n".join((*table, "")))
    assert not failing(tmp_path)


def test_a_tos_byte_as_code_point_of_a_driver(tmp_path: Path) -> None:
    lines = ("cd /sys/kernel/config/bnxt_re/bnxt_re0/ports/1/cc", "echo -n {} > roce_dscp")
    assert failing(tmp_path, lines[0], lines[1].format("0x68")) == {"input/unread-line"}
    assert not failing(tmp_path, lines[0], lines[1].format("0x1a"))


@pytest.mark.parametrize(
    ("name", "call", "is_told"),
    [
        ("check_nics.sh", "--pfc 0,0,0,0,0,0,0,0", True),
        ("check_nics.sh", "--pfc 0,0,0,1,0,0,0,0", False),
        ("check_nics.sh", "--pfc $MASK", False),
        ("check_and_reset.sh", "--pfc 0,0,0,0,0,0,0,0", False),
        ("nic_default.sh", "--pfc 0,0,0,0,0,0,0,0", False),
    ],
)
def test_a_script_that_only_looks_turns_pfc_off(tmp_path: Path, name: str, call: str, is_told: bool) -> None:
    (tmp_path / name).write_text(f"#!/bin/bash\nfor d in ens1 ens2; do\n  mlnx_qos -i $d {call}\ndone\n")
    (tmp_path / "setup.sh").write_text(f"#!/bin/bash\n{PFC}\n")
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    told = [
        (one.rule, one.locations[0].line) for one in found if one.verdict == "fails" and "called" in (one.message or "")
    ]
    assert told == ([("input/conflict", 3)] if is_told else [])
