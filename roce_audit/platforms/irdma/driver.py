"""What the drivers ice and irdma show: the firmware's LLDP agent, RoCE or iWARP, congestion control.

Sources: Intel, README of the ice driver (firmware LLDP agent, L3 QoS mode) and README of the irdma driver (protocol selection,
congestion control, module parameters).
"""

from __future__ import annotations

from collections.abc import Callable

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool
from roce_audit.platforms.shared.host.collector import HOST
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import Note
from roce_audit.platforms.shared.host.words import matched, one_of, whole
from roce_audit.values import At

FIRMWARE_AGENT = Note[bool]("whether the firmware's LLDP agent is on")
CONTROL = Note[bool]("whether the congestion control is on that is called")
SPEAKS_IWARP = Note[bool]("whether the port speaks iWARP")
MODULE_ROCE = Note[bool]("whether the module was loaded for RoCE")
MODULE_PORTS = Note[int]("the ports that the module was loaded with RoCE for")
MODULE_DCQCN = Note[bool]("whether the module was loaded with DCQCN")
MODULE_VALID = Note[bool]("whether the module's parameters of DCQCN hold")
PARAMETER = Note[int]("the module's parameter of DCQCN")
_ON_OFF = {"on": True, "off": False}
_AGENT = {"fw-lldp-agent": False, "disable-fw-lldp": True}
"""The flag of ice, and the one of i40e that says the opposite."""


def _flags(answer: Answer) -> None:
    for number, text in answer.lines():
        name, colon, value = text.partition(":")
        if text.startswith("Private flags for "):
            if answer.subject is None and not value.strip():
                answer.subject = ("net", name.rpartition(" ")[2])
        elif colon and name.strip() in _AGENT:
            answer.say(f"{name.strip()}: {value.strip()}", number)


def _agent(inverted: bool) -> Callable[[NicSettings, str, At], None]:
    def read(nic: NicSettings, text: str, at: At) -> None:
        nic.set(FIRMWARE_AGENT, one_of(text, _ON_OFF) is not inverted, at)

    return read


FLAGS = Tool(
    name="ice private flags",
    split=_flags,
    commands=r"ethtool --show-priv-flags (?P<net>[^\s/-][^\s/]*)",
    signature=r"^fw-lldp-agent *: (?:on|off)$",
    lines=tuple(
        Line(f"{name}:", (FIRMWARE_AGENT, "dcbx.owner", "dscp", "trust"), _agent(inverted))
        for name, inverted in _AGENT.items()
    ),
)

_SWITCHES = {
    "roce_dcqcn_enable": "dcqcn",
    "roce_dctcp_enable": "dctcp",
    "roce_timely_enable": "timely",
}
_PRIORITIES = ("nic.dcqcn.np_priorities", "nic.dcqcn.rp_priorities", "nic.dcqcn.algorithm")


def _switch(algorithm: str) -> Callable[[NicSettings, str, At], None]:
    def read(nic: NicSettings, text: str, at: At) -> None:
        if text == "unreadable":
            nic.refuse(CONTROL[algorithm], at)
        else:
            nic.set(CONTROL[algorithm], one_of(text, {"0": False, "1": True}), at)

    return read


def _iwarp_only(nic: NicSettings, text: str, at: At) -> None:
    """Files that begin with `iw_` are there only while the port speaks iWARP."""
    matched(r"[01]", text)
    nic.set(SPEAKS_IWARP, True, at)


_CONTROL = Tool(
    name="irdma control",
    files=r"/sys/kernel/config/irdma/(?P<rdma>[^/]+)/(?P<key>\w+)",
    lines=(
        *(Line(name, (CONTROL[short], *_PRIORITIES), _switch(short)) for name, short in _SWITCHES.items()),
        *(
            Line(name, (SPEAKS_IWARP, "kind"), _iwarp_only)
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


_FLAG = {"Y": True, "N": False, "1": True, "0": False}
_NUMBERS = {
    "dcqcn_min_rate": ("min_rate_mbps", 2**32 - 1),
    "dcqcn_T": ("time_reset_us", 131_071),
    "dcqcn_B": ("byte_reset_bytes", 2**32 - 1),
    "dcqcn_rreduce_mperiod": ("rate_reduce_period_us", 131_071),
}


def _flag(note: Note[bool]) -> Callable[[NicSettings, str, At], None]:
    return lambda nic, text, at: nic.set(note, one_of(text, _FLAG), at)


def _number(note: Note[int], high: int) -> Callable[[NicSettings, str, At], None]:
    return lambda nic, text, at: nic.set(note, whole(text, 0, high), at)


_PARAMETERS = {
    "roce_ena": Line("roce_ena", (MODULE_ROCE,), _flag(MODULE_ROCE)),
    "roce_port_cfg": Line("roce_port_cfg", (MODULE_PORTS,), _number(MODULE_PORTS, 2**32 - 1)),
    "dcqcn_enable": Line("dcqcn_enable", (MODULE_DCQCN,), _flag(MODULE_DCQCN)),
    "dcqcn_cc_cfg_valid": Line("dcqcn_cc_cfg_valid", (MODULE_VALID,), _flag(MODULE_VALID)),
} | {name: Line(name, (PARAMETER[path],), _number(PARAMETER[path], high)) for name, (path, high) in _NUMBERS.items()}
NUMBERS = tuple(path for path, _ in _NUMBERS.values())

PARAMETERS = Tool(
    name="irdma parameters",
    files=r"/sys/module/irdma/parameters/\w+",
    read_file=_parameter,
    lines=tuple(_PARAMETERS.values()),
)

TOOLS = (FLAGS, _CONTROL, PARAMETERS)
