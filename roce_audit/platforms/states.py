"""Running, saved and intended configurations of one switch: only one of them is in force, and they are never mixed.

What runs decides. A saved configuration is what the switch will boot with: it is read by itself, and compared with what runs.
Where nothing that runs was given, what is saved is judged, else what is intended.
"""

from __future__ import annotations

import re
from dataclasses import replace

from roce_audit.platforms.base import DeviceReading, Neighbour
from roce_audit.platforms.factorynames import is_factory
from roce_audit.platforms.record import Platform
from roce_audit.text.document import DeviceInput, Document, State

_HEAD = 4000
_OF_TEXT = frozenset({"unread-line", "unreadable", "truncated"})
"""Observations that hold of a text in whatever state it is; names are settled within what is in force."""
_IN_ORDER: tuple[State, ...] = ("running", "startup", "intended", "candidate")


def read(platform: Platform, device: DeviceInput) -> DeviceReading:
    """The reading of what is in force; of a switch with the saved configuration beside it."""
    reading = platform.read(device) if platform.kind == "host" else _in_force(platform, device)
    if any(is_factory(one.system) for one in reading.neighbours):
        return replace(reading, neighbours=tuple(map(_without_factory_name, reading.neighbours)))
    return reading


def _without_factory_name(one: Neighbour) -> Neighbour:
    """A far end that was never given a name has only its addresses."""
    return replace(one, system="") if is_factory(one.system) else one


def _in_force(platform: Platform, device: DeviceInput) -> DeviceReading:
    sorted_: dict[State | None, list[Document]] = {}
    for document in device.documents:
        sorted_.setdefault(_state(platform, document), []).append(document)
    shown = sorted_.pop(None, [])
    if len(sorted_) < 2:
        return platform.read(device)
    in_force = next(state for state in _IN_ORDER if state in sorted_)
    reading = platform.read(_those(device, (*shown, *sorted_.pop(in_force))))
    startup = sorted_.pop("startup", []) if in_force == "running" else []
    saved = platform.read(_those(device, (*shown, *startup))) if startup else None
    told = (
        ()
        if saved is None
        else tuple(s for s in saved.seen if s.observation.kind in _OF_TEXT and s not in reading.seen)
    )
    aside = tuple(
        (document.path, f"the {state} configuration: what is {in_force} is in force")
        for state, documents in sorted_.items()
        for document in documents
    )
    return replace(reading, saved=saved, seen=(*reading.seen, *told), unrecognised=(*reading.unrecognised, *aside))


def _state(platform: Platform, document: Document) -> State | None:
    """The state that a document is in: a file that names its host and no state is what runs. None for answers and pieces."""
    found = state_of(platform, document)
    if found is None and document.command is None and platform.hostname(document) is not None:
        return "running"
    return found


def state_of(platform: Platform, document: Document) -> State | None:
    """The state of a document, as its name, its command or the text says; None where nothing does."""
    if document.state is not None:
        return document.state
    for pattern, state in platform.states.items():
        where = (document.command or "", document.path, document.text[:_HEAD])
        if any(re.search(pattern, text, re.M) for text in where):
            return state
    return None


def _those(device: DeviceInput, chosen: tuple[Document, ...]) -> DeviceInput:
    """The device with these of its documents alone, in their order."""
    wanted = set(map(id, chosen))
    return replace(device, documents=tuple(d for d in device.documents if id(d) in wanted))
