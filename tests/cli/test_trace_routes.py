"""`trace` over routing tables: their ways in place of the assumed ones, and what is assumed where none tells."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from roce_audit.cli.main import main

FIXTURE = Path(__file__).parents[2] / "fixtures" / "fabric"
ENDS = ("gpu1:ens11np0", "gpu3:ens12np0")
EOS = {"vrfs": {"default": {"routes": {
    "0.0.0.0/0": {"vias": [{"interface": "Management1", "nexthopAddr": "192.0.2.1"}]},
    "198.51.100.64/27": {"vias": [{"interface": "Ethernet34/1", "nexthopAddr": "10.0.0.2"}]},
}}}}  # fmt: skip
NXOS = {"TABLE_vrf": {"ROW_vrf": {"vrf-name-out": "default", "TABLE_addrf": {"ROW_addrf": {"addrf": "ipv4", "TABLE_prefix": {"ROW_prefix": [
    {"ipprefix": "198.51.100.64/27", "TABLE_path": {"ROW_path": [
        {"ifname": "Eth1/3", "ipnexthop": "10.0.0.5", "ubest": "true"}, {"ifname": "Eth1/4", "ipnexthop": "10.0.0.7", "ubest": "false"}]}},
    {"ipprefix": "198.51.100.0/27", "TABLE_path": {"ROW_path": {"ipnexthop": "10.0.0.0", "ubest": "true"}}},
    {"ipprefix": "10.0.0.0/31", "TABLE_path": {"ROW_path": {"ifname": "Eth1/1", "ubest": "true"}}},
]}}}}}}  # fmt: skip
FRR = {"198.51.100.0/27": [
    {"selected": True, "nexthops": [
        {"fib": True, "interfaceName": "Ethernet264", "ip": "10.0.0.6"}, {"interfaceName": "Ethernet256", "ip": "10.0.0.4"}]},
    {"nexthops": [{"fib": True, "interfaceName": "Ethernet256"}]},
]}  # fmt: skip
ANSWERS = {
    "leaf1/show_ip_route_|_json.txt": EOS,
    "spine1/show_ip_route_|_json.txt": NXOS,
    "leaf2/show_ip_route_json.txt": FRR,
}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The fixture, each switch in a folder of its own."""
    folder = tmp_path / "site"
    shutil.copytree(FIXTURE, folder)
    for name in ("leaf1", "spine1"):
        (folder / "backend" / name).mkdir()
        (folder / "backend" / f"{name}.cfg").rename(folder / "backend" / name / "show_running-config.txt")
    return folder


def give(folder: Path, *names: str, **changed: Any) -> None:
    for name in names:
        (folder / "backend" / name).write_text(json.dumps(changed.get("answer", ANSWERS.get(name)), indent=1))


def steps(path: dict[str, Any]) -> list[list[str]]:
    return [hop["ports"] for hop in path["hops"]]


def traced(capsys: pytest.CaptureFixture[str], folder: Path) -> dict[str, Any]:
    assert main(["trace", *ENDS, str(folder), "-f", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["traces"]
    return dict(found)


def test_the_tables_say_the_ways(capsys: pytest.CaptureFixture[str], site: Path) -> None:
    give(site, *ANSWERS)
    found = traced(capsys, site)
    ways = [port for step in steps(found["way"])[1:-1] for port in step]
    assert ways[:3] == ["leaf1:Ethernet1/1", "leaf1:Ethernet34/1", "spine1:Ethernet1/2"]
    assert ways[3:] == ["spine1:Ethernet1/3", "leaf2:Ethernet256", "leaf2:Ethernet16"]
    assert [line["path"].rpartition("backend/")[2] for line in found["way"]["routes"]] == list(ANSWERS)[:2]
    assert found["way"]["without_table"] == []
    back = found["cnps"]["way"]
    assert steps(back)[2:5] == [["leaf2:Ethernet264"], ["spine1:Ethernet1/4"], ["spine1:Ethernet1/1"]]


def test_a_switch_without_a_table_is_assumed_to_spread(capsys: pytest.CaptureFixture[str], site: Path) -> None:
    give(site, "leaf1/show_ip_route_|_json.txt")
    path = traced(capsys, site)["way"]
    assert steps(path)[2:4] == [["leaf1:Ethernet34/1"], ["spine1:Ethernet1/2"]]
    assert steps(path)[4] == ["spine1:Ethernet1/3", "spine1:Ethernet1/4"]
    assert path["without_table"] == ["spine1"]
    assert main(["trace", *ENDS, str(site), "-q"]) == 0
    said = capsys.readouterr().out
    assert "routed    by the tables of the switches" in said
    assert "assumed   at spine1, whose table was not given or has no route there" in said


@pytest.mark.parametrize("answer", [{}, [], {"vrfs": []}, {"vrfs": {"default": {"routes": {"here": {"vias": 3}}}}}])
def test_a_table_without_the_route_changes_nothing(
    capsys: pytest.CaptureFixture[str], site: Path, answer: object
) -> None:
    before = traced(capsys, site)
    give(site, "leaf1/show_ip_route_|_json.txt", answer=answer)
    assert traced(capsys, site)["way"] == before["way"]


KERNEL = [
    {"dst": "default", "gateway": "192.0.2.1", "dev": "eth0"},
    {"dst": "198.51.100.1", "type": "blackhole", "dev": "Ethernet256"},
    {"dst": "198.51.100.0/27", "nexthops": [
        {"gateway": "10.0.0.4", "dev": "Ethernet256", "flags": ["dead", "linkdown"]},
        {"gateway": "10.0.0.6", "dev": "Ethernet264", "flags": []}]},
]  # fmt: skip


def test_the_table_of_the_kernel_is_one_as_well(capsys: pytest.CaptureFixture[str], site: Path) -> None:
    give(site, "leaf2/ip_-j_route_show.json", answer=KERNEL)
    found = traced(capsys, site)
    assert steps(found["cnps"]["way"])[2] == ["leaf2:Ethernet264"]
    assert [line["path"].rpartition("/")[2] for line in found["cnps"]["way"]["routes"]] == ["ip_-j_route_show.json"]
