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
