"""Code points of one port that are led to different classes: by policies of its subinterfaces, or of the two IP versions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from roce_audit.model.walk import follow
from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.text.block import resolve
from roce_audit.text.sentences import runs
from roce_audit.values import At, Place, Why

_POLICY = "dscp-policy"


def disagreeing(ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Those that a policy lists, told at the policy that fewer ports have. Ports that are alike share facts, and are looked at once."""
    alike: dict[int, dict[int, list[At]]] = {}
    for port in ports:
        if id(port.facts) not in alike:
            alike[id(port.facts)] = dict(_marks(port))
    if not any(alike.values()):
        return
    users = Counter(part.name for port in ports for part in port.parts if part.kind == _POLICY)
    told: dict[str, tuple[Place, set[int], list[str]]] = {}
    for port in ports:
        for mark, listed in alike[id(port.facts)].items():
            at = min(listed, key=lambda at: users[port.parts[at.part].name])
            place, policy = resolve(at, port.parts), port.parts[at.part].name
            if isinstance(place, Place):
                _, marks, names = told.setdefault(policy, (place, set(), []))
                marks.add(mark)
                names.append(port.name)
    for place, marks, names in told.values():
        text = (
            f"DSCP {', '.join(runs(marks))} is led to another class on another subinterface of the port, or in packets of the other"
            " IP version: what RoCE gets there hangs on where it enters"
        )
        yield seen("conflict", "classifiers", text, place, _POLICY, tuple(dict.fromkeys(names)))


def _marks(port: PortReading) -> Iterator[tuple[int, list[At]]]:
    for mark in range(64):
        cell = follow(port.facts, ("dscp", mark))
        if cell is not None and cell.why is Why.CONFLICT:
            listed = [at for at in cell.at if isinstance(at, At) and _lists(port, at, mark)]
            if listed:
                yield mark, listed


def _lists(port: PortReading, at: At, mark: int) -> bool:
    part = port.parts[at.part]
    return part.kind == _POLICY and at.index >= 0 and part.block.texts.statements[at.index].startswith(f"dscp {mark} ")
