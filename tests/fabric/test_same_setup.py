"""A port whose own lines set its queues up as on most ports with the same lines, which carry RoCE, carries it as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import Policy

_HEAD = """\
set system hostname "leaf1"
set system management-ethernet eth0 ip-address IPv4 192.0.2.5/24
set vlans vlan-id 10
set class-of-service classifier roce trust-mode "dscp"
set class-of-service classifier roce forwarding-class rdma code-point 26
set class-of-service forwarding-class rdma local-priority 3
set class-of-service scheduler rdma mode "WFQ"
set class-of-service scheduler rdma weight 60
set class-of-service scheduler-profile roce forwarding-class rdma scheduler "rdma"
set class-of-service pfc-profile roce code-point 3 drop false
"""
_PORT = """\
set interface gigabit-ethernet {port} description "{what}"
set interface gigabit-ethernet {port} mtu 9216
set class-of-service interface {port} classifier "roce"
set class-of-service interface {port} scheduler-profile "roce"
"""
_PAUSE = 'set class-of-service interface {port} pfc-profile "roce"\n'
_DROPS = "".join(f"set class-of-service pfc-profile roce code-point {n} drop true\n" for n in range(8) if n != 3)


def _off(folder: Path, without: dict[str, str], lines: str = _PORT) -> list[str]:
    """The ports that are told to be without PFC; two others have it."""
    pausing = {"xe-1/1/1": "node-a", "xe-1/1/2": "node-b"}
    text = _HEAD + _DROPS + "".join((_PORT + _PAUSE).format(port=port, what=what) for port, what in pausing.items())
    text += "".join(lines.format(port=port, what=what) for port, what in without.items())
    (folder / "leaf1.set").write_text(text)
    report = check(Request((str(folder),), Policy.empty())).report
    return [f.message for f in report.findings if f.rule == "pfc/priority-off" and f.verdict == "fails"]


def test_the_way_up_that_is_set_up_like_the_ports_of_hosts_needs_what_they_need(tmp_path: Path) -> None:
    assert len(_off(tmp_path, {"xe-1/1/31": "spine"})) == 1


@pytest.mark.parametrize(
    ("without", "lines"),
    [
        ({"xe-1/1/31": "spine", "xe-1/1/32": "edge"}, _PORT),  # no majority: the lines are those of every port
        ({"xe-1/1/31": "oob"}, _PORT),
        ({"xe-1/1/31": "spine"}, _PORT.replace('profile "roce"', 'profile "other"')),
        ({"xe-1/1/31": "spine"}, "".join(_PORT.splitlines(keepends=True)[:2])),
    ],
    ids=["as-many", "against", "other-queues", "nothing"],
)
def test_a_port_of_which_that_is_not_sure_stays_open(tmp_path: Path, without: dict[str, str], lines: str) -> None:
    assert _off(tmp_path, without, lines) == []
