"""NVIDIA Onyx (MLNX-OS): running-config."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, Form

if TYPE_CHECKING:
    from roce_audit.platforms.taskmodules import Arguments

_CAPTURED = r"^(## Running-config temporary prefix mode setting|[ \t]*(no )?cli default prefix-modes enable[ \t]*$)"
_PORT = r"^[ \t]*(no )?interface (ethernet|port-channel|mlag-port-channel) \S+ "
_WORDS = (
    _PORT + r"(no )?(traffic-class \d|qos trust |ingress-buffer |egress-buffer |pfc-wd)",
    _PORT + r"(no )?dcb priority-flow-control ",
    _PORT + r"(mlag-)?channel-group \d",
    _PORT + r"(mtu \d+|speed \d+G|no switchport|module-type \S+) force",
    r"^[ \t]*dcb priority-flow-control (enable|priority \d)",
    r"^[ \t]*(no )?(traffic-class \d+ )?congestion-control (ecn|red|both) minimum-(absolute|relative) \d",
    r"^[ \t]*traffic pool \S+ (type|map|memory) ",
    r"^[ \t]*roce( lossless| semi-lossless| lossy)?[ \t]*$",
    r"^[ \t]*(advanced buffer management|interface mlag-port-channel \d|qos trust (L2|L3|both|port)$)",
    r"^[ \t]*interface ethernet \d+/\d+(/\d+)?[ \t]*\n\s+(mtu \d+ force|qos trust |dcb |traffic-class \d)",
)


def _without_prompts(text: str) -> str:
    """The open block stands in the prompt of the configuration mode."""
    from roce_audit.platforms.onyx.prompts import without_prompts

    return without_prompts(text)


def _load() -> Parts:
    from roce_audit.platforms.onyx.parts import PARTS

    return PARTS


def _modules() -> Mapping[str, Arguments]:
    from roce_audit.platforms.onyx.modules import MODULES

    return MODULES


PLATFORM = Platform(
    name="onyx",
    kind="switch",
    port_name="ethernet 1/{}",
    load=_load,
    comment="#",
    signature=(
        Form(
            commands=CONFIGURATION,
            cleaned=_without_prompts,
            marks={_CAPTURED: 95},
            words=("prefix mode setting", "cli default prefix-modes"),
        ),
        Form(commands=CONFIGURATION, cleaned=_without_prompts, marks=dict.fromkeys(_WORDS, 25), most=80),
        Form(
            commands=r"\A\Z|\Ashow (?:version|roce|dcb |qos|traffic pool|buffers|interfaces? )",
            marks={
                r'"PFC oper"|"ECN marked packets"|"ETS per TC"|Priority Enabled List|^RoCE mode[ \t]{1,40}: (?:semi-)?loss': 60
            },
            head=4_000,
        ),
    ),
    naming=("hostname ",),
    commands=(
        "show version",
        "show running-config",
        "show roce",
        "show dcb priority-flow-control",
        "show dcb ets",
        "show interfaces congestion-control",
        "show qos",
        "show traffic pool",
        "show buffers details",
        "show interfaces ethernet status",
        "show interfaces ethernet",
        *(f"show interfaces ethernet counters {what} {n}" for what in ("pfc prio", "tc") for n in range(8)),
        "show lldp interfaces",
        "show lldp interfaces ethernet remote",
    ),
    states={r'^## Running database "': "running", r'^## (?:Active saved|Saved) database "': "startup"},
    needs={
        "counters": "show interfaces ethernet counters pfc prio N, show interfaces ethernet counters tc N",
        "groups": "show buffers details (its answer is not read, and thresholds of traffic pools are not in the running-config)",
        "queues": "show dcb ets",
        "queues.*.ecn": "show interfaces congestion-control",
        "queues.*.ecn.max_probability_percent": "nothing: neither statement nor answer has a probability",
        "queues.*.ecn.min_value": "nothing: no guide says what relative thresholds are relative to",
        "queues.*.ecn.weight": "nothing: no guide says whether the queue length is averaged",
        "classes": "show dcb ets (its answer is not read for classes)",
        "dscp": "show qos (its answer is not read)",
        "pcp": "show qos (its answer is not read)",
        "trust": "show qos (its answer is not read)",
        "pfc.priorities": "show dcb priority-flow-control (what was negotiated; it is not read from there)",
        "pfc.operational": "show dcb priority-flow-control",
        "pfc": "show running-config",
        "dcbx": "show lldp interfaces (its answer is not read)",
        "speed_bps": "show interfaces ethernet status (of ports that are up)",
        "cable_m": "policy cables:, or length_m in the topology file",
    },
    live=Live(access="cli", device_type="mellanox_mlnxos", configuration="show running-config"),
    task_names=("onyx", "mlnxos"),
    modules=_modules,
    aliases=("mlnxos", "mlnx-os", "mellanox", "mellanox_mlnxos", "mellanox.onyx.onyx", "nvidia-onyx"),
    factory_names=("onyx", "nvidia"),
)
