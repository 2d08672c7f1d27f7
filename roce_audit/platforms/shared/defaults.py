"""Defaults that hold for every switch, whatever its system."""

from __future__ import annotations

from roce_audit.text.fill import Default

_NO_NAMED_PROFILE = "the system names no buffer profile per priority"
_FORWARDING = (
    "hash_uses_ports",
    "hash_seed",
    "max_paths",
    "sprays",
    "tunnels",
    "tunnel_fixed_dscp",
    "tunnel_dscp_from",
    "tunnel_keeps_marks",
)
_UNSAID = Default(None, "no statement about it was read", unless_said=True)
SWITCH_DEFAULTS: dict[str, Default] = {
    **dict.fromkeys(
        ("forwarding", *(f"forwarding.{n}" for n in _FORWARDING)),
        _UNSAID,
    ),
    "eee": _UNSAID,
    "policed_dscps": _UNSAID,
    "drops_roce": _UNSAID,
    "drops_dscps": _UNSAID,
    "lacp": _UNSAID,
    "lacp_rate": _UNSAID,
    "link_up": _UNSAID,
    "min_links": _UNSAID,
    "nic": Default(None, "a switch port", unless_said=True),
    "dcbx.roce_priority": _UNSAID,
    "dcbx.owner": Default(None, "a switch port", unless_said=True),
    "pfc.most": _UNSAID,
    "pfc.unasked": _UNSAID,
    "pfc.shown_off": _UNSAID,
    "pfc.watchdog.least_polls": _UNSAID,
    "pfc.watchdog.by_hand": _UNSAID,
    "pfc.operational": Default(None, "no answer that shows running PFC was read"),
    "queues.*.alpha": _UNSAID,
    "queues.*.max_rate_percent": _UNSAID,
    "groups.*.sized_for_bytes": Default(None, "the system takes no packet size for the headroom of a group"),
    "groups.*.profile": Default(None, _NO_NAMED_PROFILE),
    "groups.*.profile_speed_bps": Default(None, _NO_NAMED_PROFILE),
    "groups.*.profile_cable_m": Default(None, _NO_NAMED_PROFILE),
}
"""A platform adds its own, and replaces what is different there (`SWITCH_DEFAULTS | {...}`)."""
PAIRED_DEFAULTS: dict[str, Default] = SWITCH_DEFAULTS | {
    "shared_channel": Default(None, "no statement makes its channel one of two switches"),
}
"""The same for a platform whose statements for channels of two switches are read; of others nobody knows."""
