"""What the statements mean on a Windows adapter: what it runs with wins for what runs, what the host was told for the rest."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.claims import Facts
from roce_audit.platforms.windows import adapters, policies
from roce_audit.values import Cell, Cited, Why, known, unknown

_TOOLS = frozenset(tool.name for tool in (*adapters.TOOLS, *policies.TOOLS))
_TAGGED = Cited(
    "Microsoft, Data Center Bridging: QoS policies write the 802.1p priority, and traffic classes are chosen by it"
)


def _is_mine(facts: Facts) -> bool:
    return bool(facts.tools & _TOOLS)


def _conclude(facts: Facts) -> None:
    _tables(facts)
    _pfc(facts)
    _classes(facts)
    if facts.cell("nic.roce") is None:
        facts.put("nic.roce", unknown(Why.NOT_VISIBLE))
    for tag in range(8):
        facts.put(f"pcp.{tag}", known(tag, _TAGGED))


def _tables(facts: Facts) -> None:
    """Of the tables of `OperationalSettings` only the classes count that serve a priority."""
    used = {cell.get() for n in range(8) if (cell := facts.cell(f"_running_class.{n}")) is not None and cell.is_known}
    for number in used:
        tsa, share = facts.cell(f"_table_tsa.{number}"), facts.cell(f"_table_share.{number}")
        if tsa is None:
            continue
        if not tsa.is_known:
            facts.doubt(f"_running_tsa.{number}", tsa.why or Why.NOT_PARSED, *tsa.at)
            continue
        facts.claim(f"_running_tsa.{number}", tsa.get(), *tsa.at)
        if tsa.get() == "ets" and share is not None and share.is_known:
            facts.claim(f"_running_share.{number}", share.get(), *share.at)


def _pfc(facts: Facts) -> None:
    """An adapter whose QoS is off pauses nothing, whatever the host was told."""
    enabled, running = facts.cell("_qos_enabled"), facts.cell("_running_pfc")
    told = _told(facts)
    if enabled is not None and (enabled.is_unknown or not enabled.get()):
        configured: Cell[Any] | None = enabled if enabled.is_unknown else known(frozenset(), *enabled.at)
    else:
        configured = told if told is not None and enabled is not None else running
    if running is not None:
        facts.put("pfc.operational", running)
    if configured is None:
        return
    facts.put("pfc.priorities", configured)
    mode = known("on" if configured.get() else "off", *configured.at) if configured.is_known else configured
    facts.put("pfc.mode", mode)


def _told(facts: Facts) -> Cell[Any] | None:
    """Priorities with flow control; known where all eight were listed."""
    switches = [facts.cell(f"_flow.{priority}") for priority in range(8)]
    listed = [cell for cell in switches if cell is not None]
    if len(listed) < 8:
        return None
    not_known = next((cell for cell in listed if cell.is_unknown), None)
    if not_known is not None:
        return not_known
    on = frozenset(priority for priority, cell in enumerate(listed) if cell.get())
    rarer = len(on) * 2 <= len(listed)
    ordered = sorted(listed, key=lambda cell: cell.get() is not rarer)
    return known(on, *(where for cell in ordered for where in cell.at))


def _classes(facts: Facts) -> None:
    """The traffic classes that the adapter runs with, else those that the host was told."""
    source = "_running" if any(True for _ in facts.below("_running_tsa")) else "_told"
    if source == "_running" or any(True for _ in facts.below("_told_tsa")):
        _scheduling(facts, source)


def _scheduling(facts: Facts, source: str) -> None:
    listed = [facts.cell(f"{source}_tsa.{number}") for number in range(8)]
    at = tuple(where for cell in listed if cell is not None for where in cell.at)
    for number in range(8):
        if listed[number] is None:
            hostdcb.no_such_class(facts, number, *at)
        tsa, share = facts.cell(f"{source}_tsa.{number}"), facts.cell(f"{source}_share.{number}")
        queue = facts.cell(f"{source}_class.{number}")
        if tsa is not None:
            scheduling = {"strict": "strict", "ets": "weighted"}
            facts.put(
                f"queues.{number}.scheduling",
                known(scheduling[tsa.get()], *tsa.at) if tsa.is_known else tsa,
            )
            facts.put(f"queues.{number}.share_kind", known("percent_exact", *tsa.at) if tsa.is_known else tsa)
        if share is not None:
            facts.put(f"queues.{number}.share", share)
        elif tsa is not None and tsa.is_known:
            facts.claim_absent(f"queues.{number}.share", *tsa.at)
        if queue is not None:
            facts.put(f"classes.{number}.queue", queue)
            facts.put(f"priorities.{number}.queue", queue)


WINDOWS = Family(name="windows", is_mine=_is_mine, conclude=_conclude, shell="powershell")
