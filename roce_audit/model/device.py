"""Device and Host: what belongs to the device and not to one port; and what was observed while reading."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from roce_audit.model.base import doc, model
from roce_audit.values import Cell


@model
class Device:
    """The facts of one switch."""

    model_name: Cell[str] = doc("hardware model as the device names it")
    asic: Cell[str] = doc("switch chip family; unknown where neither the input nor a table tells")
    buffer_architecture: Cell[Literal["shared_on_chip", "static_per_port", "voq"]] = doc("how the buffer is organised")
    default_reach_m: Cell[float] = doc(
        "longest cable, metres, for which no pause thresholds need to be configured; absent = no document says so"
    )
    os_version: Cell[str] = doc("release of the operating system")
    pfc_disabled_globally: Cell[bool] = doc("a device-wide statement turns PFC off everywhere")
    roce_mode: Cell[Literal["lossless", "semi-lossless", "lossy"]] = doc(
        "mode of the statement that sets RoCE up on every port"
    )
    watchdog_poll_ms: Cell[float] = doc("device-wide PFC watchdog polling interval, ms")
    watchdog_detect_ms: Cell[float] = doc("device-wide PFC watchdog detection time, ms")
    watchdog_restore_ms: Cell[float] = doc("device-wide PFC watchdog restoration time, ms")
    watchdog_ports: Cell[int] = doc("ports on which the PFC watchdog runs; absent = nothing that was read counts them")
    buffer_model: Cell[Literal["traditional", "dynamic"]] = doc("SONiC: buffer profiles from a table, or computed")
    calculation_mtu_bytes: Cell[int] = doc("frame size the device's own headroom calculation assumes, bytes")


@model
class HostVariable:
    """One environment variable or configuration line of a communication library."""

    name: str = doc("name, upper case")
    value: Cell[str] = doc("value as written")


@model
class JobNumber:
    """A number that one library of a job, a storage client or a test is told to send with."""

    number: int = doc("its number among those of the host")
    sender: str = doc("job, control (messages of NCCL beside its data), storage or test")
    library: str = doc("nccl, ucx, ...: what the fields of the host begin with")
    name: str = doc("the variable; of a storage client or a test, what it is")
    value: Cell[int] = doc("what it is told")


@model
class NicSetup:
    """How a file that is no host's own sets NICs up: a template of an operator, Ansible tasks, a script."""

    number: int = doc("its number among the setups of the file")
    name: str = doc("which NICs, in the words of the file")
    nics: frozenset[str] = doc("names of their network devices; none where the file names them by something else")
    rdma_devices: Cell[frozenset[str]] = doc(
        "RDMA devices that it names; absent = it names none; unknown where a variable or a pattern stands for them"
    )
    pfc_priorities: Cell[frozenset[int]] = doc("priorities with PFC; absent = it does not say")
    pfc_sent: Cell[bool] = doc("pauses of PFC are sent for all of them; absent = it does not say")
    pfc_obeyed: Cell[bool] = doc("pauses of PFC are obeyed for all of them; absent = it does not say")
    trust: Cell[Literal["dscp", "pcp", "both", "none"]] = doc("what the NIC believes; absent = it does not say")
    dscp: Cell[tuple[Cell[int], ...]] = doc(
        "priority of packets with this DSCP, by its map or the driver's; absent = nothing says so", size=64
    )
    mapped_priorities: Cell[frozenset[int]] = doc(
        "priorities that its map names for some DSCP; absent = it names none; unknown where one of them is"
    )
    named_dscps: Cell[frozenset[int]] = doc(
        "DSCPs that its own map names, drivers' maps aside; absent = it names none; unknown where one of them is"
    )
    driver_priority: Cell[int] = doc("priority that the driver is told to send RoCE in; absent = it does not say")
    driver_dscp: Cell[int] = doc("DSCP that the driver is told to send RoCE with; absent = it does not say")
    port_priority: Cell[int] = doc(
        "priority that its application entry gives to RoCEv2 by UDP port 4791; absent = it has no such entry"
    )
    cnp_dscp: Cell[int] = doc("DSCP of the CNPs that they send; absent = it does not say")
    cnp_priority: Cell[int] = doc("802.1p priority that they send CNPs with; absent = it does not say")
    cnps_off: Cell[frozenset[int]] = doc("priorities for which it switches the sending of CNPs off; absent = none")
    cnps_ignored: Cell[frozenset[int]] = doc("priorities for which it switches the obeying of CNPs off; absent = none")
    cnps_sent: Cell[frozenset[int]] = doc(
        "priorities for which it switches the sending of CNPs on; absent = it says so of none"
    )
    cnps_obeyed: Cell[frozenset[int]] = doc(
        "priorities for which it switches the obeying of CNPs on; absent = it says so of none"
    )
    tos: Cell[int] = doc("ToS byte that it forces on all queue pairs; absent = none")
    cma_tos: Cell[int] = doc("ToS byte of rdma_cm connections that ask for none; absent = it does not say")
    cma_mode: Cell[Literal["roce-v1", "roce-v2"]] = doc(
        "RoCE version of rdma_cm connections that ask for none; absent = it does not say"
    )
    ip_mtu_bytes: Cell[int] = doc("MTU of the network device; absent = it does not say")
    link_pause_rx: Cell[bool] = doc("802.3x pause is obeyed; absent = it does not say")
    link_pause_tx: Cell[bool] = doc("802.3x pause is sent; absent = it does not say")
    rdma: Cell[bool] = doc("RDMA is to run over them; absent = it does not say")
    roce: Cell[bool] = doc("RoCE is left on by what it writes to firmware or driver; absent = it does not say")
    willing: Cell[bool] = doc("they take over what DCBX offers; absent = it does not say")
    maps_to_tag: Cell[bool] = doc(
        "the file gives priorities to a VLAN tag by what the application asks for; absent = it does not"
    )
    tag_priorities: Cell[frozenset[int]] = doc(
        "priorities that the file's maps give VLAN tags; absent = it has no such map; unknown where one of them is"
    )
    firmware_dcbx: Cell[bool] = doc("DCBX is left to the NIC's firmware; absent = it does not say")
    shared_priorities: Cell[frozenset[int]] = doc("priorities that it gives ETS or strict classes to; absent = to none")
    shares_percent: Cell[int] = doc("sum of the ETS shares that it gives, percent; absent = it gives none")
    strict_priorities: Cell[frozenset[int]] = doc(
        "priorities whose traffic class it makes strict; absent = it says of none how it is scheduled"
    )
    unserved_priorities: Cell[frozenset[int]] = doc(
        "priorities whose traffic class it schedules by share and gives 0 %; absent = it gives no shares"
    )
    outweighed_priorities: Cell[frozenset[int]] = doc(
        "priorities whose traffic class gets by share less than a third of what that of priority 0 gets; absent = it gives no shares"
    )
    beside_unmarked: Cell[frozenset[int]] = doc(
        "priorities with PFC that it leads to the traffic class of unmarked traffic; absent = it does not say which class both have"
    )
    lossless_buffer_bytes: Cell[int] = doc(
        "bytes of the smallest receive buffer that it leads a priority with PFC to; absent = it does not say"
    )
    shared_buffer_priorities: Cell[frozenset[int]] = doc(
        "priorities without PFC that it leads to the receive buffer of one with PFC; absent = it leads none anywhere"
    )
    started_after: Cell[frozenset[str]] = doc(
        "units after which this unit is started; absent = it is none, or says so of none"
    )


@model
class Host:
    """The facts of one host that are not of one NIC."""

    os_release: Cell[str] = doc("distribution and release")
    kernel: Cell[str] = doc("kernel release")
    bare_metal: Cell[bool] = doc("not a virtual machine")
    variables: Cell[tuple[HostVariable, ...]] = doc("NCCL_, UCX_, ... variables that were seen")
    nccl_traffic_class: Cell[int] = doc("NCCL_IB_TC: ToS byte of NCCL traffic; absent = unset (0)")
    nccl_control_class: Cell[int] = doc(
        "NCCL_IB_FIFO_TC: ToS byte of NCCL's control messages; absent = unset (that of its data)"
    )
    nccl_gid_index: Cell[int] = doc("NCCL_IB_GID_INDEX; absent = automatic")
    nccl_hca: Cell[str] = doc("NCCL_IB_HCA as written; absent = all devices")
    nccl_timeout: Cell[int] = doc("NCCL_IB_TIMEOUT exponent; absent = default")
    nccl_retries: Cell[int] = doc("NCCL_IB_RETRY_CNT; absent = default")
    nccl_ib_disable: Cell[int] = doc("NCCL_IB_DISABLE: other than 0 keeps NCCL from using RDMA; absent = unset (0)")
    nccl_net: Cell[Literal["ib", "socket", "plugin", "libfabric-sockets"]] = doc(
        "NCCL_NET: the network that NCCL is told to take; libfabric-sockets = its plug-in, with FI_PROVIDER; absent = it chooses"
    )
    ucx_rdma: Cell[bool] = doc(
        "UCX_TLS lets UCX use RDMA; absent = it is unset (all transports), or UCX only starts a job of NCCL"
    )
    mpi_sockets: Cell[str] = doc(
        "what keeps the messages of MPI on sockets, as written: a provider of libfabric, transports of Open MPI; absent = nothing does"
    )
    ucx_traffic_class: Cell[int] = doc("UCX_IB_TRAFFIC_CLASS: ToS byte of UCX traffic; absent = automatic")
    ucx_gid_index: Cell[int] = doc("UCX_IB_GID_INDEX; absent = automatic")
    nvshmem_traffic_class: Cell[int] = doc("NVSHMEM_IB_TRAFFIC_CLASS: ToS byte of NVSHMEM traffic; absent = unset (0)")
    nvshmem_gid_index: Cell[int] = doc("NVSHMEM_IB_GID_INDEX; absent = automatic")
    mooncake_traffic_class: Cell[int] = doc("MC_IB_TC: ToS byte of Mooncake's transfers; absent = unset (0)")
    mooncake_gid_index: Cell[int] = doc("MC_GID_INDEX: that of Mooncake's transfers; absent = automatic")
    ucx_devices: Cell[str] = doc("UCX_NET_DEVICES as written; absent = all")
    nvshmem_devices: Cell[str] = doc("NVSHMEM_HCA_LIST as written; absent = all")
    uccl_devices: Cell[str] = doc("UCCL_IB_HCA as written; absent = all")
    rocshmem_devices: Cell[str] = doc("ROCSHMEM_HCA_LIST as written; absent = all")
    mori_devices: Cell[str] = doc("MORI_RDMA_DEVICES as written; absent = all")
    option_devices: Cell[str] = doc(
        "RDMA devices that an option of a server names (SGLang --disaggregation-ib-device); absent = none was seen"
    )
    store_devices: Cell[str] = doc("MOONCAKE_DEVICE as written; absent = the store finds them itself")
    storage_devices: Cell[str] = doc(
        "RDMA devices that storage is told to use (Ceph ms_async_rdma_device_name, GPFS verbsPorts); absent = none was seen"
    )
    roce_device: Cell[str] = doc(
        "a device in a list of a job's libraries that only RoCE has, by its name; absent = none is named so"
    )
    infiniband: Cell[str] = doc(
        "what a job is told that only one over InfiniBand is: interfaces of IPoIB, a partition; absent = nothing of the kind"
    )
    rdma_resource: Cell[str] = doc(
        "the resource by which a container asks its cluster for an RDMA device, or the device that it is given; absent = none was seen"
    )
    nccl_sl: Cell[int] = doc("NCCL_IB_SL: service level of NCCL traffic; absent = unset (0)")
    ucx_sl: Cell[int] = doc("UCX_IB_SL: service level of UCX traffic; absent = automatic")
    hccl_traffic_class: Cell[int] = doc("HCCL_RDMA_TC: ToS byte of HCCL traffic (Ascend); absent = unset (132)")
    hccl_sl: Cell[int] = doc("HCCL_RDMA_SL: service level of HCCL traffic; absent = unset (4)")
    perftest_traffic_class: Cell[int] = doc("--tclass of a perftest run: ToS byte; absent = none was seen")
    storage_traffic_class: Cell[int] = doc(
        "ToS byte that a storage client is told to send with over RDMA (Lustre ko2iblnd tos, BeeGFS connRDMATypeOfService, nvme --tos, 3FS "
        "traffic_class); absent = none was seen"
    )
    storage_gid_index: Cell[int] = doc(
        "GID index that storage is told to use (Ceph ms_async_rdma_gid_idx); absent = none was seen"
    )
    uccl_traffic_class: Cell[int] = doc("UCCL_IB_TC: ToS byte of UCCL's traffic; absent = unset (104)")
    uccl_gid_index: Cell[int] = doc("UCCL_IB_GID_INDEX; absent = automatic")
    rocshmem_traffic_class: Cell[int] = doc(
        "ROCSHMEM_GDA_TRAFFIC_CLASS: ToS byte of rocSHMEM's traffic; absent = unset (0)"
    )
    mori_traffic_class: Cell[int] = doc("MORI_RDMA_TC: ToS byte of MORI's traffic; absent = unset (0)")
    mori_transfer_class: Cell[int] = doc("MORI_IO_TC: ToS byte of MORI's transfers; absent = unset (0)")
    mori_gid_index: Cell[int] = doc("MORI_IB_GID_INDEX; absent = automatic")
    tos_bytes: Cell[tuple[JobNumber, ...]] = doc("the ToS bytes among these; absent = none is set")
    gid_indexes: Cell[tuple[JobNumber, ...]] = doc("the GID indexes among these; absent = none is set")
    only_environment: Cell[bool] = doc(
        "nothing but a job's or library's settings, or a setup of NICs, was seen: no NIC of the host"
    )
    arp_ignore: Cell[int] = doc("sysctl net.ipv4.conf.all.arp_ignore")
    arp_announce: Cell[int] = doc("sysctl net.ipv4.conf.all.arp_announce")
    smb_direct_priority: Cell[int] = doc(
        "Windows: 802.1p priority that a QoS policy gives to SMB Direct; absent = none seen"
    )
    smb_direct_untagged: Cell[bool] = doc(
        "Windows: the host's QoS policies were shown, and none tags RDMA; absent = one does, or they were not shown"
    )
    default_priority: Cell[int] = doc("Windows: 802.1p priority of the default QoS policy; absent = none seen")
    cluster_priority: Cell[int] = doc(
        "Windows: 802.1p priority of the QoS policy for the heartbeats of a cluster; absent = none seen"
    )
    nic_setups: Cell[tuple[NicSetup, ...]] = doc(
        "how a file without a host sets NICs up; absent = none, or it is the host's own"
    )
    dcb_agents: Cell[frozenset[str]] = doc("running services that own DCB settings (lldpad, ...)")


ObservationKind = Literal[
    "unread-line",
    "rejected-call",
    "misread-call",
    "undefined",
    "undefined-here",
    "undefined-apart",
    "unapplied",
    "unapplied-once-here",
    "unapplied-here",
    "unpaused",
    "conflict",
    "pfc-taken-back",
    "not-in-force",
    "unprotected",
    "pfc-taken-off-port",
    "vlan-lost",
    "cabled-otherwise",
    "addressed-otherwise",
    "scope-conflict",
    "merge-conflict",
    "map-without-trust",
    "truncated",
    "unreadable",
    "without-configuration",
    "same-device-twice",
    "snapshot-damaged",
    "roce-undecided",
    "device-left-out",
    "iwarp",
    "policy-entry-unused",
    "suppression-invalid",
    "suppression-unused",
    "inferred-moved",
    "counted-once",
    "counted-often",
    "stuck",
    "link-ailing",
    "peers-redirected",
    "error-disabled",
    "no-link",
    "slower",
    "headroom-full",
]


@model
class Observation:
    """Something noticed while reading or joining the input: the subject of `input` rules."""

    kind: ObservationKind = doc("what was noticed")
    name: str = doc("the name, line or device it is about")
    text: str = doc("one clause that says what it means here, with the consequence")
    relied_on: Cell[bool] = doc(
        "a port that carries RoCE depends on it, and where it has no link, somebody says that it has a cable; of a definition "
        "without effect: nothing of its kind is applied"
    )
    at: Cell[str] = doc("where: the cell's place is the primary location, its value the quoted text")
    is_needed: bool = field(
        default=False,
        metadata={
            "doc": "of a definition without effect: without it no class is lossless, and nothing stands in its place"
        },
    )
