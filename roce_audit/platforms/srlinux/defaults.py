"""Documented defaults of SR Linux, the commands that `collect` runs, and what would show the rest."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import SWITCH_DEFAULTS
from roce_audit.text.fill import Default

GUIDE = "Nokia SR Linux Quality of Service Guide"
YANG = "nokia/srlinux-yang-models 25.3.1"
_NAMED = f"{GUIDE}, Named queues and forwarding classes: a forwarding class has the index of its queue"
_UNBOUND = "no queue-management-profile is bound to the queue"
_NO_PAUSE = "an interface without flow-control statements reports receive false (source: unverified)"
_NO_LENGTH = "SR Linux has no cable length statement"
_DEADLOCK = f"{YANG}, srl_nokia-qos: deadlock timers default 750 ms"
_ONE_MTU = "SR Linux has one MTU a subinterface"

NO_PFC_QUEUE = 8
"""The number of the group that stands for "no PFC queue": its packets never cause pause. PFC queues are 0 to 7."""

DEFAULTS: dict[str, Default] = SWITCH_DEFAULTS | {
    "admin_up": Default(True, f"{YANG}, srl_nokia-interfaces: admin-state default enable"),
    "speed_bps": Default(None, "no port-speed: chosen by the transceiver or connector"),
    "fec": Default(None, "no forward-error-correction statement: chosen by the port"),
    "autoneg": Default(None, "no auto-negotiate statement"),
    "cable_m": Default(None, _NO_LENGTH),
    "trust": Default(
        "dscp", f"{GUIDE}, Dot1p classification: only packets that are not IP are classified by their tag"
    ),
    "rewrites_dscp": Default(
        frozenset(), f"{GUIDE}, DSCP rewrite-rule policies: without a policy on the subinterface DSCP is left as it is"
    ),
    "policed": Default(False, "no policer policy is bound to a subinterface"),
    "pfc.mode": Default("off", f"{YANG}, srl_nokia-qos: pfc-enable default false"),
    "pfc.priorities": Default(frozenset(), f"{YANG}, srl_nokia-qos: pfc-enable default false"),
    "pfc.receive_only": Default(frozenset(), f"{YANG}, srl_nokia-qos: pfc-enable default false"),
    "pfc.send_only": Default(frozenset(), f"{YANG}, srl_nokia-qos: pfc-enable default false"),
    "pfc.operational": Default(None, "a configuration holds no operational state"),
    "pfc.overrides_link_pause": Default(
        False, f"{YANG}, srl_nokia-qos: pfc-enable is refused together with flow-control receive"
    ),
    "pfc.watchdog.on": Default(False, f"{YANG}, srl_nokia-qos: deadlock enable default false"),
    "pfc.watchdog.priorities": Default(None, f"{YANG}, srl_nokia-qos: deadlock concerns the interface"),
    "pfc.watchdog.poll_ms": Default(None, "chosen by the device"),
    "pfc.watchdog.action": Default(
        "forward", f"{YANG}, srl_nokia-qos: pause frames are ignored for the time of recovery-timer"
    ),
    "link_pause_rx": Default(False, _NO_PAUSE),
    "link_pause_tx": Default(False, _NO_PAUSE),
    "queues.*.ecn": Default(None, _UNBOUND),
    "queues.*.ecn.weight": Default(0, f"{YANG}, srl_nokia-qos: weight-factor default 0"),
    "queues.*.share_kind": Default("weight", f"{YANG}, srl_nokia-qos: scheduler inputs have weights"),
    "queues.*.limit_bytes": Default(
        None, f"{YANG}, srl_nokia-qos: maximum-burst-size default 0, the limit is dynamic (alpha)"
    ),
    "classes.*.mtu_bytes": Default(None, _ONE_MTU),
    "classes.*.new_dscp": Default(None, "no rewrite policy is bound to a subinterface"),
    "classes.*.group": Default(NO_PFC_QUEUE, "no pfc-mapping-profile is bound, so no PFC queue takes the class"),
    **{f"classes.{i}.queue": Default(i, _NAMED) for i in range(8)},
    "priorities.*.group": Default(None, "no PFC queue sends pause for the priority"),
    "priorities.*.queue": Default(None, "no queue is mapped to the priority"),
    f"groups.{NO_PFC_QUEUE}.lossless": Default(False, f"{YANG}, srl_nokia-qos: only PFC queues send pause"),
    "groups.*.lossless": Default(False, "PFC is off, or no priority is sent for the PFC queue"),
    "groups.*.profile": Default(None, "no pfc-buffer-allocation-profile is bound"),
    "groups.*.profile_speed_bps": Default(None, "SR Linux generates no profiles"),
    "groups.*.profile_cable_m": Default(None, "SR Linux generates no profiles"),
    "dcbx.willing": Default(False, f"{GUIDE}, Priority-based Flow Control: PFC is not negotiated by DCBX"),
    # what an object that is there leaves open
    "lldp admin-state": Default(True, f"{YANG}, srl_nokia-lldp: admin-state default enable"),
    "lag lag-type": Default("static", f"{YANG}, srl_nokia-interfaces-lag: lag-type default static"),
    "lag lacp lacp-mode": Default("active", f"{YANG}, srl_nokia-lacp: lacp-mode default ACTIVE"),
    "lag lacp interval": Default("slow", f"{YANG}, srl_nokia-lacp: interval default SLOW"),
    "mtu default-port-mtu": Default(9232, f"{YANG}, srl_nokia-mtu: default-port-mtu default 9232"),
    "mtu default-ip-mtu": Default(1500, f"{YANG}, srl_nokia-mtu: default-ip-mtu default 1500"),
    "mtu default-l2-mtu": Default(9232, f"{YANG}, srl_nokia-mtu: default-l2-mtu default 9232"),
    "dscp-policy default": Default(
        tuple(mark // 8 for mark in range(64)),
        "Nokia SR Linux Configuration Basics Guide, QoS: the default DSCP classifier maps code points 8n..8n+7 to fcn",
    ),
    "dscp-policy unlisted": Default(
        0, f"{GUIDE}, DSCP classifier policy: a code point that is not listed is forwarding class 0"
    ),
    "rewrite-policy unlisted": Default(
        0, f"{GUIDE}, DSCP rewrite-rule policy: a class that is not listed leaves with DSCP 0"
    ),
    "deadlock enable": Default(False, f"{YANG}, srl_nokia-qos: deadlock enable default false"),
    "deadlock detection-timer": Default(750, _DEADLOCK),
    "deadlock recovery-timer": Default(750, _DEADLOCK),
    "received-pfc-pause-frames enable-pfc": Default(
        False, f"{YANG}, srl_nokia-qos: received-pfc-pause-frames queue enable-pfc default false"
    ),
    "pfc-queue maximum-burst-size": Default(
        51_200, f"{YANG}, srl_nokia-qos: pfc-queue maximum-burst-size default 51200"
    ),
    "pfc-queue maximum-pfc-reserved-share-percentage": Default(
        10, f"{YANG}, srl_nokia-qos: maximum-pfc-reserved-share-percentage default 10"
    ),
    "pfc-queue pfc-off-threshold": Default(
        None, f"{YANG}, srl_nokia-qos: 7220 IXR has no statement for the level at which pause ends"
    ),
    "queue maximum-burst-size 0": Default(
        None, f"{YANG}, srl_nokia-qos: maximum-burst-size 0 leaves the limit to alpha"
    ),
    "explicit-congestion-notification": Default(
        False, "nokia/srlinux-yang-models: ECN marking is on when explicit-congestion-notification is present"
    ),
    "scheduler-policy default": Default(
        "strict", f"{GUIDE}, Output queue scheduler policies: by default all queues are strict"
    ),
    "scheduler input peak-rate-percent": Default(None, "no peak-rate-percent: the port's speed"),
}


CHIP_OF_MODEL = (
    ("7220 IXR-D2", "trident3", "shared_on_chip"),
    ("7220 IXR-D3", "trident3", "shared_on_chip"),
    ("7220 IXR-D4", "trident4", "shared_on_chip"),
    ("7220 IXR-D5", "trident4", "shared_on_chip"),
    ("7220 IXR-H2", "tomahawk3", "shared_on_chip"),
    ("7220 IXR-H3", "tomahawk3", "shared_on_chip"),
    ("7220 IXR-H4", "tomahawk4", "shared_on_chip"),
    ("7220 IXR-H5", "tomahawk5", "shared_on_chip"),
    ("7250 IXR", "jericho2", "voq"),
)
"""Model prefix, chip family, buffer architecture. source: unverified; used for reports and to leave rules unasked, never as
an error."""
