"""Small networks as text: EOS switches and Linux hosts, read and joined as `check` does it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from roce_audit.audit import Request, check
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.site import Site
from roce_audit.policy import load
from roce_audit.policy.values import Policy

PROFILE = """qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      random-detect ecn minimum-threshold 500 kbytes maximum-threshold 2000 kbytes max-mark-probability 20 weight 0
!
"""
ROCE = "service-profile ROCE"


def switch(name: str, ports: Mapping[str, Iterable[str]], top: str = "") -> dict[str, str]:
    """A switch: port name -> statements of its stanza."""
    stanzas = "".join(
        f"interface {port}\n" + "".join(f"   {line}\n" for line in ("no switchport", *lines)) + "!\n"
        for port, lines in ports.items()
    )
    text = f"! Command: show running-config\n! device: {name} (DCS-7060DX5-64S, EOS-4.31.2F)\n!\nhostname {name}\n!\n"
    return {f"{name}.cfg": f"{text}{top}{PROFILE}{stanzas}end\n"}


@dataclass(frozen=True)
class NicText:
    """What the tools show of one NIC; the defaults are those of a ConnectX that nobody set up."""

    netdev: str
    rdma: str = ""
    pfc: tuple[int, ...] = ()
    trust: str = "pcp"
    speed_mbps: int = 200_000
    model: str = "MT4125"
    pci: str = ""
    default_route: bool = False
    up: bool = True
    lag: str = ""
    layer: str = "Ethernet"
    sysfs: tuple[str, ...] = ()
    cnp_dscp: int = 48
    dscp_to: Mapping[int, int] | None = None


def host(name: str, *nics: NicText, env: str = "") -> dict[str, str]:
    """A host: a folder of command answers."""
    links, files = [], {"hostname.txt": f"{name}\n"}
    sysfs = ""
    for index, nic in enumerate(nics, 2):
        link: dict[str, object] = {
            "ifindex": index,
            "ifname": nic.netdev,
            "flags": ["UP"] if nic.up else [],
            "mtu": 9000,
            "link_type": "ether" if nic.layer == "Ethernet" else "infiniband",
            "parentbus": "pci",
            "parentdev": nic.pci or f"0000:{index:02x}:00.0",
        }
        if nic.lag:
            link |= {"master": nic.lag, "linkinfo": {"info_slave_kind": "bond"}}
        links.append(link)
        files[f"mlnx_qos_-i_{nic.netdev}.txt"] = _qos(nic)
        files[f"ethtool_{nic.netdev}.txt"] = f"Settings for {nic.netdev}:\n\tSpeed: {nic.speed_mbps}Mb/s\n"
        sysfs += f"/sys/class/net/{nic.netdev}/device/vendor:0x15b3\n"
        sysfs += f"/sys/class/net/{nic.netdev}/ecn/roce_np/cnp_dscp:{nic.cnp_dscp}\n"
        if nic.rdma:
            sysfs += f"/sys/class/infiniband/{nic.rdma}/hca_type:{nic.model}\n"
            sysfs += f"/sys/class/infiniband/{nic.rdma}/ports/1/link_layer:{nic.layer}\n"
        sysfs += "".join(line + "\n" for line in nic.sysfs)
    for lag in {nic.lag for nic in nics if nic.lag}:
        links.append(
            {"ifindex": 90, "ifname": lag, "flags": ["UP"], "mtu": 9000, "link_type": "ether"}
            | {"linkinfo": {"info_kind": "bond"}}
        )
    files["ip_-d_-j_link_show.json"] = json.dumps(links, indent=1)
    files["ibdev2netdev.txt"] = "".join(
        f"{nic.rdma} port 1 ==> {nic.lag or nic.netdev} (Up)\n" for nic in nics if nic.rdma
    )
    files["ip_route_show.txt"] = "".join(f"default via 192.0.2.1 dev {n.netdev}\n" for n in nics if n.default_route)
    files["sysfs.txt"] = sysfs
    if env:
        files["env.txt"] = env
    return {f"{name}/{file}": text for file, text in files.items() if text}


def _qos(nic: NicText) -> str:
    enabled = "".join(f"{int(p in nic.pfc)}   " for p in range(8))
    table: dict[int, list[int]] = {p: [] for p in range(8)}
    for dscp in range(64):
        table[(nic.dscp_to or {}).get(dscp, dscp // 8)].append(dscp)
    mapping = "".join(f"\tprio:{p} dscp:{''.join(f'{d:02},' for d in codes)}\n" for p, codes in table.items() if codes)
    return (
        f"DCBX mode: OS controlled\nPriority trust state: {nic.trust}\n"
        + (f"dscp2prio mapping:\n{mapping}" if nic.trust == "dscp" else "")
        + "default priority:\nReceive buffer size (bytes): 130944,130944,0,0,0,0,0,0,total_size=262016\nCable len: 5\n"
        + f"PFC configuration:\n\tpriority    0   1   2   3   4   5   6   7\n\tenabled     {enabled}\n"
        + "\tbuffer      "
        + "".join(f"{int(p in nic.pfc)}   " for p in range(8))
        + "\n"
        + "".join(
            f"tc: {p} ratelimit: unlimited, tsa: ets, bw: {20 if p < 5 else 0}%\n\t priority:  {p}\n" for p in range(8)
        )
    )


def cables(*links: str) -> dict[str, str]:
    """A topology file: each cable as `leaf1:Ethernet1/1 host1:ens1f0np0`, and attributes behind it."""
    lines = []
    for link in links:
        a, b, *more = link.split(" ", 2)
        lines.append(f'  - {{a: "{a}", b: "{b}"{", " + more[0] if more else ""}}}\n')
    return {"topology.yaml": "links:\n" + "".join(lines)}


def written(folder: Path, *parts: Mapping[str, str], policy: str = "") -> Policy:
    """The policy, after it and all files were written into the folder; of two files of one name the later one."""
    files: dict[str, str] = {}
    for part in parts:
        files |= part
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    if not policy:
        return Policy.empty()
    (folder / "roce-audit.yaml").write_text(policy, encoding="utf-8")
    return load(folder / "roce-audit.yaml")


class Network:
    """The joined network of some files."""

    def __init__(self, folder: Path, *parts: Mapping[str, str], policy: str = "") -> None:
        given = written(folder, *parts, policy=policy)
        self.site: Site = check(Request((str(folder),), given, rules=())).site

    def port(self, port: str) -> FabricPort:
        """The port called `device:port`."""
        return next(s for fabric in self.site.fabrics for s in fabric.ports if s.id == port)

    def answer(self, port: str) -> tuple[bool | None, str]:
        """(carries RoCE, rank) of a port."""
        found = self.port(port).roce
        return found.carries, found.rank
