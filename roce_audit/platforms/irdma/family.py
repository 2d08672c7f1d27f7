"""What the statements mean on an Intel E800: RoCE or iWARP, the firmware's agent, classes, congestion control."""

from __future__ import annotations

from roce_audit.platforms.irdma.driver import NUMBERS
from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.claims import Facts
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


def _is_mine(facts: Facts) -> bool:
    driver = facts.cell("nic.driver")
    if driver is not None and driver.is_known:
        return driver.get() in _DRIVERS
    vendor = facts.cell("_vendor")
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    return bool(facts.tools & _TOOLS)


def _conclude(facts: Facts) -> None:
    _protocol(facts)
    _agent(facts)
    hostdcb.by_application_table(facts)
    _without_dscp(facts)
    hostdcb.pfc_runs(facts)
    hostdcb.buffers_follow_queues(facts, _CLASSES)
    _control(facts)
    hostdcb.has_no(facts, _SIZES_ITSELF, "cable_m")
    hostdcb.has_no(facts, _NO_CNP_MARK, "nic.cnp_dscp")


def _protocol(facts: Facts) -> None:
    """A port speaks RoCEv2 or iWARP. What the device shows of itself wins over what the module was loaded with."""
    driver = facts.cell("nic.driver")
    if driver is not None and driver.is_known and driver.get() == "i40e":
        facts.put("kind", known("iwarp", *driver.at, _ONLY_IWARP))
        return
    for note, means_iwarp in (("_speaks_iwarp", True), ("_enable_iwarp", True), ("_enable_roce", False)):
        said = facts.cell(note)
        if said is not None and said.is_known:
            if said.get() is means_iwarp and means_iwarp:
                facts.put("kind", known("iwarp", *said.at))
            if said.get():
                return
    kind = facts.cell("kind")
    if kind is not None and kind.is_known and kind.get() == "iwarp":
        return
    module, ports = facts.cell("_module_roce"), facts.cell("_module_ports")
    masked = ports is not None and not (ports.is_known and ports.get() == 0)
    not_known = next((cell for cell in (module, ports) if cell is not None and cell.is_unknown), None)
    if module is None:
        return
    if not_known is not None:
        facts.put("kind", not_known)
    elif not module.get() and not masked:
        facts.put("kind", known("iwarp", *module.at, *(ports.at if ports is not None else ())))


def _agent(facts: Facts) -> None:
    agent = facts.cell("_firmware_agent")
    if agent is None:
        return
    if agent.is_unknown:
        facts.put("dcbx.owner", agent)
        return
    facts.claim("dcbx.owner", "firmware" if agent.get() else "os", *agent.at)
    if agent.get():
        facts.put("dcbx.willing", known(True, *agent.at, _WILLING))


def _without_dscp(facts: Facts) -> None:
    """While the firmware's agent is on, the priority is that of the tag, and of packets without one the default."""
    agent = facts.cell("_firmware_agent")
    if agent is None or not agent.is_known or not agent.get():
        return
    facts.put("trust", known("pcp", *agent.at, _NO_DSCP))
    lowest: Cell[int] = known(0, *agent.at, _NO_DSCP)
    for code in range(64):
        facts.put(f"dscp.{code}", lowest)
    for tag in range(8):
        facts.put(f"pcp.{tag}", known(tag, *agent.at))


def _control(facts: Facts) -> None:
    """Congestion control is switched for the whole device, in both roles at once."""
    switches = {name: facts.cell(f"_control_{name}") for name in ("dcqcn", "dctcp", "timely")}
    module = facts.cell("_module_dcqcn")
    if switches["dcqcn"] is None and module is not None and module.is_known:
        switches["dcqcn"] = module
    said = {name: cell for name, cell in switches.items() if cell is not None}
    not_known = next((cell for cell in said.values() if cell.is_unknown), None)
    on = {name: cell for name, cell in said.items() if cell.is_known and cell.get()}
    if on:
        name, cell = next(iter(on.items()))
        facts.put("nic.dcqcn.algorithm", known(name, *cell.at))
        decided: Cell[frozenset[int]] = known(_ALL, *cell.at)
    elif not_known is not None:
        facts.put("nic.dcqcn.algorithm", not_known)
        decided = not_known
    elif said:
        at = tuple(where for cell in said.values() for where in cell.at)
        decided = known(frozenset(), *at, *(() if len(said) == 3 else (_DEFAULT_OFF,)))
        facts.put("nic.dcqcn.algorithm", absent(*at))
    else:
        return
    for side in ("np", "rp"):
        facts.put(f"nic.dcqcn.{side}_priorities", decided)
    _parameters(facts)


def _parameters(facts: Facts) -> None:
    """Parameters count where the module was told that they are valid; the driver's own values are documented nowhere."""
    valid = facts.cell("_module_valid")
    for name in NUMBERS:
        value = facts.cell(f"_irdma_{name}")
        if value is not None and valid is not None and valid.is_known and valid.get():
            facts.put(f"nic.dcqcn.{name}", value)


IRDMA = Family(name="irdma", is_mine=_is_mine, conclude=_conclude)
