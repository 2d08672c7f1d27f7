"""What answers say of links beside the configuration of their ports: which have none, which their switch has shut, and what runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from typing import Any

from roce_audit.platforms.base import Seen, no_link, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.cli.running import shut_port
from roce_audit.records import dataclass
from roce_audit.values import At, Cell, Place, known


@dataclass(frozen=True, slots=True)
class Runs:
    """What runs of one field: its value, as the answer writes it, and where."""

    value: Any
    words: str
    place: Place


@dataclass
class LinkState:
    """What the answers of one switch say of its links; of two answers about one thing the first counts."""

    without_link: dict[str, Place] = field(default_factory=dict)
    shut: dict[str, tuple[str, Place]] = field(default_factory=dict)
    """Ports that the switch itself has shut, with its words for that."""
    runs: dict[tuple[str, str], Runs] = field(default_factory=dict)
    """(port, field of its facts) -> what runs."""

    def held_against(self, ports: Iterable[PortReading]) -> Iterator[tuple[PortReading, list[Seen]]]:
        """Each port as it runs, and what is told of it. Only what is written is compared, never a default or `auto`."""
        of_port: dict[str, dict[str, Runs]] = {}
        for (name, path), what in self.runs.items():
            of_port.setdefault(name, {})[path] = what
        for port in ports:
            told = list(self._of_link(port.name))
            changed: dict[str, Any] = {}
            for path, what in of_port.get(port.name, {}).items() if not told else ():
                configured = getattr(port.facts, path)
                if _is_written(configured) and configured.get() not in (what.value, "auto"):
                    changed[path] = known(what.value, what.place)
                    clause = f"{what.words} runs on {port.name}, and something else is configured"
                    told.append(seen("conflict", port.name, clause, what.place, what.words, (port.name,)))
            yield replace(port, facts=replace(port.facts, **changed)) if changed else port, told

    def _of_link(self, name: str) -> Iterator[Seen]:
        if name in self.shut:
            words, place = self.shut[name]
            yield shut_port(name, words, place)
        elif name in self.without_link:
            yield no_link(name, self.without_link[name], name)


def _is_written(cell: Cell[Any]) -> bool:
    return cell.is_known and bool(cell.at) and all(type(at) is At for at in cell.at)
