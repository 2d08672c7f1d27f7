"""Alarms of modules, as `show interface PORT dom detail` lists them; warnings do not count, which modules raise on links that run well.

HPE Aruba Networking, AOS-CX command reference, show interface dom.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.platforms.counting import lines
from roce_audit.text.document import DeviceInput

_COMMAND = re.compile(r"show interface(?: \S{1,40})? dom detail")
_MODULE = re.compile(r"Transceiver in (\d{1,2}/\d{1,2}/\d{1,3}(?::\d{1,2})?)")
_ALARM = re.compile(r"([A-Z][A-Za-z ]{2,30} (?:high|low) alarm): On")


def read(device: DeviceInput) -> Iterator[Gauge]:
    """All alarms in the answers of a switch."""
    for document in device.documents:
        port = ""
        for place, text in lines(document) if _COMMAND.fullmatch(document.command or "") else ():
            module, alarm = _MODULE.fullmatch(text.strip()), _ALARM.fullmatch(text.strip())
            if module is not None:
                port = module[1]
            elif alarm is not None:
                yield Gauge(port, "module", 1, place, f"the module's {alarm[1][:1].lower()}{alarm[1][1:]} is on")
