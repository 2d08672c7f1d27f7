"""What data center bridging settings mean on NICs that follow the IEEE tables: how packets are classified, what PFC runs."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import DEFAULT_PRIORITY, HAS_DSCP_ENTRIES, PRIORITY_OF_DSCP
from roce_audit.values import Cell, Cited, Where, Why, absent, known

UNMAPPED = Cited(
    "IEEE 802.1Q-2018, application priority table: a DSCP without an entry falls back to the tag of the packet, and without one"
    " to the default priority of the port, 0 unless set"
)


def pfc_runs(nic: NicSettings) -> None:
    """The tools ask the driver, and that the firmware: what they show is what runs."""
    running = nic.cell("pfc.priorities")
    if running is None:
        return
    nic.conclude("pfc.operational", running)
    mode = known("on" if running.get() else "off", *running.at) if running.is_known else running
    nic.conclude("pfc.mode", mode)


def by_application_table(nic: NicSettings) -> None:
    """A packet's priority is that of its DSCP in the application table, else the default priority of the port.

    `_dscp_entries` (some DSCP has an entry, or none has) is only said where the whole table was shown.
    """
    table = nic.cell(HAS_DSCP_ENTRIES)
    for code in range(64):
        entry = nic.cell(PRIORITY_OF_DSCP[code])
        if entry is not None:
            nic.conclude(f"dscp.{code}", entry)
        elif table is not None:
            nic.conclude(f"dscp.{code}", untagged(nic, table))
    if table is None or not table.is_known:
        return
    nic.conclude("trust", known("dscp" if table.get() else "pcp", *table.at))
    if not table.get():
        for tag in range(8):
            nic.conclude(f"pcp.{tag}", known(tag, *table.at))


def untagged(nic: NicSettings, because: Cell[Any]) -> Cell[Any]:
    """The priority of a packet that nothing classifies; `because` says that nothing does."""
    if because.is_unknown:
        return because
    default = nic.cell(DEFAULT_PRIORITY)
    if default is None:
        return known(0, *because.at, UNMAPPED)
    return known(default.get(), *because.at, *default.at) if default.is_known else default


def buffers_follow_queues(nic: NicSettings, source: Cited) -> None:
    """On NICs with one map for both directions a priority fills the receive buffer of its traffic class.

    Such a NIC's firmware sizes the buffers itself: nobody can set or see their bytes.
    """
    queues = [nic.cell(f"priorities.{priority}.queue") for priority in range(8)]
    if all(queue is None for queue in queues):
        return
    for priority, queue in enumerate(queues):
        if queue is not None and nic.cell(f"priorities.{priority}.group") is None:
            group = Cell(queue.value, queue.why, (*queue.at, source))
            nic.conclude(f"priorities.{priority}.group", group)
            nic.conclude(f"classes.{priority}.group", group)
    for number in range(8):
        if nic.cell(f"groups.{number}.reserved_bytes") is None:
            nic.conclude(f"groups.{number}.reserved_bytes", absent(source))


def has_no(nic: NicSettings, source: Cited, *paths: str) -> None:
    """What this family of NICs does not have, so that nothing has to be looked for."""
    for path in paths:
        if nic.cell(path) is None:
            nic.conclude(path, absent(source))


def no_such_class(nic: NicSettings, number: int, *at: Where) -> None:
    """A traffic class beyond those that the NIC has: it has no share, and no limit unless one is shown."""
    queue = f"queues.{number}"
    nic.conclude(f"{queue}.share", absent(*at))
    nic.conclude(f"{queue}.share_kind", known("percent_exact", *at))
    if nic.cell(f"{queue}.max_rate_bps") is None:
        nic.conclude(f"{queue}.max_rate_bps", absent(*at))


def lives_elsewhere(nic: NicSettings, *at: Where) -> None:
    """The settings of this port are another system's: nothing that the host shows of them holds."""
    for path in ("pfc", "dscp", "pcp", "trust", "queues", "groups", "classes", "priorities", "dcbx", "nic.dcqcn"):
        nic.set_unknown(path, Why.NOT_VISIBLE, *at)
