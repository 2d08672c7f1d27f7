"""Counters of OS10: PFC frames by priority, drops of queues, and frames with a wrong checksum.

Dell SmartFabric OS10 User Guide: `show interface ... priority-flow-control details` (Cos, Rx, Tx), `show queuing statistics interface`,
`show interface`. A priority's pause is counted under its CoS.
"""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.counterforms import Form, Row, reader

_PORT = r"[A-Za-z]{5,24} ?(?P<port>[0-9]{1,3}/[0-9]{1,3}/[0-9]{1,3}(?::[0-9])?)"


def _names(text: str) -> Iterable[str]:
    return (f"ethernet{text}",)


read = reader(
    (
        Form(
            command=lazy(r"show interface (?:\S.{0,60} )?priority-flow-control details?"),
            source="show interface priority-flow-control details",
            port=lazy(_PORT),
            rows=(
                Row(
                    lazy(r"(?P<n>[0-7]) (?P<rx>[0-9]{1,20}) (?P<tx>[0-9]{1,20})"),
                    {"priorities.{n}.pause_received": "rx", "priorities.{n}.pause_sent": "tx"},
                ),
            ),
        ),
        Form(
            command=lazy(r"show queuing statistics interface(?: (?!.*multicast)\S.{0,60})?"),
            source="show queuing statistics",
            port=lazy(rf"Interface {_PORT}(?: \(All queues\))?"),
            rows=(
                Row(
                    lazy(r"(?P<n>[0-7]) [0-9]{1,20} [0-9]{1,20} (?P<drops>[0-9]{1,20}) [0-9]{1,20}"),
                    {"queues.{n}.drops": "drops"},
                ),
            ),
        ),
        Form(
            command=lazy(r"show interface(?: ethernet ?\S{1,20})?"),
            source="show interface",
            port=lazy(rf"{_PORT} is (?:up|down), .{{1,60}}"),
            rows=(
                Row(
                    lazy(r"(?P<crc>[0-9]{1,20}) CRC, [0-9]{1,20} overrun, [0-9]{1,20} discarded"), {"crc_errors": "crc"}
                ),
            ),
        ),
    ),
    _names,
)
