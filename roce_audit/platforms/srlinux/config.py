"""One configuration: its statements become objects, ports and their parts, and whatever was odd becomes observations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from roce_audit.platforms.base import UNREAD_LINE, Makes, Seen, seen
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.path.tables import Header
from roce_audit.platforms.shared.ramps import Halves, Written, turned_round, without_idle
from roce_audit.platforms.shared.references import Name, References
from roce_audit.platforms.srlinux.attachments import REFERENCE, Target, begins, target
from roce_audit.platforms.srlinux.builder import Context
from roce_audit.platforms.srlinux.facts import read_port
from roce_audit.platforms.srlinux.filters import Lists
from roce_audit.platforms.srlinux.lines import ROOTS, Line
from roce_audit.platforms.srlinux.names import CHILD, Called, kind
from roce_audit.platforms.srlinux.paths import header, pieces
from roce_audit.platforms.srlinux.reserved import replaced
from roce_audit.platforms.srlinux.statements import LABELS, Documents, Statements, add, left, names_in
from roce_audit.platforms.srlinux.table import ATTACHED, BUILTIN, DEVICE_WIDE, OBJECTS, OF_PORT, REFERENCES, TABLE
from roce_audit.platforms.srlinux.values import interface
from roce_audit.text.block import Part, Role, block
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

_DATA = ("ethernet", "lag")
_MAKES: Mapping[str, tuple[Makes, ...]] = {"pfc-mapping-profile": ("pause",), "dscp-policy": ("classes",)}
"""What lossless transport takes from definitions, by their kinds."""
_SLOPE_END = re.compile(r"\b(min|max)-threshold(-percent)?\Z")
_DEFINING = {
    "queues queue": "queue",
    "queues pfc-queue": "pfc-queue",
    "forwarding-classes forwarding-class": "forwarding-class",
}
_NUMBERED = frozenset({*_DEFINING.values(), "interface"})
"""Kinds of names that nobody need refer to."""


def _made_by(name: Name) -> tuple[Makes, ...]:
    return _MAKES.get(name[0], ())


class Configuration:
    """One switch's configuration. Feed it lines, document by document, then ask for ports and observations."""

    def __init__(self) -> None:
        self.objects: dict[Name, Documents] = defaultdict(dict)
        self.device: dict[str, Documents] = defaultdict(dict)
        self.interfaces: dict[str, Documents] = {}
        self.headers: dict[str, Place] = {}
        self.attachments: dict[str, Documents] = defaultdict(dict)
        self.attached: dict[str, list[Part]] = defaultdict(list)
        self.lldp: dict[str, Documents] = defaultdict(dict)
        self.called: dict[str, Called] = defaultdict(Called)
        self.references = References(REFERENCES, BUILTIN, _NUMBERED)
        self.whole = False
        self.relevant = 0
        self.unread: dict[tuple[str, str, Place], dict[str, None]] = {}
        """(mode, statement, place) of what was not understood -> the ports that it concerns."""
        self.lost: list[tuple[str, Place, tuple[str, ...]]] = []
        """Text, place and model paths of what nobody can place: any port's."""
        self.misnamed: dict[Place, str] = {}
        """Interfaces whose names are none."""
        self.children: dict[str, list[str]] = defaultdict(list)
        self.users: dict[Name, dict[str, None]] = defaultdict(dict)
        self.seen: list[Seen] = []
        self.lists = Lists()

    # statements to objects ----------------------------------------------------------------------------------------

    def take(self, path: str, lines: Iterable[Line]) -> None:
        """Take in the statements of one document."""
        for line in left(list(lines)):
            self._line(path, line)

    def _line(self, path: str, line: Line) -> None:
        words, lines = line.words, line.lines
        if "acl" in words and not line.deletes:
            self.lists.take(words, Place(path, lines[-1]))
        found = header(words)
        if found is None:
            self._rootless(path, line)
            return
        begin = Place(path, lines[found.length - 1])
        rest = words[found.length :]
        if not self._begin(found, begin):
            return
        for text, index in [(" ".join(rest), len(rest) - 1)] if line.broken else pieces(found.mode, rest):
            self._said(found, begin, text, Place(path, lines[found.length + index]))

    def _rootless(self, path: str, line: Line) -> None:
        """A line that is about none of our objects: an interface that has no name, or a misspelt root."""
        root, place = line.words[0], Place(path, line.lines[0])
        if line.broken and line.words == ("interface",):
            self.misnamed.setdefault(place, "")
        elif root not in ROOTS and meant(root, ROOTS) is not None:
            self.lost.append((" ".join(line.words[:4]), place, ATTACHED))

    def _begin(self, found: Header, place: Place) -> bool:
        """Put down that an object is there; whether what stands in it is read."""
        if found.mode == "interface":
            return self._interface(found.name, place)
        if found.mode in OBJECTS:
            add(self.objects[found.mode, found.name], place)
            self.references.define(found.mode, found.name, place, f"{found.mode} {found.name}")
        elif found.mode == "attachment":
            add(self.attachments[found.name], place)
        elif found.mode == "lldp":
            add(self.lldp[found.name], place)
            add(self.device["system"], place, "lldp", place)  # its container is there
        return True

    def _interface(self, name: str, place: Place) -> bool:
        try:
            interface(name)
        except ValueError:
            self.misnamed.setdefault(place, name)
            return False
        if name not in self.interfaces:
            self.interfaces[name] = {}
            self.headers[name] = place
            self.references.define("interface", name, place, f"interface {name}")
        add(self.interfaces[name], place)
        return True

    def _said(self, found: Header, begin: Place, text: str, place: Place) -> None:
        parsed = TABLE.parse(found.mode, text)
        leaf = parsed.value if isinstance(parsed.value, Leaf) else None
        if found.mode == "interface":
            if leaf is not None:
                self.called[found.name].hear(leaf)
            if parsed.is_ours and (leaf is None or leaf.name not in LABELS):
                add(self.interfaces[found.name], begin, text, place)
        elif found.mode == "network-instance":
            if leaf is not None and leaf.name == "interface *":
                self.called[str(leaf.keys[0]).partition(".")[0]].vrf = found.name
        elif found.mode == "attachment":
            add(self.attachments[found.name], begin, text, place)
        else:
            self._count(found.mode, text, place, (found.name,) if found.mode == "lldp" else ())
            if found.mode != "system" or parsed.is_ours:  # most of it is about users, keys and clocks
                add(self._documents(found), begin, text, place)
            if found.mode == "qos":  # profiles name queues in the same words
                self._define_numbers(text, place)

    def _documents(self, found: Header) -> Documents:
        if found.mode in DEVICE_WIDE:
            return self.device[found.mode]
        return self.lldp[found.name] if found.mode == "lldp" else self.objects[found.mode, found.name]

    def _define_numbers(self, text: str, place: Place) -> None:
        words = text.split(" ")
        defined = _DEFINING.get(" ".join(words[:2]))
        if defined is not None and len(words) > 2:
            self.references.define(defined, words[2], place, text)

    def _count(self, mode: str, text: str, place: Place, ports: Iterable[str] = ()) -> None:
        parsed = TABLE.parse(mode, text)
        self.relevant += parsed.is_ours
        if parsed.unread:
            self.unread.setdefault((mode, text, place), {}).update(dict.fromkeys(ports))

    # ports --------------------------------------------------------------------------------------------------------

    def ports(self) -> list[PortReading]:
        """All ports, read."""
        self._attach()
        self._misnamed()
        self._strangers()
        self._mention()
        shared = self._device_parts()
        return [self._port(name, shared) for name in self.headers]

    def _attach(self) -> None:
        """Put what stands under `qos interfaces` at the interfaces and subinterfaces that it is for."""
        for name, documents in self.attachments.items():
            to = target(name, documents, self.interfaces)
            whose = to.interface or ""
            for given in documents.values():
                for text, place in given.said:
                    self._count("attachment", text, place, (whose,) if whose else ())
                kept = [(text, place) for text, place in given.said if not text.startswith(REFERENCE)]
                if kept and whose:
                    self.attached[whose].append(Part("own", replace(given, said=kept).block, "attachment", to.sub))
                    self._knows(whose, kept[0][1])
            if to.refers is not None:
                self.references.use("interface", whose, to.refers[1], to.refers[0], whose)
            if to.interface is None:
                self._lost(f"qos interfaces interface {name}", to, begins(name))
            elif to.nobody and self.whole:
                self._nobody(name, to.place)

    def _lost(self, text: str, to: Target, beginning: str) -> None:
        """An attachment that nobody can place: what it might set is unknown where its name points, else everywhere."""
        if beginning in self.interfaces or to.nobody:
            if beginning:
                self.attached[beginning].append(_unknown("own", to.place, ATTACHED))
            self._nobody(text.rpartition(" ")[2], to.place)
        else:
            self.lost.append((text, to.place, ATTACHED))

    def _nobody(self, name: str, place: Place) -> None:
        text = f"qos interface {name} names no interface, so it has no effect"
        self.seen.append(seen("unapplied", name, text, place, name, ()))

    def _knows(self, name: str, place: Place) -> None:
        if name not in self.interfaces and not self.whole:
            self.interfaces[name] = {place.path: Statements(place)}
            self.headers[name] = place

    def _misnamed(self) -> None:
        """An interface whose name is none: what stands there may be meant for the port that its beginning names."""
        for place, name in self.misnamed.items():
            for port in self._meant(name):
                self.attached[port].append(_unknown("own", place, (*ATTACHED, *OF_PORT)))

    def _meant(self, name: str) -> list[str]:
        """The ports that a garbled name may mean: the one that it begins with, and its breakout children."""
        beginning = begins(name)
        if not self.children:
            for port in self.headers:
                child = CHILD.match(port)
                self.children[child[1] if child else port].append(port)
        found = self.children.get(beginning, [])
        return [beginning, *found] if beginning in self.headers and beginning not in found else found

    def _strangers(self) -> None:
        """LLDP of an interface that is not there: it may have been meant for any."""
        for name, documents in self.lldp.items():
            if name not in self.interfaces and (self.whole or begins(name) != name):
                place = next(iter(documents.values())).header
                self.lost.append((f"system lldp interface {name}", place, ("dcbx.lldp",)))

    def _mention(self) -> None:
        for (mode, _), documents in self.objects.items():
            for given in documents.values():
                for index, found in names_in(mode, given.block):
                    text, place = given.said[index]
                    self.references.mention(*found, place, text)
        for given in self.device["qos"].values():
            for index, found in names_in("qos", given.block):
                text, place = given.said[index]
                self.references.apply(*found, place, text)

    def buffers_of_pfc_queues(self) -> dict[str, Place]:
        """The buffer allocation profiles that say something of PFC queues, and where they begin to."""
        return {
            name: place
            for (mode, name), documents in self.objects.items()
            if mode == "buffer-allocation-profile"
            for given in documents.values()
            for text, place in given.said[::-1]
            if text.startswith("queues pfc-queue ")
        }

    def _device_parts(self) -> list[Part]:
        parts = [
            Part("device", given.block, mode) for mode, documents in self.device.items() for given in documents.values()
        ]
        parts += [_unknown("device", place, paths) for _, place, paths in self.lost]
        return parts

    def _port(self, name: str, shared: list[Part]) -> PortReading:
        own = [Part("own", given.block, "interface") for given in self.interfaces[name].values()]
        own += self.attached[name]
        own += [Part("own", given.block, "lldp") for given in self.lldp.get(name, {}).values()]
        lag = self.called[name].lag
        behind: list[Part] = []
        if lag:
            behind = [Part("lag", given.block, "interface") for given in self.interfaces.get(lag, {}).values()]
            behind += [replace(part, role="lag") for part in self.attached[lag]]
            own += self._of_member(name, lag)
        bound: list[Part] = []
        names: list[str] = []
        for part in (*own, *behind):
            self._bind(part, name, bound, names)
        child = CHILD.match(name)
        parent = self.interfaces.get(child[1], {}) if child else {}
        bound += [Part("bound", given.block, "interface", "parent") for given in parent.values()]
        parts = (*shared, *bound, *own, *behind)
        context = Context(
            kind=self._kind(name),
            complete=self.whole,
            slot=name.partition("-")[2].partition("/")[0],
            lag_unseen=bool(lag) and lag not in self.interfaces,
            dropping=self.lists.dropping().get(lag or name, ()),
        )
        self._lean(name, own)
        labels = self.called[name].labels(self.called.get(lag) if lag else None, tuple(dict.fromkeys(names)))
        return PortReading(name, read_port(parts, context), parts, self.headers[name], labels)

    def _of_member(self, name: str, lag: str) -> Iterator[Part]:
        """A member of a LAG has what its LAG has; what its own attachment comes to where the LAG has none is documented nowhere."""
        given = [part for part in self.attached[name] if not part.name and part.block.texts.statements]
        if given and all(part.name for part in self.attached[lag]):
            block, whose = given[0].block, f"qos interfaces interface {name}"
            text = f"{name} is a member of {lag}, for which no line sets it up: what is set for the member itself is not read"
            self.seen.append(seen("unread-line", whose, text, block.place(0), block.texts.statements[0], (name,)))
            yield _unknown("own", block.place(0), ATTACHED)

    def _kind(self, name: str) -> str:
        split = any(text.startswith("breakout-mode") for s in self.interfaces[name].values() for text, _ in s.said)
        return "breakout-parent" if split or f"{name}/1" in self.interfaces else kind(name)

    def _lean(self, name: str, own: list[Part]) -> None:
        for part in own:
            if part.kind == "interface":
                for index, text in enumerate(part.block.texts.statements):
                    self._count("interface", text, part.block.place(index), (name,))

    def _bind(self, part: Part, port: str, bound: list[Part], names: list[str]) -> None:
        """Add the objects that `part` names."""
        role: Role = "bound"
        have = {(p.kind, p.name) for p in bound}
        for index, name in names_in(part.kind, part.block):
            self.references.use(*name, part.block.place(index), part.block.texts.statements[index], port)
            if name[0] in OBJECTS:
                names.append(name[1])
                self.users[name][port] = None
                if name not in have and name in self.objects:
                    have.add(name)
                    bound += [Part(role, given.block, *name) for given in self.objects[name].values()]

    # observations -------------------------------------------------------------------------------------------------

    def observations(self) -> Iterator[Seen]:
        """What was not understood, or names what is not there. Ask after `ports`."""
        yield from self.seen
        data = tuple(name for name in self.headers if self._kind(name) in _DATA)
        users: dict[tuple[str, str, Place], dict[str, None]] = {}
        for (mode, name), documents in self.objects.items():
            for text, place in [said for given in documents.values() for said in given.said]:
                users.setdefault((mode, text, place), {}).update(self.users[mode, name])
        for key, ports in self.unread.items():
            mode, text, place = key
            them = data if mode in DEVICE_WIDE else tuple(users.get(key, ports) or ports)
            quote = f"{mode} {text}" if mode in DEVICE_WIDE else text
            yield seen("unread-line", quote, UNREAD_LINE, place, quote, them)
        for text, place, _ in self.lost:
            yield seen("unread-line", text, UNREAD_LINE, place, text, data)
        for place, name in self.misnamed.items():
            text = f"interface {name}".strip()
            yield seen("unread-line", text, UNREAD_LINE, place, text, tuple(self._meant(name)))
        wrong = tuple(turned_round(self._ramps()))
        odd: Iterable[Seen] = self.references.slips(data, made_by=_made_by)
        if self.whole:
            said = [text for given in self.device["qos"].values() for text, _ in given.said]
            self.references.reserved = replaced(said)
            self.references.builtin = BUILTIN - self.references.reserved.keys()
            odd = self.references.observations(data, _made_by)
        yield from without_idle(odd, wrong)
        yield from wrong

    def _ramps(self) -> Iterator[Written]:
        """The slopes of queue management profiles that reach no queue."""
        for name, documents in self.objects.items():
            if name[0] != "queue-management-profile" or self.users.get(name):
                continue
            halves = Halves(name[1], self.references.called(name))
            for text, place in [said for given in documents.values() for said in given.said]:
                leaf = TABLE.parse(name[0], text).value
                end = _SLOPE_END.search(leaf.name) if isinstance(leaf, Leaf) else None
                if end is None or not isinstance(leaf, Leaf) or not isinstance(leaf.value, int):
                    continue
                unit = "%" if end[2] else "bytes"
                if end[1] == "min":
                    halves.low((leaf.keys, unit), leaf.value, unit)
                else:
                    halves.high((leaf.keys, unit), leaf.value, unit, place, text)
            yield from halves.written()


def _unknown(role: Role, place: Place, paths: tuple[str, ...]) -> Part:
    """What stands at `place` is about something that nobody can tell."""
    return Part(role, block(place.path, place.line, (), ()), unknown=paths)
