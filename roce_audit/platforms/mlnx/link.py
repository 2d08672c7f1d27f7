"""`mlxlink -d DEV`: the link as the firmware sees it, what FEC runs on it, its bit errors, and what the tool advises.

NVIDIA Firmware Tools (MFT) Documentation, mlxlink Utility; `mstlink` of mstflint prints the same, both as text and as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from roce_audit.model.counts import Count, Gauge, GaugeKind
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines, nic_path, number, ratio
from roce_audit.platforms.shared.host.answers import Answer, Line, Tool, sets
from roce_audit.platforms.shared.host.collector import full_address
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import ACTIVE_FEC
from roce_audit.platforms.shared.host.words import FILTERED, matched
from roce_audit.text.document import Document
from roce_audit.text.structured.jsontext import JsonError, parse
from roce_audit.values import At, Place

_PCI = r"(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
_SHOWN = r"counters|module|eye|fec|device|ber_monitor|fec_histogram"
_ASKS = rf"(?: (?:-[cmej]|-[cme]{{2,3}}|--json|-p 1|--port 1|--(?:show_)?(?:{_SHOWN})|--cable))"
_COMMAND = rf"(?:mlx|mst)link{_ASKS}{{0,8}} (?:-d|--device) (?:(?P<rdma>mlx5_(?:bond_)?[0-9]{{1,3}})|(?P<pci>{_PCI})){_ASKS}{{0,8}}"
_COMMAND += rf"(?:{FILTERED})?"
COMMAND = lazy(_COMMAND)
_FIELD = lazy(r"([A-Z][A-Za-z ./\[\]()_-]{1,40}?) {0,40}: {0,4}(\S.{0,200})?")
_COLOUR = re.compile(r"\x1b\[[0-9;]{0,8}m")
_RATIOS: dict[str, GaugeKind] = {
    "Raw Physical BER": "errors-before-fec",
    "Effective Physical BER": "errors-after-fec",
}
_AILING = ("Bad signal integrity", "signal not detected", "Cable issue", "Bad/unsupported EEPROM")
"""Recommendations that say that the link is ill, and not that a port is unused."""

_UP = ("LinkUp", "ETH_AN_FSM_ENABLE")
"""Physical states of a link that is up; Ethernet links that do not negotiate stay in the second, as links that are down do
(oracle-quickstart/oci-hpc, healthchecks)."""

_DOWN = frozenset({"Disable", "Port PLL Down", "Polling", "Close port", "Sleep", "Rx disable"})
"""States of a link that is not up (mstflint, mlxlink_enums.h)."""
_SPEED = lazy(r"([0-9]{1,4})G(?:bE)?(?:_[1-8]X)?")
"""Speeds of Ethernet; those of InfiniBand have names."""

_Found = Iterator[tuple[str, str, Place]]


def _fields(document: Document) -> _Found:
    """(field, value, place) of an answer, as text or JSON; what is a list is left out."""
    if document.text.lstrip()[:1] == "{":
        yield from _json(document)
        return
    for place, text in lines(document):
        found = _FIELD.fullmatch(_COLOUR.sub("", text[:400]).strip())
        if found is not None:
            yield found.group(1).strip(), (found.group(2) or "").strip(), place


def _json(document: Document) -> _Found:
    try:
        json = parse(document.text, first_line=document.first_line)
    except JsonError:
        return
    path: tuple[str, ...] = ()
    inner: Any = json.value
    for step in ("result", "output"):
        if isinstance(inner, dict) and isinstance(inner.get(step), dict):
            path, inner = (*path, step), inner[step]
    for section, fields in inner.items() if isinstance(inner, dict) else ():
        for name, value in fields.items() if isinstance(fields, dict) else ():
            if isinstance(value, str | int) and not isinstance(value, bool):
                yield (
                    name,
                    _COLOUR.sub("", str(value)).strip(),
                    Place(document.path, json.line_of((*path, section, name))),
                )


def _is_up(fields: dict[str, str]) -> bool:
    return fields.get("State") == "Active" and fields.get("Physical state") in _UP


def _split(answer: Answer) -> None:
    found = list(_fields(answer.document))
    is_up = _is_up({name: value for name, value, _ in found})
    for name, value, place in found:
        if name == "State" and value in _DOWN and answer.subject is not None:
            answer.collector.has_no_link(answer.subject, answer.document, place.line)
        elif is_up and name == "FEC" and value not in ("", "N/A"):
            answer.say(f"FEC: {value}", place.line)
        elif is_up and name == "Speed" and _SPEED.fullmatch(value):
            answer.say(f"Speed: {value}", place.line)


def _speed(text: str) -> int:
    return int(matched(_SPEED.pattern, text).group(1)) * 10**9


def _fec(nic: NicSettings, text: str, at: At) -> None:
    """`Standard_RS-FEC - (544,514)`, `Firecode FEC`, `No FEC`; other codes are of other networks."""
    words = text.replace("_", " ").replace("-", " ").casefold()
    if "rs fec" in words:
        nic.set(ACTIVE_FEC, "rs", at)
    elif "firecode" in words.replace(" ", ""):
        nic.set(ACTIVE_FEC, "fc", at)
    elif words.startswith("no fec"):
        nic.set(ACTIVE_FEC, "none", at)


LINK = Tool(
    name="mlxlink",
    split=_split,
    commands=_COMMAND,
    lines=(
        Line("FEC:", ("fec", "nic.fec_running", "nic.fec_unused"), _fec),
        sets("Speed:", "speed_bps", _speed, fallback=True),
    ),
)


LOG = {
    r"Port module event\[error\]: (module \d{1,3}, .{3,80})": "the driver says of the module: {}",
    r".{0,60}(device's health compromised|Health issue observed)\b.*": "the driver says of the firmware: {}",
}
"""Messages in the kernel's log (Linux, mlx5: events.c, mlx5_port_module_event; health.c, print_health_info)."""


def _port(document: Document) -> str:
    found = COMMAND.fullmatch(document.command or "")
    if found is None:
        return ""
    return found["rdma"] or full_address(found["pci"])


def counted(document: Document) -> Iterator[Count]:
    """The counters in an answer."""
    port = _port(document)
    for name, value, place in _fields(document) if port else ():
        path = nic_path(name)
        if path is not None and value != "N/A":
            yield Count(port, path, number(value), place, "mlxlink", "", name)


def gauges(document: Document) -> Iterator[Gauge]:
    """Bit error ratios of a link that is up, and what the tool itself says of it."""
    port = _port(document)
    found = list(_fields(document)) if port else []
    if not _is_up({name: value for name, value, _ in found}):
        return
    for name, value, place in found:
        error_ratio = ratio(value) if name in _RATIOS else None
        if error_ratio is not None:
            yield Gauge(port, _RATIOS[name], error_ratio, place, f"{name} {value}")
        elif name == "Recommendation" and value.startswith(_AILING):
            yield Gauge(port, "module", 1, place, f"mlxlink says '{value}'")
