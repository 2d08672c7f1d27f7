"""Documented defaults of Cumulus Linux, and what a whole file of each older form tells."""

from __future__ import annotations

from roce_audit.platforms.cumulus.roce import IDENTITY, PLAIN_CURVE
from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.text.fill import Default

_GUIDE = "NVIDIA Cumulus Linux User Guide 5.13"
_QOS = f"{_GUIDE}, Quality of Service"
_REFERENCE = "NVIDIA Cumulus Linux NVUE Reference, QoS commands"

ROCE_CABLE = Default(100, f"{_REFERENCE}: qos roce cable-length, default 100 m")
PFC_DIRECTION = Default(True, f"{_QOS}, PFC: tx and rx are enabled by default")
INSTANT = Default(0, "Spectrum compares the instantaneous queue length (source: unverified)")

_LOSSY = f"{_QOS}, Priority Flow Control: a switch priority without PFC has neither headroom nor thresholds"
_PORT: dict[str, Default] = {
    "trust": Default("pcp", f"{_QOS}: the default configuration trusts 802.1p"),
    "admin_up": Default(True, "a port of the configuration is up unless its link state is down (source: unverified)"),
    "speed_bps": Default(None, "no link speed: automatic"),
    "fec": Default(None, f"{_GUIDE}, Switch Port Attributes: FEC is chosen by the port unless set"),
    "autoneg": Default(None, "no auto-negotiate: not configured"),
    "ip_mtu_bytes": Default(9216, f"{_GUIDE}, Switch Port Attributes: MTU 9216 by default"),
    "cable_m": Default(None, "no PFC profile, so no cable length"),
    "rewrites_dscp": Default(frozenset(), f"{_QOS}: traffic.packet_priority_remark_set is empty by default"),
    "policed": Default(False, f"{_QOS}, Policing: only access lists police"),
    "pfc.mode": Default("off", f"{_QOS}: no PFC port group by default"),
    "pfc.priorities": Default(frozenset(), f"{_QOS}: no PFC port group by default"),
    "pfc.receive_only": Default(frozenset(), f"{_QOS}: no PFC port group by default"),
    "pfc.send_only": Default(frozenset(), f"{_QOS}: no PFC port group by default"),
    "pfc.overrides_link_pause": Default(False, f"{_QOS}: link pause and PFC cannot be on one port"),
    "pfc.watchdog.poll_ms": Default(100, f"{_QOS}, PFC Watchdog: polling interval 100 ms"),
    "pfc.watchdog.robustness": Default(3, f"{_QOS}, PFC Watchdog: 3 polling intervals"),
    "pfc.watchdog.on": Default(False, f"{_REFERENCE}: pfc-watchdog state, default disable"),
    "pfc.watchdog.action": Default("drop", f"{_QOS}, PFC Watchdog: new packets to the stuck queue are discarded"),
    "pfc.watchdog.priorities": Default(None, f"{_QOS}, PFC Watchdog: all lossless traffic classes of the port"),
    "link_pause_rx": Default(False, f"{_QOS}: no link pause port group by default"),
    "link_pause_tx": Default(False, f"{_QOS}: no link pause port group by default"),
    "queues.*.ecn": Default(None, f"{_QOS}, ECN: enabled by default on egress queue 0 alone"),
    "queues.*.max_rate_bps": Default(None, f"{_QOS}, Shaping: only queues with a shaper are shaped"),
    "queues.*.limit_bytes": Default(None, "Spectrum limits queues dynamically (source: unverified)"),
    "queues.*.share_kind": Default("percent_at_most", f"{_QOS}, Egress Scheduler: the total must not exceed 100"),
    "classes.*.mtu_bytes": Default(None, "one MTU a port"),
    "groups.*.lossless": Default(False, f"{_QOS}: a switch priority without PFC is lossy"),
    "groups.*.headroom_bytes": Default(None, _LOSSY),
    "groups.*.headroom_is_shared": Default(None, _LOSSY),
    "groups.*.xoff_at_bytes": Default(None, _LOSSY),
    "groups.*.xon_at_bytes": Default(None, _LOSSY),
    "groups.*.xon_offset_bytes": Default(None, _LOSSY),
    "groups.*.reserved_bytes": Default(None, _LOSSY),
    "groups.*.alpha": Default(None, _LOSSY),
    "groups.*.pool": Default(None, _LOSSY),
    "dcbx.lldp": Default(True, f"{_GUIDE}, Link Layer Discovery Protocol: lldpd runs by default"),
    "dcbx.mode": Default("off", f"{_GUIDE}, LLDP: DCBX TLVs are sent only where configured, or with RoCE"),
    "dcbx.willing": Default(False, "settings of the far end are never taken over (source: unverified)"),
}
OWN_GROUP = f"{_QOS}: buffers are kept per switch priority; PFC priority N is switch priority N"
OWN_QUEUE = f"{_QOS}, Egress Queues: switch priority N uses egress queue N"
_SCHEDULER = f"{_QOS}, Egress Scheduler: default scheduler"
for _i in range(8):
    _PORT[f"classes.{_i}.queue"] = _PORT[f"priorities.{_i}.queue"] = Default(_i, OWN_QUEUE, unless_said=True)
    _PORT[f"queues.{_i}.scheduling"] = Default("weighted", _SCHEDULER)
    _PORT[f"queues.{_i}.share"] = Default(12 + _i % 2, _SCHEDULER)

_NO_SCHEDULING = f"{_QOS}, Egress Scheduler: a queue without a value has DWRR 0 (no egress scheduling)"
_BLOCKS: dict[str, Default] = {
    "qos.mapping.port-default-sp": Default(0, f"{_QOS}: traffic.port_default_priority is 0 by default"),
    "qos.mapping.dscp": Default(IDENTITY, f"{_QOS}, Trust DSCP: default mapping"),
    "qos.mapping.pcp": Default({pcp: pcp for pcp in range(8)}, f"{_QOS}, Trust 802.1p: default mapping"),
    "qos.egress-scheduler.mode": Default("weighted", _NO_SCHEDULING),
    "qos.egress-scheduler.bw-percent": Default(0, _NO_SCHEDULING),
    "qos.congestion-control.default": Default(
        PLAIN_CURVE, f"{_QOS}, ECN: default profile, egress queue 0, 150000 and 1500000 bytes"
    ),
    "qos.congestion-control.traffic-class": Default(
        None, "this traffic class is in no congestion-control statement that holds here"
    ),
    "qos.congestion-control.ecn": Default(
        True, f"{_QOS}, ECN: a traffic class of a profile marks unless ecn is disabled"
    ),
    "qos.congestion-control.red": Default(False, f"{_QOS}, ECN: RED is disabled by default"),
    "qos.congestion-control.probability": Default(100, f"{_QOS}, ECN: shown for a profile that gives thresholds alone"),
    "qos.pfc.profile": Default(frozenset(), f"{_QOS}, PFC: a profile is about the switch priorities that it lists"),
    "qos.pfc.cable-length": Default(10, f"{_QOS}, PFC: the default cable length of a profile is 10 m"),
    "traffic-pool.memory-percent": Default(
        0,
        f"{_QOS}, Flow Control Buffers: all memory is in the default-lossy pool unless a lossless pool is given some",
    ),
}
"""What blocks leave open that hold for a port, by kind and setting."""
DEFAULTS = PAIRED_DEFAULTS | _PORT | _BLOCKS

ASIC_OF_MODEL = (
    ("SN2", "spectrum"),
    ("SN3", "spectrum2"),
    ("SN4", "spectrum3"),
    ("SN5640", "spectrum5"),
    ("SN5", "spectrum4"),
    ("SN6", "spectrum6"),
)
"""Series of the model, chip family; the first that fits. source: unverified; used for reports and to leave rules unasked."""
QOS_FAMILIES = frozenset(
    {
        "qos",
        "trust",
        "dscp",
        "pcp",
        "pfc.mode",
        "pfc.priorities",
        "pfc.receive_only",
        "pfc.send_only",
        "pfc.operational",
        "queues",
        "groups",
    }
    | {"pfc.overrides_link_pause", "rewrites_dscp", "cable_m"}
    | {"link_pause_rx", "link_pause_tx", "kind", "nic", "dcbx.owner"}
)
"""What a whole file of datapath settings tells: all blocks of `qos` but for the pools of memory, which stand in another file."""
LINK_FAMILIES = frozenset({"ip_mtu_bytes", "admin_up", "speed_bps", "fec", "autoneg", "kind", "nic"})
"""What a whole `/etc/network/interfaces` tells."""
ALWAYS = frozenset({"kind", "nic", "dcbx.owner"})
"""What no statement says otherwise."""
