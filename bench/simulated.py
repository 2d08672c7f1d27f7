"""Judging against the number of devices: `python bench/simulated.py SWITCHES...` prints a row for each number; nothing is asserted.

One leaf of eight RoCE ports is read once, and stands as often as asked under other names: pods of four leaves and two spines, a cable from
each leaf to each spine, and one from pod to pod, so that all of it is one fabric. What reading costs is left out: CPU seconds of join,
judge and place, and the most memory that the process held. Each number has a process of its own.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

import stages
import synthetic

from roce_audit.cli.errors import collect_garbage_seldom
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.fabric.cables.links import Cable
from roce_audit.platforms.base import DeviceReading
from roce_audit.readings.parcel import read_device
from roce_audit.sources import devices as sources
from roce_audit.values import Place

LEAVES, SPINES, PORTS = 4, 2, 8
POD = LEAVES + SPINES
UPLINK = 5
"""The first port of a leaf that goes to a spine."""


def devices(count: int, folder: Path) -> Iterator[DeviceReading]:
    """So many readings, whose ports are objects of their own and share their facts, as after reading."""
    file = folder / "leaf.cfg"
    file.write_text(synthetic.leaf("leaf", PORTS, filler=0))
    (one,) = sources.load([str(file)]).devices
    reading = read_device(one)
    for n in range(count):
        yield replace(reading, name=f"switch{n}", ports=tuple(replace(port) for port in reading.ports))


def cables(count: int) -> Iterator[Cable]:
    """The cables of so many switches."""
    for first in range(0, count - POD + 1, POD):
        for leaf in range(LEAVES):
            for spine in range(SPINES):
                here, there = f"switch{first + leaf}", f"switch{first + LEAVES + spine}"
                yield _cable(here, UPLINK + spine, there, 1 + leaf)
        if first:
            yield _cable(f"switch{first - 1}", PORTS - 1, f"switch{first + LEAVES}", PORTS)


def _cable(here: str, port: int, there: str, far: int) -> Cable:
    return Cable((here, f"Ethernet{port}/1"), (there, f"Ethernet{far}/1"), Place("topology.yaml", 1), None)


def measured(count: int) -> str:
    """A row."""
    rules = load([builtin_folder()])
    with tempfile.TemporaryDirectory() as name:
        readings: Sequence[DeviceReading] = tuple(devices(count, Path(name)))
        links = list(cables(count))
        site, findings, seconds = stages.judged(readings, links, rules)
    ports = sum(len(fabric.ports) for fabric in site.fabrics)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    told = "  ".join(f"{name} {one:6.2f}" for name, one in {**seconds, "all": sum(seconds.values())}.items())
    return (
        f"{count:>7,} switches  {ports:>9,} ports  {len(site.links):>8,} links  CPU s: {told}  peak {peak:6.0f} MB  "
        f"{len(findings)} findings"
    )


def main() -> None:
    """A row for each number."""
    collect_garbage_seldom()
    for count in map(int, sys.argv[1:] or ("2500", "5000", "10000")):
        child = os.fork()
        if not child:
            print(measured(count), flush=True)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
