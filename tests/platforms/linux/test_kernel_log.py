"""What drivers wrote into the kernel's log about a NIC."""

from __future__ import annotations

import pytest

from roce_audit.platforms.linux.commands.kernellog import gauges
from roce_audit.text.document import Document

NIC = "mlx5_core 0000:9a:00.0"


def told(text: str, command: str = "dmesg") -> list[tuple[str, int, str]]:
    return [(one.port, one.place.line, one.said) for one in gauges(Document("a.txt", text, command))]


@pytest.mark.parametrize(
    ("line", "port", "said"),
    [
        (
            f"[  312.1] {NIC}: Port module event[error]: module 0, Cable error, High Temperature",
            "0000:9a:00.0",
            "module 0, Cable error, High Temperature",
        ),
        (
            f"[88123.1] {NIC}: poll_health:825:(pid 0): device's health compromised - reached miss count",
            "0000:9a:00.0",
            "device's health compromised",
        ),
        (f"Nov 29 10:11:12 gpu3 kernel: {NIC} ens2f0np0: TX timeout detected", "0000:9a:00.0", "TX timeout detected"),
        (
            "[  9.1] bnxt_en 0000:41:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer",
            "0000:41:00.0",
            "Uncorrected (Fatal)",
        ),
    ],
)
def test_what_a_driver_says_is_told_once(line: str, port: str, said: str) -> None:
    ((found_port, number, text),) = told(f"[    1.0] Linux version 6.8\n{line}\n{line}\n")
    assert (found_port, number) == (port, 2)
    assert said in text


@pytest.mark.parametrize(
    "line",
    [
        f"[  4.1] {NIC}: firmware version: 28.39.3004",
        f"[  4.1] {NIC}: Port module event: module 0, Cable plugged",
        "[  9.1] pcieport 0000:15:01.0: AER: Corrected error received: 0000:9a:00.0",
        f"[  9.1] {NIC}: PCIe Bus Error: severity=Corrected, type=Physical Layer",
        "[  9.1] nvme 0000:9b:00.0: I/O timeout",
    ],
)
def test_what_is_none(line: str) -> None:
    assert not told(f"{line}\n")


@pytest.mark.parametrize("down", [f"{NIC} ens2f0np0: Link down", "ice 0000:9a:00.0 ens2f0np0: NIC Link is Down"])
def test_a_link_that_comes_and_goes(down: str) -> None:
    for times, is_told in ((4, False), (5, True)):
        text = "".join(f"[Sun Nov 29 01:10:1{n} 2026] {down}\n" for n in range(times))
        found = told(text, "dmesg -T")
        assert found == ([("ens2f0np0", times, f"the kernel's log has {times} losses of the link")] if is_told else [])


def test_other_answers_are_no_log() -> None:
    text = f"[  312.1] {NIC}: Port module event[error]: module 0, Cable error, High Temperature\n"
    assert not told(text, "cat notes")
