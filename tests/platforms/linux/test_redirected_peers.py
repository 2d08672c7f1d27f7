"""Access Control Services at the ports of PCIe switches, where GPUs are below them."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

LINKS = '[{"ifindex": 4, "ifname": "mlx5_0", "port": 1, "state": "ACTIVE", "netdev": "ens1"}]'
BRIDGE = "17:00.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0)\n"
DOWNSTREAM = "\tCapabilities: [68] Express (v2) Downstream Port (Slot+), MSI 00\n"
CONTROL = "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir{} CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-\n"
GPU = "19:00.0 3D controller: NVIDIA Corporation GH100 [H100 SXM5 80GB] (rev a1)\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BRIDGE + DOWNSTREAM + CONTROL.format("+") + GPU, [("a/lspci.txt", 3)]),
        (BRIDGE + DOWNSTREAM + CONTROL.format("-") + GPU, []),
        (BRIDGE + DOWNSTREAM + CONTROL.format("+"), []),
        (BRIDGE + DOWNSTREAM.replace("Downstream", "Root") + CONTROL.format("+") + GPU, []),
        (BRIDGE + DOWNSTREAM + GPU + CONTROL.format("+"), []),
    ],
)
def test_ports_of_switches_that_redirect(text: str, told: list[tuple[str, int]]) -> None:
    documents = (Document("a/rdma.json", LINKS, "rdma -j link show"), Document("a/lspci.txt", text, "lspci -vvv"))
    seen = platform("linux").read(DeviceInput("a", "linux", documents)).seen
    assert [(one.place.path, one.place.line) for one in seen] == told
    assert all(one.ports == ("ens1",) for one in seen)
