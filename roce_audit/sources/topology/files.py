"""Topology files of any form as they were read: what they say of cables and roles, or what is wrong in them."""

from __future__ import annotations

from roce_audit.records import dataclass
from roce_audit.sources.topology.cableplans import reader_of
from roce_audit.sources.topology.own import Topology, TopologyError, is_own_form, of_containerlab, parse
from roce_audit.values import Place


@dataclass(frozen=True, slots=True)
class TopologyFile:
    """One file."""

    path: str
    topology: Topology = Topology()
    is_lab: bool = False
    """It is that of a lab, where ports may have other names than on the device."""
    errors: tuple[tuple[Place, str], ...] = ()
    """Every place that is wrong, with its clause; then nothing else is taken from the file."""
    is_ours: bool = True
    """False for a file of such a name in a form of somebody else's."""


def read(text: str, path: str, *, named: bool = False) -> TopologyFile:
    """What a file says; one that the user `named` is meant for us, in whatever form it is."""
    plan = reader_of(text)
    if plan is not None:
        return TopologyFile(path, plan(text, path))
    lab = of_containerlab(text, path)
    if lab is not None:
        return TopologyFile(path, lab, is_lab=True)
    if not named and not is_own_form(text):
        return TopologyFile(path, is_ours=False)
    try:
        return TopologyFile(path, parse(text, path))
    except TopologyError as error:
        return TopologyFile(path, errors=error.errors)
