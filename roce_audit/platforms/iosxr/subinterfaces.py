"""Policies of subinterfaces: the packets of a port that has no address of its own enter and leave by them alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from roce_audit.platforms.shared.cli.interface import Interface
from roce_audit.platforms.shared.policy.typed import CLASSIFYING
from roce_audit.text.block import block
from roce_audit.values import Place

_SETS = {"input": CLASSIFYING, "output": "queues rewrites_dscp"}
_ADDRESSES = ("ipv4 address ", "ipv6 address ")


def hand_up(interfaces: Mapping[str, Interface]) -> Mapping[str, tuple[str, ...]]:
    """Give each such port that binds no policy itself the one that its subinterfaces bind; port -> what they do not set alike."""
    below: dict[str, list[Interface]] = defaultdict(list)
    for name, one in interfaces.items():
        parent = name.rpartition(".")[0]
        if parent in interfaces:
            below[parent].append(one)
    disputed: dict[str, tuple[str, ...]] = {}
    for name, those in below.items():
        port = interfaces[name]
        if any(label.startswith(_ADDRESSES) for label in port.labels):
            continue
        for way, paths in _SETS.items():
            said = {} if _bound(port, way) else {text: at for one in those for text, at in _bound(one, way).items()}
            if len(said) == 1:
                ((text, at),) = said.items()
                port.blocks = (*port.blocks, block(at.path, at.line, (text,), (at.line,)))
            elif said:
                disputed[name] = (*disputed.get(name, ()), *paths.split())
    return disputed


def _bound(interface: Interface, way: str) -> dict[str, Place]:
    """The statements by which policies are bound in one direction, and where they stand."""
    return {
        text: one.place(index)
        for one in interface.blocks
        for index, text in enumerate(one.texts.statements)
        if text.startswith(f"service-policy {way} ")
    }
