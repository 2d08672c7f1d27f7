"""The RDMA path MTU of a fabric: the policy's, else what most NICs run, else what most ports carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from roce_audit.fabric.classes.majority import FEWEST_VOTES, Support, agreeing, enough, leading
from roce_audit.fabric.hosts.nics import nic_of
from roce_audit.fabric.port import FabricPort, by_facts
from roce_audit.policy.values import FabricPolicy, Policy
from roce_audit.values import Cell, Cited, Why, known, unknown

_RDMA_MTUS = (4096, 2048, 1024, 512, 256)
_ROCE_OVERHEAD = 64


def path_mtu(
    policy: Policy, fabric: FabricPolicy | None, carrying: Mapping[str, Sequence[FabricPort]], inferred: list[Support]
) -> Cell[int]:
    """RDMA path MTU: the policy's, else that of most NICs, else the largest that most ports carry."""
    for cell in (fabric.mtu_bytes if fabric is not None else None, policy.mtu_bytes):
        if cell is not None and cell.is_known:
            return cell
    votes: Counter[int] = Counter()
    by_ports: Counter[int] = Counter()
    for ports in carrying.values():
        nics = [nic_of(s) for s in ports if s.is_nic]
        sizes = Counter(nic.rdma_mtu_bytes.get() for nic in nics if nic is not None and nic.rdma_mtu_bytes.is_known)
        votes.update(leading(sizes))
        if not sizes:
            at_most: Counter[int] = Counter()
            unset: Counter[int] = Counter()
            for alike in by_facts(ports):
                carried = alike[0].reading.facts.ip_mtu_bytes
                if carried.is_known:
                    is_default = all(isinstance(at, Cited) for at in carried.at)
                    (unset if is_default else at_most)[fits(carried.get())] += len(alike)
            if len(unset) < 2:
                # defaults that differ between switched and routed ports tell of no choice that the others fail
                at_most += unset
            by_ports.update(leading(at_most, largest=True))
    most = max(votes.values(), default=0)
    if not votes or votes.total() < 2 * most < 2 * enough(votes.total()):
        # too few NICs spoke, though most of them alike: the ports of the other devices help to tell the odd one
        votes += by_ports
    total = votes.total()
    if not total:
        return unknown(Why.NOT_VISIBLE)
    value, count = votes.most_common(1)[0]
    if count < enough(total):
        return unknown(Why.CONFLICT)
    inferred.append(Support("mtu.roce", value, count / total, total, total < FEWEST_VOTES))
    return known(value, Cited(agreeing(count, total)))


def fits(ip_mtu: int) -> int:
    """The largest RDMA path MTU, bytes, whose packets an IP MTU holds; 0 where it holds none."""
    return next((size for size in _RDMA_MTUS if size + _ROCE_OVERHEAD <= ip_mtu), 0)
