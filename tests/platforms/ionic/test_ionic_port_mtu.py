"""The MTU of a Pollara card's Ethernet port: it bounds the network device where nothing shows that one's own."""

from __future__ import annotations

import pytest

from roce_audit.platforms import platform
from roce_audit.text.document import DeviceInput, Document

PORT = """NIC  : 42424650-4c32-3531-3230-303443000000 (0000:f6:00.0)

Port : 04908130-a7a0-4242-4242-000011010000 (eth1/1)
  Spec:
    Pause type                               : PFC
    MTU                                      : {}
"""
QOS_OF = """NIC : 42424650-4c32-3531-3230-303443000000 (0000:f6:00.0)

Lif id : 43000070-0100-0000-4242-04908130a7a0
ROCE device : ionic_0
"""
LINK = '[{{"ifname":"ens1","mtu":{}}}]'


@pytest.mark.parametrize(
    ("port", "link", "mtu"), [(1500, None, 1500), (9216, None, None), (1500, 9000, 9000), (9216, 9000, 9000)]
)
def test_mtu(port: int, link: int | None, mtu: int | None) -> None:
    documents = [
        Document("port.txt", PORT.format(port), "nicctl show port"),
        Document("dcqcn.txt", QOS_OF, "nicctl show dcqcn"),
        Document("rdma.txt", '[{"ifname":"ionic_0","port":1,"netdev":"ens1"}]', "rdma -j link show"),
    ]
    if link is not None:
        documents.append(Document("link.txt", LINK.format(link), "ip -j -d link show"))
    found = platform("linux").read(DeviceInput("host", "linux", tuple(documents)))
    (nic,) = (one.facts for one in found.ports if one.name == "ens1")
    assert nic.ip_mtu_bytes.value == mtu
