"""Modules out of bounds, of `show interface transceiver details`: measurements behind which stands the sign of an alarm (`--`, `++`).

Signs of warnings (`-`, `+`) are none: modules run there for years. Queues that are stuck, of `show queuing pfc-queue detail`: the watchdog
shut them more often than it restored them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.platforms.counting import lines
from roce_audit.platforms.nxos.reader import INTERFACES
from roce_audit.text.document import DeviceInput, Document

_COMMAND = re.compile(r"sh(?:ow)? int(?:erface)?(?: [^|]{1,40})? transceiver details?(?: ?\| ?no-more)?")
_PORT = re.compile(r"Ethernet\d{1,3}(?:/\d{1,3}){1,3}")
_LANE = re.compile(r"\s*Lane Number: ?(\d{1,2})\b.{0,40}")
_MEASURED = re.compile(
    r"\s*(Temperature|Voltage|Current|Tx Power|Rx Power)\s+(-?[0-9.]{1,12} (?:C|V|mA|dBm)) ?(--|\+\+)\s.{0,120}"
)
_QUEUES = re.compile(r"sh(?:ow)? queuing pfc-queue(?: (?!\|).{1,60})?")
_WATCHED = re.compile(r"(Eth\S{2,20}) Interface PFC watchdog ?:? ?\[.{1,40}")
_GROUP = re.compile(r"\|\s{0,8}QOS GROUP ([0-7])\b.{0,80}")
_SHUT = re.compile(r"\|\s{0,30}Shutdown\s{0,30}\|\s{0,40}([0-9]{1,20})\s{0,8}\|\s{0,8}")
_RESTORED = re.compile(r"\|\s{0,30}Restored\s{0,30}\|\s{0,40}([0-9]{1,20})\s{0,8}\|\s{0,8}")
_SIGNS = {"--": "low alarm", "++": "high alarm"}


def read(device: DeviceInput) -> Iterator[Gauge]:
    """What the modules of a switch say is wrong."""
    for document in device.documents:
        yield from _stuck(document) if _QUEUES.fullmatch(document.command or "") else ()
        port = lane = ""
        for place, text in lines(document) if _COMMAND.fullmatch(document.command or "") else ():
            head, of_lane, measured = _PORT.fullmatch(text.strip()), _LANE.fullmatch(text), _MEASURED.fullmatch(text)
            if head is not None:
                port, lane = INTERFACES.expand(head[0])[0], ""
            elif of_lane is not None:
                lane = f" of lane {of_lane[1]}"
            elif measured is not None and port:
                what, level, sign = measured.groups()
                yield Gauge(port, "module", 1.0, place, f"{what}{lane} is {level}: {_SIGNS[sign]}")


def _stuck(document: Document) -> Iterator[Gauge]:
    port = group = ""
    shut = 0
    for place, text in lines(document):
        head, of_group, times, restored = (one.fullmatch(text) for one in (_WATCHED, _GROUP, _SHUT, _RESTORED))
        if head is not None:
            port, group, shut = head[1], "", 0
        elif of_group is not None:
            group, shut = of_group[1], 0
        elif times is not None:
            shut, at = int(times[1]), place
        elif restored is not None and port and group and int(restored[1]) < shut:
            yield Gauge(INTERFACES.expand(port)[0], "stuck", 1.0, at, f"queue {group}")
