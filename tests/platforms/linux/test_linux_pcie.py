"""The PCIe tree: a NIC behind the same root port as a GPU shares a switch with it."""

from __future__ import annotations

import pytest
from host_answers import answer, host, only_port

from roce_audit.values import Why

NIC, GPU, VGA = "0000:18:00.0", "0000:19:00.0", "0000:03:00.0"
SWITCH = "pci0000:15/0000:15:01.0/0000:16:00.0"


def tree(nic: str, gpu: str) -> str:
    rows = {NIC: nic, GPU: gpu, VGA: f"pci0000:00/0000:00:1c.0/{VGA}"}
    links = "".join(
        f"lrwxrwxrwx 1 root root 0 Nov 21 15:22 {address} -> ../../../devices/{way}\n" for address, way in rows.items()
    )
    return f"total 0\n{links}"


def near(listing: str, vendor: str = "0x10de", code: str = "0x030200"):
    files = (
        f"/sys/class/net/ens1/mtu:9000\n/sys/class/net/ens1/device/uevent:PCI_SLOT_NAME={NIC}\n"
        f"/sys/bus/pci/devices/{GPU}/class:{code}\n/sys/bus/pci/devices/{GPU}/vendor:{vendor}\n"
        f"/sys/bus/pci/devices/{VGA}/class:0x030000\n/sys/bus/pci/devices/{VGA}/vendor:0x1a03\n"
    )
    answers = (answer("sysfs", files), answer("ls -l /sys/bus/pci/devices", listing))
    return only_port(host(*answers)).facts.nic.get().near_gpu


def test_one_switch() -> None:
    assert near(tree(f"{SWITCH}/0000:17:00.0/{NIC}", f"{SWITCH}/0000:17:01.0/{GPU}")).get() is True


def test_two_root_ports() -> None:
    assert near(tree(f"pci0000:15/0000:15:01.0/{NIC}", f"pci0000:15/0000:15:02.0/{GPU}")).get() is False


@pytest.mark.parametrize(("vendor", "code"), [("0x1a03", "0x030000"), ("0x8086", "0x030000"), ("0x10de", "0x068000")])
def test_what_is_no_gpu(vendor: str, code: str) -> None:
    listing = tree(f"{SWITCH}/0000:17:00.0/{NIC}", f"{SWITCH}/0000:17:01.0/{GPU}")
    assert near(listing, vendor, code).get() is False


def test_a_function_that_is_not_listed_is_not_visible() -> None:
    assert near("total 0\n").why is Why.NOT_VISIBLE
