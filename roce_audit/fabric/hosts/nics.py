"""Evidence that only hosts give: which NICs the application names, what was set up for RoCE, and the hints against a NIC."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from roce_audit.fabric.port import UNDECIDED, FabricPort, RoceEvidence, as_said, of_facts_alone
from roce_audit.model import Host, Nic, Port
from roce_audit.platforms.portreading import NAMELESS
from roce_audit.records import dataclass
from roce_audit.text.devicelists import NCCL, UCX
from roce_audit.values import HERE, Cell, Where, Why, absent, known, unknown

_HALF = 2
_DEFAULT_CNP_DSCP = 48
_DEFAULT_CNP_PRIORITY = 6
"""Factory settings of ConnectX and BlueField (NVIDIA DOCA, DCQCN parameters; mlxconfig of a ConnectX-5)."""


@dataclass(frozen=True, slots=True)
class Hint:
    """Evidence of rank 7 against a NIC. A weak one stands back where the NIC's own configuration speaks for RoCE."""

    answer: RoceEvidence
    weak: bool


def nic_of(port: FabricPort) -> Nic | None:
    """The NIC facts of a host port, where it has any."""
    return port.reading.facts.nic.value_or_none()


def infiniband_only(ports: Iterable[FabricPort], carrying: Collection[FabricPort]) -> Cell[bool]:
    """Whether all RDMA devices that were read are of InfiniBand, and no port carries RoCE."""
    with_device = [port for port in ports if (nic := nic_of(port)) is not None and nic.rdma_device.is_known]
    if carrying or not with_device or any(port.reading.facts.kind.value != "infiniband" for port in with_device):
        return absent()
    first = with_device[0]
    return known(True, *first.absolute(first.reading.facts.kind.at[:1]))


@dataclass(frozen=True, slots=True)
class Channels:
    """The channels that have members, by device and name: their own ports, and the RDMA devices of bonds."""

    ports: Mapping[tuple[str, str], FabricPort]
    rdma_devices: Mapping[tuple[str, str], Cell[str]]


def channels_of(ports: Iterable[FabricPort]) -> Channels:
    """RoCE over a bond has one RDMA device for all members; tools show it at the bond, or at its first member."""
    by_name = {(port.device.name, port.reading.name): port for port in ports}
    members: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in by_name.values():
        if port.reading.labels.lag:
            members[port.device.name, port.reading.labels.lag].append(port)
    own = {key: by_name[key] for key in members if key in by_name}
    devices: dict[tuple[str, str], Cell[str]] = {}
    for key, fellows in members.items():
        said = [_rdma(port) for port in (*((own[key],) if key in own else ()), *fellows) if port.is_nic]
        found = next((cell for cell in said if cell.is_known), next((cell for cell in said if cell.is_unknown), None))
        if found is not None:
            devices[key] = found
    return Channels(own, devices)


class DeviceLists:
    """NCCL_IB_HCA and UCX_NET_DEVICES of one host, and which RDMA devices they name."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._lists = _lists(host)
        self._cells: dict[tuple[bool, ...], Cell[bool]] = {}
        self._words: dict[tuple[bool, ...], str] = {}
        self._hits: dict[str, tuple[bool, ...]] = {}

    def names(self, device: str) -> Cell[bool]:
        """Whether a device is named; absent where neither list is set, unknown where not seen.

        The device name may carry a port: `mlx5_0:2`. A name in either list is enough.
        """
        hits = self._hit(device) if device else ()
        found = self._cells.get(hits)
        if found is None:
            found = self._cells[hits] = self._named(hits)
        return found

    def that_name(self, device: str) -> str:
        """The lists that name the device, as written; all lists where none does."""
        hits = self._hit(device)
        found = self._words.get(hits)
        if found is None:
            written = [f"{name}={cell.get()[:80]}" for name, cell, _ in self._lists]
            naming = [text for text, hit in zip(written, hits, strict=True) if hit]
            found = self._words[hits] = " and ".join(naming or written)
        return found

    def _hit(self, device: str) -> tuple[bool, ...]:
        """Which of the lists name the device."""
        found = self._hits.get(device)
        if found is None:
            found = self._hits[device] = tuple([names(cell.get(), device) for _, cell, names in self._lists])
        return found

    def _named(self, hits: tuple[bool, ...]) -> Cell[bool]:
        host = self._host
        said = [known(hit, *cell.at) for (_, cell, _), hit in zip(self._lists, hits, strict=False)]
        if not said:
            not_known = next((cell for cell in (host.nccl_hca, host.ucx_devices) if cell.is_unknown), None)
            return absent() if not_known is None else unknown(not_known.why or Why.NOT_VISIBLE, *not_known.at)
        misread = next((cell for cell in (host.nccl_hca, host.ucx_devices) if cell.is_unknown and cell.at), None)
        otherwise = said[0] if misread is None else unknown(misread.why or Why.NOT_PARSED, *misread.at)
        return next((cell for cell in said if cell.get()), otherwise)


_PRIORITIES = 8
_WITHOUT_A_MAP = frozenset({"ice", "i40e", "qede"})
"""Drivers of RDMA NICs that bring no map of DSCPs: one that has entries was given them."""


class ListsOfHosts:
    """The lists of each host, made once."""

    def __init__(self) -> None:
        self._known: dict[int, DeviceLists] = {}

    def of(self, host: Host) -> DeviceLists:
        """Those of one host; the site keeps it."""
        found = self._known.get(id(host))
        if found is None:
            found = self._known[id(host)] = DeviceLists(host)
        return found


_Names = Callable[[str, str], bool]


def _lists(host: Host) -> list[tuple[str, Cell[str], _Names]]:
    """The lists of devices that were seen and are not empty, and what each means."""
    every: list[tuple[str, Cell[str], _Names]] = [
        ("NCCL_IB_HCA", host.nccl_hca, NCCL.names),
        ("UCX_NET_DEVICES", host.ucx_devices, UCX.names),
    ]
    return [entry for entry in every if entry[1].is_known and entry[1].get().strip()]


def settings_of_bond(ports: Iterable[FabricPort]) -> None:
    """A bond is set up as a whole: where a member is set up for RoCE, its others carry it as well."""
    bonds: dict[tuple[str, str], list[FabricPort]] = defaultdict(list)
    for port in ports:
        if port.is_nic and port.reading.labels.lag:
            bonds[port.device.name, port.reading.labels.lag].append(port)
    for (_, bond), members in bonds.items():
        set_up = next((one for one in members if one.roce.carries and one.roce.rank == "port_config"), None)
        for port in members:
            if port.roce is UNDECIDED and port.hint is None and set_up is not None:
                said = f"{set_up.reading.name}, of the same {bond}: {set_up.roce.because}"
                port.roce = RoceEvidence(True, "port_config", set_up.absolute(set_up.roce.at), said)


def settings_for_roce(port: FabricPort) -> RoceEvidence | None:
    """Settings beyond PFC that nobody finds on a NIC as its driver sets it up: somebody prepared it for RoCE."""
    nic = nic_of(port)
    if nic is None:
        return None
    found: list[tuple[str, tuple[Where, ...]]] = []
    dcbx = port.reading.facts.dcbx.value_or_none()
    if dcbx is not None and dcbx.roce_priority.or_else(0) > 0:
        found.append(("an application entry for UDP 4791", dcbx.roce_priority.at))
    trust = port.reading.facts.trust
    if port.reading.name == NAMELESS and len(port.device.ports) == 1 and trust.is_known and trust.get() == "dscp":
        # the answer of a tool that was asked for nothing else: whose it is does not matter
        found.append(("DSCP trust", trust.at))
    if not (nic.rdma_device.is_known or found):
        return _told_by_its_version(port, nic)
    if nic.roce.or_else(False) and port.device.host is not None:
        pfc, policy = port.reading.facts.pfc.value_or_none(), port.device.host.smb_direct_priority
        if policy.is_known:
            found.append(("RDMA with a policy for SMB Direct", nic.roce.at))
        if pfc is not None and pfc.mode.or_else("off") == "on" and pfc.priorities.or_else(frozenset()):
            found.append(("RDMA with PFC", (*nic.roce.at, *pfc.priorities.at)))
    if nic.forced_traffic_class.is_known:
        found.append((f"traffic class forced to {nic.forced_traffic_class.get()}", nic.forced_traffic_class.at))
    if nic.driver.or_else("") in _WITHOUT_A_MAP:
        mapped = next((cell for cell in port.reading.facts.dscp.or_else(())[1:] if cell.or_else(0) > 0), None)
        if mapped is not None:
            found.append(("a map of DSCPs", mapped.at))
    if _is_connectx(nic):
        if trust.is_known and trust.get() == "dscp":
            found.append(("DSCP trust", trust.at))
        for what, cell, default in (
            ("DSCP", nic.cnp_dscp, _DEFAULT_CNP_DSCP),
            ("priority", nic.cnp_priority, _DEFAULT_CNP_PRIORITY),
        ):
            if cell.is_known and cell.get() != default:
                found.append((f"CNP {what} {cell.get()}", cell.at))
        congestion = nic.dcqcn.value_or_none()
        chosen = congestion.rp_priorities if congestion is not None else absent()
        if chosen.is_known and 0 < len(chosen.get()) < _PRIORITIES:
            found.append(("DCQCN for some priorities", chosen.at))
    if not found:
        return None
    at = tuple(where for _, places in found for where in port.absolute(places))
    return RoceEvidence(True, "port_config", at, "its configuration has " + ", ".join(said for said, _ in found))


def _told_by_its_version(port: FabricPort, nic: Nic) -> RoceEvidence | None:
    """A NIC of which its version of RoCE was shown, and not whether RDMA is on: with QoS on, and a policy for SMB Direct."""
    pfc, host = port.reading.facts.pfc.value_or_none(), port.device.host
    if not nic.cma_mode.is_known or not nic.roce.or_else(True) or host is None or not host.smb_direct_priority.is_known:
        return None
    if pfc is None or pfc.mode.or_else("off") != "on":
        return None
    at = port.absolute((*nic.cma_mode.at, *pfc.mode.at))
    return RoceEvidence(True, "port_config", at, "its configuration has RoCE and QoS, with a policy for SMB Direct")


@of_facts_alone
def near_gpu(facts: Port) -> RoceEvidence | None:
    """An RDMA device that shares a PCIe switch with a GPU."""
    nic = facts.nic.value_or_none()
    if nic is None or not nic.rdma_device.is_known or not nic.near_gpu.or_else(False):
        return None
    return RoceEvidence(True, "port_config", as_said(nic.near_gpu.at), "shares a PCIe switch with a GPU")


def _is_connectx(nic: Nic) -> bool:
    return nic.driver.or_else("").startswith("mlx5") or nic.rdma_device.or_else("").startswith("mlx5")


def has_rdma_device(port: FabricPort) -> bool:
    """Whether a NIC has an RDMA device in its own right: what carries its traffic needs no similar ports to be believed."""
    nic = nic_of(port)
    return nic is not None and nic.rdma_device.is_known


def rdma_device_of(port: FabricPort, channels: Channels) -> Cell[str]:
    """The RDMA device of a NIC, or of the bond it is a member of (`mlx5_bond_0`); where there is none, as the NIC itself says it."""
    own, bond = _rdma(port), port.reading.labels.lag
    behind = channels.rdma_devices.get((port.device.name, bond)) if bond and not own.is_known else None
    return own if behind is None else behind


def _rdma(port: FabricPort) -> Cell[str]:
    nic = nic_of(port)
    if nic is not None:
        return nic.rdma_device
    return absent() if port.reading.facts.nic.is_absent else unknown(Why.NOT_VISIBLE)


class HintsOfHosts:
    """What speaks against the NICs of a host, worked out once for hosts whose NICs are alike.

    Strong: no RDMA device; no link, and no cable known; the default route, where the host has other RDMA NICs. Weak: under
    half the speed of the fastest RDMA NIC in its fabric, unless its PFC is for other priorities than theirs; left out of
    the application's list.
    """

    def __init__(self, channels: Channels) -> None:
        self._channels = channels
        self._known: dict[tuple[object, ...], Sequence[Hint | None]] = {}

    def of(self, ports: Sequence[FabricPort]) -> Sequence[Hint | None]:
        """The hint against each of the NICs of one host, None where there is none."""
        if any(port.reading.labels.lag or _is_left_out(port) for port in ports):
            return _hints_against(ports, self._channels)  # which another NIC's lines say, or the host's
        key = tuple(
            [(id(port.reading.facts), port.fabric, port.reading.labels.no_link and port.peer is None) for port in ports]
        )
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = _hints_against(ports, self._channels)
        return found


def _hints_against(ports: Sequence[FabricPort], channels: Channels) -> Sequence[Hint | None]:
    devices = {port.id: rdma_device_of(port, channels) for port in ports}
    routes = {port.id: _default_route(port, channels) for port in ports}
    fastest: dict[str, int] = defaultdict(int)
    for port in ports:
        if devices[port.id].is_known:
            fastest[port.fabric] = max(fastest[port.fabric], _speed(port))
    elsewhere = any(
        devices[port.id].is_known
        and not routes[port.id]
        and (port.device.name, port.reading.name) not in channels.ports
        for port in ports
    )
    common: dict[str, frozenset[int]] = defaultdict(frozenset)
    for port in ports:
        if _speed(port) == fastest[port.fabric] > 0:
            common[port.fabric] |= _paused(port)

    def hint(port: FabricPort) -> Hint | None:
        device, route = devices[port.id], routes[port.id]
        if device.is_absent:
            return _against(as_said(device.at) or (HERE,), "no RDMA device")
        if port.reading.labels.no_link and port.peer is None:
            return _against((HERE,), "no link, and no cable is known")
        if route and elsewhere:
            return _against(route, "holds the host's default route")
        return _slow(port, fastest[port.fabric], common[port.fabric]) or _left_out(port)

    return [hint(port) for port in ports]


def _slow(port: FabricPort, fastest: int, common: frozenset[int]) -> Hint | None:
    """Strong where the NIC pauses, and none of the priorities that the fastest NICs of the host pause."""
    if not 0 < _speed(port) * _HALF < fastest:
        return None
    at = as_said(port.reading.facts.speed_bps.at)
    paused = _paused(port)
    foreign = bool(paused and common) and not paused & common
    return _against(at, "under half the speed of the host's fastest RDMA NIC", weak=not foreign)


def _is_left_out(port: FabricPort) -> bool:
    return port.named is not None and port.named.is_known and not port.named.get()


def _left_out(port: FabricPort) -> Hint | None:
    if port.named is None or not _is_left_out(port):
        return None
    return _against(port.named.at, "not among the devices that the application is told to use", weak=True)


def _against(at: tuple[Where, ...], said: str, *, weak: bool = False) -> Hint:
    return Hint(RoceEvidence(False, "hint", at, said), weak)


def _default_route(port: FabricPort, channels: Channels) -> tuple[Where, ...]:
    """Where it is said that the default route leaves here or over the bond; empty where it does not."""
    bond = port.reading.labels.lag
    for one in (port, channels.ports.get((port.device.name, bond))) if bond else (port,):
        nic = nic_of(one) if one is not None else None
        if one is not None and nic is not None and nic.default_route.or_else(False):
            at = as_said(nic.default_route.at) or (HERE,)
            return at if one is port else one.absolute(at)
    return ()


def _paused(port: FabricPort) -> frozenset[int]:
    """The priorities with PFC; none where nobody knows."""
    pfc = port.reading.facts.pfc
    return pfc.get().priorities.or_else(frozenset()) if pfc.is_known else frozenset()


def _speed(port: FabricPort) -> int:
    return port.reading.facts.speed_bps.or_else(0)
