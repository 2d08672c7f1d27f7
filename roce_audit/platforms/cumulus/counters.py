"""Counters of Cumulus Linux: `nv show interface PORT counters qos`, `... counters errors`, `... qos roce counters`, `... qos pfc-watchdog`.

What `nv show interface` counts is read with the state that it shows, in `links`.

NVIDIA Cumulus Linux User Guide, Quality of Service, and RDMA over Converged Ethernet. Amounts are rounded (`9.10 MB`): of bytes that were
dropped the least is taken that may stand there. The counters of RoCE name no priority: they are of what the switch itself takes for RoCE.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from roce_audit.model.counts import Count
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import number
from roce_audit.platforms.cumulus.links import counted
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.jsontext import JsonError, parse
from roce_audit.values import Place

_ASKED = r"nv show interface (?P<port>swp\S{1,12})"
_ROCE = lazy(r"nv show interface (?:(?P<port>swp\S{1,12}) qos roce counters|qos-roce-counters)(?P<json> -o json)?")
_UNITS = {"Bytes": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
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
        asked = _ROCE.fullmatch(document.command or "")
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
            source="nv show interface counters",
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
                Row(lazy(r"ecn-marked-packets n/a (?P<marked>[0-9]{1,20})"), {"marked": "marked"}),
                Row(lazy(r"FCS Errors (?P<crc>[0-9]{1,20}) n/a"), {"crc_errors": "crc"}),
            ),
        ),
        Form(
            command=lazy(rf"{_ASKED} qos pfc-watchdog"),
            source="nv show interface qos pfc-watchdog",
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
