"""A switch that exists nowhere: what one folder must hold to be a platform."""

from __future__ import annotations

from roce_audit.platforms.record import Live, Parts, Platform
from roce_audit.platforms.signature import CONFIGURATION, Form


def _load() -> Parts:
    from .parts import PARTS

    return PARTS


PLATFORM = Platform(
    name="toyos",
    kind="switch",
    load=_load,
    comment="!",
    signature=(
        Form(commands=CONFIGURATION, marks={r"^! toy release \d": 95}),
        Form(commands=CONFIGURATION, marks={r"^interface brick\d": 30, r"^ lossless priority \d": 30}),
    ),
    commands=("show release", "show running-config"),
    needs={"pfc": "show running-config", "speed_bps": "nothing of this platform"},
    live=Live(access="cli", device_type="generic", configuration="show running-config", end="end"),
    aliases=("toy.bricks.toyos", "toy-os"),
    factory_names=("toybox",),
)
