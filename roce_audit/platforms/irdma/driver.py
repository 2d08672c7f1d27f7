"""What the drivers ice and irdma show: the firmware's LLDP agent, RoCE or iWARP, congestion control.

Sources: Intel, README of the ice driver (firmware LLDP agent, L3 QoS mode) and README of the irdma driver (protocol selection,
congestion control, module parameters).
"""

from __future__ import annotations

from roce_audit.platforms.shared.host.answers import Answer, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.platforms.shared.host.words import BIT, choice, integer, matched

FIRMWARE_AGENT = Note[bool]("whether the firmware's LLDP agent is on")
CONTROL = Note[bool]("whether the congestion control is on that is called")
SPEAKS_IWARP = Note[bool]("whether the port speaks iWARP")
"""Files of configfs that begin with `iw_` are there only while it does."""
MODULE_ROCE = Note[bool]("whether the module was loaded for RoCE")
MODULE_PORTS = Note[int]("the ports that the module was loaded with RoCE for")
MODULE_DCQCN = Note[bool]("whether the module was loaded with DCQCN")
MODULE_VALID = Note[bool]("whether the module's parameters of DCQCN hold")
PARAMETER = Note[int]("the module's parameter of DCQCN")
_AGENT = {
    "fw-lldp-agent": {"on": True, "off": False},
    "disable-fw-lldp": {"on": False, "off": True},
}
"""The flag of ice, and the one of i40e that says the opposite."""


def _flags(answer: Answer) -> None:
    for number, text in answer.lines():
        name, colon, value = text.partition(":")
        if text.startswith("Private flags for "):
            if answer.subject is None and not value.strip():
                answer.subject = ("net", name.rpartition(" ")[2])
        elif colon and name.strip() in _AGENT:
            answer.say(f"{name.strip()}: {value.strip()}", number)


FLAGS = Tool(
    name="ice private flags",
    split=_flags,
    commands=r"ethtool --show-priv-flags (?P<net>[^\s/-][^\s/]*)",
    signature=r"^fw-lldp-agent *: (?:on|off)$",
    lines=tuple(
        sets(f"{name}:", FIRMWARE_AGENT, choice(words), "dcbx.owner", "dscp", "trust") for name, words in _AGENT.items()
    ),
)

_SWITCHES = {
    "roce_dcqcn_enable": "dcqcn",
    "roce_dctcp_enable": "dctcp",
    "roce_timely_enable": "timely",
}
_PRIORITIES = ("nic.dcqcn.np_priorities", "nic.dcqcn.rp_priorities", "nic.dcqcn.algorithm")


_CONTROL = Tool(
    name="irdma control",
    files=r"/sys/kernel/config/irdma/(?P<rdma>[^/]+)/(?P<key>\w+)",
    lines=(
        *(sets(name, CONTROL[short], BIT, *_PRIORITIES, refusable=True) for name, short in _SWITCHES.items()),
        *(
            sets(name, SPEAKS_IWARP, lambda text: bool(matched(r"[01]", text)), "kind")
            for name in ("iw_dctcp_enable", "iw_ecn_enable", "iw_timely_enable")
        ),
    ),
    ignored=r"(?:iw_ooo|push_mode|up_map_enable|up_up_map|roce_rd_fence_rate|cq_poll|crt|dyn|hw_stats|rca)\w*(?: .*)?",
)


def _parameter(answer: Answer, path: str, number: int, value: str) -> None:
    """Module parameters hold for all NICs of the driver, and for none of another."""
    name = path.rpartition("/")[2]
    if name in _PARAMETERS:
        answer.say(f"{name} {value.strip()}", number, HOST, PARAMETERS.name)


_FLAG = choice({"Y": True, "N": False, "1": True, "0": False})
_NUMBERS = {
    "dcqcn_min_rate": ("min_rate_mbps", 2**32 - 1),
    "dcqcn_T": ("time_reset_us", 131_071),
    "dcqcn_B": ("byte_reset_bytes", 2**32 - 1),
    "dcqcn_rreduce_mperiod": ("rate_reduce_period_us", 131_071),
    "dcqcn_F": ("fast_recovery_stages", 2**16 - 1),
    "dcqcn_min_dec_factor": ("min_decrease_percent", 100),
    "dcqcn_rai_factor": ("vendor.dcqcn_rai_factor.value", 2**32 - 1),
    "dcqcn_hai_factor": ("vendor.dcqcn_hai_factor.value", 2**32 - 1),
}
"""Parameter -> field of the model and largest value. The factors of increase count in MSS, so they stay the vendor's own."""


_PARAMETERS = {
    "roce_ena": sets("roce_ena", MODULE_ROCE, _FLAG),
    "roce_port_cfg": sets("roce_port_cfg", MODULE_PORTS, integer(0, 2**32 - 1)),
    "dcqcn_enable": sets("dcqcn_enable", MODULE_DCQCN, _FLAG),
    "dcqcn_cc_cfg_valid": sets("dcqcn_cc_cfg_valid", MODULE_VALID, _FLAG),
} | {name: sets(name, PARAMETER[path], integer(0, high)) for name, (path, high) in _NUMBERS.items()}
NUMBERS = tuple(path for path, _ in _NUMBERS.values())

PARAMETERS = Tool(
    name="irdma parameters",
    files=r"/sys/module/irdma/parameters/\w+",
    read_file=_parameter,
    lines=tuple(_PARAMETERS.values()),
)

TOOLS = (FLAGS, _CONTROL, PARAMETERS)
