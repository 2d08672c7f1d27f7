"""What makes sense with PFC alone, on a switch of which no port has any: a lossless pool, a group that no list names, a watchdog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.cumulus.datastore import Datastore
from roce_audit.platforms.cumulus.nvue import APPLIES, KEEPS
from roce_audit.platforms.cumulus.statements import Entry, Line
from roce_audit.platforms.cumulus.table import LOSSLESS_POOLS, TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.watchdogs import is_without_pause, watched_without_pause
from roce_audit.text.document import Document
from roce_audit.text.statements.rows import Leaf

_ROCE = ("qos", "roce")
_PFC = ("qos", "pfc", "switch-priority")
"""The words of a priority that is paused, without the name of its profile."""


def unpaused(store: Datastore, ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Such settings while every port is known to have no PFC, in neither direction."""
    off = list(_off(store))
    yield from off
    if off or not is_without_pause(ports):
        return
    names = tuple([port.name for port in ports if port.facts.kind.value in ("ethernet", "lag")])
    yield from [*_pools(store, names), *_groups(store, names)] or watched_without_pause(ports, "pfc-watchdog")


def _off(store: Datastore) -> Iterator[Seen]:
    """RoCE whose mode is said to be lossless, and which is off."""
    leaves = _said_of_roce(store)
    mode, (on, at) = leaves.get("mode", ("", None))[0], leaves.get("state", leaves.get("enable", (True, None)))
    if str(mode) == "lossless" and at is not None and not on:
        text = "the mode of RoCE is lossless, and RoCE is off: the mode has no effect"
        yield seen("unpaused", "qos roce", text, at.place, at.quote, tuple(port.name for port in store.ports.values()))


def _said_of_roce(store: Datastore) -> dict[str, tuple[Any, Entry]]:
    """What is said of RoCE last, and where."""
    said = [(TABLE.parse("roce", entry.text).value, entry) for entry in store.entries("roce", "")]
    return {value.name: (value.value, entry) for value, entry in said if isinstance(value, Leaf)}


def taken_back(lines: Iterable[Line]) -> Iterator[Seen]:
    """RoCE or PFC that commands set up and a later one takes away, with nothing left that makes a class lossless."""
    said: list[tuple[str, ...]] = []
    last = None
    for line in lines:
        if not line.unset:
            said += [line.words] if line.words[:2] == _ROCE or (*line.words[:2], *line.words[3:4]) == _PFC else []
            continue
        left = [
            words for words in said if words[: len(line.words)] != line.words or line.words[:2] == _ROCE != line.words
        ]
        if len(left) < len(said):
            said, last = left, line
    if last is not None and not said:
        text = "what makes a class lossless is set up above and taken away again here: after these commands none is"
        yield seen("pfc-taken-back", " ".join(last.words), text, last.place, last.quote, ())


def never_applied(typed: Sequence[tuple[Document, Sequence[Line]]], ports: tuple[str, ...]) -> Iterator[Seen]:
    """Settings of RoCE that programs and tasks stage, while none of them types what puts them in force."""
    if not typed or any(not document.lines or APPLIES.search(document.text) is not None for document, _ in typed):
        return
    if not any(KEEPS.search(document.text) is not None for document, _ in typed):
        return  # who types these may apply them
    first = next((line for _, lines in typed for line in lines if line.words[:1] == ("qos",) and not line.unset), None)
    if first is not None and ports:
        text = "what is set here is staged, and nothing applies it (nv config apply), so none of it is in force"
        found = seen("unapplied-here", "apply", text, first.place, "apply: false", ports)
        yield replace(found, makes=("pause",))


def _pools(store: Datastore, ports: tuple[str, ...]) -> Iterator[Seen]:
    """Memory that is kept for lossless traffic; where RoCE is said to be lossy, that is the line."""
    mode, lossy = _said_of_roce(store).get("mode", ("", None))
    for name in LOSSLESS_POOLS:
        for entry in store.entries("traffic-pool", name):
            said = TABLE.parse("traffic-pool", entry.text).value
            if ports and isinstance(said, Leaf) and said.name == "memory-percent" and said.value:
                text = f"traffic pool {name} keeps {said.value} percent of the memory for lossless traffic, and PFC is on for no port"
                at = lossy if lossy is not None and str(mode).startswith("lossy") else entry
                yield seen("unpaused", name, text, at.place, at.quote, ports)
                break


def _groups(store: Datastore, ports: tuple[str, ...]) -> Iterator[Seen]:
    """Groups with ports of their own that `pfc.port_group_list` does not name; one that it names and nobody defines is told by its name."""
    if any(group.kind == "pfc" for group in store.groups):
        return
    for group in store.left_out:
        if group.family == "pfc":
            text = f"port group {group.name} sets PFC up for {group.ports}, and no pfc.port_group_list names it: PFC is on for no port"
            yield seen("unpaused", group.name, text, group.place, group.quote, ports)


def unwatched(store: Datastore, ports: Sequence[PortReading]) -> Iterator[Seen]:
    """Groups that turn the watchdog on for ports and that `pfc_watchdog.port_group_list` does not name."""
    for group in store.left_out:
        if group.family == "pfc_watchdog":
            text = f"port group {group.name} has the PFC watchdog watch {group.ports}, and pfc_watchdog.port_group_list does not name it"
            names = tuple(port.name for port in ports if port.facts.kind.value == "ethernet")
            yield seen("unapplied", group.name, text, group.place, group.quote, names)
