"""Rows that the statement tables of several command lines share.

Their types: `count` and `mbps` (a speed in Mbit/s, read as bit/s), and `fec` (a code by the platform's word for it).
"""

from __future__ import annotations

from typing import NamedTuple

from roce_audit.text.statements.rows import ABSENT, Maker, Reset, Row, Set, row, sets


class Connected(NamedTuple):
    """The speed at which a port is connected, as an answer shows it, bit/s."""

    bps: int


SHUTDOWN = row("shutdown", sets("admin_up", False), no=True)
SPEED = (
    row("speed <value:mbps>", sets("speed_bps"), no=ABSENT, no_form="speed <_:count>"),
    row("speed auto", sets("speed_bps", ABSENT), no=ABSENT, no_form="speed [auto]"),
)
CONNECTED = row("connected <bps:mbps>", Connected, "speed_bps link_up")
SHOWN_OFF = row("pfc shown off", sets("pfc.shown_off", True), no=None)
"""What an answer says that shows PFC as switched off on a port."""
FEC = row("fec <value:fec>", sets("fec"), no=ABSENT)


def shared_channel(text: str, what: str, *, no_form: str = "") -> Row:
    """The row of a statement that makes a port channel one of two switches: its `<name:...>` is what both call it."""
    path = "shared_channel"
    return row(text, _called(path, what), path, no=Reset((path,)), no_form=no_form)


def _called(path: str, what: str) -> Maker:
    return lambda name: Set((path,), f"{what} {name}")
