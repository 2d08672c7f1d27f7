"""What the statements mean on a ConnectX or BlueField: how packets are classified, who speaks DCBX, what PFC really does."""

from __future__ import annotations

from typing import Any

from roce_audit.platforms.mlnx import ecn
from roce_audit.platforms.mlnx.config import (
    EMBEDDED_CPU,
    FIRMWARE_DCBX,
    FIRMWARE_LLDP,
    FIRMWARE_WILLING,
    LEGACY,
    OFFLOAD_ENGINE,
    PROGRAMMABLE,
)
from roce_audit.platforms.shared.host import dcb as hostdcb
from roce_audit.platforms.shared.host.answers import Family
from roce_audit.platforms.shared.host.nicsettings import NicSettings
from roce_audit.platforms.shared.host.notes import (
    DEFAULT_PRIORITY,
    HAS_DSCP_ENTRIES,
    PFC_DELAY,
    PRIORITY_OF_DSCP,
    VENDOR,
)
from roce_audit.values import Cell, Cited, Why, absent, known, unknown

_UNTAGGED = Cited(
    "NVIDIA MLNX_OFED documentation, Quality of Service: with trust pcp untagged packets take the default priority, 0"
)
_TOOLS = frozenset({"mlnx_qos", "mlxconfig", "ofed ecn", "ofed qos", "mlx5 cc_params", "ibdev2netdev"})
_VENDOR = "0x15b3"


def _is_mine(nic: NicSettings) -> bool:
    driver = nic.cell("nic.driver")
    if driver is not None and driver.is_known:
        return str(driver.get()).startswith(("mlx5", "mlx4"))
    vendor = nic.cell(VENDOR)
    if vendor is not None and vendor.is_known:
        return bool(vendor.get() == _VENDOR)
    device = nic.cell("nic.rdma_device")
    if device is not None and device.is_known and str(device.get()).startswith(("mlx5_", "mlx4_")):
        return True
    return bool(nic.tools & _TOOLS)


def _conclude(nic: NicSettings) -> None:
    device = nic.cell("nic.rdma_device")
    if nic.cell("nic.driver") is None and device is not None and str(device.or_else("")).startswith("mlx5_"):
        nic.conclude("nic.driver", known("mlx5_core", *device.at))  # its RDMA devices alone have such names
    _algorithm(nic)
    ecn.conclude(nic)
    _classes(nic)
    _dcbx(nic)
    delay = nic.cell(PFC_DELAY)
    if delay is not None and delay.is_unknown:
        nic.conclude("cable_m", delay)
    elif delay is not None and delay.get() > 0:
        # mlnx_qos prints the same netlink value as "Cable len"
        nic.set("cable_m", delay.get(), *delay.at)
    hostdcb.pfc_runs(nic)
    _marks_of_cnps(nic)
    _embedded(nic)
    _next_boot(nic)


def _embedded(nic: NicSettings) -> None:
    """On a BlueField in DPU mode the host sees a function of the DPU's own switch: the port is set up on the DPU."""
    cpu, offload = nic.cell(EMBEDDED_CPU), nic.cell(OFFLOAD_ENGINE)
    if cpu is None or not cpu.is_known or not cpu.get():
        return
    if offload is not None and offload.is_known and not offload.get():
        return
    at = cpu.at + (offload.at if offload is not None and offload.is_known else ())
    nic.conclude("kind", known("dpu", *at))
    hostdcb.lives_elsewhere(nic, *at)


def _algorithm(nic: NicSettings) -> None:
    """With programmable congestion control the DCQCN parameters are not the active algorithm's, unless DCQCN alone may run."""
    for when, path in (("now", "nic.dcqcn.algorithm"), ("next", "nic.next_boot.nic.dcqcn.algorithm")):
        programmable, legacy = nic.cell(PROGRAMMABLE[when]), nic.cell(LEGACY[when])
        if programmable is None or not programmable.is_known or not programmable.get():
            continue
        if legacy is None or (legacy.is_known and not legacy.get()):
            nic.set(path, "programmable", *programmable.at)
        elif legacy.is_unknown:
            nic.set_unknown(path, legacy.why or Why.NOT_PARSED, *legacy.at)


def _marks_of_cnps(nic: NicSettings) -> None:
    """A mark that CNPs take over from the packets that they answer is not the one that is set for them."""
    for boot in ("nic.", "nic.next_boot.nic."):
        takes = nic.cell(f"{boot}cnp_takes_dscp")
        if takes is not None and takes.is_known and takes.get():
            nic.set_unknown(f"{boot}cnp_dscp", Why.NO_DEFAULT, *takes.at)


def _next_boot(nic: NicSettings) -> None:
    """RoCE is gone after a boot that makes the port InfiniBand; where the firmware's settings say no such thing, nobody asks."""
    link, roce = nic.cell("nic.next_boot.nic.link_layer"), nic.cell("nic.next_boot.nic.roce")
    if link is not None and (link.is_unknown or link.get() == "infiniband"):
        nic.conclude("nic.next_boot.nic.roce", known(False, *link.at) if link.is_known else link)
        return
    if roce is None and nic.has_below("nic.next_boot"):
        nic.conclude("nic.next_boot.nic.roce", absent())


def _classes(nic: NicSettings) -> None:
    """The class of a packet is its priority: by the DSCP map with trust dscp, by the tag with trust pcp."""
    entries = nic.cell(HAS_DSCP_ENTRIES)
    if entries is not None and entries.is_known:
        # the driver trusts DSCP as long as the application table holds a DSCP entry; where the state itself is shown it decides, for
        # entries may be left while the port trusts tags (mlx5, en_dcbnl.c, mlx5e_trust_initialize)
        nic.set_fallback("trust", "dscp" if entries.get() else "pcp", *entries.at)
    trust = nic.or_unknown("trust")
    for code in range(64):
        nic.conclude(f"dscp.{code}", _by_dscp(nic, trust, code))
    for tag in range(8):
        nic.conclude(f"pcp.{tag}", _by_tag(trust, tag))


def _by_dscp(nic: NicSettings, trust: Cell[Any], code: int) -> Cell[Any]:
    if not trust.is_known:
        return _doubt(trust)
    if trust.get() == "dscp":
        mapped = nic.or_unknown(PRIORITY_OF_DSCP[code])
        if mapped.is_known:
            return known(mapped.get(), *dict.fromkeys((*mapped.at, *trust.at)))
        return mapped
    if trust.get() == "pcp":
        default = nic.cell(DEFAULT_PRIORITY)
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


def _dcbx(nic: NicSettings) -> None:
    """Firmware settings of DCBX hold where the firmware is in charge; where they were not seen, nobody knows whether it is willing.

    The driver makes a port willing that it hands over (mlx5, en_dcbnl.c, mlx5e_dcbnl_set_dcbx_mode); whether the firmware speaks
    DCBX at all is a setting of its own, and acts only while its LLDP sends and hears all (mstflint, LLDP_NB_DCBX).
    """
    owner, firmware = nic.cell("dcbx.owner"), nic.cell(FIRMWARE_DCBX)
    if owner is None:
        return
    unseen = firmware is None and nic.cell("dcbx.willing") is None and nic.cell(FIRMWARE_WILLING) is None
    if unseen and owner.is_unknown:
        nic.conclude("dcbx.willing", owner)
    if owner.value_or_none() != "firmware":
        return
    if unseen:
        nic.conclude("dcbx.willing", unknown(Why.NOT_VISIBLE, *owner.at))
    if firmware is None or not firmware.is_known:
        return
    ways = [cell for way in ("sends", "hears") if (cell := nic.cell(FIRMWARE_LLDP[way])) is not None]
    silent = next((cell for cell in (firmware, *ways) if cell.is_known and not cell.get()), None)
    if silent is not None:
        nic.conclude("dcbx.mode", known("off", *silent.at, *owner.at))
        return
    nic.conclude("dcbx.mode", known("auto", *firmware.at, *owner.at))
    willing = nic.cell(FIRMWARE_WILLING)
    if willing is not None:
        nic.conclude("dcbx.willing", willing)


CONNECTX = Family(name="mlnx", is_mine=_is_mine, conclude=_conclude)
