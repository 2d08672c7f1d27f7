"""Names in one device: defined, used, or one without the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from roce_audit.platforms.base import Seen, seen
from roce_audit.values import Place

_ALIKE = 0.75
"""How much of two names must be the same for one to be a misspelling of the other."""
Name = tuple[str, str]
"""Kind of thing (profile, policy, classmap, ...) and its name."""


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

    def use(self, kind: str, name: str, place: Place, quote: str, port: str | None) -> None:
        """The statement at `place` names it; `port` is the port it is applied to, None for the whole device."""
        self._used.setdefault((kind, name), (place, quote))
        ports = self._ports.setdefault((kind, name), [])
        if port is None:
            self._everywhere.add((kind, name))
        elif not ports or ports[-1] != port:
            ports.append(port)

    def apply(self, kind: str, name: str, place: Place, quote: str) -> None:
        """The statement at `place` applies it to something that is no port."""
        self._used.setdefault((kind, name), (place, quote))

    def mention(self, kind: str, name: str, place: Place, quote: str) -> None:
        """A definition that may itself be unused mentions it: undefined counts, but this is no application."""
        self._inner.setdefault((kind, name), (place, quote))

    def observations(self, data_ports: tuple[str, ...] = ()) -> Iterator[Seen]:
        """One observation per name that is undefined or never applied. Ask only where the whole configuration is at hand.

        All `data_ports` lean on a name that is applied device-wide.
        """
        idle = {name: said for name, said in self._defined.items() if self._is_idle(name)}
        for name, (place, quote) in {**self._inner, **self._used}.items():
            if name not in self._defined and name not in self.builtin and name[0] in self.words:
                ports = data_ports if name in self._everywhere else tuple(self._ports.get(name, ()))
                text = self.reserved.get(name) or f"{self._called(name)} is used here and defined nowhere"
                meant = get_close_matches(name[1], [known for kind, known in idle if kind == name[0]], 1, _ALIKE)
                if meant:  # one slip of the pen is told once
                    text += f"; {meant[0]} is defined and never applied: is it meant?"
                    del idle[name[0], meant[0]]
                yield seen("undefined", name[1], text, place, quote, ports)
        for name, (place, quote) in idle.items():
            text = f"{self._called(name)} is defined and never applied, so it has no effect"
            alone = not any(kind == name[0] for kind, _ in (*self._used, *self._inner))
            if alone:
                text += f"; no other {self.words[name[0]]} is applied either"
            yield seen("unapplied", name[1], text, place, quote, data_ports if alone else ())

    def _is_idle(self, name: Name) -> bool:
        """Whether a name that is defined is one that nothing applies."""
        spoken = name in self._used or name in self._inner or name in self.builtin or name[0] in self.used_elsewhere
        return not spoken and name[0] in self.words

    def _called(self, name: Name) -> str:
        return f"{self.words[name[0]]} {name[1]}"
