"""Which NICs have no link, and what they run with, as the tools of hosts show it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.policy import load_text
from roce_audit.text.document import DeviceInput, Document
from roce_audit.values import Place

RDMA = '[{"ifindex":0,"ifname":"mlx5_1","port":1,"state":"ACTIVE","physical_state":"LINK_UP","netdev":"ens2f0np0"}]'
DEVINFO = "hca_id:\tmlx5_1\n\ttransport:\t\t\tInfiniBand (0)\n\t\tport:\t1\n\t\t\tstate:\t\t\t{}\n\t\t\tactive_mtu:\t\t4096 (5)\n"
IBSTAT = "CA 'mlx5_1'\n\tCA type: MT4129\n\tPort 1:\n\t\tState: {}\n\t\tPhysical state: {}\n\t\tRate: {}\n\t\tLink layer: Ethernet\n"
MLXLINK = (
    "Operational Info\n----------------\nState              : {}\nPhysical state     : {}\nSpeed              : {}\n"
)


def read(answers: Mapping[str, str], platform: str = "linux") -> tuple[bool, int | None, list[Place]]:
    """Whether the only NIC has no link, its speed, and where it is told that it has none."""
    documents = tuple(
        Document(f"{number}.txt", text, command) for number, (command, text) in enumerate(answers.items())
    )
    reading = platforms.platform(platform).read(DeviceInput("gpu3", platform, documents))
    (port,) = reading.ports
    places = [one.place for one in reading.seen if one.observation.kind == "no-link"]
    return port.labels.no_link, port.facts.speed_bps.value_or_none(), places


@pytest.mark.parametrize(
    ("command", "text", "line"),
    [
        ("ibv_devinfo", DEVINFO.format("PORT_DOWN (1)"), 4),
        ("ibv_devinfo -d mlx5_1", DEVINFO.format("PORT_DOWN (1)"), 4),
        ("ibstat", IBSTAT.format("Down", "Disabled", 40), 4),
        ("mlxlink -d mlx5_1", MLXLINK.format("Polling", "ETH_AN_FSM_ENABLE", "N/A"), 3),
        ("rdma link show", "link mlx5_1/1 state DOWN physical_state DISABLED netdev ens2f0np0\n", 1),
        ("ibdev2netdev", "mlx5_1 port 1 ==> ens2f0np0 (Down)\n", 1),
    ],
)
def test_a_nic_has_no_link(command: str, text: str, line: int) -> None:
    no_link, speed, places = read({"rdma -j link show": RDMA, command: text})
    assert no_link
    assert speed is None
    assert [place.line for place in places] == [line]


@pytest.mark.parametrize(
    ("command", "text", "speed"),
    [
        ("ibv_devinfo", DEVINFO.format("PORT_ACTIVE (4)"), None),
        ("ibstat", IBSTAT.format("Active", "LinkUp", 200), 200),
        ("mlxlink -d mlx5_1", MLXLINK.format("Active", "LinkUp", "200G"), 200),
        ("mlxlink -d mlx5_1", MLXLINK.format("Active", "ETH_AN_FSM_ENABLE", "400G_4X"), 400),
    ],
)
def test_a_nic_has_a_link(command: str, text: str, speed: int | None) -> None:
    assert read({"rdma -j link show": RDMA, command: text}) == (False, speed and speed * 10**9, [])


def test_the_speed_of_the_network_device_counts_before_that_of_its_rdma_device() -> None:
    ethtool = "Settings for ens2f0np0:\n\tSpeed: 400000Mb/s\n\tLink detected: yes\n"
    answers = {"rdma -j link show": RDMA, "ethtool ens2f0np0": ethtool, "ibstat": IBSTAT.format("Active", "LinkUp", 40)}
    assert read(answers) == (False, 400 * 10**9, [])


def test_the_same_answer_of_another_host_is_told_at_its_own_lines() -> None:
    for first in (1, 40):
        documents = (
            Document("b.txt", RDMA, "rdma -j link show"),
            Document("b.txt", DEVINFO.format("PORT_DOWN (1)"), "ibv_devinfo -d mlx5_1", first_line=first),
        )
        reading = platforms.platform("linux").read(DeviceInput("gpu", "linux", documents))
        assert [one.place.line for one in reading.seen] == [first + 3]


def _card(**values: str) -> dict[str, str]:
    spec = {"id": "0490", "pause_type": "PFC", "port_speed": "400G", "mtu": "9216"}
    port = {"spec": spec, "status": {"operational_status": "UP", **values}}
    card = "42424650-4c32-3531-3230-303443000000"
    lif = {"spec": {"rdma_mtu": "4096"}, "status": {"name": "benic1p1"}}
    return {
        "ip -j -d link show": json.dumps([{"ifname": "benic1p1", "mtu": 9000, "flags": ["UP"], "link_type": "ether"}]),
        "rdma -j link show": RDMA.replace("ens2f0np0", "benic1p1"),
        "nicctl show lif --json": json.dumps({"nic": [{"id": card, "lif": [lif]}]}),
        "nicctl show port --json": json.dumps({"nic": [{"id": card, "port": [port]}]}),
    }


def test_the_port_of_a_card_has_no_link() -> None:
    assert read(_card(operational_status="DOWN"))[0]
    assert not read(_card())[0]


def test_the_code_that_runs_on_the_port_of_a_card() -> None:
    def code(**values: str) -> object:
        answers = _card(**values)
        documents = tuple(
            Document(f"{number}.txt", text, command) for number, (command, text) in enumerate(answers.items())
        )
        (port,) = platforms.platform("linux").read(DeviceInput("gpu3", "linux", documents)).ports
        return port.facts.fec.value_or_none()

    assert code(fec_type="RS") == "rs"
    assert code(fec_type="NONE") == "none"
    assert code(fec_type="NONE", operational_status="DOWN") is None


def _windows(tmp_path: Path, **changed: object) -> dict[str, str]:
    adapter = {"Name": "SMB2", "InterfaceDescription": "ConnectX-6", "Status": "Up", "LinkSpeed": "100 Gbps"}
    rdma = {"Name": "SMB2", "Enabled": True, "OperationalState": True, "PFC": True}
    answers = {
        "Get-NetAdapter": [adapter | {name: value for name, value in changed.items() if name in adapter}],
        "Get-NetAdapterRdma": [rdma | {name: value for name, value in changed.items() if name in rdma}],
        "Get-NetQosFlowControl": [{"Priority": number, "Enabled": number == 3} for number in range(8)],
        "Get-NetQosPolicy": [{"Name": "SMB", "NetDirectPort": 445, "PriorityValue": 3}],
    }
    folder = tmp_path / "hv1"
    folder.mkdir(exist_ok=True)
    for command, rows in answers.items():
        (folder / f"{command}.json").write_text(json.dumps(rows, indent=1))
    policy = load_text("roce: {priority: [3]}\nports: [{match: '*:*', roce: true}]\n", "roce-audit.yaml")
    report = check(Request((str(tmp_path),), policy)).report
    return {found.rule: found.severity for found in report.findings if found.verdict == "fails"}


def test_rdma_that_is_switched_on_and_does_not_run(tmp_path: Path) -> None:
    assert "app/roce-switched-off" not in _windows(tmp_path)
    assert _windows(tmp_path, OperationalState=False)["app/roce-switched-off"] == "error"
    assert "app/roce-switched-off" not in _windows(tmp_path, OperationalState=False, Status="Disconnected")


def test_pfc_that_is_configured_and_does_not_run(tmp_path: Path) -> None:
    assert "pfc/operational-off" not in _windows(tmp_path)
    assert _windows(tmp_path, PFC=False)["pfc/operational-off"] == "error"


def test_what_lldpad_heard_of_one_kind_of_tlv() -> None:
    text = "IEEE 8021QAZ PFC TLV\n\t Willing: no\n\t MACsec Bypass Capable: no\n\t PFC capable traffic classes: 8\n\t PFC enabled: 4\n"
    for command in ("lldptool -t -n -i ens2f0np0 -V PFC", "lldptool -ti ens2f0np0 -n -V PFC"):
        document = Document("a.txt", text, command)
        (far,) = platforms.platform("linux").read(DeviceInput("gpu3", "linux", (document,))).neighbours
        assert far.port == "ens2f0np0"
        assert far.offers_pfc is not None
        assert far.offers_pfc.get() == {4}
    document = Document("a.txt", text.replace("PFC enabled: 4", "PFC nothing"), "lldptool -t -n -i ens2f0np0 -V PFC")
    assert not platforms.platform("linux").read(DeviceInput("gpu3", "linux", (document,))).neighbours
