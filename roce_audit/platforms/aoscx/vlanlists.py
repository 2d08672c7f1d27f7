"""Access lists of VLANs: `apply access-list ip X in` below `vlan N`, which meets all that enters the VLAN.

AOS-CX 10.04 ACLs and Classifier Policies Guide, ACL application: by port, LAG and VLAN; what no entry takes is denied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.cli.vlandrops import VlanDrop
from roce_audit.text.acl import ROCE_UDP_PORT, drops_roce
from roce_audit.text.document import Document
from roce_audit.text.names import vlan_numbers
from roce_audit.values import Place

_APPLIES = "apply access-list ip "
_BOUND = lazy(r"apply access-list ip (\S{1,64}) (?:in|out)")
_LIST = lazy(r"access-list ip (\S{1,64})")
_VLAN = lazy(r"vlan ([\d,-]{1,400})")


def vlan_drops(documents: Iterable[Document], drops_rest: bool) -> Iterator[VlanDrop]:
    """The lists that drop every RoCEv2 packet, each with the VLANs that it is applied to.

    `drops_rest`: all lines of the lists are there, so that what none of them takes is denied.
    """
    lists: dict[str, list[tuple[str, Place]]] = defaultdict(list)
    bound: dict[tuple[str, Place], frozenset[int]] = {}
    for document in documents:
        _read(document, lists, bound)
    for (name, binds), vlans in bound.items():
        lines = lists.get(name, [])
        dropped, number = drops_roce([text for text, _ in lines], drops_rest)
        if dropped and lines:
            named = any(f" {ROCE_UDP_PORT}" in text for text, _ in lines)
            yield VlanDrop(f"access-list {name}", f"access-list ip {name}", lines[number][1], binds, named, vlans)


def _read(
    document: Document,
    lists: dict[str, list[tuple[str, Place]]],
    bound: dict[tuple[str, Place], frozenset[int]],
) -> None:
    if _APPLIES not in document.text:
        return
    lines: list[tuple[str, Place]] | None = None
    vlans: set[int] = set()
    for index, raw in enumerate(document.text.split("\n")):
        text, place = " ".join(raw.split()), Place(document.path, document.line(index))
        head, of_vlan, binds = _LIST.fullmatch(text), _VLAN.fullmatch(text), _BOUND.fullmatch(text)
        if raw[:1] not in (" ", "\t"):
            lines = None if head is None else lists[head[1]]
            vlans = set() if of_vlan is None else vlan_numbers(of_vlan[1])
        elif lines is not None:
            lines.append((text, place))
        elif vlans and binds is not None:
            bound[binds[1], place] = frozenset(vlans)
