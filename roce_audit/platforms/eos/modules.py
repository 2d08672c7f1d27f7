"""What the modules of the Ansible collection arista.eos write."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.shared.cli.taskmodules import ACCESS_OR_TRUNK, LAYER, SWITCHED_ON, channels
from roce_audit.platforms.taskmodules import Arguments, Module

MODULES: Mapping[str, Arguments] = {
    "eos_interfaces": Module(
        stanza="interface {name}",
        each="config",
        lines={
            "description": "description {description}",
            "mode": LAYER,
            "enabled": SWITCHED_ON,
            "mtu": "mtu {mtu}",
        },
        aside=frozenset({"duplex", "speed"}),
        source="arista.eos, argspec of eos_interfaces",
    ),
    "eos_l2_interfaces": Module(
        stanza="interface {name}",
        each="config",
        lines={
            **ACCESS_OR_TRUNK,
        },
        aside=frozenset({"trunk.trunk_allowed_vlans"}),
        source="arista.eos, argspec of eos_l2_interfaces",
    ),
    "eos_lag_interfaces": channels("arista.eos, argspec of eos_lag_interfaces"),
}
