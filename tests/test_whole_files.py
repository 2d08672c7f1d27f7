"""Files that look whole are taken as whole: what they do not say is judged, the report says so, and the policy can refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.cli.check import exit_code
from roce_audit.engine.assumedwhole import IF_WHOLE
from roce_audit.policy import load
from roce_audit.proof import examples

ROCE = "   service-profile ROCE\n"
HEAD = """\
hostname {name}
!
qos map dscp 26 to traffic-class 3
!
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
"""


def _ports(count: int, inner: str, speaks: str = "interface") -> str:
    return "".join(f"{speaks} Ethernet{n}\n   mtu 9214\n{inner}!\n" for n in range(1, count + 1))


def _checked(folder: Path, texts: dict[str, str], policy: str = "") -> Checked:
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "roce-audit.yaml").write_text(policy or "profile: base\n", encoding="utf-8")
    return check(Request((str(folder),), load(folder / "roce-audit.yaml")))


def _messages(checked: Checked, rule: str) -> list[str]:
    return [f.message for f in checked.report.findings if f.rule == rule and f.verdict == "fails"]


def test_absence_is_judged_in_a_file_that_looks_whole(tmp_path: Path) -> None:
    checked = _checked(tmp_path, {"leaf1.cfg": HEAD.format(name="leaf1") + _ports(4, ROCE) + "end\n"})
    assert [Path(path).name for path in checked.report.coverage.assumed_whole] == ["leaf1.cfg"]
    (watchdog,) = _messages(checked, "pfc/watchdog-off")
    assert watchdog.endswith(IF_WHOLE)


def test_the_policy_refuses_and_proves(tmp_path: Path) -> None:
    text = {"leaf1.cfg": HEAD.format(name="leaf1") + _ports(4, ROCE) + "end\n"}
    refused = _checked(tmp_path, text, 'paths: {"*.cfg": {complete: false}}\n')
    assert not refused.report.coverage.assumed_whole
    assert not _messages(refused, "pfc/watchdog-off")
    proved = _checked(tmp_path, text, 'paths: {"*.cfg": {complete: true}}\n')
    assert not proved.report.coverage.assumed_whole
    assert [message.endswith(IF_WHOLE) for message in _messages(proved, "pfc/watchdog-off")] == [False]


@pytest.mark.parametrize("text", [_ports(4, ROCE), HEAD.format(name="leaf1") + _ports(3, ROCE)])
def test_a_paste_of_some_stanzas_stays_a_fragment(tmp_path: Path, text: str) -> None:
    checked = _checked(tmp_path, {"leaf1.cfg": text})
    assert not checked.report.coverage.assumed_whole
    assert not _messages(checked, "pfc/watchdog-off")


def test_a_contradiction_does_not_rest_on_the_assumption(tmp_path: Path) -> None:
    text = HEAD.format(name="leaf1") + _ports(4, ROCE + "   flowcontrol receive on\n") + "end\n"
    (message,) = _messages(_checked(tmp_path, {"leaf1.cfg": text}), "pfc/link-pause-on")
    assert not message.endswith(IF_WHOLE)


def test_unproven_spines_do_not_silence_leaves_without_anything_lossless(tmp_path: Path) -> None:
    capture = "! Command: show running-config\n! device: {name} (DCS-7060DX5-64S, EOS-4.31.2F)\n"
    leaf = "hostname {name}\n!\n" + _ports(4, "   description GPU rail\n") + "end\n"
    texts = {f"leaf{n}.cfg": (capture + leaf).format(name=f"leaf{n}") for n in range(1, 5)}
    alone = _messages(_checked(tmp_path, texts), "pfc/no-lossless-class-anywhere")
    assert alone
    assert not alone[0].endswith(IF_WHOLE)
    texts |= {f"spine{n}.cfg": leaf.format(name=f"spine{n}") for n in (1, 2)}
    assert _messages(_checked(tmp_path, texts), "pfc/no-lossless-class-anywhere")[0].endswith(IF_WHOLE)


@pytest.mark.parametrize(("whole", "parts", "told"), [(3, 2, True), (2, 2, False), (1, 3, False)])
def test_parts_of_configurations_do_not_silence_more_switches_that_are_whole(
    tmp_path: Path, whole: int, parts: int, told: bool
) -> None:
    texts = {
        f"leaf{n}.cfg": HEAD.format(name=f"leaf{n}") + _ports(4, "   description GPU rail\n") for n in range(whole)
    }
    texts |= {f"spine{n}.cfg": HEAD.format(name=f"spine{n}") + _ports(2, "") for n in range(parts)}
    assert bool(_messages(_checked(tmp_path, texts), "pfc/no-lossless-class-anywhere")) is told


def test_a_capture_without_its_end_is_told_and_blind(tmp_path: Path) -> None:
    text = "! Command: show running-config\n" + HEAD.format(name="leaf1") + _ports(5, ROCE)
    checked = _checked(tmp_path, {"leaf1.cfg": text})
    assert _messages(checked, "input/truncated")
    assert not checked.report.coverage.assumed_whole
    assert exit_code(checked.report, "error", False) == 4


@pytest.mark.parametrize(
    ("platform", "name"), [("comware", "leaf1.cfg"), ("vrp", "leaf1.cfg"), ("aoscx", "leaf1/show_running-config.txt")]
)
def test_a_configuration_that_ends_before_its_ports_is_told(tmp_path: Path, platform: str, name: str) -> None:
    whole = examples.base(platform)[name]
    cut = whole[: whole.index("\ninterface ")]
    checked = _checked(tmp_path, {"leaf1.cfg": cut})
    assert _messages(checked, "input/truncated")
    assert exit_code(checked.report, "error", False) == 4


def test_unread_lines_that_hide_every_roce_port_end_with_4(tmp_path: Path) -> None:
    text = "hostname leaf1\n!\n" + _ports(4, "   priority-flow-control modde on\n") + "end\n"
    checked = _checked(tmp_path, {"leaf1.cfg": text})
    assert ("pfc" in {family for _, family in checked.report.coverage.blind}) is True
    assert exit_code(checked.report, "error", False) == 4
    plain = _checked(tmp_path, {"leaf1.cfg": text.replace("   priority-flow-control modde on\n", "")})
    assert exit_code(plain.report, "error", False) == 0


_SETTINGS = """\
traffic.packet_priority_source_set = [dscp]
traffic.cos_3.priority_source.dscp = [26]
pfc.port_group_list = [rdma]
pfc.rdma.port_set = swp1-swp3,swp5
pfc.rdma.cos_list = [3]
pfc_watchdog.port_group_list = [wd]
pfc_watchdog.wd.port_set = swp1-swp5
"""
_INTERFACES = "auto lo\niface lo inet loopback\n\n" + "".join(
    f"auto swp{n}\niface swp{n}\n    mtu 9216\n\n" for n in range(1, 6)
)


@pytest.mark.parametrize("beside", [True, False])
def test_older_cumulus_files_of_one_switch_are_whole_together(tmp_path: Path, beside: bool) -> None:
    files = {"hostname.txt": "tor1\n", "qos_features.conf": _SETTINGS} | ({"interfaces": _INTERFACES} if beside else {})
    checked = _checked(tmp_path, files)
    assert sorted(Path(path).name for path in checked.report.coverage.assumed_whole) == (
        ["interfaces", "qos_features.conf"] if beside else []
    )
    told = [f.subject for f in checked.report.findings if f.rule == "pfc/priority-off" and f.verdict == "fails"]
    assert told == (["swp4"] if beside else [])


@pytest.mark.parametrize(
    "spoilt", ["pfc.rdma.port_set = swp1-swp3,swp~5", "pfc.rdma.port_set = swp~1", "pfc.rdma.port_set = "]
)
def test_ports_that_cannot_be_told_leave_every_port_in_doubt(tmp_path: Path, spoilt: str) -> None:
    settings = _SETTINGS.replace("pfc.rdma.port_set = swp1-swp3,swp5", spoilt)
    checked = _checked(tmp_path, {"hostname.txt": "tor1\n", "qos_features.conf": settings, "interfaces": _INTERFACES})
    assert not [f for f in checked.report.findings if f.rule == "pfc/priority-off" and f.verdict == "fails"]
    assert any(f.rule == "input/unread-line" and f.verdict == "fails" for f in checked.report.findings)


_SMALL = {
    "aoscx": (
        "hostname leaf1\n{others}interface 1/1/1\n    no shutdown\n    mtu 9198\ninterface 1/1/2\n    no shutdown\n    mtu 9198\n",
        "user admin group administrators\n",
        [
            "ntp server 192.0.2.1\n",
            "ssh server vrf mgmt\n",
            "vrf red\n",
            "vlan 10\n",
            "spanning-tree\n",
            "router bgp 65001\n",
        ],
    ),
    "onyx": (
        "   hostname leaf1\n{others}   interface ethernet 1/1 mtu 9216 force\n   interface ethernet 1/2 mtu 9216 force\n",
        "   ntp server 192.0.2.2\n",
        [
            "   ntp server 192.0.2.1\n",
            "   lldp\n",
            "   no spanning-tree\n",
            "   ip routing vrf default\n",
            "   username admin password 7 x\n",
            "   router bgp 65001 vrf default\n",
        ],
    ),
    "picos": (
        'set system hostname "leaf1"\n{others}set interface gigabit-ethernet xe-1/1/1 mtu 9216\n',
        "set system ntp server-ip 192.0.2.2\n",
        [
            "set system ntp server-ip 192.0.2.1\n",
            "set system services ssh\n",
            "set protocols lldp enable true\n",
            "set protocols bgp local-as 65001\n",
            "set ip routing enable true\n",
            "set vlans vlan-id 10\n",
        ],
    ),
    "junos": (
        "set system host-name leaf1\n{others}set interfaces et-0/0/0 mtu 9216\n",
        "set system ntp server 192.0.2.2\n",
        [
            "set system ntp server 192.0.2.1\n",
            "set system login user a class super-user\n",
            "set routing-options autonomous-system 65001\n",
            "set protocols lldp interface all\n",
            "set policy-options policy-statement a then accept\n",
            "set snmp community a\n",
        ],
    ),
    "srlinux": (
        "set / system name host-name leaf1\n{others}set / interface ethernet-1/1 mtu 9232\n",
        "set / system dns server-list [ 192.0.2.2 ]\n",
        [
            "set / system dns server-list [ 192.0.2.1 ]\n",
            "set / system lldp admin-state enable\n",
            "set / system ntp admin-state enable\n",
            "set / system ssh-server mgmt admin-state enable\n",
            "set / network-instance default type default\n",
            "set / routing-policy policy a default-action policy-result accept\n",
        ],
    ),
    "cumulus": (
        "nv set system hostname leaf1\n{others}nv set interface swp1 link mtu 9216\n",
        "nv set service ntp mgmt server 192.0.2.2\n",
        [
            "nv set service ntp mgmt server 192.0.2.1\n",
            "nv set system aaa user admin role system-admin\n",
            "nv set system message pre-login a\n",
            "nv set router bgp autonomous-system 65001\n",
            "nv set bridge domain br_default vlan 10\n",
            "nv set vrf default router bgp enable on\n",
        ],
    ),
    "eos": (
        "hostname: leaf1\n{others}ethernet_interfaces:\n  - name: Ethernet1\n    mtu: 9214\n",
        "ntp:\n  servers: []\n",
        [
            "ip_routing: true\n",
            "router_bgp:\n  as: '65001'\n",
            "spanning_tree:\n  mode: none\n",
            "vlans:\n  - id: 10\n",
            "vrfs:\n  - name: MGMT\n",
            "name_servers: []\n",
        ],
    ),
}
"""Platform -> a small device (`others` in its midst), one more setting of a kind that it has, and settings of six kinds."""


@pytest.mark.parametrize("platform", _SMALL)
@pytest.mark.parametrize("is_whole", [True, False])
def test_few_ports_beside_settings_of_many_kinds_on_every_platform(
    tmp_path: Path, platform: str, is_whole: bool
) -> None:
    text, again, others = _SMALL[platform]
    given = text.format(others="".join(others if is_whole else [*others[:3], "" if platform == "eos" else again]))
    checked = _checked(tmp_path, {"leaf1.cfg": given})
    assert [device.platform for device in checked.devices] == [platform]
    assert bool(checked.report.coverage.assumed_whole) is is_whole


_JUNOS = """\
system {{
    host-name spine1;
}}
interfaces {{
{ports}}}
"""
_COS = """\
class-of-service {
    forwarding-classes {
        class NO-LOSS queue-num 4 no-loss pfc-priority 3;
    }
    scheduler-maps {
        sm1 {
            forwarding-class NO-LOSS scheduler s-1;
        }
    }
    schedulers {
        s1 {
            explicit-congestion-notification;
        }
    }
}
"""


@pytest.mark.parametrize(("ports", "classes", "is_whole"), [(2, _COS, True), (2, "", False), (1, _COS, False)])
def test_two_ports_of_junos_beside_a_class_of_service(tmp_path: Path, ports: int, classes: str, is_whole: bool) -> None:
    text = _JUNOS.format(ports="".join(f"    et-0/0/{n} {{\n        mtu 9216;\n    }}\n" for n in range(ports)))
    checked = _checked(tmp_path, {"spine1.conf": text + classes})
    assert bool(checked.report.coverage.assumed_whole) is is_whole
    assert bool(_messages(checked, "input/undefined-or-unapplied")) is is_whole


_NEXUS = """\
hostname leaf1
class-map type qos match-all ROCE
  match dscp 26
policy-map type qos IN
  class ROCE
    set qos-group 3
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
system qos
  service-policy type network-qos NQ
"""


def _nexus(port: str, *, odd: str = "") -> str:
    return _NEXUS + "".join(
        f"interface Ethernet1/{n}\n  mtu 9216\n{odd if odd and n == 3 else port}" for n in range(1, 7)
    )


def test_a_port_that_lost_a_line_which_its_peers_in_a_whole_file_have(tmp_path: Path) -> None:
    port = "  priority-flow-control mode on send-tlv\n  service-policy type qos input IN\n"
    checked = _checked(tmp_path, {"leaf1.cfg": _nexus(port, odd="  service-policy type qos input IN\n")})
    assert _messages(checked, "fleet/odd-port-out")


def test_statements_that_are_cut_short_count_like_those_in_full(tmp_path: Path) -> None:
    port = "  priority-flow-control mode on\n  service-pol type qos in IN\n"
    checked = _checked(tmp_path, {"leaf1.cfg": _nexus(port)})
    assert not _messages(checked, "marking/class-broken-in-box")
    assert not _messages(checked, "input/undefined-or-unapplied")


def test_headers_that_are_cut_short_open_their_blocks(tmp_path: Path) -> None:
    text = _nexus("  priority-flow-control mode on\n  service-policy type qos input IN\n").replace(
        "interface E", "interf e"
    )
    short = text.replace("class-map type", "class-m type").replace("policy-map type", "policy-m type")
    checked = _checked(tmp_path, {"leaf1.cfg": short})
    assert not _messages(checked, "input/unread-line")
    assert [*checked.site.fabrics[0].facts.lossless_priorities.value] == [3]
    assert [*checked.site.fabrics[0].facts.roce_dscps.value] == [26]
