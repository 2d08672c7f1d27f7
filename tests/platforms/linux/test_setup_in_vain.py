"""What scripts, units and installers of NICs write down and nobody carries out, each beside what is sound."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.platforms.linux.boot.cloudinit import FIRST_BOOT, slips
from roce_audit.platforms.linux.boot.scriptcalls import Script, followed
from roce_audit.platforms.linux.boot.slips import unheard
from roce_audit.policy.values import Policy

KICKSTART = """\
install
network --bootproto=static --device=ens3f0np0 --ip=10.5.0.1 --mtu={}
%post
cat > /usr/local/sbin/roce.sh <<'DONE'
#!/bin/bash
mlnx_qos -i ens3f0np0 --trust dscp --pfc 0,0,0,1,0,0,0,0
DONE
cat > /etc/systemd/system/roce.service <<'DONE'
[Service]
ExecStart=/usr/local/sbin/roce.sh
[Install]
WantedBy=multi-user.target
DONE
{}
%end
"""
PUPPET = """\
class roce {
  exec { 'pfc': command => "/usr/bin/mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,0,1,0,0,0" }
  file { '/etc/nccl.conf': content => "NCCL_IB_TC=%s\\n" }
}
"""
CLASSES = "dcb ets set dev ens1 prio-tc all:0 {} 7:2 tc-tsa all:ets 2:strict tc-bw all:0 0:50 1:50"
ENABLE = "systemctl enable roce.service"


def failing(folder: Path, name: str, text: str) -> set[tuple[str, int]]:
    (folder / name).write_text(text)
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return {(f.rule, f.locations[0].line) for f in report.findings if f.verdict == "fails" and f.severity != "info"}


@pytest.mark.parametrize(
    ("mtu", "enables", "expected"),
    [
        (9000, ENABLE, set()),
        (1500, ENABLE, {("mtu/setup-without-jumbo-frames", 2)}),
        (9000, "true", {("input/conflict", 12)}),
    ],
)
def test_what_an_installer_leaves(tmp_path: Path, mtu: int, enables: str, expected: set[tuple[str, int]]) -> None:
    assert failing(tmp_path, "gpu.ks", KICKSTART.format(mtu, enables)) == expected


def test_a_variable_at_the_end_of_a_line_that_is_written(tmp_path: Path) -> None:
    assert failing(tmp_path, "init.pp", PUPPET % 136) == set()
    assert ("app/job-outside-setup", 3) in failing(tmp_path, "init.pp", PUPPET % 106)


@pytest.mark.parametrize(
    ("map_", "rules"),
    [
        ("3:1", set()),
        ("4:1", {("ets/setup-shares", 3)}),
        ("", {("ets/setup-shares", 3)}),  # no priority uses the class
        ("3:2 4:1", {("ets/setup-bulk-in-strict", 3)}),
    ],
)
def test_a_traffic_class_for_another_priority(tmp_path: Path, map_: str, rules: set[tuple[str, int]]) -> None:
    text = f"#!/bin/sh\ndcb pfc set dev ens1 prio-pfc all:off 3:on\n{CLASSES.format(map_)}\n"
    assert failing(tmp_path, "roce.sh", text) == rules


@pytest.mark.parametrize(("shares", "rules"), [("90,0", {("ets/setup-bulk-in-strict", 3)}), ("10,90", set())])
def test_a_priority_without_a_share_of_a_pollara(tmp_path: Path, shares: str, rules: set[tuple[str, int]]) -> None:
    text = (
        "#!/bin/sh\nnicctl update qos pfc -p p1 --priority 3 --no-drop enable\n"
        f"nicctl update qos scheduling -p p1 --priority 0,3 --dwrr {shares} --rate-limit 0,0\n"
    )
    assert failing(tmp_path, "roce.sh", text) == rules


@pytest.mark.parametrize(
    ("map_", "more", "lines"),
    [
        ("ingress-qos-map 0:4 4:4", "", {3}),
        ("egress-qos-map 0:4 4:4", "", set()),
        ("egress-qos-map 0:4 4:4 ingress-qos-map 4:4", "", set()),
        ("ingress-qos-map 0:4 4:4", "export NCCL_IB_SL=4\n", set()),
    ],
)
def test_tags_that_only_come_in(tmp_path: Path, map_: str, more: str, lines: set[int]) -> None:
    text = f"#!/bin/sh\nmlnx_qos -i ens1 --trust pcp --pfc 0,0,0,0,1,0,0,0\nip link set dev storage type vlan {map_}\n{more}"
    assert failing(tmp_path, "roce.sh", text) == {("input/conflict", line) for line in lines}


BOTH = """#!/bin/sh
for n in {}; do mlnx_qos -i $n --trust dscp --pfc 0,0,0,1,0,0,0,0; done
for d in {}; do echo 106 > /sys/class/infiniband/$d/tc/1/traffic_class; done
"""


@pytest.mark.parametrize(
    ("nics", "devices", "lines"),
    [
        ("ens1 ens2 ens3 ens4", "mlx5_0 mlx5_1 mlx5_2 mlx5_3", set()),
        ("ens1 ens2 ens3 ens4", "mlx5_0 mlx5_1 mlx5_2", {3}),
        ("ens1 ens2 ens3", "mlx5_0 mlx5_1 mlx5_2 mlx5_3", {2}),
        ("ens1", "mlx5_0 mlx5_1", {2}),
        ("ens1 ens2", "mlx5_0", set()),  # libraries may mark what the other one sends
        ("ens1 ens2", "mlx5_bond_0", set()),
        ("ens1 ens2 ens3 ens4 ens5", "mlx5_0 mlx5_1 mlx5_2 mlx5_3", set()),
        ("ens*", "mlx5_0 mlx5_1", set()),
    ],
)
def test_one_fewer_by_its_other_name(tmp_path: Path, nics: str, devices: str, lines: set[int]) -> None:
    assert failing(tmp_path, "roce.sh", BOTH.format(nics, devices)) == {("input/conflict", line) for line in lines}


@pytest.mark.parametrize(
    ("asks", "names"),
    [
        ('case "$1" in\n  ens1np0|ens2np0|ens3np0) ;;\n  *) exit 0 ;;\nesac', "ens1np0 ens2np0 ens3np0"),
        ('[[ "$1" =~ ^(ens1np0|ens2np0)$ ]] || exit 0', "ens1np0 ens2np0"),
        ('case "$2" in\n  up|reapply) ;;\n  *) exit 0 ;;\nesac', "$1"),
        ('case "$1" in\n  ens1np0|ens2np0) ;;\n  *) echo other ;;\nesac', "$1"),
    ],
)
def test_a_script_that_ends_but_for_some_nics(asks: str, names: str) -> None:
    texts = ("#!/bin/bash", *asks.split("\n"), 'dcb pfc set dev "$1" prio-pfc all:off 3:on')
    assert {call.device for call in followed(Script("/x/30-roce", texts, None, (), is_cut=False)).calls} == {names}


@pytest.mark.parametrize(
    ("line", "is_heard"),
    [
        ("ExecStart=/bin/sh -c 'echo 1 > /sys/class/net/ens1/ecn/roce_np/enable/3'", True),
        ("ExecStart=/bin/echo 1 > /sys/class/net/ens1/ecn/roce_np/enable/3", False),
        ("ExecStart=/usr/bin/mlnx_qos -i ens1 --trust dscp && /usr/bin/mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0", False),
        ("ExecStart=/usr/bin/env bash -c 'mlnx_qos -i ens1 | grep -q dscp'", True),
        ("ExecStart=-/usr/bin/mlnx_qos -i %i --pfc 0,0,0,1,0,0,0,0", True),
        ("ExecStart=/usr/bin/mlnx_qos -i %n --pfc 0,0,0,1,0,0,0,0", False),
    ],
)
def test_commands_of_a_unit_that_only_a_shell_understands(line: str, is_heard: bool) -> None:
    assert unheard(["[Service]", line]) == (set() if is_heard else {1})


def test_a_unit_that_nothing_starts_is_no_later_boot() -> None:
    text = """#cloud-config
write_files:
  - path: /usr/local/bin/roce.sh
    permissions: '0755'
    content: mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0
  - path: /etc/systemd/system/roce.service
    content: |
      [Service]
      ExecStart=/usr/local/bin/roce.sh
runcmd:
  - /usr/local/bin/roce.sh
"""
    assert list(slips(text, 1)) == [(11, FIRST_BOOT)]
