"""What the statements mean on an AMD Pollara: priorities are queues, PFC needs the port's pause type as well."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.ionic.cards import PAUSE, PAUSE_TYPE, PORT_MTU
from roce_audit.platforms.ionic.qos import CONTROL_ON, NO_DROP, PRIORITY_OF_TAG, SCHEDULED
from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import PRIORITY_OF_DSCP, VENDOR
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

_VENDOR = "0x1dd8"
_TOOLS = {"nicctl qos", "nicctl dcqcn", "nicctl port", "nicctl lif"}
_QUEUES = Cited(
    "AMD, nicctl show qos: scheduling and no-drop are set per priority, so each priority is a queue of its own"
)
_ALONE = Cited("a priority that is alone in the scheduling table shares the link with none")
_UNTAGGED = Cited("AMD, nicctl: classification by PCP leaves packets without a tag in priority 0 (source: unverified)")
_SIZES_ITSELF = Cited("AMD, nicctl update qos: no setting takes a cable length")
_ALL = frozenset(range(8))
_LARGEST_DEVICE_MTU = 9000


def _is_mine(nic: NicSettings) -> bool:
    driver = nic.cell("nic.driver")
    if driver is not None and driver.is_known:
        return bool(driver.get() == "ionic")
    vendor = nic.cell(VENDOR)
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    device = nic.cell("nic.rdma_device")
    if device is not None and device.is_known and str(device.get()).startswith("ionic"):
        return True
    return bool(nic.tools & _TOOLS)


def _conclude(nic: NicSettings) -> None:
    _classes(nic)
    _queues(nic)
    _pause(nic)
    _pfc(nic)
    _control(nic)
    _mtu(nic)
    hostdcb.has_no(nic, _SIZES_ITSELF, "cable_m")


def _mtu(nic: NicSettings) -> None:
    """Where the network device's was not seen, that of the card's port, which carries no more.

    Above what devices are set to, the port has room for headers, and says nothing of the device.
    """
    port = nic.cell(PORT_MTU)
    if port is not None and nic.cell("ip_mtu_bytes") is None and (port.is_unknown or port.get() <= _LARGEST_DEVICE_MTU):
        nic.conclude("ip_mtu_bytes", port)


def _classes(nic: NicSettings) -> None:
    """By DSCP, or by the tag; the whole map is listed."""
    trust = nic.cell("trust")
    if trust is None:
        hostdcb.by_application_table(nic)  # of dcb, where the driver has it
        return
    for code in range(64):
        nic.conclude(f"dscp.{code}", _by_dscp(nic, trust, code))
    for tag in range(8):
        nic.conclude(f"pcp.{tag}", _by_tag(nic, trust, tag))


def _by_dscp(nic: NicSettings, trust: Cell[Any], code: int) -> Cell[Any]:
    if not trust.is_known:
        return trust
    if trust.get() == "pcp":
        return known(0, *trust.at, _UNTAGGED)
    mapped = nic.or_unknown(PRIORITY_OF_DSCP[code])
    return known(mapped.get(), *mapped.at, *trust.at) if mapped.is_known else mapped


def _by_tag(nic: NicSettings, trust: Cell[Any], tag: int) -> Cell[Any]:
    if not trust.is_known:
        return trust
    if trust.get() == "dscp":
        return unknown(Why.NO_DEFAULT, *trust.at)  # by the packet's DSCP, whatever its tag says
    mapped = nic.cell(PRIORITY_OF_TAG[tag])
    return known(tag, *trust.at) if mapped is None else mapped


def _queues(nic: NicSettings) -> None:
    """Priorities that the scheduling table does not list are not in use: they have neither a share nor a limit."""
    listed = [nic.cell(SCHEDULED[number]) for number in range(8)]
    at = tuple(where for cell in listed if cell is not None for where in cell.at)
    in_use = [number for number, cell in enumerate(listed) if cell is not None]
    if len(in_use) == 1:  # the factory's table: one priority, with a share of 0
        nic.conclude(f"queues.{in_use[0]}.share", absent(*at, _ALONE))
    if at:
        for number, cell in enumerate(listed):
            if cell is None and nic.cell(f"queues.{number}.share") is None:
                hostdcb.no_such_class(nic, number, *at)
    if not nic.tools & {"nicctl qos"}:
        return
    for priority in range(8):
        for what in ("classes", "priorities"):
            if nic.cell(f"{what}.{priority}.queue") is None:
                nic.conclude(f"{what}.{priority}.queue", known(priority, _QUEUES))
    hostdcb.buffers_follow_queues(nic, _QUEUES)


def _pause(nic: NicSettings) -> None:
    """802.3x pause is sent and obeyed where the port's pause type is LINK."""
    kind = nic.cell(PAUSE_TYPE)
    if kind is None:
        return
    for side in ("rx", "tx"):
        path, switch = f"link_pause_{side}", nic.or_unknown(PAUSE[side])
        if not kind.is_known:
            nic.conclude(path, kind)
        elif kind.get() != "link":
            nic.set(path, False, *kind.at)
        elif switch.is_known:
            nic.set(path, switch.get(), *switch.at, *kind.at)
        else:
            nic.conclude(path, switch)


def _pfc(nic: NicSettings) -> None:
    """The no-drop priorities, as far as the port's pause type is PFC and pause is neither refused nor withheld."""
    wanted = nic.cell(NO_DROP)
    if wanted is None:
        return
    switches: list[Cell[Any] | None] = [nic.cell(PAUSE["rx"]), nic.cell(PAUSE["tx"])]
    kind = nic.cell(PAUSE_TYPE)
    not_known = next((cell for cell in (wanted, kind, *switches) if cell is not None and cell.is_unknown), None)
    off = next((cell for cell in switches if cell is not None and cell.is_known and not cell.get()), None)
    if kind is not None and kind.is_known and kind.get() != "pfc":
        off = kind
    if off is not None:
        nic.conclude("pfc.priorities", known(frozenset(), *off.at))
    elif not_known is not None:
        nic.conclude("pfc.priorities", not_known)
    else:
        nic.conclude("pfc.priorities", wanted)
    hostdcb.pfc_runs(nic)


def _control(nic: NicSettings) -> None:
    """Congestion control is on or off for the RDMA device, in both roles and for all priorities."""
    on = nic.cell(CONTROL_ON)
    if on is None:
        return
    priorities = known(_ALL if on.get() else frozenset(), *on.at) if on.is_known else on
    for side in ("np", "rp"):
        nic.conclude(f"nic.dcqcn.{side}_priorities", priorities)
    nic.conclude("nic.dcqcn.algorithm", known("dcqcn", *on.at) if on.is_known else on)


IONIC = Family(name="ionic", is_mine=_is_mine, conclude=_conclude, keeps_settings=True)
"""A persona of the card keeps settings over a boot (AMD, guides of the Pollara card)."""
