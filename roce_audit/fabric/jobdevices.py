"""What jobs without a host of their own are told to use, held against the NICs of the hosts: RDMA devices that none has leave a
NIC idle without a word, and an entry of the GID tables that is no RoCEv2 takes packets out of every class. Where there are neither
hosts nor switches, against the files that set NICs up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from roce_audit.fabric.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.model import Host
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.devicelists import NCCL, UCX, Library
from roce_audit.values import Cell, Where, Why, absent, known, unknown


def strange_devices(devices: Iterable[DeviceReading], ports: Iterable[FabricPort]) -> Cell[frozenset[str]]:
    """Those that no NIC among the ports bears, each with the line of a job that names it."""
    jobs = [host for device in devices if (host := device.host) is not None and host.only_environment.or_else(False)]
    lists = [entry for host in jobs for entry in _lists(host)]
    misread = [cell for host in jobs for cell in (host.nccl_hca, host.ucx_devices) if cell.why is Why.NOT_PARSED]
    borne = _borne(ports) if lists or misread else None
    if not borne:
        return absent()
    found: dict[str, tuple[Where, ...]] = {}
    for library, cell in lists:
        for name in _strange(cell.get(), library, borne):
            found.setdefault(name, cell.at[:1])
    if not found:
        return unknown(Why.NOT_PARSED, *misread[0].at) if misread else absent()
    return known(frozenset(found), *(at for places in found.values() for at in places))


def roce_v2_gids(ports: Iterable[FabricPort]) -> Cell[frozenset[int]]:
    """The indexes at which the GID table of some NIC that carries RoCE has a RoCEv2 entry; nothing where one table was not read."""
    tables = [(port, nic.gids) for port in ports if port.roce.carries and (nic := nic_of(port)) is not None]
    if not tables or not all(table.is_known and table.get() for _, table in tables):
        return absent()
    entries = [(port, gid) for port, table in tables for gid in table.get()]
    if any(gid.kind.is_unknown for _, gid in entries):
        return absent()
    good = [(port, gid) for port, gid in entries if gid.kind.or_else("ib") == "roce-v2"]
    places = (at for port, gid in (good or entries)[:1] for at in port.absolute(gid.kind.at))
    return known(frozenset(gid.index for _, gid in good), *places)


def setup_dscps(devices: Iterable[DeviceReading]) -> Cell[frozenset[int]]:
    """The code points in priorities that setup files without a host pause, all of them together.

    Unknown as soon as one of these files leaves open what it pauses, or where a code point goes.
    """
    found: dict[int, Where] = {}
    for device in devices:
        host = device.host
        if host is None or not host.only_environment.or_else(False) or host.nic_setups.is_absent:
            continue
        for setup in host.nic_setups.or_else(()):
            paused, mapped = setup.pfc_priorities, setup.dscp
            if paused.is_absent or (paused.is_known and not paused.get()):
                continue
            trusts = setup.trust.or_else("none") == "dscp"
            codes = mapped.or_else(()) if trusts else ()
            if not paused.is_known or not codes or any(cell.is_unknown for cell in codes):
                return unknown(Why.NOT_VISIBLE, *paused.at)
            found |= {
                code: paused.at[0]
                for code, cell in enumerate(codes)
                if cell.is_known and cell.get() in paused.get() and code not in found and paused.at
            }
        if host.nic_setups.is_unknown:
            return unknown(host.nic_setups.why or Why.NOT_PARSED, *host.nic_setups.at)
    return known(frozenset(found), *dict.fromkeys(found.values())) if found else absent()


def _lists(host: Host) -> Iterator[tuple[Library, Cell[str]]]:
    """Lists of devices to use; a list of what is left out asks for none."""
    for library, cell in ((NCCL, host.nccl_hca), (UCX, host.ucx_devices)):
        if cell.is_known and not cell.get().lstrip().startswith("^"):
            yield library, cell


def _borne(ports: Iterable[FabricPort]) -> Sequence[str] | None:
    """The RDMA devices of all NICs; None where one of them did not say whether it has any."""
    cells = [nic.rdma_device for port in ports if (nic := nic_of(port)) is not None]
    if any(cell.is_unknown for cell in cells):
        return None
    return tuple(dict.fromkeys(cell.get() for cell in cells if cell.is_known))


def _strange(text: str, library: Library, borne: Sequence[str]) -> Iterator[str]:
    """The names of a list, with their ports, that nothing bears. What UCX is given without a port may be a network device."""
    for entry in library.entries(text):
        may_be_netdev = library is UCX and ":" not in entry.written
        if not may_be_netdev and not any(library.names(entry.alone, device) for device in borne):
            yield entry.written
