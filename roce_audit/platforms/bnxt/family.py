"""What the statements mean on a Broadcom NetXtreme-E: one map of priorities to queues for both directions, one CC class."""

from __future__ import annotations

from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.claims import Facts
from roce_audit.values import Cited, Why, known, unknown

_VENDOR = "0x14e4"
_QUEUES = Cited(
    "Linux, drivers/net/ethernet/broadcom/bnxt/bnxt_dcb.c: one map of priorities to CoS queues for both directions,"
    " and a class with PFC is given a lossless queue or the request fails"
)
_SIZES_ITSELF = Cited(
    "Broadcom bnxt_setupcc.sh and niccli: no setting takes a cable length, the firmware sizes the buffers"
)
_OWN_ALGORITHM = Cited(
    "Broadcom bnxt_re, configfs cc: the rate recovers by the firmware's own algorithm, without such a parameter"
)
_MARKING = {"niccli qos", "bnxtqos", "niccli pfc", "niccli dscp2prio", "bnxtqos dscp2prio", "niccli pri2cos"}
_CONTROL = {"bnxt_re cc", "bnxt_re cc dump"}


def _is_mine(facts: Facts) -> bool:
    driver = facts.cell("nic.driver")
    if driver is not None and driver.is_known:
        return str(driver.get()).startswith("bnxt")
    vendor = facts.cell("_vendor")
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    device = facts.cell("nic.rdma_device")
    if device is not None and device.is_known and str(device.get()).startswith("bnxt_re"):
        return True
    return bool(facts.tools & (_MARKING | _CONTROL))


def _conclude(facts: Facts) -> None:
    hostdcb.by_application_table(facts)
    hostdcb.pfc_runs(facts)
    hostdcb.buffers_follow_queues(facts, _QUEUES)
    _limits(facts)
    _classes_there(facts)
    _control(facts)
    hostdcb.has_no(facts, _SIZES_ITSELF, "cable_m")
    hostdcb.has_no(facts, _OWN_ALGORITHM, "nic.dcqcn.time_reset_us", "nic.dcqcn.byte_reset_bytes")


def _classes_there(facts: Facts) -> None:
    """The tools list the traffic classes that the NIC has."""
    count = facts.cell("_classes")
    if count is not None and count.is_known and facts.tools & {"niccli qos", "bnxtqos"}:
        for number in range(count.get(), 8):
            if facts.cell(f"_tsa.{number}") is None:
                hostdcb.no_such_class(facts, number, *count.at)


def _limits(facts: Facts) -> None:
    """Rate limits are percentages of the speed of the port; all of it is no limit."""
    speed = facts.cell("speed_bps")
    for number in range(8):
        limit, path = facts.cell(f"_limit.{number}"), f"queues.{number}.max_rate_bps"
        if limit is None or facts.cell(path) is not None:
            continue
        if limit.is_unknown:
            facts.put(path, limit)
        elif limit.get() == 0:
            facts.claim_absent(path, *limit.at)  # a class that the NIC does not have
        elif speed is None and limit.get() == 100:
            facts.claim_absent(path, *limit.at)
        elif speed is None or not speed.is_known:
            facts.put(path, unknown(Why.NOT_VISIBLE, *limit.at) if speed is None else speed)
        else:
            facts.claim(path, speed.get() * limit.get() // 100, *limit.at, *speed.at)


def _control(facts: Facts) -> None:
    """Congestion control is on or off for one priority, that of RoCE, and for both roles at once."""
    on, priority = facts.or_unknown("_cc_on"), facts.or_unknown("_cc_priority")
    if on.why is Why.NOT_VISIBLE and priority.why is Why.NOT_VISIBLE:
        return
    for side in ("np", "rp"):
        path = f"nic.dcqcn.{side}_priorities"
        if on.is_known and not on.get():
            facts.put(path, known(frozenset(), *on.at))
        elif not on.is_known or not priority.is_known:
            facts.put(path, on if not on.is_known else priority)
        else:
            facts.put(path, known(frozenset({priority.get()}), *priority.at, *on.at))


BNXT = Family(name="bnxt", is_mine=_is_mine, conclude=_conclude)
