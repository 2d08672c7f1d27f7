"""Names in one device: defined, used, or one without the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType

from roce_audit.model.device import ObservationKind
from roce_audit.patterns import lazy
from roce_audit.platforms.base import Makes, Seen, seen
from roce_audit.text.sentences import listed
from roce_audit.text.statements.misspelling import is_slip_in_name
from roce_audit.values import Place

_SEVERAL = 3
"""So many definitions in a configuration that applies none have one cause."""
_MOST_CALLED = 5
_ALIKE = 0.75
"""How much of two names must be the same for one to be a misspelling of the other."""
_LONG, _GARBLED = 8, 3
"""Letters of a long name, and how many of them may be wrong within a word where the name has no other letters than are meant."""
_DIGITS = lazy(r"[0-9]{1,20}")
_FIRST_WORD = lazy(r"[a-z]{3,40}(?![a-z0-9])")
_MUCH_ALIKE = 0.85
"""The same where the other one is in use elsewhere, as it should be."""
_TAKEN_FOR = str.maketrans("0-1i", "o_ll")
"""Signs of a name that are taken for each other, in lower case."""
Name = tuple[str, str]
"""Kind of thing (profile, policy, classmap, ...) and its name."""


MadeBy = Callable[[Name], tuple[Makes, ...]]


def _makes_nothing(name: Name) -> tuple[Makes, ...]:
    """Of systems that do not tell what lossless transport takes from a definition."""
    return ()


@dataclass
class References:
    """All definitions and uses of names in one device. `words` says in the vendor's words what a kind is."""

    words: Mapping[str, str]
    builtin: frozenset[Name] = frozenset()
    used_elsewhere: frozenset[str] = frozenset()
    """Kinds whose names have uses that nobody records here: they are never called unapplied."""
    reserved: Mapping[Name, str] = field(default_factory=dict)
    """Names that mean something by themselves, and what is wrong where one is used and has no meaning."""
    _defined: dict[Name, tuple[Place, str]] = field(default_factory=dict)
    _used: dict[Name, tuple[Place, str]] = field(default_factory=dict)
    _ports: dict[Name, list[str]] = field(default_factory=dict)
    _inner: dict[Name, tuple[Place, str]] = field(default_factory=dict)
    _everywhere: set[Name] = field(default_factory=set)

    def define(self, kind: str, name: str, place: Place, quote: str) -> None:
        """The stanza at `place` defines this name."""
        self._defined.setdefault((kind, name), (place, quote))

    def forget(self, kind: str, name: str) -> None:
        """A statement takes the definition of this name away."""
        self._defined.pop((kind, name), None)

    def use(self, kind: str, name: str, place: Place, quote: str, port: str | None) -> None:
        """The statement at `place` names it; `port` is the port it is applied to, None for the whole device."""
        self._used.setdefault((kind, name), (place, quote))
        ports = self._ports.setdefault((kind, name), [])
        if port is None:
            self._everywhere.add((kind, name))
        elif not ports or ports[-1] != port:
            ports.append(port)

    def use_again(self, names: Iterable[Name], port: str) -> None:
        """Names that are in use already are applied to this port as well."""
        for name in names:
            ports = self._ports[name]
            if not ports or ports[-1] != port:
                ports.append(port)

    def apply(self, kind: str, name: str, place: Place, quote: str) -> None:
        """The statement at `place` applies it to something that is no port."""
        self._used.setdefault((kind, name), (place, quote))

    def mention(self, kind: str, name: str, place: Place, quote: str) -> None:
        """A definition that may itself be unused mentions it: undefined counts, but this is no application."""
        self._inner.setdefault((kind, name), (place, quote))

    def used_by(self, quote: str) -> list[Name]:
        """The names that a statement applies."""
        return [name for name, (_, said) in self._used.items() if said == quote]

    def is_only_one(self, name: Name) -> bool:
        """Whether no other name of its kind is applied."""
        return name[0] in self.words and not any(kind == name[0] and (kind, one) != name for kind, one in self._used)

    def reaches_port(self, name: Name) -> bool:
        """Whether a port or the whole device uses this name, by itself or through another."""
        return name in self._ports

    def ports(self, name: Name) -> tuple[str, ...]:
        """The ports that use this name, by itself or through another."""
        return tuple(self._ports.get(name, ()))

    def definition(self, name: Name) -> tuple[Place, str]:
        """Where a defined name is defined, and the line."""
        return self._defined[name]

    def called(self, name: Name) -> str:
        """A name with the vendor's word for its kind."""
        return f"{self.words[name[0]]} {name[1]}"

    def observations(self, data_ports: tuple[str, ...] = (), made_by: MadeBy = _makes_nothing) -> Iterator[Seen]:
        """One observation per name that is undefined or never applied. Ask only where the whole configuration is at hand.

        All `data_ports` lean on a name that is applied device-wide. `made_by` tells what lossless transport would take from a definition
        that nothing stands in place of.
        """
        idle = {name: said for name, said in self._defined.items() if self._is_idle(name)}
        for name, meant in self._undefined(idle):
            idle.pop((name[0], meant), None)  # one slip of the pen is told once
            yield self._without_definition(name, meant, data_ports, made_by)
        in_force = {kind for kind, _ in (*self._used, *self._inner, *(self._defined.keys() & self.builtin))}
        if len(idle) >= _SEVERAL and not any(self._ports.values()) and in_force.isdisjoint(kind for kind, _ in idle):
            yield self._none_applied(idle, data_ports, made_by)
            return
        for name, (place, quote) in idle.items():
            text = f"{self.called(name)} is defined and never applied, so it has no effect"
            alone = name[0] not in in_force
            leaning = data_ports if alone else ()
            in_use = self._applied_like(name, idle)
            if in_use is not None:
                text += f"; {in_use[1]} is in use: is it meant?"
                leaning = self.ports(in_use) or data_ports
            elif alone:
                text += f"; no other {self.words[name[0]]} is applied either"
            found = seen("unapplied", name[1], text, place, quote, leaning)
            yield replace(found, makes=made_by(name) if alone else ())

    def _none_applied(
        self, idle: Mapping[Name, tuple[Place, str]], data_ports: tuple[str, ...], made_by: MadeBy
    ) -> Seen:
        """All definitions of a configuration that applies none, told at the first one."""
        (first, (place, quote)), *others = sorted(idle.items(), key=lambda one: one[1][0].line)
        words = listed([self.called(name) for name, _ in others], _MOST_CALLED)
        text = (
            f"{self.called(first)} is defined and never applied, nor is anything else that a port could take: {words}"
        )
        found = seen("unapplied", first[1], text, place, quote, data_ports, *(at for _, (at, _) in others))
        return replace(found, makes=tuple(dict.fromkeys(one for name in idle for one in made_by(name))))

    def slips(
        self,
        data_ports: tuple[str, ...] = (),
        applied_once: Mapping[str, bool] = MappingProxyType({}),
        made_by: MadeBy = _makes_nothing,
    ) -> Iterator[Seen]:
        """The same for a part of a configuration: a name without a definition, where one much like it is defined for nothing,
        or one that reads the same (`dsl` and `ds1`) or is the same but for a slip of the pen (`lossless_porfile`) is defined.
        `made_by` tells what lossless transport would take from a definition.
        """
        idle = {name: said for name, said in self._defined.items() if self._is_idle(name)}
        for name, meant in self._undefined(idle):
            is_slip = any(kind == name[0] and _is_taken_for(name[1], other) for kind, other in self._defined)
            if meant or is_slip or self._other_kind(name):
                yield self._without_definition(name, meant, data_ports, made_by)
            elif name in self._ports and name[0] not in self.used_elsewhere:
                spare = next((one for kind, one in idle if kind == name[0]), "")
                applied = data_ports if name in self._everywhere else self.ports(name)
                ports = self._beside(name[0]) or (applied if spare else ())
                found = self._without_definition(name, "", data_ports, made_by)
                text = f"{self.called(name)} is used here, and "
                text += "no file that was given defines it" if ports else "nothing that this device gets defines it"
                text += f"; {spare} is defined here and not applied: is it meant?" if spare else ""
                kind: ObservationKind = "undefined-here" if ports else "undefined-apart"
                makes = made_by((name[0], spare)) if spare else ()
                observation = replace(found.observation, kind=kind, text=text)
                yield replace(found, observation=observation, meant_ports=ports, makes=makes)
        for name, (place, quote) in idle.items():
            if any(kind == name[0] for kind, _ in (*self._used, *self._inner)):
                continue
            # the stanza for the whole device is here, and applies other things; so do ports, where they may apply this one
            by_port = applied_once.get(name[0])
            if by_port is not None and self._everywhere and (any(self._ports.values()) or not by_port):
                text = f"{self.called(name)} is defined and never applied, so it has no effect"
                found = seen("unapplied-once-here", name[1], text, place, quote, data_ports)
                yield replace(found, makes=made_by(name), namesakes=self._namesakes(name))
            elif data_ports:  # it configures ports, and binds nothing of this kind to them
                text = f"{self.called(name)} is defined, and no file that was given applies it, so it has no effect"
                found = seen("unapplied-here", name[1], text, place, quote, data_ports)
                yield replace(found, makes=made_by(name), namesakes=self._namesakes(name))

    def _namesakes(self, name: Name) -> tuple[Place, ...]:
        """Where things of other kinds that have this name as well are defined, used or mentioned."""
        said = ((one, place) for those in (self._used, self._inner, self._defined) for one, (place, _) in those.items())
        return tuple(dict.fromkeys(place for (kind, called), place in said if called == name[1] and kind != name[0]))

    def _beside(self, kind: str) -> tuple[str, ...]:
        """The ports that use names of a kind which are defined here."""
        return tuple({port: None for name in self._defined if name[0] == kind for port in self._ports.get(name, ())})

    def _undefined(self, idle: Mapping[Name, tuple[Place, str]]) -> Iterator[tuple[Name, str]]:
        """Names that nothing defines, and which idle one of its kind may be meant by each; "" for none."""
        left = set(idle)
        lacking = [
            name
            for name in {**self._inner, **self._used}
            if name not in self._defined and name not in self.builtin and name[0] in self.words
        ]
        of_kind = Counter(kind for kind, _ in lacking)
        for name in lacking:
            alike = [known for kind, known in idle if (kind, known) in left and kind == name[0]]
            meant = next(iter(get_close_matches(name[1], alike, 1, _ALIKE)), "")
            if not meant and of_kind[name[0]] == len(alike) == 1 and _begin_alike(name[1].lower(), alike[0].lower()):
                meant = alike[0]
            left.discard((name[0], meant))
            yield name, meant

    def _without_definition(self, name: Name, meant: str, data_ports: tuple[str, ...], made_by: MadeBy) -> Seen:
        place, quote = self._used.get(name) or self._inner[name]
        ports = data_ports if name in self._everywhere else tuple(self._ports.get(name, ()))
        reserved = self.reserved.get(name)
        if reserved is not None:
            return seen("undefined", name[1], reserved, place, quote, ports)
        other = self._other_kind(name)
        if other:
            text = f"{self.called(name)} is used here and defined nowhere; of itself the device has it as {other} alone"
            return seen("undefined", name[1], text, place, quote, ports)
        text = f"{self.called(name)} is used here and defined nowhere"
        makes = made_by((name[0], meant)) if meant else ()
        if meant:
            text += f"; {meant} is defined and never applied: is it meant?"
        else:
            meant, clause = self._near(name)
            text += clause
        beside = tuple(self._ports.get((name[0], meant), ()))
        found = seen("undefined", name[1], text, place, quote, ports)
        return replace(found, meant=meant, meant_ports=beside, makes=makes)

    def _other_kind(self, name: Name) -> str:
        """The vendor's words for what a name is that the device has of itself as another kind; "" where it has none."""
        kinds = [kind for kind, one in self.builtin if one == name[1] and kind in self.words] if self.builtin else []
        return self.words[min(kinds)] if kinds else ""

    def _near(self, name: Name) -> tuple[str, str]:
        """The name of the same kind that comes nearest, where one comes near, and a clause on it."""
        known = [other for kind, other in (*self._defined, *sorted(self.builtin)) if kind == name[0]]
        for other in known:
            if other.lower() == name[1].lower():
                return other, f"; {other} is defined, and upper and lower case are told apart"
        near = [other for other in known if _reads(other) == _reads(name[1])]
        near = near or [other for other in known if is_slip_in_name(name[1], other)]
        near = near or get_close_matches(name[1], known, 1, _MUCH_ALIKE)
        return (near[0], f"; {near[0]} is defined: is it meant?") if near else ("", "")

    def _applied_like(self, name: Name, idle: Collection[Name]) -> Name | None:
        """The name of the same kind that is applied, or that the device knows by itself, of which this one is a slip of the pen."""
        known = (*self._defined, *sorted(self.builtin))
        alike = (one for one in known if one[0] == name[0] and one not in idle and is_slip_in_name(name[1], one[1]))
        return next(alike, None)

    def _is_idle(self, name: Name) -> bool:
        """Whether a name that is defined is one that nothing applies."""
        spoken = name in self._used or name in self._inner or name in self.builtin or name[0] in self.used_elsewhere
        return not spoken and name[0] in self.words


def _is_taken_for(name: str, other: str) -> bool:
    return _reads(name) == _reads(other) or is_slip_in_name(name, other) or _is_garbled(name, other)


def _begin_alike(name: str, other: str) -> bool:
    """Whether one of two names is the other with more words behind it, or both begin with the same word: `ROCE` and `ROCE-LEAF`,
    `ROCE-OLD` and `ROCE-MARK`.
    """
    short, long = sorted((name, other), key=len)
    if len(short) < len(long) and long.startswith(short) and not long[len(short)].isalnum():
        return True
    one, two = map(_FIRST_WORD.match, (name, other))
    return one is not None and two is not None and one[0] == two[0] and name != other


def _is_garbled(name: str, other: str) -> bool:
    """Whether two long names of as many letters differ in a few letters within one word, and in no number."""
    if len(name) != len(other) or len(name) < _LONG or _DIGITS.findall(name) != _DIGITS.findall(other):
        return False
    apart = [at for at, (one, two) in enumerate(zip(name, other, strict=True)) if one != two]
    inside = name[apart[0] - 1 : apart[-1] + 2] if apart and apart[0] else ""
    return inside.isalpha() and len(apart) <= _GARBLED and sorted(set(name)) == sorted(set(other))


def _reads(name: str) -> str:
    """A name as a reader takes it who does not look closely."""
    return name.lower().translate(_TAKEN_FOR)
