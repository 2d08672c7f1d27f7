"""Access lists that are applied to VLANs, and meet all that enters them; what no entry takes is denied."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from roce_audit.platforms.shared.cli.vlandrops import VlanDrop
from roce_audit.text.acl import ROCE_UDP_PORT, drops_roce
from roce_audit.text.document import Document
from roce_audit.text.names import vlan_numbers
from roce_audit.values import Place

_Lists = dict[str, list[tuple[str, Place]]]


class VlanLists(NamedTuple):
    """How a platform writes them."""

    applies: str
    """The words that apply a list, without which a text holds nothing of these."""
    defines: str
    """The words before the name of a list, where it is defined."""
    bound: re.Pattern[str]
    """A statement that applies a list, with its name."""
    vlan: re.Pattern[str]
    """The header of the VLANs that it is applied to, with their numbers."""

    def drops(self, documents: Iterable[Document], drops_rest: bool) -> Iterator[VlanDrop]:
        """The lists that drop every RoCEv2 packet, each with the VLANs that it is applied to.

        `drops_rest`: all lines of the lists are there, so that what none of them takes is denied.
        """
        lists: _Lists = defaultdict(list)
        bound: dict[tuple[str, Place], frozenset[int]] = {}
        for document in documents:
            if self.applies in document.text:
                self._read(document, lists, bound)
        for (name, binds), vlans in bound.items():
            lines = lists.get(name, [])
            dropped, number = drops_roce([text for text, _ in lines], drops_rest)
            if dropped and lines:
                named = any(f" {ROCE_UDP_PORT}" in text for text, _ in lines)
                yield VlanDrop(f"access-list {name}", f"{self.defines} {name}", lines[number][1], binds, named, vlans)

    def _read(self, document: Document, lists: _Lists, bound: dict[tuple[str, Place], frozenset[int]]) -> None:
        lines: list[tuple[str, Place]] | None = None
        vlans: set[int] = set()
        for index, raw in enumerate(document.text.split("\n")):
            text, place = " ".join(raw.split()), Place(document.path, document.line(index))
            if raw[:1] not in (" ", "\t"):
                of_vlan = self.vlan.fullmatch(text)
                before, defined, name = text.partition(f"{self.defines} ")
                lines = lists[name] if defined and not before else None
                vlans = set() if of_vlan is None else vlan_numbers(of_vlan[1])
            elif lines is not None:
                lines.append((text, place))
            elif vlans and (binds := self.bound.fullmatch(text)) is not None:
                bound[binds[1], place] = frozenset(vlans)
