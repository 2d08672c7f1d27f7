"""One configuration: its statements become objects, and what was not understood is kept with its place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from roce_audit.platforms.junos.answers import HEAD, answers
from roce_audit.platforms.junos.expand import Expanded, Statement
from roce_audit.platforms.junos.names import LABELS, PHYSICAL, Called
from roce_audit.platforms.junos.objects import Thing
from roce_audit.platforms.junos.paths import header
from roce_audit.platforms.junos.ranges import ALL
from roce_audit.platforms.junos.running import Running
from roce_audit.platforms.junos.shownobjects import ShownObjects
from roce_audit.platforms.junos.table import ATTACHED, BUILTIN, OBJECTS, OF_PORT, REFERENCES, TABLE
from roce_audit.platforms.junos.texts import OTHER_PROTOCOLS, OTHER_ROOTS, ROOTS
from roce_audit.platforms.junos.values import interface
from roce_audit.platforms.shared.path.tables import Header
from roce_audit.platforms.shared.references import Name, References
from roce_audit.text.block import Block, block
from roce_audit.text.document import Document
from roce_audit.text.statements.misspelling import meant
from roce_audit.text.statements.rows import Leaf
from roce_audit.values import Place

_NEVER_UNAPPLIED = frozenset({"interface", "forwarding-class", "filter", "scheduler", "traffic-control-profile"})
OF_INTERFACE = ("lldp", "dcbx")
"""Kinds of objects that speak of interfaces, or of all of them."""
_KINDS = {
    words.split(" ")[1]: mode
    for words, mode in TABLE.modes["top"].opens.items()
    if words.startswith("class-of-service ") and words.count(" ") == 1 and mode in OBJECTS
}
"""Word of the class-of-service stanza whose children have names -> the mode of each of them."""
_CLASS = re.compile(r"forwarding-classes (?:class|queue \S+) (\S+)")


class Configuration:
    """One switch's configuration, made of what holds."""

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
        self.vlan_filters: dict[str, Thing] = defaultdict(Thing)
        self.shown: dict[str, list[Block]] = defaultdict(list)
        self.shown_objects = ShownObjects()
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
        members = frozenset([name for name, called in self.called.items() if called.lag])
        self.running = Running(self.interfaces.keys(), members)

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
                self._named(found, statement, text)
            case "forwarding" | "tunnels":
                self._say(self.device[found.mode], found.mode, statement, text)
            case "chassis":
                self._say(self.chassis[found.name], found.mode, statement, text)
            case "cos":
                self._say(self.device["cos"], found.mode, statement, text)
                self._classes(statement, text)
                self._misspelt_kind(statement, text)
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
                self.count(mode, text, statement.place)

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
        name = str(leaf.keys[0]).partition(".")[0] if isinstance(leaf, Leaf) and leaf.keys else ALL
        self._say(self.spoken[mode, name], mode, statement, text)

    def _named(self, found: Header, statement: Statement, text: str) -> None:
        leaf = TABLE.parse(found.mode, text).value if text else None
        if isinstance(leaf, Leaf) and found.mode == "vlan" and leaf.name == "vlan-id":
            self.vlans[found.name] = str(leaf.value)
        elif isinstance(leaf, Leaf) and found.mode == "vlan":
            self._say(self.vlan_filters[found.name], "vlan", statement, text)
        elif isinstance(leaf, Leaf) and found.mode == "routing-instance" and not leaf.keys:
            self._say(self.device["tunnels"], "tunnels", statement, text)
        elif isinstance(leaf, Leaf) and found.mode == "routing-instance" and leaf.name == "vlans * vlan-id":
            self.vlans[str(leaf.keys[0])] = str(leaf.value)
        elif isinstance(leaf, Leaf) and found.mode == "routing-instance":
            self.called[str(leaf.keys[0]).partition(".")[0]].vrf = found.name

    def _classes(self, statement: Statement, text: str) -> None:
        found = _CLASS.match(text)
        if found is not None:
            self.references.define("forwarding-class", found[1], statement.place, text)

    def _misspelt_kind(self, statement: Statement, text: str) -> None:
        """What stands below a misspelt kind of object is one of these, though nobody reads it: that is told of the kind alone."""
        word, _, rest = text.partition(" ")
        wanted = meant(word, _KINDS) if rest and word not in _KINDS else None
        if wanted is not None:
            name = rest.split(" ", 1)[0]
            self.references.define(_KINDS[wanted], name, statement.place, text)
            self.references.apply(_KINDS[wanted], name, statement.place, text)

    def _rootless(self, statement: Statement) -> None:
        """A statement that is about none of our objects: a misspelt root, or a misspelt header below one."""
        words, text = statement.words, " ".join(statement.words)
        if words[0] == "protocols" and words[1:2] and words[1] in OTHER_PROTOCOLS:
            return
        unknown_root = words[0] not in ROOTS | OTHER_ROOTS and meant(words[0], ROOTS) is not None
        if unknown_root or TABLE.misspelt_header("top", text) is not None:
            self.lost[" ".join(words[:5]), statement.place] = (*ATTACHED, *OF_PORT)

    def count(self, mode: str, text: str, place: Place, ports: Iterable[str] = ()) -> None:
        """Note whether a statement is one of ours, and for which ports it was not understood."""
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
        self.running.take(document)
        self.shown_objects.take(document)
        for port, line, text in answers(document):
            self._show(port, text, Place(document.path, line))

    def show_running(self) -> None:
        """Hand what the answers tell of bindings in force to the ports. Call when all of them are taken in."""
        for port, place in self.running.without_pause(self.bindings):
            self._show(port, "congestion-notification Disabled", place)
        is_alone = not self.held.statements
        bound = self.running.bound() if is_alone else self.running.instead(self.bindings, self.objects.keys())
        for port, text, place in list(bound):
            if port in self.interfaces:
                self.bindings[port].put_in_force(lambda _: False, {text: place})

    def show_ports(self, documents: Iterable[Document]) -> None:
        """Take the ports from the answers, where no configuration names them."""
        for document in documents:
            for line, text in document.numbered():
                head = HEAD.fullmatch(text)
                if head is not None and PHYSICAL.match(head[1]):
                    self.interfaces[head[1]].begin(Statement(("interfaces", head[1]), Place(document.path, line)))

    def _show(self, port: str, text: str, place: Place) -> None:
        if port in self.interfaces:
            self.shown[port].append(block(place.path, place.line, (text,), (place.line,)))
            self.count("state", text, place, (port,))
