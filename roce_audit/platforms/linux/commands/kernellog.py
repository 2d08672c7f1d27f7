"""What drivers of NICs wrote into the kernel's log (`dmesg`, `journalctl -k`): modules and firmware that fail, links that come and go.

Links that are lost, packets that are not sent in time and errors of PCIe (pcie/aer.c) are told in like words by all drivers of Linux; what
only one of them says stands in its family's folder. The log begins at the start of the host, and may have lost its beginning.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from roce_audit.model.counts import Gauge
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = lazy(r"(?:dmesg|journalctl -k)(?: .{0,120})?")
_DRIVER = lazy(r"[a-z]\w{1,15} ([0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(?: ([A-Za-z][\w.-]{0,14}))?: (\S.{0,200})")
_OF_ALL = {
    r"(TX timeout detected)\b.*": "packets were not sent in time ({})",
    r"PCIe Bus Error: severity=(Uncorrect(?:ed|able) \(.{5,10}\)).*": "an error of PCIe was not corrected ({})",
}
_DOWN = lazy(r"(?:NIC )?Link (?:is )?[Dd]own\b.{0,40}")
_MOST_DOWNS = 4
"""Losses of a link that are put up with: drivers and switches are started anew (source: unverified)."""


def gauges(document: Document) -> Iterator[Gauge]:
    """What the log says of each NIC, once each, and links that were lost more often than is put up with, at the last loss."""
    if _COMMAND.fullmatch(document.command or "") is None:
        return
    told: set[tuple[str, str]] = set()
    downs: dict[str, list[Place]] = defaultdict(list)
    for place, text in lines(document):
        found = _DRIVER.search(text[:400])
        if found is None:
            continue
        address, port, message = found[1], found[2] or found[1], found[3].rstrip()
        if _DOWN.fullmatch(message):
            downs[port].append(place)
            continue
        for pattern, words in _ailing():
            ailing = pattern.fullmatch(message)
            if ailing is not None and (address, words) not in told:
                told.add((address, words))
                yield Gauge(address, "module", 1.0, place, words.format(ailing[1]))
    for port, places in downs.items():
        if len(places) > _MOST_DOWNS:
            yield Gauge(
                port, "module", len(places), places[-1], f"the kernel's log has {len(places)} losses of the link"
            )


@cache
def _ailing() -> tuple[tuple[re.Pattern[str], str], ...]:
    from roce_audit.platforms.shared.host.tools import (
        host_parts,
    )  # the drivers of all platforms: only where there is such a log

    words = {pattern: said for part in host_parts() for pattern, said in part.log.items()}
    return tuple((re.compile(pattern), said) for pattern, said in (_OF_ALL | words).items())
