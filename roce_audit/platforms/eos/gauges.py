"""Modules out of bounds, of `show interfaces transceiver detail`: measurements beyond their own alarm thresholds.

The form is that of ntc-templates' arista_eos_show_interfaces_transceiver_detail; in which order the thresholds stand is read above
them. Warnings are none: modules run there for years.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines
from roce_audit.platforms.eos.reader import INTERFACES
from roce_audit.text.document import DeviceInput

_COMMAND = lazy(r"sh(?:ow)? int(?:erfaces?)?(?: [^|]{1,40})? transceiver details?(?: ?\| ?no-more)?")
_ORDER = lazy(r"\s+High Alarm\s+High Warn\s+Low (Alarm|Warn)\s+Low (?:Alarm|Warn)\s*")
_WHAT = lazy(
    r"(?:Port)?\s+(Temperature|Voltage|(?:Bias )?Current|(?:Optical )?(?:Tx|Rx|Receive|Transmit) Power)\s+Threshold\b.{0,80}"
)
_NUMBER = r"(-?\d{1,4}(?:\.\d{1,4})?)"
_ROW = lazy(r"(Et\d{1,3}(?:/\d{1,3}){0,3})" + rf"\s+{_NUMBER}" * 5 + r"\s*")
"""Port, measurement, and the four thresholds."""
_DARK = -30.0
"""dBm that modules show which receive no light at all: the link is down, and that is told by itself."""


def read(device: DeviceInput) -> Iterator[Gauge]:
    """What the modules of a switch say is wrong."""
    for document in device.documents:
        what, alarm_last = "", True
        for place, text in lines(document) if _COMMAND.fullmatch(document.command or "") else ():
            order, head, row = _ORDER.fullmatch(text), _WHAT.fullmatch(text), _ROW.fullmatch(text)
            if order is not None:
                what, alarm_last = "", order[1] == "Warn"
            elif head is not None:
                what = " ".join(head[1].split())
            elif row is not None and what:
                value, high, low = float(row[2]), float(row[3]), float(row[6 if alarm_last else 5])
                if value > high or (value < low and not (what.endswith("Power") and value <= _DARK)):
                    bound = f"above {row[3]}" if value > high else f"below {low:g}"
                    port = INTERFACES.expand(row[1])[0]
                    yield Gauge(port, "module", value, place, f"{what} is {row[2]}, {bound}, where its alarm is")
