"""Keys of AVD's structured configuration, and the statement of EOS that each stands for (templates of eos_cli_config_gen)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Made = Callable[[Any], str]
"""Value -> statement; "" where it stands for none."""
Keys = Mapping[str, "str | Made | Keys | None"]
"""Key -> statement (`{}` is the value), what makes it, the keys below it, or None: nothing of ours."""


def switch(words: str) -> Made:
    """`words` where it is true, `no words` where it is false; any other value stands behind them, and no row takes it."""
    return lambda value: words if value is True else f"no {words}" if value is False else f"{words} {value!r}"


def only(words: str) -> Made:
    """`words` where it is true, nothing where it is false; any other value stands behind them, and no row takes it."""
    return lambda value: words if value is True else "" if value is False else f"{words} {value!r}"


def _trust(value: object) -> str:
    return "no qos trust" if value == "disabled" else f"qos trust {value}"


def _type(value: object) -> str:
    return {"routed": "no switchport", "switched": "switchport"}.get(str(value), "")


SHAPE: Keys = {"rate": "shape rate {}"}
QOS: Keys = {"trust": _trust, "cos": "qos cos {}", "dscp": "qos dscp {}"}
SERVICE: Keys = {"pbr": None, "qos": {"input": "service-policy type qos input {}"}}
INTERFACE: Keys = {
    "profile": "profile {}",
    "description": "description {}",
    "mtu": "mtu {}",
    "l2_mtu": "l2 mtu {}",
    "speed": "speed {}",
    "shutdown": switch("shutdown"),
    "type": _type,
    "vlans": "switchport access vlan {}",
    "vrf": "vrf {}",
    "ip_address": "ip address {}",
    "flowcontrol": {"received": "flowcontrol receive {}"},
    "error_correction_encoding": {
        "enabled": lambda value: "no error-correction encoding" if value is False else "",
        "fire_code": only("error-correction encoding fire-code"),
        "reed_solomon": only("error-correction encoding reed-solomon"),
    },
    "traffic_policy": {"input": "traffic-policy input {}", "output": None},
    "service_profile": "service-profile {}",
    "service_policy": SERVICE,
    "shape": SHAPE,
    "qos": QOS,
}
PROFILE: Keys = {
    "name": None,
    "trust": _trust,
    "cos": "qos cos {}",
    "dscp": "qos dscp {}",
    "shape": SHAPE,
    "service_policy": {"type": {"qos_input": "service-policy type qos input {}"}},
}
QUEUE: Keys = {
    "id": None,
    "comment": None,
    "priority": "{}",
    "bandwidth_percent": "bandwidth percent {}",
    "bandwidth_guaranteed_percent": "bandwidth guaranteed percent {}",
    "shape": SHAPE,
}
CLASS_MAP: Keys = {
    "name": None,
    "vlan": "match vlan {}",
    "cos": "match cos {}",
    "dscp": "match dscp {}",
    "ecn": "match ecn {}",
    "ip": {"access_group": "match ip access-group {}"},
    "ipv6": {"access_group": "match ipv6 access-group {}"},
}
CLASS: Keys = {
    "set": {
        "cos": "set cos {}",
        "dscp": "set dscp {}",
        "traffic_class": "set traffic-class {}",
        "drop_precedence": "set drop-precedence {}",
    },
    "name": None,
    "police": lambda value: "police rate",
}
DEFAULTS: Keys = {"mtu": "mtu {}", "ethernet": None}
WATCHDOG = "priority-flow-control pause watchdog"
GLOBAL_PFC: Keys = {
    "all_off": only("priority-flow-control all off"),
    "watchdog": {
        "timeout": f"{WATCHDOG} default timeout {{}}",
        "polling_interval": f"{WATCHDOG} default polling-interval {{}}",
        "recovery_time": f"{WATCHDOG} default recovery-time {{}}",
        "action": f"{WATCHDOG} action {{}}",
        "override_action_drop": only(f"{WATCHDOG} override action drop"),
    },
}
QUEUES = {"tx_queues": "tx-queue", "uc_tx_queues": "uc-tx-queue", "mc_tx_queues": "mc-tx-queue"}
INTERFACES = ("ethernet_interfaces", "port_channel_interfaces", "management_interfaces")
