"""Whole hosts from what other collectors leave behind, read by the product as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Checked, Request, check
from roce_audit.platforms.portreading import PortReading
from roce_audit.policy.values import Policy
from roce_audit.text.block import resolve
from roce_audit.values import Place

PAUSE = "Pause parameters for {nic}:\nRX:\t{rx}\nTX:\toff"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, text: str) -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def read(*paths: str) -> Checked:
    return check(Request(paths=paths, policy=Policy.empty()))


def port(checked: Checked, device: str, name: str) -> PortReading:
    (found,) = [p for d in checked.devices if d.name == device for p in d.ports if p.name == name]
    return found


def test_two_files_of_pdsh_are_put_together_host_by_host() -> None:
    for command, template in (
        ("ethtool_-a_ens1.txt", PAUSE),
        ("ethtool_ens1.txt", "Settings for {nic}:\n\tSpeed: 100000Mb/s\n\tAuto-negotiation: off"),
    ):
        rows = [
            (host, template.format(nic="ens1", rx=rx).split("\n")) for host, rx in (("gpu1", "on"), ("gpu2", "off"))
        ]
        write(f"out/{command}", "".join(f"{host}: {lines[i]}\n" for i in range(3) for host, lines in rows))
    checked = read("out")
    assert sorted(d.name for d in checked.devices) == ["gpu1", "gpu2"]
    for name, rx in (("gpu1", True), ("gpu2", False)):
        facts = port(checked, name, "ens1").facts
        assert facts.link_pause_rx.get() is rx
        assert facts.speed_bps.get() == 100_000_000_000


def test_bundles_that_pdsh_mixed_are_whole_again() -> None:
    def bundle(rx: str) -> list[str]:
        body = [f"|{line}" for line in PAUSE.format(nic="ens1", rx=rx).split("\n")]
        length = sum(len(line) + 1 for line in body)
        return ["@@ ROCE-AUDIT-BUNDLE 2", "@@ B ethtool ens1 ethtool -a ens1", *body, f"@@ E 0 {length}", "@@ END 1"]

    mixed = zip(bundle("on"), bundle("off"), strict=True)
    write("all.txt", "".join(f"gpu1: {a}\ngpu2: {b}\n" for a, b in mixed))
    checked = read("all.txt")
    assert checked.report.coverage.incomplete == ()
    assert port(checked, "gpu1", "ens1").facts.link_pause_rx.get() is True
    assert port(checked, "gpu2", "ens1").facts.link_pause_rx.get() is False


def test_a_tree_of_sosreport_is_one_host() -> None:
    root = "sosreport-gpu7-2026-11-01-abcdef"
    write(f"{root}/hostname", "gpu7\n")
    write(f"{root}/sos_commands/networking/ethtool_-a_ens1", PAUSE.format(nic="ens1", rx="on") + "\n")
    write(f"{root}/sos_commands/networking/ethtool_-i_ens1", "driver: mlx5_core\nfirmware-version: 20.1\n")
    write(f"{root}/sos_commands/kernel/uname_-a", "Linux gpu7 6.1.0 #1 SMP x86_64 GNU/Linux\n")
    write(f"{root}/sos_commands/logs/journalctl_--no-pager", "nothing of ours\n")
    write(f"{root}/sys/class/net/ens1/mtu", "4200\n")
    write(f"{root}/etc/netplan/60.yaml", "network:\n  ethernets:\n    ens1:\n      mtu: 1500\n")
    write(f"{root}/etc/passwd", "root:x:0:0\n")
    checked = read(".")
    assert [d.name for d in checked.devices] == ["gpu7"]
    facts = port(checked, "gpu7", "ens1").facts
    assert facts.link_pause_rx.get() is True
    assert facts.ip_mtu_bytes.get() == 4200
    assert facts.nic.get().driver.get() == "mlx5_core"
    assert facts.nic.get().persisted.get().ip_mtu_bytes.get() == 1500


def test_a_sysinfo_snapshot_is_one_host() -> None:
    root = "sysinfo-snapshot-v3.7-gpu8-20261101"
    rule = "\n____________\n\n"
    pause = PAUSE.format(nic="ens1", rx="on")
    answers = {
        "hostname": "gpu8",
        "ethtool_all_interfaces": f"ethtool version 5.16\n\nethtool  ens1\nSettings for ens1:\n\tSpeed: 100000Mb/s{rule}"
        f"ethtool -i ens1\ndriver: mlx5_core{rule}ethtool -a ens1\n{pause}{rule}",
        "mlnx_qos_handler": f"\n\nmlnx_qos -i ens1\nPriority trust state: dscp\nPFC configuration:\n"
        f"\tpriority    0   1   2   3   4   5   6   7\n\tenabled     0   0   0   1   0   0   0   0   {rule}",
        "ibdev2netdev": "mlx5_0 port 1 ==> ens1 (Up)",
        "cma_roce_tos": "cma_roce_tos -d mlx5_0\n\n106\n\n---------------\n\ncma_roce_tos -d mlx5_1\n\n0",
        "show_pretty_gids": "DEV\tPORT\tINDEX\tGID\t\t\t\t\t\tIPv4\n---\t----\t-----\t---\t\t\t\t\t\t------------\n"
        "mlx5_0\t1\t3\t0000:0000:0000:0000:0000:ffff:c633:6401\t\t198.51.100.1  \tRoCE v2\t\t\tens1\n\nn_gids_found=1\n",
        "lscpu": "nothing of ours",
    }
    for name, text in answers.items():
        write(f"{root}/commands_txt_output/{name}.txt", f"Invoked Command: {name}\n{text}")
    write(f"{root}/ecn/config/ens1", "/sys/class/net/ens1/ecn/roce_np/cnp_dscp= 48\n\n")
    write(f"{root}/ethtool_S/ethtool_S_ens1", "NIC statistics:\n     rx_prio3_pause: 5\n")
    write(f"{root}/gpu8.html", "<html></html>")
    checked = read(".")
    assert [d.name for d in checked.devices] == ["gpu8"]
    found = port(checked, "gpu8", "ens1")
    facts, nic = found.facts, found.facts.nic.get()
    assert facts.link_pause_rx.get() is True
    assert facts.speed_bps.get() == 100_000_000_000
    assert facts.trust.get() == "dscp"
    assert (nic.rdma_device.get(), nic.cma_tos.get(), nic.cnp_dscp.get()) == ("mlx5_0", 106, 48)
    assert [(gid.index, gid.kind.get()) for gid in nic.gids.get()] == [(3, "roce-v2")]
    (shown,) = (resolve(at, found.parts) for at in facts.link_pause_rx.at)
    assert shown == Place(f"{root}/commands_txt_output/ethtool_all_interfaces.txt", 15)


def test_a_dump_of_sonic_holds_what_runs_and_what_boots() -> None:
    def config(pfc: str) -> dict[str, dict[str, dict[str, str]]]:
        return {
            "DEVICE_METADATA": {"localhost": {"hostname": "leaf9", "hwsku": "ACS-SN5600", "type": "ToRRouter"}},
            "PORT": {"Ethernet0": {"alias": "etp1", "lanes": "0,1", "mtu": "9216", "speed": "400000"}},
            "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": pfc}},
        }

    root = "dumps/sonic_dump_leaf9_20261101_101112"
    flat = {
        f"{table}|{key}": {"type": "hash", "value": values}
        for table, rows in config("3").items()
        for key, values in rows.items()
    }
    write(f"{root}/etc/sonic/config_db.json", json.dumps(config("3,4"), indent=4))
    write(f"{root}/dump/CONFIG_DB.json", json.dumps(flat, indent=4))
    status = (
        "  Interface    Lanes    Speed    MTU    Oper    Admin\n-----------  -------  -------  -----  ------  -------\n"
    )
    write(f"{root}/dump/interface.status", f"{status}  Ethernet0      0,1     400G   1500      up       up\n")
    queues = "     Port    TxQ    Counter/pkts    Drop/pkts\n---------  -----  --------------  -----------\n"
    for number, drops in ((1, 0), (2, 12)):
        write(f"{root}/dump/queue.counters_{number}", f"{queues}Ethernet0    UC3             100  {drops:>11}\n")
    write(f"{root}/dump/vmstat", "procs -----------memory----------\n")
    checked = read("dumps")
    (device,) = checked.devices
    assert device.name == "leaf9"
    assert device.saved is not None
    for one, priorities in ((device, {3}), (device.saved, {3, 4})):
        (found,) = one.ports
        assert found.facts.pfc.get().priorities.get() == priorities
    assert device.ports[0].facts.ip_mtu_bytes.get() == 1500, "an answer that the dump keeps under a name of its own"
    assert {path.rpartition("/")[2] for path, _ in checked.report.coverage.unrecognised} == {"vmstat"}


def facts_of(name: str) -> dict[str, object]:
    nic = {
        "device": "ens1",
        "type": "ether",
        "mtu": 9000,
        "module": "mlx5_core",
        "speed": 200000,
        "pciid": "0000:3b:00.0",
    }
    lo = {"device": "lo", "type": "loopback", "mtu": 65536}
    route = {"interface": "ens1"}
    own = {"ansible_hostname": name, "ansible_kernel": "6.1.0", "ansible_ens1": nic, "ansible_lo": lo}
    return {"ansible_facts": {**own, "ansible_default_ipv4": route}, "changed": False}


@pytest.mark.parametrize("form", ["a file a host", "standard output", "a cache"])
def test_facts_of_ansible(form: str) -> None:
    whole = facts_of("gpu1")
    if form == "standard output":
        write("facts.txt", "".join(f"{n} | SUCCESS => {json.dumps(facts_of(n), indent=4)}\n" for n in ("gpu1", "gpu2")))
    else:
        write("facts/node-17", json.dumps(whole if form == "a file a host" else whole["ansible_facts"], indent=4))
    checked = read(".")
    nic = port(checked, "gpu1", "ens1")
    assert nic.facts.ip_mtu_bytes.get() == 9000
    assert nic.facts.speed_bps.get() == 200_000_000_000
    assert nic.facts.nic.get().default_route.get() is True
    assert [p.name for d in checked.devices for p in d.ports if d.name == "gpu1"] == ["ens1"]
    assert len(checked.devices) == (2 if form == "standard output" else 1)
