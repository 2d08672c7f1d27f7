"""From the objects of one configuration to its ports: which of them concern which port, and what each port is."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import replace
from functools import cached_property

from roce_audit.platforms.junos.builder import UNDEFINED_GROUP, Context
from roce_audit.platforms.junos.config import OF_INTERFACE, Configuration
from roce_audit.platforms.junos.expand import EXCEPT, Statement
from roce_audit.platforms.junos.facts import read_port
from roce_audit.platforms.junos.names import CHILD, PHYSICAL, kind, may_be
from roce_audit.platforms.junos.objects import names_in
from roce_audit.platforms.junos.ranges import ALL, binding, binds
from roce_audit.platforms.junos.table import ATTACHED, OBJECTS, OF_PORT, TABLE
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.cli.syntax import UNCLEAR
from roce_audit.text.block import Part, Role, block
from roce_audit.values import Place

_BINDABLE = re.compile(r"[a-z*][a-z0-9/:*?,\[\]-]{0,63}\Z")
_BARE = re.compile(r"(?:unit \S+(?: family inet)?|disable|speed \S+)\Z")
"""What stands at a port that nobody uses."""


class Ports:
    """The ports of one configuration."""

    def __init__(self, config: Configuration) -> None:
        self.config = config

    def read(self) -> list[PortReading]:
        """All of them."""
        self._bound_alone()
        self._mention()
        shared = [part for kind, thing in self.config.device.items() for part in thing.parts("device", kind)]
        shared += [_unknown("device", place, paths) for (_, place), paths in self.config.lost.items()]
        return [self._port(name, shared) for name in self.config.interfaces]

    @cached_property
    def _split(self) -> frozenset[str]:
        """Ports of which a part is in use: where all parts are disabled, only their names are listed."""
        used = [
            name
            for name, thing in self.config.interfaces.items()
            if not any(text == "disable" for text, _ in thing.said)
        ]
        return frozenset(child[1] for child in map(CHILD.match, used) if child)

    def _bound_alone(self) -> None:
        """What stands under `class-of-service interfaces` for names that `interfaces` does not have."""
        alone = not self.config.interfaces
        for name, thing in self.config.bindings.items():
            if _BINDABLE.match(name) is None:
                self.config.lost[f"class-of-service interfaces {name}", thing.place] = ATTACHED
                for text, place in thing.said:
                    self.config.count("binding", text, place)
            elif not any(binds(name, each) for each in self.config.interfaces) or (alone and PHYSICAL.match(name)):
                for text, place in thing.said:
                    self.config.count("binding", text, place)
                if alone or (not self.config.whole and PHYSICAL.match(name)):
                    self.config.interfaces[name].begin(Statement(("interfaces", name), thing.place))

    def _mention(self) -> None:
        for (mode, _), thing in self.config.objects.items():
            for part in thing.parts("bound", mode):
                for index, found in names_in(mode, part.block):
                    text = part.block.texts.statements[index]
                    self.config.references.mention(*found, part.block.place(index), text)

    def _port(self, name: str, shared: list[Part]) -> PortReading:
        own = self.config.interfaces[name].parts("own", "interface")
        self._lean("interface", own, name)
        lag = self.config.called[name].lag
        behind: list[Part] = []
        if lag and lag != name:
            behind = self.config.interfaces[lag].parts("lag", "interface") if lag in self.config.interfaces else []
            behind += self._bindings(lag, "lag")
        bound_here = self._bindings(name, "own")
        self._lean("binding", bound_here, name)
        own += bound_here
        for mode in OF_INTERFACE:
            for which in (ALL, name):
                if (mode, which) in self.config.spoken:
                    own += self.config.spoken[mode, which].parts("own", mode)
        own += [Part("own", each, "state") for each in self.config.shown.get(name, ())]
        bound: list[Part] = []
        names: list[str] = []
        forwarding = [part for part in shared if part.kind == "forwarding"]
        bound += self._of_vlans({*self.config.called[name].vlans, *(self.config.called[lag].vlans if lag else ())})
        self._bind([*own, *behind, *forwarding, *bound], name, bound, names)
        place, extra = self._hardware(name, bound)
        bound += [_unknown("own", each, (*ATTACHED, *OF_PORT)) for each in self._misnamed_for(name)]
        for one in self.config.undefined_groups:
            concerned = _concerned(one, name)
            if not concerned:
                continue
            unseen = _unknown("own", one.place, concerned)
            bound.append(unseen if EXCEPT in one.words else replace(unseen, kind=UNDEFINED_GROUP))
        parts = (*shared, *bound, *own, *behind)
        context = Context(
            kind=self.kind(name),
            complete=self.config.whole,
            port=extra,
            lag_unseen=bool(lag) and lag not in self.config.interfaces,
        )
        labels = self.config.called[name].labels(
            self.config.called.get(lag) if lag else None, tuple(dict.fromkeys(names)), self.config.vlans
        )
        return PortReading(name, read_port(parts, context), parts, place, labels)

    def _of_vlans(self, names: Set[str]) -> list[Part]:
        """The filter of these VLANs, where it is the same one for all of them."""
        filters = self.config.vlan_filters
        if not names or not names <= filters.keys():
            return []
        said = {tuple(text for text, _ in filters[name].said) for name in names}
        return filters[min(names)].parts("bound", "vlan") if len(said) == 1 else []

    def _bindings(self, name: str, role: Role) -> list[Part]:
        """What stands under `class-of-service interfaces` for this interface; the name that fits best comes last."""
        return [
            part
            for each in binding(self.config.bindings, name)
            for part in self.config.bindings[each].parts(role, "binding", "" if each == name else each)
        ]

    def _hardware(self, name: str, bound: list[Part]) -> tuple[Place, str]:
        """Where the port begins; and what the interface and the slot around it say of its speed."""
        child, physical = CHILD.match(name), PHYSICAL.match(name)
        if child and child[1] in self.config.interfaces:
            bound += self.config.interfaces[child[1]].parts("bound", "interface", "parent")
        extra = ""
        if physical and physical[1] in self.config.chassis:
            bound += self.config.chassis[physical[1]].parts("bound", "chassis")
            extra = f"{physical[2]} {physical[3]}"
        return self.config.interfaces[name].place, extra

    def _misnamed_for(self, name: str) -> list[Place]:
        """Interfaces with garbled names that this one may be meant by."""
        whose = [each for each in (name, self.config.called[name].lag) if each]
        return [
            place for place, garbled in self.config.misnamed.items() if any(may_be(garbled, each) for each in whose)
        ]

    def kind(self, name: str) -> str:
        """What an interface is, by its name and by what is said of it."""
        split = any(text.startswith("number-of-sub-ports") for text, _ in self.config.interfaces[name].said)
        if split or name in self._split:
            return "breakout-parent"
        return self._kind_of_unused(name) or kind(name)

    def _kind_of_unused(self, name: str) -> str:
        """`other` for a port that is only listed: without address, VLAN, aggregate or name of its own it carries nothing.

        UNCLEAR where a statement that was not understood may say otherwise, "" where the port is used.
        """
        called = self.config.called[name]
        if not self.config.whole or not PHYSICAL.match(name) or name in self.config.bindings:
            return ""
        said = [text for run in self.config.interfaces[name].runs.values() if not run.inherited for text, _ in run.said]
        if called.description or called.addresses or called.vlans or called.lag:
            return ""
        odd = [text for text in said if not _BARE.match(text)]
        return "other" if not odd else UNCLEAR if any(TABLE.parse("interface", text).unread for text in odd) else ""

    def _lean(self, mode: str, parts: list[Part], port: str) -> None:
        for part in parts:
            for index, text in enumerate(part.block.texts.statements):
                self.config.count(mode, text, part.block.place(index), (port,))

    def _bind(self, parts: list[Part], port: str, bound: list[Part], names: list[str]) -> None:
        """Add the objects that these parts name, and those that they name in turn."""
        have = {(part.kind, part.name) for part in bound}
        for part in parts:
            for index, name in names_in(part.kind, part.block):
                self.config.references.use(*name, part.block.place(index), part.block.texts.statements[index], port)
                if name[0] not in OBJECTS:
                    continue
                self.config.users[name][port] = None
                if part.role in ("own", "lag") and name[1] not in names:
                    names.append(name[1])
                if name not in have and name in self.config.objects:
                    have.add(name)
                    found = self.config.objects[name].parts("bound", *name)
                    if name not in {(each.kind, each.name) for each in bound}:
                        bound += found
                        self._bind(found, port, bound, names)


def _concerned(one: Statement, name: str) -> tuple[str, ...]:
    """The model paths of a port that an undefined group might set where it is applied."""
    at = one.words[:-2]
    if at[:1] == ("interfaces",):
        return OF_PORT if len(at) == 1 or at[1] == name else ()
    if at[:1] == ("class-of-service",):
        return ATTACHED
    return () if at else (*ATTACHED, *OF_PORT)


def _unknown(role: Role, place: Place, paths: tuple[str, ...]) -> Part:
    """What stands at `place` is about something that nobody can tell."""
    return Part(role, block(place.path, place.line, (), ()), unknown=paths)
