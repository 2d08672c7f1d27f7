"""Below which finding a consequence is told."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.engine.listing import linked
from roce_audit.policy import load_text
from tests.report.report_samples import finding, member

MARKED = load_text("roce: {dscp: [26], priority: [3]}\n", "roce-audit.yaml")
PORTS = "".join(
    f"interface Ethernet1/{n}\n  description host{n}\n  priority-flow-control mode on\n  mtu 9216\n  no shutdown\n"
    for n in range(1, 6)
)
NOT_DEFINED = f"""\
version 10.3(4)
hostname leaf1
class-map type qos match-all RDMA
  match dscp 26
policy-map type network-qos NWQOS
  class type network-qos NWQOS-RDMA
    pause pfc-cos 3
    mtu 9216
policy-map type qos CLASSIFY
  class RDMA
    set qos-group 3
policy-map type queuing QUEUES
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    random-detect minimum-threshold 300 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
system qos
  service-policy type network-qos NWQOS
  service-policy type queuing output QUEUES
{PORTS}"""
"""Its network-qos class has no definition, and the ports have no classifier."""


def test_a_consequence_is_told_below_the_cause_on_its_own_device() -> None:
    """Not below what was undetermined elsewhere, nor below the first of that rule."""
    undecided = finding(members=(member("Ethernet1/1", 3, "leaf2"),), verdict="unknown", fingerprint="undecided")
    elsewhere = finding(members=(member("Ethernet1/1", 3, "spine1"),), fingerprint="elsewhere")
    cause = finding(members=(member("Ethernet1/9", 3, "leaf2"),), fingerprint="cause")
    following = finding("mtu/below-roce", members=(member("Po1", 9, "leaf2"),), because_of="pfc/priority-off")
    *_, told = linked([undecided, elsewhere, cause, following])
    assert told.because_of == "cause"
    *_, of_no_other = linked([undecided, following])
    assert of_no_other.because_of is None


def test_a_name_that_nothing_defines_is_not_told_below_something_milder(tmp_path: Path) -> None:
    (tmp_path / "leaf1.cfg").write_text(NOT_DEFINED, encoding="utf-8")
    found = [f for f in check(Request((str(tmp_path),), MARKED)).report.findings if f.verdict == "fails"]
    undefined = [f for f in found if f.rule == "input/undefined-or-unapplied" and f.subject == "NWQOS-RDMA"]
    assert [(f.severity, f.because_of) for f in undefined] == [("error", None)]
    (unbound,) = (f for f in found if f.rule == "ecn/off-on-lossless-queue")
    assert unbound.severity == "warning"
    assert "queue 0 is that of unmarked traffic (is the classifier bound here?)" in unbound.message
