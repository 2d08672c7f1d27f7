"""Memory for lossless traffic while PFC is on for no port: how loud that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load
from roce_audit.policy.values import Policy

LINES = (
    "system hostname leaf1",
    "interface swp1-4 link mtu 9216",
    "interface swp1-4 qos pfc-watchdog state enable",
    "qos traffic-pool default-lossless memory-percent 50",
)


@pytest.mark.parametrize(("policy", "severity"), [("", "error"), ("lossless: false\n", "warning")])
def test_in_a_fabric_that_is_lossy_on_purpose_it_is_no_error(tmp_path: Path, policy: str, severity: str) -> None:
    (tmp_path / "nv_config_show_-o_commands.txt").write_text("".join(f"nv set {line}\n" for line in LINES))
    (tmp_path / "roce-audit.yaml").write_text(policy)
    given = load(tmp_path / "roce-audit.yaml") if policy else Policy.empty()
    report = check(Request((str(tmp_path),), given, select=("pfc/no-port-pauses",), context=())).report
    assert [finding.severity for finding in report.findings if finding.verdict == "fails"] == [severity]


NEXUS = """hostname tor1
feature lldp
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    mtu 9216
  class type network-qos c-8q-nq-default
    mtu 9216
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
{ecn}  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
{ports}system qos
  service-policy type queuing output OUT
  service-policy type network-qos NQ
"""


@pytest.mark.parametrize(
    ("ecn", "severity"),
    [
        (
            "    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn\n",
            "error",
        ),
        ("", "warning"),
    ],
)
def test_pfc_and_marking_without_any_no_drop_class(tmp_path: Path, ecn: str, severity: str) -> None:
    """PFC that is on may be what every port is given; beside a queue that marks it was meant for RoCE."""
    ports = "".join(
        f"interface Ethernet1/{n}\n  switchport mode trunk\n  priority-flow-control mode on\n  mtu 9216\n"
        for n in range(1, 7)
    )
    (tmp_path / "tor1.cfg").write_text(NEXUS.format(ecn=ecn, ports=ports))
    report = check(Request((str(tmp_path),), Policy.empty())).report
    (found,) = [one for one in report.findings if one.rule == "pfc/priority-without-buffer"]
    assert (found.severity, found.verdict, len(found.members)) == (severity, "fails", 6)
