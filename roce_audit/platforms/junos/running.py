"""What `show class-of-service interface` tells of ports: whether a congestion notification profile is in force there, and which
scheduler map and classifiers. Juniper CLI Reference, show class-of-service interface.

Of the members of an aggregated interface their own bindings alone are asked, not those of patterns: what they show is not documented.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from roce_audit.platforms.base import Seen, seen
from roce_audit.platforms.junos.objects import Thing
from roce_audit.platforms.junos.ranges import binding
from roce_audit.platforms.shared.references import Name
from roce_audit.text.document import Document
from roce_audit.values import Place

_COMMAND = re.compile(r"show class-of-service interface(?: (?!queue\b)[^|]{1,60})?(?: ?\| ?no-more)?")
_PORT = re.compile(r"\s{0,8}Physical interface: (\S{2,40}), .{1,120}")
_LOGICAL = re.compile(r"\s{0,8}Logical interface: (\S{2,40}\.[0-9]{1,6}), .{1,120}")
_OWN_UNITS = 16_384
"""From here on units are the system's own (16386, 32767): what is bound to `unit *` need not be shown there (source: unverified)."""
_MAP = re.compile(r"\s{0,8}Scheduler map: (\S{1,64}?)(?:, Index: [0-9]{1,12})?\s{0,8}")
_PAUSE = re.compile(r"\s{0,8}Congestion-notification: (Enabled|Disabled)(?:, Name: (\S{1,64}))?(?:,.{1,60})?\s{0,8}")
_CLASSIFIER = re.compile(r"\s{0,8}Classifier +(\S{1,64}) +(?:dscp|ip) +[0-9]{1,12}\s{0,8}")
"""By DSCP, or by IP precedence: that of a routed unit to which nothing is bound."""
_OTHER_KIND = re.compile(r"\s{0,8}Classifier +(\S{1,64}) +(?!dscp|ip )[a-z][\w.-]{2,20} +[0-9]{1,12}\s{0,8}")
"""By tags, or by the label of MPLS: where it stands alone, no DSCP is looked at."""
_CLASSIFIES, _PAUSES = "classifiers dscp", "congestion-notification-profile"
_KIND = {_CLASSIFIES: "dscp-classifier", _PAUSES: _PAUSES, "scheduler-map": "scheduler-map"}
"""What is bound -> the kind of object that it names."""
_DEFAULT = ("<default>", "dscp-default", "ipprec-compatibility", "ipprec-default")
"""What the answer calls what is in force where nothing is bound."""


class _Asked(NamedTuple):
    """What is bound to a port, by a statement (`leaf`, `name`), and what is shown in force there ("" for nothing)."""

    port: str
    where: str
    what: str
    leaf: str
    name: str
    said_at: Place
    other: str
    place: Place


@dataclass
class Running:
    """What answers showed: (port, what) -> the names in force there, "" for none, each with its line."""

    ports: Collection[str] = ()
    """The ports of the configuration; others are not asked."""
    members: Collection[str] = ()
    """Those in aggregated interfaces."""
    shown: dict[tuple[str, str], dict[str, Place]] = field(default_factory=dict)
    by_others: dict[tuple[str, str], dict[str, Place]] = field(default_factory=dict)
    """The classifiers of units that look at something else than the DSCP."""

    def take(self, document: Document) -> None:
        """Take in the answer of the command; nothing of another one."""
        if _COMMAND.fullmatch(document.command or "") is None:
            return
        port = logical = ""
        for line, text in document.numbered():
            place = Place(document.path, line)
            head, unit, schedules, pauses, classifies, other = (
                each.fullmatch(text) for each in (_PORT, _LOGICAL, _MAP, _PAUSE, _CLASSIFIER, _OTHER_KIND)
            )
            if head is not None:
                port, logical = head[1], ""
            elif unit is not None:
                logical = unit[1] if int(unit[1].rpartition(".")[2]) < _OWN_UNITS else ""
                port = port if logical else ""
            elif schedules is not None and port and not logical:
                self._say(port, "scheduler-map", schedules[1], place)
            elif pauses is not None and port and not logical:
                if pauses[1] == "Disabled" or pauses[2]:
                    self._say(port, _PAUSES, pauses[2] or "", place)
            elif classifies is not None and logical:
                self._say(logical, _CLASSIFIES, classifies[1], place)
            elif other is not None and logical:
                self.by_others.setdefault((logical, _CLASSIFIES), {other[1]: place})

    def _say(self, port: str, what: str, name: str, place: Place) -> None:
        self.shown.setdefault((port, what), {}).setdefault(name, place)

    def contradictions(self, bindings: Mapping[str, Thing]) -> Iterator[Seen]:
        """Names in force that are others than the bound ones; a shown name may be cut off."""
        told: dict[tuple[str, str, str], tuple[_Asked, list[str]]] = {}
        for one in self._differing(bindings):
            told.setdefault((one.what, one.name, one.other), (one, []))[1].append(one.port)
        for (what, name, other), (first, ports) in told.items():
            runs = "the default one" if other in _DEFAULT else other
            more = f" and {len(ports) - 1} more" if len(ports) > 1 else ""
            text = f"{what} {name} is bound to {ports[0]}{more}, and show class-of-service interface shows {runs}"
            yield seen("conflict", ports[0], text, first.place, what, tuple(ports), first.said_at)

    def instead(self, bindings: Mapping[str, Thing], objects: Collection[Name]) -> Iterator[tuple[str, str, Place]]:
        """(port, statement, line) of what is in force in place of what is bound, where it is known what that is."""
        for one in self._differing(bindings):
            classifies = one.what == _CLASSIFIES
            if (_KIND[one.what], one.other) in objects:
                yield one.port, f"{one.leaf} {one.other}", one.place
            elif classifies and (one.other in _DEFAULT or (one.where, one.what) not in self.shown):
                yield one.port, f"{one.leaf} default", one.place

    def bound(self) -> Iterator[tuple[str, str, Place]]:
        """The same of all that is in force, for a switch of which there is no configuration."""
        for (where, what), found in self.shown.items():
            port, _, unit = where.partition(".")
            name, place = next(iter(found.items()))
            if name and name not in _DEFAULT:
                yield port, f"{f'unit {unit} ' if unit else ''}{what} {name}", place

    def without_pause(self, bindings: Mapping[str, Thing]) -> Iterator[tuple[str, Place]]:
        """Ports of which a profile is bound, and no congestion notification is in force."""
        for one in self._asked(bindings):
            if one.what == _PAUSES and one.other == "":
                yield one.port, one.place

    def _differing(self, bindings: Mapping[str, Thing]) -> Iterator[_Asked]:
        for one in self._asked(bindings):
            found = self.shown.get((one.where, one.what), ())
            if "" not in found and not any(one.name.startswith(other) for other in found):
                yield one

    def _asked(self, bindings: Mapping[str, Thing]) -> Iterator[_Asked]:
        """Each thing that is shown of a port to which something is bound."""
        said: dict[str, dict[str, tuple[str, Place]]] = {}
        for (where, what), found in (self.by_others | self.shown).items():
            port, _, unit = where.partition(".")
            if port not in said:
                fitting = binding([port] if port in self.members else bindings, port) if port in self.ports else []
                said[port] = {
                    text.rpartition(" ")[0]: (text.rpartition(" ")[2], place)
                    for each in fitting
                    for text, place in (bindings[each].said if each in bindings else ())
                }
            leaves = (f"unit {unit} {what}", f"unit * {what}", what) if unit else (what,)
            leaf = next((one for one in leaves if one in said[port]), None)
            if leaf is not None:
                name, said_at = said[port][leaf]
                other = "" if "" in found else next(iter(found))
                yield _Asked(port, where, what, leaf, name, said_at, other, found[other])
