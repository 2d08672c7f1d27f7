"""A model path as an engineer would say it: `hop.group.headroom_bytes` is "headroom of the priority group"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from roce_audit.patterns import lazy

Steps = tuple[str | int, ...]

_ROOTS = frozenset(
    {"port", "joined", "hop", "nic", "host", "device", "app", "link", "fabric", "input", "counters"}
    | {"hop_counters", "fabric_counters", "a", "b", "a_joined", "b_joined", "a_hop", "b_hop"}
)
_OF_CLASS: Mapping[str, str] = {"roce": "the RoCE class", "cnp": "the CNP class", "cnp_hop": "the CNP class"}
_ROWS: Mapping[str, str] = {
    "queues": "queue",
    "groups": "priority group",
    "classes": "traffic class",
    "priorities": "priority",
    "gids": "GID table entry",
    "variables": "host variable",
}
_OF_JOBS: Mapping[str, str] = {"tos_bytes": "ToS byte", "gid_indexes": "GID index"}
_COMPARED = frozenset({"odd_settings", "odd_in_channel", "odd_congestion_control", "odd_versions"})
_SIDES: Mapping[str, str] = {"value": "what it has", "usual": "what the others have"}
"""Of a setting in which one differs from others: who has it."""
_OBJECTS: Mapping[str, str] = {
    "queue": "the queue",
    "group": "the priority group",
    "traffic_class": "the traffic class",
    "pfc_priority": "the priority",
    "pool": "the buffer pool",
    "persisted": "the boot files",
    "next_boot": "the next boot",
}
_FAMILIES: Mapping[str, str] = {"pfc": "PFC", "watchdog": "watchdog", "ecn": "ECN", "dcqcn": "DCQCN", "dcbx": "DCBX"}
_FIELDS: Mapping[str, str] = {
    "admin_up": "administrative state",
    "link_up": "state of the link",
    "shown_off": "PFC as it is shown",
    "unasked": "priorities paused by default",
    "ai_rate_mbps": "additive increase rate",
    "alpha": "dynamic threshold (alpha)",
    "any_lossless": "lossless ports",
    "assumed_length_m": "cable length",
    "at": "the other source",
    "autoneg": "auto-negotiation",
    "byte_reset_bytes": "byte counter",
    "cable_m": "configured cable length",
    "calculation_mtu_bytes": "packet size of the headroom calculation",
    "carries_roce": "whether it carries RoCE",
    "dcqcn_priorities": "DCQCN priorities",
    "detect_ms": "detection time",
    "dscp_classes": "traffic classes of the class's DSCPs",
    "mapped_instead": "marks mapped there instead",
    "mapped_to_it": "DSCPs mapped to its priority",
    "g_over_1024": "g",
    "group": "priority group",
    "group_priorities": "priorities paused with the group",
    "empty_queues": "queues that no traffic class leads to",
    "hai_rate_mbps": "hyper increase rate",
    "hca": "list of devices",
    "ip_mtu_bytes": "IP MTU",
    "nccl_ib_disable": "whether NCCL leaves RDMA alone",
    "nccl_net": "network of NCCL",
    "ucx_rdma": "whether UCX may use RDMA",
    "mpi_sockets": "what keeps MPI on sockets",
    "none_named": "list of devices",
    "strange_devices": "devices that a job names",
    "front_end_devices": "devices without RoCE that a job may use",
    "unpaused_devices": "devices without PFC that a job may use",
    "asked_dscps": "DSCPs that jobs give RoCE",
    "forgotten_devices": "device that a job leaves out",
    "list_without_roce": "list of devices that a job leaves out",
    "infiniband_only": "InfiniBand alone",
    "setup_dscps": "DSCPs that setups lead to what they pause",
    "one_setup": "setup and jobs of one folder",
    "roce_v2_gids": "RoCEv2 entries of the GID tables",
    "nics_without_gid": "NICs without the entry that a job looks for",
    "hosts_without_gid": "hosts without the entry that a job looks for",
    "hosts_with_link_local_gid": "hosts with a link-local entry where a job looks for one",
    "link_local_gids": "link-local entries of the GID tables",
    "routed_nics": "routed ports before all NICs",
    "lacp": "LACP mode",
    "lacp_rate": "LACP rate",
    "min_links": "least number of links of the channel",
    "shared_channel": "channel of two switches",
    "length_m": "cable length",
    "counted_mtu_bytes": "path MTU of most switch ports",
    "largest_mtu_bytes": "largest MTU of the RoCE ports",
    "largest_sent_bytes": "largest packet of the NICs",
    "smallest_class_bytes": "smallest MTU of the lossless traffic class",
    "smallest_taken_bytes": "smallest MTU of the switch ports",
    "limit_bytes": "size limit",
    "link_pause_rx": "link pause (receive)",
    "link_pause_tx": "link pause (send)",
    "lossless": "lossless (no-drop) setting",
    "marks": "marking",
    "max_bytes": "Kmax",
    "max_probability_percent": "Pmax",
    "max_rate_bps": "shaper",
    "max_unit": "unit of Kmax",
    "max_value": "Kmax",
    "min_bytes": "Kmin",
    "min_unit": "unit of Kmin",
    "min_value": "Kmin",
    "new_dscp": "DSCP written on the way out",
    "nic_setups": "setups of its NICs",
    "tos_bytes": "ToS bytes of its jobs",
    "gid_indexes": "GID indexes of its jobs",
    "tunnel_fixed_dscp": "fixed DSCP of tunnels",
    "by_hand": "recovery by hand",
    "np_priorities": "notification point priorities",
    "off_alone": "single priorities without congestion control",
    "half_on_alone": "single priorities with half of congestion control",
    "odd_in_channel": "settings unlike those of the channel's other members",
    "odd_congestion_control": "unusual congestion control settings",
    "odd_settings": "unusual settings",
    "not_running": "saved settings that do not run",
    "unsaved": "what is not saved",
    "on": "state",
    "pfc_on": "PFC for the class",
    "poll_ms": "polling interval",
    "policed": "policer",
    "profile_cable_m": "cable length of the buffer profile",
    "profile_speed_bps": "speed of the buffer profile",
    "restore_ms": "restoration time",
    "room_for_others": "room for pause of another priority",
    "rewrites_dscp": "traffic classes whose DSCP is rewritten",
    "rp_priorities": "reaction point priorities",
    "stated_length_m": "stated cable length",
    "length_for_all_ports": "cable length for all ports",
    "sized_for_bytes": "largest packet that headroom is made for",
    "taken_out_dscps": "traffic class of a DSCP",
    "unusual_dscp": "traffic class of that DSCP",
    "unusual_cnp_dscp": "traffic class of that DSCP",
    "strict_queue_unreached": "scheduling of the queue",
    "number_of_class": "PFC priorities",
    "sharers": "lossy traffic classes that share its buffer or queue",
    "xoff_at_bytes": "XOFF threshold",
    "xon_at_bytes": "XON threshold",
    "xon_offset_bytes": "XON offset",
}
_UNIT = lazy(r"_(?:bytes|bps|mbps|gbps|ms|us|m|percent)$")
_ACRONYMS = lazy(
    r"\b(?:pfc|ecn|dscp|pcp|mtu|cnp|cnps|nic|fec|dscps|tos|gid|hca|sl|ucx|nccl|roce|rdma|os|arp|dcb|lldp|smb|cma|id)\b"
)
_CAPITALS = {"roce": "RoCE", "cnps": "CNPs", "dscps": "DSCPs", "tos": "ToS"}


def path_words(text: str) -> str:
    """The words for a path as text: steps with dots, numbers of rows in brackets or as steps of their own."""
    steps = re.findall(r"[A-Za-z_]\w*|\d+", text)
    return words(tuple(int(step) if step.isdigit() else step for step in steps))


@cache
def words(path: Steps) -> str:
    """The last field, then what it belongs to from the inside out: `Kmin of queue 3`. Units are left to the value."""
    of: list[str] = []
    root, steps = str(path[0]), list(path)
    if root in _ROOTS or root in _OF_CLASS:
        steps = steps[1:]
        of += [_OF_CLASS[root]] if root in _OF_CLASS else []
    leaf, family = "", ""
    for at, step in enumerate(steps):
        if isinstance(step, int):
            continue
        row = steps[at + 1] if at + 1 < len(steps) and isinstance(steps[at + 1], int) else None
        if row is not None and step in _COMPARED:
            return _SIDES.get(str(steps[-1]), _field(step))
        if row is not None and step in _OF_JOBS:
            return _OF_JOBS[step]
        is_last = at + (1 if row is None else 2) >= len(steps)
        if row is not None and step in ("dscp", "pcp"):
            of.append(f"{'DSCP' if step == 'dscp' else 'tag'} {row}")
            leaf = "traffic class" if is_last else leaf
        elif row is not None and step in _ROWS:
            of.append(f"{_ROWS[step]} {row}")
        elif is_last:
            leaf = _FAMILIES.get(step) or _field(step)
        elif step in _FAMILIES:
            family = f"{family}{_FAMILIES[step]} "
        elif step in _OBJECTS:
            of.append(_OBJECTS[step])
    if not leaf and of:
        leaf = of.pop()
    return " of ".join([f"{family}{leaf}".strip() or _field(root), *reversed(of)])


def _field(name: str) -> str:
    if name in _FIELDS:
        return _FIELDS[name]
    plain = _UNIT.sub("", name).replace("_", " ").strip()
    return _ACRONYMS.sub(lambda found: _CAPITALS.get(found[0], found[0].upper()), plain)
