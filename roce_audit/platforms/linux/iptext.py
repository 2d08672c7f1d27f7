"""`ip link` and `ip addr` as people read them: the MTU of a device, whether it is up, and its addresses.

What sort of device it is they hardly tell, so they speak only of devices that another answer knows as NICs.
"""

from __future__ import annotations

import re

from roce_audit.platforms.shared.host.answers import Answer, Tool, sets
from roce_audit.platforms.shared.host.words import choice, integer

_HEADER = re.compile(r"[0-9]{1,9}: ([^\s:@]{1,15})(?:@\S{1,40})?: <([A-Z0-9_,-]{0,400})> mtu ([0-9]{1,9})\b")
_ADDRESS = re.compile(r"\s{1,9}inet6? ([0-9a-fA-F.:]{2,45}/[0-9]{1,3}) (?:.{0,300} )?scope (\w{1,20})")


def _devices(answer: Answer) -> None:
    said: list[tuple[str, str, int]] = []
    addresses: list[tuple[str, str]] = []
    name = ""
    for number, text in answer.lines():
        header = _HEADER.match(text)
        if header is not None:
            name, flags, mtu = header.groups()
            said.append((name, f"mtu {mtu}", number))
            said.append((name, "admin up" if "UP" in flags.split(",") else "admin down", number))
            continue
        address = _ADDRESS.match(text)
        if address is not None and name and address.group(2) != "link":
            addresses.append((name, address.group(1)))

    def say() -> None:
        nics = answer.collector.nics
        for netdev, statement, number in said:
            if netdev in nics:
                answer.say(statement, number, ("net", netdev))
        for netdev, address in addresses:
            if netdev in nics and address not in nics[netdev].addresses:
                nics[netdev].addresses.append(address)

    answer.collector.at_end.append(say)


TEXT = Tool(
    name="ip text",
    asks=True,
    split=_devices,
    commands=r"ip (?:-(?:d|details|s|statistics|c|color(?:=\w{1,9})?|4|6) ){0,6}+(?:l(?:ink)?|a(?:ddr(?:ess)?)?)(?: (?:show|list|ls))?"
    r"(?: dev)?(?: (?!show|list|ls|dev)[\w.-]{1,15})?(?: up)?",
    lines=(
        sets("mtu", "ip_mtu_bytes", integer(68, 65536), fallback=True),
        sets("admin", "admin_up", choice({"up": True, "down": False}), fallback=True),
    ),
    complete=False,
)
