"""What the modules of the Ansible collection cisco.nxos write."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.shared.cli.taskmodules import ACCESS_OR_TRUNK, LAYER, SWITCHED_ON, channels
from roce_audit.platforms.taskmodules import Arguments, Module

_POLICY = "service_policy.type_options"

MODULES: Mapping[str, Arguments] = {
    "nxos_interfaces": Module(
        stanza="interface {name}",
        each="config",
        lines={
            "description": "description {description}",
            "mode": LAYER,
            "enabled": SWITCHED_ON,
            "speed": "speed {speed}",
            "mtu": "mtu {mtu}",
            f"{_POLICY}.qos.input": f"service-policy type qos input {{{_POLICY}.qos.input}}",
            f"{_POLICY}.qos.output": f"service-policy type qos output {{{_POLICY}.qos.output}}",
            f"{_POLICY}.queuing.input": f"service-policy type queuing input {{{_POLICY}.queuing.input}}",
            f"{_POLICY}.queuing.output": f"service-policy type queuing output {{{_POLICY}.queuing.output}}",
        },
        aside=frozenset(
            {"duplex", "ip_forward", "fabric_forwarding_anycast_gateway", "mac_address", "logging", "snmp"}
        ),
        source="cisco.nxos, argspec of nxos_interfaces",
    ),
    "nxos_interface": Module(
        stanza="interface {name}",
        each="aggregate",
        lines={
            "description": "description {description}",
            "mode": LAYER,
            "admin_state": {"up": "no shutdown", "down": "shutdown"},
            "enabled": SWITCHED_ON,
            "speed": "speed {speed}",
            "mtu": "mtu {mtu}",
        },
        aside=frozenset(
            {
                "duplex",
                "ip_forward",
                "fabric_forwarding_anycast_gateway",
                "delay",
                "tx_rate",
                "rx_rate",
                "neighbors",
                "interface_type",
            }
        ),
        source="cisco.nxos before 2.0, nxos_interface",
    ),
    "nxos_l2_interfaces": Module(
        stanza="interface {name}",
        each="config",
        lines={
            **ACCESS_OR_TRUNK,
            "trunk.allowed_vlans": "switchport trunk allowed vlan {trunk.allowed_vlans}",
        },
        aside=frozenset({"trunk.allowed_vlans_none", "cdp_enable", "link_flap", "beacon"}),
        source="cisco.nxos, argspec of nxos_l2_interfaces",
    ),
    "nxos_lag_interfaces": channels("cisco.nxos, argspec of nxos_lag_interfaces"),
    "nxos_system": Module(
        lines={"system_mtu": "system jumbomtu {system_mtu}"},
        aside=frozenset({"hostname", "domain_name", "domain_lookup", "domain_search", "name_servers"}),
        source="cisco.nxos, nxos_system",
    ),
}
