"""Linux hosts: a bundle of `host-probe`, a folder of command answers, or a single answer."""

from __future__ import annotations

from roce_audit.platforms.linux.tables import COMMANDS, NEEDS, OWN_TOOLS
from roce_audit.platforms.record import Live, NicSetups, Parts, Platform
from roce_audit.platforms.shared.host.signature import answers

_SETTING = (
    "dcbtool|lldptool|(^|[ /])dcb (pfc|ets|app|buffer|dcbx|maxrate|rewr)"
    "|ethtool .*(-A|--pause|--set-priv-flags|--set-fec)|ip .*link set|ifconfig .*mtu|/tc/[0-9]+/traffic_class|default_roce_tos"
)


def _load() -> Parts:
    from roce_audit.platforms.linux.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="linux",
    kind="host",
    load=_load,
    comment="#",
    signature=answers("posix", OWN_TOOLS),
    commands=COMMANDS,
    needs=NEEDS,
    live=Live(access="probe"),
    aliases=(
        "ubuntu",
        "debian",
        "rhel",
        "redhat",
        "rocky",
        "almalinux",
        "centos",
        "ubuntu-linux",
        "linux_ssh",
        "sles",
    ),
    factory_names=("ubuntu", "debian", "linux"),
    programs=(
        "esxcli",
        "dcb",
        "ethtool",
        "ip",
        "rdma",
        "ibv_devinfo",
        "ibv_devices",
        "ibstat",
        "lldptool",
        "lldpctl",
        "lldpcli",
        "tc",
        "devlink",
        "sysctl",
        "uname",
        "uptime",
        "lspci",
        "dmesg",
        "lsmod",
        "modinfo",
        "systemctl",
        "docker",
    ),
    bare_programs=("uname", "uptime", "lspci", "dmesg", "lsmod", "ibv_devinfo", "ibstat"),
    underscored="ibv_devinfo|ibv_devices",
    inside=r"etc(?:/(?:netplan|network(?:/interfaces\.d)?|systemd/(?:network|system)|NetworkManager/(?:system-connections|dispatcher\.d)"
    r"|networkd-dispatcher/[a-z]{1,20}\.d|sysconfig/network(?:-scripts)?|(?:cron|environment|modprobe|profile|rc|udev/rules)\.d))?"
    r"|usr/local/s?bin|sys/(?:class/(?:infiniband|net)|kernel/config/rdma_cm)(?:/[^/\n]{1,64}){1,6}",
    merged=r"(?:[^\n]*/)?etc/netplan/[^/\n]+\.yaml",
    nics=NicSetups(
        slow_programs="ibv_devinfo|ibstat|lspci",
        tools=_SETTING,
        call_words=("lldptool -", "dcb ", "hinicadm", "hccn_tool", "/traffic_class", "/default_roce_tos"),
        calls=r"lldptool -|hinicadm3? qos |hccn_tool [^\n|;]{0,40}-(?:pfc|dscp_to_tc|prio_tc) +-s "
        r"|dcb (?:pfc|app|(?:ets|buffer) set) |/tc/\d+/traffic_class|/default_roce_tos",
        calls_beside=r"ethtool (?:-A|--pause) |ip link set [^\n|;]{1,80} mtu [1-9]",
        kernel_modules=("ib_", "rdma"),
        files=("/var/lib/lldpad/lldpad.conf",),
    ),
)
