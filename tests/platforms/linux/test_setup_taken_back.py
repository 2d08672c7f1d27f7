"""Scripts that end without the PFC that they turn on, or with that of other priorities than they read."""

from __future__ import annotations

import gzip
from base64 import b64encode
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy.values import Policy

ON = "mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0"
OFF = "mlnx_qos -i ens1 --pfc 0,0,0,0,0,0,0,0"


def failing(folder: Path, name: str, *lines: str) -> set[tuple[str, str, int]]:
    """(rule, severity, line) of what is an error or a warning."""
    (folder / name).write_text("\n".join((*lines, "")))
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return {
        (one.rule, one.severity, one.locations[0].line)
        for one in report.findings
        if one.verdict == "fails" and one.severity in ("error", "warning")
    }


@pytest.mark.parametrize(
    ("on", "off"),
    [
        (ON, OFF),
        ("dcb pfc set dev ens1 prio-pfc all:off 3:on", "dcb pfc set dev ens1 prio-pfc 3:off"),
        ("lldptool -T -i ens1 -V PFC enabled=3", "lldptool -T -i ens1 -V PFC enabled=none"),
    ],
)
def test_pfc_that_is_off_again_at_the_end(tmp_path: Path, on: str, off: str) -> None:
    quiet = ["#!/bin/bash", on, "sysctl -w net.ipv4.tcp_ecn=1", "sleep 2"]
    assert not failing(tmp_path, "roce.sh", *quiet)
    assert failing(tmp_path, "roce.sh", *quiet, off) == {("input/conflict", "error", 5)}
    # cleared first; another priority in its place; a test in between; one of several ways
    assert not failing(tmp_path, "roce.sh", "#!/bin/bash", off, on)
    assert not failing(tmp_path, "roce.sh", "#!/bin/bash", off, *quiet[1:])
    tested = failing(tmp_path, "roce.sh", *quiet, "ib_write_bw -d mlx5_0 -x 3 node2", off)
    assert tested == {("input/conflict", "warning", 6)}
    asked = failing(tmp_path, "roce.sh", *quiet, 'if [ "$1" = off ]; then', off, "fi")
    assert not {one for one in asked if one[1] == "error"}


def test_entries_for_code_points_that_are_flushed_at_the_end(tmp_path: Path) -> None:
    on, flush = "dcb app add dev ens1 dscp-prio 26:3 48:6", "dcb app flush dev ens1"
    sound = ["#!/bin/sh", flush, on, "dcb pfc set dev ens1 prio-pfc all:off 3:on"]
    assert not failing(tmp_path, "roce.sh", *sound)
    assert failing(tmp_path, "roce.sh", *sound, flush) == {("input/conflict", "error", 5)}
    assert not failing(tmp_path, "roce.sh", *sound, flush, on)
    assert not failing(tmp_path, "roce.sh", *sound, f"{flush} ethtype-prio")
    tested = failing(tmp_path, "roce.sh", *sound, "ib_write_bw -d mlx5_0 -x 3 node2", flush)
    assert tested == {("input/conflict", "warning", 6)}
    asked = failing(tmp_path, "roce.sh", *sound, 'if [ "$1" = off ]; then', flush, "fi")
    assert not asked


def test_powershell_that_ends_without_pfc(tmp_path: Path) -> None:
    lines = [
        "New-NetQosPolicy SMB -NetDirectPortMatchCondition 445 -PriorityValue8021Action 3",
        "Enable-NetQosFlowControl -Priority 3",
        "Enable-NetAdapterQos -Name P1",
    ]
    sound = [*lines, "Disable-NetQosFlowControl -Priority 0,1,2,4,5,6,7"]
    assert not {one for one in failing(tmp_path, "dcb.ps1", *sound) if one[0] == "input/conflict"}
    undone = failing(tmp_path, "dcb.ps1", *lines, "Disable-NetQosFlowControl -Priority 0-7")
    assert ("input/conflict", "error", 4) in undone
    in_two = ["function Set-It {", *lines, "}", "function Clear-It {", "Disable-NetQosFlowControl -Priority 0-7", "}"]
    assert ("input/conflict", "error", 6) not in failing(tmp_path, "dcb.ps1", *in_two)


@pytest.mark.parametrize("priority", [3, 4])
def test_powershell_that_runs_its_calls_on_other_machines(tmp_path: Path, priority: int) -> None:
    """Each block is run to its end before the next; a call of another script in between may need what was set."""
    remote = "Invoke-Command -ComputerName $nodes -ScriptBlock {{{}}}"
    on = remote.format(f"Enable-NetQosFlowControl -Priority {priority}")
    off = remote.format("Disable-NetQosFlowControl -Priority 0-7")
    assert ("input/conflict", "error", 2) in failing(tmp_path, "dcb.ps1", on, off)
    assert ("input/conflict", "warning", 3) in failing(tmp_path, "dcb.ps1", on, "Invoke-Pester .\\Rdma.Tests", off)


@pytest.mark.parametrize(("after", "loud"), [("roce-qos.service", "error"), ("network.target", "warning")])
def test_a_unit_that_turns_pfc_off_after_another_turned_it_on(tmp_path: Path, after: str, loud: str) -> None:
    sbin, units = tmp_path / "usr/local/sbin", tmp_path / "etc/systemd/system"
    sbin.mkdir(parents=True)
    units.mkdir(parents=True)
    (sbin / "roce-qos.sh").write_text(f"#!/bin/bash\n{ON}\n")
    unit = f"[Unit]\nAfter=openibd.service {after}\n[Service]\nType=oneshot\nExecStart=/usr/bin/{OFF}\n"
    found = failing(tmp_path, "etc/systemd/system/tuning.service", unit + "[Install]\nWantedBy=multi-user.target")
    assert found == {("input/conflict", loud, 5)}


def test_bits_where_lldptool_takes_numbers(tmp_path: Path) -> None:
    call = "lldptool -T -i ens1 -V PFC willing=no enabled="
    assert not failing(tmp_path, "roce.sh", "#!/bin/bash", f"{call}3")
    assert not failing(tmp_path, "roce.sh", "#!/bin/bash", f"{call}0,1")
    assert failing(tmp_path, "roce.sh", "#!/bin/bash", f"{call}0,0,0,1,0,0,0,0") == {
        ("input/rejected-call", "error", 2)
    }


def test_adapters_of_two_versions_of_roce(tmp_path: Path) -> None:
    def lines(other: int) -> list[str]:
        technology = (
            "Set-NetAdapterAdvancedProperty -Name P{} -RegistryKeyword '*NetworkDirectTechnology' -RegistryValue {}"
        )
        return ["Enable-NetQosFlowControl -Priority 3", technology.format(1, 4), technology.format(2, other)]

    assert not {one for one in failing(tmp_path, "dcb.ps1", *lines(4)) if one[0] == "input/conflict"}
    assert ("input/conflict", "warning", 3) in failing(tmp_path, "dcb.ps1", *lines(3))


def encoded(script: str) -> str:
    return b64encode(gzip.compress(script.encode(), mtime=0)).decode()


MACHINE = """apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
spec:
  config:
    storage:
      files:
      - path: /usr/local/bin/roce.sh
        mode: 0755
        contents:
          compression: gzip
          source: data:;base64,{}
    systemd:
      units:
      - name: roce.service
        enabled: true
        contents: |
          [Service]
          ExecStart={}
          ExecStartPost={}
          [Install]
          WantedBy=multi-user.target
"""
USER_DATA = """#cloud-config
write_files:
- path: /usr/local/sbin/roce
  permissions: '0755'
  encoding: gz+b64
  content: {}
bootcmd:
- [ {} ]
- {}
"""


@pytest.mark.parametrize(
    ("name", "text", "first", "line"),
    [("mc.yaml", MACHINE, "/usr/local/bin/roce.sh", 19), ("user-data", USER_DATA, "/usr/local/sbin/roce", 9)],
)
def test_pfc_that_what_runs_a_script_turns_off_behind_it(
    tmp_path: Path, name: str, text: str, first: str, line: int
) -> None:
    held = encoded(f"#!/bin/sh\nfor d in ens1 ens2; do\n  {ON.replace('ens1', '$d')}\ndone\n")
    assert not failing(tmp_path, name, text.format(held, first, "/usr/sbin/ethtool -G ens1 rx 8192"))
    off = failing(tmp_path, name, text.format(held, first, f"/usr/bin/{OFF}"))
    assert off == {("input/conflict", "error", line)}
    # nothing runs the script before
    assert not failing(tmp_path, name, text.format(held, "/bin/true", f"/usr/bin/{OFF}"))
    # what the script says is told at the line that holds it
    odd = failing(
        tmp_path,
        name,
        text.format(encoded(f"#!/bin/sh\n{ON}\nmlnx_qos -i ens1 --dscp2prio set,26,4\n"), first, "/bin/true"),
    )
    assert {(rule, at) for rule, _, at in odd} == {("marking/setup-misses-own-pfc", 11 if "kind" in text else 6)}


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        ("roce-lossless.service.d/20-lossy.conf", "[Service]\nExecStartPost={}\n"),
        (
            "tuning.service",
            "[Unit]\nAfter=roce-lossless.service\n[Service]\nExecStart={}\n[Install]\nWantedBy=multi-user.target\n",
        ),
    ],
)
def test_pfc_that_a_later_file_of_the_host_turns_off(tmp_path: Path, path: str, lines: str) -> None:
    units, scripts = tmp_path / "etc/systemd/system", tmp_path / "usr/local/sbin"
    own = units / path
    own.parent.mkdir(parents=True)
    scripts.mkdir(parents=True)
    (scripts / "roce-lossless-host.sh").write_text(f"#!/bin/sh\n{ON}\n{ON.replace('ens1', 'ens2')}\n")
    own.write_text(lines.format(f"/usr/bin/{OFF}"))
    assert {(rule, severity) for rule, severity, _ in failing(tmp_path, "README")} == {("input/conflict", "error")}
    own.write_text(lines.format(f"/usr/bin/{ON}"))
    assert not failing(tmp_path, "README")
