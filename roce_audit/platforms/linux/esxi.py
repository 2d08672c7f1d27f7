"""ESXi: `esxcli network nic dcb status get -n vmnicN`, what DCB runs on an adapter.

Source: Broadcom knowledge base 326624 (vSAN, RDMA configuration health), and what administrators show of it.
"""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host.answers import Answer, Line, Tool
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.words import one_of
from roce_audit.values import At

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_BITS = {"0": False, "1": True}
_READ = ("Nic Name", "PFC Enabled", "PFC Configuration", "Willing Bit In ETS Config TLV")


def _split(answer: Answer) -> None:
    """`   PFC Configuration: 0 0 0 1 0 0 0 0` below `   Nic Name: vmnic4`; where PFC is off, its priorities are none."""
    is_on, about = True, answer.subject
    for number, line in answer.lines():
        key, _, value = line.strip().partition(": ")
        if key not in _READ:
            continue
        if key == "Nic Name":
            about = ("net", value) if _NAME.fullmatch(value) else None
            continue
        if key == "PFC Enabled":
            is_on = value != "false"
            continue
        if key == "PFC Configuration" and not is_on:
            value = " ".join("0" * 8)
        answer.say(f"{key.replace(' ', '_')} {value}", number, about)


def _priorities(nic: NicSettings, text: str, at: At) -> None:
    bits = [one_of(word, _BITS) for word in text.split(" ")]
    if len(bits) != len(_BITS) * 4:
        raise ValueError(text)
    nic.set("pfc.priorities", frozenset(number for number, bit in enumerate(bits) if bit), at)


def _willing(nic: NicSettings, text: str, at: At) -> None:
    nic.set("dcbx.willing", one_of(text, _BITS), at)


DCB = Tool(
    name="esxcli dcb",
    split=_split,
    commands=r"esxcli network nic dcb status get (?:-n|--nic-name)[ =]?(?P<net>\S+)",
    signature=r"^ *Nic Name: \S{1,64}\n(?:[^\n]{0,80}\n){1,12}? *PFC Configuration: ",
    words=("PFC Configuration: ",),
    lines=(
        Line("PFC_Configuration", ("pfc.priorities",), _priorities),
        Line("Willing_Bit_In_ETS_Config_TLV", ("dcbx.willing",), _willing),
    ),
    covers=("pfc.priorities",),
)

TOOLS = (DCB,)
