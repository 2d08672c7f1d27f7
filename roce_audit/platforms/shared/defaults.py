"""Defaults that hold for every switch, whatever its system."""

from __future__ import annotations

from roce_audit.text.fill import Default

_NO_NAMED_PROFILE = "the system names no buffer profile per priority"
SWITCH_DEFAULTS: dict[str, Default] = {
    **dict.fromkeys(
        (f"forwarding.{name}" for name in ("hash_uses_ports", "sprays", "tunnels", "tunnel_keeps_marks")),
        Default(None, "no statement about it that is read here"),
    ),
    "eee": Default(None, "no statement about it that is read here"),
    "nic": Default(None, "a switch port"),
    "dcbx.roce_priority": Default(None, "no application TLV for UDP 4791 was seen"),
    "dcbx.owner": Default(None, "a switch port"),
    "pfc.most": Default(None, "nothing says for how many priorities the chip can have PFC on"),
    "pfc.operational": Default(None, "no answer that shows running PFC was read"),
    "groups.*.profile": Default(None, _NO_NAMED_PROFILE),
    "groups.*.profile_speed_bps": Default(None, _NO_NAMED_PROFILE),
    "groups.*.profile_cable_m": Default(None, _NO_NAMED_PROFILE),
}
"""A platform adds its own, and replaces what is different there (`SWITCH_DEFAULTS | {...}`)."""
