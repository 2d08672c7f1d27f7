"""Port: what one switch port or NIC port is configured to do. The same class serves both ends of a link."""

from __future__ import annotations

from typing import Literal

from roce_audit.model.base import doc, model
from roce_audit.model.flowcontrol import Dcbx, Pfc
from roce_audit.model.forwarding import Forwarding
from roce_audit.model.nic import Dcqcn, Gid
from roce_audit.model.queueing import Priority, PriorityGroup, Queue, TrafficClass
from roce_audit.values import Cell

PortKind = Literal[
    "ethernet",
    "lag",
    "management",
    "loopback",
    "svi",
    "subinterface",
    "tunnel",
    "recirculation",
    "fabric",
    "breakout-parent",
    "virtual-function",
    "infiniband",
    "iwarp",
    "dpu",
    "other",
]


BondMode = Literal["balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb", "balance-alb"]
"""As Linux names them (Documentation/networking/bonding.rst)."""


@model
class Nic:
    """RDMA side of a host port."""

    rdma_device: Cell[str] = doc("RDMA device (mlx5_0); absent = none for this network device")
    driver: Cell[str] = doc("kernel driver")
    driver_version: Cell[str] = doc(
        "version of the driver as it tells it; that of the kernel for a driver of the kernel"
    )
    model_name: Cell[str] = doc("NIC model as the host reports it")
    firmware: Cell[str] = doc("firmware version")
    link_layer: Cell[Literal["ethernet", "infiniband"]] = doc("link layer of the RDMA port")
    rdma_mtu_bytes: Cell[int] = doc("active RDMA path MTU, bytes: 256..4096")
    forced_traffic_class: Cell[int] = doc("ToS byte forced on all QPs of the device; absent = none")
    roce: Cell[bool] = doc("driver and firmware offer RoCE on this NIC; absent = nothing says so")
    cma_mode: Cell[Literal["roce-v1", "roce-v2"]] = doc(
        "default RoCE version of rdma_cm connections; absent = nothing says so"
    )
    cma_tos: Cell[int] = doc(
        "default ToS byte of rdma_cm connections; concerns rdma_cm users only; absent = nothing says so"
    )
    roce_dscp: Cell[int] = doc("DSCP that the NIC's own settings give its RoCE packets; absent = nothing says so")
    cnp_dscp: Cell[int] = doc("DSCP of the CNPs this NIC sends")
    cnp_priority: Cell[int] = doc("802.1p priority of the CNPs this NIC sends")
    cnp_takes_dscp: Cell[bool] = doc(
        "CNPs get the DSCP of the packet that they answer, and none of their own; absent = nothing says so"
    )
    dcqcn: Cell[Dcqcn] = doc("congestion control")
    takes_any_order: Cell[bool] = doc(
        "packets of one connection may come in by several paths, in any order (adaptive routing); absent = nothing says so"
    )
    tunnel_keeps_marks: Cell[bool] = doc(
        "the ECN bits of a packet are copied into the outer header of a tunnel that the NIC makes; absent = nothing says so"
    )
    gids: Cell[tuple[Gid, ...]] = doc("GID table")
    default_route: Cell[bool] = doc("the host's default route leaves here")
    routed: Cell[bool] = doc("a route with a gateway leaves here, in any routing table")
    bond_mode: Cell[BondMode] = doc("how the bond of which it is a member spreads packets; absent = in no bond")
    driver_on_disk: Cell[str] = doc(
        "version of the driver that the next boot would load; absent = nothing says so, or it has no version of its own"
    )
    sends_priority_tag: Cell[bool] = doc("packets may carry an 802.1p tag; absent = nothing says so")
    near_gpu: Cell[bool] = doc("shares a PCIe switch with a GPU")
    fec_running: Cell[Literal["rs", "fc", "none"]] = doc(
        "forward error correction that runs on a link that is up; absent = nothing shows it"
    )
    fec_unused: Cell[Literal["rs", "fc", "none"]] = doc(
        "the one code that is configured, where another runs; absent = it runs, or not both were seen"
    )
    pcie_gbps: Cell[int] = doc("usable PCIe rate of the slot as trained, Gbit/s")
    persisted: Cell[Port] = doc(
        "the port as boot-time configuration sets it up; unknown where not looked for; what no boot file that was seen sets"
        " is absent"
    )
    next_boot: Cell[Port] = doc("the same port as firmware settings stored for the next boot make it")


@model
class Port:
    """The facts of one port: a pure function of the statements that concern it."""

    kind: Cell[PortKind] = doc(
        "what sort of port it is; only ethernet and lag ports can carry RoCE. dpu: the host's side of a BlueField in DPU mode,"
        " whose settings live on the DPU"
    )
    admin_up: Cell[bool] = doc("administratively up")
    link_up: Cell[bool] = doc("the link is up; absent = no answer that was read shows it")
    speed_bps: Cell[int] = doc("configured or fixed speed, bit/s; absent = automatic")
    fec: Cell[Literal["rs", "fc", "none", "auto"]] = doc("forward error correction; absent = not configured")
    eee: Cell[bool] = doc("Energy Efficient Ethernet (IEEE 802.3az) is on; absent = nothing that was read says so")
    autoneg: Cell[bool] = doc("auto-negotiation")
    lacp: Cell[Literal["active", "passive", "static"]] = doc(
        "how it is in its port channel or bond: by LACP, or static, without a protocol; absent = nothing that was read says so"
    )
    lacp_rate: Cell[Literal["fast", "slow"]] = doc(
        "how often it asks its LACP partner for a message: every second, or every 30; absent = nothing that was read says so"
    )
    min_links: Cell[int] = doc(
        "members that must be up, or its port channel goes down; absent = nothing that was read says so"
    )
    shared_channel: Cell[str] = doc(
        "what two switches call the channel that they make together (`mlag 5`, `esi 00:...`); absent = its port channel is its"
        " switch's own"
    )
    ip_mtu_bytes: Cell[int] = doc("largest IP packet the port carries; frame MTUs are converted by the platform")
    cable_m: Cell[int] = doc("cable length configured for buffer sizing, metres; absent = not configurable")
    trust: Cell[Literal["dscp", "pcp", "both", "none", "acl"]] = doc(
        "what the port believes, see dscp; acl: an access list picks RoCE out by its UDP port, so dscp speaks of RoCE packets alone"
    )
    dscp: Cell[tuple[Cell[int], ...]] = doc(
        "traffic class of a RoCEv2 packet (UDP 4791, untagged) with this DSCP on entering here", size=64
    )
    pcp: Cell[tuple[Cell[int], ...]] = doc(
        "traffic class of a RoCEv2 packet with this 802.1p priority in its tag on entering here", size=8
    )
    rewrites_dscp: Cell[frozenset[int]] = doc("traffic classes whose DSCP is rewritten on leaving; empty = none")
    policed: Cell[bool] = doc("a policer hits unicast data on entering (CoPP and storm-control do not count)")
    policed_dscps: Cell[frozenset[int]] = doc(
        "code points of the packets that the policer hits, where it hits those of some classes alone; absent = all packets"
    )
    drops_roce: Cell[bool] = doc(
        "an access list drops all RoCEv2 packets (UDP 4791) that enter or leave here; absent = no list that was read does"
    )
    drops_dscps: Cell[frozenset[int]] = doc(
        "code points with which an access list drops all RoCEv2 packets that enter or leave here; absent = no list that was read does"
    )
    pfc: Cell[Pfc] = doc("priority flow control")
    link_pause_rx: Cell[bool] = doc("802.3x pause is obeyed")
    link_pause_tx: Cell[bool] = doc("802.3x pause is sent")
    classes: Cell[tuple[TrafficClass, ...]] = doc("internal classes", size=8)
    priorities: Cell[tuple[Priority, ...]] = doc("802.1p priorities as PFC sees them", size=8)
    queues: Cell[tuple[Queue, ...]] = doc("egress queues", size=8)
    groups: Cell[tuple[PriorityGroup, ...]] = doc("ingress priority groups", size=8)
    dcbx: Cell[Dcbx] = doc("LLDP and DCBX")
    forwarding: Cell[Forwarding] = doc(
        "how a switch chooses among equal paths, and its tunnels; absent on a NIC, and where nothing that was read says so"
    )
    nic: Cell[Nic] = doc("what only a NIC has; absent on a switch port")

    @property
    def is_nic(self) -> bool:
        """True for a port of a host, and for no other."""
        return self.nic.is_known
