"""Who shares a lossless class's buffer group or queue: lossy traffic does harm, a second lossless class does not."""

from __future__ import annotations

from pathlib import Path

from fabric_samples import Network, NicText, host


def sharers(folder: Path, pfc: tuple[int, ...], swap: tuple[str, str] = ("", "")) -> list[list[int] | None]:
    """For each inferred class of a lone NIC, the lossy classes that share its group or queue."""
    files = host("gpu1", NicText("ens1f0np0", "mlx5_0", pfc=pfc, trust="dscp"))
    changed = {name: text.replace(*swap) if "mlnx_qos" in name and swap[0] else text for name, text in files.items()}
    site = Network(folder, changed).site
    (fabric,) = site.fabrics
    port = fabric.ports[0]
    found = [site.hops.of(port.reading.facts, cls).sharers for cls in fabric.classes.roce]
    return [sorted(cell.get()) if cell.is_known else None for cell in found]


def test_two_lossless_priorities_in_one_buffer_are_no_lossy_sharers(tmp_path: Path) -> None:
    assert sharers(tmp_path, (3, 4)) == [[], []]


def test_lossy_priorities_in_the_lossless_buffer(tmp_path: Path) -> None:
    swap = ("\tbuffer      0   0   0   1   0   0   0   0", "\tbuffer      0   0   0   1   1   0   0   0")
    assert sharers(tmp_path, (3,), swap) == [[4]]


def test_lossy_priority_in_the_lossless_queue(tmp_path: Path) -> None:
    assert sharers(tmp_path, (3,), ("\t priority:  3\n", "\t priority:  3\n\t priority:  2\n")) == [None]
    moved = (
        "tc: 2 ratelimit: unlimited, tsa: ets, bw: 20%\n\t priority:  2\ntc: 3 ratelimit: unlimited, tsa: ets, bw: 20%\n",
        "tc: 3 ratelimit: unlimited, tsa: ets, bw: 20%\n\t priority:  2\n",
    )
    assert sharers(tmp_path / "b", (3,), moved) == [[2]]
