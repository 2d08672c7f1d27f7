"""Which NICs a script calls its tools for, where a list of devices is asked for or piped."""

from __future__ import annotations

import pytest

from roce_audit.platforms.linux.scriptcalls import Script, followed


def named(*lines: str) -> list[tuple[str, str]]:
    found = followed(Script("/roce.sh", ("#!/bin/sh", *lines), None, (), is_cut=False))
    return [(call.device, call.statement) for call in found.calls]


@pytest.mark.parametrize(
    ("line", "device"),
    [
        ("ls /sys/class/net | grep np0 | xargs -n1 -I@ ip link set @ mtu 1500", "*np0*"),
        ("ls /sys/class/net | grep ^ens | xargs -I {} ip link set {} mtu 1500", "ens*"),
        ("ls /sys/class/net | xargs -i ip link set {} mtu 1500", "*"),
        ("ls -1 /sys/class/net/ens* | xargs -P 4 -I% ip link set % mtu 1500", "ens*"),
        ("echo ens1 ens2 | xargs -n 1 ifconfig mtu 1500 -a", ""),
        ("echo ens1 ens2 | xargs -n 1 -I{} ip link set {} mtu 1500", "ens1 ens2"),
        ("for n in `ls /sys/class/net | grep 'np1$'`; do ip link set $n mtu 1500; done", "*np1"),
        ("for n in $(ls -d /sys/class/net/ens*np0 | xargs -n1 basename); do ip link set $n mtu 1500; done", "ens*np0"),
        ("for n in $(ls /sys/class/net | grep -v lo); do ip link set $n mtu 1500; done", "$n"),
        ("ls /sys/class/net | grep -v lo | xargs -I{} ip link set {} mtu 1500", "$each"),
    ],
)
def test_lists_of_devices(line: str, device: str) -> None:
    assert named(line) == ([(device, "mtu 1500")] if device else [])


def test_a_shell_that_xargs_calls() -> None:
    line = "ls /sys/class/infiniband | xargs -I{} sh -c 'echo 104 > /sys/class/infiniband/{}/tc/1/traffic_class'"
    assert named(line) == [("*", "traffic_class 104")]
