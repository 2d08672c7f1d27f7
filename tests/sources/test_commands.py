"""Commands as file names and as typed."""

from __future__ import annotations

import pytest

from roce_audit.sources.commands import command_of, typed


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("mlnx_qos_-i_ens1f0np0.txt", "mlnx_qos -i ens1f0np0"),
        ("mlxconfig_-d_0000-3b-00.0_-e_q.txt", "mlxconfig -d 0000:3b:00.0 -e q"),
        ("dcb_-j_pfc_show_dev_ens1f0np0.json", "dcb -j pfc show dev ens1f0np0"),
        ("ethtool_-a_ens1f0np0.txt", "ethtool -a ens1f0np0"),
        ("show_gids.txt", "show_gids"),
        ("sysfs.txt", "sysfs"),
        ("hostname.txt", "hostname"),
        ("show_running-config.txt", "show running-config"),
        ("02-show_priority-flow-control.txt", "show priority-flow-control"),
        ("7_show_version.txt", "show version"),
        ("show_interface_Ethernet1-1_switchport.txt", "show interface Ethernet1/1 switchport"),
        ("show_interfaces_et-0-0-0.txt", "show interfaces et-0/0/0"),
        ("ibv_devinfo_-d_mlx5_0.txt", "ibv_devinfo -d mlx5_0"),
        ("cat_-etc-os-release.txt", "cat /etc/os-release"),
        ("show_runningconfiguration_all.txt", "show runningconfiguration all"),
        ("Get-NetQosPolicy.txt", "Get-NetQosPolicy"),
        ("nv_config_show.yaml", "nv config show"),
        ("env.yaml", None),
        ("leaf1.cfg", None),
        ("show.txt", None),
        ("shower_1.txt", None),
        ("network.txt", None),
        ("show_version", None),
    ],
)
def test_command_of_a_file_name(name: str, command: str | None) -> None:
    assert command_of(name) == command


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("sh run", "show running-config"),
        ("show  running-config | no-more", "show running-config"),
        ("sho ver", "show version"),
        ("disp cur", "display current-configuration"),
        ("dis cu", "display current-configuration"),
        ("show running-config | section qos", "show running-config | section qos"),
        ("sudo mlnx_qos -i eth0", "mlnx_qos -i eth0"),
        ("sudo ./tools/show_gids", "show_gids"),
        ("/usr/sbin/ethtool -a ens1", "ethtool -a ens1"),
        ("cat /etc/os-release", "cat /etc/os-release"),
        ("sudo ip netns exec asic0 show queue counters", "show queue counters"),
        ("ip netns exec gpu ip addr", "ip netns exec gpu ip addr"),
    ],
)
def test_typed_commands_are_written_out(text: str, command: str) -> None:
    assert typed(text) == command
