"""Joined facts: what only the fabric knows of a port, a class at a port, and a link."""

from __future__ import annotations

from typing import Literal

from roce_audit.model.base import doc, model
from roce_audit.model.queueing import Priority, PriorityGroup, Queue, TrafficClass
from roce_audit.values import Cell

Facing = Literal["host", "fabric", "peer-link", "outside"]
Rank = Literal[
    "not_data", "policy", "cabling", "port_config", "similar_ports", "path", "device_wide", "hint", "conflict", "none"
]
"""Which kind of evidence decided whether a port carries RoCE; conflict and none leave it unclear."""


@model
class Class:
    """A class of the fabric's policy: the RoCE class a subject is judged for, or the CNP class."""

    name: str = doc("name of the class")
    dscp: Cell[frozenset[int]] = doc("code points of the class; any of these")
    pcp: Cell[frozenset[int]] = doc("802.1p tag priorities that classify it on tagged links; absent = by DSCP")
    priority: Cell[frozenset[int]] = doc("802.1p number in the PFC frame")
    lossless: Cell[bool] = doc("PFC is meant to protect it")
    mtu_bytes: Cell[int] = doc("RDMA path MTU in bytes (payload), e.g. 4096")


@model
class OddSetting:
    """A setting in which a port differs from nearly all similar ports, or its device from the others of its tier."""

    path: str = doc("model path of the setting")
    value: Cell[str] = doc("what this port has, as text")
    usual: Cell[str] = doc("what the similar ports have, as text")
    agreeing: int = doc("how many similar ports agree with each other")
    peers: str = doc("who has the usual value, in words")
    devices: bool = doc("devices were compared, with one vote each; else ports")
    tied: bool = doc("the devices are two groups, and neither is a clear majority")


@model
class Joined:
    """What the fabric knows of one port. All of it is evidence, so all of it is cells."""

    carries_roce: Cell[bool] = doc("the port carries RoCE; unknown = unclear; places are the evidence")
    rank: Cell[Rank] = doc("which kind of evidence decided")
    facing: Cell[Facing] = doc("what the port leads to")
    peer: Cell[str] = doc("device:port at the far end")
    channel: Cell[str] = doc("port channel or bond that spreads traffic over it and others; absent = it stands alone")
    channel_members: Cell[int] = doc("how many ports its channel has; 0 where it stands alone, or nobody knows")
    far_channel: Cell[str] = doc(
        "device:channel that the far end of a member of a channel is in; absent = none, or no far end was read"
    )
    usual_far_channel: Cell[str] = doc(
        "another channel of the same device, to which most members of its own channel lead; absent = there is none"
    )
    strange_channel: Cell[str] = doc(
        "device:channel to which the channel at its far end leads as well, while the two switches do not make one channel"
        " together; absent = there is none"
    )
    peer_shut: Cell[bool] = doc("a line shuts the far end down; absent = no far end was read")
    peer_routed: Cell[bool] = doc(
        "the far end is a routed port of a switch, with no other device behind it in one network; absent = no far end was read"
    )
    peer_sends_priority_tag: Cell[bool] = doc(
        "the far end is a NIC whose packets may carry an 802.1p tag, without a VLAN too; absent = nothing says so"
    )
    peer_lossy_dscps: Cell[frozenset[int]] = doc(
        "code points that the switch at the far end leads into buffer groups that are not lossless; absent = no switch that"
        " knows packets by them was read there"
    )
    taken_out_dscps: Cell[frozenset[int]] = doc(
        "of a switch port: code points that lines lead to other buffer groups than the one of the paused priority in whose block of"
        " eight they stand (24 to 31 for 3), and 26 led to anything but what is paused, where few lines map code points and none leads"
        " one to what is paused; absent = there are none"
    )
    unusual_dscp: Cell[int] = doc(
        "of a switch port: the only code point that lines lead to what PFC pauses, where it is 25 or 27, the neighbours of the usual 26;"
        " absent = it is none of these"
    )
    unusual_cnp_dscp: Cell[int] = doc(
        "of a switch port: the code point that lines single out as that of CNPs, where it is 47 or 49, the neighbours of the usual 48, and"
        " 48 leads elsewhere; absent = it is none of these"
    )
    number_of_class: Cell[int] = doc(
        "of a switch port: the number of its only lossless class (its traffic class, its queue, the block of eight of all code points"
        " that lines lead to it), where PFC pauses another number; absent = it is none of these"
    )
    room_for_others: Cell[frozenset[int]] = doc(
        "of a switch port: buffer groups that lines make no-drop or give headroom or thresholds of pause, while PFC pauses no priority"
        " in them and no line gives the same to the groups that it does pause; absent = there are none"
    )
    empty_queues: Cell[frozenset[int]] = doc(
        "of a switch port: egress queues that lines set up and into which no traffic class leads, while the queue of a paused priority has"
        " no line of its own; absent = there are none"
    )
    strict_queue_unreached: Cell[int] = doc(
        "of a switch port that maps code points: the only queue that lines make strict, where no code point and no tag leads there, or"
        " none but by default while a line leads DSCP 48 to unmarked traffic; absent = there is none"
    )
    next_lossy_dscps: Cell[frozenset[int]] = doc(
        "of a NIC: code points that every switch behind the one at its far end leads into buffer groups that are not lossless; absent ="
        " none is, or no such switch was read"
    )
    peer_speaks_dcbx: Cell[bool] = doc("the far end speaks DCBX; absent = no far end was read")
    peer_pfc_priorities: Cell[frozenset[int]] = doc(
        "priorities for which the far end offers PFC by DCBX, as LLDP shows it; absent = no such TLV was seen"
    )
    peer_shares: Cell[tuple[int, ...]] = doc(
        "percent of the bandwidth that the far end offers for each of eight priorities by DCBX (ETS), as LLDP shows it; 100 for one"
        " that is served first; absent = no such TLV was seen"
    )
    peer_roce_priority: Cell[int] = doc(
        "802.1p priority that the far end gives to RoCEv2 (UDP 4791) by DCBX, as LLDP shows it; absent = no such TLV was seen"
    )
    names_roce_priority: Cell[bool] = doc(
        "a line of the switch tells peers by DCBX which priority RoCE is to have; absent = none was read"
    )
    announced_pfc: Cell[frozenset[int]] = doc(
        "priorities for which this port offers PFC by DCBX, as LLDP at the far end shows it; absent = no such TLV was seen"
    )
    announced_shares: Cell[tuple[int, ...]] = doc(
        "percent of the bandwidth that this port offers for each of eight priorities by DCBX (ETS), as LLDP at the far end shows it;"
        " 100 for one that is served first; absent = no such TLV was seen"
    )
    length_m: Cell[float] = doc("length of the cable, metres, from topology or policy")
    assumed_length_m: Cell[float] = doc("length_m; where it is not known, the cable length configured on the port")
    stated_length_m: Cell[int] = doc("cable length that a line of the port's switch states, metres; absent = none does")
    length_for_all_ports: Cell[bool] = doc(
        "that line is one for all ports of the switch, and allows for the longest cable; absent = it is not, or there is none"
    )
    similar_ports: Cell[int] = doc("number of ports similar to this one")
    hint_against: Cell[str] = doc("what speaks against RoCE on this port, whatever decided; absent = nothing does")
    unsaved: Cell[tuple[str, ...]] = doc(
        "how what runs differs from what the port boots with, as clauses; absent = no saved settings were given"
    )
    not_running: Cell[tuple[str, ...]] = doc(
        "settings of the saved configuration that no line sets in the running one, as clauses; absent = none was given"
    )
    odd_settings: Cell[tuple[OddSetting, ...]] = doc("settings in which it differs from similar ports")
    odd_in_channel: Cell[tuple[OddSetting, ...]] = doc(
        "settings in which it differs from the other members of its port channel or bond"
    )
    odd_congestion_control: Cell[tuple[OddSetting, ...]] = doc(
        "parameters of congestion control in which a NIC differs from the others of its model and speed"
    )

    odd_versions: Cell[tuple[OddSetting, ...]] = doc(
        "versions of firmware and driver in which a NIC differs from the others of its model and speed"
    )
    parent_pfc: Cell[frozenset[int]] = doc(
        "priorities with PFC that are configured on the breakout parent of this port, which carries nothing; absent = none are"
    )
    vlan_mtu_bytes: Cell[int] = doc(
        "IP MTU of the routed interface of the one VLAN that a port is in, or of that of its VLANs which takes less than another switch's, "
        "bytes; absent = there is none, or it is in several"
    )
    vlan_mtu_elsewhere_bytes: Cell[int] = doc(
        "IP MTU of another switch's interface that routes the same VLAN and subnet, where it is larger, bytes; absent = none is"
    )
    vlan_left_for: Cell[str] = doc(
        "a port to hosts with RoCE of another switch, to which packets get from the one VLAN of this port by routing alone, for no other "
        "switch has the VLAN, or the other one of the pair alone; absent = none is, or another switch has it"
    )
    vlan_drops_roce: Cell[bool] = doc(
        "access lists of all routed interfaces of the port's VLANs drop every RoCEv2 packet; absent = one lets it through, or has none"
    )
    subinterface_mtu_bytes: Cell[int] = doc(
        "IP MTU of the largest of the subinterfaces of a port that routes by them alone, bytes; absent = it routes itself, or not"
    )
    untagged: Cell[bool] = doc(
        "packets come without a tag: the port is in one VLAN, or routes by an address of its own; absent = a trunk, or nobody says"
    )
    has_vlans: Cell[bool] = doc(
        "VLANs stand on the NIC, by what the host shows: packets leave with a tag; absent = none was seen"
    )
    is_peer_link: Cell[bool] = doc("a line makes it the link between the two switches of a pair")
    uplink_speeds: Cell[frozenset[int]] = doc(
        "speeds of the ports of this switch that carry RoCE to other switches, bit/s; absent = none was seen"
    )
    headroom_claimed_bytes: Cell[int] = doc(
        "bytes that all ports of the switch together may take of the shared headroom pool of this port; absent = it has none"
    )


@model
class Application:
    """What the communication libraries of a host do with one NIC; absent = nobody was seen to say so."""

    forced_tos: Cell[int] = doc("ToS byte that the driver forces on every queue pair of the RDMA device")
    nccl_tos: Cell[int] = doc("ToS byte of NCCL's packets; absent where a class is forced, or NCCL is not seen in use")
    ucx_tos: Cell[int] = doc("ToS byte of UCX's packets; absent where a class is forced, or UCX is not seen in use")
    nvshmem_tos: Cell[int] = doc(
        "ToS byte that NVSHMEM is told to use; absent where a class is forced, or it is not told"
    )
    storage_tos: Cell[int] = doc(
        "ToS byte that a storage client of the host is told to use; absent where a class is forced, or it is not told"
    )
    hidden_tos: Cell[int] = doc(
        "ToS byte that NCCL or UCX is told to use where a class is forced, another than that first; absent = none"
    )
    nccl_tos_is_default: Cell[bool] = doc("NCCL_IB_TC is not set: nccl_tos is NCCL's own default")
    ucx_tos_is_default: Cell[bool] = doc("UCX_IB_TRAFFIC_CLASS is not set: ucx_tos is UCX's own default")
    gid_index: Cell[int] = doc("GID table index that NCCL is told to use; absent = chosen automatically, or not seen")
    ucx_gid_index: Cell[int] = doc(
        "GID table index that UCX is told to use; absent = chosen automatically, or not seen"
    )
    nvshmem_gid_index: Cell[int] = doc(
        "GID table index that NVSHMEM is told to use; absent = chosen automatically, or not seen"
    )
    nccl_timeout: Cell[int] = doc("NCCL_IB_TIMEOUT, an exponent; absent = not seen")
    nccl_retries: Cell[int] = doc("NCCL_IB_RETRY_CNT; absent = not seen")
    nccl_ib_disable: Cell[int] = doc("NCCL_IB_DISABLE: other than 0 keeps NCCL from using RDMA; absent = not seen")
    nccl_net: Cell[Literal["ib", "socket", "plugin"]] = doc("network that NCCL is told to take; absent = not seen")
    ucx_rdma: Cell[bool] = doc("UCX_TLS lets UCX use RDMA; absent = not seen, or UCX only starts a job of NCCL")
    nccl_control_tos: Cell[int] = doc(
        "ToS byte that NCCL is told to give its control messages; absent = not seen, or a class is forced"
    )
    nccl_sl: Cell[int] = doc("service level that NCCL is told to use; absent = not seen")
    ucx_sl: Cell[int] = doc("service level that UCX is told to use; absent = not seen")
    perftest_tos: Cell[int] = doc("ToS byte of a perftest run; absent = none was seen")
    named: Cell[bool] = doc("NCCL_IB_HCA or UCX_NET_DEVICES names this NIC")
    named_by: Cell[str] = doc("these lists as written")
    none_named: Cell[str] = doc(
        "NCCL_IB_HCA as written, where it names NICs of the host and none that carries RoCE, or leaves all of these out; absent ="
        " it does not"
    )
    point_to_point: Cell[bool] = doc(
        "its IPv4 subnet holds the switch and nobody else (30 or 31 bits); absent = no address was seen"
    )
    beyond: Cell[str] = doc(
        "the RoCE NIC of this name on another host of the fabric, which has its addresses in other IPv4 subnets; absent = none was seen"
    )
    shares_subnet_with: Cell[str] = doc("another RoCE NIC of the host with an address in the same IPv4 subnet")


@model
class Hop:
    """One class at one port: the path of its packets through the device, each step a cell."""

    priority: Cell[int] = doc("802.1p priority of the class in PFC frames")
    traffic_class: Cell[TrafficClass] = doc("internal class its packets are put in on entering")
    dscp_classes: Cell[frozenset[int]] = doc("internal classes of all code points of the class; one is healthy")
    mapped_instead: Cell[frozenset[int]] = doc(
        "code points outside the class that a line maps to where its priority is protected, while no line maps one of the class"
    )
    mapped_to_it: Cell[frozenset[int]] = doc(
        "code points that surely lead to where its priority is protected; absent = no map of code points is written"
    )
    queue: Cell[Queue] = doc("egress queue of that internal class")
    group: Cell[PriorityGroup] = doc("ingress group of that internal class")
    pfc_priority: Cell[Priority] = doc("how PFC treats the class's priority on this port")
    pfc_on: Cell[bool] = doc("PFC is on for the class's priority")
    group_priorities: Cell[frozenset[int]] = doc("PFC-enabled priorities that are paused when the class's group fills")
    sharers: Cell[frozenset[int]] = doc("lossy internal classes that share the class's queue or group")


@model
class ClassPath:
    """A way between two switches that serve RoCE, and one port on it."""

    source: Cell[str] = doc("the switch at one end")
    target: Cell[str] = doc("the switch at the other end")
    known_to_carry: bool = doc(
        "the port is known to carry RoCE; else there is no other way, though nothing shows that it does"
    )
    given: bool = doc("the path file says this way; else it is a shortest one that goes up and then down")


@model
class Link:
    """A cable between two ports; its ends are judged as `a` and `b`."""

    length_m: Cell[float] = doc("length of the cable, metres")
    speed_bps: Cell[int] = doc("speed of the link where both ends agree")


@model
class Position:
    """Where a switch stands in its fabric, and what is odd about its cables."""

    role: Cell[str] = doc("leaf, spine, super-spine or core; unknown where neither name, topology nor cables tell")
    ways_up: int = doc("its ports to the layer above but those that are switched; a port channel counts once")
    max_paths: Cell[int] = doc("equal-cost paths that a route of BGP may use at most; absent = nothing says so")
    says_max_paths: bool = doc("a statement says that number, and not the default of its system")
    same_seed: Cell[str] = doc(
        "a switch of its system in the layer above that chooses among several ways by the same hash seed, and that seed; absent = none"
    )
    headroom_bytes: Cell[int] = doc(
        "bytes known to be kept for headroom by the lossless groups of all its ports, shared pools included"
    )
    headroom_besides_bytes: Cell[int] = doc(
        "bytes kept besides: 0, or unknown where the switch computes the headroom of some groups and prints it nowhere"
    )
    comparable_uplinks: int = doc("its ports to the layer above, where the speed of each is set; else 0")
    slow_uplinks: Cell[frozenset[str]] = doc("those of them that are slower than others; absent = none")
    cabled_alike: int = doc(
        "switches of its layer with the same cables to the layer above, where nearly all have; else 0"
    )
    missing_above: Cell[frozenset[str]] = doc(
        "switches of the layer above to which it has fewer cables than those; absent = none"
    )
    rail_nics: int = doc("NICs on this leaf that have the same number in their hosts, where nearly all have; else 0")
    other_rail: Cell[frozenset[str]] = doc(
        "its ports, with what hangs on them, before NICs of another number; absent = none"
    )


@model
class Fabric:
    """One fabric as a whole."""

    name: Cell[str] = doc("name of the fabric")
    devices: int = doc("devices of the fabric")
    links: int = doc("known cables between its RoCE ports")
    roce_ports: int = doc("ports that carry RoCE")
    one_tier: bool = doc(
        "all switches with RoCE ports are of one platform, model and role: people would configure them alike"
    )
    any_lossless: Cell[bool] = doc("some port has a lossless element")
    lossless_intended: Cell[bool] = doc("the policy does not say that the fabric is meant to be lossy")
    lossless_priorities: Cell[frozenset[int]] = doc(
        "802.1p priorities of its lossless classes; empty = no class is known; unknown for files that belong to no host"
    )
    lossy_priorities: Cell[frozenset[int]] = doc("802.1p priorities of its classes that are meant to be lossy")
    roce_dscps: Cell[frozenset[int]] = doc("code points of all its RoCE classes; unknown where one class's are")
    roce_tags: Cell[frozenset[int]] = doc(
        "802.1p tags of its RoCE classes; absent = some class is told by a DSCP as well, or none by a tag"
    )
    singles_dscps_out: bool = doc("the policy or lines of devices give some RoCE class a few code points of its own")
    largest_mtu_bytes: Cell[int] = doc(
        "largest IP MTU of a RoCE port, bytes; absent = there is no such port, the MTU of one is not known, or a class has a larger one"
    )
    dscps_by_switches_alone: bool = doc("neither the policy nor a NIC says with which code point RoCE is sent")
    dcqcn_priorities: Cell[frozenset[int]] = doc("priorities in which some RoCE NIC slows down on CNPs")
    switches_mark: Cell[bool] = doc(
        "the queue of some RoCE port of a switch marks congestion; unknown where none was read"
    )
    switches_pause: Cell[bool] = doc(
        "PFC is on for some priority of some RoCE port of a switch; absent = no switch was read"
    )
    congestion_controls: Cell[frozenset[str]] = doc(
        "algorithms of congestion control that its RoCE NICs name as theirs"
    )
    quickest_recovery_mbps_per_ms: Cell[float] = doc(
        "greatest additive increase per rate timer among its RoCE NICs, Mbit/s per ms; absent = no NIC told both"
    )
    quickest_recovery_percent_per_ms: Cell[float] = doc(
        "the same as a share of each NIC's own speed, percent per ms; absent = no NIC told all three"
    )
    asked_dscps: Cell[frozenset[int]] = doc(
        "DSCPs that jobs without a host give RoCE, where no host is seen; absent = no job says one, or a host was read"
    )
    hints_for_roce: Cell[frozenset[str]] = doc("ports whose description or far end speaks of RoCE, GPUs or storage")
    priority_votes: int = doc(
        "different sets of PFC priorities that devices vote for, each by at least a fifth of them"
    )
    disagreed_priorities: Cell[frozenset[int]] = doc("PFC priorities that some of these sets hold and others do not")
    disagreed_dscps: Cell[frozenset[int]] = doc(
        "code points that lead to an inferred lossless class on some devices and not on others; empty where most agree"
    )
    enclosed_dscps: Cell[frozenset[int]] = doc(
        "code points that each RoCE port of its switches and hosts leads to the priority of one class; empty = no switch was read"
    )
    disagreed_mtus: Cell[frozenset[int]] = doc(
        "IP MTUs of the RoCE ports, bytes, where these carry different path MTUs and none has a majority; else empty"
    )
    pause_cycle: Cell[str] = doc(
        "ports whose lossless buffers wait for each other in a circle, if traffic takes all shortest ways; absent = none"
    )
    pause_cycle_bounces: bool = doc("that circle needs traffic that goes down and up again")
    pause_cycle_routed: bool = doc(
        "routing tables or the path file say all ways that were looked at for that circle; else they are assumed"
    )
    cnp_dscps: Cell[frozenset[int]] = doc("DSCPs that the NICs of the fabric mark CNPs with")
    cnp_dscps_unmapped: Cell[frozenset[int]] = doc("those of cnp_dscps that some switch port treats like DSCP 0")
    mixed_releases: Cell[frozenset[str]] = doc(
        "releases of the operating system of switches of one platform, model and role, where there are several; else empty"
    )
    slowest_watchdog_ms: Cell[float] = doc(
        "longest time that a PFC watchdog keeps a queue of a RoCE port from its traffic, detection and restoration, ms; absent ="
        " none was seen"
    )
    sprays: Cell[bool] = doc("some switch port that carries RoCE may send packets of one flow by several paths")
    rdma_mtus: Cell[frozenset[int]] = doc("active RDMA path MTUs of the NICs that carry RoCE, bytes")
    strange_devices: Cell[frozenset[str]] = doc(
        "RDMA devices that jobs without a host are told to use and that no host of the fabric has, or no setup names; absent = there are"
        " none, or not all devices of the hosts are known"
    )
    devices_by_setups: Cell[bool] = doc("no NIC was read: setups say which RDMA devices there are")
    setups_say_pfc: Cell[bool] = doc("some setup without a host says what PFC is to do, or leaves it open")
    front_end_devices: Cell[frozenset[str]] = doc(
        "RDMA devices that jobs without a host are told to use and that carry no RoCE on any host of the fabric; absent = none are seen"
    )
    forgotten_devices: Cell[frozenset[str]] = doc(
        "the one RDMA device of four, eight or sixteen with RoCE that a job without a host is not told to use; absent = none is seen"
    )
    list_without_roce: Cell[str] = doc(
        "what a job without a host leaves out, as written, where that is every RDMA device with RoCE of the hosts; absent = none is seen"
    )
    unpaused_devices: Cell[frozenset[str]] = doc(
        "RDMA devices that jobs without a host are told to use where others carry RoCE, and whose NICs have PFC on for no priority, of"
        " which nothing says for certain whether they carry RoCE; absent = none are seen"
    )
    forces_class: Cell[bool] = doc("a ToS byte is forced on all queue pairs of some NIC, as far as is seen")
    roce_v2_gids: Cell[frozenset[int]] = doc(
        "indexes at which the GID table of some NIC that carries RoCE (where none is seen to, of one that a job names) has a RoCEv2 entry,"
        " of a link-local address only where none has others; absent = no NIC was read, not every table, or no job without a host"
    )
    nics_without_gid: Cell[frozenset[str]] = doc(
        "NICs that a job names and that have no RoCEv2 entry where it looks for one, while other NICs of their hosts do; absent = none"
    )
    hosts_without_gid: Cell[frozenset[str]] = doc(
        "hosts of whose NICs that a job names none has a RoCEv2 entry where it looks for one, or one of the other version of IP, while NICs"
        " of other hosts have; absent = none"
    )
    hosts_with_link_local_gid: Cell[frozenset[str]] = doc(
        "such hosts with RoCEv2 entries of link-local addresses there, while other hosts have routable ones; absent = none"
    )
    link_local_gids: Cell[frozenset[int]] = doc(
        "indexes at which such NICs have RoCEv2 entries of link-local addresses alone, while they have others elsewhere; absent = no NIC"
        " was read, not every table, or no job without a host"
    )
    routed_nics: Cell[bool] = doc(
        "every NIC that carries RoCE leads to a routed port of a switch; absent = the far end of one was not read, no NIC was, or no job"
        " without a host"
    )
    infiniband_only: Cell[bool] = doc(
        "all RDMA devices that were read are of InfiniBand; absent = none was read, one is of Ethernet, or a port carries RoCE"
    )
    setup_dscps: Cell[frozenset[int]] = doc(
        "DSCPs that setups without a host lead to a priority that they pause; none where they trust the tag alone; absent = there are"
        " hosts or switches, a class is known, or a ToS byte is forced"
    )
    one_setup: Cell[bool] = doc(
        "one file without a host alone pauses, and the jobs, all of its folder, send with one DSCP; absent = a class is known"
    )
    smallest_class_bytes: Cell[int] = doc(
        "smallest IP MTU that a switch port gives a lossless traffic class of its own; absent = none says so"
    )
    smallest_taken_bytes: Cell[int] = doc(
        "smallest IP MTU of the switch ports that carry RoCE, bytes; absent = no such port was read, or not every MTU is known"
    )
    counted_mtu_bytes: Cell[int] = doc(
        "RDMA path MTU that fits most switch ports that carry RoCE, bytes; absent = the policy says it, a NIC runs one, or none has a"
        " majority"
    )
    largest_sent_bytes: Cell[int] = doc(
        "largest known IP MTU of the NICs that carry RoCE, bytes; absent = no NIC was read, or that of most is not known"
    )
