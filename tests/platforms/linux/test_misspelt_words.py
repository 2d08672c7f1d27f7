"""What a script does besides calling NIC tools: a misspelt writer, file of the kernel, key of sysctl or module is told."""

from __future__ import annotations

import pytest
from host_answers import answer, host

from roce_audit.platforms.linux.boot.scriptcalls import Script, followed
from roce_audit.platforms.linux.boot.words import in_words

RIGHT = (
    "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
    "echo 1 | sudo tee /sys/class/net/$DEV/ecn/roce_rp/enable/3 >/dev/null",
    "echo 48 > /sys/class/net/ens1f0np0/ecn/roce_np/cnp_dscp",
    'echo 9000 > "/sys/class/net/${dev}/mtu"',
    "echo RoCE v2 > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_mode",
    "echo 1 > /proc/sys/net/ipv4/conf/all/arp_ignore",
    "cat /sys/class/net/ens1/ecn/roce_np/enable/3",
    "sysctl -w net.ipv4.conf.all.arp_ignore=1",
    "sysctl -w net.ipv4.conf.all.arp_filter=1 net.ipv4.tcp_ecn=1",
    "modprobe mlx5_core",
    "modprobe -r ib_ipoib; modprobe rdma_cm",
    "printf %s 1 > /sys/class/net/ens1/queues/rx-0/rps_cpus",
    "modinfo mlx5_core",
    "# ehco 1 > /sys/class/net/ens1/mtu",
    "log 'modprob mlx5_core failed'",
)
SLIPS = (
    "ehco 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
    "test -e /x && ehco 1 > /sys/class/net/ens1/ecn/roce_np/enable/3",
    "echo 1 | sudo ete /sys/class/net/ens1/mtu",
    "echo 1 > /sys/class/net/ens1/ecn/roce_pn/enable/3",
    "echo 1 > /sys/class/net/ens1/ecn/roce_np/enabel/3",
    "echo 48 > /sys/class/net/$dev/ecn/roce_np/cnp_dcsp",
    "echo 1 > /sys/clas/net/ens1/ecn/roce_np/enable/3",
    "echo 106 > /sys/class/infinband/mlx5_0/tc/1/traffic_class",
    "echo 26 > /sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tso",
    "echo 1 > /proc/sys/net/ipv4/conf/all/arp_ingore",
    "sysctl -w net.ipv4.conf.all.arp_anounce=2",
    "systcl -w net.ipv4.conf.all.arp_ignore=1",
    "modprobe mlx5_cor",
    "sudo modprob mlx5_core",
    "modprobe rdma-mc",
)
NIC = (
    "/sys/class/net/ens1/device/uevent:DRIVER=mlx5_core\n/sys/class/net/ens1/device/infiniband/mlx5_0/node_type:1: CA\n"
    "/sys/class/infiniband/mlx5_0/fw_ver:28.1.2\n"
)


def test_what_is_written_as_the_kernel_has_it_is_quiet() -> None:
    assert not [RIGHT[at] for at in in_words(RIGHT)]


@pytest.mark.parametrize("line", SLIPS)
def test_a_misspelt_word_is_told(line: str) -> None:
    assert list(in_words(("true", line))) == [1]


@pytest.mark.parametrize("line", [SLIPS[0], SLIPS[3]])
def test_it_is_an_unread_line_of_the_boot_file_and_told_once(line: str) -> None:
    seen = host(answer("sysfs", f"{NIC}/etc/rc.local:#!/bin/sh\n/etc/rc.local:{line}\n")).seen
    (found,) = [one for one in seen if one.observation.kind == "unread-line"]
    assert line in found.quote


@pytest.mark.parametrize(("file", "unread"), [("enabel", (2,)), ("enable", ())])
def test_a_misspelt_file_below_a_variable_is_told(file: str, unread: tuple[int, ...]) -> None:
    script = ("#!/bin/bash", 'ECN="/sys/class/net/$nic/ecn"', f'echo 1 > "${{ECN}}"/roce_rp/{file}/$priority')
    assert followed(Script("/usr/local/sbin/qos.sh", script, None, (), False)).unread == unread
