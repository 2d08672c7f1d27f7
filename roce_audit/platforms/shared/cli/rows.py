"""Rows that the statement tables of several command lines share.

Their types: `count` and `mbps` (a speed in Mbit/s, read as bit/s), and `fec` (a code by the platform's word for it).
"""

from __future__ import annotations

from roce_audit.text.statements.rows import ABSENT, row, sets

SHUTDOWN = row("shutdown", sets("admin_up", False), no=True)
SPEED = (
    row("speed <value:mbps>", sets("speed_bps"), no=ABSENT, no_form="speed <_:count>"),
    row("speed auto", sets("speed_bps", ABSENT), no=ABSENT, no_form="speed [auto]"),
)
FEC = row("fec <value:fec>", sets("fec"), no=ABSENT)
