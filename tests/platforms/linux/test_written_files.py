"""Files that a script writes by here-documents, kickstart files, units whose commands go over several lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.engine.rules import rulepack
from roce_audit.policy.values import Policy

PFC = "mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0"
UNIT = [
    "cat << EOF | sudo tee /etc/systemd/system/roce.service",
    "[Service]",
    "Type=oneshot",
    "ExecStart=/bin/bash -c 'mlnx_qos -i ${NIC} --trust dscp --pfc 0,0,0,1,0,0,0,0'",
    "EOF",
]
KICKSTART = """\
install
text
%packages
@core
%end
%post --log=/root/post.log
cat > /usr/local/bin/dcb.sh << 'DCB'
#!/bin/bash
for dev in $(ls /sys/class/net/); do
    dcb pfc set dev "$dev" prio-pfc all:off 3:on
    dcb ets set dev "$dev" tc-tsa all:ets tc-bw 0:50 1:0 2:0 3:50 4:0 5:0 6:0 7:0
done
DCB
systemctl enable dcb.service
%end
"""


def failing(folder: Path, name: str, *lines: str) -> set[tuple[str, str, int]]:
    """(rule, device, line) of what is an error or a warning."""
    (folder / name).write_text("\n".join((*lines, "")))
    report = check(Request((str(folder),), Policy.empty(), rules=tuple(rulepack.load()))).report
    return {
        (one.rule, one.device or "", one.locations[0].line)
        for one in report.findings
        if one.verdict == "fails" and one.severity in ("error", "warning")
    }


def test_what_a_script_sets_and_what_it_writes_for_later(tmp_path: Path) -> None:
    lines = ["#!/bin/bash", "NIC=ens1", PFC, *UNIT]
    assert not failing(tmp_path, "roce.sh", *lines)
    other = [line.replace("--pfc 0,0,0,1,", "--pfc 0,0,0,0,") if "ExecStart" in line else line for line in lines]
    other = [line.replace("0,0,0,0,0,0,0,0'", "0,0,0,0,1,0,0,0'") for line in other]
    assert failing(tmp_path, "roce.sh", *other) == {("input/conflict", "roce.sh", 7)}


def test_a_file_that_is_written_is_judged_as_one_of_its_own(tmp_path: Path) -> None:
    lines = ["#!/bin/bash", "cat > /usr/local/bin/q.sh <<'EOF'", "mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0", "EOF"]
    assert failing(tmp_path, "install.sh", *lines) == {("input/rejected-call", "install.sh", 3)}
    assert not failing(tmp_path, "install.sh", *(line.replace("1,0,0,0", "1,0,0,0,0") for line in lines))
    # written in each way of a condition: nobody knows which
    both = [
        "#!/bin/bash",
        "if a; then",
        *lines[1:2],
        PFC,
        "EOF",
        "else",
        *lines[1:2],
        PFC.replace("0,1", "1,0"),
        "EOF",
        "fi",
    ]
    assert not failing(tmp_path, "install.sh", *both)


@pytest.mark.parametrize("name", ["host.ks", "ks.cfg", "gpu-ks.cfg", "kickstart-el9.cfg"])
def test_scripts_of_a_kickstart_file(tmp_path: Path, name: str) -> None:
    assert not failing(tmp_path, name, KICKSTART)
    assert failing(tmp_path, name, KICKSTART.replace("3:50", "3:60")) == {
        ("ets/setup-shares", name.removesuffix(".cfg"), 11)
    }


@pytest.mark.parametrize("written", ["{} > $CC/np_cnp_prio", "{} > /sys/class/net/ens1/ecn/roce_np/cnp_802p_prio"])
def test_priority_of_cnps(tmp_path: Path, written: str) -> None:
    unit = [
        "[Unit]",
        "[Service]",
        "Type=oneshot",
        f"ExecStart=/bin/bash -c '{PFC}'",
        "ExecStart=/bin/sh -c '\\",
        "  CC=/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params; \\",
        f"  echo {written}; \\",
        "  echo 48 > $CC/np_cnp_dscp'",
    ]
    assert not failing(tmp_path, "roce.service", *(line.format(6) for line in unit))
    paused = failing(tmp_path, "roce.service", *(line.format(3) for line in unit))
    assert paused == {("cnp/setup-in-data-class", "roce.service", 7)}


def test_mask_of_priorities_beside_pfc(tmp_path: Path) -> None:
    stored = "mlxconfig -y -d /dev/mst/mt4129_pciconf0 set ROCE_CC_PRIO_MASK_P1="
    assert not failing(tmp_path, "roce.sh", PFC, f"{stored}8")
    assert not failing(tmp_path, "roce.sh", PFC, f"{stored}255")
    assert failing(tmp_path, "roce.sh", PFC, f"{stored}3") == {("dcqcn/setup-other-priority", "roce.sh", 2)}


def test_notes_of_calls_over_several_lines(tmp_path: Path) -> None:
    calls = [
        "sudo mlnx_qos \\",
        "  -i ens1 \\",
        "  --pfc 0,0,0,1,0,0,0,0",
        "sudo mlxconfig -d mlx5_0 \\",
        "  set CNP_DSCP_P1=48",
    ]
    assert not failing(tmp_path, "notes.sh", *calls)
    slip = [line.replace("0,0,0,1,0,0,0,0", "0,0,0,1,0,0,0") for line in calls]
    assert failing(tmp_path, "notes.sh", *slip) == {("input/rejected-call", "notes.sh", 3)}


def test_a_unit_that_is_written_and_never_enabled(tmp_path: Path) -> None:
    unit = [*UNIT[:-1], "[Install]", "WantedBy=multi-user.target", "EOF"]
    lines = ["#!/bin/bash", "NIC=ens1", "systemctl enable sshd", *unit]
    assert failing(tmp_path, "install.sh", *lines) == {("input/conflict", "install.sh", 9)}
    for ends in ("systemctl enable --now roce", "systemctl reenable roce.service", 'systemctl enable "$UNITS"'):
        assert not failing(tmp_path, "install.sh", *lines, ends)
    assert not failing(tmp_path, "install.sh", *(line for line in lines if "sshd" not in line))
    other = [line.replace("mlnx_qos -i ${NIC} --trust dscp --pfc 0,0,0,1,0,0,0,0", "node_exporter") for line in lines]
    assert not failing(tmp_path, "install.sh", *other, PFC)


def test_two_rdma_devices_beside_one_nic(tmp_path: Path) -> None:
    def lines(device: str) -> list[str]:
        forced = f"echo 106 > /sys/class/infiniband/{device}/tc/1/traffic_class"
        return ["#!/bin/bash", PFC, "cma_roce_tos -d mlx5_0 -t 106", forced]

    assert not failing(tmp_path, "roce.sh", *lines("mlx5_0"))
    assert failing(tmp_path, "roce.sh", *lines("mlx5_1")) == {("input/conflict", "roce.sh", 4)}
    assert not failing(tmp_path, "roce.sh", *lines("mlx5_1"), PFC.replace("ens1", "ens2"))


USER_DATA = """\
#cloud-config
write_files:
  - path: /etc/netplan/70-rail.yaml
    content: |
      network:
        ethernets:
          ens1:
            mtu: {}
  - path: /usr/local/bin/rail.sh
    permissions: "0755"
    content: |
      #!/bin/bash
      mlnx_qos -i ens1 --trust dscp --pfc 0,0,0,1,0,0,0,0
bootcmd:
  - /usr/local/bin/rail.sh
"""


@pytest.mark.parametrize("more", ["", "  - echo NCCL_IB_TC=106 >> /etc/nccl.conf\n"], ids=["setup alone", "with a job"])
def test_networks_in_user_data(tmp_path: Path, more: str) -> None:
    assert not failing(tmp_path, "user-data", USER_DATA.format(9000) + more)
    found = failing(tmp_path, "user-data", USER_DATA.format(1500) + more)
    assert {(rule, line) for rule, _, line in found} == {("mtu/setup-without-jumbo-frames", 8)}


def test_networks_that_a_script_writes(tmp_path: Path) -> None:
    lines = [
        "#!/bin/bash",
        PFC,
        "cat > /etc/systemd/network/10-ens1.link <<'END'",
        "[Match]",
        "OriginalName=ens1",
        "[Link]",
    ]
    assert not failing(tmp_path, "setup.sh", *lines, "MTUBytes=9000", "END")
    found = failing(tmp_path, "setup.sh", *lines, "MTUBytes=1500", "END")
    assert {(rule, line) for rule, _, line in found} == {("mtu/setup-without-jumbo-frames", 7)}


AUTOINSTALL = """#cloud-config
autoinstall:
  version: 1
  network:
    version: 2
    ethernets:
      ens1:
        mtu: 9000
  late-commands:
    - |
      cat > /target/usr/local/sbin/roce <<'EOS'
      #!/bin/sh
      mlnx_qos -i ens1 --trust dscp
      mlnx_qos -i ens1 --pfc 0,0,0,1,0,0,0,0
      EOS
    - |
      cat > /target/etc/systemd/system/roce.service <<'EOS'
      [Service]
      ExecStart=/usr/local/sbin/roce
      [Install]
      WantedBy=multi-user.target
      EOS
    - curtin in-target -- systemctl enable roce.service
"""


@pytest.mark.parametrize(
    ("sound", "slip", "expected"),
    [
        ("mtu: 9000", "mtu: 1500", {("mtu/setup-without-jumbo-frames", "user-data", 8)}),
        ("    - curtin in-target -- systemctl enable roce.service\n", "", {("input/conflict", "user-data", 21)}),
        ("0,1,0,0,0,0\n", "0,1,0,0,0\n", {("input/rejected-call", "user-data", 14)}),
    ],
)
def test_what_an_installer_of_ubuntu_leaves_on_the_host(
    tmp_path: Path, sound: str, slip: str, expected: set[tuple[str, str, int]]
) -> None:
    assert not failing(tmp_path, "user-data", AUTOINSTALL)
    assert failing(tmp_path, "user-data", AUTOINSTALL.replace(sound, slip)) == expected
