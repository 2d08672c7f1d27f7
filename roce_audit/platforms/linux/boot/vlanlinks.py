"""VLANs of a file of netplan, and what they are made above: one with a larger MTU than that, and one of several like ones with a small
MTU.

Sources: Linux, net/8021q/vlan_dev.c (vlan_dev_change_mtu: not above the MTU of the device below); netplan reference (vlans, link, mtu).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.linux.env import place
from roce_audit.platforms.shared.host.answers import Answer
from roce_audit.platforms.shared.host.collector import noticed
from roce_audit.text.sentences import listed
from roce_audit.text.series import series
from roce_audit.text.structured.yamltext import YamlError, documents

_BELOW = ("ethernets", "bonds", "bridges", "vlans")
_NAMED = 4
_NEEDED_BYTES = 4_192
"""The MTU of a network device with which its RDMA path MTU is 4,096 (Linux, include/rdma/ib_addr.h, iboe_get_mtu)."""


def tell(answer: Answer) -> None:
    """Say which VLANs of the file cannot carry what they are to carry, or carry less than those like them."""
    if "vlans" not in answer.document.text:
        return
    try:
        found = documents(answer.document.text, first_line=answer.document.first_line, merge_keys=False)
    except YamlError:  # told where the file is read
        return
    for document in found:
        value = document.value if isinstance(document.value, dict) else {}
        way = ("network",) if isinstance(value.get("network"), dict) else ()
        network = value["network"] if way else value
        for kind, name, meaning in (*_above(network), *_uneven(network)):
            line = document.nearest_line_of((*way, kind, name, "mtu"))
            answer.collector.seen.append(noticed("conflict", place(answer, line), f"mtu of {name}", meaning))


def _of(network: Mapping[Any, Any], *kinds: str) -> Mapping[str, Mapping[str, Any]]:
    """Name -> what is said of it, of all interfaces of these kinds."""
    listed = [network.get(kind) for kind in kinds]
    return {
        str(name): its for one in listed if isinstance(one, dict) for name, its in one.items() if isinstance(its, dict)
    }


def _mtu(its: Mapping[str, Any] | None) -> int | None:
    mtu = its.get("mtu") if its is not None else None
    return mtu if isinstance(mtu, int) else None


def _above(network: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    """(kind, interface, what is wrong) of VLANs that are to carry more than what they are made above: where all of one are, it is the
    odd one."""
    kind_of = {name: kind for kind in _BELOW for name in _of(network, kind)}
    below = _of(network, *_BELOW)
    vlans: dict[str, dict[str, int]] = {}
    for name, its in _of(network, "vlans").items():
        if (mtu := _mtu(its)) is not None:
            vlans.setdefault(str(its.get("link")), {})[name] = mtu
    for link, mtus in vlans.items():
        theirs = _mtu(below.get(link))
        above = [name for name, mtu in mtus.items() if theirs is not None and mtu > theirs]
        if theirs is None or not above:
            continue
        several = len(above) > 1 and len(above) == len(mtus)
        for name in above[:1] if several else above:
            mine = f"{listed(above, _NAMED)} are" if several else f"{name} is"
            words = (
                f"{mine} to get an MTU of {mtus[name]:,} B, and {link}, which {'they are' if several else 'it is'} made above, has "
                f"{theirs:,} B: the kernel refuses more"
            )
            yield (kind_of[link], link, words) if several else ("vlans", name, words)


def _uneven(network: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    """The one of several VLANs above one interface, named alike for a purpose of their own, whose packets are small."""
    by_link: dict[str, dict[str, int]] = {}
    for name, its in _of(network, "vlans").items():
        link, mtu = str(its.get("link")), _mtu(its)
        if mtu is not None and not name.startswith(f"{link}."):  # such names say nothing of what a VLAN is for
            by_link.setdefault(link, {})[name] = mtu
    for link, mtus in by_link.items():
        for names in series(mtus):
            small = [name for name in names if mtus[name] < _NEEDED_BYTES]
            large = [name for name in names if mtus[name] >= _NEEDED_BYTES]
            if len(small) == 1 and large:
                name = small[0]
                words = (
                    f"{name} gets an MTU of {mtus[name]:,} B, and {large[0]} beside it on {link} {mtus[large[0]]:,} B: a path MTU of 4,096 "
                    f"needs {_NEEDED_BYTES:,} B"
                )
                yield "vlans", name, words
