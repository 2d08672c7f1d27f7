"""Which NICs a script calls its tools for, where a list of devices is asked for or piped."""

from __future__ import annotations

import pytest

from roce_audit.platforms.linux.boot.scriptcalls import Script, followed


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
        ("find /sys/class/net -maxdepth 1 -name 'ens*' -printf '%f\\n' | xargs -n1 ip link set mtu 1500 dev", "ens*"),
        ("find /sys/class/net/ -name 'ens*' -exec sh -c 'ip link set $(basename $1) mtu 1500' _ {} \\;", "ens*"),
        ("sudo parallel -j4 ip link set {} mtu 1500 ::: ens1 ens2", "ens1 ens2"),
        ("parallel ip link set mtu 1500 dev ::: ens1 ens2", "ens1 ens2"),
        ("cat nics.txt | xargs -I{} ip link set {} mtu 1500", "$each"),
        ("ls /sys/class/net | grep -v lo | xargs -I{} ip link set {} mtu 1500", "$each"),
    ],
)
def test_lists_of_devices(line: str, device: str) -> None:
    assert named(line) == ([(device, "mtu 1500")] if device else [])


def test_a_shell_that_xargs_calls() -> None:
    line = "ls /sys/class/infiniband | xargs -I{} sh -c 'echo 104 > /sys/class/infiniband/{}/tc/1/traffic_class'"
    assert named(line) == [("*", "traffic_class 104")]


@pytest.mark.parametrize("dashes", ["\u2013i ens1 \u2013f", "-i ens1 \u2014pfc", "-i ens1 \u2013\u2013pfc"])
def test_dashes_of_a_word_processor_make_a_call_that_sets_nothing(dashes: str) -> None:
    ((device, statement),) = named(f"mlnx_qos {dashes} 0,0,0,1,0,0,0,0")
    assert (device, statement.split()[:2]) == ("ens1", ["misspelt", "pfc"])


@pytest.mark.parametrize(
    ("line", "statements"),
    [
        (
            "lldptool -T -i ens1 -V ETS-CFG tsa=0:ets,3:strict up2tc=3:1 tcbw=100,0",
            ["tsa 0 ets", "tsa 3 strict", "tc-of 3 1", "share 0 100", "share 1 0"],
        ),
        ("dcb buffer set dev ens1 prio-buffer 3:1 buffer-size 1:64K", ["buffer-of 3 1", "bytes 1 65536"]),
        ("mlnx_qos -i ens1 --prio2buffer 0,1 --buffer_size=1000", ["buffer-of 0 0", "buffer-of 1 1", "bytes 0 1000"]),
    ],
)
def test_classes_and_buffers(line: str, statements: list[str]) -> None:
    assert named(line) == [("ens1", statement) for statement in statements]


@pytest.mark.parametrize(
    ("options", "statements"),
    [
        ("--trust dscp", ["trust dscp", "eighths"]),
        ("--trust=dcsp --pfc 0,0,0,1,0,0,0,0", ["rejected trust dcsp: it trusts dscp or pcp", "pfc 0,0,0,1,0,0,0,0"]),
        ("--trust $how", ["trust $how"]),
        (
            "--pfc 0,0,0,1,0,0,0,0 --trust dscp --dscp2prio set,26,3 --buffer_size 1000",
            [
                "pfc 0,0,0,1,0,0,0,0",
                "rejected trust dscp: it does not take --trust and --dscp2prio in one call",
            ],
        ),
    ],
)
def test_calls_that_mlnx_qos_refuses(options: str, statements: list[str]) -> None:
    assert named(f"mlnx_qos -i ens1 {options}") == [("ens1", statement) for statement in statements]


@pytest.mark.parametrize(
    ("options", "statements"),
    [
        ("tc-bw 0:10 1:90", ["share 0 10", "share 1 90"]),
        ("prio-tc$list tc-bw 0:10", [*(f"tc-of {number} $" for number in range(8)), "share 0 10"]),
        ("prio-tc $list", [f"tc-of {number} $" for number in range(8)]),
        ("tc-tsa $lossless:ets", [f"tsa {number} $" for number in range(8)]),
        ("tc-tsa 3:$how", ["tsa 3 $how"]),
    ],
)
def test_what_the_shell_writes_into_a_list_of_dcb_is_not_seen(options: str, statements: list[str]) -> None:
    assert named(f"dcb ets set dev ens1 {options}") == [("ens1", statement) for statement in statements]
