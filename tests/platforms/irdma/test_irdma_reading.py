"""Intel E800: RoCE or iWARP, the firmware's agent, lldptool, congestion control."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Why

DRIVER = ("ethtool -i ens1", "driver: ice\nbus-info: 0000:af:00.0\n")
APP = ("dcb app show dev ens1", "default-prio 0 \ndscp-prio 26:3 48:6 \n")


def read(*answers: tuple[str | None, str]) -> DeviceReading:
    documents = tuple(Document(f"{i}.txt", text, command) for i, (command, text) in enumerate(answers))
    return platform("linux").read(DeviceInput("host", "linux", documents))


def devlink(roce: str, iwarp: str) -> tuple[str, str]:
    rows = "".join(
        f"  name {name} type generic\n    values:\n      cmode runtime value {value}\n"
        for name, value in (("enable_roce", roce), ("enable_iwarp", iwarp))
    )
    return "devlink dev param show", f"pci/0000:af:00.0:\n{rows}"


PARAMETER = "/sys/module/irdma/parameters/"


@pytest.mark.parametrize(
    ("evidence", "kind"),
    [
        ([devlink("true", "false")], None),
        ([devlink("false", "true")], "iwarp"),
        ([("sysfs", f"{PARAMETER}roce_ena:0\n")], "iwarp"),
        ([("sysfs", f"{PARAMETER}roce_ena:1\n")], None),
        ([("sysfs", f"{PARAMETER}roce_ena:0\n{PARAMETER}roce_port_cfg:3\n")], None),
        ([devlink("true", "false"), ("sysfs", f"{PARAMETER}roce_ena:0\n")], None),
    ],
)
def test_which_protocol_a_port_speaks(evidence: list[tuple[str, str]], kind: str | None) -> None:
    facts = read(DRIVER, APP, *evidence).ports[0].facts
    assert facts.kind.get() == (kind or "ethernet")


def test_the_x722_speaks_iwarp_alone() -> None:
    assert read(("ethtool -i ens1", "driver: i40e\n"), APP).ports[0].facts.kind.get() == "iwarp"


def test_the_transport_of_any_vendor_tells_iwarp() -> None:
    reading = read(
        ("rdma -j link show", '[{"ifindex":0,"ifname":"iwp1s0","port":1,"netdev":"ens1"}]'),
        ("ibv_devinfo", "hca_id:\tiwp1s0\n\ttransport:\tiWARP (1)\n\t\tport:\t1\n"),
        ("ip -j link show", '[{"ifname":"ens1","mtu":9000,"link_type":"ether","parentdev":"0000:01:00.0"}]'),
    )
    assert reading.ports[0].facts.kind.get() == "iwarp"


def test_with_the_firmwares_agent_there_is_no_dscp() -> None:
    flags = ("ethtool --show-priv-flags ens1", "Private flags for ens1:\nfw-lldp-agent          : on\n")
    facts = read(DRIVER, APP, flags).ports[0].facts
    assert {cell.get() for cell in facts.dscp.get()} == {0}
    assert facts.dcbx.get().owner.get() == "firmware"
    assert facts.dcbx.get().willing.get() is True


LLDP = """IEEE 8021QAZ ETS Configuration TLV
  Willing: no
  CBS: not supported
  MAX_TCS: 8
  PRIO_MAP: 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0
  TC Bandwidth: 50% 50% 0% 0% 0% 0% 0% 0%
  TSA_MAP: 0:ets 1:ets 2:strict 3:strict 4:strict 5:strict 6:strict 7:strict
IEEE 8021QAZ PFC TLV
  Willing: yes
  MACsec Bypass Capable: no
  PFC capable traffic classes: 8
  PFC enabled: 3
IEEE 8021QAZ APP TLV
  App#   0   Prio 3   Sel 3   P-ID  UDP or DCCP Port: 4791
  Prio:3   dscp:  26, 27
End of LLDPDU TLV
"""


@pytest.mark.parametrize("end", ["End of LLDPDU TLV", "End of LLDPDU LTV", "End of LLDPDU TL"])
def test_the_end_says_nothing_however_it_is_written(end: str) -> None:
    found = read(DRIVER, APP, ("lldptool -t -n -i ens1", f"{LLDP.rstrip()}\n{end}\n"))
    assert not found.seen


@pytest.mark.parametrize("command", ["lldptool -t -i ens1", "lldptool -ti ens1", "lldptool get-tlv -i ens1"])
def test_lldptool(command: str) -> None:
    reading = read(DRIVER, (command, LLDP))
    facts = reading.ports[0].facts
    assert not reading.seen
    assert facts.pfc.get().priorities.get() == {3}
    assert [facts.dscp.get()[code].get() for code in (26, 27, 0)] == [3, 3, 0]
    assert facts.queues.get()[1].share.get() == 50
    assert facts.dcbx.get().willing.get() is True
    assert facts.classes.get()[3].group.get() == 1


def test_the_neighbours_tlvs_are_not_the_ports_own() -> None:
    facts = read(DRIVER, APP, ("lldptool -t -n -i ens1", LLDP)).ports[0].facts
    assert facts.pfc.why is Why.NOT_VISIBLE or facts.pfc.get().priorities.why is Why.NOT_VISIBLE


def test_one_tlv_tells_nothing_of_the_others() -> None:
    text = "IEEE 8021QAZ PFC TLV\n\t Willing: no\n\t PFC enabled: none\n"
    facts = read(DRIVER, ("lldptool -t -i ens1 -V PFC", text)).ports[0].facts
    assert facts.pfc.get().priorities.get() == set()
    assert facts.trust.why is Why.NOT_VISIBLE


@pytest.mark.parametrize(("switch", "priorities"), [("1", set(range(8))), ("0", set())])
def test_congestion_control_is_switched_for_the_device(switch: str, priorities: set[int]) -> None:
    files = (
        f"/sys/class/net/ens1/device/infiniband/roce1/x:1\n/sys/kernel/config/irdma/roce1/roce_dcqcn_enable:{switch}\n"
    )
    dcqcn = read(DRIVER, APP, ("sysfs", files)).ports[0].facts.nic.get().dcqcn.get()
    assert dcqcn.np_priorities.get() == dcqcn.rp_priorities.get() == priorities


@pytest.mark.parametrize("form", ["json", "json0"])
def test_lldpctl_names_the_far_end(form: str) -> None:
    one = (
        '{"lldp":{"interface":{"ens1":{"chassis":{"leaf1":{}},"port":{"id":{"type":"ifname","value":"Ethernet1/1"}}}}}}'
    )
    zero = (
        '{"lldp":[{"interface":[{"name":"ens1","chassis":[{"name":[{"value":"leaf1"}]}],'
        '"port":[{"id":[{"type":"ifname","value":"Ethernet1/1"}]}]}]}]}'
    )
    reading = read(DRIVER, APP, (f"lldpctl -f {form}", one if form == "json" else zero))
    assert [(one.port, one.text) for one in reading.neighbours] == [("ens1", "leaf1:Ethernet1/1")]
