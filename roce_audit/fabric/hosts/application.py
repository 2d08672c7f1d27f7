"""What the communication libraries do with each NIC: with which ToS byte their packets leave it, and which GID they take.

Settings that nobody saw are absent here, not unknown: whether a library is used at all cannot be seen on most hosts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from roce_audit.fabric.hosts.nics import DeviceLists, ListsOfHosts, has_rdma_device, nic_of
from roce_audit.fabric.port import FabricPort
from roce_audit.fabric.vlans.subnets import Subnets, are_for_two, subnets_of
from roce_audit.model import Application, Host, Nic
from roce_audit.records import dataclass
from roce_audit.text.devicelists import NCCL, UCX
from roce_audit.values import HERE, Cell, Where, Why, absent, known

_UCX_AUTOMATIC_TOS = 106
"""UCX_IB_TRAFFIC_CLASS=auto takes the forced class, else 106 for RoCEv2 (github.com/openucx/ucx, uct/ib)."""
_NCCL_DEFAULT_TOS = 0
_YES: Cell[bool] = known(True)
_NO: Cell[bool] = known(False)
_NONE: Cell[Any] = absent()
_Value = TypeVar("_Value")


def decide(ports: Iterable[FabricPort], lists: ListsOfHosts) -> None:
    """Set `application` of every NIC."""
    hosts: dict[str, list[FabricPort]] = defaultdict(list)
    rails: dict[tuple[str, ...], dict[Subnets, FabricPort]] = defaultdict(dict)
    rail_of: dict[str, dict[Subnets, FabricPort]] = {}
    subnets: dict[str, Subnets] = {}
    for port in ports:
        if port.is_nic and port.device.host is not None and nic_of(port) is not None:
            hosts[port.device.name].append(port)
            mine = subnets[port.id] = subnets_of(port)
            if mine and port.roce.carries:
                rail = rail_of[port.id] = rails[_rail(port)]
                rail.setdefault(mine, port)
    for members in hosts.values():
        host = members[0].device.host
        if host is None:
            continue
        environment, neighbours = _Environment(host, lists.of(host)), _in_one_subnet(members, subnets)
        none_named, of_bonds = _none_named(host, members), _first_of_bonds(members)
        for port in members:
            mine = subnets[port.id]
            beyond = _beyond(port, mine, rail_of[port.id]) if port.id in rail_of else _NONE
            sending = _sending(port, of_bonds.get(port.reading.labels.lag))
            shares = neighbours.get(port.id, _NONE)
            port.application = environment.application(port, sending, mine, beyond, shares, none_named)


@dataclass(frozen=True, slots=True)
class _Sending:
    """The RDMA device by which a NIC sends, and the class that its driver forces."""

    device: str
    forced: Cell[int]


def _first_of_bonds(members: Iterable[FabricPort]) -> Mapping[str, FabricPort]:
    """Bond -> its first member with an RDMA device, which is that of all members."""
    found: dict[str, FabricPort] = {}
    for port in members:
        if port.reading.labels.lag and has_rdma_device(port):
            found.setdefault(port.reading.labels.lag, port)
    return found


def _sending(port: FabricPort, first: FabricPort | None) -> _Sending:
    if first is None or has_rdma_device(port):
        nic = port.reading.facts.nic.get()
        return _Sending(nic.rdma_device.or_else(""), _forced(nic))
    nic = first.reading.facts.nic.get()
    forced = _forced(nic)
    return _Sending(nic.rdma_device.get(), Cell(forced.value, forced.why, first.absolute(forced.at)))


def _forced(nic: Nic) -> Cell[int]:
    """The ToS byte that the driver forces; where no answer shows what runs, that of the boot files."""
    boots = nic.persisted.value_or_none() if nic.forced_traffic_class.why is Why.NOT_VISIBLE else None
    boot_nic = boots.nic.value_or_none() if boots is not None else None
    if boot_nic is not None and boot_nic.forced_traffic_class.is_known:
        return boot_nic.forced_traffic_class
    return _said(nic.forced_traffic_class)


class _Environment:
    """What the libraries of one host are told: nearly always the same for all its NICs."""

    def __init__(self, host: Host, lists: DeviceLists) -> None:
        self._host = host
        self._lists = lists
        self._known: dict[tuple[object, ...], Mapping[str, Cell[Any]]] = {}
        """By what may differ between the NICs of a host."""

    def application(
        self,
        port: FabricPort,
        sending: _Sending,
        subnets: Subnets,
        beyond: Cell[str],
        shares: Cell[str],
        none_named: Cell[str],
    ) -> Application:
        """What the libraries do with one NIC; `beyond`, `shares` and `none_named` are fields of it."""
        device, forced = sending.device, sending.forced
        used = _may_use(self._host.nccl_hca, NCCL.names, device), _may_use(self._host.ucx_devices, UCX.names, device)
        named: Cell[bool] = _NONE
        if port.named is not None and (port.named.is_known or _is_misread(port.named)):
            named = port.named
        named_by: Cell[str] = Cell(None, named.why, named.at)
        if named.is_known:
            named_by = known(self._lists.that_name(device), *named.at)
        key = (*used, forced.value, forced.why, id(forced.at))
        told = self._known.get(key)
        if told is None:
            told = self._known[key] = self._told(*used, forced)
        return Application(
            **told,
            named=named,
            named_by=named_by,
            none_named=none_named,
            point_to_point=_point_to_point(subnets),
            beyond=beyond,
            shares_subnet_with=shares,
        )

    def _told(self, nccl_used: bool, ucx_used: bool, forced: Cell[int]) -> Mapping[str, Cell[Any]]:
        host = self._host
        nccl, ucx, hidden = self._tos(nccl_used, ucx_used, forced)
        return {
            "forced_tos": forced,
            "nccl_tos": nccl,
            "ucx_tos": ucx,
            "nvshmem_tos": _said(host.nvshmem_traffic_class) if forced.is_absent else _NONE,
            "storage_tos": _said(host.storage_traffic_class) if forced.is_absent else _NONE,
            "hidden_tos": hidden,
            "nccl_tos_is_default": _NO if host.nccl_traffic_class.is_known else _YES,
            "ucx_tos_is_default": _NO if host.ucx_traffic_class.is_known else _YES,
            "gid_index": _said(host.nccl_gid_index),
            "ucx_gid_index": _said(host.ucx_gid_index) if ucx_used else _NONE,
            "nvshmem_gid_index": _said(host.nvshmem_gid_index),
            "nccl_timeout": _said(host.nccl_timeout) if nccl_used else _NONE,
            "nccl_retries": _said(host.nccl_retries) if nccl_used else _NONE,
            "nccl_ib_disable": _said(host.nccl_ib_disable),
            "nccl_net": _said(host.nccl_net),
            "ucx_rdma": _said(host.ucx_rdma),
            "nccl_control_tos": _said(host.nccl_control_class) if nccl_used and forced.is_absent else _NONE,
            "nccl_sl": _said(host.nccl_sl) if nccl_used else _NONE,
            "ucx_sl": _said(host.ucx_sl) if ucx_used else _NONE,
            "perftest_tos": _said(host.perftest_traffic_class),
        }

    def _tos(self, nccl_used: bool, ucx_used: bool, forced: Cell[int]) -> tuple[Cell[int], Cell[int], Cell[int]]:
        """The ToS bytes of NCCL and UCX, and the one that a forced class hides."""
        host = self._host
        if forced.is_known:
            told = ((nccl_used, host.nccl_traffic_class), (ucx_used, host.ucx_traffic_class))
            said = [cell for used, cell in told if used and cell.is_known]
            said.sort(key=lambda cell: cell.get() // 4 == forced.get() // 4)
            return _NONE, _NONE, said[0] if said else _NONE
        if forced.is_unknown:  # nobody knows whether what the libraries ask for goes out
            return forced, forced, forced
        nccl: Cell[int] = _NONE
        ucx: Cell[int] = _NONE
        if nccl_used:
            nccl = _tos(host.nccl_traffic_class, _places((host.nccl_hca, host.nccl_gid_index)), _NCCL_DEFAULT_TOS)
        if ucx_used:
            ucx = _tos(host.ucx_traffic_class, _places((host.ucx_devices, host.ucx_gid_index)), _UCX_AUTOMATIC_TOS)
        return nccl, ucx, _NONE


def _none_named(host: Host, members: Sequence[FabricPort]) -> Cell[str]:
    """NCCL_IB_HCA where it keeps NCCL from every RoCE NIC of the host. A list that names nothing of the host is told for its names."""
    listed = host.nccl_hca
    if listed.why is Why.NOT_PARSED:
        return listed
    if not listed.is_known or not listed.get().strip():
        return _NONE
    devices = [(bool(port.roce.carries), port.reading.facts.nic.get().rdma_device) for port in members]
    named = {device: NCCL.names(listed.get(), device.get()) for _, device in devices if device.is_known}
    roce = [device for carries, device in devices if carries]
    if not roce or any(named.get(device, True) for device in roce):
        return _NONE
    return known(listed.get(), *listed.at) if any(named.values()) or listed.get().lstrip().startswith("^") else _NONE


def _may_use(listed: Cell[str], names: Callable[[str, str], bool], device: str) -> bool:
    """A library that is given a list keeps to it; without one it takes any device."""
    return not device or not listed.is_known or names(listed.get(), device)


def _tos(said: Cell[int], used: tuple[Where, ...], default: int) -> Cell[int]:
    """The ToS byte that a library is told to use; its default where it was seen to be used without being told."""
    if said.is_known or _is_misread(said):
        return said
    return known(default, *used) if said.is_absent and used else absent()


def _said(cell: Cell[_Value]) -> Cell[_Value]:
    """A setting, or the doubt in one; absent where nobody was seen to make it."""
    return cell if cell.is_known or _is_misread(cell) else absent()


def _is_misread(cell: Cell[Any]) -> bool:
    """There is such a setting, but its value was not understood."""
    return cell.is_unknown and bool(cell.at)


def _places(cells: Iterable[Cell[str] | Cell[int]]) -> tuple[Where, ...]:
    """Where it is seen that a library is in use on this host."""
    return tuple(at for cell in cells if cell.is_known for at in cell.at)


def _in_one_subnet(members: Sequence[FabricPort], subnets: Mapping[str, Subnets]) -> Mapping[str, Cell[str]]:
    """Port id -> another RoCE NIC of the host with an IPv4 address in the same subnet, of those that have one."""
    carrying = [port for port in members if port.roce.carries]
    each = [subnets[port.id] for port in carrying]
    if len(frozenset().union(*each)) == sum(map(len, each)):
        return {}
    found: dict[str, Cell[str]] = {}
    for port in carrying:
        other = next((o for o in carrying if o is not port and subnets[port.id] & subnets[o.id]), None)
        if other is not None:
            found[port.id] = known(other.reading.name, other.reading.header)
    return found


def _rail(port: FabricPort) -> tuple[str, ...]:
    """NICs with the same talk to each other: of one fabric, name and VRF of the switch before them."""
    return port.fabric, port.reading.name, "" if port.peer is None else port.peer.reading.labels.vrf


def _beyond(port: FabricPort, mine: Subnets, rail: Mapping[Subnets, FabricPort]) -> Cell[str]:
    """The NIC of this name on another host that no subnet of the port reaches: collective libraries connect the two."""
    for subnets, other in rail.items():
        if mine.isdisjoint(subnets) and other.device is not port.device:
            return known(other.id, other.reading.header)
    return _NONE


_FOR_TWO: Cell[bool] = known(True, HERE)
_FOR_MORE: Cell[bool] = known(False, HERE)


def _point_to_point(subnets: Subnets) -> Cell[bool]:
    """Whether none of its subnets has room for more than the two ends of the cable."""
    if not subnets:
        return _NONE
    return _FOR_TWO if are_for_two(subnets) else _FOR_MORE
