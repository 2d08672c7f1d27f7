"""What the statements mean on an AMD Pollara: priorities are queues, PFC needs the port's pause type as well."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.claims import Facts
from roce_audit.values import Cell, Cited, Why, known, unknown

_VENDOR = "0x1dd8"
_TOOLS = {"nicctl qos", "nicctl dcqcn", "nicctl port", "nicctl lif"}
_QUEUES = Cited(
    "AMD, nicctl show qos: scheduling and no-drop are set per priority, so each priority is a queue of its own"
)
_UNTAGGED = Cited("AMD, nicctl: classification by PCP leaves packets without a tag in priority 0 (source: unverified)")
_SIZES_ITSELF = Cited("AMD, nicctl update qos: no setting takes a cable length")
_ALL = frozenset(range(8))


def _is_mine(facts: Facts) -> bool:
    driver = facts.cell("nic.driver")
    if driver is not None and driver.is_known:
        return bool(driver.get() == "ionic")
    vendor = facts.cell("_vendor")
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    device = facts.cell("nic.rdma_device")
    if device is not None and device.is_known and str(device.get()).startswith("ionic"):
        return True
    return bool(facts.tools & _TOOLS)


def _conclude(facts: Facts) -> None:
    _classes(facts)
    _queues(facts)
    _pause(facts)
    _pfc(facts)
    _control(facts)
    hostdcb.has_no(facts, _SIZES_ITSELF, "cable_m")


def _classes(facts: Facts) -> None:
    """By DSCP, or by the tag; the whole map is listed."""
    trust = facts.cell("trust")
    if trust is None:
        hostdcb.by_application_table(facts)  # of dcb, where the driver has it
        return
    for code in range(64):
        facts.put(f"dscp.{code}", _by_dscp(facts, trust, code))
    for tag in range(8):
        facts.put(f"pcp.{tag}", _by_tag(facts, trust, tag))


def _by_dscp(facts: Facts, trust: Cell[Any], code: int) -> Cell[Any]:
    if not trust.is_known:
        return trust
    if trust.get() == "pcp":
        return known(0, *trust.at, _UNTAGGED)
    mapped = facts.or_unknown(f"_dscp2prio.{code}")
    return known(mapped.get(), *mapped.at, *trust.at) if mapped.is_known else mapped


def _by_tag(facts: Facts, trust: Cell[Any], tag: int) -> Cell[Any]:
    if not trust.is_known:
        return trust
    if trust.get() == "dscp":
        return unknown(Why.NO_DEFAULT, *trust.at)  # by the packet's DSCP, whatever its tag says
    mapped = facts.cell(f"_pcp2prio.{tag}")
    return known(tag, *trust.at) if mapped is None else mapped


def _queues(facts: Facts) -> None:
    """Priorities that the scheduling table does not list are not in use: they have neither a share nor a limit."""
    listed = [facts.cell(f"_scheduled.{number}") for number in range(8)]
    at = tuple(where for cell in listed if cell is not None for where in cell.at)
    if at:
        for number, cell in enumerate(listed):
            if cell is None and facts.cell(f"queues.{number}.share") is None:
                hostdcb.no_such_class(facts, number, *at)
    if not facts.tools & {"nicctl qos"}:
        return
    for priority in range(8):
        for what in ("classes", "priorities"):
            if facts.cell(f"{what}.{priority}.queue") is None:
                facts.put(f"{what}.{priority}.queue", known(priority, _QUEUES))
    hostdcb.buffers_follow_queues(facts, _QUEUES)


def _pause(facts: Facts) -> None:
    """802.3x pause is sent and obeyed where the port's pause type is LINK."""
    kind = facts.cell("_pause_type")
    if kind is None:
        return
    for side in ("rx", "tx"):
        path, switch = f"link_pause_{side}", facts.or_unknown(f"_{side}_pause")
        if not kind.is_known:
            facts.put(path, kind)
        elif kind.get() != "link":
            facts.claim(path, False, *kind.at)
        elif switch.is_known:
            facts.claim(path, switch.get(), *switch.at, *kind.at)
        else:
            facts.put(path, switch)


def _pfc(facts: Facts) -> None:
    """The no-drop priorities, as far as the port's pause type is PFC and pause is neither refused nor withheld."""
    wanted = facts.cell("_no_drop")
    if wanted is None:
        return
    switches = [facts.cell("_rx_pause"), facts.cell("_tx_pause")]
    kind = facts.cell("_pause_type")
    not_known = next((cell for cell in (wanted, kind, *switches) if cell is not None and cell.is_unknown), None)
    off = next((cell for cell in switches if cell is not None and cell.is_known and not cell.get()), None)
    if kind is not None and kind.is_known and kind.get() != "pfc":
        off = kind
    if off is not None:
        facts.put("pfc.priorities", known(frozenset(), *off.at))
    elif not_known is not None:
        facts.put("pfc.priorities", not_known)
    else:
        facts.put("pfc.priorities", wanted)
    hostdcb.pfc_runs(facts)


def _control(facts: Facts) -> None:
    """Congestion control is on or off for the RDMA device, in both roles and for all priorities."""
    on = facts.cell("_control")
    if on is None:
        return
    priorities = known(_ALL if on.get() else frozenset(), *on.at) if on.is_known else on
    for side in ("np", "rp"):
        facts.put(f"nic.dcqcn.{side}_priorities", priorities)
    facts.put("nic.dcqcn.algorithm", known("dcqcn", *on.at) if on.is_known else on)


IONIC = Family(name="ionic", is_mine=_is_mine, conclude=_conclude, keeps_settings=True)
"""A persona of the card keeps settings over a boot (AMD, guides of the Pollara card)."""
