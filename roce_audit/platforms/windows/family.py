"""What the statements mean on a Windows adapter: what it runs with wins for what runs, what the host was told for the rest."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.windows import adapters, policies
from roce_audit.platforms.windows.adapters import (
    ANY_PFC,
    FLOW_ALONE,
    FLOW_OF,
    QOS_ENABLED,
    RDMA_RUNS,
    RUNNING,
    RUNNING_PFC,
    TABLE,
    TABLE_SHARE,
    TOLD,
    TOLD_ALONE,
    Classes,
)
from roce_audit.values import Cell, Cited, Why, known, unknown

_TOOLS = frozenset(tool.name for tool in (*adapters.TOOLS, *policies.TOOLS))
_TAGGED = Cited(
    "Microsoft, Data Center Bridging: QoS policies write the 802.1p priority, and traffic classes are chosen by it"
)


def _is_mine(nic: NicSettings) -> bool:
    return bool(nic.tools & _TOOLS)


def _conclude(nic: NicSettings) -> None:
    _tables(nic)
    _pfc(nic)
    _classes(nic)
    _rdma(nic)
    for tag in range(8):
        nic.conclude(f"pcp.{tag}", known(tag, _TAGGED))


def _rdma(nic: NicSettings) -> None:
    """Whether RoCE is on. What is switched on and does not run is off, where the adapter has a link, without which nothing runs."""
    runs, link = nic.cell(RDMA_RUNS), nic.cell("link_up")
    if link is None:
        does_run = runs is not None and runs.or_else(False)
        nic.conclude("link_up", known(True, *runs.at) if runs is not None and does_run else unknown(Why.NOT_VISIBLE))
    if nic.cell("nic.cma_mode") is None:
        nic.conclude("nic.cma_mode", unknown(Why.NOT_VISIBLE))
    if nic.cell("nic.roce") is None:
        nic.conclude("nic.roce", unknown(Why.NOT_VISIBLE))
    elif runs is not None and runs.is_known and not runs.get() and link is not None and link.is_known:
        nic.conclude("nic.roce", known(False, *runs.at, *link.at))


def _tables(nic: NicSettings) -> None:
    """Of the tables of `OperationalSettings` only the classes count that serve a priority."""
    used = {cell.get() for n in range(8) if (cell := nic.cell(RUNNING.of_priority[n])) is not None and cell.is_known}
    for number in used:
        tsa, share = nic.cell(TABLE[number]), nic.cell(TABLE_SHARE[number])
        if tsa is None:
            continue
        if not tsa.is_known:
            nic.set_unknown(RUNNING.selection[number], tsa.why or Why.NOT_PARSED, *tsa.at)
            continue
        nic.set(RUNNING.selection[number], tsa.get(), *tsa.at)
        if tsa.get() == "ets" and share is not None and share.is_known:
            nic.set(RUNNING.share[number], share.get(), *share.at)


def _pfc(nic: NicSettings) -> None:
    """An adapter whose QoS is off pauses nothing, whatever the host was told."""
    enabled, running = nic.cell(QOS_ENABLED), nic.cell(RUNNING_PFC)
    told = _told(nic)
    paused = nic.cell(ANY_PFC)
    # by Get-NetAdapterRdma, which names no priorities
    is_shown = running is None and paused is not None and paused.is_known
    none_runs = is_shown and paused is not None and not paused.get()
    if enabled is not None and (enabled.is_unknown or not enabled.get()):
        configured: Cell[Any] | None = enabled if enabled.is_unknown else known(frozenset(), *enabled.at)
    else:
        # what the host was not told to pause no adapter pauses; what it was told to, one whose QoS is on, or that is seen to pause
        is_sure = enabled is not None or none_runs or (paused is not None and paused.or_else(False))
        configured = told if told is not None and (is_sure or told.value == frozenset()) else running
    if none_runs and paused is not None:
        running = known(frozenset(), *paused.at)
    if running is not None:
        nic.conclude("pfc.operational", running)
    if configured is None:
        return
    nic.conclude("pfc.priorities", configured)
    mode = known("on" if configured.get() else "off", *configured.at) if configured.is_known else configured
    nic.conclude("pfc.mode", mode)


def _told(nic: NicSettings) -> Cell[Any] | None:
    """Priorities with flow control; known where all eight were listed."""
    flow = FLOW_ALONE if nic.keys(FLOW_ALONE) else FLOW_OF
    switches = [nic.cell(flow[priority]) for priority in range(8)]
    listed = [cell for cell in switches if cell is not None]
    if len(listed) < 8:
        return None
    not_known = next((cell for cell in listed if cell.is_unknown), None)
    if not_known is not None:
        return not_known
    on = frozenset(priority for priority, cell in enumerate(listed) if cell.get())
    rarer = len(on) * 2 <= len(listed)
    policy = nic.cell(policies.SMB_DIRECT_PRIORITY)
    meant = policy.get() if policy is not None and policy.is_known else None
    # first the rows that decide; of rows that say the same, that of the priority that SMB Direct is given
    ordered = sorted(range(8), key=lambda priority: (listed[priority].get() is not rarer, priority != meant))
    return known(on, *(where for priority in ordered for where in listed[priority].at))


def _classes(nic: NicSettings) -> None:
    """The traffic classes that the adapter runs with, else those that it or the host was told."""
    source = next((source for source in (RUNNING, TOLD_ALONE, TOLD) if nic.keys(source.selection)), None)
    if source is not None:
        _scheduling(nic, source)


def _scheduling(nic: NicSettings, source: Classes) -> None:
    listed = [nic.cell(source.selection[number]) for number in range(8)]
    at = tuple(where for cell in listed if cell is not None for where in cell.at)
    for number in range(8):
        if listed[number] is None:
            hostdcb.no_such_class(nic, number, *at)
        tsa, share = nic.cell(source.selection[number]), nic.cell(source.share[number])
        queue = nic.cell(source.of_priority[number])
        if tsa is not None:
            scheduling = {"strict": "strict", "ets": "weighted"}
            nic.conclude(
                f"queues.{number}.scheduling",
                known(scheduling[tsa.get()], *tsa.at) if tsa.is_known else tsa,
            )
            nic.conclude(f"queues.{number}.share_kind", known("percent_exact", *tsa.at) if tsa.is_known else tsa)
        if share is not None:
            nic.conclude(f"queues.{number}.share", share)
        elif tsa is not None and tsa.is_known:
            nic.set_absent(f"queues.{number}.share", *tsa.at)
        if queue is not None:
            nic.conclude(f"classes.{number}.queue", queue)
            nic.conclude(f"priorities.{number}.queue", queue)


WINDOWS = Family(name="windows", is_mine=_is_mine, conclude=_conclude, shell="powershell")
