"""Traffic policies of VLANs that drop every RoCEv2 packet: `traffic-policy P inbound` below `vlan N`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.cli.vlandrops import VlanDrop
from roce_audit.platforms.shared.policy import statements as ps
from roce_audit.platforms.shared.policy.classify import Classifier
from roce_audit.platforms.vrp.policies import TrafficPolicies
from roce_audit.platforms.vrp.table import TABLE
from roce_audit.text.acl import ROCE_UDP_PORT
from roce_audit.text.block import resolve
from roce_audit.values import At, Place, Why


def vlan_drops(ports: Sequence[PortReading]) -> Iterator[VlanDrop]:
    """Each such policy with the VLANs that it is applied to; a policy is a part of every port that carries its VLAN."""
    found: dict[Place, VlanDrop | None] = {}
    for port in ports:
        for index, part in enumerate(port.parts):
            for number, line in enumerate(part.block.texts.statements if part.kind == "vlan" else ()):
                binds, said = part.block.place(number), TABLE.parse("vlan", line).value
                if not isinstance(said, ps.Binding) or said.name is None:
                    continue
                if binds not in found:
                    found[binds] = _drop(port, said.name, At(index, number), binds)
                one = found[binds]
                if one is not None:
                    found[binds] = one._replace(vlans=one.vlans | {int(part.name)})
    yield from filter(None, found.values())


def _drop(port: PortReading, policy: str, at: At, binds: Place) -> VlanDrop | None:
    classifier = Classifier(TrafficPolicies(port.parts), Why.UNDEFINED)
    answers = [classifier.dropped(policy, at, dscp) for dscp in range(64)]
    where = resolve(answers[0].at[0], port.parts) if answers[0].at else None
    if not all(answer.is_known and answer.value for answer in answers) or not isinstance(where, Place):
        return None
    lists = [text for part in port.parts if part.kind == "acl" for text in part.block.texts.statements]
    named = any(f" {ROCE_UDP_PORT}" in text for text in lists)
    return VlanDrop(f"traffic policy {policy}", f"traffic policy {policy}", where, binds, named, frozenset())
