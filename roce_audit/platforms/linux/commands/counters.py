"""Counters of hosts: `ethtool -S`, the FEC statistics of `ethtool -I --show-fec`, `rdma statistic`, `dcb -s pfc`, and `hw_counters`.

Drivers name their counters as they like: the names are in the folders of the NIC families, here is only where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from roce_audit.model.counts import Count
from roce_audit.platforms.counting import lines, nic_path, number
from roce_audit.platforms.shared.host.tools import host_parts
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.structured.jsontext import JsonError, parse
from roce_audit.values import Place

_FILTER = r"(?: \| ?[ef]?grep .{1,200})?"
"""People paste the counters that they looked for; the others are then not seen."""
_ETHTOOL = re.compile(rf"ethtool (?:-S|--statistics) ([^\s/-][^\s/]{{0,63}}){_FILTER}")
_FEC = re.compile(r"ethtool (?:-I|--include-statistics) --show-fec ([^\s/-][^\s/]{0,63})")
_OPTIONS = r"(?: -{1,2}[a-z]{1,8}){0,3}"
_RDMA = re.compile(
    rf"(?:\S{{1,80}}/)?rdma{_OPTIONS} stat(?:istics?)?(?: show)?(?: link(?: [\w.-]{{1,64}}[/-][0-9]{{1,3}})?)?{_OPTIONS}{_FILTER}"
)
_LINK = re.compile(r"link ([\w.-]{1,64})/([0-9]{1,3})(?: (.*))?")
_PAIR = re.compile(r"([A-Za-z_]\w{1,63}) ([0-9]{1,20})(?= |\Z)")
_DCB = re.compile(r"dcb (?:-\S{1,12} ){0,3}pfc show dev ([^\s/-][^\s/]{0,63})")
_FRAMES = re.compile(r"(requests|indications) ((?:[0-7]:[0-9]{1,20} ?){1,8})")
_WAYS = {"requests": "pause_sent", "indications": "pause_received"}
"""dcb-pfc(8): PFC frames that were sent are requests, those that were received are indications."""
_NAMED = re.compile(r"[ \t]{0,16}([A-Za-z][\w.]{0,63}):[ \t]{1,4}(\S{1,40})[ \t]*")
_BLOCKS = re.compile(r"[ \t]{0,8}(uncorrectable|corrected)_blocks:[ \t]{1,4}(\S{1,40})[ \t]*")
_DOWNS = re.compile(r"/sys/class/net/([^\s/:]{1,64})/carrier_down_count:(\S{1,40})[ \t]*")
_SHOWN = re.compile(r"cat (/sys/class/infiniband/[\w.-]{1,64}/ports/1/(?:hw_)?counters/\w{1,64})")
"""A counter whose file is kept alone."""
_FILE = re.compile(r"/sys/class/infiniband/([\w.-]{1,64})/ports/1/(?:hw_)?counters/(\w{1,64}):(\S{1,40})[ \t]*")


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a host."""
    for document in device.documents:
        command = document.command or ""
        ethtool, fec = _ETHTOOL.fullmatch(command), _FEC.fullmatch(command)
        if document.exit_status not in (None, 0):
            continue
        if ethtool is not None:
            yield from _ethtool(document, ethtool.group(1))
        elif fec is not None:
            yield from _fec(document, fec.group(1))
        elif _RDMA.fullmatch(command):
            is_json = document.text.lstrip()[:1] in ("[", "{")
            yield from _rdma(document) if is_json else _rdma_text(document)
        elif (dcb := _DCB.fullmatch(command)) is not None:
            yield from _dcb(document, dcb.group(1))
        elif (shown := _SHOWN.fullmatch(command)) is not None:
            yield from _files(document, f"{shown.group(1)}:")
        elif (
            "/hw_counters/" in document.text
            or "/ports/1/counters/" in document.text
            or "/carrier_down_count:" in document.text
        ):
            yield from _files(document)
        for part in host_parts():
            if part.counted is not None:
                yield from part.counted(document)


def _count(port: str, name: str, text: str, place: Place, source: str) -> Iterator[Count]:
    path = nic_path(name)
    if path is not None:
        yield Count(port, path, number(text), place, source, "", name)


def _ethtool(document: Document, port: str) -> Iterator[Count]:
    for place, text in lines(document):
        found = _NAMED.fullmatch(text)
        if found is not None:
            yield from _count(port, found.group(1), found.group(2), place, "ethtool -S")


def _fec(document: Document, port: str) -> Iterator[Count]:
    for place, text in lines(document):
        found = _BLOCKS.fullmatch(text)
        if found is not None:  # the lanes that may follow on the line's end are left out
            path = f"fec_{found.group(1)}"
            yield Count(port, path, number(found.group(2)), place, "ethtool --show-fec", "", "blocks")


def _files(document: Document, path: str = "") -> Iterator[Count]:
    for place, text in lines(document):
        found = _FILE.fullmatch(f"{path}{text}")
        if found is not None:
            yield from _count(found.group(1), found.group(2), found.group(3), place, "hw_counters")
        downs = _DOWNS.fullmatch(text)
        if downs is not None:
            yield Count(downs.group(1), "link_downs", number(downs.group(2)), place, "sysfs", "", "carrier_down_count")


def _rdma_text(document: Document) -> Iterator[Count]:
    """`link mlx5_0/1 rx_write_requests 18747 ...` in one line, or below it a counter a line."""
    port = ""
    for place, text in lines(document):
        words = " ".join(text[:8_000].split())
        link = _LINK.fullmatch(words)
        if link is not None:
            port, words = _rdma_port(link.group(1), link.group(2)), link.group(3) or ""
        for found in _PAIR.finditer(words) if port else ():
            yield from _count(port, found.group(1), found.group(2), place, "hw_counters")


def _rdma_port(device: str, number: str) -> str:
    """A port of an RDMA device as the other tools of a host name it."""
    return device if number == "1" else f"{device}:{number}"


def _dcb(document: Document, port: str) -> Iterator[Count]:
    for place, text in lines(document):
        found = _FRAMES.fullmatch(" ".join(text[:400].split()))
        for word in found.group(2).split() if found is not None else ():
            priority, _, frames = word.partition(":")
            if found is not None:
                path = f"priorities.{priority}.{_WAYS[found.group(1)]}"
                yield Count(port, path, number(frames), place, "dcb pfc", "", found.group(1))


def _rdma(document: Document) -> Iterator[Count]:
    try:
        json = parse(document.text, first_line=document.first_line)
    except JsonError:
        return
    rows: Any = json.value
    for index, row in enumerate(rows if isinstance(rows, list) else ()):
        if not isinstance(row, dict) or row.get("port") not in (1, "1"):
            continue
        port = row.get("ifname")
        for name, value in row.items() if isinstance(port, str) else ():
            if type(value) in (int, str):
                place = Place(document.path, json.line_of((index, name)))
                yield from _count(str(port), name, str(value), place, "hw_counters")
