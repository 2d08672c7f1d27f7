"""Counters of AOS-CX: what queues dropped, of `show interface PORT queues`; frames with a wrong checksum, of `show interface`.

HPE Aruba, AOS-CX command reference, show interface: earlier releases call the column of drops `Tx Errors`.
"""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.counterforms import Form, Row, reader


def _names(text: str) -> Iterable[str]:
    return (text,)


_OF_PORT = lazy(r"Interface (?P<port>[0-9]{1,2}/[0-9]{1,2}/[0-9]{1,3}(?::[0-9]{1,2})?) is (?:up|down).{0,80}")

read = reader(
    (
        Form(
            command=lazy(r"show interface \S{1,40} queues"),
            source="show interface queues",
            port=_OF_PORT,
            headings=(lazy(r"Tx Bytes Tx Packets Tx (?P<column>Drops|Errors)"),),
            words={"Errors": "Drops"},
            rows=(
                Row(
                    lazy(r"Q(?P<n>[0-7]) [0-9]{1,20} [0-9]{1,20} (?P<drops>[0-9]{1,20})"),
                    {"queues.{n}.drops": "drops"},
                    below={"column": "Drops"},
                ),
            ),
        ),
        Form(
            command=lazy(r"show interface(?: \S{1,40})?"),
            source="show interface",
            port=_OF_PORT,
            rows=(Row(lazy(r"CRC/FCS (?P<crc>[0-9]{1,20}) .{1,60}"), {"crc_errors": "crc"}),),
        ),
    ),
    _names,
)
