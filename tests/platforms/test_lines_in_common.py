"""Lines in which switches must agree, as each platform writes them."""

from __future__ import annotations

import pytest

from roce_audit import platforms
from roce_audit.platforms.common import common_values
from roce_audit.text.document import Document

WRITTEN = {
    "eos": (
        """\
interface Port-Channel3
   mlag 3
   lacp system-id 0000.3010.0003
!
interface Vlan210
   ip address 10.0.0.2/24
   ip virtual-router address 10.0.0.1
!
interface Vxlan1
   vxlan vlan 210 vni 10210
   vxlan source-interface Loopback1
!
mlag configuration
   domain-id POD1
   peer-address 10.9.9.1
!
tacacs
   domain-id none
!
router bgp 65001
   router-id 10.0.0.1
   vrf other
      router-id 10.0.0.2
""",
        [
            ("MLAG domain", "pod1", 14),
            ("LACP system ID of Port-Channel3", "0000.3010.0003", 3),
            ("virtual address of VLAN 210", "10.0.0.1", 7),
            ("VNI of VLAN 210", "10210", 10),
            ("interface of tunnels", "loopback1", 11),
            ("VLANs in tunnels 210", "210", 10),
            ("bgp router ID", "10.0.0.1", 21),
        ],
    ),
    "nxos": (
        """\
vlan 210
  name NVME
  vn-segment 10210
vlan 211-212
  vn-segment 7
no vpc domain 9
vpc domain 3
  system-mac 00:23:04:ee:be:03
interface Vlan210
  ip address 10.0.0.2/24
  hsrp 10
    ip 10.0.0.1
interface nve1
  source-interface hold-down-time 360
  source-interface loopback1
ntp source-interface loopback0
""",
        [
            ("virtual address of VLAN 210", "10.0.0.1", 12),
            ("vPC domain", "3", 7),
            ("vPC system MAC", "00:23:04:ee:be:03", 8),
            ("VNI of VLAN 210", "10210", 3),
            ("interface of tunnels", "loopback1", 15),
            ("VLANs in tunnels 210", "210", 3),
            ("VLANs 210", "210", 1),
            ("VLANs 211-212", "211-212", 4),
        ],
    ),
    "os10": (
        """\
interface vlan210
 ip address 10.0.0.2/24
 !
 vrrp-group 10
  virtual-address 10.0.0.1
!
vlt-domain 1
 vlt-mac de:11:de:11:00:01
""",
        [("VLT domain", "1", 7), ("VLT MAC", "de:11:de:11:00:01", 8), ("virtual address of VLAN 210", "10.0.0.1", 5)],
    ),
    "vrp": (
        """\
bridge-domain 310
 vxlan vni 50310
#
interface Vlanif310
 vrrp vrid 1 virtual-ip 10.0.0.1
#
interface Eth-Trunk3
 lacp m-lag system-id 0000-0000-0003
 dfs-group 1 m-lag 3
#
""",
        [
            ("virtual address of VLAN 310", "10.0.0.1", 5),
            ("LACP system ID of Eth-Trunk3", "0000-0000-0003", 8),
            ("VNI of bridge domain 310", "50310", 2),
        ],
    ),
    "comware": (
        """\
 m-lag system-mac 0001-0001-0001
 m-lag system-number 1
#
interface Vlan-interface310
 vrrp vrid 1 virtual-ip 10.0.0.1
""",
        [("virtual address of VLAN 310", "10.0.0.1", 5), ("M-LAG system MAC", "0001-0001-0001", 1)],
    ),
    "aoscx": (
        """\
vsx
    system-mac 02:01:00:00:01:00
    role primary
interface vlan 210
    active-gateway ip mac 12:00:00:00:01:00
    active-gateway ip 10.0.0.1
interface vxlan 1
    vni 10210
        vlan 210
""",
        [
            ("VSX system MAC", "02:01:00:00:01:00", 2),
            ("active gateway of VLAN 210", "10.0.0.1", 6),
            ("VNI of VLAN 210", "10210", 9),
        ],
    ),
    "esonic": (
        """\
mclag domain 1
 source-ip 10.0.0.1
 mclag-system-mac 00:01:02:03:04:05
interface vxlan vtep1
 map vni 10210 vlan 210
""",
        [("MCLAG domain", "1", 1), ("MCLAG system MAC", "00:01:02:03:04:05", 3), ("VNI of VLAN 210", "10210", 5)],
    ),
    "onyx": (
        """\
   mlag-vip POD1 ip 192.0.2.9 /24 force
   mlag system-mac 00:00:5E:00:01:5D
""",
        [("MLAG domain", "pod1", 1), ("MLAG system MAC", "00:00:5e:00:01:5d", 2)],
    ),
    "junos": (
        """\
set interfaces ae3 aggregated-ether-options lacp system-id 00:00:00:00:00:03
set vlans NVME vxlan vni 10210
""",
        [("LACP system ID of ae3", "00:00:00:00:00:03", 1), ("VNI of VLAN NVME", "10210", 2)],
    ),
    "cumulus": (
        """\
- set:
    bridge:
      domain:
        br_default:
          vlan:
            '611':
              vni:
                '10611': {}
    interface:
      bond3:
        bond:
          mlag:
            enable: on
            id: 3
      vlan611:
        ip:
          vrr:
            address:
              10.0.0.1/24: {}
            mac-address: 00:00:5e:00:01:0a
    mlag:
      mac-address: 44:38:39:be:ef:01
""",
        [
            ("MLAG system MAC", "44:38:39:be:ef:01", 22),
            ("virtual address of VLAN 611", "10.0.0.1/24", 19),
            ("VNI of VLAN 611", "10611", 8),
        ],
    ),
    "sonic": (
        """\
{
  "VXLAN_TUNNEL_MAP": {
    "vtep|map_10210_Vlan210": {"vlan": "Vlan210", "vni": "10210"}
  }
}
""",
        [("VNI of VLAN 210", "10210", 3)],
    ),
}
OTHER_FORMS = {
    "junos": (
        """\
interfaces {
    ae3 {
        aggregated-ether-options {
            lacp {
                system-id 00:00:00:00:00:03;
            }
        }
    }
}
vlans {
    NVME {
        vlan-id 210;
        vxlan {
            vni 10210;
        }
    }
}
""",
        [("LACP system ID of ae3", "00:00:00:00:00:03", 5), ("VNI of VLAN NVME", "10210", 14)],
    ),
    "cumulus": (
        """\
nv set mlag mac-address 44:38:39:be:ef:01
nv set nve vxlan mlag shared-address 10.60.1.1
nv set bridge domain br_default vlan 611 vni 10611
""",
        [
            ("MLAG system MAC", "44:38:39:be:ef:01", 1),
            ("shared VTEP address", "10.60.1.1", 2),
            ("VNI of VLAN 611", "10611", 3),
        ],
    ),
}


@pytest.mark.parametrize(
    ("platform", "text", "said"),
    [(name, *row) for forms in (WRITTEN, OTHER_FORMS) for name, row in forms.items()],
)
def test_what_must_be_alike_is_found_with_its_line(platform: str, text: str, said: list[tuple[str, str, int]]) -> None:
    rows = platforms.platform(platform).load().common
    found = common_values([Document("leaf1.cfg", text)], rows)
    assert [(value.what, value.value, value.place.line) for value in found] == said
    assert common_values([Document("leaf1", text, "show version")], rows) == ()


def test_what_two_documents_say_otherwise_is_not_known() -> None:
    rows = platforms.platform("nxos").load().common
    documents = [Document(name, f"vpc domain {number}\n") for number, name in enumerate(("a", "b"))]
    assert common_values(documents, rows) == ()
    assert len(common_values(documents[:1], rows)) == 1
