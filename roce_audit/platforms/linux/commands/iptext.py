"""What `ip link` and `ip addr` print as text, as the list that `ip -j` gives.

Source: iproute2, ip/ipaddress.c (print_linkinfo), ip/iplink_vlan.c, ip/iplink_bond.c.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from roce_audit.records import dataclass
from roce_audit.text.structured.positions import Path

HEADER = r"[0-9]{1,6}: [^\s:@]{1,15}(?:@[^\s:]{1,15})?: <[A-Z0-9_,-]{0,200}> mtu [0-9]{1,6} "
_HEADER = re.compile(
    r"[0-9]{1,6}: (?P<name>[^\s:@]{1,15})(?:@(?P<link>[^\s:]{1,15}))?: <(?P<flags>[A-Z0-9_,-]{0,200})> mtu (?P<mtu>\S{1,9})(?P<rest>.*)"
)
_WORD = re.compile(r"\s{1,9}(master|permaddr|parentbus|parentdev) (\S{1,60})")
_LINK = re.compile(r"link/(\S{1,30})(?: (\S{1,60}))?(.*)")
_INET = re.compile(r"inet6? ([0-9a-f.:]{2,45})(?:/([0-9]{1,3}))? .*?scope (\w{1,12})")
_MODE = re.compile(r"bond mode (\S{1,20})")
_VLAN = re.compile(r"vlan protocol \S{1,12} id ([0-9]{1,4})\b")
_KIND = re.compile(r"([a-z][a-z0-9_]{1,15})(?:\s|$)")
_NOT_KINDS = ("altname", "vf", "valid_lft", "inet", "inet6", "prog", "promiscuity")


@dataclass(frozen=True)
class Listing:
    """The devices as `ip -j` would list them, and where each is said."""

    value: list[dict[str, Any]]
    lines: dict[tuple[int, str], int]

    def line_of(self, path: Path) -> int:
        """The line of what stands at `path`; of its device where that has none of its own."""
        index = path[0]
        assert isinstance(index, int)
        return self.lines.get((index, str(path[1])) if len(path) > 1 else (index, ""), self.lines[(index, "")])


def listing(lines: Iterable[tuple[int, str]]) -> tuple[Listing, list[tuple[int, str]]]:
    """(the devices, lines that begin no device and belong to none)."""
    found = Listing([], {})
    odd: list[tuple[int, str]] = []
    for number, text in lines:
        header = _HEADER.fullmatch(text)
        if header is not None:
            item: dict[str, Any] = {"ifname": header["name"], "flags": header["flags"].split(","), "mtu": header["mtu"]}
            item.update(_WORD.findall(header["rest"]))
            if header["link"] is not None:
                item["link"] = header["link"]
            found.lines[(len(found.value), "")] = number
            found.value.append(item)
        elif text[:1].isspace() and found.value:
            _detail(found, len(found.value) - 1, number, text.strip())
        else:
            odd.append((number, text))
    return found, odd


def _detail(found: Listing, index: int, number: int, text: str) -> None:
    """A line below that of the device."""
    item = found.value[index]
    link = _LINK.match(text)
    inet = _INET.match(text)
    if link is not None:
        item["link_type"], item["address"] = link[1], link[2]
        item.update(_WORD.findall(link[3]))
        item["is_detailed"] = "promiscuity" in link[3]
    elif inet is not None:
        item.setdefault("addr_info", []).append({"local": inet[1], "prefixlen": inet[2] or "", "scope": inet[3]})
    elif text.startswith("alias "):
        item["ifalias"] = text.removeprefix("alias ")
        found.lines[(index, "ifalias")] = number
    elif text.startswith(("bond_slave ", "team_slave ")):
        item.setdefault("linkinfo", {})["info_slave_kind"] = text.partition("_")[0]
    elif (kind := _KIND.match(text)) is not None and kind[1] not in _NOT_KINDS and item.get("is_detailed"):
        info = item.setdefault("linkinfo", {})
        info.setdefault("info_kind", kind[1])
        found.lines.setdefault((index, "linkinfo"), number)
        mode, vlan = _MODE.match(text), _VLAN.match(text)
        if mode is not None:
            info["info_data"] = {"mode": mode[1]}
        elif vlan is not None:
            info["info_data"] = {"id": int(vlan[1])}
