"""What the statements mean on a Broadcom NetXtreme-E: one map of priorities to queues for both directions, one CC class."""

from __future__ import annotations

from roce_audit.platforms.bnxt.control import CONTROL_ON, CONTROL_PRIORITY
from roce_audit.platforms.bnxt.niccli import LIMIT
from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import CLASSES, SELECTION, VENDOR
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


def _is_mine(nic: NicSettings) -> bool:
    driver = nic.cell("nic.driver")
    if driver is not None and driver.is_known:
        return str(driver.get()).startswith("bnxt")
    vendor = nic.cell(VENDOR)
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    device = nic.cell("nic.rdma_device")
    if device is not None and device.is_known and str(device.get()).startswith("bnxt_re"):
        return True
    return bool(nic.tools & (_MARKING | _CONTROL))


def _conclude(nic: NicSettings) -> None:
    hostdcb.by_application_table(nic)
    hostdcb.pfc_runs(nic)
    hostdcb.buffers_follow_queues(nic, _QUEUES)
    _limits(nic)
    _classes_there(nic)
    _control(nic)
    hostdcb.has_no(nic, _SIZES_ITSELF, "cable_m")
    hostdcb.has_no(nic, _OWN_ALGORITHM, "nic.dcqcn.time_reset_us", "nic.dcqcn.byte_reset_bytes")


def _classes_there(nic: NicSettings) -> None:
    """The tools list the traffic classes that the NIC has."""
    count = nic.cell(CLASSES)
    if count is not None and count.is_known and nic.tools & {"niccli qos", "bnxtqos"}:
        for number in range(count.get(), 8):
            if nic.cell(SELECTION[number]) is None:
                hostdcb.no_such_class(nic, number, *count.at)


def _limits(nic: NicSettings) -> None:
    """Rate limits are percentages of the speed of the port; all of it is no limit."""
    speed = nic.cell("speed_bps")
    for number in range(8):
        limit, path = nic.cell(LIMIT[number]), f"queues.{number}.max_rate_bps"
        if limit is None or nic.cell(path) is not None:
            continue
        if limit.is_unknown:
            nic.conclude(path, limit)
        elif limit.get() == 0:
            nic.set_absent(path, *limit.at)  # a class that the NIC does not have
        elif speed is None and limit.get() == 100:
            nic.set_absent(path, *limit.at)
        elif speed is None or not speed.is_known:
            nic.conclude(path, unknown(Why.NOT_VISIBLE, *limit.at) if speed is None else speed)
        else:
            nic.set(path, speed.get() * limit.get() // 100, *limit.at, *speed.at)


def _control(nic: NicSettings) -> None:
    """Congestion control is on or off for one priority, that of RoCE, and for both roles at once."""
    on, priority = nic.or_unknown(CONTROL_ON), nic.or_unknown(CONTROL_PRIORITY)
    if on.why is Why.NOT_VISIBLE and priority.why is Why.NOT_VISIBLE:
        return
    for side in ("np", "rp"):
        path = f"nic.dcqcn.{side}_priorities"
        if on.is_known and not on.get():
            nic.conclude(path, known(frozenset(), *on.at))
        elif not on.is_known or not priority.is_known:
            nic.conclude(path, on if not on.is_known else priority)
        else:
            nic.conclude(path, known(frozenset({priority.get()}), *priority.at, *on.at))


BNXT = Family(name="bnxt", is_mine=_is_mine, conclude=_conclude)
