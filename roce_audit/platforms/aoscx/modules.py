"""What the modules of the Ansible collection arubanetworks.aoscx write."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.shared.cli.taskmodules import SWITCHED_ON
from roce_audit.platforms.taskmodules import Arguments, Module

_SCHEDULE = "qos schedule-profile {qos_name}"


def _map(kind: str) -> Module:
    """The module that changes a code point of the switch's only map of a kind."""
    return Module(
        lines={"local_priority": f"qos {kind}-map {{code_point}} local-priority {{local_priority}}[ color {{color}}]"},
        aside=frozenset({"description", "cos"}),
        source=f"arubanetworks.aoscx, aoscx_qos_{kind}",
    )


MODULES: Mapping[str, Arguments] = {
    "aoscx_qos_dscp": _map("dscp"),
    "aoscx_qos_cos": _map("cos"),
    "aoscx_queue_profile": Module(
        stanza="qos queue-profile {name}",
        lines={},
        aside=frozenset({"vsx_sync"}),
        source="arubanetworks.aoscx, aoscx_queue_profile",
    ),
    "aoscx_queue_profile_entry": Module(
        stanza="qos queue-profile {queue_profile}",
        over="local_priorities",
        lines={"local_priorities": "map queue {queue_number} local-priority {local_priorities}"},
        aside=frozenset({"description"}),
        source="arubanetworks.aoscx, aoscx_queue_profile_entry",
    ),
    "aoscx_qos": Module(
        stanza="qos schedule-profile {name}",
        lines={},
        aside=frozenset({"vsx_sync"}),
        source="arubanetworks.aoscx, aoscx_qos",
    ),
    "aoscx_queue": Module(
        stanza=_SCHEDULE,
        lines={
            "algorithm": {
                "strict": "strict queue {queue_number}",
                "dwrr": "dwrr queue {queue_number}[ weight {weight}]",
                "wfq": "wfq queue {queue_number}[ weight {weight}]",
            }
        },
        defaults={"algorithm": "strict"},
        aside=frozenset({"burst"}),
        source="arubanetworks.aoscx, aoscx_queue",
    ),
    "aoscx_interface": Module(
        stanza="interface {name}",
        lines={
            "description": "description {description}",
            "enabled": SWITCHED_ON,
            "mtu": "mtu {mtu}",
            "qos_trust_mode": {
                "cos": "qos trust cos",
                "dscp": "qos trust dscp",
                "none": "qos trust none",
                "global": "",
            },
            "qos": "apply qos schedule-profile {qos}",
        },
        aside=frozenset(
            {
                "configure_speed",
                "autoneg",
                "duplex",
                "speeds",
                "acl_name",
                "acl_type",
                "acl_direction",
                "vsx_sync",
                "qos_rate",
                "use_global_queue_profile",
            }
        ),
        source="arubanetworks.aoscx, aoscx_interface",
    ),
}
