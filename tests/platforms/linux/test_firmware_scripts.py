"""`mlxconfig ... set` in a script: what the firmware of a NIC is to have after its next reset."""

from __future__ import annotations

from typing import Any

import pytest
from host_answers import answer, host

from roce_audit.values import Cell, Why

RAIL, PCI = "ens1f0np0", "0000:3b:00.0"
NIC = (
    f"/sys/class/net/{RAIL}/mtu:9000\n/sys/class/net/{RAIL}/device/uevent:DRIVER=mlx5_core\n"
    f"/sys/class/net/{RAIL}/device/uevent:PCI_SLOT_NAME={PCI}\n"
    f"/sys/class/infiniband/mlx5_0/ports/1/gid_attrs/ndevs/0:{RAIL}\n"
)


def _stored(line: str) -> tuple[Any, Any, Any]:
    """(CNP DSCP, priorities that answer marks, RoCE) of the firmware, or why they are not known."""
    (port,) = host(answer("sysfs", f"{NIC}/usr/local/sbin/fw.sh:{line}\n")).ports
    there = port.facts.nic.get().next_boot
    if not there.is_known or not there.get().nic.is_known:
        return (Why.NOT_VISIBLE,) * 3
    nic = there.get().nic.get()
    np = nic.dcqcn.get().np_priorities if nic.dcqcn.is_known else nic.dcqcn
    return _plain(nic.cnp_dscp), _plain(np), _plain(nic.roce)


def _plain(cell: Cell[Any]) -> Any:
    return cell.value if cell.is_known else HIDDEN if cell.is_absent else cell.why


HIDDEN = Why.NOT_VISIBLE


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        pytest.param(f"mlxconfig -d {PCI} -y set CNP_DSCP_P1=48", (48, HIDDEN, HIDDEN), id="by address"),
        pytest.param("mstconfig -y -d mlx5_0 s CNP_DSCP=0x30", (48, HIDDEN, HIDDEN), id="by RDMA device"),
        pytest.param(f"mlxconfig --dev={PCI} set ROCE_CC_PRIO_MASK_P1=0x9", (HIDDEN, {0, 3}, HIDDEN), id="mask"),
        pytest.param(f"mlxconfig -d {PCI} set ROCE_CONTROL=2 LINK_TYPE_P1=ETH", (HIDDEN, HIDDEN, True), id="RoCE on"),
        pytest.param(f"mlxconfig -d {PCI} set LINK_TYPE_P1=IB", (HIDDEN, HIDDEN, False), id="InfiniBand"),
        pytest.param(f"mlxconfig -d {PCI} set CNP_DSCP_P1=48 CNP_DSCP_P2=48", (48, HIDDEN, HIDDEN), id="both ports"),
        pytest.param(f"mlxconfig -d {PCI} set CNP_DSCP_P1=48 CNP_DSCP_P2=0", (HIDDEN,) * 3, id="ports that differ"),
        pytest.param(f"mlxconfig -d {PCI} set CNP_DSCP_P1=99", (Why.NOT_PARSED, HIDDEN, HIDDEN), id="no code point"),
        pytest.param(f"mlxconfig -d {PCI} set PCI_WR_ORDERING=1", (HIDDEN,) * 3, id="nothing of ours"),
        pytest.param(f"mlxconfig -d {PCI} -e query CNP_DSCP_P1", (HIDDEN,) * 3, id="a question"),
    ],
)
def test_what_the_firmware_will_have(line: str, expected: tuple[Any, Any, Any]) -> None:
    assert _stored(line) == expected


def test_a_misspelt_setting_is_told() -> None:
    reading = host(answer("sysfs", f"{NIC}/usr/local/sbin/fw.sh:mlxconfig -d {PCI} set CNP_DCSP_P1=48\n"))
    assert [one.place.line for one in reading.seen if one.observation.kind == "unread-line"] == [5]
