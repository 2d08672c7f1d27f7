"""All that was said of one switch: lines become blocks and ports, names are followed, and whatever was odd is told."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from roce_audit.model.device import ObservationKind
from roce_audit.platforms.base import UNREAD_LINE, Seen, seen
from roce_audit.platforms.cumulus.builder import Context
from roce_audit.platforms.cumulus.conffiles import InForce, LeftOut
from roce_audit.platforms.cumulus.facts import FILTERS, read_port
from roce_audit.platforms.cumulus.filters import Lists
from roce_audit.platforms.cumulus.nvue import POLICE
from roce_audit.platforms.cumulus.ports import Port, kind_of, labels_of
from roce_audit.platforms.cumulus.statements import Entry, Line, begins, first_odd, spread
from roce_audit.platforms.cumulus.table import GLOBAL, KINDS, PROFILED, TABLE, UNNAMED, is_begun
from roce_audit.platforms.cumulus.values import interfaces
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.shared.ramps import Halves, Written, turned_round, without_idle
from roce_audit.platforms.shared.references import References
from roce_audit.records import dataclass
from roce_audit.text.block import Part, Role, Texts, block
from roce_audit.text.memo import Memory
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

Name = tuple[str, str]
"""Kind of block and its name; the name is empty where a kind has but one block."""

_WORDS = {kind: f"{kind.replace('-', ' ')} profile" for kind in PROFILED}
_BUILT_IN = frozenset((kind, GLOBAL) for kind in PROFILED) | {
    ("remark", "lossy-multi-tc-host-group"),
    ("remark", "lossy-multi-tc-network-group"),
}
_BEGINNING = re.compile(r"[A-Za-z]{1,20}\d{1,4}(?:s\d{1,2})?(?:-\d{1,4})?")
_OPENS = re.compile(r"\s{0,9}:\s{0,9}[\[{]?\Z")
"""How the line of a key ends below which something stands."""
_BRANCHES = ("interface", "qos")
_DATA = ("ethernet", "lag")


class Datastore:
    """One switch being read. Lines are taken in order: the last one holds."""

    def __init__(self) -> None:
        self.ports: dict[str, Port] = {}
        self.tagged: frozenset[str] = frozenset()
        """Ports with subinterfaces."""
        self.blocks: dict[Name, dict[str, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        self.references = References(_WORDS, _BUILT_IN)
        self.policing: dict[str, bool] = {}
        self.lists = Lists()
        self.groups: list[InForce] = []
        """Port groups of the older files."""
        self.left_out: list[LeftOut] = []
        self.lost: list[Line] = []
        """Lines about nobody knows which block or port."""
        self.leaning: dict[tuple[str, str, Place], list[str]] = defaultdict(list)
        self.problems: dict[tuple[ObservationKind, Place, Place, str], dict[str, None]] = {}
        self.relevant = 0
        self._unread: dict[tuple[str, Texts], Sequence[tuple[int, str]]] = {}

    # lines ---------------------------------------------------------------------------------------------------------

    def take(self, lines: Iterable[Line]) -> None:
        """Take in lines, in their order."""
        for line in lines:
            match line.words:
                case ("qos", *rest):
                    self._qos(line, rest)
                case ("interface", names, *rest):
                    self._interface(line, names, tuple(rest))
                case ("system", "forwarding", *rest):
                    self._add(self.blocks["forwarding", ""], line, "forwarding", tuple(rest))
                case ("nve", "vxlan", *rest):
                    self._add(self.blocks["vxlan", ""], line, "vxlan", tuple(rest))
                case ("acl", called, *rest):
                    self.policing[called] = self.policing.get(called, False) or POLICE in rest
                    self.lists.take(called, rest, line)
                case (word, kind, *rest) if meant(word, _BRANCHES) == "qos" and kind in KINDS:
                    self._misunderstood(line, kind, [kind, *rest], rest[0] if rest else GLOBAL, odd=0)
                case (word, *_) if meant(word, _BRANCHES) is not None or any(is_begun(word, b) for b in _BRANCHES):
                    self.lost.append(line)

    def _qos(self, line: Line, words: list[str]) -> None:
        if not words:
            if line.unset:
                self.blocks.clear()
            return
        kind, rest = words[0], words[1:]
        if kind not in KINDS:
            self._misspelt(line, words)
            return
        called = "" if kind in UNNAMED else (rest[0] if rest else "")
        below = tuple(rest if kind in UNNAMED else rest[1:])
        if kind not in UNNAMED and not called:
            if line.unset:
                for known in [k for k in self.blocks if k[0] == kind]:
                    del self.blocks[known]
            return
        self._add(self.blocks[kind, called], line, kind, below)
        if line.unset and not below:
            del self.blocks[kind, called]

    def _misspelt(self, line: Line, words: list[str]) -> None:
        """A kind of block that is none: the whole statement stands in the block that is meant, where nobody understands it."""
        kind = meant(words[0], KINDS)
        if kind is None:
            self.lost.append(line)
            return
        self._misunderstood(line, kind, words, words[1] if len(words) > 1 else GLOBAL)

    def _add(self, to: dict[str, list[Entry]], line: Line, kind: str, words: tuple[str, ...]) -> None:
        for text in spread(words):
            if line.unset and begins(kind, text):
                for entries in to.values():
                    entries[:] = [e for e in entries if not (text == "" or f"{e.text} ".startswith(f"{text} "))]
            elif not text or TABLE.parse(kind, text).is_ours:
                odd = first_odd(kind, text) if text else None
                # of a key that nobody understands all that stands below it is lost
                place, quote = (
                    line.at(len(line.words) - len(words) + odd) if odd is not None else (line.place, line.quote)
                )
                to[line.place.path].append(Entry(text, place, quote))

    def _interface(self, line: Line, names: str, words: tuple[str, ...]) -> None:
        found, unsure = _named(names)
        if unsure:
            self.lost.append(line)
            self._of_some_port(line, words)
        for called in found:
            port = self.ports.get(called)
            if port is None:
                if line.unset:
                    continue
                port = self.ports[called] = Port(called, line.place)
            elif port.implied:
                port.header, port.implied = line.place, False
            if unsure:
                whole = Entry(" ".join(("interface", names, *words)), line.place, line.quote)
                port.entries[line.place.path].append(whole)
            else:
                self._say(port, line, words)
        if line.unset and not words:
            for called in found:
                self.ports.pop(called, None)

    def _of_some_port(self, line: Line, words: tuple[str, ...]) -> None:
        """Nobody knows which ports a statement names: each may have what it sets, unless it says otherwise itself."""
        if words[:1] == ("qos",) and words[1:2] and words[1] in KINDS:
            self._misunderstood(line, words[1], words[1:], odd=1)

    def _misunderstood(
        self, line: Line, kind: str, words: Sequence[str], called: str = GLOBAL, *, odd: int | None = None
    ) -> None:
        """A statement that stands where nobody understands it: in the block of its kind; `odd`: the word to blame, if not the first."""
        block = self.blocks[kind, "" if kind in UNNAMED else called]
        place = line.at(len(line.words) - len(words) if odd is None else odd)
        block[line.place.path].append(Entry(" ".join(("qos", *words)), *place))

    def _say(self, port: Port, line: Line, words: tuple[str, ...]) -> None:
        if words[:2] in (("bond", "member"), ("bridge", "member")) and len(words) == 3:
            self._members(port, line, words)
        elif words[:2] == ("link", "breakout"):
            port.breakout = "" if line.unset else words[2] if len(words) > 2 else port.breakout
        elif words and TABLE.is_label("port", words[0]):
            port.labels = [w for w in port.labels if w[:-1] != words[:-1]] if words[0] == "description" else port.labels
            if not line.unset and len(words) > 1:
                port.labels.append(words)
        elif words:
            self._add(port.entries, line, "port", words)

    def _members(self, port: Port, line: Line, words: tuple[str, ...]) -> None:
        try:
            found = interfaces(words[2])
        except ValueError:
            self.lost.append(line)
            for member in (
                _named(words[2])[0] if words[0] == "bond" else ()
            ):  # it may be one, and take what the bond has
                meant_one = self.ports.setdefault(member, Port(member, line.place, implied=True))
                whole = Entry(" ".join(("interface", member, *words)), line.place, line.quote)
                meant_one.entries[line.place.path].append(whole)
            return
        for member in found:
            if words[0] == "bridge":
                if member in self.ports:
                    self.ports[member].labels.append(("bridge", "domain", port.name))
            elif line.unset:
                port.members.pop(member, None)
            else:
                port.members[member] = None
                self.ports.setdefault(member, Port(member, line.place, implied=True))

    def entries(self, kind: str, called: str) -> list[Entry]:
        """All statements of a block, of all documents."""
        return [entry for entries in self.blocks.get((kind, called), {}).values() for entry in entries]

    # ports ---------------------------------------------------------------------------------------------------------

    def read(self, complete: frozenset[str]) -> tuple[PortReading, ...]:
        """All ports, read; `complete` as `Lack.complete`."""
        self._define()
        device = [part for key in self.blocks if self._is_wide(key) for part in self._parts("device", key)]
        for part in device:
            self._look(part)
        channels = {member: port for port in self.ports.values() for member in port.members}
        self.tagged = frozenset([name.partition(".")[0] for name in self.ports if "." in name])
        return tuple([self._port(port, channels.get(port.name), device, complete) for port in self.ports.values()])

    def _is_wide(self, key: Name) -> bool:
        """Whether a block holds for every port."""
        return key[0] not in PROFILED or key[1] == GLOBAL

    def _define(self) -> None:
        for (kind, called), documents in self.blocks.items():
            # a statement whose kind is misspelt defines nothing
            said = (e for entries in documents.values() for e in entries if not e.text.startswith("qos "))
            first = next(said, None)
            if kind in PROFILED and first is not None:
                self.references.define(kind, called, first.place, first.quote)
        for group in self.groups:
            if group.defined:
                self.references.apply(group.kind, group.name, group.place, group.quote)
            else:
                self.references.use(group.kind, group.name, group.place, group.quote, None)

    def _parts(self, role: Role, key: Name) -> list[Part]:
        found = []
        for path, entries in self.blocks.get(key, {}).items():
            if entries:
                found.append(_part(role, path, entries, *key))
        return found

    def _port(self, port: Port, channel: Port | None, device: list[Part], complete: frozenset[str]) -> PortReading:
        own = [_part("own", path, e, "port", "") for path, e in port.entries.items() if e]
        lag = [] if channel is None else [_part("lag", path, e, "port", "") for path, e in channel.entries.items() if e]
        bound: list[Part] = []
        names: list[str] = []
        lists: set[str] = set()
        for part in (*own, *lag):
            named = _named_in(part.block.texts)
            lists.update(named.lists)
            for index, key, text in named.profiles:
                self.references.use(*key, part.block.place(index), text, port.name)
                names.append(key[1])
                if not self._is_wide(key) and all((p.kind, p.name) != key for p in bound):
                    bound.extend(self._parts("bound", key))
        kind = kind_of(port, self.ports)
        parts = (*device, *bound, *own, *lag)
        for part in parts:
            self._look(part, port.name if part.role != "device" or kind in _DATA else "")
        policing = frozenset((name, self._polices_roce(name)) for name in lists & self.policing.keys())
        dropping = frozenset((name, place) for name, place in self.lists.dropping().items() if name in lists)
        remarking = frozenset(self.lists.remarking(lists))
        context = Context(kind, complete, policing, dropping, remarking, channel is not None)
        facts, problems = read_port(parts, context)
        for problem in problems:
            at, other = (parts[a.part].block.place(a.index) for a in (problem.at, problem.other))
            self.problems.setdefault((problem.kind, at, other, problem.text), {})[port.name] = None
        labels = labels_of(
            port, channel, tuple(dict.fromkeys(names)), port.name in self.tagged or port.name.partition(".")[1] != ""
        )
        return PortReading(port.name, facts, parts, port.header, labels)

    def _polices_roce(self, name: str) -> bool | None:
        """Whether RoCEv2 packets may be among what a list polices; None where it polices nothing."""
        return not self.lists.polices_others(name) if self.policing[name] else None

    def _look(self, part: Part, port: str = "") -> None:
        """Record the statements of a block that were not understood, and the port that leans on them."""
        for index, text in self._unread_in(part):
            ports = self.leaning[part.kind, text, part.block.place(index)]
            if port and port not in ports[-1:]:
                ports.append(port)

    def _unread_in(self, part: Part) -> Sequence[tuple[int, str]]:
        """The statements of a block that were not understood; ports have few kinds of blocks."""
        key = (part.kind, part.block.texts)
        found = self._unread.get(key)
        if found is None:
            said = enumerate(part.block.texts.statements)
            found = self._unread[key] = [(index, text) for index, text in said if TABLE.parse(part.kind, text).unread]
        return found

    # observations --------------------------------------------------------------------------------------------------

    def observations(self, whole: bool) -> list[Seen]:
        """What was not understood, contradicts itself, or names what is not there. Ask after `read`."""
        data = tuple(port.name for port in self.ports.values() if kind_of(port, self.ports) in _DATA)
        quotes = {}
        for key, documents in self.blocks.items():
            for entry in (e for entries in documents.values() for e in entries):
                self.relevant += 1
                quotes[entry.place] = entry.quote
                if not self._is_wide(key) and TABLE.parse(key[0], entry.text).unread:
                    self.leaning.setdefault((key[0], entry.text, entry.place), [])
        places = set()
        for port in self.ports.values():
            for entry in (e for entries in port.entries.values() for e in entries):
                places.add(entry.place)
                quotes[entry.place] = entry.quote
        self.relevant += len(places)
        told: dict[Place, dict[str, None]] = defaultdict(dict)
        for (_, _, place), leaning in self.leaning.items():
            told[place].update(dict.fromkeys(leaning))
        for line in self.lost:
            quotes[line.place] = line.quote
            told[line.place].update({})
        found = [
            seen("unread-line", _OPENS.sub("", quotes[place]), UNREAD_LINE, place, quotes[place], tuple(ports))
            for place, ports in told.items()
        ]
        for (kind, place, other, text), ports in self.problems.items():
            found.append(seen(kind, quotes[place], text, place, quotes[place], tuple(ports), other))
        wrong = tuple(turned_round(self._ramps()))
        odd = self.references.observations(data) if whole else self.references.slips(data)
        found.extend((*without_idle(odd, wrong), *wrong))
        return found

    def _ramps(self) -> Iterator[Written]:
        """The thresholds of congestion control profiles that reach no port."""
        for name, documents in self.blocks.items():
            if name[0] != "congestion-control" or name[1] == GLOBAL or self.references.reaches_port(name):
                continue
            halves = Halves(name[1], self.references.called(name))
            for entry in (e for entries in documents.values() for e in entries):
                leaf = TABLE.parse(name[0], entry.text).value
                if isinstance(leaf, Leaf) and isinstance(leaf.value, int):
                    if leaf.name.endswith("min-threshold"):
                        halves.low(leaf.keys, leaf.value, "bytes")
                    elif leaf.name.endswith("max-threshold"):
                        halves.high(leaf.keys, leaf.value, "bytes", entry.place, entry.quote)
            yield from halves.written()


@dataclass(frozen=True, slots=True)
class _Named:
    """What the statements of a port name."""

    profiles: tuple[tuple[int, Name, str], ...]
    """(index of the statement, the profile, the statement)."""
    lists: tuple[str, ...]
    """Access lists that its packets pass."""


_NAMED: Memory[Texts, _Named] = Memory()


def _named_in(texts: Texts) -> _Named:
    """What the statements of a port name; few ports of a fleet differ in them."""
    found = _NAMED.get(texts)
    if found is None:
        said = [(n, text, TABLE.parse("port", text).value) for n, text in enumerate(texts.statements)]
        leaves = [(n, text, leaf) for n, text, leaf in said if isinstance(leaf, Leaf)]
        found = _NAMED.keep(
            texts,
            _Named(
                tuple(
                    (n, (leaf.name.split(" ")[1], leaf.value), text)
                    for n, text, leaf in leaves
                    if leaf.name.endswith(" profile") and isinstance(leaf.value, str)
                ),
                tuple(str(leaf.keys[0]) for _, _, leaf in leaves if leaf.name in FILTERS),
            ),
        )
    return found


def _named(text: str) -> tuple[tuple[str, ...], bool]:
    """The interfaces that a text names; where it is no name, those that its beginning names, and True."""
    try:
        return interfaces(text), False
    except ValueError:
        beginning = _BEGINNING.match(text)
    try:
        return interfaces(beginning.group()) if beginning is not None else (), True
    except ValueError:
        return (), True


def _part(role: Role, path: str, entries: list[Entry], kind: str, called: str) -> Part:
    statements = tuple([entry.text for entry in entries])
    lines = tuple([entry.place.line for entry in entries])
    return Part(role, block(path, lines[0], statements, lines), kind, called)
