"""One configuration: its statements become objects, ports and their parts, and whatever was odd becomes observations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from roce_audit.platforms.base import UNREAD_LINE, PortReading, Seen, seen
from roce_audit.platforms.shared.references import Name, References
from roce_audit.platforms.srlinux.attachments import Target, begins, target
from roce_audit.platforms.srlinux.facts import read_port
from roce_audit.platforms.srlinux.fold import Context
from roce_audit.platforms.srlinux.lines import ROOTS, Line
from roce_audit.platforms.srlinux.names import CHILD, Called, kind
from roce_audit.platforms.srlinux.schema import KEY, Kind, alike, parse, pieces
from roce_audit.platforms.srlinux.statements import Blocks, Said, as_block, left, names_in, without_labels
from roce_audit.platforms.srlinux.tables import (
    ATTACHED,
    ATTACHMENT,
    BUILTIN,
    INSTANCE,
    INTERFACE,
    KIND_OF,
    KINDS,
    OBJECTS,
    QOS,
    SYSTEM,
    WORDS,
)
from roce_audit.platforms.srlinux.values import interface
from roce_audit.text.block import Part, Role, block
from roce_audit.values import Place

_OF_PORT = "ip_mtu_bytes speed_bps fec autoneg admin_up link_pause_rx link_pause_tx"
_PREFIXES = {root: [(k, k.prefix.split()) for k in KINDS if k.prefix.split()[0] == root] for root in ROOTS}
_SELF = "lldp interface self admin-state"
_DATA = ("ethernet", "lag")
_DEFINING = {
    "queues queue": "queue",
    "queues pfc-queue": "pfc-queue",
    "forwarding-classes forwarding-class": "forwarding-class",
}
_NUMBERED = frozenset({*_DEFINING.values(), "interface"})
"""Kinds of names that nobody need refer to."""


class Configuration:
    """One switch's configuration. Feed it lines, document by document, then ask for ports and observations."""

    def __init__(self) -> None:
        self.objects: dict[Name, Blocks] = defaultdict(lambda: defaultdict(list))
        self.device: dict[str, Blocks] = defaultdict(lambda: defaultdict(list))
        self.interfaces: dict[str, Blocks] = {}
        self.headers: dict[str, Place] = {}
        self.attachments: dict[str, Blocks] = {}
        self.attached: dict[str, list[Part]] = defaultdict(list)
        self.lldp: dict[str, Blocks] = defaultdict(lambda: defaultdict(list))
        self.called: dict[str, Called] = defaultdict(Called)
        self.references = References(WORDS, BUILTIN, _NUMBERED)
        self.whole = False
        self.relevant = 0
        self.unread: dict[tuple[Kind, str, Place], dict[str, None]] = {}
        self.garbled: list[tuple[str, Place, str]] = []
        """Text, place and model paths of what nobody can place: any port's."""
        self.misnamed: dict[Place, str] = {}
        """Interfaces whose names are none."""
        self.children: dict[str, list[str]] = defaultdict(list)
        self.users: dict[Name, dict[str, None]] = defaultdict(dict)
        self.seen: list[Seen] = []

    # statements to objects ----------------------------------------------------------------------------------------

    def take(self, path: str, lines: Iterable[Line]) -> None:
        """Take in the statements of one document."""
        for line in left(list(lines)):
            self._line(path, line)

    def _line(self, path: str, line: Line) -> None:
        words, lines = line.words, line.lines
        for kind_, prefix in _PREFIXES.get(words[0], ()):
            if len(words) >= len(prefix) and all(p in (KEY, w) for p, w in zip(prefix, words, strict=False)):
                name = words[len(prefix) - 1] if prefix[-1] == KEY else ""
                place = Place(path, lines[len(prefix) - 1])
                for text, index in pieces(kind_, words[len(prefix) :]):
                    at = Place(path, lines[max(len(prefix) + index, len(prefix) - 1)])
                    self._said(kind_, name, place, (" ".join(text), at))
                return
        root = words[0]
        if root not in ROOTS and any(alike(root, known) for known in ROOTS):
            self.garbled.append((" ".join(words[:4]), Place(path, lines[0]), ATTACHED))

    def _said(self, kind_: Kind, name: str, header: Place, said: Said) -> None:
        path = header.path
        if kind_ is INTERFACE:
            self._interface(name, header, said)
        elif kind_ is INSTANCE:
            self._instance(name, said)
        elif kind_ is SYSTEM and said[0].startswith("lldp interface "):
            words = said[0].split(" ")
            self.lldp[words[2]][path].append((f"{_SELF} {' '.join(words[4:])}" if len(words) > 3 else "lldp", said[1]))
            self._count(kind_, said)
        elif kind_ is ATTACHMENT:
            self.attachments.setdefault(name, defaultdict(list))[path].append(said)
        elif kind_ in (QOS, SYSTEM):
            self.device[kind_.name][path].append(said)
            self._define_numbers(said)
            self._count(kind_, said)
        else:
            self.objects[kind_.name, name][path].append(said)
            self.references.define(kind_.name, name, header, f"{kind_.name} {name}")
            self._count(kind_, said)

    def _define_numbers(self, said: Said) -> None:
        words = said[0].split(" ")
        defined = _DEFINING.get(" ".join(words[:2]))
        if defined is not None and len(words) > 2:
            self.references.define(defined, words[2], said[1], said[0])

    def _interface(self, name: str, header: Place, said: Said) -> None:
        try:
            interface(name)
        except ValueError:
            self.misnamed.setdefault(header, name)
            return
        if name not in self.interfaces:
            self.interfaces[name] = defaultdict(list)
            self.headers[name] = header
            self.references.define("interface", name, header, f"interface {name}")
        if not self.interfaces[name][header.path]:
            self.interfaces[name][header.path].append(("", header))
        self.called[name].hear(said[0])
        text = without_labels(said[0])
        if text:
            self.interfaces[name][header.path].append((text, said[1]))

    def _instance(self, name: str, said: Said) -> None:
        found = parse(INSTANCE, said[0])
        if found.leaf == "interface *":
            self.called[found.keys[0].partition(".")[0]].vrf = name

    def _count(self, kind_: Kind, said: Said, ports: Iterable[str] = ()) -> None:
        found = parse(kind_, said[0])
        self.relevant += found.ours and bool(found.leaf)
        if found.unread:
            self.unread.setdefault((kind_, *said), {}).update(dict.fromkeys(ports))

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
        for name, blocks in self.attachments.items():
            to = target(name, blocks, self.interfaces)
            whose = to.interface or ""
            for path, statements in blocks.items():
                kept = [s for s in statements if not s[0].startswith("interface-ref") and s[0]]
                for said in statements:
                    self._count(ATTACHMENT, said, (whose,) if whose else ())
                if kept and whose:
                    self.attached[whose].append(Part("own", as_block(path, kept), "attachment", to.sub))
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
                at = block(to.place.path, to.place.line, (text,), (to.place.line,))
                self.attached[beginning].append(Part("own", at, "garbled", ATTACHED))
            self._nobody(text.rpartition(" ")[2], to.place)
        else:
            self.garbled.append((text, to.place, ATTACHED))

    def _nobody(self, name: str, place: Place) -> None:
        text = f"qos interface {name} names no interface, so it has no effect"
        self.seen.append(seen("unapplied", name, text, place, name, ()))

    def _knows(self, name: str, place: Place) -> None:
        if name not in self.interfaces and not self.whole:
            self.interfaces[name] = {place.path: [("", place)]}
            self.headers[name] = place

    def _misnamed(self) -> None:
        """An interface whose name is none: what stands there may be meant for the port that its beginning names."""
        for place, name in self.misnamed.items():
            at = as_block(place.path, [(f"interface {name}", place)])
            for port in self._meant(name):
                self.attached[port].append(Part("own", at, "garbled", f"{ATTACHED} {_OF_PORT}"))

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
        for name, blocks in self.lldp.items():
            if name not in self.interfaces and (self.whole or begins(name) != name):
                place = next(iter(blocks.values()))[0][1]
                self.garbled.append((f"system lldp interface {name}", place, "dcbx.lldp"))

    def _mention(self) -> None:
        for (kind_name, _), blocks in self.objects.items():
            for path, statements in blocks.items():
                for index, found in names_in(kind_name, as_block(path, statements)):
                    self.references.mention(*found, statements[index][1], statements[index][0])
        for path, statements in self.device["qos"].items():
            for index, found in names_in("qos", as_block(path, statements)):
                self.references.apply(*found, statements[index][1], statements[index][0])

    def _device_parts(self) -> list[Part]:
        parts = [
            Part("device", as_block(path, statements), kind_name)
            for kind_name, blocks in self.device.items()
            for path, statements in blocks.items()
            if statements
        ]
        for text, place, paths in self.garbled:
            parts.append(Part("device", block(place.path, place.line, (text,), (place.line,)), "garbled", paths))
        return parts

    def _port(self, name: str, shared: list[Part]) -> PortReading:
        own = [Part("own", as_block(path, s), "interface") for path, s in self.interfaces[name].items()]
        own += self.attached[name]
        own += [Part("own", as_block(path, s), "system") for path, s in self.lldp.get(name, {}).items()]
        lag = self.called[name].lag
        behind: list[Part] = []
        if lag:
            behind = [Part("lag", as_block(path, s), "interface") for path, s in self.interfaces.get(lag, {}).items()]
            behind += [Part("lag", p.block, p.kind, p.name) for p in self.attached[lag]]
        bound: list[Part] = []
        names: list[str] = []
        for part in (*own, *behind):
            self._bind(part, name, bound, names)
        child = CHILD.match(name)
        parent = self.interfaces.get(child[1], {}) if child else {}
        bound += [Part("bound", as_block(path, s), "interface", "parent") for path, s in parent.items()]
        parts = (*shared, *bound, *own, *behind)
        context = Context(
            kind=self._kind(name),
            complete=self.whole,
            slot=name.partition("-")[2].partition("/")[0],
            lag_unseen=bool(lag) and lag not in self.interfaces,
        )
        self._lean(name, own)
        labels = self.called[name].labels(self.called.get(lag) if lag else None, tuple(dict.fromkeys(names)))
        return PortReading(name, read_port(parts, context), parts, self.headers[name], labels)

    def _kind(self, name: str) -> str:
        split = any(text.startswith("breakout-mode") for s in self.interfaces[name].values() for text, _ in s)
        return "breakout-parent" if split or f"{name}/1" in self.interfaces else kind(name)

    def _lean(self, name: str, own: list[Part]) -> None:
        for part in own:
            if part.kind == "interface":
                for index, text in enumerate(part.block.texts.statements):
                    self._count(INTERFACE, (text, part.block.place(index)), (name,))

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
                    bound += [Part(role, as_block(path, s), *name) for path, s in self.objects[name].items()]

    # observations -------------------------------------------------------------------------------------------------

    def observations(self) -> Iterator[Seen]:
        """What was not understood, or names what is not there. Ask after `ports`."""
        yield from self.seen
        data = tuple(name for name in self.headers if self._kind(name) in _DATA)
        users: dict[tuple[Kind, str, Place], dict[str, None]] = {}
        for (kind_name, name), blocks in self.objects.items():
            for statements in blocks.values():
                for said in statements:
                    users.setdefault((KIND_OF[kind_name], *said), {}).update(self.users[kind_name, name])
        for key, ports in self.unread.items():
            kind_, text, place = key
            them = data if kind_ in (QOS, SYSTEM) else tuple(users.get(key, ports) or ports)
            quote = " ".join(w for w in (kind_.name if kind_ in (QOS, SYSTEM) else "", text) if w)
            yield seen("unread-line", quote, UNREAD_LINE, place, quote, them)
        for text, place, _ in self.garbled:
            yield seen("unread-line", text, UNREAD_LINE, place, text, data)
        for place, name in self.misnamed.items():
            text = f"interface {name}"
            yield seen("unread-line", text, UNREAD_LINE, place, text, tuple(self._meant(name)))
        if self.whole:
            yield from self.references.observations(data)
