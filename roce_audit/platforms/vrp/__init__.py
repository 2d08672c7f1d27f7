"""Huawei VRP on CloudEngine switches: current-configuration."""

from __future__ import annotations

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, Form

_SHOWN = rf"{CONFIGURATION}|display (?:(?:current|saved)-configuration|configuration candidate)"
_CAPTURED = r"^!Software Version V\d{3}R\d{3}"
_LINE = r"^(?: *+\[[^\[\]\n]{1,80}\])? *"
"""The beginning of a line, behind the prompt where somebody copied it from a terminal."""
_OWN = (
    _LINE + r"dcb (pfc( \S+)?|ets-profile \S+|pfc enable( \S+)?( mode (auto|manual))?|pfc global disable)\s*$",
    _LINE + r"dcb (pfc (buffer \d|dscp-mapping enable|deadlock|uplink group)|abs-pfc queue \d)",
    _LINE + r"(undo )?qos (drr|pq|lpq) \d( to \d)?\s*$",
    _LINE + r"(undo )?qos queue \d (wred \S|ecn\b|drr weight|shaping cir)",
    _LINE + r"(qos buffer headroom-pool size |trust upstream \S|qos (car inbound|phb marking) |ai-service\s*$)",
    _LINE + r"(diffserv domain \S|ip-dscp-(inbound|outbound) |8021p-(inbound|outbound) \d)",
    _LINE + r"(eth-trunk \d|interface Eth-Trunk ?\d|peer-link 1\b|m-lag |dfs-group \d)",
    _LINE + r"(ecn|color (green|yellow|red)) (buffer-size )?(cell )?low-limit \d",
    _LINE + r"interface (10|25|40|50|100|200|400|800)GE ?\d+/\d+/\d+",
    _LINE + r"(abs-pfc profile \S|long-distance mode level-|rail-group \S|mice-elephant-flow|iqcn enable|npcc enable)",
)


def _load() -> Parts:
    from roce_audit.platforms.vrp.parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="vrp",
    kind="switch",
    port_name="100GE1/0/{}",
    load=_load,
    comment="#",
    signature=(
        Form(commands=_SHOWN, marks={_CAPTURED: 95}),
        Form(
            commands=_SHOWN,
            marks=dict.fromkeys(_OWN, 30),
            most=85,
        ),
        Form(
            commands=r"\A\Z|\Adisplay ",
            marks={
                r"^Huawei Versatile Routing Platform Software": 95,
                r"^\w+/\d+/\d+ has \d+ neighbor(s|\(s\))?:?$": 60,
                r"^\S+ current state : (UP|DOWN|Administratively DOWN)": 60,
                r"^ *Interface +Queue +Received\(Frames\) +ReceivedRate\(pps\) +DeadlockNum": 90,
                r"^ *Interface +Queue +Min +Max +Probability +Queue Size": 60,
                r"^ *Interface +Queue +(?:Xon +Xoff|Guaranteed +Xon-Lowest +Xon-Offset) *": 90,
                r"^ *Interface +PFC Name +PFC Status +ETS Name": 90,
                r"^ *Queue statistics info: interface \S": 60,
            },
            head=4_000,
        ),
    ),
    naming=("sysname ",),
    commands=(
        "display version",
        "display current-configuration",
        "display lldp neighbor",
        "display interface",
        "display dcb",
        "display dcb pfc",
        "display dcb pfc buffer",
        "display qos ecn threshold",
    ),
    other_forms=r"display qos buffer egress-usage(?: .{1,60})?",
    states={
        r"^display current-configuration": "running",
        r"^display saved-configuration|(?:^|/)vrpcfg\.cfg\Z": "startup",
        r"^display configuration candidate": "candidate",
    },
    needs={
        "counters": "display dcb pfc",
        "groups": "display version (which chip it is), display current-configuration",
        "groups.*.headroom_bytes": "display dcb pfc buffer",
        "groups.*.reserved_bytes": "display dcb pfc buffer",
        "groups.*.xoff_at_bytes": "display dcb pfc buffer",
        "groups.*.xon_offset_bytes": "display dcb pfc buffer",
        "groups.*.alpha": "nothing: no guide says what factor a dynamic threshold stands for",
        "queues": "display current-configuration",
        "queues.*.ecn": "display qos ecn threshold",
        "classes": "display version (which chip it is)",
        "dscp": "display current-configuration, display diffserv domain (its answer is not read)",
        "pfc.priorities": "display dcb pfc-profile (its answer is not read)",
        "pfc.operational": "display dcb",
        "pfc.watchdog": "display version (which chip it is)",
        "pfc": "display current-configuration",
        "dcbx": "display current-configuration",
        "speed_bps": "display interface",
        "admin_up": "display current-configuration",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(
        access="cli",
        device_type="huawei_vrpv8",
        reads="display",
        configuration="display current-configuration",
        end="return",
        prompt=r"<[^\s<>]{1,120}>",
    ),
    task_names=("ce",),
    aliases=("huawei", "huawei_vrp", "huawei_vrpv8", "cloudengine", "huaweivrp", "community.network.ce"),
    factory_names=("huawei",),
)
