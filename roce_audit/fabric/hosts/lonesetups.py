"""Where nothing but files without a host is seen: the code points that their setups pause. A job of such a file is held against them, and
what jobs ask for against the switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from roce_audit.fabric.hosts.setupsbeside import of_jobs, of_one_host, trees
from roce_audit.fabric.port import FabricPort
from roce_audit.model import Host, NicSetup
from roce_audit.platforms.base import DeviceReading
from roce_audit.values import Cell, Place, Why, absent, known, unknown


def paused_dscps(devices: Sequence[DeviceReading]) -> Cell[frozenset[int]]:
    """The DSCPs that some setup leads to a priority with PFC, with the line of each setup's PFC; none where all trust the tag alone.

    Nothing where a host or a switch is seen, whose class decides, where a setup forces a byte on all queue pairs, so that the
    job's own counts for nothing, and where one maps its code points elsewhere than it pauses: that is told of the setup. Unknown
    where one leaves open what it pauses, or what it leads there.
    """
    hosts = [device.host for device in devices]
    if not all(host is not None and host.only_environment.or_else(False) for host in hosts):
        return absent()
    told = [host.nic_setups for host in hosts if host is not None and not host.nic_setups.is_absent]
    doubt = next((cell for cell in told if cell.is_unknown), None)
    if doubt is not None:
        return unknown(doubt.why or Why.NOT_PARSED, *doubt.at)
    setups = list(chain.from_iterable(cell.or_else(()) for cell in told))
    pausing = [s for s in setups if not s.pfc_priorities.is_absent and s.pfc_priorities.value != frozenset()]
    if not pausing or not all(s.tos.is_absent for s in setups):
        return absent()
    if all(s.trust.value == "pcp" and s.pfc_priorities.is_known and not _maps(s) for s in pausing):
        return known(frozenset(), *(at for s in pausing for at in (*s.trust.at[:1], *s.pfc_priorities.at[:1])))
    unclear = next((s for s in pausing if not _is_clear(s)), None)
    if unclear is not None:
        return unknown(Why.NOT_VISIBLE, *unclear.pfc_priorities.at[:1])
    if any(map(_misses_itself, pausing)):
        return absent()
    led = (d for s in pausing for d, cell in enumerate(s.dscp.get()) if cell.or_else(-1) in s.pfc_priorities.get())
    return known(frozenset(led), *(at for s in pausing for at in s.pfc_priorities.at[:1]))


def asked_dscps(devices: Sequence[DeviceReading], ports: Sequence[FabricPort]) -> Cell[frozenset[int]]:
    """The code points other than 0 that jobs give RoCE, where switches are seen and no NIC of a host is."""
    jobs = [one.host for one in devices if one.host is not None and one.host.only_environment.or_else(False)]
    said = chain.from_iterable((host.nccl_traffic_class, host.ucx_traffic_class) for host in jobs)
    asked = [cell for cell in said if cell.is_known and cell.get() // 4]
    if not asked or not ports or any(port.is_nic for port in ports):
        return absent()
    return known(frozenset(cell.get() // 4 for cell in asked), *(at for cell in asked for at in cell.at[:1]))


def says_pfc(devices: Sequence[DeviceReading]) -> Cell[bool]:
    """Whether some setup says what PFC is to do, or leaves it open."""
    told = [device.host.nic_setups for device in devices if device.host is not None]
    setups = chain.from_iterable(cell.or_else(()) for cell in told)
    return known(any(cell.is_unknown for cell in told) or any(not one.pfc_priorities.is_absent for one in setups))


def is_one_setup(devices: Sequence[DeviceReading]) -> Cell[bool]:
    """Whether one file alone pauses, and all jobs belong to its host or folder: nothing speaks of several clusters.

    Jobs that send with several DSCPs are those of one cluster where the file pauses one of them. Jobs elsewhere are of its cluster where
    at least half of those in their folder send with what it pauses, or all with the DSCP that the file itself gives to rdma_cm.
    """
    hosts = [device.host for device in devices if device.host is not None]
    pausing = [s for host in hosts for s in host.nic_setups.or_else(()) if s.pfc_priorities.or_else(frozenset())]
    files = {path for s in pausing for path in _files(s.pfc_priorities)}
    jobs = [cell for host in hosts for cell in _classes(host)]
    codes, paused = {cell.or_else(-1) // 4 for cell in jobs}, paused_dscps(devices).or_else(frozenset())
    if len(files) != 1 or not codes or (len(codes) > 1 and not codes & paused):
        return known(False)
    paths = {*files, *(path for cell in jobs for path in _files(cell))}
    tree_of = trees(paths)
    homes = [{*of_one_host(path), *of_jobs(path), *([tree_of[path]] if path in tree_of else ())} for path in paths]
    setups = chain.from_iterable(host.nic_setups.or_else(()) for host in hosts)
    own = {s.cma_tos.get() // 4 for s in setups if s.cma_tos.or_else(0) > 0 and files.issuperset(_files(s.cma_tos))}
    return known(bool(set.intersection(*homes)) or _most_are_paused(jobs, paused) or codes <= own)


def _most_are_paused(jobs: Sequence[Cell[int]], paused: frozenset[int]) -> bool:
    """Whether in each folder at least as many jobs send with these DSCPs as with others."""
    folders: Counter[PurePosixPath] = Counter()
    for cell in jobs:
        for path in _files(cell):
            folders[PurePosixPath(path).parent] += 1 if cell.or_else(-1) // 4 in paused else -1
    return all(count >= 0 for count in folders.values())


def _classes(host: Host) -> list[Cell[int]]:
    return [one.value for one in host.tos_bytes.or_else(()) if one.sender in ("job", "storage")]


def _files(cell: Cell[Any]) -> list[str]:
    return [at.path for at in cell.at[:1] if isinstance(at, Place)]


def _maps(setup: NicSetup) -> bool:
    """Whether it names priorities of DSCPs, with the first of which some drivers go over to DSCPs (mlx5)."""
    return not setup.dscp.is_absent and any(not cell.is_absent for cell in setup.dscp.or_else(()))


_OF_CNPS = frozenset({46, 48})
_OF_CONTROL = 6
"""CNPs mostly have these code points, and priorities from this one on."""


def _misses_itself(setup: NicSetup) -> bool:
    """Whether it names priorities of other code points than those of CNPs, and pauses none of them (marking/setup-misses-own-pfc)."""
    named, mapped = setup.named_dscps.or_else(frozenset()), setup.mapped_priorities.or_else(frozenset())
    of_data = len(mapped) > 1 or (not named & _OF_CNPS and all(priority < _OF_CONTROL for priority in mapped))
    return bool(mapped) and of_data and not mapped & setup.pfc_priorities.get()


def _is_clear(setup: NicSetup) -> bool:
    """Whether it is known which code points the setup leads to what it pauses, and there is one."""
    if not (setup.pfc_priorities.is_known and setup.dscp.is_known) or setup.trust.value in ("pcp", "none"):
        return False
    codes = setup.dscp.get()
    return not any(cell.is_unknown for cell in codes) and any(
        cell.or_else(-1) in setup.pfc_priorities.get() for cell in codes
    )
