"""What the statements mean on a ConnectX or BlueField: how packets are classified, who speaks DCBX, what PFC really does."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.mlnx import ecn
from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.claims import Facts
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

_UNTAGGED = Cited(
    "NVIDIA MLNX_OFED documentation, Quality of Service: with trust pcp untagged packets take the default priority, 0"
)
_TOOLS = frozenset({"mlnx_qos", "mlxconfig", "ofed ecn", "ofed qos", "mlx5 cc_params", "ibdev2netdev"})
_VENDOR = "0x15b3"


def _is_mine(facts: Facts) -> bool:
    driver = facts.cell("nic.driver")
    if driver is not None and driver.is_known:
        return str(driver.get()).startswith(("mlx5", "mlx4"))
    vendor = facts.cell("_vendor")
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    device = facts.cell("nic.rdma_device")
    if device is not None and device.is_known and str(device.get()).startswith(("mlx5_", "mlx4_")):
        return True
    return bool(facts.tools & _TOOLS)


def _conclude(facts: Facts) -> None:
    ecn.conclude(facts)
    _classes(facts)
    _dcbx(facts)
    delay = facts.cell("_pfc_delay")
    if delay is not None and delay.is_unknown:
        facts.put("cable_m", delay)
    elif delay is not None and delay.get() > 0:
        # mlnx_qos prints the same netlink value as "Cable len"
        facts.claim("cable_m", delay.get(), *delay.at)
    hostdcb.pfc_runs(facts)
    _embedded(facts)
    _next_boot(facts)


def _embedded(facts: Facts) -> None:
    """On a BlueField in DPU mode the host sees a function of the DPU's own switch: the port is set up on the DPU."""
    cpu, offload = facts.cell("_embedded_cpu"), facts.cell("_offload_engine")
    if cpu is None or not cpu.is_known or not cpu.get():
        return
    if offload is not None and offload.is_known and not offload.get():
        return
    at = cpu.at + (offload.at if offload is not None and offload.is_known else ())
    facts.put("kind", known("dpu", *at))
    hostdcb.lives_elsewhere(facts, *at)


def _next_boot(facts: Facts) -> None:
    """RoCE is gone after a boot that makes the port InfiniBand; where the firmware's settings say no such thing, nobody asks."""
    link, roce = facts.cell("nic.next_boot.nic.link_layer"), facts.cell("nic.next_boot.nic.roce")
    if link is not None and (link.is_unknown or link.get() == "infiniband"):
        facts.put("nic.next_boot.nic.roce", known(False, *link.at) if link.is_known else link)
        return
    if roce is None and any(facts.below("nic.next_boot")):
        facts.put("nic.next_boot.nic.roce", absent())


def _classes(facts: Facts) -> None:
    """The class of a packet is its priority: by the DSCP map with trust dscp, by the tag with trust pcp."""
    entries = facts.cell("_dscp_entries")
    if entries is not None and entries.is_known:
        # the driver trusts DSCP as long as the application table holds a DSCP entry
        if entries.get():
            facts.claim("trust", "dscp", *entries.at)
        else:
            facts.suggest("trust", "pcp", *entries.at)
    trust = facts.or_unknown("trust")
    for code in range(64):
        facts.put(f"dscp.{code}", _by_dscp(facts, trust, code))
    for tag in range(8):
        facts.put(f"pcp.{tag}", _by_tag(trust, tag))


def _by_dscp(facts: Facts, trust: Cell[Any], code: int) -> Cell[Any]:
    if not trust.is_known:
        return _doubt(trust)
    if trust.get() == "dscp":
        mapped = facts.or_unknown(f"_dscp2prio.{code}")
        if mapped.is_known:
            return known(mapped.get(), *dict.fromkeys((*mapped.at, *trust.at)))
        return mapped
    if trust.get() == "pcp":
        default = facts.cell("_default_prio")
        if default is None:
            return known(0, *trust.at, _UNTAGGED)
        return known(default.get(), *default.at, *trust.at) if default.is_known else default
    return unknown(Why.NO_DEFAULT, *trust.at)


def _by_tag(trust: Cell[Any], tag: int) -> Cell[Any]:
    if not trust.is_known:
        return _doubt(trust)
    if trust.get() == "pcp":
        return known(tag, *trust.at)
    return unknown(Why.NO_DEFAULT, *trust.at)  # by the packet's DSCP, whatever its tag says


def _doubt(cell: Cell[Any]) -> Cell[Any]:
    return cell if cell.is_unknown else unknown(Why.NO_DEFAULT, *cell.at)


def _dcbx(facts: Facts) -> None:
    """Firmware settings of DCBX hold where the firmware is in charge."""
    owner, firmware = facts.cell("dcbx.owner"), facts.cell("_firmware_dcbx")
    if owner is None or not owner.is_known or owner.get() != "firmware" or firmware is None or not firmware.is_known:
        return
    if not firmware.get():
        facts.put("dcbx.mode", known("off", *firmware.at, *owner.at))
        return
    facts.put("dcbx.mode", known("auto", *firmware.at, *owner.at))
    willing = facts.cell("_firmware_willing")
    if willing is not None:
        facts.put("dcbx.willing", willing)


CONNECTX = Family(name="mlx5", is_mine=_is_mine, conclude=_conclude)
