"""What the statements mean on an Intel E800: RoCE or iWARP, the firmware's agent, classes, congestion control."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.irdma.driver import (
    CONTROL,
    FIRMWARE_AGENT,
    MODULE_DCQCN,
    MODULE_PORTS,
    MODULE_ROCE,
    MODULE_VALID,
    NUMBERS,
    PARAMETER,
    SPEAKS_IWARP,
)
from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import OFFERS_IWARP, OFFERS_ROCE, VENDOR
from roce_audit.values import Cell, Cited, absent, known

_DRIVERS = ("ice", "irdma", "i40e", "idpf")
_VENDOR = "0x8086"
_TOOLS = {"ice private flags", "irdma control"}
_CLASSES = Cited(
    "Intel, README of the ice and irdma drivers: a priority belongs to one traffic class in both directions, and PFC acts on"
    " the class"
)
_ONLY_IWARP = Cited("Intel, README of the irdma driver: the X722 (driver i40e) speaks iWARP alone")
_NO_DSCP = Cited("Intel, README of the ice driver: there is no L3 (DSCP) QoS while the firmware's LLDP agent is on")
_WILLING = Cited("Intel, README of the ice driver: the firmware's LLDP agent is always willing")
_DEFAULT_OFF = Cited("Intel, README of the irdma driver: congestion control for RoCEv2 is off unless it is switched on")
_SIZES_ITSELF = Cited("Intel, README of the ice driver: no setting takes a cable length")
_NO_CNP_MARK = Cited("no tool was found that shows or sets the code point of CNPs (source: unverified)")
_ALL = frozenset(range(8))


def _is_mine(nic: NicSettings) -> bool:
    driver = nic.cell("nic.driver")
    if driver is not None and driver.is_known:
        return driver.get() in _DRIVERS
    vendor = nic.cell(VENDOR)
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    return bool(nic.tools & _TOOLS)


def _conclude(nic: NicSettings) -> None:
    _protocol(nic)
    _agent(nic)
    hostdcb.by_application_table(nic)
    _without_dscp(nic)
    hostdcb.pfc_runs(nic)
    hostdcb.buffers_follow_queues(nic, _CLASSES)
    _control(nic)
    hostdcb.has_no(nic, _SIZES_ITSELF, "cable_m")
    hostdcb.has_no(nic, _NO_CNP_MARK, "nic.cnp_dscp")


def _protocol(nic: NicSettings) -> None:
    """A port speaks RoCEv2 or iWARP. What the device shows of itself wins over what the module was loaded with."""
    driver = nic.cell("nic.driver")
    if driver is not None and driver.is_known and driver.get() == "i40e":
        nic.conclude("kind", known("iwarp", *driver.at, _ONLY_IWARP))
        return
    for note, means_iwarp in ((SPEAKS_IWARP, True), (OFFERS_IWARP, True), (OFFERS_ROCE, False)):
        said = nic.cell(note)
        if said is not None and said.is_known:
            if said.get() is means_iwarp and means_iwarp:
                nic.conclude("kind", known("iwarp", *said.at))
            if said.get():
                return
    kind = nic.cell("kind")
    if kind is not None and kind.is_known and kind.get() == "iwarp":
        return
    module, ports = nic.cell(MODULE_ROCE), nic.cell(MODULE_PORTS)
    masked = ports is not None and not (ports.is_known and ports.get() == 0)
    not_known = next((cell for cell in (module, ports) if cell is not None and cell.is_unknown), None)
    if module is None:
        return
    if not_known is not None:
        nic.conclude("kind", not_known)
    elif not module.get() and not masked:
        nic.conclude("kind", known("iwarp", *module.at, *(ports.at if ports is not None else ())))


def _agent(nic: NicSettings) -> None:
    agent = nic.cell(FIRMWARE_AGENT)
    if agent is None:
        return
    if agent.is_unknown:
        nic.conclude("dcbx.owner", agent)
        return
    nic.set("dcbx.owner", "firmware" if agent.get() else "os", *agent.at)
    if agent.get():
        nic.conclude("dcbx.willing", known(True, *agent.at, _WILLING))


def _without_dscp(nic: NicSettings) -> None:
    """While the firmware's agent is on, the priority is that of the tag, and of packets without one the default."""
    agent = nic.cell(FIRMWARE_AGENT)
    if agent is None or not agent.is_known or not agent.get():
        return
    nic.conclude("trust", known("pcp", *agent.at, _NO_DSCP))
    lowest: Cell[int] = known(0, *agent.at, _NO_DSCP)
    for code in range(64):
        nic.conclude(f"dscp.{code}", lowest)
    for tag in range(8):
        nic.conclude(f"pcp.{tag}", known(tag, *agent.at))


def _control(nic: NicSettings) -> None:
    """Congestion control is switched for the whole device, in both roles at once."""
    switches = {name: nic.cell(CONTROL[name]) for name in ("dcqcn", "dctcp", "timely")}
    module = nic.cell(MODULE_DCQCN)
    if switches["dcqcn"] is None and module is not None and module.is_known:
        switches["dcqcn"] = module
    said = {name: cell for name, cell in switches.items() if cell is not None}
    not_known = next((cell for cell in said.values() if cell.is_unknown), None)
    on = {name: cell for name, cell in said.items() if cell.is_known and cell.get()}
    if on:
        name, cell = next(iter(on.items()))
        nic.conclude("nic.dcqcn.algorithm", known(name, *cell.at))
        decided: Cell[Any] = known(_ALL, *cell.at)
    elif not_known is not None:
        nic.conclude("nic.dcqcn.algorithm", not_known)
        decided = not_known
    elif said:
        at = tuple(where for cell in said.values() for where in cell.at)
        decided = known(frozenset(), *at, *(() if len(said) == 3 else (_DEFAULT_OFF,)))
        nic.conclude("nic.dcqcn.algorithm", absent(*at))
    else:
        return
    for side in ("np", "rp"):
        nic.conclude(f"nic.dcqcn.{side}_priorities", decided)
    _parameters(nic)


def _parameters(nic: NicSettings) -> None:
    """Parameters count where the module was told that they are valid; the driver's own values are documented nowhere."""
    valid = nic.cell(MODULE_VALID)
    for name in NUMBERS:
        value = nic.cell(PARAMETER[name])
        if value is not None and valid is not None and valid.is_known and valid.get():
            nic.conclude(f"nic.dcqcn.{name}", value)


IRDMA = Family(name="irdma", is_mine=_is_mine, conclude=_conclude)
