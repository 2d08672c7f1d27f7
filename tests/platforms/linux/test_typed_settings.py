"""What somebody types in a session behind the answers that show a NIC."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

PROMPT = "[root@gpu12 ~]# "
LOG = f"""{PROMPT}ibdev2netdev
mlx5_0 port 1 ==> ens1np0 (Up)
{PROMPT}dcb -N pfc show dev ens1np0
pfc-cap 8 macsec-bypass off delay 7
prio-pfc 0:off 1:off 2:off 3:on 4:off 5:off 6:off 7:off
{PROMPT}ethtool -a ens1np0
Pause parameters for ens1np0:
Autonegotiate:\toff
RX:\t\toff
TX:\t\toff
{PROMPT}cat /sys/class/infiniband/mlx5_0/tc/1/traffic_class
Global tclass=106
"""


def told(folder: Path, *typed: str) -> set[tuple[str, str, int]]:
    """(rule, severity, line of the last place) of conflicts."""
    (folder / "gpu12.log").write_text(LOG + "".join(f"{PROMPT}{one}\n" for one in typed))
    report = check(Request((str(folder),), Policy.empty())).report
    return {
        (one.rule, one.severity, max(at.line for at in one.locations))
        for one in report.findings
        if one.verdict == "fails" and one.rule.startswith("input/")
    }


@pytest.mark.parametrize(
    "typed",
    [
        "dcb pfc set dev ens1np0 prio-pfc 3:off",
        "mlnx_qos -i ens1np0 -f 0,0,0,0,0,0,0,0",
        "lldptool -T -i ens1np0 -V PFC enabled=none",
        "ethtool -A ens1np0 rx on tx on",
        "echo 136 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
    ],
)
def test_what_was_shown_before_no_longer_holds(tmp_path: Path, typed: str) -> None:
    assert told(tmp_path, "date", typed) == {("input/conflict", "warning", 14)}


@pytest.mark.parametrize(
    "typed",
    [
        "dcb pfc set dev ens1np0 prio-pfc 3:on",
        "mlnx_qos -i ens1np0 -f 0,0,0,1,0,0,0,0",
        "ethtool -A ens1np0 rx off tx off",
        "echo 106 > /sys/class/infiniband/mlx5_0/tc/1/traffic_class",
        "dcb pfc set dev ens9np0 prio-pfc 3:off",
        "ethtool -G ens1np0 rx 8192",
    ],
)
def test_what_is_set_as_it_was_says_nothing_else(tmp_path: Path, typed: str) -> None:
    assert not told(tmp_path, typed)


def test_a_session_in_which_nothing_is_printed_is_a_script(tmp_path: Path) -> None:
    typed = ["mlnx_qos -i ens1np0 --trust dscp", "echo {} > /sys/class/infiniband/mlx5_0/tc/1/traffic_class"]
    typed.append("mlnx_qos -i ens1np0 --pfc 0,0,0,1,0,0,0,0")
    for byte, expected in ((106, set()), (136, {("marking/setup-misses-own-pfc", 3)})):
        (tmp_path / "gpu12.log").write_text("".join(f"{PROMPT}{one.format(byte)}\n" for one in typed))
        found = check(Request((str(tmp_path),), Policy.empty())).report.findings
        assert {(one.rule, one.locations[0].line) for one in found if one.verdict == "fails"} == expected


@pytest.mark.parametrize(
    ("shown", "expected"),
    [(("1", "1"), []), (("1", "0"), [("dcqcn/half-on", "error", 16)]), (("0", "0"), [("dcqcn/off", "info", 14)])],
)
def test_congestion_control_of_the_class_alone(
    tmp_path: Path, shown: tuple[str, str], expected: list[tuple[str, str, int]]
) -> None:
    """Who shows or sets it for the paused priority alone has said what matters."""
    path = "/sys/class/net/ens1np0/ecn/roce_{}/enable/3"
    cat = "".join(
        f"{PROMPT}cat {path.format(side)}\n{value}\n" for side, value in zip(("np", "rp"), shown, strict=True)
    )
    typed = "".join(
        f"{PROMPT}echo {value} > {path.format(side)}\n" for side, value in zip(("np", "rp"), shown, strict=True)
    )
    for text in (cat, typed):
        (tmp_path / "gpu12.log").write_text(LOG + text)
        found = check(Request((str(tmp_path),), Policy.empty())).report.findings
        assert [(f.rule, f.severity) for f in found if f.verdict == "fails"] == [one[:2] for one in expected]


def test_congestion_control_that_was_on_no_longer_holds(tmp_path: Path) -> None:
    path = "/sys/class/net/ens1np0/ecn/roce_rp/enable/3"
    assert told(tmp_path, "date", f"echo 1 > {path}", f"echo 0 > {path}") == {("input/conflict", "warning", 15)}


def test_what_the_other_priorities_have_stays_open(tmp_path: Path) -> None:
    """A script that sets all of them at boot sets nothing else than what runs, as far as that is shown."""
    path = "/sys/class/net/ens1np0/ecn/roce_{}/enable/"
    shown = "".join(f"{PROMPT}cat {path.format(side)}3\n1\n" for side in ("np", "rp"))
    set_up = "".join(f"  echo 1 > {path.format(side)}$i\n" for side in ("np", "rp"))
    script = f"{PROMPT}cat /etc/rc.local\n#!/bin/bash\nfor i in 0 1 2 3 4 5 6 7; do\n{set_up}done\n{PROMPT}date\n"
    (tmp_path / "gpu12.log").write_text(LOG + shown + script)
    found = check(Request((str(tmp_path),), Policy.empty())).report.findings
    assert not [one.rule for one in found if one.verdict == "fails" and one.rule == "fleet/lost-at-reboot"]
