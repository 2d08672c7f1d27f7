"""What the modules of the Ansible collection junipernetworks.junos write, as lines that are typed."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.taskmodules import Arguments, Module

MODULES: Mapping[str, Arguments] = {
    "junos_interfaces": Module(
        each="config",
        lines={
            "enabled": {"false": "set interfaces {name} disable"},
            "mtu": "set interfaces {name} mtu {mtu}",
        },
        aside=frozenset({"description", "duplex", "hold_time", "speed", "units"}),
        source="junipernetworks.junos, argspec of junos_interfaces",
    ),
    "junos_lag_interfaces": Module(
        each="config",
        lines={},
        also={
            "members": Module(
                each="members",
                lines={"member": "set interfaces {member} ether-options 802.3ad {above.name}"},
                aside=frozenset({"link_type", "ether_option_type"}),
            )
        },
        aside=frozenset({"mode", "link_protection"}),
        source="junipernetworks.junos, argspec of junos_lag_interfaces",
    ),
}
