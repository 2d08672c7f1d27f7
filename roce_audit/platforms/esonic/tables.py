"""Tables of Enterprise SONiC: which lines open which block, which words concern us, which are known and say nothing."""

from __future__ import annotations

from roce_audit.platforms.shared.cli.syntax import UNSURE

MAPS = {
    "dscp-tc": "dscptc",
    "dot1p-tc": "dot1ptc",
    "tc-queue": "tcqueue",
    "tc-pg": "tcpg",
    "tc-dscp": "tcdscp",
    "tc-dot1p": "tcdot1p",
    "pfc-priority-queue": "pfcqueue",
    "pfc-priority-pg": "pfcpg",
}
"""Kind of map -> mode of its stanza."""

OPENERS = {
    "top": {f"qos map {kind}": mode for kind, mode in MAPS.items()}
    | {
        "interface": "port",
        "interface breakout": "breakout",
        "interface transceiver": "other",
        "qos wred-policy": "wred",
        "qos scheduler-policy": "scheduler",
        "buffer profile": "bufprofile",
        "policy-map": "policy",
        "class-map": "other",
        "line vty": "other",
        "mclag domain": "other",
    },
    "scheduler": {"queue": "schedqueue", "port": "schedport"},
    "policy": {"class": "policyclass"},
}

_SCHEDULED = "queues.*.scheduling queues.*.share queues.*.share_kind queues.*.max_rate_bps"
_MARKS = "dscp pcp trust"

UNKNOWN_KEY = "unknown-key"
"""How a statement begins that stands for a key of a tree that nobody knows: what it sets of its port is anybody's guess."""
_EVERYTHING = (
    f"kind {_MARKS} classes priorities queues groups pfc ip_mtu_bytes admin_up speed_bps fec autoneg"
    " cable_m dcbx policed rewrites_dscp"
)

TOPICS = {
    "top": {
        "buffer": "groups",
        "roce": f"{_MARKS} classes priorities queues groups pfc",
        "qos": f"{_MARKS} classes priorities queues",
        "priority-flow-control": "pfc",
        "priority-flow-control watchdog": "pfc.watchdog",
        "dcbx": "dcbx.mode dcbx.willing",
        "lldp enable": "dcbx.lldp",
        # lines of an interface that stand nowhere: told, but no port's
        "qos-map": "",
        "scheduler-policy": "",
        "cable-length": "",
        "queue": "",
    },
    "port": {
        "interface": "",
        UNSURE: _EVERYTHING,
        UNKNOWN_KEY: _EVERYTHING,
        "priority-flow-control": "pfc",
        "priority-flow-control watchdog": "pfc.watchdog",
        "qos-map": f"{_MARKS} classes priorities rewrites_dscp",
        "qos-map dscp-tc": _MARKS,
        "qos-map dot1p-tc": "pcp trust",
        "qos-map tc-queue": "classes.*.queue",
        "qos-map tc-pg": "classes.*.group",
        "qos-map tc-dscp": "rewrites_dscp classes.*.new_dscp",
        "qos-map tc-dot1p": "",
        "qos-map pfc-priority-queue": "priorities.*.queue",
        "qos-map pfc-priority-pg": "priorities.*.group",
        "qos": "groups",
        "queue": "queues.*.ecn",
        "scheduler-policy": _SCHEDULED,
        "cable-length": "cable_m",
        "buffer": "groups",
        "buffer queue": "queues.*.limit_bytes",
        "service-policy type qos": "dscp pcp policed rewrites_dscp",
        "mtu": "ip_mtu_bytes",
        "speed": "speed_bps autoneg",
        "autoneg": "autoneg",
        "fec": "fec",
        "shutdown": "admin_up",
        "channel-group": "ip_mtu_bytes admin_up",
        "dcbx": "dcbx.mode dcbx.willing",
        "dcbx tlv-select": "",
        "lldp": "dcbx.lldp",
        "lldp tlv-select": "",
        "lldp tlv-set": "",
        "lldp med-tlv-select": "",
        "flowcontrol": "link_pause_rx link_pause_tx",
    },
    "dscptc": {"dscp": ""},
    "dot1ptc": {"dot1p": ""},
    "tcqueue": {"traffic-class": ""},
    "tcpg": {"traffic-class": ""},
    "tcdscp": {"traffic-class": ""},
    "tcdot1p": {"traffic-class": ""},
    "pfcqueue": {"pfc-priority": ""},
    "pfcpg": {"pfc-priority": ""},
    "wred": {"green": "", "yellow": "", "red": "", "ecn": "marks drops"},
    "scheduler": {"queue": "", "port": ""},
    "schedqueue": {
        "type": "scheduling share share_kind",
        "weight": "share",
        "pir": "max_rate_bps",
        "meter-type": "max_rate_bps",
        "cir": "",
        "cbs": "",
        "pbs": "",
    },
    "schedport": {"type": "", "weight": "", "pir": "", "meter-type": "", "cir": "", "cbs": "", "pbs": ""},
    # one line on the command line; a tree has one for each word
    "bufprofile": {"buffer profile": ""}
    | dict.fromkeys(("pool", "size", "static-threshold", "dynamic-threshold", "pause-threshold"), "")
    | dict.fromkeys(("resume-threshold", "resume-offset-threshold"), ""),
    "policy": {"class": ""},
    "policyclass": {"set": "", "police": ""},
    "breakout": {},
    "other": {},
}

STRICT = frozenset(
    {*MAPS.values(), "wred", "bufprofile", "scheduler", "schedqueue", "schedport", "policy", "policyclass"}
)

_NAMED = frozenset({"description"})
# a flat paste has no indentation: there a block ends at the first line that it does not know
_OTHER_WORDS = frozenset(
    {
        "unreliable-los",
        "standalone-link-training",
        "link-training",
        "spanning-tree",
        "storm-control",
        "service-policy",
        "nat-zone",
        "poe",
        "dot1x",
        "authentication",
        "evpn",
        "bfd",
        "sflow",
        "threshold",
        "load-interval",
        "ars",
        "access-group",
        "mac",
        "mab",
        "neigh-suppress",
        "udld",
        "vrrp",
        "link",
        "errdisable",
        "fast_rate",
        "fallback",
        "graceful-shutdown",
        "min-links",
        "lacp",
        "system-mac",
        "mclag",
        "mclag-separate-ip",
        "portchannel",
        "network-policy",
        "arp",
        "nd",
        "snmp",
        "description",
        "mpls",
        "ptp",
        "vlan",
        "rate-interval",
        "sub-interface",
        "loopback-mode",
        "loopback",
        "media-type",
        "port-group",
        "mode",
        "type",
        "df-preference",
        "autostate",
        "dhcp-relay",
        "mac-address",
        "map",
        "arp-suppress",
        "primary-ip-for-vtep",
        "source-ip",
        "delay",
    }
)
IGNORED = dict.fromkeys(STRICT, _NAMED) | {
    "scheduler": frozenset({"description"}),
    "top": frozenset({"interface", "lldp", "interface-naming", "class-map", "policy-map", "class"}),
    "other": frozenset(
        {"service-policy", "match", "description", "source-ip", "peer-ip", "peer-link", "session-timeout"}
    ),
    "port": _OTHER_WORDS,
}
LABELS = {"port": frozenset({"description", "switchport", "ip", "ipv6", "encapsulation"})}
