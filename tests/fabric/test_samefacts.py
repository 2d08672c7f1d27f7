"""NICs that differ in their names alone are compared once, and any other difference tells them apart."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.fabric.similar.samefacts import but_for_names
from roce_audit.model import Port
from roce_audit.readings.parcel import read_device
from roce_audit.sources.devices import load
from roce_audit.values import At, known

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import likefiles


@pytest.fixture
def nics(tmp_path: Path) -> list[Port]:
    path = tmp_path / "gpu1.txt"
    path.write_text(likefiles.linux(1))
    (device,) = load([str(path)]).devices
    return [port.facts for port in read_device(device).ports]


def test_names_alone_tell_no_nics_apart(nics: list[Port]) -> None:
    assert len({id(facts) for facts in nics}) == likefiles.NICS
    assert len({facts.nic.get().rdma_device.get() for facts in nics}) == likefiles.NICS
    assert len({id(but_for_names(facts)) for facts in nics}) == 1


@pytest.mark.parametrize(
    "changed",
    [
        lambda port: replace(port, ip_mtu_bytes=known(1500, *port.ip_mtu_bytes.at)),
        lambda port: replace(port, ip_mtu_bytes=known(port.ip_mtu_bytes.get(), At(99, 7))),
        lambda port: replace(port, nic=known(replace(port.nic.get(), driver=known("bnxt_en", At(0, 0))))),
        lambda port: replace(port, nic=known(replace(port.nic.get(), rdma_device=known("mlx5_0", At(99, 7))))),
    ],
    ids=["value", "evidence", "of the NIC", "evidence of the name"],
)
def test_anything_else_does(nics: list[Port], changed: Callable[[Port], Port]) -> None:
    assert but_for_names(changed(nics[0])) is not but_for_names(nics[0])


def test_a_switch_port_is_itself(nics: list[Port]) -> None:
    unnamed = replace(nics[0], nic=replace(nics[0].nic, value=replace(nics[0].nic.get(), rdma_device=known(None))))
    assert but_for_names(unnamed) is unnamed
