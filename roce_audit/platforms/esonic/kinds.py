"""Kinds of `qos map` in all forms of this system, and the model paths that several kinds of statements set."""

from __future__ import annotations

from typing import NamedTuple

MARKS = "dscp pcp trust"
ENTRIES = "classes priorities"
POLICING = "dscp pcp policed rewrites_dscp"
SCHEDULED = "queues.#.scheduling queues.#.share queues.#.share_kind queues.#.max_rate_bps"
ROCE = f"{MARKS} {ENTRIES} queues groups pfc"
EVERYTHING = f"kind {ROCE} ip_mtu_bytes admin_up speed_bps fec autoneg cable_m dcbx policed rewrites_dscp"


class MapKind(NamedTuple):
    """One kind of map.

    `mode` is that of its stanza, `path` what an entry sets. `line` is an entry on the command line; `entry` is one in a tree, behind
    the name of its list. `key` is the leaf that tells the entries of such a list apart.
    """

    mode: str
    path: str
    line: str
    rest: str
    """A map in the REST tree; its list of entries is called `REST-entries`, an entry `REST-entry`."""
    rest_bound: str
    ansible: str
    ansible_bound: str
    key: str
    entry: str
    bound: str = ""
    """What binding such a map sets, where that is more than `path`."""


_CLASS = "traffic-class <keys:keys>"
_PRIORITY = "pfc-priority <keys:keys>"
_TO = "<value:0..63>"
_TO_CLASS = f"<keys:keys> [config] fwd-group {_TO}"
_TO_QUEUE = f"<keys:keys> [config] output-queue-index|queue-index {_TO}"
_TO_GROUP = f"<keys:keys> [config] priority-group-index|pg-index {_TO}"

MAPS = {
    "dscp-tc": MapKind(
        "dscptc",
        "dscp.#",
        f"dscp <keys:keys> traffic-class {_TO}",
        "dscp-map",
        "dscp-to-forwarding-group",
        "dscp-maps",
        "dscp-fwd-group",
        "dscp",
        _TO_CLASS,
        MARKS,
    ),
    "dot1p-tc": MapKind(
        "dot1ptc",
        "pcp.#",
        f"dot1p <keys:keys> traffic-class {_TO}",
        "dot1p-map",
        "dot1p-to-forwarding-group",
        "dot1p-maps",
        "dot1p-fwd-group",
        "dot1p",
        _TO_CLASS,
        "pcp trust",
    ),
    "tc-queue": MapKind(
        "tcqueue",
        "classes.#.queue",
        f"{_CLASS} queue {_TO}",
        "forwarding-group-queue-map",
        "forwarding-group-to-queue",
        "fwd-group-queue-maps",
        "fwd-group-queue",
        "fwd-group",
        _TO_QUEUE,
    ),
    "tc-pg": MapKind(
        "tcpg",
        "classes.#.group",
        f"{_CLASS} priority-group|pg {_TO}",
        "forwarding-group-priority-group-map",
        "forwarding-group-to-priority-group",
        "fwd-group-pg-maps",
        "fwd-group-pg",
        "fwd-group",
        _TO_GROUP,
    ),
    "tc-dscp": MapKind(
        "tcdscp",
        "classes.#.new_dscp",
        f"{_CLASS} dscp {_TO}",
        "forwarding-group-dscp-map",
        "forwarding-group-to-dscp",
        "fwd-group-dscp-maps",
        "fwd-group-dscp",
        "fwd-group",
        f"<keys:keys> [config] dscp {_TO}",
        "rewrites_dscp classes.#.new_dscp",
    ),
    "tc-dot1p": MapKind(
        "tcdot1p",
        "",
        f"{_CLASS} dot1p {_TO}",
        "forwarding-group-dot1p-map",
        "forwarding-group-to-dot1p",
        "fwd-group-dot1p-maps",
        "fwd-group-dot1p",
        "fwd-group",
        f"<keys:keys> [config] dot1p {_TO}",
    ),
    "pfc-priority-queue": MapKind(
        "pfcqueue",
        "priorities.#.queue",
        f"{_PRIORITY} queue {_TO}",
        "pfc-priority-queue-map",
        "pfc-priority-to-queue",
        "pfc-priority-queue-maps",
        "pfc-priority-queue",
        "dot1p",
        _TO_QUEUE,
    ),
    "pfc-priority-pg": MapKind(
        "pfcpg",
        "priorities.#.group",
        f"{_PRIORITY} pg|priority-group {_TO}",
        "pfc-priority-priority-group-map",
        "pfc-priority-to-priority-group",
        "pfc-priority-pg-maps",
        "pfc-priority-pg",
        "dot1p",
        _TO_GROUP,
    ),
}
"""Kind of map, as the command line calls it."""
