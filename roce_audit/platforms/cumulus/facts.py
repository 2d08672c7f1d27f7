"""From the statements that concern one port to its facts: a pure function, memoised over the fleet."""

from __future__ import annotations

from roce_audit.model import Port
from roce_audit.platforms.cumulus.classify import classification, remarking
from roce_audit.platforms.cumulus.flow import flow_control, link_pause, watchdog
from roce_audit.platforms.cumulus.fold import Context, Fold, Problem
from roce_audit.platforms.cumulus.queues import curves, mapping, scheduling, shaping
from roce_audit.platforms.cumulus.tables import DEFAULTS
from roce_audit.platforms.shared.memo import memoised
from roce_audit.text.block import Part
from roce_audit.text.fill import Lack, fill
from roce_audit.values import Cited, Why, absent, known, unknown

_RELEASES = "what storage-optimized sets differs between releases: the datapath files tell"


@memoised
def read_port(parts: tuple[Part, ...], context: Context) -> tuple[Port, tuple[Problem, ...]]:
    """The facts of a port, and what was odd about them; equal statements give the same object."""
    fold = Fold(parts, context)
    _interface(fold)
    _older_macro(fold)
    classification(fold)
    remarking(fold)
    mapping(fold)
    scheduling(fold)
    shaping(fold)
    curves(fold)
    flow_control(fold)
    link_pause(fold)
    watchdog(fold)
    always = {"kind", "nic", "dcbx.owner", "classes.*.group", "priorities.*.group"}
    port: Port = fill(Port, fold.settings, Lack(DEFAULTS, context.tells | always))
    return port, tuple(fold.problems)


def _interface(fold: Fold) -> None:
    settings = fold.settings
    settings.set("kind", fold.context.kind)
    for name, path, channel_first in (
        ("link speed", "speed_bps", False),
        ("link fec", "fec", False),
        ("link auto-negotiate", "autoneg", False),
        ("link state", "admin_up", False),
        ("link mtu", "ip_mtu_bytes", True),  # a member takes the MTU of its bond
        ("operational-pfc", "pfc.operational", False),
    ):
        said = fold.port_says(name, channel_first=channel_first)
        if said is not None:
            settings.set_cell(path, absent(said[1]) if said[0] is None else known(*said))
    if fold.macro is not None:
        settings.set("dcbx.mode", "ieee", *fold.macro_at, Cited(fold.macro.source))
    _policers(fold)


def _policers(fold: Fold) -> None:
    lists = dict(fold.context.policing)
    for said, at in fold.own:
        if said.field == "acl":
            if said.value not in lists:
                fold.settings.set_cell("policed", unknown(Why.NOT_VISIBLE, at))
            elif lists[str(said.value)]:
                fold.settings.set("policed", True, at)


def _older_macro(fold: Fold) -> None:
    """`net add interface X storage-optimized`: what it sets stands in the datapath files."""
    said = fold.port_says("qos storage-optimized")
    if said is not None:
        for path in ("pfc", "groups", "queues", "dscp", "pcp", "trust"):
            fold.settings.forbid_default(path, Why.NO_DEFAULT, said[1], Cited(_RELEASES))
