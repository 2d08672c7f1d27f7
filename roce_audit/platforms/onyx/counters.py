"""Counters of Onyx: PFC frames by priority, packets that a traffic class dropped for want of buffer
(unicast) or early, wrong checksums.

`show interfaces ethernet ... counters pfc prio N`, `... counters tc N` and `show interfaces ethernet`: a port's name, below it the
priority or class, the direction, and lines of a number and what it counts. Onyx User Manual, Ethernet interface counters.
"""

from __future__ import annotations

from collections.abc import Iterable

from roce_audit.patterns import lazy
from roce_audit.platforms.shared.counterforms import Form, Row, reader


def _names(text: str) -> Iterable[str]:
    from roce_audit.platforms.onyx.reader import INTERFACES

    return INTERFACES.expand(text)


_OF_PORT = lazy(r"(?P<port>Eth[0-9][0-9/]{0,10}):?")

read = reader(
    (
        Form(
            command=lazy(r"show interfaces? ethernet(?: [0-9]\S{0,10})? counters(?: (?:pfc prio|tc) \S{1,4})?"),
            source="show interfaces ethernet counters",
            port=_OF_PORT,
            headings=(lazy(r"PFC (?P<priority>[0-7]):?"), lazy(r"TC (?P<tc>[0-7]):?"), lazy(r"(?P<way>[RT]x):?")),
            words={"Rx": "received", "Tx": "sent"},
            rows=(
                Row(lazy(r"(?P<frames>[0-9]{1,20}) pause packets"), {"priorities.{priority}.pause_{way}": "frames"}),
                Row(lazy(r"(?P<drops>[0-9]{1,20}) unicast no buffer discard"), {"queues.{tc}.drops": "drops"}),
                Row(lazy(r"(?P<early>[0-9]{1,20}) WRED discard"), {"queues.{tc}.drops": "early"}, called="WRED"),
            ),
        ),
        Form(
            command=lazy(r"show interfaces? ethernet(?: [0-9]\S{0,10})?(?: counters)?"),
            source="show interfaces ethernet",
            port=_OF_PORT,
            headings=(lazy(r"(?P<way>[RT]x):?"),),
            rows=(
                Row(lazy(r"(?P<crc>[0-9]{1,20}) fcs errors"), {"crc_errors": "crc"}),
                Row(lazy(r"(?P<wrong>[0-9]{1,20}) error packets"), {"receive_errors": "wrong"}, below={"way": "Rx"}),
            ),
        ),
    ),
    _names,
)
