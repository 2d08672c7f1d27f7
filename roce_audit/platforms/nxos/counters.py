"""Counters of NX-OS: PFC frames of `show interface priority-flow-control`; of `show queuing interface` PFC frames by CoS, drops
of the unicast queues and ingress drops. `show queuing pfc-queue detail`: how often the watchdog shut a no-drop queue. `show
interface` and `show interface counters errors`: frames with a wrong checksum. `interface resets` of the former count how often a port was
set up anew, as after each link that went down (source: unverified). `show policy-map interface`: drops of the queues whose class has a name
of the switch's own.

The ingress drops are of the port and not of a class, so no class is blamed for them. (Cisco, Understand Nexus 9000 Cloud
Scale buffering; the table of the first command as captured from a Nexus 9000.) A queue has the number of its QoS group.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from roce_audit.model.counts import Count
from roce_audit.patterns import lazy
from roce_audit.platforms.counting import lines, number
from roce_audit.platforms.nxos.entries import PFC_INTERFACE, QUEUING_INTERFACE, below, entries, is_json
from roce_audit.platforms.nxos.state import OF_PORT, PFC_PORT, POLICY_COMMAND
from roce_audit.platforms.shared.counterforms import Form, Row, reader
from roce_audit.text.document import DeviceInput, Document
from roce_audit.text.names import expand
from roce_audit.values import Place

_PFC_COMMAND = lazy(r"show interface (?:\S+ )?priority-flow-control(?: detail)?(?: ?\|? ?json\b.{0,40})?")
_PFC_ROW = lazy(
    r"(\S{2,64})\s+(?:auto|on|off)\s+(?:on|off)(?:\s*+\([^()\s]{1,16}\))?+\s+([0-9]{1,20})\s+([0-9]{1,20})", re.I
)
_PFC_HEAD = lazy(r"Port\s+Mode\s+Oper.{0,20}\s+RxPPP\s+TxPPP\s*")
_PFC_BY_PRIORITY = lazy(r"\s{1,8}(Rx|Tx) {0,4}((?:\| ?[0-9]{1,20} {0,20}){8})\|?\s{0,8}")
"""Of `detail`."""
_QUEUING_COMMAND = lazy(r"show queue?ing interface(?: .*)?")
_PART = lazy(r"\s*((?:Per )?Port Ingress Statistics|Per Slice Ingress Statistics|PFC Statistics|QOS GROUP .*)\s*")
_GROUP = lazy(r"\s*\|\s*QOS GROUP ([0-7])\s*\|\s*")
_QUEUE_DROPS = lazy(
    r"\s*\|\s*(?:(WD & )|WRED(?:/AFD)? & )?(?:Tail Drop|Dropped) Pkts\s*\|\s*([0-9]{1,20})(?:\s*\|\s*(?:[0-9]{1,20}|-)){1,2}\s*\|\s*"
    r"|\s*\|\s*Tx Pkts\s*\|\s*[0-9]{1,20}\s*\|\s*Dropped Pkts\s*\|\s*(?P<beside>[0-9]{1,20})\s*\|\s*"
)
"""Unicast, then multicast; those of the watchdog (`WD`) stand on a line of their own. Earlier releases tell `Dropped Pkts`, also beside
what was sent (contrib receiver of OpenTelemetry for Cisco devices, its tests)."""
_DROPS = lazy(r"Dropped|(?:(WD & )|WRED(?:/AFD)? & )?Tail Drop")
"""The same in JSON."""
_PRIORITY = lazy(r"[0-7]")
_OVERFLOW = lazy(r"\s*Ingress (?:Overflow|MMU) Drop Pkts:?\s+([0-9]{1,20})\s*")
_BY_COS_HEAD = lazy(r"\s*(?:PFC_)?COS\s+QOS[_ ]Group(?:\s+PG)?\s+TxPause\s+TxCount\s+RxPause\s+RxCount\s*")
_BY_COS = lazy(
    r"\s*([0-7])\s+[0-9-]{1,2}(?:\s+[0-9-]{1,2})?\s+(?:Ina|A)ctive\s+([0-9]{1,20})\s+(?:Ina|A)ctive\s+([0-9]{1,20})\s*"
)
_PORT = r"(?P<port>[A-Z][A-Za-z-]{1,14}[0-9][0-9/.]{0,12})"
_N = r"[0-9]{1,20}"


def _names(text: str) -> Iterable[str]:
    from roce_audit.platforms.nxos.reader import SYNTAX

    return expand(text, SYNTAX.interfaces.long_forms)


_tables = reader(
    (
        Form(
            command=lazy(r"show queue?ing pfc-queue(?: .{1,60})?"),
            source="show queuing pfc-queue",
            port=lazy(rf"{_PORT} Interface PFC watchdog: .{{0,40}}"),
            headings=(lazy(r"\| ?QOS GROUP (?P<n>[0-7])\b.{0,80}"),),
            rows=(Row(lazy(rf"\| ?Shutdown ?\| ?(?P<shut>{_N}) ?\|"), {"queues.{n}.storms": "shut"}),),
        ),
        Form(
            command=POLICY_COMMAND,
            source="show policy-map interface",
            port=lazy(_PORT),
            headings=(
                lazy(r"Class-map \(queuing\): (?P<of>c-out-)(?:8q-)?q(?P<n>-default|[1-7]) \(match-any\)"),
                lazy(r"Class-map \(queuing\): (?P<of>(?!c-out-)\S{1,60}) \(match-any\)"),
            ),
            words={"-default": "0"},
            rows=(
                Row(
                    lazy(rf"queue dropped pkts ?: (?P<drops>{_N})"),
                    {"queues.{n}.drops": "drops"},
                    below={"of": "c-out-"},
                ),
            ),
        ),
        Form(
            command=lazy(r"show interface(?: (?!.*(?:brief|status|priority|counters|transceiver))[^|]{1,60})?"),
            source="show interface",
            port=lazy(rf"{_PORT} is (?:up|down|administratively down)\b.{{0,80}}"),
            rows=(
                Row(
                    lazy(rf"{_N} runts {_N} giants (?P<crc>{_N}) CRC(?:/FCS)? {_N} no buffer"),
                    {"crc_errors": "crc"},
                ),
                Row(lazy(rf"(?P<resets>{_N}) interface resets"), {"link_downs": "resets"}),
            ),
        ),
        Form(
            command=lazy(r"show interface(?: [^|]{1,60})? counters errors"),
            source="show interface counters errors",
            headings=(
                lazy(r"Port Align-Err (?P<second>FCS)-Err Xmit-Err Rcv-Err UnderSize OutDiscards"),
                lazy(r"Port (?P<second>(?!Align)\S{1,20}) .{1,80}"),
            ),
            rows=(
                Row(
                    lazy(rf"{_PORT} (?:{_N}|--) (?P<crc>{_N})(?: (?:{_N}|--)){{4}}"),
                    {"crc_errors": "crc"},
                    below={"second": "FCS"},
                ),
            ),
        ),
    ),
    _names,
)


def read(device: DeviceInput) -> Iterator[Count]:
    """All counters in the answers of a switch."""
    yield from _tables(device)
    for document in device.documents:
        command = document.command or ""
        if _PFC_COMMAND.fullmatch(command):
            yield from _named(_pfc_entries(document) if is_json(document) else _pfc(document))
        elif _QUEUING_COMMAND.fullmatch(command):
            yield from _named(_queuing_entries(document) if is_json(document) else _queuing(document))


def _named(found: Iterator[Count]) -> Iterator[Count]:
    """The counters under the canonical names of their ports."""
    from roce_audit.platforms.nxos.reader import SYNTAX

    for count in found:
        with contextlib.suppress(ValueError):  # no interface of this platform
            for port in expand(count.port, SYNTAX.interfaces.long_forms):
                yield replace(count, port=port)


def _pfc(document: Document) -> Iterator[Count]:
    in_table = False
    port = ""
    for place, text in lines(document):
        of_port, by_priority = PFC_PORT.fullmatch(text), _PFC_BY_PRIORITY.fullmatch(text)
        port = of_port[1] if of_port is not None else port
        for priority, count in enumerate(by_priority[2].split("|")[1:]) if port and by_priority is not None else ():
            way = "received" if by_priority is not None and by_priority[1] == "Rx" else "sent"
            name, source = f"priorities.{priority}.pause_{way}", "show interface priority-flow-control detail"
            yield Count(port, name, number(count.strip()), place, source)
        in_table = in_table or _PFC_HEAD.fullmatch(text) is not None
        row = _PFC_ROW.match(text) if in_table else None
        if row is not None:
            port, received, sent = row.groups()
            yield Count(port, "pause_received", number(received), place, "show interface priority-flow-control")
            yield Count(port, "pause_sent", number(sent), place, "show interface priority-flow-control")


def _pfc_entries(document: Document) -> Iterator[Count]:
    for entry, line in entries(document, PFC_INTERFACE):
        for key, name in (("rx-stats", "pause_received"), ("tx-stats", "pause_sent")):
            if key in entry:
                shown = number(str(entry[key]))
                place = Place(document.path, line())
                yield Count(str(entry.get("if_name_str")), name, shown, place, "show interface priority-flow-control")


def _queuing_entries(document: Document) -> Iterator[Count]:
    source = "show queuing interface"
    for entry, line in entries(document, QUEUING_INTERFACE):
        port = str(entry.get("if_name_str"))
        for group, of_group in below(entry, line, "qosgrp_egress_stats"):
            for shown, of_shown in below(group, of_group, "qosgrp_egress_stats_entry"):
                queue, what = str(group.get("eq-qosgrp")), str(shown.get("eq-stat-type"))
                drops = _DROPS.fullmatch(what) if shown.get("eq-stat-units") == "Pkts" else None
                if drops is not None and _PRIORITY.fullmatch(queue):
                    place = Place(document.path, of_shown("eq-uc-stat-value"))
                    value = number(str(shown.get("eq-uc-stat-value")))
                    yield Count(port, f"queues.{queue}.drops", value, place, source, called=drops[1] or "")
        for row, of_row in below(entry, line, "pfc_stats"):
            for key, way in (("tx-pause-count", "sent"), ("rx-pause-count", "received")):
                if key in row and _PRIORITY.fullmatch(str(row.get("cos"))):
                    place = Place(document.path, of_row(key))
                    yield Count(port, f"priorities.{row['cos']}.pause_{way}", number(str(row[key])), place, source)


def _queuing(document: Document) -> Iterator[Count]:
    source = "show queuing interface"
    port = part = group = ""
    by_cos = False
    for place, text in lines(document):
        of_port, heading = OF_PORT.fullmatch(text), _PART.fullmatch(text)
        if of_port is not None:
            port, part, group, by_cos = of_port.group(1), "", "", False
        elif heading is not None:
            part, group, by_cos = heading.group(1), "", False
        elif _BY_COS_HEAD.fullmatch(text):
            by_cos = True
        of_group, dropped = _GROUP.fullmatch(text), _QUEUE_DROPS.fullmatch(text)
        if of_group is not None:
            part, group = "", of_group.group(1)
        if not port:
            continue
        if dropped is not None and group:
            drops = number(dropped["beside"] or dropped[2])
            yield Count(port, f"queues.{group}.drops", drops, place, source, called=dropped[1] or "")
        overflow = _OVERFLOW.fullmatch(text)
        if overflow is not None and part.endswith("Port Ingress Statistics"):
            yield Count(port, "discards", number(overflow.group(1)), place, source)
        row = _BY_COS.fullmatch(text) if by_cos else None
        if row is not None:
            yield Count(port, f"priorities.{row.group(1)}.pause_sent", number(row.group(2)), place, source)
            yield Count(port, f"priorities.{row.group(1)}.pause_received", number(row.group(3)), place, source)
