"""What a channel says for its members is changed in the channel's own line; no second one stands beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.fixing.planning import plan
from tests.fixing.test_plan import site

POLICY = 'roce: {dscp: [26], priority: [3]}\nmtu: {roce: 4096}\nports: [{match: "leaf1:Ethernet*", roce: true}]\n'
PORT = """interface {name}
  no switchport
  mtu 9216
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
{more}
"""
GLOBAL = """!Command: show running-config
version 10.3(4a) Bios:version 05.47
hostname leaf1
class-map type qos match-any RDMA
  match dscp 26
policy-map type qos IN
  class RDMA
    set qos-group 3
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
  class type network-qos c-8q-nq-default
    mtu 9216
system qos
  service-policy type network-qos NQ
  service-policy type qos input IN

"""
CHANNEL = PORT.format(name="port-channel20", more="  ip address 10.0.0.1/31\n")
PORTS = "\n".join(PORT.format(name=f"Ethernet1/{n}", more=f"  ip address 10.1.{n}.0/31\n") for n in range(1, 5))
MEMBERS = "\n".join(PORT.format(name=f"Ethernet1/{n}", more="  channel-group 20 mode active\n") for n in (31, 32))


@pytest.mark.parametrize(
    ("right", "wrong"), [("  mtu 9216\n", "  mtu 1500\n"), ("control mode on\n", "control mode off\n")]
)
def test_the_line_of_the_channel_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("roce-audit.yaml").write_text(POLICY)
    Path("leaf1.cfg").write_text(GLOBAL + CHANNEL.replace(right, wrong) + PORTS + MEMBERS)
    found = plan(site(tmp_path, select=("mtu", "pfc")))
    assert found.after["leaf1.cfg"] == GLOBAL + CHANNEL + PORTS + MEMBERS
    (one,) = found.fixed
    ((_, change),) = one.proposal.changes
    header = "interface port-channel20"
    assert header in change.undo
    assert any(wrong.strip() in line for line in change.undo)
