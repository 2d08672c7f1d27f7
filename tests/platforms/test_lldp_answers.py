"""LLDP answers of every platform, in each of their forms, read into one shape."""

from __future__ import annotations

import pytest

from roce_audit import platforms
from roce_audit.text.document import DeviceInput, Document

EOS_DETAIL = """Interface Ethernet1/1 detected 1 LLDP neighbors:

  Neighbor 2cc2.6081.eaf9/"Ethernet7/1", age 12 seconds
  - Chassis ID type: MAC address (4)
    Chassis ID     : 2cc2.6081.eaf9
  - Port ID type: Interface name (5)
    Port ID     : "Ethernet7/1"
  - System Name: "spine2.example.net"
  - System Description: "a switch"
  - Port Description: "to leaf1"
  - IEEE802.1/IEEE802.3 Link Aggregation
    Port ID                : 0
"""
EOS_JSON = """{"lldpNeighbors": {"Ethernet1/1": {"lldpNeighborInfo": [
  {"systemName": "spine2", "chassisId": "2cc2.6081.eaf9",
   "neighborInterfaceInfo": {"interfaceId": "\\"Ethernet7/1\\"", "interfaceIdType": "interfaceName", "interfaceId_v2": "Ethernet7/1"}}]}}}
"""
NXOS_TABLE = """Capability codes:
  (R) Router, (B) Bridge, (O) Other
Device ID            Local Intf      Hold-time  Capability  Port ID
spine2-with-a-name-that-is-long.example.net
                     Eth1/1          120        BR          Ethernet1/7
Total entries displayed: 1
"""
NXOS_DETAIL = """Chassis id: 3473.2d00.0001
Port id: Ethernet1/7
Local Port id: Eth1/1
Port Description: to leaf1
System Name: spine2
System Description: an operating system
Compiled Thu 01-May-08 15:42
Vlan ID: not advertised

Chassis id: 24a9.3700.0001
Port id: 1a51.4800.0001
Local Port id: Eth1/2
Port Description: eth0
System Name: not advertised
"""
XR_DETAIL = """Thu Oct 15 09:20:01.512 UTC
Capability codes:
        (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device

------------------------------------------------
Local Interface: FourHundredGigE0/0/0/4
Chassis id: 6c03.b5aa.0001
Port id: FourHundredGigE0/0/0/12
Port Description: fabric link to leaf1
System Name: spine2.example.net

System Description:
24.4.2, 8000

Time remaining: 98 seconds
------------------------------------------------
Local Interface: FourHundredGigE0/0/0/5
Chassis id: 6c03.b5aa.0002
Port id: Ethernet1/7
Port Description - not advertised
System Name: spine3

Total entries displayed: 2
"""
XR_TABLE = """Thu Oct 15 09:20:01.512 UTC
Device ID       Local Intf          Hold-time  Capability     Port ID
spine2.example.net
                FH0/0/0/4           120        R               FH0/0/0/12
spine3          FH0/0/0/5           120        B,R             Ethernet1/7

Total entries displayed: 2
"""
DELL_TABLE = """ Loc PortID     Rem Host Name     Rem Port Id                        Rem Chassis Id
 --------------------------------------------------------------------------------

 Te 1/1         -                 24:8a:07:b9:d8:10                  24:8a:07:b9:d8:10
 Te 1/3         localhost.local...e4:1d:2d:bf:d7:e0                  e4:1d:2d:bf:d7:e0
 Te 1/4         spine2            Eth1/12                            b4:e9:b0:cc:bb:aa
"""
DELL_DETAIL = """========================================================================
 Local Interface Te 0/1 has 1 neighbor
  Total Frames Out: 100
    Remote Chassis ID Subtype: Mac address (4)
    Remote Chassis ID:  f4:8e:38:0b:9f:eb
    Remote Port Subtype:  Mac address (3)
    Remote Port ID:  f4:8e:38:0b:9f:eb
    Remote Port Description:  eth0
    Local Port ID: TenGigabitEthernet 0/1
    Remote System Name:  gpu1
"""
SONIC_TABLE = """Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine2          etp7            BR            Ethernet56
--------------------------------------------------
Total entries displayed:  1
"""
LLDPD_TEXT = """-------------------------------------------------------------------------------
LLDP neighbors:
-------------------------------------------------------------------------------
Interface:    Ethernet0, via: LLDP, RID: 1, Time: 0 day, 00:05:32
  Chassis:
    ChassisID:    mac 00:1a:2b:3c:4d:5e
    SysName:      spine2
    MgmtIP:       10.0.0.1
  Port:
    PortID:       ifname Ethernet56
    PortDescr:    to leaf1
-------------------------------------------------------------------------------
Interface:    Ethernet8, via: LLDP, RID: 2, Time: 0 day, 00:05:32
  Chassis:
    ChassisID:    mac b8:ce:f6:00:00:01
  Port:
    PortID:       mac b8:ce:f6:00:00:01
"""
KEY_VALUES = """lldp.swp1.via=LLDP
lldp.swp1.chassis.mac=00:1a:2b:3c:4d:5e
lldp.swp1.chassis.name=spine2
lldp.swp1.port.ifname=swp7
lldp.swp1.port.descr=to leaf1
"""
NVUE_TABLE = """Interface  Speed  Type  Remote Host      Remote Port
---------  -----  ----  ---------------  -----------------
swp1       400G   swp   gpu1             48:b0:2d:76:ee:8e
swp2              swp   spine2           swp7
"""
NVUE_JSON = """{"swp1": {"lldp": {"neighbor": {"spine2": {"chassis": {"system-name": "spine2", "chassis-id": "00:1a:2b:3c:4d:5e"},
 "port": {"name": "swp7", "description": "to leaf1"}}}}}}
"""
NCLU_TABLE = """
LocalPort  Speed  Mode     RemoteHost                RemotePort
---------  -----  -------  ------------------------  -----------------
swp1       25G    Default  gpu1.example.net          1c:34:da:67:8c:6c
"""
NCLU_JSON = """{"swp1": {"iface_obj": {"lldp": [{"adj_hostname": "spine2", "adj_port": "swp7"}]}}}"""
ONYX = """Ethernet 1/1
  Remote Index: 1
  Remote chassis id: 00:11:22:33:44:55 ; chassis id subtype: mac
  Remote port-id: Eth1/7; port id subtype: local
  Remote port description: to leaf1
  Remote system name: spine2
"""
JUNOS = """Local Interface    Parent Interface    Chassis Id          Port info          System Name
et-0/0/1           ae7                 00:1c:73:ee:c0:46   Ethernet7/1        spine2
"""
SRL_TABLE = """  +--------------+-------------------+---------------------+-------------------+---------------+
  |     Name     |     Neighbor      |   Neighbor System   |  Neighbor Chassis | Neighbor Port |
  |              |                   |        Name         |         ID        |               |
  +==============+===================+=====================+===================+===============+
  | ethernet-1/1 | 1A:A1:03:FF:00:00 | spine2              | 1A:A1:03:FF:00:00 | ethernet-1/7  |
  +--------------+-------------------+---------------------+-------------------+---------------+
"""
SRL_STATE = """    system {
        lldp {
            interface ethernet-1/1 {
                oper-state up
                neighbor 1A:A1:03:FF:00:00 {
                    first-message "2 days ago"
                    system-name spine2
                    chassis-id 1A:A1:03:FF:00:00
                    chassis-id-type MAC_ADDRESS
                    port-id ethernet-1/7
                    port-id-type INTERFACE_NAME
                }
            }
        }
    }
"""
SRL_JSON = """{"system": {"srl_nokia-lldp:lldp": {"interface": [{"name": "ethernet-1/1", "neighbor": [
  {"id": "x", "system-name": "spine2", "chassis-id": "1A:A1:03:FF:00:00", "port-id": "ethernet-1/7"}]}]}}}
"""
VRP = """100GE1/0/1 has 1 neighbor(s):

Neighbor index                     :1
Chassis type                       :MAC Address
Chassis ID                         :00e0-fc00-0101
Port ID subtype                    :Interface Name
Port ID                            :100GE1/0/7
Port description                   :to leaf1
System name                        :spine2
100GE1/0/2 has 0 neighbor(s)
"""
COMWARE = """LLDP neighbor-information of port 1[HundredGigE1/0/1]:
LLDP agent nearest-bridge:
 LLDP neighbor index : 1
 Chassis ID          : 00e0-fc00-0101
 Port ID type        : Interface name
 Port ID             : HundredGigE1/0/7
 System name         : spine2
LLDP agent nearest-customer:
 LLDP neighbor index : 1
 Port ID             : HundredGigE9/0/9
 System name         : far-away
"""
COMWARE_LIST = """System Name          Local Interface Chassis ID      Port ID
spine2               HGE1/0/1        00e0-fc00-0101  HundredGigE1/0/7
-                    HGE1/0/2        AGENT-1         Port 1
"""
CX_DETAIL = """Port                           : 1/1/1
Neighbor Entries               : 1
Neighbor System-Name           : spine2
Neighbor Chassis-ID            : 70:3a:0e:cd:41:fe
Neighbor Port-ID               : 1/1/7
Neighbor Port-Desc             : to leaf1
Neighbor Port VLAN ID          : 1
"""
CX_TABLE = """LOCAL-PORT  CHASSIS-ID         PORT-ID                      PORT-DESC                    TTL      SYS-NAME
-----------------------------------------------------------------------------------------------------------
1/1/1       08:00:09:b0:ac:fa  1/1/7                        to leaf1                     120      spine2
"""


ONYX_COLON = """Eth1/1:
  Remote Index                         : 3
  Remote chassis id                    : 50:6b:4b:00:00:01
  chassis id subtype                   : Mac Address (4)
  Remote port-id                       : Eth1/7
  port id subtype                      : Interface Name (5)
  Remote system name                   : spine2
"""
VRP_BRIEF = """Local Interface         Exptime(s) Neighbor Interface      Neighbor Device
-------------------------------------------------------------------------------
100GE1/0/1                    111  100GE1/0/7              spine2
"""
VRP_CAMPUS = """Local Intf       Neighbor Dev             Neighbor Intf             Exptime(s)
100GE1/0/1       spine2                   100GE1/0/7                99
100GE1/0/2       -                        506b-4b00-0001            2759
"""
MAC_ALONE = ("100GE1/0/2", "506b4b000001", 3)


@pytest.mark.parametrize(
    ("platform", "command", "text", "wanted"),
    [
        ("eos", "show lldp neighbors detail", EOS_DETAIL, [("Ethernet1/1", "spine2.example.net:Ethernet7/1", 8)]),
        ("eos", "show lldp neighbors detail | json", EOS_JSON, [("Ethernet1/1", "spine2:Ethernet7/1", 2)]),
        (
            "eos",
            "show lldp neighbors | json",
            '{"lldpNeighbors": [{"port": "Ethernet1", "neighborDevice": "a", "neighborPort": "b"}]}',
            [("Ethernet1", "a:b", 1)],
        ),
        (
            "nxos",
            "show lldp neighbors",
            NXOS_TABLE,
            [("Eth1/1", "spine2-with-a-name-that-is-long.example.net:Ethernet1/7", 5)],
        ),
        (
            "nxos",
            "show lldp neighbors detail",
            NXOS_DETAIL,
            [("Eth1/1", "spine2:Ethernet1/7", 5), ("Eth1/2", "24a937000001:1a5148000001", 14)],
        ),
        (
            "nxos",
            "show lldp neighbors detail | json",
            '{"TABLE_nbor_detail": {"ROW_nbor_detail": {"l_port_id": "Eth1/1", "sys_name": "spine2", "port_id": "Ethernet1/7"}}}',
            [("Eth1/1", "spine2:Ethernet1/7", 1)],
        ),
        (
            "iosxr",
            "show lldp neighbors",
            XR_TABLE,
            [
                ("FourHundredGigE0/0/0/4", "spine2.example.net:FourHundredGigE0/0/0/12", 4),
                ("FourHundredGigE0/0/0/5", "spine3:Ethernet1/7", 5),
            ],
        ),
        (
            "iosxr",
            "show lldp neighbors detail",
            XR_DETAIL,
            [
                ("FourHundredGigE0/0/0/4", "spine2.example.net:FourHundredGigE0/0/0/12", 10),
                ("FourHundredGigE0/0/0/5", "spine3:Ethernet1/7", 21),
            ],
        ),
        (
            "os9",
            "show lldp neighbors",
            DELL_TABLE,
            [
                ("Te 1/1", "248a07b9d810:248a07b9d810", 4),
                ("Te 1/3", "e41d2dbfd7e0:e41d2dbfd7e0", 5),
                ("Te 1/4", "spine2:Eth1/12", 6),
            ],
        ),
        (
            "os10",
            "show lldp neighbors",
            DELL_TABLE,
            [
                ("Te 1/1", "248a07b9d810:248a07b9d810", 4),
                ("Te 1/3", "e41d2dbfd7e0:e41d2dbfd7e0", 5),
                ("Te 1/4", "spine2:Eth1/12", 6),
            ],
        ),
        ("os9", "show lldp neighbors detail", DELL_DETAIL, [("TenGigabitEthernet 0/1", "gpu1:f48e380b9feb", 10)]),
        ("sonic", "show lldp table", SONIC_TABLE, [("Ethernet0", "spine2:etp7", 4)]),
        ("esonic", "show lldp table | no-more", SONIC_TABLE, [("Ethernet0", "spine2:etp7", 4)]),
        (
            "sonic",
            "show lldp neighbors",
            LLDPD_TEXT,
            [("Ethernet0", "spine2:Ethernet56", 7), ("Ethernet8", "b8cef6000001:b8cef6000001", 17)],
        ),
        (
            "cumulus",
            "lldpctl",
            LLDPD_TEXT,
            [("Ethernet0", "spine2:Ethernet56", 7), ("Ethernet8", "b8cef6000001:b8cef6000001", 17)],
        ),
        ("cumulus", "sudo lldpctl -f keyvalue", KEY_VALUES, [("swp1", "spine2:swp7", 1)]),
        (
            "cumulus",
            "nv show interface lldp",
            NVUE_TABLE,
            [("swp1", "gpu1:48b02d76ee8e", 3), ("swp2", "spine2:swp7", 4)],
        ),
        ("cumulus", "nv show interface lldp -o json", NVUE_JSON, [("swp1", "spine2:swp7", 1)]),
        ("cumulus", "net show lldp", NCLU_TABLE, [("swp1", "gpu1.example.net:1c34da678c6c", 4)]),
        ("cumulus", "net show lldp json", NCLU_JSON, [("swp1", "spine2:swp7", 1)]),
        ("onyx", "show lldp interfaces ethernet remote", ONYX, [("Ethernet 1/1", "spine2:Eth1/7", 6)]),
        ("onyx", "show lldp interfaces ethernet remote", ONYX_COLON, [("Eth1/1", "spine2:Eth1/7", 7)]),
        ("junos", "show lldp neighbors | no-more", JUNOS, [("et-0/0/1", "spine2:Ethernet7/1", 2)]),
        ("srlinux", "show system lldp neighbor", SRL_TABLE, [("ethernet-1/1", "spine2:ethernet-1/7", 5)]),
        ("srlinux", "info from state system lldp", SRL_STATE, [("ethernet-1/1", "spine2:ethernet-1/7", 5)]),
        ("srlinux", "info from state system lldp | as json", SRL_JSON, [("ethernet-1/1", "spine2:ethernet-1/7", 2)]),
        ("vrp", "display lldp neighbor", VRP, [("100GE1/0/1", "spine2:100GE1/0/7", 9)]),
        ("vrp", "display lldp neighbor brief", VRP_BRIEF, [("100GE1/0/1", "spine2:100GE1/0/7", 3)]),
        ("vrp", "display lldp neighbor brief", VRP_CAMPUS, [("100GE1/0/1", "spine2:100GE1/0/7", 2), MAC_ALONE]),
        (
            "comware",
            "display lldp neighbor-information verbose",
            COMWARE,
            [("HundredGigE1/0/1", "spine2:HundredGigE1/0/7", 7)],
        ),
        (
            "comware",
            "display lldp neighbor-information list",
            COMWARE_LIST,
            [("HGE1/0/1", "spine2:HundredGigE1/0/7", 2), ("HGE1/0/2", "AGENT-1:Port 1", 3)],
        ),
        ("aoscx", "show lldp neighbor-info detail", CX_DETAIL, [("1/1/1", "spine2:1/1/7", 3)]),
        ("aoscx", "show lldp neighbor-info", CX_TABLE, [("1/1/1", "spine2:1/1/7", 3)]),
    ],
)
def test_who_is_heard_and_on_which_line(
    platform: str, command: str, text: str, wanted: list[tuple[str, str, int]]
) -> None:
    reader = platforms.platform(platform).load().neighbours
    assert reader is not None
    found = list(reader(Document("answer.txt", text, command=command)))
    assert [(one.port, one.text, one.place.line) for one in found] == wanted


@pytest.mark.parametrize("platform", [one.name for one in platforms.every() if one.kind == "switch" and one.live])
def test_other_commands_and_broken_answers_hold_nobody(platform: str) -> None:
    reader = platforms.platform(platform).load().neighbours
    assert reader is not None
    commands = [one for one in platforms.platform(platform).commands if "lldp" in one]
    assert commands
    for command in (None, "show version", *commands):
        for text in ("", "{", "% Invalid input detected", "a: b\n" * 9, '{"lldp": 7}', '{"lldpNeighbors": [1, null]}'):
            assert not list(reader(Document("answer.txt", text, command=command)))


@pytest.mark.parametrize("platform", [one.name for one in platforms.every() if one.kind == "switch" and one.live])
def test_what_collect_asks_is_read(platform: str) -> None:
    """A device's own LLDP command answers in a form that is read: its first words reach a reader."""
    reader = platforms.platform(platform).load().neighbours
    assert reader is not None
    texts = (
        EOS_DETAIL,
        NXOS_DETAIL,
        XR_DETAIL,
        DELL_TABLE,
        SONIC_TABLE,
        LLDPD_TEXT,
        NVUE_JSON,
        ONYX,
        JUNOS,
        SRL_TABLE,
        VRP,
        COMWARE,
    )
    asked = [one for one in platforms.platform(platform).commands if "lldp" in one]
    heard = [
        list(reader(Document("a.txt", text, command=command)))
        for command in asked
        for text in (*texts, CX_DETAIL, DELL_DETAIL)
    ]
    assert any(heard)


HEARD_BY_LLDPAD = """Chassis ID TLV
\tMAC: 44:38:39:00:00:01
Port ID TLV
\tIfname: Ethernet1/1
Time to Live TLV
\t120
Port Description TLV
\tto gpu1
System Name TLV
\tleaf1
IEEE 8021QAZ PFC TLV
\t Willing: no
\t PFC enabled: 3
End of LLDPDU TLV
"""


@pytest.mark.parametrize(
    ("command", "text", "wanted"),
    [
        ("lldptool -t -n -i ens1", HEARD_BY_LLDPAD, [("ens1", "leaf1:Ethernet1/1", 4)]),
        ("lldptool -ti ens1 -n", HEARD_BY_LLDPAD, [("ens1", "leaf1:Ethernet1/1", 4)]),
        ("lldptool -t -i ens1", HEARD_BY_LLDPAD, []),
        (
            "lldpctl",
            LLDPD_TEXT,
            [("Ethernet0", "spine2:Ethernet56", 7), ("Ethernet8", "b8cef6000001:b8cef6000001", 17)],
        ),
        (
            "lldpcli show neighbors details",
            LLDPD_TEXT,
            [("Ethernet0", "spine2:Ethernet56", 7), ("Ethernet8", "b8cef6000001:b8cef6000001", 17)],
        ),
        ("lldpctl -f keyvalue", KEY_VALUES, [("swp1", "spine2:swp7", 1)]),
        (None, LLDPD_TEXT, [("Ethernet0", "spine2:Ethernet56", 7), ("Ethernet8", "b8cef6000001:b8cef6000001", 17)]),
    ],
)
def test_hosts(command: str | None, text: str, wanted: list[tuple[str, str, int]]) -> None:
    device = DeviceInput("gpu1", "linux", (Document("answer.txt", text, command=command),))
    reading = platforms.platform("linux").read(device)
    assert [(one.port, one.text, one.place.line) for one in reading.neighbours] == wanted
    assert not reading.seen
