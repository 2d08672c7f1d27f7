"""What the modules of the Ansible collection arista.eos write."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.taskmodules import Module, Typed

MODULES: Mapping[str, Module | Typed] = {
    "eos_interfaces": Module(
        stanza="interface {name}",
        each="config",
        lines={
            "description": "description {description}",
            "mode": {"layer2": "switchport", "layer3": "no switchport"},
            "enabled": {"true": "no shutdown", "false": "shutdown"},
            "mtu": "mtu {mtu}",
        },
        aside=frozenset({"duplex", "speed"}),
        source="arista.eos, argspec of eos_interfaces",
    ),
    "eos_l2_interfaces": Module(
        stanza="interface {name}",
        each="config",
        lines={
            "mode": {"access": "switchport mode access", "trunk": "switchport mode trunk"},
            "access.vlan": "switchport access vlan {access.vlan}",
            "trunk.native_vlan": "switchport trunk native vlan {trunk.native_vlan}",
        },
        aside=frozenset({"trunk.trunk_allowed_vlans"}),
        source="arista.eos, argspec of eos_l2_interfaces",
    ),
    "eos_lag_interfaces": Module(
        each="config",
        lines={},
        also={
            "members": Module(
                stanza="interface {member}",
                each="members",
                lines={"member": "channel-group {above.name#}[ mode {mode}]"},
            )
        },
        source="arista.eos, argspec of eos_lag_interfaces",
    ),
}
