"""What `show class-of-service interface` tells of ports: whether a congestion notification profile is in force there, and which
scheduler map and classifiers. Juniper CLI Reference, show class-of-service interface.

A port's own bindings alone are asked: what the members of an aggregated interface show is not documented.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.objects import Thing
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = re.compile(r"show class-of-service interface(?: (?!queue\b)[^|]{1,60})?(?: ?\| ?no-more)?")
_PORT = re.compile(r"\s{0,8}Physical interface: (\S{2,40}), .{1,120}")
_LOGICAL = re.compile(r"\s{0,8}Logical interface: (\S{2,40}\.[0-9]{1,6}), .{1,120}")
_MAP = re.compile(r"\s{0,8}Scheduler map: (\S{1,64}?)(?:, Index: [0-9]{1,12})?\s{0,8}")
_PAUSE = re.compile(r"\s{0,8}Congestion-notification: (Enabled|Disabled)(?:, Name: (\S{1,64}))?(?:,.{1,60})?\s{0,8}")
_CLASSIFIER = re.compile(r"\s{0,8}Classifier +(\S{1,64}) +dscp +[0-9]{1,12}\s{0,8}")
_BOUND = re.compile(r"(scheduler-map|congestion-notification-profile|unit ([0-9]{1,6}) classifiers dscp) (\S{1,64})")
_DEFAULT = "<default>"


@dataclass
class Running:
    """What answers showed: (port, what) -> the names in force there, "" for none, each with its line."""

    shown: dict[tuple[str, str], dict[str, Place]] = field(default_factory=dict)

    def take(self, document: Document) -> None:
        """Take in the answer of the command; nothing of another one."""
        if _COMMAND.fullmatch(document.command or "") is None:
            return
        port = logical = ""
        for line, text in enumerate(document.text.split("\n"), document.first_line):
            place = Place(document.path, line)
            head, unit, schedules, pauses, classifies = (
                each.fullmatch(text) for each in (_PORT, _LOGICAL, _MAP, _PAUSE, _CLASSIFIER)
            )
            if head is not None:
                port, logical = head[1], ""
            elif unit is not None:
                logical = unit[1]
            elif schedules is not None and port and not logical:
                self._say(port, "scheduler-map", schedules[1], place)
            elif pauses is not None and port and not logical:
                if pauses[1] == "Disabled" or pauses[2]:
                    self._say(port, "congestion-notification-profile", pauses[2] or "", place)
            elif classifies is not None and logical:
                self._say(logical, "classifiers dscp", classifies[1], place)

    def _say(self, port: str, what: str, name: str, place: Place) -> None:
        self.shown.setdefault((port, what), {}).setdefault(name, place)

    def without_pause(self, bindings: Mapping[str, Thing]) -> Iterator[tuple[str, Place]]:
        """Ports of which a profile is bound, and no congestion notification is in force."""
        for port, what, _, _, found in self._asked(bindings):
            if what == "congestion-notification-profile" and "" in found:
                yield port, found[""]

    def contradictions(self, bindings: Mapping[str, Thing]) -> Iterator[Seen]:
        """Names in force that are others than the bound ones; a shown name may be cut off."""
        for port, what, name, bound, found in self._asked(bindings):
            if "" in found or any(name.startswith(one) for one in found):
                continue
            other, place = next(iter(found.items()))
            runs = "the default one" if other == _DEFAULT else other
            text = f"{what} {name} is bound to {port}, and show class-of-service interface shows {runs}"
            yield seen("conflict", port, text, place, what, (port,), bound)

    def _asked(self, bindings: Mapping[str, Thing]) -> Iterator[tuple[str, str, str, Place, Mapping[str, Place]]]:
        """Port, what is bound there, its name, its statement, and what is shown."""
        for port in dict.fromkeys(name.partition(".")[0] for name, _ in self.shown):
            thing = bindings.get(port)
            for text, place in _last(thing.said) if thing is not None else ():
                said = _BOUND.fullmatch(text)
                if said is None:
                    continue
                where, what = (port, said[1]) if said[2] is None else (f"{port}.{said[2]}", "classifiers dscp")
                found = self.shown.get((where, what))
                if found:
                    yield port, what, said[3], place, found


def _last(said: Iterable[tuple[str, Place]]) -> Iterable[tuple[str, Place]]:
    """Of several statements of one thing the one that wins."""
    return {text.rpartition(" ")[0]: (text, place) for text, place in said}.values()
