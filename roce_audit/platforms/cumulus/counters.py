"""Counters of Cumulus Linux: `nv show interface PORT counters qos`, `... counters errors`, `... qos roce counters`, `... qos pfc-watchdog`.

What `nv show interface` counts is read with the state that it shows, in `links`.

NVIDIA Cumulus Linux User Guide, Quality of Service, and RDMA over Converged Ethernet. Amounts are rounded (`9.10 MB`): of bytes that were
dropped the least is taken that may stand there. The counters of RoCE name no priority: they are of what the switch itself takes for RoCE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from roce_audit.model.counts import Count
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import number
from roce_audit.platforms.cumulus.links import counted
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.structured.jsontext import JsonError, JsonText, parse
from roce_audit.values import Place

_ASKED = r"nv show interface (?P<port>swp\S{1,12})"
_ROCE = lazy(r"nv show interface (?:(?P<port>swp\S{1,12}) qos roce counters|qos-roce-counters)(?P<json> -o json)?")
_AMOUNT = r"(?P<bytes>[0-9]{1,6}(?:\.[0-9]{1,2})? (?:[KMGT]B|Bytes))"
_QOS = lazy(rf"{_ASKED} (?:counters qos|qos counters?)(?P<part> \S{{1,30}})? (?:-o|--output)[ =]json")
_PARTS = {
    "ingress-buffer-stats": {"rx-buffer-discards": "groups.{n}.dropped_bytes"},
    "egress-queue-stats": {"tx-uc-buffer-discards": "queues.{n}.dropped_bytes", "wred-discards": "queues.{n}.drops"},
    "pfc-stats": {
        "rx-pause-frames": "priorities.{n}.pause_received",
        "tx-pause-frames": "priorities.{n}.pause_sent",
    },
}
"""Part of the counters as JSON -> its counters by the names that they have there, as the columns are called."""
_WATCHED = lazy(rf"{_ASKED} qos pfc-watchdog (?:-o|--output)[ =]json")
_STUCK = {"status": {"deadlock-count": "queues.{n}.storms"}}
_COUNTERS_SOURCE, _WATCHDOG_SOURCE = "nv show interface counters", "nv show interface qos pfc-watchdog"
_UNITS = {"Bytes": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_IN_UNITS = lazy(r"([0-9]{1,6}(?:\.[0-9]{1,2})?) ([KMGT]B|Bytes)")
_NUMBERS = frozenset("01234567")
_DEEPEST = 6
_OF_ROCE: Mapping[tuple[str, ...], str] = {
    ("rx-stats", "rx-roce-stats", "no-buffer-discard"): "lossless_ingress_drops",
    ("tx-stats", "tx-roce-stats", "unicast-no-buffer-discard"): "lossless_egress_drops",
    ("rx-stats", "rx-pfc-stats", "pause-packets"): "pause_received",
    ("tx-stats", "tx-pfc-stats", "pause-packets"): "pause_sent",
    ("tx-stats", "tx-ecn-stats", "ecn-marked-packets"): "marked",
}
"""Place in the counters of RoCE -> path in `model.counters.Counters`."""


def _names(text: str) -> Iterable[str]:
    return (text,)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    yield from _forms(device)
    yield from counted(device)
    for document in device.documents:
        asked, qos = _ROCE.fullmatch(document.command or ""), _QOS.fullmatch(document.command or "")
        if qos is not None:
            yield from _of_qos(document, qos["port"], (qos["part"] or "").strip(), _PARTS, _COUNTERS_SOURCE)
        watched = _WATCHED.fullmatch(document.command or "")
        if watched is not None:
            yield from _of_qos(document, watched["port"], "", _STUCK, _WATCHDOG_SOURCE)
        if asked is not None and document.text.lstrip()[:1] == "{":
            yield from _of_roce(document, asked["port"] or "")


def _of_roce(document: Document, port: str) -> Iterator[Count]:
    """The counters of RoCE as JSON: of the port that was asked for, or of all, each below its name."""
    try:
        json = parse(document.text, first_line=document.first_line)
    except JsonError:
        return
    ports = {port: ((), json.value)} if port else {name: ((name,), value) for name, value in json.value.items()}
    for name, (above, tree) in ports.items():
        for path, counter in _OF_ROCE.items():
            value = tree
            for step in path:
                value = value.get(step) if isinstance(value, dict) else None
            if isinstance(value, int | str) and not isinstance(value, bool):
                place = Place(document.path, json.line_of((*above, *path)))
                yield Count(name, counter, number(str(value)), place, _ROCE_SOURCE)


def _of_qos(
    document: Document, port: str, part: str, parts: Mapping[str, Mapping[str, str]], source: str
) -> Iterator[Count]:
    """The counters of groups, queues and priorities as JSON, each below its number, at whatever depth of its part."""
    try:
        json = parse(document.text, first_line=document.first_line)
    except JsonError:
        return
    value = {part: json.value} if part else json.value
    for name, counters in parts.items():
        tree = value.get(name) if isinstance(value, dict) else None
        for way, n in _numbered(tree, ()):
            below = (*(() if part else (name,)), *way)
            if way[-1] in counters:
                yield _counted(json, document, port, below, counters[way[-1]].format(n=n), source)


def _numbered(tree: Any, way: tuple[str, ...], n: str = "") -> Iterator[tuple[tuple[str, ...], str]]:
    """The ways to what stands below a number from 0 to 7, each with that number."""
    if isinstance(tree, dict) and len(way) < _DEEPEST:
        for name, inner in tree.items():
            yield from _numbered(inner, (*way, name), name if name in _NUMBERS else n)
    elif n:
        yield way, n


def _counted(json: JsonText, document: Document, port: str, way: tuple[str, ...], path: str, source: str) -> Count:
    value = json.value
    for step in way:
        value = value[step]
    amount = _IN_UNITS.fullmatch(str(value))
    plain = _least(amount[1], amount[2]) if amount is not None else str(value)
    return Count(port, path, number(plain), Place(document.path, json.line_of(way)), source)


def _least(amount: str, unit: str) -> str:
    """The smallest number of bytes that is printed so: `9.10 MB` may be 9,095,000."""
    whole, _, behind = amount.partition(".")
    if not behind:
        return str(int(whole) * _UNITS[unit])
    last = _UNITS[unit] // 10 ** len(behind)
    return str(max(0, int(whole + behind) * last - last // 2))


_ROCE_SOURCE = "nv show interface qos roce counters"
_forms = reader(
    (
        Form(
            command=lazy(rf"{_ASKED} (?:counters(?: qos(?: \S{{1,30}})?| errors)?|qos counters?(?: \S{{1,30}})?)"),
            source=_COUNTERS_SOURCE,
            headings=(
                lazy(r"(?P<table>PFC Statistics|Egress Queue Statistics|[A-Z][A-Za-z ]{2,40} (?:Statistics|Counters))"),
            ),
            rows=(
                Row(
                    lazy(r"(?P<n>[0-7]) (?P<rx>[0-9]{1,20}) (?P<us>[0-9]{1,20}) (?P<tx>[0-9]{1,20}) [0-9]{1,20}"),
                    {"priorities.{n}.pause_received": "rx", "priorities.{n}.pause_sent": "tx"},
                    below={"table": "PFC Statistics"},
                ),
                Row(
                    lazy(
                        r"(?P<n>[0-7]) [0-9]{1,20} \S{1,12} [A-Za-z]{1,5} (?P<bytes>[0-9]{1,6}(?:\.[0-9]{1,2})? (?:[KMGT]B|Bytes))"
                        r" (?P<drops>[0-9]{1,20})"
                    ),
                    {"queues.{n}.drops": "drops", "queues.{n}.dropped_bytes": "bytes"},  # by WRED, for want of buffer
                    below={"table": "Egress Queue Statistics"},
                ),
                Row(
                    lazy(rf"(?P<n>[0-7]) [0-9]{{1,20}} {_AMOUNT} \S{{1,12}} [A-Za-z]{{1,5}}"),
                    {"groups.{n}.dropped_bytes": "bytes"},
                    below={"table": "Ingress Buffer Statistics"},
                ),
                Row(lazy(r"ecn-marked-packets n/a (?P<marked>[0-9]{1,20})"), {"marked": "marked"}),
                Row(lazy(r"FCS Errors (?P<crc>[0-9]{1,20}) n/a"), {"crc_errors": "crc"}),
            ),
        ),
        Form(
            command=lazy(rf"{_ASKED} qos pfc-watchdog"),
            source=_WATCHDOG_SOURCE,
            rows=(Row(lazy(r"(?P<n>[0-7]) (?:OK|DEADLOCK) (?P<storms>[0-9]{1,20})"), {"queues.{n}.storms": "storms"}),),
        ),
        Form(
            command=_ROCE,
            source=_ROCE_SOURCE,
            port=lazy(r"Interface: (?P<port>swp\S{1,12})"),
            headings=(lazy(r"(?P<part>[rt]x-(?:non-)?[a-z]{3,4}-stats)"),),
            rows=(
                *(
                    Row(
                        lazy(rf"{name} (?P<count>[0-9]{{1,20}})(?: .{{1,80}})?"),
                        {counter: "count"},
                        below={"part": part},
                    )
                    for (_, part, name), counter in _OF_ROCE.items()
                ),
            ),
        ),
    ),
    _names,
    {"bytes": lambda text: _least(*text.split(" "))},
)
