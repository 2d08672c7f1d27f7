"""What the resource modules of several Ansible collections have alike, for systems whose ports are set up with `switchport`.

These modules have the same arguments in each collection; each cites its own description.
"""

from __future__ import annotations

from roce_audit.platforms.taskmodules import Line, Module

SWITCHED_ON: dict[str, str] = {"true": "no shutdown", "false": "shutdown"}
LAYER: dict[str, str] = {"layer2": "switchport", "layer3": "no switchport"}
ACCESS_OR_TRUNK: dict[str, Line] = {
    "mode": {"access": "switchport mode access", "trunk": "switchport mode trunk"},
    "access.vlan": "switchport access vlan {access.vlan}",
    "trunk.native_vlan": "switchport trunk native vlan {trunk.native_vlan}",
}


def channels(source: str) -> Module:
    """The module that puts ports into channels, each as a member of one."""
    member = Module(
        stanza="interface {member}",
        each="members",
        lines={"member": "channel-group {above.name#}[ mode {mode}]"},
    )
    return Module(each="config", lines={}, also={"members": member}, source=source)
