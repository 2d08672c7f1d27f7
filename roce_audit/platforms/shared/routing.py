"""Routing tables as switches answer them in JSON: which ports packets to a prefix leave by. What cannot be read as JSON holds no route."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.platforms.base import RouteEntry
from roce_audit.text.document import Document
from roce_audit.text.structured import jsontext
from roce_audit.text.structured.positions import Path
from roce_audit.values import Place

Reader = Callable[[Document], Iterator[RouteEntry]]
_Found = Iterator[tuple[str, str, Path, list[dict[str, Any]]]]
"""VRF, prefix, where it stands, and its next hops."""
DEFAULT_VRF = "default"
_MOST = 500_000
"""Routes of one answer that are kept."""


def _reader(commands: str, walk: Callable[[Any], _Found], port: str, address: str) -> Reader:
    """A reader of the answers of some commands; `port` and `address` are the keys of a next hop."""
    pattern = lazy(commands, re.I)

    def read(document: Document) -> Iterator[RouteEntry]:
        if document.command is None:
            return
        if not pattern.fullmatch(" ".join(document.command.removeprefix("sudo ").split())):
            return
        try:
            text = jsontext.parse(document.text, first_line=document.first_line)
        except jsontext.JsonError:
            return
        for number, (vrf, prefix, path, hops) in enumerate(walk(text.value)):
            if number >= _MOST:
                return
            ports = tuple(hop[port] for hop in hops if isinstance(hop.get(port), str))
            further = (hop.get(address) for hop in hops if not isinstance(hop.get(port), str))
            addresses = tuple(hop for hop in further if isinstance(hop, str))
            if is_prefix(prefix) and (ports or addresses):
                place = Place(document.path, text.line_of(path))
                yield RouteEntry(prefix, ports, addresses, place, "" if vrf == DEFAULT_VRF else vrf)

    return read


def is_prefix(text: str) -> bool:
    """Whether a text is an address with the length of its network."""
    try:
        ipaddress.ip_network(text, strict=False)
    except ValueError:
        return False
    return "/" in text


def _objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list, or the one that stands in its place (NX-OS leaves the list out around one row)."""
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, dict)]


def _rows(value: Any, table: str, path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    rows = value.get(f"TABLE_{table}") if isinstance(value, dict) else None
    rows = rows.get(f"ROW_{table}") if isinstance(rows, dict) else None
    below: Path = (*path, f"TABLE_{table}", f"ROW_{table}")
    if isinstance(rows, dict):
        yield below, rows
    for number, row in enumerate(rows if isinstance(rows, list) else ()):
        if isinstance(row, dict):
            yield (*below, number), row


def _of_vrfs(value: Any) -> _Found:
    """`{"vrfs": {VRF: {"routes": {PREFIX: {"vias": [{"interface", "nexthopAddr"}]}}}}}` (NAPALM, get_route_to)."""
    vrfs = value.get("vrfs") if isinstance(value, dict) else None
    for vrf, inside in vrfs.items() if isinstance(vrfs, dict) else ():
        routes = inside.get("routes") if isinstance(inside, dict) else None
        for prefix, route in routes.items() if isinstance(routes, dict) else ():
            if isinstance(route, dict):
                yield vrf, prefix, ("vrfs", vrf, "routes", prefix), _objects(route.get("vias"))


def _of_rows(value: Any) -> _Found:
    """Tables in rows: vrf, addrf, prefix, path; the paths in use are marked `ubest` (answers of NX-OS published by Cisco)."""
    for at_vrf, vrf in _rows(value, "vrf", ()):
        for at_family, family in _rows(vrf, "addrf", at_vrf):
            for path, prefix in _rows(family, "prefix", at_family):
                hops = [hop for _, hop in _rows(prefix, "path", path)]
                used = [hop for hop in hops if str(hop.get("ubest", "true")).lower() == "true"]
                yield str(vrf.get("vrf-name-out", DEFAULT_VRF)), str(prefix.get("ipprefix", "")), path, used


def _of_prefixes(value: Any, *, of_a_vrf: bool = False) -> _Found:
    """`{PREFIX: [{"selected", "nexthops": [{"interfaceName", "ip", "fib"}]}]}` (FRR, zebra/zebra_vty.c); with all VRFs one level deeper."""
    for key, routes in value.items() if isinstance(value, dict) else ():
        if isinstance(routes, dict) and not of_a_vrf:
            inside = _of_prefixes(routes, of_a_vrf=True)
            yield from ((key, prefix, (key, *path), hops) for _, prefix, path, hops in inside)
        for number, route in enumerate(routes if isinstance(routes, list) else ()):
            if isinstance(route, dict) and route.get("selected"):
                hops = [hop for hop in _objects(route.get("nexthops")) if hop.get("fib")]
                yield str(route.get("vrfName", DEFAULT_VRF)), key, (key, number), hops


def _of_kernel(value: Any) -> _Found:
    """`[{"dst", "gateway", "dev", "nexthops": [{"gateway", "dev"}]}]` (iproute2, ip/iproute.c); a route of a type of its own drops."""
    for number, route in enumerate(value if isinstance(value, list) else ()):
        if isinstance(route, dict) and isinstance(route.get("dst"), str) and "type" not in route:
            hops = _objects(route["nexthops"]) if "nexthops" in route else [route]
            alive = [hop for hop in hops if not any(flag in str(hop.get("flags")) for flag in ("dead", "linkdown"))]
            prefix = _prefix(route["dst"], str(route.get("gateway") or route.get("prefsrc") or ""))
            yield str(route.get("vrf") or DEFAULT_VRF), prefix, (number,), alive


def _prefix(dst: str, beside: str) -> str:
    """A destination as a prefix: the kernel writes one address without a length, and all addresses as `default`."""
    if dst == "default":
        return "::/0" if ":" in beside else "0.0.0.0/0"
    return dst if "/" in dst else f"{dst}/{128 if ':' in dst else 32}"


def either(*readers: Reader) -> Reader:
    """A reader of what any of these read."""

    def read(document: Document) -> Iterator[RouteEntry]:
        for reader in readers:
            yield from reader(document)

    return read


_SHOW = r"sh(?:ow)? ip(?:v6)? route(?: vrf \S+)?"
by_vrf = _reader(rf"{_SHOW} ?\| ?json", _of_vrfs, "interface", "nexthopAddr")
by_row = _reader(rf"{_SHOW} ?\| ?json(?:-pretty)?(?: native)?", _of_rows, "ifname", "ipnexthop")
by_prefix = _reader(rf"(?:vtysh -c )?[\"']?{_SHOW} json[\"']?", _of_prefixes, "interfaceName", "ip")
by_kernel = _reader(
    r"ip (?:-(?!j(?:son)? )\S+ )*+-j(?:son)?(?: -\S+)*+ r(?:oute)?(?: (?:show|list|ls))?(?: table main)?",
    _of_kernel,
    "dev",
    "gateway",
)
