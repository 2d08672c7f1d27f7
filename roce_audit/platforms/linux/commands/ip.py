"""`ip -j link|addr|route show`: which network devices there are, their MTU, what they are, and where the default route leaves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from roce_audit.model.port import BondMode
from roce_audit.platforms.linux.commands.iptext import HEADER, Listing, listing
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import HOST, Nic, Subject
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import ALL_ROUTES_LISTED, ALL_TABLES_LISTED, DEFAULT_ROUTE, GATEWAY
from roce_audit.platforms.shared.host.own import Own
from roce_audit.platforms.shared.host.words import LARGEST_MTU, PLAIN, choice, integer, not_understood, one_of
from roce_audit.text.document import Document
from roce_audit.text.structured.jsontext import JsonText
from roce_audit.values import At

# fmt: off
_SOFTWARE = frozenset({
    "bridge", "dummy", "ifb", "veth", "tun", "macvlan", "macvtap", "ipvlan", "vxlan", "geneve", "gre", "gretap",
    "erspan", "ipip", "sit", "wireguard", "vrf", "ipoib", "nlmon", "netdevsim", "xfrm", "vti", "bareudp",
    "ip6tnl", "ip6gre", "ip6gretap", "openvswitch",
})
# fmt: on
_KINDS = {
    "physical": "ethernet",
    "bond": "lag",
    "team": "lag",
    "vlan": "subinterface",
    "infiniband": "infiniband",
    "virtual-function": "virtual-function",
    "loopback": "loopback",
    "tunnel": "tunnel",
    "software": "other",
}
_MODES = {mode: mode for mode in get_args(BondMode)}
_TUNNELS = frozenset(
    {
        "none",
        "void",
        "sit",
        "ipip",
        "gre",
        "gre6",
        "tunnel",
        "tunnel6",
        "ppp",
        "can",
        "netlink",
        "rawip",
        "[65534]",
        "[519]",
    }
)
"""Link types without an Ethernet header (iproute2, ll_types)."""
_BY_NAME = re.compile(r"lo$|docker|veth|virbr|br-|cni|cali|flannel|tun|tap|dummy|vxlan|lxc|kube|nodelocaldns|cilium")
"""Names of software devices, where the answer does not say what a device is."""
_AS_TEXT = r"-(?:d(?:etails?)?|s(?:tat(?:istic)?s)?|[46]|h(?:uman)?|c(?:olor)?(?:=\w{1,8})?)"
"""Options of `ip` that leave its text as it is."""
_REPRESENTOR = re.compile(r"(?:c\d+)?pf\d+(?:vf|sf)\d+")


def _objects(answer: Answer) -> list[tuple[int, Mapping[str, Any]]]:
    """The listed objects with their index; anything else in the list is unread."""
    found = answer.json()
    if found is None:
        return []
    if not isinstance(found.value, list):
        answer.unread(answer.document.first_line, "a list was expected")
        return []
    return [(i, item) for i, item in enumerate(found.value) if isinstance(item, dict) and item]


_OWN = re.compile(
    r'("(?:(?:perm)?addr(?:ess)?": ?"(?=[0-9a-f]{2}(?::[0-9a-f]{2}){5}")|local": ?"(?=[0-9a-f.:]{2,45}")'
    r'|phys_switch_id": ?"(?=[0-9a-f]{2,64}")))([0-9a-f.:]+)'
)
_OWN_TEXT = re.compile(r"((?:link/ether|permaddr) )([0-9a-f]{2}(?::[0-9a-f]{2}){5})")
_FLAT = r"(?:[^\[\]\"\\\n]++|\"[\w .:/-]{0,64}\")*+"
_FUNCTIONS = re.compile(rf'"vfinfo_list": ?\[{_FLAT}(?:\[{_FLAT}\]{_FLAT})*+\]')
"""The virtual functions of a NIC, each with its lists of VLANs."""


def _plain(document: Document, own: Own) -> str:
    """With what stands for the addresses, of which nobody reads more than that there are any; without virtual functions, of
    which nobody reads anything."""

    def stands(found: re.Match[str]) -> str:
        key, value = found.groups()
        if key.startswith('"phys'):
            return f"{key}0"
        return key + (own.address(value) if key.startswith('"local') else own.mac(value))

    text = document.text
    if not text.lstrip().startswith(("[", "{")):
        return _OWN_TEXT.sub(lambda found: found[1] + own.mac(found[2]), text)
    return _OWN.sub(stands, _FUNCTIONS.sub('"vfinfo_list": []', text))


def _found(answer: Answer) -> JsonText | Listing | None:
    """The devices, as JSON or text."""
    if answer.document.text.lstrip().startswith(("[", "{")):
        return answer.json()
    found, odd = listing(answer.lines())
    for number, text in odd:
        answer.unread(number, text)
    return found


def _links(answer: Answer) -> None:
    found = _found(answer)
    if found is None or not isinstance(found.value, list):
        return
    links = [(i, item) for i, item in enumerate(found.value) if isinstance(item, dict) and item]
    knows_buses = any("parentdev" in item for _, item in links)
    bonds = {
        item.get("ifname"): (index, _info(item)) for index, item in links if _info(item).get("info_kind") == "bond"
    }
    for index, item in links:
        name = item.get("ifname")
        if not isinstance(name, str) or not name:
            answer.unread(found.line_of((index,)), "a network device without a name")
            continue
        kind = _kind(item, knows_buses)
        nic = answer.collector.nic(name)
        is_brief = isinstance(found, Listing) and not item.get("is_detailed") and _BY_NAME.match(name) is not None
        nic.hidden = kind in ("software", "loopback", "tunnel") or is_brief
        nic.representor = _is_representor(item)
        info = _info(item)
        if kind in ("physical", ""):
            answer.collector.has_mac(name, item.get("permaddr", item.get("address")))
            answer.collector.has_mac(name, item.get("address"))
        about: Subject = ("net", name)
        if kind:
            answer.say(f"kind {kind}", _line(found, index, item, "linkinfo" if info else "link_type"), about)
        if item.get("parentbus") == "pci" and isinstance(item.get("parentdev"), str):
            answer.collector.at_pci(name, item["parentdev"])
        if info.get("info_slave_kind") in ("bond", "team") and isinstance(item.get("master"), str):
            nic.lag = item["master"]
            if item["master"] in bonds:
                _bond_mode(answer, found, about, *bonds[item["master"]])
        if isinstance(item.get("ifalias"), str):
            nic.description = item["ifalias"]
        data = info.get("info_data")
        if info.get("info_kind") == "bond" and isinstance(data, dict):
            nic.bond_mode = str(data.get("mode", ""))
        nic.mtu = item["mtu"] if isinstance(item.get("mtu"), int) else 0
        if info.get("info_kind") == "vlan" and isinstance(data, dict) and isinstance(data.get("id"), int):
            nic.vlans.add(data["id"])
            if isinstance(item.get("link"), str) and "UP" in (item.get("flags") or ()):
                answer.collector.tagged[item["link"]].add(data["id"])
        answer.say(f"mtu {item.get('mtu')}", _line(found, index, item, "mtu"), about)
        flags = item.get("flags")
        if isinstance(flags, list):
            line = _line(found, index, item, "flags")
            if "NO-CARRIER" in flags:
                answer.collector.has_no_link(("net", name), answer.document, line)
            answer.say("admin up" if "UP" in flags else "admin down", line, about)
        if isinstance(found, Listing) and not nic.hidden:
            _take_addresses(nic, item.get("addr_info", ()))


def _info(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """What sort of software device it is."""
    info = item.get("linkinfo")
    return info if isinstance(info, dict) else {}


def _bond_mode(answer: Answer, found: JsonText | Listing, member: Subject, index: int, info: Mapping[str, Any]) -> None:
    data = info.get("info_data")
    if isinstance(data, dict) and "mode" in data:
        line = found.line_of((index, "linkinfo", "info_data", "mode"))
        answer.say(f"bond_mode {data['mode']}", line, member)


def _line(found: JsonText | Listing, index: int, item: Mapping[str, Any], key: str) -> int:
    return found.line_of((index, key) if key in item else (index,))


def _kind(item: Mapping[str, Any], knows_buses: bool) -> str:
    """What sort of device this is; empty where the answer does not tell."""
    info = item.get("linkinfo")
    kind = info.get("info_kind") if isinstance(info, dict) else None
    link_type = item.get("link_type")
    if link_type == "loopback":
        return "loopback"
    if link_type == "infiniband":
        return "infiniband"
    if _is_representor(item):
        return "virtual-function"
    if kind in ("bond", "team", "vlan"):
        return str(kind)
    if kind in _SOFTWARE:
        return "software"
    if link_type in _TUNNELS:
        return "tunnel"
    if link_type != "ether":
        return f"of link type {link_type}" if link_type is not None else ""
    if "parentdev" in item:
        return "physical"
    return "software" if knows_buses and kind is None else ""


def _is_representor(item: Mapping[str, Any]) -> bool:
    name = item.get("phys_port_name")
    return isinstance(name, str) and _REPRESENTOR.fullmatch(name) is not None


def _kind_said(nic: NicSettings, text: str, at: At) -> None:
    kind = one_of(text, _KINDS)
    if text == "physical":
        nic.set_fallback("kind", kind, at)  # a virtual function sits on the PCI bus as well; sysfs knows better
    else:
        nic.set("kind", kind, at)


def _bond_mode_said(nic: NicSettings, text: str, at: At) -> None:
    """Of the modes that spread traffic, 802.3ad runs LACP and begins to speak itself; the others need no protocol."""
    nic.set("nic.bond_mode", one_of(text, _MODES), at)
    if text in ("802.3ad", "balance-rr", "balance-xor", "broadcast"):
        nic.set("lacp", "active" if text == "802.3ad" else "static", at)


LINK = Tool(
    name="ip link",
    introduces=0,
    asks=True,
    split=_links,
    plain=_plain,
    commands=r"ip (?:-(?!j(?:son)? )\S+ )*+-j(?:son)?(?: -\S+)*+ l(?:ink)?(?: show| list| ls)?"
    rf"|ip (?:{_AS_TEXT} )*(?:l(?:ink)?|a(?:ddr(?:ess)?)?)(?: show| list| ls)?(?: dev)?(?: [A-Za-z0-9_][A-Za-z0-9_.-]{{0,14}})?",
    signature=rf'\A\s*\[\s*\{{\s*"ifindex":[\s\S]{{0,400}}"mtu":[\s\S]{{0,400}}"link_type":|\A{HEADER}',
    lines=(
        Line("kind", ("kind",), _kind_said),
        sets("mtu", "ip_mtu_bytes", integer(68, LARGEST_MTU)),
        Line("bond_mode", ("nic.bond_mode", "lacp"), _bond_mode_said),
        sets("admin", "admin_up", choice({"up": True, "down": False})),
    ),
    covers=("kind", "ip_mtu_bytes", "admin_up", "nic.bond_mode", "lacp"),
)


def _addresses(answer: Answer) -> None:
    for _, item in _objects(answer):
        name, addresses = item.get("ifname"), item.get("addr_info")
        if not isinstance(name, str) or not isinstance(addresses, list):
            continue
        nic = answer.collector.nic(name)
        if nic.hidden:
            continue
        _take_addresses(nic, addresses)


def _take_addresses(nic: Nic, addresses: Iterable[Any]) -> None:
    for entry in addresses:
        if isinstance(entry, dict) and entry.get("scope") != "link" and isinstance(entry.get("local"), str):
            nic.addresses.append(f"{entry['local']}/{entry.get('prefixlen', '')}".rstrip("/"))


ADDRESS = Tool(
    name="ip addr",
    asks=True,
    split=_addresses,
    plain=_plain,
    commands=r"ip (?:-(?!j(?:son)? )\S+ )*+-j(?:son)?(?: -\S+)*+ a(?:ddr(?:ess)?)?(?: show| list| ls)?",
    signature=r'\A\s*\[\s*\{\s*"ifindex":[\s\S]{0,2000}"addr_info":',
)

_ROUTE_WORDS = frozenset(
    {"via", "dev", "proto", "metric", "src", "scope", "mtu", "advmss", "pref", "table", "nhid", "weight"}
)
_ROUTE_VALUE = re.compile(r"[A-Za-z0-9_.:/@-]{1,64}")
_ROUTE_TYPES = frozenset(
    {"unreachable", "blackhole", "prohibit", "local", "broadcast", "multicast", "anycast", "throw"}
)
_ROUTE_FLAGS = frozenset({"onlink", "linkdown", "dead"})


def _routes(answer: Answer) -> None:
    text = answer.document.text.lstrip()
    if text.startswith(("[", "{")):
        found = answer.json()
        if found is None or not isinstance(found.value, list):
            return
        for index, item in enumerate(found.value):
            if not isinstance(item, dict):
                continue
            if isinstance(item.get("gateway"), str) and isinstance(item.get("dev"), str):
                answer.say("gateway", found.line_of((index,)), ("net", item["dev"]))
            for hop in item.get("nexthops") or () if isinstance(item.get("nexthops"), list) else ():
                if isinstance(hop, dict) and isinstance(hop.get("gateway"), str) and isinstance(hop.get("dev"), str):
                    answer.say("gateway", found.line_of((index,)), ("net", hop["dev"]))
            if item.get("dst") != "default":
                continue
            if item.get("table") in (None, "main", 254) and isinstance(item.get("dev"), str):
                answer.say("default route", found.line_of((index,)), ("net", item["dev"]))
    else:
        for number, line in answer.lines():
            _text_route(answer, number, line)
    if not answer.document.truncated:
        answer.say("all routes", answer.document.first_line, HOST)
        if (answer.document.command or "").endswith(" table all") and answer.document.text.strip() not in ("", "[]"):
            answer.say("all tables", answer.document.first_line, HOST)


def _text_route(answer: Answer, number: int, line: str) -> None:
    kind, *rest = line.split()
    words = iter(rest[1:] if kind in _ROUTE_TYPES else rest)
    attributes: dict[str, str] = {}
    for word in words:
        if word in _ROUTE_WORDS:
            attributes[word] = next(words, "")
            if not _ROUTE_VALUE.fullmatch(attributes[word]):
                answer.say("not understood", number, HOST)
                return
        elif word not in _ROUTE_FLAGS:
            answer.say("not understood", number, HOST)
            return
    if attributes.get("via") and attributes.get("dev"):
        answer.say("gateway", number, ("net", attributes["dev"]))
    if kind == "default" and attributes.get("table") in (None, "main") and attributes.get("dev"):
        answer.say("default route", number, ("net", attributes["dev"]))


ROUTE = Tool(
    name="ip route",
    split=_routes,
    commands=r"ip (?:-\S+ )*r(?:oute)?(?: (?:show|list|ls))?(?: table (?:all|main))?",
    lines=(
        sets("default route", DEFAULT_ROUTE, PLAIN, "nic.default_route"),
        sets("gateway", GATEWAY, PLAIN, "nic.routed"),
        sets("all tables", ALL_TABLES_LISTED, PLAIN, "nic.routed"),
        sets("all routes", ALL_ROUTES_LISTED, PLAIN, "nic.default_route"),
        Line("not understood", ("nic.routed", "nic.default_route", ALL_ROUTES_LISTED, DEFAULT_ROUTE), not_understood),
    ),
    covers=("nic.default_route",),
)
