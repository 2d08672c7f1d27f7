"""`ethtool -m DEV`: what a module says of itself, its alarms and the light that it receives (SFF-8472, SFF-8636, CMIS).

Only alarms count, and no warnings, which modules raise on links that run well. A module that has no flags is judged by the
thresholds that it prints.
"""

from __future__ import annotations

from collections.abc import Iterator

from roce_audit.model.counts import Gauge
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines
from roce_audit.platforms.shared.host.answers import Tool
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = r"ethtool (?:-m|--dump-module-eeprom|--module-info) (?P<net>[^\s/-][^\s/]{0,63})"
COMMAND = lazy(_COMMAND)
_FIELD = lazy(r"([A-Z][A-Za-z ,/]{1,50}?) {0,8}(?:\(Ch(?:an(?:nel)?)? ?([1-8])\))? {0,40}: {1,4}(\S.{0,80})")
_DBM = lazy(r"[0-9.]{1,12} mW / (-?[0-9.]{1,8}|-inf) dBm")
_RECEIVED = ("Rcvr signal avg optical power", "Receiver signal average optical power", "Receiver signal OMA")
_LOWEST = "Laser rx power low alarm threshold"
_DARK = "-inf"
_NO_LIGHT = -40.0
"""dBm that modules print for none at all."""

MODULE = Tool(name="ethtool -m", commands=_COMMAND)


def gauges(document: Document) -> Iterator[Gauge]:
    """Alarms of a module, one each."""
    asked = COMMAND.fullmatch(document.command or "")
    if asked is None:
        return
    received: list[tuple[str, str, Place]] = []
    lowest: float | None = None
    flags = False
    for place, text in lines(document):
        found = _FIELD.fullmatch(text[:300].strip())
        if found is None:
            continue
        name, channel, value = found.group(1).strip(), found.group(2) or "", found.group(3).strip()
        if name.endswith("alarm") and value in ("On", "Yes"):
            yield Gauge(asked["net"], "module", 1, place, _said(name, channel, "is on"))
        flags = flags or (name.startswith("Alarm/warning flags implemented") and value == "Yes")
        if name in _RECEIVED:
            received.append((channel, value, place))
        elif name == _LOWEST:
            lowest = _dbm(value)
    if flags or lowest is None or not any((_dbm(value) or _NO_LIGHT) > lowest for _, value, _ in received):
        return  # a module that receives nothing on any channel hangs on a link that is down
    for channel, value, place in received:
        power = _dbm(value)
        if power is not None and power < lowest:
            yield Gauge(asked["net"], "module", power, place, _said("receive power", channel, f"is {value}"))


def _said(name: str, channel: str, value: str) -> str:
    of = f" of channel {channel}" if channel else ""
    return f"the module's {name[:1].lower()}{name[1:]}{of} {value}"


def _dbm(text: str) -> float | None:
    found = _DBM.fullmatch(text)
    if found is None:
        return None
    return _NO_LIGHT if found.group(1) == _DARK else float(found.group(1))
