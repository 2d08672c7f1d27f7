"""A class that is told by its tag, on ports whose packets have none: in one VLAN by their mode, or routed by an address of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.policy import load

ONYX = (
    "##\n## Hostname: leaf1\n##\nno cli default prefix-modes enable\n{mode}"
    "   interface ethernet 1/1-1/4 mtu 9216 force\n"
    "   interface ethernet 1/1-1/4 qos trust L2\n"
    "   traffic pool roce type lossless\n   traffic pool roce memory percent 50.00\n"
    "   traffic pool roce map switch-priority 3\n"
    "   dcb priority-flow-control enable force\n   dcb priority-flow-control priority 3 enable\n"
    "   interface ethernet 1/1-1/4 dcb priority-flow-control mode on force\n"
    "cli default prefix-modes enable\n"
)
ROUTED = "   interface ethernet 1/1-1/4 no switchport force\n" + "".join(
    f"   interface ethernet 1/{n} ip address 10.0.{n}.0/31 primary\n" for n in range(1, 5)
)
CX = (
    "Current configuration:\n!\n!Version AOS-CX GL.10.15.1020\nhostname leaf1\n"
    "qos pool 1 lossless size 50.00 percent headroom 8000 kbytes priorities 3\nqos trust cos\n"
)
COMWARE = "#\n version 7.1.070, Release 9136P01\n#\n sysname leaf1\n#\nqos map-table dot1p-lp\n import 0 export 0\n import 3 export 3\n#\n"
VRP = "!Software Version V300R023C00SPC500\n#\nsysname leaf1\n#\ndcb pfc\n#\n"


def cx(mode: str) -> str:
    return CX + "".join(
        f"interface 1/1/{n}\n    no shutdown\n    mtu 9198\n    {mode}\n    flow-control priority rxtx 3\n"
        for n in range(1, 5)
    )


def comware(mode: str) -> str:
    port = " port link-mode bridge\n{mode} priority-flow-control enable\n priority-flow-control no-drop dot1p 3\n qos trust dot1p\n#\n"
    return (
        COMWARE + "".join(f"interface HundredGigE1/0/{n}\n{port.format(mode=mode)}" for n in range(1, 5)) + "return\n"
    )


def vrp(mode: str) -> str:
    port = "{mode} trust 8021p\n dcb pfc enable mode manual\n#\n"
    return VRP + "".join(f"interface 100GE1/0/{n}\n{port.format(mode=mode)}" for n in range(1, 5)) + "return\n"


def eos(mode: str) -> str:
    port = f"   mtu 9214\n   {mode}\n   qos trust cos\n   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n!\n"
    return "hostname leaf1\n!\n" + "".join(f"interface Ethernet{n}\n{port}" for n in range(1, 5)) + "end\n"


@pytest.mark.parametrize(
    ("untagged", "tagged"),
    [
        pytest.param(
            eos("no switchport\n   ip address 10.0.0.0/31"),
            eos("switchport mode trunk\n   switchport trunk allowed vlan 10,20"),
            id="eos, routed",
        ),
        pytest.param(
            ONYX.format(mode=ROUTED),
            ONYX.format(
                mode="   interface ethernet 1/1-1/4 switchport mode trunk\n"
                "   interface ethernet 1/1-1/4 switchport trunk allowed-vlan 10,20\n"
            ),
            id="onyx, routed",
        ),
        pytest.param(
            ONYX.format(mode="   interface ethernet 1/1-1/4 switchport access vlan 10\n"),
            ONYX.format(mode="   interface ethernet 1/1-1/4 switchport mode hybrid\n"),
            id="onyx, access",
        ),
        pytest.param(cx("vlan access 10"), cx("vlan trunk allowed 10,20"), id="aoscx, access"),
        pytest.param(cx("ip address 10.0.0.1/31"), cx("no routing"), id="aoscx, routed"),
        pytest.param(
            comware(" port access vlan 10\n"),
            comware(" port link-type trunk\n port trunk permit vlan 10\n"),
            id="comware, access",
        ),
        pytest.param(
            vrp(" port link-type access\n port default vlan 10\n"),
            vrp(" port link-type trunk\n port trunk allow-pass vlan 10\n"),
            id="vrp, access",
        ),
    ],
)
def test_a_tag_that_no_packet_has(tmp_path: Path, untagged: str, tagged: str) -> None:
    (tmp_path / "roce-audit.yaml").write_text("classes: [{name: storage, pcp: [3], priority: 3, lossless: true}]\n")
    policy, found = load(tmp_path / "roce-audit.yaml"), []
    for name, text in (("untagged", untagged), ("tagged", tagged)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "leaf1.cfg").write_text(text)
        request = Request((str(tmp_path / name),), policy, select=("marking/tag-on-untagged-port",), context=())
        report = check(request).report
        found.append([finding.severity for finding in report.findings if finding.verdict == "fails"])
    assert found == [["warning"], []]
