"""Files like those of a fleet, for measuring: of one platform all alike but for names, addresses, counters and what is not ours.

`of(platform, number)` is the text of the `number`-th device. Every tenth interface of a switch has another description, each
host its own counters and addresses.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import synthetic

PORTS = 64
NICS = 8
COUNTERS = 600
"""Lines of `ethtool -S` of one NIC."""


def eos(number: int) -> str:
    """A leaf of 5,000 lines, as `synthetic` writes it; each has addresses of its own."""
    text = synthetic.leaf(f"leaf{number}").replace("description host", f"description row {number} host")
    return text.replace(" 172.16.", f" 10.{100 + number % 100}.")


def nxos(number: int) -> str:
    """A leaf of about 4,000 lines."""
    ports = "".join(
        f"interface Ethernet1/{n}\n  description host{number * PORTS + n} patch {n}\n  no switchport\n  speed 400000\n  mtu 9216\n"
        f"  priority-flow-control mode on\n  priority-flow-control watch-dog-interval on\n  service-policy type qos input CLASSES\n"
        f"  ip address 10.{number % 250}.{n}.0/31\n  no shutdown\n\n"
        for n in range(1, PORTS + 1)
    )
    lists = "".join(
        f"ip access-list tenant{n}-{number}\n"
        + "".join(f"  {k}0 permit tcp 10.{n}.{k}.0/24 any eq {number + k}\n" for k in range(1, 40))
        for n in range(80)
    )
    return f"""!Command: show running-config
!Time: Sun Nov  1 08:00:{number % 60:02d} 2026
version 10.4(2) Bios:version 01.07
hostname leaf{number}
feature lldp
priority-flow-control watch-dog-interval on
class-map type qos match-all RDMA
  match dscp 26
class-map type qos match-all NOTIFY
  match dscp 48
policy-map type qos CLASSES
  class RDMA
    set qos-group 3
  class NOTIFY
    set qos-group 7
policy-map type network-qos PAUSED
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
policy-map type queuing OUT
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q3
    bandwidth remaining percent 80
    random-detect minimum-threshold 500 kbytes maximum-threshold 2000 kbytes drop-probability 10 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 20
system qos
  service-policy type network-qos PAUSED
  service-policy type queuing output OUT
{ports}{lists}"""


def sonic(number: int) -> str:
    """A config_db.json of about 3,500 lines."""
    names = [f"Ethernet{8 * n}" for n in range(PORTS)]
    maps = {"dscp_to_tc_map": "RDMA", "tc_to_queue_map": "RDMA", "pfc_enable": "3", "pfcwd_sw_enable": "3"}
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": f"leaf{number}", "hwsku": "ACS-SN5600", "type": "ToRRouter"}},
        "PORT": {
            name: {"alias": f"etp{n}", "speed": "400000", "mtu": "9214", "fec": "rs", "admin_status": "up"}
            | {"lanes": ",".join(str(8 * n + k) for k in range(8)), "description": f"host{number * PORTS + n}"}
            for n, name in enumerate(names)
        },
        "CABLE_LENGTH": {"AZURE": dict.fromkeys(names, "5m")},
        "DSCP_TO_TC_MAP": {"RDMA": {str(d): {26: "3", 48: "6"}.get(d, "0") for d in range(64)}},
        "TC_TO_QUEUE_MAP": {"RDMA": {"0": "0", "3": "3", "6": "6"}},
        "PORT_QOS_MAP": dict.fromkeys(names, maps),
        "SCHEDULER": {"rdma": {"type": "DWRR", "weight": "80"}, "rest": {"type": "DWRR", "weight": "20"}},
        "WRED_PROFILE": {
            "RDMA": {"ecn": "ecn_all", "wred_green_enable": "true", "green_min_threshold": "512000"}
            | {"green_max_threshold": "2048000", "green_drop_probability": "10"}
        },
        "QUEUE": {f"{name}|3": {"scheduler": "rdma", "wred_profile": "RDMA"} for name in names}
        | {f"{name}|0": {"scheduler": "rest"} for name in names},
        "ACL_RULE": {
            f"TENANT|RULE_{n}": {
                "PRIORITY": str(9000 - n),
                "SRC_IP": f"10.{number % 250}.{n % 250}.0/24",
                "PACKET_ACTION": "FORWARD",
            }
            for n in range(300)
        },
    }
    return json.dumps(tables, indent=4) + "\n"


def cumulus(number: int) -> str:
    """A startup.yaml of about 3,000 lines."""
    ports = "".join(
        f"      swp{n}:\n        description: host{number * PORTS + n}\n        link:\n          fec: rs\n          mtu: 9216\n"
        "          speed: 400G\n          state:\n            up: {}\n        qos:\n          pfc:\n            profile: rdma\n"
        "        type: swp\n"
        for n in range(1, PORTS + 1)
    )
    lists = "".join(
        f"      tenant{n}:\n        rule:\n          '{number + 10}':\n            action:\n              permit: {{}}\n"
        f"            match:\n              ip:\n                dest-ip: 10.{n}.0.0/24\n        type: ipv4\n"
        for n in range(200)
    )
    return f"""- header:
    model: SN5600
    nvue-api-version: nvue_v1
    version: Cumulus Linux 5.13.0
- set:
    system:
      hostname: leaf{number}
    acl:
{lists}    interface:
{ports}    qos:
      congestion-control:
        default-global:
          traffic-class:
            '3':
              ecn: enable
              max-threshold: 2000000
              min-threshold: 500000
              probability: 10
      pfc:
        rdma:
          rx: enable
          switch-priority:
            '3': {{}}
          tx: enable
"""


def linux(number: int) -> str:
    """A host's bundle of about 200 kB: eight NICs, most of it counters."""
    rng = random.Random(number)
    parts = ["@@ ROCE-AUDIT-BUNDLE 2", "@@ M uid=0 date=2026-11-01T08:00:00Z budget=60 timeout=10"]
    sections = 0

    def answer(name: str, about: str, command: str, text: str) -> None:
        nonlocal sections
        sections += 1
        body = "|" + text.replace("\n", "\n|") + "\n"
        parts.append(f"@@ B {name} {about} {command}\n{body}@@ E 0 {len(body)}")

    names = [f"ens{n}np0" for n in range(1, NICS + 1)]
    links = [
        {
            "ifname": name,
            "mtu": 9000,
            "link_type": "ether",
            "address": f"02:00:{number >> 8:02x}:{number & 255:02x}:00:{n:02x}",
        }
        | {"parentbus": "pci", "parentdev": f"0000:{n + 16:02x}:00.0"}
        for n, name in enumerate(names)
    ]
    answer("hostname", "-", "hostname", f"gpu{number}")
    answer("ip", "-", "ip -j -d link show", json.dumps(links))
    rdma = [
        {"ifindex": n, "ifname": f"mlx5_{n}", "port": 1, "state": "ACTIVE", "netdev": name}
        for n, name in enumerate(names)
    ]
    answer("rdma", "-", "rdma -j link show", json.dumps(rdma))
    for n, name in enumerate(names):
        files = {
            "mtu": 9000,
            "speed": 400000,
            "flags": "0x1003",
            "device/uevent": "DRIVER=mlx5_core",
            "device/vendor": "0x15b3",
        }
        answer(
            "sysfs", name, "files", "\n".join(f"/sys/class/net/{name}/{key}:{value}" for key, value in files.items())
        )
        gids = (
            f"fe80:0000:0000:0000:0000:00ff:fe{number >> 8:02x}:{number & 255:02x}{n:02x}",
            f"0000:0000:0000:0000:0000:ffff:0a{n:02x}:{number:04x}",
        )
        tree = f"/sys/class/infiniband/mlx5_{n}/ports/1"
        rows = [f"{tree}/gids/{k}:{gids[k // 2]}" for k in range(4)]
        rows += [f"{tree}/gid_attrs/types/{k}:{('IB/RoCE v1', 'RoCE v2')[k % 2]}" for k in range(4)]
        answer("sysfs", name, "files", "\n".join([*rows, *(f"{tree}/gid_attrs/ndevs/{k}:{name}" for k in range(4))]))
        counted = "\n".join(f"     rx{k}_packets: {rng.randrange(10**12)}" for k in range(COUNTERS))
        answer("ethtool", name, f"ethtool -S {name}", f"NIC statistics:\n{counted}")
        answer(
            "ethtool",
            name,
            f"ethtool -a {name}",
            f"Pause parameters for {name}:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\toff\n",
        )
        pfc = {"pfc_cap": 8, "macsec_bypass": False, "delay": 0, "prio_pfc": [k == 3 for k in range(8)]}
        answer("dcb", name, f"dcb -j -N pfc show dev {name}", json.dumps(pfc))
    return "\n".join([*parts, f"@@ END {sections}", ""])


OF: dict[str, tuple[Callable[[int], str], str]] = {
    "eos": (eos, "{name}.cfg"),
    "nxos": (nxos, "{name}.cfg"),
    "sonic": (sonic, "{name}/config_db.json"),
    "cumulus": (cumulus, "{name}/startup.yaml"),
    "linux": (linux, "{name}.txt"),
}
"""Platform -> who writes its texts, and the name of the file."""
