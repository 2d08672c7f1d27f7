"""Switches and interfaces that the kickstart of a hypervisor sets up."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

KICKSTART = """vmaccepteula
%firstboot --interpreter=busybox
esxcli system module parameters set -m nmlx5_core -p "pfctx=0x08 pfcrx=0x08 trust_state=2"
esxcli network vswitch standard add -v storage
esxcli network vswitch standard set -v storage -m 9000
esxcli network vswitch standard portgroup add -v storage -p nvme-a
esxcli network ip interface add -i vmk4 -p nvme-a -m 9000
esxcli network ip interface tag add -i vmk4 -t NVMeRDMA
esxcli network ip interface add --interface-name=vmk5 --portgroup-name=nvme-a
"""


@pytest.mark.parametrize(
    ("sound", "slip", "lines"),
    [
        ("", "", []),
        ("storage -m 9000", "storage -m 1500", [5]),
        ("esxcli network vswitch standard set -v storage -m 9000\n", "", [4]),
        ("nvme-a -m 9000", "nvme-a -m 1500", [7]),
        ("nvme-a -m 9000", "nvme-a", [7]),
        ("storage -m 9000", "storage -m $MTU", []),
        ("-t NVMeRDMA", "-t VMotion", []),
    ],
)
def test_what_an_interface_for_rdma_carries(sound: str, slip: str, lines: list[int]) -> None:
    document = Document("ks.cfg", KICKSTART.replace(sound, slip) if sound else KICKSTART)
    found = platform("linux").read(DeviceInput("ks", "linux", (document,))).seen
    assert [(one.observation.kind, one.place.line) for one in found] == [("conflict", line) for line in lines]
