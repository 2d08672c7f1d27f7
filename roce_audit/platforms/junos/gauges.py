"""Modules out of bounds, of `show interfaces diagnostics optics`: the alarms that are on; what is a warning is none.

Juniper CLI Reference, show interfaces diagnostics optics.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.platforms.counting import lines
from roce_audit.text.document import DeviceInput

_COMMAND = re.compile(r"show interfaces diagnostics optics(?: [^|]{1,40}?)?(?: ?\| ?no-more)?")
_PORT = re.compile(r"Physical interface: (\S{4,40})\s{0,8}")
_LANE = re.compile(r"\s{1,8}Lane (\d{1,2})\s{0,8}")
_ALARM = re.compile(r"\s{1,12}([A-Z][A-Za-z ]{4,48}? alarm) {0,40}: {1,4}On\s{0,8}")


def read(device: DeviceInput) -> Iterator[Gauge]:
    """What the modules of a switch say is wrong."""
    for document in device.documents:
        port = lane = ""
        for place, text in lines(document) if _COMMAND.fullmatch(document.command or "") else ():
            head, of_lane, alarm = _PORT.fullmatch(text), _LANE.fullmatch(text), _ALARM.fullmatch(text)
            if head is not None:
                port, lane = head[1], ""
            elif of_lane is not None:
                lane = f" of lane {of_lane[1]}"
            elif alarm is not None and port:
                yield Gauge(port, "module", 1.0, place, f"{alarm[1]}{lane}")
