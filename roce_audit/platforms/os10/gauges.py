"""Modules that raise an alarm, of `show interface phy-eth`: flags of alarms that are true. Warnings are none: modules run there for years.

`SFP1/1/12 RX Power Low Alarm Flag = True` (source: unverified: what programs read that ask such switches for it).
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines
from roce_audit.text.document import DeviceInput

_COMMAND = lazy(r"show interface phy-eth(?: .{1,60})?")
_FLAG = lazy(r"\s*\S{3,12}?(\d{1,2}(?:/\d{1,3}){2}(?::\d)?) (\w[\w ]{2,40} (?:High|Low) Alarm) Flag = (?:True|On)\s*")


def read(device: DeviceInput) -> Iterator[Gauge]:
    """What the modules of a switch say is wrong."""
    for document in device.documents:
        for place, text in lines(document) if _COMMAND.fullmatch(document.command or "") else ():
            flag = _FLAG.fullmatch(text)
            if flag is not None:
                yield Gauge(f"ethernet{flag[1]}", "module", 1.0, place, f"the module's flag {flag[2].lower()} is on")
