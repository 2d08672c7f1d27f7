"""PFC that does not run on a link that is up is an error; where nobody saw the link, it may be the link that is missing."""

from __future__ import annotations

from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.platforms import platform
from roce_audit.policy import load_text
from roce_audit.text.document import DeviceInput, Document

H3C = """#
 version 7.1.070, Release 9136P01
#
 sysname a
#
interface HundredGigE1/0/2
 priority-flow-control enable
 priority-flow-control no-drop dot1p 3
#
return
"""
H3C_PFC = """Interface         AdminMode  OperMode  Dot1pList   Prio  Recv  Send  Inpps  Outpps
HGE1/0/2          Enabled    Disabled  3           3     5     7     0      0
"""
SONIC = '{"PORT": {"Ethernet8": {"speed": "100000", "lanes": "1"}}, "PORT_QOS_MAP": {"Ethernet8": {"pfc_enable": "3"}}}'
SONIC_PFC = "Interface    Lossless priorities\n-----------  ---------------------\nEthernet8    N/A\n"


def severity(tmp_path: Path, name: str, answers: dict[str, str]) -> str:
    (tmp_path / name).mkdir()
    for file, text in answers.items():
        (tmp_path / name / file).write_text(text)
    policy = load_text("roce: {dscp: [26], priority: [3]}\nports: [{match: '*:*', roce: true}]\n", "roce-audit.yaml")
    request = Request((str(tmp_path / name),), policy, select=("pfc/operational-off",))
    (found,) = check(request).report.findings
    assert found.severity is not None
    return found.severity


def test_on_comware(tmp_path: Path) -> None:
    answers = {"display_current-configuration.txt": H3C, "display_priority-flow-control_interface.txt": H3C_PFC}
    up = {"display_interface.txt": "HundredGigE1/0/2\nCurrent state: UP\n100Gbps-speed mode, full-duplex mode\n"}
    assert severity(tmp_path, "a", answers) == "warning"
    assert severity(tmp_path, "b", answers | up) == "error"


def test_a_link_that_comware_shows_as_up() -> None:
    answer = Document("b.txt", "HundredGigE1/0/2\nCurrent state: UP\n", "display interface")
    documents = (Document("a.cfg", H3C, "display current-configuration"), answer)
    (port,) = platform("comware").read(DeviceInput("a", "comware", documents)).ports
    assert port.facts.link_up.value_or_none() is True


def test_on_sonic_whose_pfc_does_not_ask_for_a_link(tmp_path: Path) -> None:
    assert severity(tmp_path, "a", {"config_db.json": SONIC, "show_pfc_priority.txt": SONIC_PFC}) == "error"


JUNOS = """set system host-name a
set class-of-service forwarding-classes class roce queue-num 3 no-loss pfc-priority 3
set class-of-service congestion-notification-profile PAUSE input ieee-802.1 code-point 011 pfc
set class-of-service interfaces et-0/0/1 congestion-notification-profile PAUSE
set interfaces et-0/0/1 mtu 9216
"""
JUNOS_PFC = """Physical interface: et-0/0/1, Index: 1009
Maximum usable queues: 8, Queues in use: 5
  Scheduler map: <default>
  Congestion-notification: Disabled
"""


def test_on_junos_whose_binding_does_not_ask_for_a_link(tmp_path: Path) -> None:
    answers = {"show_configuration.txt": JUNOS, "show_class-of-service_interface.txt": JUNOS_PFC}
    assert severity(tmp_path, "a", answers) == "error"


VRP = """!Software Version V300R023C00SPC500
#
sysname a
#
interface 100GE1/0/2
 undo portswitch
 dcb pfc enable mode manual
#
return
"""
VRP_DCB = """M:Manual;    A:Auto
Interface         PFC Name     PFC Status  ETS Name    ETS Status App-Profile
100GE1/0/2        default      {:<11} -           -          -
"""


def test_on_vrp_where_only_a_refused_offer_may_be_a_missing_link(tmp_path: Path) -> None:
    for name, state, told in (("a", "FAILED(A)", "warning"), ("b", "-", "error")):
        answers = {"display_current-configuration.txt": VRP, "display_dcb.txt": VRP_DCB.format(state)}
        assert severity(tmp_path, name, answers) == told


EOS = """! device: a (DCS-7060DX5-64S, EOS-4.31.2F)
hostname a
interface Ethernet1/1
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   tx-queue 3
      random-detect ecn minimum-threshold 300 kbytes maximum-threshold 1500 kbytes max-mark-probability 20 weight 0
end
"""
EOS_QOS = """Ethernet1/1:
   Trust Mode: DSCP
   3      60 / 60     40 / 40     ( Gbps )    - / -   ( - )      RR / RR       {}
ECN/WRED: L -> Queue Length ECN Enabled     W -> WRED Enabled     D -> Disabled
"""


def test_a_queue_of_eos_that_drops_where_it_should_mark() -> None:
    for letter, marks, drops in (("L", True, False), ("W", False, True)):
        documents = (
            Document("a.cfg", EOS, "show running-config"),
            Document("b.txt", EOS_QOS.format(letter), "show qos interfaces"),
        )
        (port,) = platform("eos").read(DeviceInput("a", "eos", documents)).ports
        curve = port.facts.queues.get()[3].ecn.get()
        assert (curve.marks.get(), curve.drops.get()) == (marks, drops)
