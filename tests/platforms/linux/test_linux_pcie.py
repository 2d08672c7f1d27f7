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


LSPCI = """15:00.0 PCI bridge: Switch
\t\tLnkSta:\tSpeed 2.5GT/s, Width x1
18:00.0 Ethernet controller: Mellanox Technologies MT2910 Family [ConnectX-7]
\tCapabilities: [60] Express (v2) Endpoint, MSI 00
\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16, ASPM not supported
\t\tLnkSta:\tSpeed {link}
9a:00.0 Ethernet controller: Intel Corporation I350
\t\tLnkSta:\tSpeed 5GT/s (ok), Width x4 (ok)
"""
LOG = """[    4.1] mlx5_core 0000:18:00.0: {rate} Gb/s available PCIe bandwidth (32.0 GT/s PCIe x16 link)
[    4.2] igb 0000:9a:00.0: 2.000 Gb/s available PCIe bandwidth (5.0 GT/s PCIe x1 link)
"""


def slot(*answers: tuple[str, str]):
    files = answer("sysfs", f"/sys/class/net/ens1/mtu:9000\n/sys/class/net/ens1/device/uevent:PCI_SLOT_NAME={NIC}\n")
    return only_port(host(*(answer(*one) for one in answers), files)).facts.nic.get().pcie_gbps


@pytest.mark.parametrize(
    ("link", "rate"),
    [("32GT/s, Width x16", 504), ("32GT/s, Width x8 (downgraded)", 252), ("8GT/s (downgraded), Width x16", 126)],
)
def test_the_link_of_a_nic_as_lspci_shows_it(link: str, rate: int) -> None:
    assert slot(("lspci -vv", LSPCI.format(link=link))).get() == rate


def test_lspci_of_somebody_who_may_not_see_capabilities_says_nothing() -> None:
    assert (
        slot(("lspci -vv", "18:00.0 Ethernet controller: X\n\tCapabilities: <access denied>\n")).why is Why.NOT_VISIBLE
    )


def test_the_slowest_link_on_the_way_as_the_kernel_printed_it_last() -> None:
    assert slot(("dmesg", LOG.format(rate="504.112") + LOG.format(rate="63.008"))).get() == 63
    both = ("lspci -vv", LSPCI.format(link="32GT/s, Width x16")), ("dmesg -T", LOG.format(rate="126.016"))
    assert slot(*both).get() == 126
