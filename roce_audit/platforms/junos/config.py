"""One configuration: its statements become objects, ports and their parts, and whatever was odd becomes observations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from roce_audit.platforms.base import UNREAD_LINE, PortReading, Seen, seen
from roce_audit.platforms.junos.answers import answers
from roce_audit.platforms.junos.builder import UNDEFINED_GROUP, Context
from roce_audit.platforms.junos.expand import EXCEPT, Expanded, Statement
from roce_audit.platforms.junos.facts import read_port
from roce_audit.platforms.junos.names import CHILD, LABELS, PHYSICAL, Called, kind
from roce_audit.platforms.junos.objects import Thing, names_in
from roce_audit.platforms.junos.paths import Header, header
from roce_audit.platforms.junos.ranges import glob
from roce_audit.platforms.junos.table import ATTACHED, BUILTIN, OBJECTS, OF_PORT, REFERENCES, TABLE
from roce_audit.platforms.junos.texts import OTHER_ROOTS, ROOTS
from roce_audit.platforms.junos.values import interface
from roce_audit.platforms.shared.cli.syntax import UNCLEAR
from roce_audit.platforms.shared.references import Name, References
from roce_audit.text.block import Block, Part, Role, block
from roce_audit.text.document import Document
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

_DATA = ("ethernet", "lag")
_BINDABLE = re.compile(r"[a-z*][a-z0-9/:*?,\[\]-]{0,63}\Z")
_BEGINNING = re.compile(r"(?:et|xe|ge)-[0-9]+/[0-9]+/[0-9]+(?::[0-9]+)?|ae[0-9]+")
_GARBLED_WILD = re.compile(r"<([^<>]{1,200})>")
_NEVER_UNAPPLIED = frozenset({"interface", "forwarding-class", "filter", "scheduler", "traffic-control-profile"})
_OF_INTERFACE = ("lldp", "dcbx")
_ALL = "all"
_BARE = re.compile(r"(?:unit \S+(?: family inet)?|disable|speed \S+)\Z")
"""What stands at a port that nobody uses."""
_CLASS = re.compile(r"forwarding-classes (?:class|queue \S+) (\S+)")


class Configuration:
    """One switch's configuration. Feed it what holds, then ask for ports and observations."""

    def __init__(self, held: Expanded, whole: bool) -> None:
        self.whole = whole
        self.held = held
        self.objects: dict[Name, Thing] = defaultdict(Thing)
        self.device: dict[str, Thing] = defaultdict(Thing)
        self.interfaces: dict[str, Thing] = defaultdict(Thing)
        self.bindings: dict[str, Thing] = defaultdict(Thing)
        self.spoken: dict[tuple[str, str], Thing] = defaultdict(Thing)
        """What LLDP and DCBX are told of an interface."""
        self.chassis: dict[str, Thing] = defaultdict(Thing)
        self.called: dict[str, Called] = defaultdict(Called)
        self.vlans: dict[str, str] = {}
        self.shown: dict[str, list[Block]] = defaultdict(list)
        self.references = References(REFERENCES, BUILTIN, _NEVER_UNAPPLIED)
        self.relevant = 0
        self.unread: dict[tuple[str, str, Place], dict[str, None]] = {}
        """(mode, statement, place) of what was not understood -> the ports that it concerns."""
        self.lost: dict[tuple[str, Place], tuple[str, ...]] = {}
        """Text and place of what nobody can place -> model paths: any port's."""
        self.misnamed: dict[Place, str] = {}
        """Interfaces whose names are none."""
        self.users: dict[Name, dict[str, None]] = defaultdict(dict)
        self.undefined_groups: list[Statement] = []
        """Where groups are applied, or kept out, that are defined nowhere."""
        for statement in held.statements:
            self._take(statement)
        for statement in held.stray:
            self.lost[" ".join(statement.words[-6:]), statement.place] = (*ATTACHED, *OF_PORT)
        self._groups()

    # statements to objects ----------------------------------------------------------------------------------------

    def _take(self, statement: Statement) -> None:
        words = statement.words
        found = header(words)
        if found is None:
            self._rootless(statement)
            return
        text = " ".join(words[found.length :])
        match found.mode:
            case "interface":
                self._interface(found, statement, text)
            case "binding":
                self._say(self.bindings[found.name], "", statement, text)
            case "lldp" | "dcbx":
                self._spoken(found.mode, statement, text)
            case "vlan" | "routing-instance" | "system":
                self._named(found, text)
            case "chassis":
                self._say(self.chassis[found.name], found.mode, statement, text)
            case "cos":
                self._say(self.device["cos"], found.mode, statement, text)
                self._classes(statement, text)
            case _:
                self._say(self.objects[found.mode, found.name], found.mode, statement, text)
                if found.mode in OBJECTS:
                    name = f"{found.mode} {found.name}"
                    self.references.define(found.mode, found.name, statement.place, name)

    def _say(self, thing: Thing, mode: str, statement: Statement, text: str) -> None:
        thing.begin(statement)
        if text:
            thing.say(statement, text)
            if mode:
                self._count(mode, text, statement.place)

    def _interface(self, found: Header, statement: Statement, text: str) -> None:
        try:
            interface(found.name)
        except ValueError:
            self.misnamed.setdefault(statement.place, found.name)
            return
        thing = self.interfaces[found.name]
        thing.begin(statement)
        self.references.define("interface", found.name, statement.place, found.name)
        if not text:
            return
        parsed = TABLE.parse("interface", text)
        leaf = parsed.value if isinstance(parsed.value, Leaf) else None
        if leaf is not None:
            self.called[found.name].hear(leaf)
        if parsed.is_ours and (leaf is None or leaf.name not in LABELS):
            thing.say(statement, text)

    def _spoken(self, mode: str, statement: Statement, text: str) -> None:
        parsed = TABLE.parse(mode, text) if text else None
        leaf = parsed.value or parsed.meant if parsed is not None else None
        name = str(leaf.keys[0]).partition(".")[0] if isinstance(leaf, Leaf) and leaf.keys else _ALL
        self._say(self.spoken[mode, name], mode, statement, text)

    def _named(self, found: Header, text: str) -> None:
        leaf = TABLE.parse(found.mode, text).value if text else None
        if isinstance(leaf, Leaf) and found.mode == "vlan":
            self.vlans[found.name] = str(leaf.value)
        elif isinstance(leaf, Leaf) and found.mode == "routing-instance":
            self.called[str(leaf.keys[0]).partition(".")[0]].vrf = found.name

    def _classes(self, statement: Statement, text: str) -> None:
        found = _CLASS.match(text)
        if found is not None:
            self.references.define("forwarding-class", found[1], statement.place, text)

    def _rootless(self, statement: Statement) -> None:
        """A statement that is about none of our objects: a misspelt root, or a misspelt header below one."""
        words, text = statement.words, " ".join(statement.words)
        unknown_root = words[0] not in ROOTS | OTHER_ROOTS and meant(words[0], ROOTS) is not None
        if unknown_root or TABLE.misspelt_header("top", text) is not None:
            self.lost[" ".join(words[:5]), statement.place] = (*ATTACHED, *OF_PORT)

    def _count(self, mode: str, text: str, place: Place, ports: Iterable[str] = ()) -> None:
        parsed = TABLE.parse(mode, text)
        self.relevant += parsed.is_ours
        if parsed.unread:
            self.unread.setdefault((mode, text, place), {}).update(dict.fromkeys(ports))

    def _groups(self) -> None:
        """Names of configuration groups; one without anything of ours needs no application."""
        for name in self.held.relevant_groups:
            self.references.define("group", name, self.held.groups[name], f"groups {name}")
        for name, statement in self.held.applied:
            if not name.startswith(("$", "junos-")):
                self.references.apply("group", name, statement.place, " ".join(statement.words[-2:]))
                if name not in self.held.groups:
                    self.undefined_groups.append(statement)
                elif name not in self.held.relevant_groups:
                    self.references.define("group", name, self.held.groups[name], f"groups {name}")

    def show(self, document: Document) -> None:
        """Hand what `show interfaces` tells to the ports of the configuration."""
        for port, line, text in answers(document):
            if port in self.interfaces:
                self.shown[port].append(block(document.path, line, (text,), (line,)))
                self._count("state", text, Place(document.path, line), (port,))

    # ports --------------------------------------------------------------------------------------------------------

    def ports(self) -> list[PortReading]:
        """All ports, read."""
        self._bound_alone()
        self._mention()
        shared = self.device["cos"].parts("device", "cos") if "cos" in self.device else []
        shared += [_unknown("device", place, paths) for (_, place), paths in self.lost.items()]
        return [self._port(name, shared) for name in self.interfaces]

    @cached_property
    def _split(self) -> frozenset[str]:
        """Ports of which a part is in use: where all parts are disabled, only their names are listed."""
        used = [name for name, thing in self.interfaces.items() if not any(text == "disable" for text, _ in thing.said)]
        return frozenset(child[1] for child in map(CHILD.match, used) if child)

    def _bound_alone(self) -> None:
        """What stands under `class-of-service interfaces` for names that `interfaces` does not have."""
        alone = not self.interfaces
        for name, thing in self.bindings.items():
            if _BINDABLE.match(name) is None:
                self.lost[f"class-of-service interfaces {name}", thing.place] = ATTACHED
                for text, place in thing.said:
                    self._count("binding", text, place)
            elif not any(_binds(name, each) for each in self.interfaces) or (alone and PHYSICAL.match(name)):
                for text, place in thing.said:
                    self._count("binding", text, place)
                if alone or (not self.whole and PHYSICAL.match(name)):
                    self.interfaces[name].begin(Statement(("interfaces", name), thing.place))

    def _mention(self) -> None:
        for (mode, _), thing in self.objects.items():
            for part in thing.parts("bound", mode):
                for index, found in names_in(mode, part.block):
                    text = part.block.texts.statements[index]
                    self.references.mention(*found, part.block.place(index), text)

    def _port(self, name: str, shared: list[Part]) -> PortReading:
        own = self.interfaces[name].parts("own", "interface")
        self._lean("interface", own, name)
        lag = self.called[name].lag
        behind: list[Part] = []
        if lag and lag != name:
            behind = self.interfaces[lag].parts("lag", "interface") if lag in self.interfaces else []
            behind += self._bindings(lag, "lag")
        bound_here = self._bindings(name, "own")
        self._lean("binding", bound_here, name)
        own += bound_here
        for mode in _OF_INTERFACE:
            for which in (_ALL, name):
                if (mode, which) in self.spoken:
                    own += self.spoken[mode, which].parts("own", mode)
        own += [Part("own", each, "state") for each in self.shown.get(name, ())]
        bound: list[Part] = []
        names: list[str] = []
        self._bind([*own, *behind], name, bound, names)
        place, extra = self._hardware(name, bound)
        bound += [_unknown("own", each, (*ATTACHED, *OF_PORT)) for each in self._misnamed_for(name)]
        for one in self.undefined_groups:
            concerned = _concerned(one, name)
            if not concerned:
                continue
            unseen = _unknown("own", one.place, concerned)
            bound.append(unseen if EXCEPT in one.words else replace(unseen, kind=UNDEFINED_GROUP))
        parts = (*shared, *bound, *own, *behind)
        context = Context(
            kind=self._kind(name),
            complete=self.whole,
            port=extra,
            lag_unseen=bool(lag) and lag not in self.interfaces,
        )
        labels = self.called[name].labels(
            self.called.get(lag) if lag else None, tuple(dict.fromkeys(names)), self.vlans
        )
        return PortReading(name, read_port(parts, context), parts, place, labels)

    def _bindings(self, name: str, role: Role) -> list[Part]:
        """What stands under `class-of-service interfaces` for this interface; the name that fits best comes last."""
        fitting = [each for each in self.bindings if _binds(each, name)]
        fitting.sort(key=lambda each: (each == name, each != _ALL, len(each.replace("*", ""))))
        return [
            part
            for each in fitting
            for part in self.bindings[each].parts(role, "binding", "" if each == name else each)
        ]

    def _hardware(self, name: str, bound: list[Part]) -> tuple[Place, str]:
        """Where the port begins; and what the interface and the slot around it say of its speed."""
        child, physical = CHILD.match(name), PHYSICAL.match(name)
        if child and child[1] in self.interfaces:
            bound += self.interfaces[child[1]].parts("bound", "interface", "parent")
        extra = ""
        if physical and physical[1] in self.chassis:
            bound += self.chassis[physical[1]].parts("bound", "chassis")
            extra = f"{physical[2]} {physical[3]}"
        return self.interfaces[name].place, extra

    def _misnamed_for(self, name: str) -> list[Place]:
        """Interfaces with garbled names that this one may be meant by."""
        whose = [each for each in (name, self.called[name].lag) if each]
        return [place for place, garbled in self.misnamed.items() if any(_may_be(garbled, each) for each in whose)]

    def _kind(self, name: str) -> str:
        split = any(text.startswith("number-of-sub-ports") for text, _ in self.interfaces[name].said)
        if split or name in self._split:
            return "breakout-parent"
        return self._kind_of_unused(name) or kind(name)

    def _kind_of_unused(self, name: str) -> str:
        """`other` for a port that is only listed: without address, VLAN, aggregate or name of its own it carries nothing.

        UNCLEAR where a statement that was not understood may say otherwise, "" where the port is used.
        """
        called = self.called[name]
        if not self.whole or not PHYSICAL.match(name) or name in self.bindings:
            return ""
        said = [text for run in self.interfaces[name].runs.values() if not run.inherited for text, _ in run.said]
        if called.description or called.addresses or called.vlans or called.lag:
            return ""
        odd = [text for text in said if not _BARE.match(text)]
        return "other" if not odd else UNCLEAR if any(TABLE.parse("interface", text).unread for text in odd) else ""

    def _lean(self, mode: str, parts: list[Part], port: str) -> None:
        for part in parts:
            for index, text in enumerate(part.block.texts.statements):
                self._count(mode, text, part.block.place(index), (port,))

    def _bind(self, parts: list[Part], port: str, bound: list[Part], names: list[str]) -> None:
        """Add the objects that these parts name, and those that they name in turn."""
        have = {(part.kind, part.name) for part in bound}
        for part in parts:
            for index, name in names_in(part.kind, part.block):
                self.references.use(*name, part.block.place(index), part.block.texts.statements[index], port)
                if name[0] not in OBJECTS:
                    continue
                self.users[name][port] = None
                if part.role in ("own", "lag") and name[1] not in names:
                    names.append(name[1])
                if name not in have and name in self.objects:
                    have.add(name)
                    found = self.objects[name].parts("bound", *name)
                    if name not in {(each.kind, each.name) for each in bound}:
                        bound += found
                        self._bind(found, port, bound, names)

    # observations -------------------------------------------------------------------------------------------------

    def observations(self) -> Iterator[Seen]:
        """What was not understood, or names what is not there. Ask after `ports`."""
        data = tuple(name for name in self.interfaces if self._kind(name) in _DATA)
        users: dict[tuple[str, str, Place], dict[str, None]] = {}
        for (mode, name), thing in self.objects.items():
            for text, place in thing.said:
                users.setdefault((mode, text, place), {}).update(self.users[mode, name])
        told = {(mode, text) for mode, text, _ in self.unread}
        for key, ports in self.unread.items():
            mode, text, place = key
            if any((mode, text[:n]) in told for n, sign in enumerate(text) if sign == " "):
                continue  # the block around it is told
            them = data if mode in ("cos", *_OF_INTERFACE) else tuple(users.get(key, ports) or ports)
            yield seen("unread-line", text, UNREAD_LINE, place, text, them)
        for (text, place), _ in self.lost.items():
            yield seen("unread-line", text, UNREAD_LINE, place, text, data)
        for place, name in self.misnamed.items():
            whose = tuple(each for each in self.interfaces if _may_be(name, each))
            yield seen("unread-line", name, UNREAD_LINE, place, f"interfaces {name}", whose)
        if self.whole:
            for name, thing in self.bindings.items():
                if PHYSICAL.match(name) and name not in self.interfaces:
                    text = f"class-of-service interfaces {name} names no interface of the configuration, so it has no effect"
                    yield seen("unapplied", name, text, thing.place, name, ())
            yield from self.references.observations(data)


def _may_be(garbled: str, name: str) -> bool:
    """Whether a garbled name, or a garbled wildcard, may be meant for this interface."""
    found, many = _BEGINNING.match(garbled), _GARBLED_WILD.match(garbled)
    if many is not None:
        return glob(many[1], name)
    return found is not None and found.group() in (name, name.partition(":")[0])


def _binds(pattern: str, name: str) -> bool:
    """Whether what is said of `et-*` is said of this interface."""
    return pattern in (name, _ALL) or ("*" in pattern and glob(pattern, name))


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
