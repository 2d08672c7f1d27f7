"""Tables of Linux hosts: which commands `collect` runs, what would show the rest, which lone files are ours."""

from __future__ import annotations


def _files(folder: str, *names: str) -> str:
    """The command that shows files of one folder."""
    return " ".join(["cat", *(folder + name for name in names)])


COMMANDS = (
    "hostname",
    "uname -a",
    "cat /etc/os-release /proc/sys/kernel/hostname /proc/sys/kernel/osrelease",
    "cat /proc/sys/net/ipv4/conf/all/arp_ignore /proc/sys/net/ipv4/conf/all/arp_announce",
    "systemd-detect-virt",
    "ip -j -d link show",
    "ip -j addr show",
    "ip -j route show table main",
    "ip -j route show table all",
    "rdma -j link show",
    "rdma -j statistic show",
    "cat /proc/uptime",
    "dcb -V",
    "ls -l /sys/bus/pci/devices",
    "cat /sys/bus/pci/devices/*/class /sys/bus/pci/devices/*/vendor",
    "lldpctl -f json0",
    _files("/sys/class/net/DEV/", "mtu", "speed", "flags", "ifalias", "phys_port_name", "carrier_down_count"),
    _files("/sys/class/net/DEV/device/", "uevent", "vendor", "current_link_speed", "current_link_width"),
    "cat /sys/class/net/DEV/device/infiniband/*/node_type",
    "ethtool DEV",
    "ethtool -i DEV",
    "ethtool -a DEV",
    "ethtool -P DEV",
    "ethtool --show-fec DEV",
    "ethtool --show-eee DEV",
    "ethtool -I --show-fec DEV",
    "ethtool -S DEV",
    "ethtool --show-priv-flags DEV",
    "dcb -j -N pfc show dev DEV",
    "dcb -j -N ets show dev DEV",
    "dcb -j -N app show dev DEV",
    "dcb -j -N buffer show dev DEV",
    "dcb -j -N maxrate show dev DEV",
    "dcb -j -N dcbx show dev DEV",
    _files("/sys/class/infiniband/RDMA-DEVICE/", "fw_ver", "hca_type", "ports/*/link_layer", "tc/*/traffic_class"),
    _files("/sys/class/infiniband/RDMA-DEVICE/ports/*/", "gids/?", "gids/1?"),
    _files("/sys/class/infiniband/RDMA-DEVICE/ports/*/gid_attrs/", "types/?", "types/1?", "ndevs/?", "ndevs/1?"),
    _files("/sys/kernel/config/rdma_cm/RDMA-DEVICE/ports/*/", "default_roce_tos", "default_roce_mode"),
    _files("/sys/class/infiniband/RDMA-DEVICE/ports/1/hw_counters/", "*"),
    _files("/sys/class/infiniband/RDMA-DEVICE/ports/1/counters/", "link_downed", "port_rcv_errors"),
    "ibv_devinfo -d RDMA-DEVICE",
)
"""What a host is asked, by the script of `host-probe` or one by one; what a family of NICs adds, any host is asked as well.
`DEV`, `RDMA-DEVICE` and `PCI` stand for each network device, RDMA device and PCI address."""

NEEDS = {
    "counters": "ethtool -S DEV, rdma -j statistic show, ethtool -I --show-fec DEV",
    "dscp": "dcb -j app show dev DEV, or lldptool -ti DEV",
    "pcp": "dcb -j app show dev DEV",
    "trust": "dcb -j app show dev DEV",
    "pfc": "dcb -j pfc show dev DEV",
    "queues": "dcb -j ets show dev DEV",
    "queues.*.max_rate_bps": "dcb -j maxrate show dev DEV, and dcb -V",
    "classes": "dcb -j ets show dev DEV, dcb -j buffer show dev DEV",
    "priorities": "dcb -j ets show dev DEV, dcb -j buffer show dev DEV",
    "groups": "dcb -j buffer show dev DEV",
    "link_pause_rx": "ethtool -a DEV",
    "link_pause_tx": "ethtool -a DEV",
    "ip_mtu_bytes": "ip -j -d link show",
    "admin_up": "ip -j -d link show",
    "kind": "ip -j -d link show",
    "speed_bps": "ethtool DEV",
    "autoneg": "ethtool DEV",
    "fec": "ethtool --show-fec DEV",
    "dcbx": "dcb -j dcbx show dev DEV",
    "nic.driver": "ethtool -i DEV",
    "nic.firmware": "ethtool -i DEV",
    "nic.rdma_device": "rdma -j link show",
    "nic.rdma_mtu_bytes": "ibv_devinfo -d RDMA-DEVICE",
    "nic.link_layer": "ibv_devinfo -d RDMA-DEVICE",
    "nic.gids": "grep -r . /sys/class/infiniband/RDMA-DEVICE/ports/1/gids /sys/class/infiniband/RDMA-DEVICE/ports/1/gid_attrs",
    "nic.roce": "devlink dev param show",
    "nic.cma_mode": "cat /sys/kernel/config/rdma_cm/RDMA-DEVICE/ports/1/default_roce_mode (only where it exists already)",
    "nic.forced_traffic_class": "cat /sys/class/infiniband/RDMA-DEVICE/tc/1/traffic_class",
    "nic.persisted": "the boot-time files: netplan, systemd units and networks, udev rules",
    "nic.default_route": "ip -j route show",
    "nic.routed": "ip -j route show table all",
    "nic.pcie_gbps": "grep . /sys/class/net/DEV/device/current_link_*",
}
"""What every Linux shows; what only the tools of a NIC's vendor show stands with its family."""

HOSTLESS = frozenset(
    {
        "job script",
        "job log",
        "job program",
        "nic script",
        "network file",
        "nic family file",
        "lldpad store",
        "ansible playbook",
        "kubernetes",
        "storage client",
        "nvme paths",
        "spdk",
    }
)
"""Tools whose lone files belong to no host."""
OWN_TOOLS = HOSTLESS | frozenset(
    {
        "ip link",
        "ip addr",
        "ethtool -a",
        "ethtool",
        "ethtool --show-fec",
        "dcb pfc",
        "dcb ets",
        "dcb app",
        "dcb buffer",
        "dcb maxrate",
        "dcb dcbx",
        "esxcli dcb",
        "rdma link",
        "ibv_devinfo",
        "lldptool",
        "lldpctl",
        "devlink param",
        "env",
        "sysfs",
        "uname",
        "sysctl",
        "ansible facts",
    }
)
"""Tools whose lone answers, without a command's name, this platform takes; a NIC family takes its own."""
