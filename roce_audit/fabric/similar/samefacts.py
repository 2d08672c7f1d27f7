"""Facts that are the same but for names: most hosts have eight NICs that differ in nothing else."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from roce_audit.fabric.port import of_facts_alone
from roce_audit.model import Port
from roce_audit.values import Cell

NAME = "rdma_device"
"""The field of a NIC that only names it."""
_MOST = 500
_first: dict[object, Port] = {}
"""The first facts of each kind that were seen, by all that they say and where it is said (some 50 kB); as many as these at most."""


@of_facts_alone
def but_for_names(facts: Port) -> Port:
    """One of the facts that say the same in the same statements, whatever a NIC's RDMA device is called: the same one for all of them."""
    nic = facts.nic.value
    if nic is None or nic.rdma_device.value is None:
        return facts
    unnamed = replace(nic, rdma_device=replace(nic.rdma_device, value=""))
    shape = all_said(replace(facts, nic=replace(facts.nic, value=unnamed)))
    if len(_first) >= _MOST:
        _first.clear()
    return _first.setdefault(shape, facts)


def all_said(thing: Any) -> object:
    """A value with its evidence, which takes no part in the equality of cells."""
    if type(thing) is Cell:
        return (all_said(thing.value), thing.why, thing.at)
    if type(thing) is tuple:
        return tuple([all_said(one) for one in thing])
    if is_dataclass(thing):
        return (type(thing), *[all_said(getattr(thing, field.name)) for field in fields(thing)])
    return thing
