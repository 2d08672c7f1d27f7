"""A platform whose reading breaks a promise is told by its name, its device is left out, and the others are judged."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from roce_audit.audit import Request, check
from roce_audit.model.fitting import misfit
from roce_audit.platforms.base import DeviceReading
from roce_audit.platforms.eos import defaults
from roce_audit.platforms.record import Platform
from roce_audit.policy.values import Policy
from roce_audit.readings import parcel
from roce_audit.text.document import DeviceInput
from roce_audit.values import Cell, Why, known, unknown

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))
import synthetic


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in synthetic.fleet(2, 3, diverse=False).items():
        (tmp_path / f"{name}.cfg").write_text(text)
    monkeypatch.chdir(tmp_path)
    # what is broken here is not remembered, and what was read whole before is read again
    monkeypatch.setattr(parcel.outcome, "__defaults__", (inspect.unwrap(parcel.read_device),))
    return tmp_path


def with_facts(reading: DeviceReading, **cells: Any) -> DeviceReading:
    first, *others = reading.ports
    facts = replace(first.facts, **cells)
    return replace(reading, ports=(replace(first, facts=facts), *others))


def short(reading: DeviceReading) -> DeviceReading:
    dscp = reading.ports[0].facts.dscp
    return with_facts(reading, dscp=Cell(dscp.get()[:63], None, dscp.at))


def torn(reading: DeviceReading) -> DeviceReading:
    queues = reading.ports[0].facts.queues
    first, second, *others = queues.get()
    wrong = (first, replace(second, share=known("ten")), *others)
    return with_facts(reading, queues=Cell(wrong, None, queues.at))


BREAKAGES: dict[str, tuple[Callable[[DeviceReading], DeviceReading], str]] = {
    "a word the model does not have": (
        lambda reading: with_facts(reading, trust=known("dcsp")),
        "port Ethernet1/1: trust holds",
    ),
    "a number that is text": (lambda reading: with_facts(reading, ip_mtu_bytes=known("9000")), "ip_mtu_bytes holds"),
    "a number that is a truth value": (lambda r: with_facts(r, speed_bps=known(True)), "speed_bps holds"),
    "no cell": (lambda reading: with_facts(reading, fec=None), "fec holds"),
    "a set that is none": (lambda reading: with_facts(reading, rewrites_dscp=known((1, 2))), "rewrites_dscp holds"),
    "a wrong value deep inside": (torn, "queues.1.share holds"),
    "too few code points": (short, "dscp holds"),
    "a wrong value of the device": (
        lambda reading: replace(reading, device=replace(reading.device, os_version=known(4))),
        "device: os_version holds",
    ),
    "no host": (lambda reading: replace(reading, kind="host"), "a host without facts of a host"),
}


@pytest.mark.parametrize("name", BREAKAGES)
def test_a_wrong_reading_is_a_problem_of_its_platform(fleet: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    breakage, told = BREAKAGES[name]
    read = Platform.read

    def broken(platform: Platform, device: DeviceInput) -> DeviceReading:
        reading = read(platform, device)
        return breakage(reading) if reading.name == "leaf1" else reading

    monkeypatch.setattr(Platform, "read", broken)
    report = check(Request((".",), Policy.empty())).report
    (problem,) = report.problems
    assert problem.startswith("leaf1.cfg: platform eos crashed: WrongReading: ")
    assert told in problem
    assert report.coverage.devices == 1
    assert report.checks.passed


def test_a_forgotten_default_is_a_problem_of_its_platform(fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its row every port of a switch seems to have a NIC."""
    for path in fleet.glob("*.cfg"):  # ports that nobody read before are read anew, and kept for nobody
        path.write_text(re.sub(r"^(interface .*)$", r"\1\n   l2 mtu 9107", path.read_text(), flags=re.M))
    for rows in defaults.OF_PORTS.values():
        monkeypatch.delitem(rows, "nic")
    report = check(Request((".",), Policy.empty())).report
    what = "port Ethernet1/1: a port of a switch with a NIC"
    assert report.problems[0] == f"leaf1.cfg: platform eos crashed: WrongReading: {what}"


def test_a_doubt_fits_everywhere(fleet: Path) -> None:
    reading = check(Request((".",), Policy.empty())).devices[0]
    for doubt in Why:
        assert misfit(replace(reading.ports[0].facts, dscp=unknown(doubt), trust=unknown(doubt))) is None
