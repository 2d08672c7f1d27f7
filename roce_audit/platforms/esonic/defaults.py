"""Documented defaults of Enterprise SONiC, what `roce enable` writes, read-only commands, and what would show the rest."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.text.fill import Default

_REFERENCE = "SONiC Industry Standard CLI Reference Guide"
_MODULES = "Ansible collection dellemc.enterprise_sonic"
ROCE_DESIGN = "Enterprise SONiC design document, RoCEv2 support"
_NO_LINE = "a running-configuration holds no operational state"

_NO_CLASSIFIER = (
    "SAI saiport.h: SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP is no map by default, SAI_PORT_ATTR_QOS_DEFAULT_TC is 0"
)
_OWN_GROUP = "sonic-swss cfgmgr/buffermgr.cpp: the group of a PFC priority has its number unless a map says otherwise"

DEFAULTS: dict[str, Default] = PAIRED_DEFAULTS | {
    "fec": Default(None, "no fec statement: chosen by the port"),
    "autoneg": Default(None, "not configured"),
    "speed_bps": Default(None, "no speed statement: the port's own"),
    "ip_mtu_bytes": Default(9100, "sonic-swss cfgmgr/portmgr.h: DEFAULT_MTU_STR 9100"),
    "cable_m": Default(40, f"{_MODULES}, sonic_qos_interfaces: cable_length default 40m"),
    "rewrites_dscp": Default(frozenset(), "no qos-map tc-dscp bound"),
    "policed": Default(False, "no service-policy of type qos bound"),
    "pfc.mode": Default("off", f"{_MODULES}, sonic_qos_interfaces: pfc priorities, enable default False"),
    "pfc.priorities": Default(frozenset(), f"{_MODULES}, sonic_qos_interfaces: pfc priorities, enable default False"),
    "pfc.operational": Default(None, _NO_LINE),
    "pfc.receive_only": Default(frozenset(), f"{_MODULES}, sonic_qos_interfaces: asymmetric default False"),
    "pfc.send_only": Default(frozenset(), f"{_MODULES}, sonic_qos_interfaces: asymmetric default False"),
    "pfc.watchdog.on": Default(False, "sonic-swss orchagent/pfcwdorch.cpp: runs only on ports with a detection time"),
    "pfc.watchdog.priorities": Default(None, "the watchdog watches all priorities with PFC"),
    "pfc.watchdog.action": Default("drop", f"{_MODULES}, sonic_qos_interfaces: watchdog_action default drop"),
    "pfc.watchdog.poll_ms": Default(None, "chosen by the device unless configured (source: unverified)"),
    "link_pause_rx": Default(False, f"{_REFERENCE}: no such command"),
    "link_pause_tx": Default(False, f"{_REFERENCE}: no such command"),
    "queues.*.ecn": Default(None, "no wred-policy bound to the queue"),
    "queues.*.max_rate_bps": Default(None, "no scheduler with a pir bound to the queue"),
    "queues.*.limit_bytes": Default(None, "no buffer profile with a static threshold bound to the queue"),
    "queues.*.share_kind": Default("weight", "sonic-yang-models sonic-scheduler.yang: schedulers have weights"),
    "classes.*.mtu_bytes": Default(None, "SONiC has one MTU a port"),
    "classes.*.new_dscp": Default(None, "no qos-map tc-dscp bound"),
    "groups.*.lossless": Default(
        False, f"{ROCE_DESIGN}: without `buffer init lossless` or `roce enable` all groups are lossy"
    ),
    "groups.*.headroom_bytes": Default(None, "a lossy group"),
    "groups.*.headroom_is_shared": Default(None, "a lossy group"),
    "groups.*.xoff_at_bytes": Default(None, "a lossy group"),
    "groups.*.xon_at_bytes": Default(None, "a lossy group"),
    "groups.*.xon_offset_bytes": Default(None, "a lossy group"),
    "groups.*.profile": Default(None, "no buffer profile bound"),
    "groups.*.profile_speed_bps": Default(None, "no generated profile name"),
    "groups.*.profile_cable_m": Default(None, "no generated profile name"),
    "dcbx.mode": Default("off", f"{_MODULES}, sonic_dcbx: global enabled default False"),
    "dcbx.willing": Default(False, f"{_MODULES}, sonic_dcbx: global enabled default False"),
    "trust": Default("none", _NO_CLASSIFIER),
    "dscp.*": Default(0, _NO_CLASSIFIER),
    "pcp.*": Default(0, _NO_CLASSIFIER),
}
_OWN_GROUPS = {f"priorities.{number}.group": Default(number, _OWN_GROUP, unless_said=True) for number in range(8)}
DEFAULTS |= _OWN_GROUPS

_UNLISTED = "SAI saiqosmap.h, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST: what no entry names maps to 0"
OF_MAPS = _OWN_GROUPS | dict.fromkeys(("dscp.*", "pcp.*", "classes.*.queue", "classes.*.group"), Default(0, _UNLISTED))
"""What a map that is bound says of what it does not list."""
OF_SCHEDULERS = {
    "queues.*.scheduling": Default("weighted", "sonic-yang-models sonic-scheduler.yang: type default WRR"),
    "queues.*.share": Default(1, "sonic-yang-models sonic-scheduler.yang: weight default 1"),
}
"""What a scheduler says of a queue that it names."""
OF_CURVES = {"queues.*.ecn.marks": Default(False, "SONiC YANG model sonic-wred-profile, leaf ecn: default ecn_none")}
"""What a wred-policy says that does not say it."""
WRED_WEIGHT = "sonic-swss orchagent/qosorch.cpp: SAI_WRED_ATTR_WEIGHT 0"
LOSSLESS_GROUPS = (3, 4)
"""Groups that the lossless buffers are made for, and queues that go with them."""
HEADROOM_POOL = "ingress_lossless_pool"

ROCE_MAPS: dict[str, dict[int, int]] = {
    "dscptc": {4: 4, 24: 3, 26: 3, 48: 6},
    "dot1ptc": {3: 3, 4: 4},
    "tcqueue": {n: n for n in range(8)},
    "tcpg": {n: n if n in LOSSLESS_GROUPS else 7 for n in range(8)},
    "pfcqueue": {n: n for n in range(8)},
    "pfcpg": {n: n for n in range(8)},
}
"""The maps that `roce enable` makes and binds to all ports; what is not listed is class 0."""
ROCE_SHARES: dict[int, int | None] = {0: 50, 3: 50, 4: 50, 6: None}
"""Its scheduler: queue -> weight, None = strict."""
ROCE_NAME = "ROCE"
