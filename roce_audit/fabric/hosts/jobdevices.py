"""What jobs without a host of their own are told to use, held against the NICs of the hosts: RDMA devices that none has leave a
NIC idle without a word, those that carry no RoCE take packets off the lossless network, and an entry of the GID tables that is no
RoCEv2 takes them out of every class.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from roce_audit.fabric.carrying.portconfig import is_own
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.model import Gid, Host
from roce_audit.platforms.base import DeviceReading
from roce_audit.text.devicelists import EXACT, NCCL, UCX, Library
from roce_audit.text.series import COUNTS
from roce_audit.values import Cell, Place, Where, Why, absent, known, unknown

_OF_TESTS = frozenset({"test", "tests", "testdata", "fixtures"})


def strange_devices(devices: Iterable[DeviceReading], ports: Iterable[FabricPort]) -> Cell[frozenset[str]]:
    """Those that no NIC among the ports bears, each with the line of a job that names it.

    Where no NIC was read, the setups of hosts say which there are: a list that names some of them is meant for these hosts. Answers in
    the tests of a program that starts jobs are of no host.
    """
    jobs = _jobs(devices)
    lists = list(_lists(jobs))
    misread = _misread(jobs)
    of_jobs = [cell for _, cell in lists] + misread
    folders = {part for cell in of_jobs for at in cell.at if isinstance(at, Place) for part in at.path.split("/")}
    hosts = (port for port in ports if _OF_TESTS.isdisjoint({*port.reading.header.path.split("/")} - folders))
    read = _borne(hosts) if of_jobs else None
    borne = _set_up(jobs) if read == () else read
    if not borne:
        return absent()
    found: dict[str, tuple[Where, ...]] = {}
    for library, cell in lists:
        strange = list(_strange(cell.get(), library, borne))
        if read == () and (len(strange) >= len(borne) or len(strange) == len(library.entries(cell.get()))):
            continue  # the setups are those of other hosts, or name the RDMA devices of some of their NICs alone
        for name in strange:
            found.setdefault(name, cell.at[:1])
    if not found and misread:
        return unknown(Why.NOT_PARSED, *misread[0].at)
    return _with_places(found)


def _with_places(found: Mapping[str, tuple[Where, ...]]) -> Cell[frozenset[str]]:
    """The names, with what says each of them; absent where there are none."""
    return known(frozenset(found), *(at for places in found.values() for at in places)) if found else absent()


def has_jobs(devices: Iterable[DeviceReading]) -> bool:
    """Whether a job without a host was read."""
    return bool(_jobs(devices))


def front_end_devices(devices: Iterable[DeviceReading], ports: Iterable[FabricPort]) -> Cell[frozenset[str]]:
    """Those that jobs are told to use and that carry no RoCE on any host that has one, while other devices of the hosts do."""
    carrying, others = _by_use(ports)
    jobs = _jobs(devices) if carrying and others else []
    found: dict[str, tuple[Where, ...]] = {}
    for library, cell in (*_every_list(jobs), *_lists(jobs)):
        for device in sorted(others):
            if library.names(cell.get(), device):
                found.setdefault(device, (*cell.at[:1], *others[device]))
    misread = _misread(jobs)
    if not found and misread:
        return unknown(Why.NOT_PARSED, *misread[0].at)
    return _with_places(found)


def forgotten_devices(devices: Iterable[DeviceReading], ports: Iterable[FabricPort]) -> Cell[frozenset[str]]:
    """The one RoCE device of four, eight or sixteen that a job is not told to use. Lists of what is left out leave it out on purpose."""
    carrying, _ = _by_use(ports)
    found: dict[str, tuple[Where, ...]] = {}
    for library, cell in _every_list(_jobs(devices)) if len(carrying) in COUNTS else ():
        without = [device for device in sorted(carrying) if not library.names(cell.get(), device)]
        if len(without) == 1 and not cell.get().lstrip().startswith("^"):
            found.setdefault(without[0], cell.at[:1])
    return _with_places(found)


def list_without_roce(devices: Iterable[DeviceReading], ports: Iterable[FabricPort]) -> Cell[str]:
    """What a job leaves out (`^mlx5`), where that is every device of the hosts which carries RoCE."""
    carrying, _ = _by_use(ports)
    jobs = _jobs(devices) if carrying else []
    for library, cell in _every_list(jobs):
        if cell.get().lstrip().startswith("^") and not any(library.names(cell.get(), device) for device in carrying):
            return known(cell.get().strip(), *cell.at[:1])
    misread = _misread(jobs)
    return unknown(Why.NOT_PARSED, *misread[0].at) if misread else absent()


def unpaused_devices(
    devices: Iterable[DeviceReading], ports: Sequence[FabricPort], has_policy: bool
) -> Cell[frozenset[str]]:
    """Those that jobs are told to use, and that no NIC which has them pauses or obeys pauses on.

    Nothing else says of such a NIC whether it carries RoCE: the job does. A hint against counts less than the whole name in its list, and
    so does that no other NIC carries RoCE. A job that uses no device with RoCE may be one of other hosts, where no policy gives the class.
    """
    lists = list(_lists(_jobs(devices)))
    carrying: set[str] = set()
    unpaused: dict[str, tuple[Where, ...]] = {}
    others: set[str] = set()
    hinted: set[str] = set()
    for port, device in _devices_of(ports) if lists else ():
        is_open = not port.roce.carries and port.roce.rank != "policy"
        off = _no_priority(port) if is_open else None
        if port.roce.carries:
            carrying.add(device)
        elif off is None:
            others.add(device)
        else:
            unpaused.setdefault(device, port.absolute(off.at)[:1])
            hinted |= {device} if port.roce.carries is False else set()
    found: dict[str, tuple[Where, ...]] = {}
    for library, cell in lists if unpaused and (carrying or has_policy) else ():
        whole = {entry.written.partition(":")[0] for entry in library.entries(cell.get())}
        is_of_these = has_policy or any(library.names(cell.get(), device) for device in carrying)
        doubtful = hinted if carrying else unpaused.keys()
        for device in sorted(unpaused.keys() - carrying - others - (doubtful - whole)):
            if is_of_these and library.names(cell.get(), device):
                found.setdefault(device, (*cell.at[:1], *unpaused[device]))
    return _with_places({**found, **(_unpaused_by_storage(ports) if has_policy else {})})


def has_storage(devices: Iterable[DeviceReading]) -> bool:
    """Whether a host says by which RDMA devices its storage is reached."""
    return any(device.host is not None and device.host.storage_devices.is_known for device in devices)


def _unpaused_by_storage(ports: Sequence[FabricPort]) -> Mapping[str, tuple[Where, ...]]:
    """Those by which a host's own storage is reached, and whose NIC there pauses nothing."""
    found: dict[str, tuple[Where, ...]] = {}
    for port in ports:
        listed = port.device.host.storage_devices if port.device.host is not None else absent()
        nic = nic_of(port) if listed.is_known else None
        device = nic.rdma_device.or_else("") if nic is not None else ""
        if device and not port.roce.carries and port.roce.rank != "policy" and NCCL.names(listed.get(), device):
            off = _no_priority(port)
            if off is not None:
                found.setdefault(device, (*listed.at[:1], *port.absolute(off.at)[:1]))
    return found if found and any(port.roce.carries for port in ports) else {}


def _no_priority(port: FabricPort) -> Cell[frozenset[int]] | None:
    """What says that PFC is on for no priority of a NIC, where an answer shows that."""
    pfc = port.reading.facts.pfc.value_or_none()
    priorities = pfc.priorities if pfc is not None else None
    if priorities is None or not priorities.is_known or priorities.get() or not is_own(priorities, port.reading.parts):
        return None
    return priorities


def _devices_of(ports: Iterable[FabricPort]) -> Iterator[tuple[FabricPort, str]]:
    for port in ports:
        nic = nic_of(port)
        device = nic.rdma_device.value_or_none() if nic is not None else None
        if device is not None:
            yield port, device


def _by_use(ports: Iterable[FabricPort]) -> tuple[Set[str], Mapping[str, tuple[Where, ...]]]:
    """(RDMA devices that carry RoCE on some host, those that carry none on any by the policy or a hint, each with what says so)."""
    carrying: set[str] = set()
    not_told: set[str] = set()
    others: dict[str, tuple[Where, ...]] = {}
    for port, device in _devices_of(ports):
        if port.roce.carries is False and port.roce.rank in ("policy", "hint"):
            others.setdefault(device, port.absolute(port.roce.at)[:1])
        else:
            (carrying if port.roce.carries else not_told).add(device)
    return carrying, {device: at for device, at in others.items() if device not in carrying | not_told}


def _every_list(jobs: Iterable[Host]) -> Iterator[tuple[Library, Cell[str]]]:
    """The lists of NCCL and UCX, those of what is left out as well; none of UCX where it may mean network devices."""
    for host in jobs:
        for library, cell in ((NCCL, host.nccl_hca), (UCX, host.ucx_devices)):
            if cell.is_known and cell.get().strip() and (library is NCCL or (":" in cell.get() and _by_rdma(host))):
                yield library, cell


def _by_rdma(host: Host) -> bool:
    """Whether UCX may use RDMA, for all that is seen."""
    return host.ucx_rdma.value is not False


def forces_class(devices: Iterable[DeviceReading], ports: Iterable[FabricPort]) -> Cell[bool]:
    """Whether a ToS byte is forced on the queue pairs of some NIC, be it by a setup: what jobs ask for is not what they send with."""
    setups = (setup for device in devices if device.host is not None for setup in device.host.nic_setups.or_else(()))
    nics = (nic.forced_traffic_class for port in ports if (nic := nic_of(port)) is not None)
    return known(
        any(not cell.is_absent and (cell.is_known or bool(cell.at)) for cell in (*(one.tos for one in setups), *nics))
    )


def roce_v2_gids(devices: Iterable[DeviceReading], ports: Sequence[FabricPort]) -> Cell[frozenset[int]]:
    """The indexes at which the GID table of some NIC that carries RoCE has a RoCEv2 entry; nothing where one table was not read.

    Those of link-local addresses alone count where no NIC has others. Where no NIC is seen to carry RoCE,
    those count that jobs name, or take without a name.
    """
    return _gids(devices, ports, lambda link_local, others: others or link_local)


def link_local_gids(devices: Iterable[DeviceReading], ports: Sequence[FabricPort]) -> Cell[frozenset[int]]:
    """The indexes at which such NICs have RoCEv2 entries of link-local addresses alone, where some have others elsewhere."""
    return _gids(devices, ports, lambda link_local, others: link_local - others if others else frozenset())


def routed_nics(ports: Iterable[FabricPort]) -> Cell[bool]:
    """Whether every NIC that carries RoCE leads to a routed port, where a link-local address ends."""
    nics = [port for port in ports if port.roce.carries and port.is_nic and nic_of(port) is not None]
    far = [port.joined.peer_routed for port in nics if port.joined is not None]
    if not nics or len(far) < len(nics) or not all(cell.is_known for cell in far):
        return absent()
    return known(all(cell.get() for cell in far), *nics[0].absolute(far[0].at))


def nics_without_gid(devices: Iterable[DeviceReading], ports: Sequence[FabricPort]) -> Cell[frozenset[str]]:
    """NICs that a job names and that have no RoCEv2 entry where it looks for one, while another NIC of the same host that it names has.

    Each with the line of the job; nothing is said of NICs whose table, or whose RDMA device, is not known.
    """
    asked = [one for host in _jobs(devices) for one in _indices(host)]
    nics = [(port, nic) for port in ports if asked and port.roce.carries and (nic := nic_of(port)) is not None]
    tables = [_Table(port, nic.rdma_device.or_else(""), nic.gids.get()) for port, nic in nics if nic.gids.is_known]
    found: dict[str, tuple[Where, ...]] = {}
    for library, listed, index in asked:
        named = [one for one in tables if one.device and one.is_told and library.names(listed.get(), one.device)]
        served = {one.port.device.name for one in named if index.get() in one.v2}
        for one in named:
            if one.port.device.name in served and index.get() not in one.v2:
                found.setdefault(f"{one.port.device.name} {one.port.reading.name}", index.at[:1])
    misread = [(port, nic.gids) for port, nic in nics if nic.gids.why is Why.NOT_PARSED]
    if not found and misread:
        return unknown(Why.NOT_PARSED, *misread[0][0].absolute(misread[0][1].at))
    return _with_places(found)


def hosts_without_gid(
    devices: Iterable[DeviceReading], ports: Sequence[FabricPort]
) -> tuple[Cell[frozenset[str]], Cell[frozenset[str]]]:
    """Hosts of whose NICs that a job names none has an entry of RoCEv2 where it looks for one, and those with a link-local one there, while
    others have one with a routable address; one of the other version of IP than most have is none.

    The index is one for all ranks. Each with the line of the job.
    """
    asked = [one for host in _jobs(devices) for one in _indices(host)]
    shown = _tables(devices, ports) if asked else []
    tables = [_Table(port, _device_of(port), cell.get()) for port, cell in shown if cell.is_known]
    without: dict[str, tuple[Where, ...]] = {}
    link_local: dict[str, tuple[Where, ...]] = {}
    for library, listed, index in asked:
        named = [one for one in tables if one.device and one.is_told and library.names(listed.get(), one.device)]
        borne: dict[str, set[str]] = defaultdict(set)
        for one in named:
            borne[one.port.device.name].add(one.device)
        of_both = [
            {one.port.device.name for one in named if index.get() in one.routable(ipv4=v)} for v in (True, False)
        ]
        served = max(of_both, key=len)
        like_those = {frozenset(borne[host]) for host in served}
        for host in sorted(borne.keys() - served):
            if frozenset(borne[host]) in like_those:  # a server of files has fewer NICs, and may be none of the job's
                is_local = any(index.get() in one.link_local for one in named if one.port.device.name == host)
                (link_local if is_local else without).setdefault(host, index.at[:1])
    return _with_places(without), _with_places(link_local)


def _device_of(port: FabricPort) -> str:
    nic = nic_of(port)
    return nic.rdma_device.or_else("") if nic is not None else ""


class _Table(NamedTuple):
    """The GID table of a NIC that carries RoCE."""

    port: FabricPort
    device: str
    entries: tuple[Gid, ...]

    @property
    def is_told(self) -> bool:
        return not any(gid.kind.is_unknown for gid in self.entries)

    @property
    def v2(self) -> Set[int]:
        return {gid.index for gid in self.entries if gid.kind.or_else("ib") == "roce-v2"}

    @property
    def link_local(self) -> Set[int]:
        """Those of them whose address is seen to be link-local."""
        return self.v2 & {gid.index for gid in self.entries if gid.link_local.or_else(False)}

    def routable(self, *, ipv4: bool) -> Set[int]:
        """The others that are not seen to be of the other version of IP."""
        return self.v2 - self.link_local - {gid.index for gid in self.entries if gid.ipv4.or_else(ipv4) != ipv4}


def _indices(host: Host) -> Iterator[tuple[Library, Cell[str], Cell[int]]]:
    """The lists of devices of a job's libraries, each with the entry of the GID tables to use; none where one of the two is not known."""
    pairs = (
        (NCCL, host.nccl_hca, host.nccl_gid_index),
        (UCX, host.ucx_devices, host.ucx_gid_index),
        (NCCL, host.nvshmem_devices, host.nvshmem_gid_index),
        (NCCL, host.option_devices, host.mooncake_gid_index),
        (EXACT, host.store_devices, host.mooncake_gid_index),
        (NCCL, host.storage_devices, host.storage_gid_index),
        (NCCL, host.uccl_devices, host.uccl_gid_index),
        (EXACT, host.mori_devices, host.mori_gid_index),
    )
    return (pair for pair in pairs if pair[1].is_known and pair[2].is_known)


def _gids(
    devices: Iterable[DeviceReading],
    ports: Sequence[FabricPort],
    choose: Callable[[frozenset[int], frozenset[int]], frozenset[int]],
) -> Cell[frozenset[int]]:
    tables = _tables(devices, ports)
    if not tables or not all(table.is_known and table.get() for _, table in tables):
        return absent()
    entries = [(port, gid) for port, table in tables for gid in table.get()]
    if any(gid.kind.is_unknown for _, gid in entries):
        return absent()
    good = [(port, gid) for port, gid in entries if gid.kind.or_else("ib") == "roce-v2"]
    places = (at for port, gid in (good or entries)[:1] for at in port.absolute(gid.kind.at))
    local = frozenset(gid.index for _, gid in good if gid.link_local.or_else(False))
    others = frozenset(gid.index for _, gid in good if not gid.link_local.or_else(False))
    return known(choose(local, others), *places)


def _tables(
    devices: Iterable[DeviceReading], ports: Sequence[FabricPort]
) -> Sequence[tuple[FabricPort, Cell[tuple[Gid, ...]]]]:
    """The GID tables of the NICs that carry RoCE; where none is seen to, of those that jobs take."""
    carrying = [(port, nic.gids) for port in ports if port.roce.carries and (nic := nic_of(port)) is not None]
    return carrying or list(_tables_that_jobs_name(devices, ports))


def _tables_that_jobs_name(
    devices: Iterable[DeviceReading], ports: Sequence[FabricPort]
) -> Iterator[tuple[FabricPort, Cell[tuple[Gid, ...]]]]:
    """The GID tables of NICs of which nothing else says whether they carry RoCE; those of InfiniBand have other entries.

    A job that names no device takes all.
    """
    lists = list(_lists(_jobs(devices)))
    for port, device in _devices_of(ports):
        nic = nic_of(port)
        if (
            nic is None
            or port.roce.carries is not None
            or (lists and not any(one.names(cell.get(), device) for one, cell in lists))
        ):
            continue
        if not nic.gids.is_known or any(gid.kind.or_else("ib") != "ib" for gid in nic.gids.get()):
            yield port, nic.gids


def _jobs(devices: Iterable[DeviceReading]) -> list[Host]:
    return [host for device in devices if (host := device.host) is not None and host.only_environment.or_else(False)]


def _misread(jobs: Iterable[Host]) -> list[Cell[str]]:
    return [cell for host in jobs for cell in (host.nccl_hca, host.ucx_devices) if cell.why is Why.NOT_PARSED]


def _lists(jobs: Iterable[Host]) -> Iterator[tuple[Library, Cell[str]]]:
    """Lists of devices to use; a list of what is left out asks for none. Those of NVSHMEM are beginnings of names, as those of NCCL are."""
    for host in jobs:
        lists = (
            host.nccl_hca,
            host.nvshmem_devices,
            host.uccl_devices,
            host.rocshmem_devices,
            host.option_devices,
            host.storage_devices,
        )
        whole = ((UCX, host.ucx_devices), (EXACT, host.mori_devices), (EXACT, host.store_devices))
        for library, cell in (*((NCCL, cell) for cell in lists), *whole):
            if cell.is_known and (library is not UCX or _by_rdma(host)) and not cell.get().lstrip().startswith("^"):
                yield library, cell


def _borne(ports: Iterable[FabricPort]) -> Sequence[str] | None:
    """The RDMA devices of all NICs; None where one of them did not say whether it has any."""
    cells = [nic.rdma_device for port in ports if (nic := nic_of(port)) is not None]
    if any(cell.is_unknown for cell in cells):
        return None
    return tuple(dict.fromkeys(cell.get() for cell in cells if cell.is_known))


def _set_up(hosts: Iterable[Host]) -> Sequence[str]:
    """The RDMA devices that every file with a setup names; none where one names others, or does not say which."""
    found: set[frozenset[str]] = set()
    for host in hosts:
        if host.nic_setups.is_absent:
            continue
        named = [setup.rdma_devices for setup in host.nic_setups.or_else(())]
        if not named or any(cell.is_unknown for cell in named):
            return ()
        found.add(frozenset().union(*(cell.or_else(frozenset()) for cell in named)))
    return tuple(sorted(found.pop())) if len(found) == 1 else ()


def devices_by_setups(ports: Iterable[FabricPort]) -> Cell[bool]:
    """Whether it is setups that say which RDMA devices there are, because no NIC was read."""
    return known(all(nic_of(port) is None for port in ports))


def _strange(text: str, library: Library, borne: Sequence[str]) -> Iterator[str]:
    """The names of a list, with their ports, that nothing bears. What UCX is given without a port may be a network device."""
    for entry in library.entries(text):
        may_be_netdev = library is UCX and ":" not in entry.written
        if not may_be_netdev and not any(library.names(entry.alone, device) for device in borne):
            yield entry.written
