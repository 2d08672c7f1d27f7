"""Files of a host's own system that are kept below its folder, beside its answers or its bundle."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roce_audit import platforms
from roce_audit.cli.main import main
from roce_audit.platforms.counting import counts_of
from roce_audit.sources.devices import load

from .conftest import Write

ANSWERS = {
    "hostname": "gpu1\n",
    "sysfs": "/sys/class/net/ens1f0np0/mtu:9000\n/sys/class/net/ens1f0np0/device/vendor:0x15b3\n",
}
BOOT = {
    "etc/netplan/60.yaml": "network:\n  ethernets:\n    ens1f0np0:\n      mtu: 1500\n",
    "etc/NetworkManager/system-connections/a.nmconnection": (
        "[connection]\ninterface-name=ens1f0np0\n[ethernet]\nmtu=1500\n"
    ),
    "etc/network/interfaces": "auto ens1f0np0\niface ens1f0np0 inet manual\n    mtu 1500\n",
    "etc/systemd/network/10.network": "[Match]\nName=ens1f0np0\n[Link]\nMTUBytes=1500\n",
    "etc/systemd/network/10.link": "[Match]\nOriginalName=ens1f0np0\n[Link]\nMTUBytes=1500\n",
    "usr/local/sbin/nic.sh": "#!/bin/sh\nmlnx_qos -i ens1f0np0 --trust dscp\nip link set dev ens1f0np0 mtu 1500\n",
}


def _bundle() -> str:
    lines = ["@@ ROCE-AUDIT-BUNDLE 2"]
    for name, text in ANSWERS.items():
        body = [f"|{line}" for line in text.splitlines()]
        lines += [f"@@ B {name} - {name}", *body, f"@@ E 0 {sum(len(line) + 1 for line in body)}"]
    return "\n".join([*lines, f"@@ END {len(ANSWERS)}", ""])


def _boots_with() -> dict[str, Any]:
    """Device and NIC -> the MTU that its boot files set."""
    found: dict[str, Any] = {}
    for device in load(["."]).devices:
        reading = platforms.platform(device.platform).read(device)
        for port in reading.ports:
            there = port.facts.nic.get().persisted
            found[f"{device.name}:{port.name}"] = there.get().ip_mtu_bytes.value if there.is_known else None
    return found


@pytest.mark.parametrize("path", BOOT)
def test_a_boot_file_beside_the_answers_of_a_host_is_the_hosts(write: Write, path: str) -> None:
    for name, text in ANSWERS.items():
        write(f"hosts/gpu1/{name}.txt", text)
    assert _boots_with() == {"gpu1:ens1f0np0": None}
    write(f"hosts/gpu1/{path}", BOOT[path])
    assert _boots_with() == {"gpu1:ens1f0np0": 1500}


@pytest.mark.parametrize("path", BOOT)
def test_a_boot_file_beside_a_bundle_is_the_hosts(write: Write, path: str) -> None:
    write("hosts/gpu1/bundle.txt", _bundle())
    write(f"hosts/gpu1/{path}", BOOT[path])
    assert _boots_with() == {"gpu1:ens1f0np0": 1500}


def test_a_boot_file_beside_something_else_is_no_hosts(write: Write) -> None:
    write("site/etc/netplan/60.yaml", BOOT["etc/netplan/60.yaml"])
    write("site/README", "how we build hosts\n")
    loaded = load(["."])
    (lone,) = loaded.devices
    reading = platforms.platform(lone.platform).read(lone)
    assert reading.host is not None
    assert (reading.ports, [setup.ip_mtu_bytes.get() for setup in reading.host.nic_setups.get()]) == ((), [1500])
    assert [path for path, _ in loaded.unrecognised] == ["site/README"]


def test_a_bundle_of_two_hosts_takes_no_file(write: Write) -> None:
    write("hosts/both.txt", _bundle() + _bundle().replace("gpu1", "gpu2"))
    write("hosts/etc/netplan/60.yaml", BOOT["etc/netplan/60.yaml"])
    assert _boots_with() == {"gpu1:ens1f0np0": None, "gpu2:ens1f0np0": None}


def test_variables_of_one_name_in_the_folders_of_several_hosts_claim_no_device(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`hosts/srv1/nccl.env` beside `hosts/srv2/nccl.env` is no copy of one device; two configurations of one switch are."""
    for host in ("srv1", "srv2"):
        (tmp_path / host).mkdir()
        (tmp_path / host / "nccl.env").write_text("NCCL_IB_HCA==mlx5_0\nNCCL_IB_TC=106\n")
    assert main(["check", str(tmp_path)]) == 0
    assert "same-device-twice" not in capsys.readouterr().out
    for host in ("srv1", "srv2"):
        (tmp_path / host / "leaf1.cfg").write_text(
            f"! device: leaf1 (x, EOS-4.32.2F)\nhostname leaf1\ninterface Ethernet1/1\n   description {host}\n"
        )
    main(["check", str(tmp_path)])
    assert "same-device-twice" in capsys.readouterr().out


def test_templates_of_one_file_name_claim_no_device(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`eos/leaf.j2` beside `old/leaf.j2` names no device; what names one in its text is there twice."""
    lines = "hostname {{ name }}\ninterface Ethernet1/1\n   priority-flow-control on\n"
    for folder in ("site-a", "site-b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "leaf.j2").write_text(f"! {folder}, EOS-4.32.2F\n{lines}")
    main(["check", "-v", str(tmp_path)])
    said = capsys.readouterr().out
    assert "2 devices" in said
    assert "[input/same-device-twice]" not in said
    assert "claim the name" not in said
    for folder in ("site-a", "site-b"):
        (tmp_path / folder / "other.cfg").write_text(
            f"! {folder}, EOS-4.32.2F\n{lines.replace('{{ name }}', 'leaf.j2')}"
        )
    main(["check", str(tmp_path)])
    assert "same-device-twice" in capsys.readouterr().out


def test_counters_that_are_copied_as_single_files_are_the_hosts(write: Write) -> None:
    for name, text in ANSWERS.items():
        write(f"hosts/gpu1/{name}.txt", text)
    folder = "hosts/gpu1/sys/class/infiniband/mlx5_0/ports/1/hw_counters"
    for name, value in {"packet_seq_err": 7, "lifespan": 10}.items():
        write(f"{folder}/{name}", f"{value}\n")
    loaded = load(["."])
    assert [device.name for device in loaded.devices] == ["gpu1"]
    assert not loaded.unrecognised
    found = counts_of(loaded.devices[0]).by_port["mlx5_0"]
    assert {one.name: (one.value, one.place.path) for one in found.values()} == {
        "sequence_errors": (7, f"{folder}/packet_seq_err")
    }
