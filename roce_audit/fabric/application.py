"""What the communication libraries do with each NIC: with which ToS byte their packets leave it, and which GID they take.

Settings that nobody saw are absent here, not unknown: whether a library is used at all cannot be seen on most hosts.
"""

from __future__ import annotations

import ipaddress
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from roce_audit.fabric.nics import lists_that_name, nccl_names, nic_of, ucx_names
from roce_audit.fabric.port import FabricPort, of_port_alone
from roce_audit.model import Application, Host, Nic
from roce_audit.values import Cell, Where, absent, known

_UCX_AUTOMATIC_TOS = 106
"""UCX_IB_TRAFFIC_CLASS=auto takes the forced class, else 106 for RoCEv2 (github.com/openucx/ucx, uct/ib)."""
_NCCL_DEFAULT_TOS = 0
_YES: Cell[bool] = known(True)
_NO: Cell[bool] = known(False)
_Subnets = frozenset[tuple[int, int]]
"""(address, bits) of IPv4 subnets: each NIC has its own, and a pair of numbers is a tenth of the library's object."""


def decide(ports: Iterable[FabricPort]) -> None:
    """Set `application` of every NIC."""
    hosts: dict[str, list[FabricPort]] = defaultdict(list)
    rails: dict[tuple[str, ...], dict[_Subnets, FabricPort]] = defaultdict(dict)
    for port in ports:
        nic = nic_of(port)
        if nic is not None and port.device.host is not None:
            hosts[port.device.name].append(port)
            if port.roce.carries and _subnets(port):
                rails[_rail(port)].setdefault(_subnets(port), port)
    for members in hosts.values():
        for port in members:
            nic, host = nic_of(port), port.device.host
            if nic is not None and host is not None:
                beyond = _beyond(port, rails[_rail(port)])
                port.application = _application(port, nic, host, members, beyond)


def _application(
    port: FabricPort, nic: Nic, host: Host, siblings: Sequence[FabricPort], beyond: Cell[str]
) -> Application:
    device = nic.rdma_device.or_else("")
    said_forced = _said(nic.forced_traffic_class)
    forced = Cell(said_forced.value, said_forced.why, port.absolute(said_forced.at))
    nccl_used = _may_use(host.nccl_hca, nccl_names, device)
    ucx_used = _may_use(host.ucx_devices, ucx_names, device)
    nccl: Cell[int] = absent()
    ucx: Cell[int] = absent()
    hidden: Cell[int] = absent()
    if forced.is_known:
        told = ((nccl_used, host.nccl_traffic_class), (ucx_used, host.ucx_traffic_class))
        said = [cell for used, cell in told if used and cell.is_known]
        said.sort(key=lambda cell: cell.get() // 4 == forced.get() // 4)
        hidden = said[0] if said else hidden
    elif forced.is_unknown:  # nobody knows whether what the libraries ask for goes out
        nccl = ucx = hidden = forced
    else:
        if nccl_used:
            nccl = _tos(host.nccl_traffic_class, _places((host.nccl_hca, host.nccl_gid_index)), _NCCL_DEFAULT_TOS)
        if ucx_used:
            ucx = _tos(host.ucx_traffic_class, _places((host.ucx_devices, host.ucx_gid_index)), _UCX_AUTOMATIC_TOS)
    named: Cell[bool] = absent()
    if port.named is not None and (port.named.is_known or _is_misread(port.named)):
        named = port.named
    return Application(
        forced_tos=forced,
        nccl_tos=nccl,
        ucx_tos=ucx,
        hidden_tos=hidden,
        nccl_tos_is_default=_NO if host.nccl_traffic_class.is_known else _YES,
        ucx_tos_is_default=_NO if host.ucx_traffic_class.is_known else _YES,
        gid_index=_said(host.nccl_gid_index),
        ucx_gid_index=_said(host.ucx_gid_index) if ucx_used else absent(),
        nccl_timeout=_said(host.nccl_timeout) if nccl_used else absent(),
        nccl_retries=_said(host.nccl_retries) if nccl_used else absent(),
        nccl_control_tos=_said(host.nccl_control_class) if nccl_used and forced.is_absent else absent(),
        nccl_sl=_said(host.nccl_sl) if nccl_used else absent(),
        ucx_sl=_said(host.ucx_sl) if ucx_used else absent(),
        perftest_tos=_said(host.perftest_traffic_class),
        named=named,
        named_by=known(lists_that_name(host, device), *named.at) if named.is_known else Cell(None, named.why, named.at),
        point_to_point=_point_to_point(port),
        beyond=beyond,
        shares_subnet_with=_in_one_subnet(port, siblings),
    )


def _may_use(listed: Cell[str], names: Callable[[str, str], bool], device: str) -> bool:
    """A library that is given a list keeps to it; without one it takes any device."""
    return not device or not listed.is_known or names(listed.get(), device)


def _tos(said: Cell[int], used: tuple[Where, ...], default: int) -> Cell[int]:
    """The ToS byte that a library is told to use; its default where it was seen to be used without being told."""
    if said.is_known or _is_misread(said):
        return said
    return known(default, *used) if said.is_absent and used else absent()


def _said(cell: Cell[int]) -> Cell[int]:
    """A setting, or the doubt in one; absent where nobody was seen to make it."""
    return cell if cell.is_known or _is_misread(cell) else absent()


def _is_misread(cell: Cell[Any]) -> bool:
    """There is such a setting, but its value was not understood."""
    return cell.is_unknown and bool(cell.at)


def _places(cells: Iterable[Cell[str] | Cell[int]]) -> tuple[Where, ...]:
    """Where it is seen that a library is in use on this host."""
    return tuple(at for cell in cells if cell.is_known for at in cell.at)


def _in_one_subnet(port: FabricPort, siblings: Sequence[FabricPort]) -> Cell[str]:
    """Another RoCE NIC of the host that has an IPv4 address in the same subnet; absent = none, or no addresses seen."""
    mine = _subnets(port)
    for other in siblings:
        if other is not port and port.roce.carries and other.roce.carries and mine & _subnets(other):
            return known(other.reading.name, other.reading.header)
    return absent()


def _rail(port: FabricPort) -> tuple[str, ...]:
    """NICs with the same talk to each other: of one fabric, name and VRF of the switch before them."""
    return port.fabric, port.reading.name, "" if port.peer is None else port.peer.reading.labels.vrf


def _beyond(port: FabricPort, rail: Mapping[_Subnets, FabricPort]) -> Cell[str]:
    """The NIC of this name on another host that no subnet of the port reaches: collective libraries connect the two."""
    mine = _subnets(port)
    for subnets, other in rail.items() if mine and port.roce.carries else ():
        if mine.isdisjoint(subnets) and other.device is not port.device:
            return known(other.id, other.reading.header)
    return absent()


_POINT_TO_POINT = 30
"""Bits of a subnet for two."""


def _point_to_point(port: FabricPort) -> Cell[bool]:
    """Whether none of its subnets has room for more than the two ends of the cable."""
    found = _subnets(port)
    if not found:
        return absent()
    return known(all(bits >= _POINT_TO_POINT for _, bits in found), port.reading.header)


@of_port_alone
def _subnets(port: FabricPort) -> _Subnets:
    """The IPv4 subnets of its addresses with room for others."""
    found = set()
    for text in port.reading.labels.addresses:
        try:
            address = ipaddress.ip_interface(text)
        except ValueError:
            continue
        if isinstance(address, ipaddress.IPv4Interface) and address.network.prefixlen < 32:
            found.add((int(address.network.network_address), address.network.prefixlen))
    return frozenset(found)
