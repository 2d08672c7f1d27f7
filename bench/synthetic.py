"""Synthetic configurations for measuring: an EOS leaf of about 5,000 lines, and fleets of them."""

from __future__ import annotations

import random

_HEAD = """! Command: show running-config
! device: {name} (DCS-7060X6-64PE, EOS-4.33.1F)
!
hostname {name}
!
qos map dscp 26 to traffic-class 3
qos map dscp 48 to traffic-class 6
!
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      no priority
      bandwidth percent 90
      random-detect ecn minimum-threshold {kmin} kbytes maximum-threshold 2 mbytes max-mark-probability 100 weight 0
   !
   uc-tx-queue 6
      priority strict
!
priority-flow-control pause watchdog default timeout 0.20
priority-flow-control pause watchdog action drop
!
"""
_PORT = """interface Ethernet{n}/1
   description host{n} port {n}
   mtu 9214
   no switchport
   ip address 10.{a}.{n}.0/31
   service-profile {profile}
   priority-flow-control pause watchdog
   uc-tx-queue 3
      random-detect ecn count
!
"""
_VLAN = """interface Vlan{n}
   description tenant {n}
   vrf tenant{n}
   ip address 172.16.{n}.1/24
   ip virtual-router address 172.16.{n}.254
   ipv6 enable
   arp aging timeout 1500
   ip helper-address 10.0.0.1
!
"""
_BGP = "   neighbor 10.255.{a}.{n} peer group spines\n   neighbor 10.255.{a}.{n} description spine{n}\n"


def leaf(name: str = "leaf1", ports: int = 128, *, filler: int = 250, odd_port: int = 0, kmin: int = 500) -> str:
    """An EOS leaf: `ports` RoCE ports, `filler` VLAN interfaces and BGP lines; one port may lack its profile."""
    parts = [_HEAD.format(name=name, kmin=kmin)]
    for n in range(1, ports + 1):
        text = _PORT.format(n=n, a=len(name), profile="ROCE")
        parts.append(text.replace("   service-profile ROCE\n", "") if n == odd_port else text)
    parts.extend(_VLAN.format(n=n) for n in range(1, filler + 1))
    parts.append(
        "router bgp 65001\n" + "".join(_BGP.format(a=n % 200, n=n % 250) for n in range(filler * 3)) + "!\nend\n"
    )
    return "".join(parts)


def fleet(switches: int, ports: int, *, diverse: bool, seed: int = 1) -> dict[str, str]:
    """Name -> configuration; in a diverse fleet every port has a description and the thresholds differ per switch."""
    rng = random.Random(seed)
    return {
        f"leaf{i}": leaf(f"leaf{i}", ports, filler=20, kmin=rng.randrange(300, 900) if diverse else 500)
        for i in range(1, switches + 1)
    }
