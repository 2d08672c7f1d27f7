"""What the modules of the Ansible collection junipernetworks.junos, and of juniper.device, write, as lines that are typed."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.taskmodules import Arguments, Module, Typed

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
    "juniper.device.config": Typed(("lines",), source="juniper.device, config"),
    "juniper_junos_config": Typed(("lines",), source="Juniper.junos, juniper_junos_config"),
}
