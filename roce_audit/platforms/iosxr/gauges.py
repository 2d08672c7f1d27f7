"""Modules that raise an alarm, of `show controllers optics R/S/I/P`: those behind `Detected Alarms`, or below it one a line.

The forms are those that genie's parser reads (show_controllers.py, ShowControllersOptics). Warnings are not among them.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines
from roce_audit.platforms.iosxr.names import GBPS
from roce_audit.text.document import DeviceInput

_COMMAND = lazy(r"sh(?:ow)? controllers? optics ?(\d{1,3}(?:[/-]\d{1,3}){2,4})(?: .{0,40})?", 2)
_DETECTED = lazy(r"Detected Alarms:\s{0,8}(\S.{0,60})?")
_ALARM = lazy(r"(?:HIGH|LOW)-(?:[RT]X\d{0,2}-PWR|LBC\d{0,2})")


def read(device: DeviceInput) -> Iterator[Gauge]:
    """What the modules of a router say is wrong. The controller bears no word for the speed of its port, of which there is one."""
    for document in device.documents:
        asked = _COMMAND.fullmatch(document.command or "")
        number = asked[1].replace("-", "/") if asked is not None else ""  # in the name of a file
        detected = False
        for place, line in lines(document) if number else ():
            text = line.strip()
            head = _DETECTED.fullmatch(text)
            if head is not None:
                detected, text = True, head[1] or ""
            if detected and _ALARM.fullmatch(text) is not None:
                for kind in GBPS:
                    yield Gauge(f"{kind}{number}", "module", 1.0, place, f"the module's alarm {text} is on")
            elif text and head is None:
                detected = False
