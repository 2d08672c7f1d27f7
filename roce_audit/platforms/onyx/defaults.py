"""What Onyx has of itself: documented defaults."""

from __future__ import annotations

from roce_audit.platforms.shared.defaults import PAIRED_DEFAULTS
from roce_audit.text.fill import Default

_MANUAL = "NVIDIA Onyx User Manual v3.10"
_UNVERIFIED = "(source: unverified)"
_PFC_OFF = f"{_MANUAL}, Priority Flow Control: disabled for all priorities on all ports by default"
_SHOWN = "as show qos and show dcb ets print it"
_OWN_QUEUE = f"switch-priority N leaves through traffic class N, {_SHOWN}"
_NO_POOL = f"{_MANUAL}, show roce: switch-priorities in no lossless traffic pool are in the lossy one"
_OWN_GROUP = "traffic pools hide the groups of the port; switch-priority N is taken as group N"
ROCE_MODE = f"{_MANUAL}, RoCE Commands"
SHARED_BUFFER = f"{_MANUAL}, Shared Buffers: the packet buffer is fully shared between all physical ports"

DEFAULTS: dict[str, Default] = (
    PAIRED_DEFAULTS
    | {
        "admin_up": Default(True, f"Onyx: ports are up unless shut down {_UNVERIFIED}"),
        "speed_bps": Default(None, "no speed statement: automatic"),
        "fec": Default(None, "no fec-override statement: chosen by the transceiver"),
        "autoneg": Default(None, "no speed statement that turns negotiation off"),
        "ip_mtu_bytes": Default(1500, f"{_MANUAL}, show interfaces ethernet: MTU 1500 bytes (packets of 1522)"),
        "cable_m": Default(None, "Onyx has no cable length statement"),
        "trust": Default("pcp", f"{_MANUAL}, QoS Commands: the default of qos trust is L2"),
        "rewrites_dscp": Default(frozenset(), "Ansible collection mellanox.onyx, onyx_qos: rewriting the DSCP is off"),
        "policed": Default(False, "no access list with a policer bound"),
        "pfc.mode": Default("off", _PFC_OFF),
        "pfc.priorities": Default(frozenset(), _PFC_OFF),
        "pfc.receive_only": Default(frozenset(), f"{ROCE_MODE}: only semi-lossless obeys pause without sending it"),
        "pfc.send_only": Default(frozenset(), f"{ROCE_MODE}: only semi-lossless obeys pause without sending it"),
        "pfc.operational": Default(None, "no show dcb priority-flow-control was read"),
        "pfc.watchdog.action": Default(None, f"no statement chooses the action {_UNVERIFIED}"),
        "pfc.watchdog.on": Default(False, f"Onyx: off unless pfc-wd stands on the port {_UNVERIFIED}"),
        "pfc.watchdog.priorities": Default(None, f"pfc-wd watches all priorities with PFC {_UNVERIFIED}"),
        "pfc.watchdog.poll_ms": Default(None, f"chosen by the device {_UNVERIFIED}"),
        "link_pause_rx": Default(False, f"{_MANUAL}, Priority Flow Control: flow control is off by default"),
        "link_pause_tx": Default(False, f"{_MANUAL}, Priority Flow Control: flow control is off by default"),
        "queues.*.ecn": Default(None, "show interfaces congestion-control: mode none unless configured"),
        "queues.*.scheduling": Default("weighted", f"WRR unless made strict, {_SHOWN} {_UNVERIFIED}"),
        "queues.*.share_kind": Default(
            "weight", "Ansible collection mellanox.onyx, onyx_traffic_class: WRR has weights"
        ),
        "queues.*.max_rate_bps": Default(None, "show dcb ets: no shaper unless configured"),
        "queues.*.limit_bytes": Default(None, f"{_MANUAL}, Shared Buffers: queues have dynamic limits"),
        "classes.*.mtu_bytes": Default(None, "Onyx has one MTU a port"),
        "groups.*.lossless": Default(False, _NO_POOL),
    }
    | {
        f"{priority}.{number}.{place}": Default(number, source)
        for priority in ("classes", "priorities")
        for place, source in (("queue", _OWN_QUEUE), ("group", _OWN_GROUP))
        for number in range(8)
    }
)

PORT_PRIORITY = Default(0, f"{_MANUAL}, QoS Commands: the port's default priority is 0")
CLASSIFICATION: dict[str, Default] = (
    {f"dscp.{d}": Default(d // 8, f"DSCP 8N to 8N+7 are switch-priority N, {_SHOWN}") for d in range(64)}
    | {f"pcp.{p}": Default(p, f"PCP N is switch-priority N, {_SHOWN}") for p in range(8)}
    | {"port": PORT_PRIORITY}
)
"""The switch-priority of a mark that the port trusts, unless it maps it; `port`: of packets whose marks it does not trust."""
