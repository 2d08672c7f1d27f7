"""RDMA devices of which no answer names the network device, as in a sosreport: the MAC address in the GUID does."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

DEVINFO = "hca_id:\t{}\n\tnode_guid:\t\t\t{}\n\tport:\t1\n\t\tactive_mtu:\t\t1024 (3)\n\t\tlink_layer:\t\tEthernet\n"
LINK = """{}: {}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT group default
    link/ether {} brd ff:ff:ff:ff:ff:ff
"""


def mtus(guid: str, *macs: str, host: str = "gpu1") -> dict[str, int | None]:
    devices = DEVINFO.format("mlx5_0", guid) + DEVINFO.format("mlx5_1", "b83f:d203:0099:9999").replace("1024", "4096")
    links = "".join(LINK.format(number, f"eth{number}", mac) for number, mac in enumerate(macs, 2))
    documents = (
        Document(f"{host}/b.txt", links, "ip -d link"),
        Document(f"{host}/a.txt", devices, "ibv_devinfo -v"),
    )
    reading = platform("linux").read(DeviceInput(host, "linux", documents))
    return {port.name: port.facts.nic.get().rdma_mtu_bytes.value_or_none() for port in reading.ports}


@pytest.mark.parametrize(
    ("guid", "mac"),
    [("b83f:d203:0011:2233", "b8:3f:d2:11:22:33"), ("be97:e1ff:fe01:0203", "bc:97:e1:01:02:03")],
    ids=["mlx5", "EUI-64"],
)
def test_the_network_device_that_has_the_address(guid: str, mac: str) -> None:
    for host in ("gpu1", "gpu2"):
        assert mtus(guid, "b8:3f:d2:11:22:99", mac, host=host) == {"eth2": None, "eth3": 1024, "mlx5_1": 4096}


@pytest.mark.parametrize("macs", [("b8:3f:d2:11:22:33", "b8:3f:d2:11:22:33"), ("b8:3f:d2:11:22:34",)])
def test_not_where_two_have_it_or_none(macs: tuple[str, ...]) -> None:
    found = mtus("b83f:d203:0011:2233", *macs)
    assert found.pop("mlx5_0") == 1024
    assert set(found.values()) == {None, 4096}


def test_the_pcie_slot_of_a_nic_that_ibdev2netdev_places() -> None:
    documents = (
        Document(
            "a.txt",
            "0000:17:00.0 mlx5_0 (MT4129 - MCX755106AS) CX7 fw 28.39 port 1 (ACTIVE) ==> rail0 (Up)\n",
            "ibdev2netdev -v",
        ),
        Document(
            "b.txt",
            "17:00.0 Ethernet controller: Mellanox Technologies MT2910\n\t\tLnkSta:\tSpeed 32GT/s (ok), Width x8 (downgraded)\n",
            "lspci -vv",
        ),
    )
    (port,) = platform("mlnx").read(DeviceInput("gpu1", "mlnx", documents)).ports
    assert port.facts.nic.get().pcie_gbps.value_or_none() == 252


@pytest.mark.parametrize(
    ("vendor", "model"), [("0x02c9", "MT4129"), ("0x14e4", None)], ids=["its name is its number", "it has another name"]
)
def test_the_model_of_a_device(vendor: str, model: str | None) -> None:
    ids = f"\tvendor_id:\t\t\t{vendor}\n\tvendor_part_id:\t\t\t4129\n"
    text = DEVINFO.format("mlx5_0", "b83f:d203:0011:2233").replace("\tport:", f"{ids}\tport:")
    reading = platform("linux").read(DeviceInput("gpu1", "linux", (Document("a.txt", text, "ibv_devinfo"),)))
    assert [port.facts.nic.get().model_name.value_or_none() for port in reading.ports] == [model]
