"""What the modules of the Ansible collection mellanox.onyx write."""

from __future__ import annotations

from collections.abc import Mapping

from roce_audit.platforms.taskmodules import Arguments, Module

_NAMES = {"Eth": "ethernet ", "Mpo": "mlag-port-channel ", "Po": "port-channel "}
_TC = "interface {interfaces} traffic-class {tc}"
_CONTROL = "congestion_control"
_PFC = "interface {name} dcb priority-flow-control mode on force"

MODULES: Mapping[str, Arguments] = {
    "onyx_pfc_interface": Module(
        each="aggregate",
        lines={"state": {"enabled": _PFC, "disabled": "no interface {name} dcb priority-flow-control mode force"}},
        aside=frozenset({"purge"}),
        defaults={"state": "enabled"},
        naming=_NAMES,
        source="mellanox.onyx, onyx_pfc_interface",
    ),
    "onyx_interface": Module(
        each="aggregate",
        lines={
            "mtu": "interface {name} mtu {mtu} force",
            "enabled": {"true": "no interface {name} shutdown", "false": "interface {name} shutdown"},
        },
        aside=frozenset({"description", "speed", "duplex", "delay", "tx_rate", "rx_rate", "purge"}),
        naming=_NAMES,
        source="mellanox.onyx, onyx_interface",
    ),
    "onyx_qos": Module(
        over="interfaces",
        lines={"trust": "interface {interfaces} qos trust {trust}"},
        aside=frozenset({"rewrite_pcp", "rewrite_dscp"}),
        naming=_NAMES,
        source="mellanox.onyx, onyx_qos",
    ),
    "onyx_buffer_pool": Module(
        lines={
            "pool_type": "traffic pool {name} type {pool_type}",
            "memory_percent": "traffic pool {name} memory percent {memory_percent}",
            "switch_priority": "traffic pool {name} map switch-priority {switch_priority}",
        },
        source="mellanox.onyx, onyx_buffer_pool",
    ),
    "onyx_traffic_class": Module(
        over="interfaces",
        lines={
            f"{_CONTROL}.control": f"{_TC} congestion-control {{{_CONTROL}.control}}"
            f" minimum-{{{_CONTROL}.threshold_mode}} {{{_CONTROL}.min_threshold}}"
            f" maximum-{{{_CONTROL}.threshold_mode}} {{{_CONTROL}.max_threshold}}",
            "dcb.mode": f"{_TC} dcb ets {{dcb.mode}}[ {{dcb.weight}}]",
        },
        naming=_NAMES,
        source="mellanox.onyx, onyx_traffic_class",
    ),
}
