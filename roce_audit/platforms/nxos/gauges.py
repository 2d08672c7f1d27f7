"""Modules out of bounds, of `show interface transceiver details`: measurements behind which stands the sign of an alarm (`--`, `++`).

Signs of warnings (`-`, `+`) are none: modules run there for years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.platforms.counting import lines
from roce_audit.platforms.nxos.reader import INTERFACES
from roce_audit.text.document import DeviceInput

_COMMAND = re.compile(r"sh(?:ow)? int(?:erface)?(?: [^|]{1,40})? transceiver details?(?: ?\| ?no-more)?")
_PORT = re.compile(r"Ethernet\d{1,3}(?:/\d{1,3}){1,3}")
_LANE = re.compile(r"\s*Lane Number: ?(\d{1,2})\b.{0,40}")
_MEASURED = re.compile(
    r"\s*(Temperature|Voltage|Current|Tx Power|Rx Power)\s+(-?[0-9.]{1,12} (?:C|V|mA|dBm)) ?(--|\+\+)\s.{0,120}"
)
_SIGNS = {"--": "low alarm", "++": "high alarm"}


def read(device: DeviceInput) -> Iterator[Gauge]:
    """What the modules of a switch say is wrong."""
    for document in device.documents:
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
