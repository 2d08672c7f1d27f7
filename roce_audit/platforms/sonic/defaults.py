"""Documented defaults of SONiC, and the chip behind a hardware SKU."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.text.fill import Default

_YANG = "sonic-buildimage sonic-yang-models"
_NO_FIELD = "CONFIG_DB has no such field"
_NO_CLASSIFIER = (
    "SAI saiport.h: SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP is no map by default, SAI_PORT_ATTR_QOS_DEFAULT_TC is 0"
)
_UNLISTED = "SAI saiqosmap.h, SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST: all"


def _by_number(priority: int, unless_said: bool = False) -> Default:
    return Default(
        priority,
        "sonic-swss cfgmgr/buffermgr.cpp: the group of a PFC priority has its number unless pfc_to_pg_map says otherwise",
        unless_said,
    )


_PORT: dict[str, Default] = {
    "trust": Default("none", _NO_CLASSIFIER),
    "dscp.*": Default(0, _NO_CLASSIFIER),
    "pcp.*": Default(0, _NO_CLASSIFIER),
    "admin_up": Default(False, f"{_YANG} sonic-port.yang: admin_status default down"),
    "fec": Default(None, "no fec field: chosen by the port"),
    "autoneg": Default(None, "no autoneg field: not configured"),
    "ip_mtu_bytes": Default(9100, "sonic-swss cfgmgr/portmgr.h: DEFAULT_MTU_STR 9100"),
    "cable_m": Default(None, "no CABLE_LENGTH entry for the port"),
    "rewrites_dscp": Default(frozenset(), "no tc_to_dscp_map bound"),
    "policed": Default(False, "no policer for data traffic in CONFIG_DB"),
    "pfc.mode": Default("off", "sonic-swss orchagent/qosorch.cpp: no pfc_enable, no PFC bits"),
    "pfc.priorities": Default(frozenset(), "sonic-swss orchagent/qosorch.cpp: no pfc_enable, no PFC bits"),
    "pfc.operational": Default(None, "CONFIG_DB holds no operational state"),
    "pfc.receive_only": Default(frozenset(), "SONiC: asymmetric PFC is off unless pfc_asym is on"),
    "pfc.send_only": Default(frozenset(), "SONiC: asymmetric PFC is off unless pfc_asym is on"),
    "pfc.watchdog.on": Default(False, "sonic-swss orchagent/pfcwdorch.cpp: runs only on ports with a PFC_WD entry"),
    "link_pause_rx": Default(False, f"802.3x pause: {_NO_FIELD}"),
    "link_pause_tx": Default(False, f"802.3x pause: {_NO_FIELD}"),
    "queues.*.ecn": Default(None, "no wred_profile bound to the queue"),
    "queues.*.max_rate_bps": Default(None, "no scheduler with a pir bound to the queue"),
    "queues.*.limit_bytes": Default(None, "no BUFFER_QUEUE profile with a static_th"),
    "queues.*.share_kind": Default("weight", f"{_YANG} sonic-scheduler.yang: schedulers have weights"),
    "classes.*.mtu_bytes": Default(None, "SONiC has one MTU a port"),
    "groups.*.lossless": Default(False, "no BUFFER_PG entry with a lossless profile"),
    "groups.*.headroom_bytes": Default(None, "no buffer profile bound"),
    "groups.*.headroom_is_shared": Default(None, "no buffer profile bound"),
    "groups.*.xoff_at_bytes": Default(None, "no buffer profile bound"),
    "groups.*.xon_at_bytes": Default(None, "no buffer profile bound"),
    "groups.*.xon_offset_bytes": Default(None, "no buffer profile bound"),
    "groups.*.reserved_bytes": Default(None, "no buffer profile bound"),
    "groups.*.alpha": Default(None, "no buffer profile bound"),
    "groups.*.pool": Default(None, "no buffer profile bound"),
    "groups.*.profile": Default(None, "no buffer profile bound"),
    "groups.*.profile_speed_bps": Default(None, "no generated profile name"),
    "groups.*.profile_cable_m": Default(None, "no generated profile name"),
    "dcbx.mode": Default("off", f"DCBX: {_NO_FIELD}"),
    "dcbx.willing": Default(False, f"DCBX: {_NO_FIELD}"),
    **{f"priorities.{priority}.group": _by_number(priority, unless_said=True) for priority in range(8)},
}
_OBJECTS: dict[str, Default] = {
    **{f"PORT_QOS_MAP.group.{priority}": _by_number(priority, unless_said=True) for priority in range(8)},
    "DSCP_TO_TC_MAP.*": Default(0, f"{_UNLISTED} Dot1p/DSCP maps to traffic class 0"),
    "DOT1P_TO_TC_MAP.*": Default(0, f"{_UNLISTED} Dot1p/DSCP maps to traffic class 0"),
    "TC_TO_QUEUE_MAP.*": Default(0, f"{_UNLISTED} traffic class maps to queue 0"),
    "TC_TO_PRIORITY_GROUP_MAP.*": Default(
        0, "SAI: a traffic class that the map does not list uses group 0 (source: unverified)"
    ),
    "PFC_WD.action": Default("drop", "sonic-swss orchagent/pfcwdorch.cpp: drop action is default"),
    "PFC_WD.detection_time": Default(
        None, "sonic-swss orchagent/pfcwdorch.cpp: an entry without detection_time is invalid"
    ),
    "SCHEDULER.type": Default("weighted", f"{_YANG} sonic-scheduler.yang: type default WRR"),
    "SCHEDULER.weight": Default(1, f"{_YANG} sonic-scheduler.yang: weight default 1"),
    "WRED_PROFILE.ecn": Default(frozenset(), f"{_YANG} sonic-wred-profile.yang: ecn default ecn_none"),
    "WRED_PROFILE.wred_green_enable": Default(
        False, f"{_YANG} sonic-wred-profile.yang: wred_green_enable default false"
    ),
    "WRED_PROFILE.green_drop_probability": Default(
        100, f"{_YANG} sonic-wred-profile.yang: green_drop_probability default 100"
    ),
    "BUFFER_PROFILE.xoff": Default(None, "no xoff: the profile has no headroom"),
    "BUFFER_POOL.xoff": Default(None, "no xoff in the pool and no over_subscribe_ratio"),
    "DEVICE_METADATA.buffer_model": Default(
        "traditional", "SONiC: the traditional buffer model unless buffer_model says dynamic"
    ),
}
"""What a row leaves open, by table and field (or entry)."""
DEFAULTS = PAIRED_DEFAULTS | _PORT | _OBJECTS
WRED_WEIGHT = Default(0, "sonic-swss orchagent/qosorch.cpp: SAI_WRED_ATTR_WEIGHT 0")


ASIC_OF_HWSKU = (
    ("SN2", "spectrum", "shared_on_chip"),
    ("SN3", "spectrum2", "shared_on_chip"),
    ("SN4", "spectrum3", "shared_on_chip"),
    ("SN5640", "spectrum5", "shared_on_chip"),
    ("SN5", "spectrum4", "shared_on_chip"),
    ("SN6", "spectrum6", "shared_on_chip"),
    ("7050QX", "trident2", "shared_on_chip"),
    ("7050CX3", "trident3", "shared_on_chip"),
    ("7060CX", "tomahawk", "shared_on_chip"),
    ("7060X6", "tomahawk5", "shared_on_chip"),
    ("7060DX5", "tomahawk4", "shared_on_chip"),
    ("7260CX3", "tomahawk2", "shared_on_chip"),
    ("S6000", "trident2", "shared_on_chip"),
    ("S6100", "tomahawk", "shared_on_chip"),
    ("Z9100", "tomahawk", "shared_on_chip"),
    ("Z9264", "tomahawk2", "shared_on_chip"),
    ("Z9332", "tomahawk3", "shared_on_chip"),
    ("Z9664", "tomahawk4", "shared_on_chip"),
    ("Z9864", "tomahawk5", "shared_on_chip"),
    ("IXR7220-D4", "trident4", "shared_on_chip"),
    ("IXR7220-H4", "tomahawk4", "shared_on_chip"),
    ("IXR7220-H5", "tomahawk5", "shared_on_chip"),
    ("IXR7220-H6", "tomahawk6", "shared_on_chip"),
    ("IXR7250", "jericho2", "voq"),
    ("7800R3", "jericho2", "voq"),
)
"""Part of the hardware SKU, chip family, buffer architecture; the first that fits. source: unverified; used for reports and to
leave rules unasked, never as an error."""


def alpha_of(dynamic_th: int) -> float:
    """alpha = 2^dynamic_th, and -8 means 0."""
    return 0.0 if dynamic_th == -8 else 2.0**dynamic_th
