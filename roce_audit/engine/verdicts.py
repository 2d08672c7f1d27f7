"""Verdicts kept over the runs of one process: a rule asked of values it has seen before need not be evaluated again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import SimpleNamespace
from typing import Any

from roce_audit.engine.findings import Severity
from roce_audit.engine.rules.rule import Rule
from roce_audit.values import Cell

LIMIT = 200_000
"""Distinct structures kept at most; beyond it a run starts anew, so that a long-lived process stays small."""
MOST_OBJECTS = 50_000
"""Objects kept at most with the numbers of their fields."""

_PLAIN = frozenset({type(None), bool, int, float, str, frozenset})
MOST_RULES = 5_000
"""Rules kept at most with what they said: packs that change again and again leave theirs behind."""

Batch = dict[tuple[int, ...], Any]
"""Key of the values that some rules read -> what each of them said of those values."""


OF_ONE_SUBJECT = frozenset({"joined", "a_joined", "b_joined", "link", "input", "counters", "hop_counters"})
"""Objects that no two subjects share; everything else is one object for all equal readings."""
_OF_ONE = OF_ONE_SUBJECT | {"app"}
"""Those, and what equal readings need not share: each NIC has its own."""


class Keys:
    """Structural keys of fields, as small integers; objects that subjects share are visited once."""

    def __init__(self, numbers: dict[object, int]) -> None:
        self._fields: dict[tuple[int, str], int] = {}
        self._numbers = numbers
        self._inner: dict[int, object] = {}
        self._kept: list[object] = []

    @property
    def objects(self) -> int:
        """How many objects are kept, so that their ids stay theirs."""
        return len(self._kept)

    def read(self, env: Mapping[str, object], root: str, name: str) -> int:
        """The number of what a subject holds there; what is its own is not remembered, or there would be an entry for each."""
        return self._number(env[root], name) if root in _OF_ONE else self.of(env[root], name)

    def row(self, env: Mapping[str, object], reads: Iterable[tuple[str, str]]) -> tuple[int, ...]:
        """The same of several fields."""
        known, found = self._fields, []
        for root, name in reads:
            number = known.get((id(env[root]), name))  # what is a subject's own is not among them
            found.append(self.read(env, root, name) if number is None else number)
        return tuple(found)

    def of(self, thing: object, name: str) -> int:
        """A number that is equal for equal values of the field (`*`: of the whole object)."""
        slot = (id(thing), name)
        found = self._fields.get(slot)
        if found is None:
            self._kept.append(thing)  # an id is only good while its object lives
            found = self._fields[slot] = self._number(thing, name)
        return found

    def _number(self, thing: object, name: str) -> int:
        structure = self._key(thing if name == "*" else getattr(thing, name))
        return self._numbers.setdefault(structure, len(self._numbers))

    def _key(self, thing: Any) -> object:
        if type(thing) is Cell:
            return ("?", thing.why) if thing.why is not None else self._key(thing.value)
        if type(thing) in _PLAIN or (type(thing) is not tuple and not is_dataclass(thing)):
            return thing
        found = self._inner.get(id(thing))
        if found is None:
            parts: Iterable[Any] = thing if isinstance(thing, tuple) else _parts(thing)
            structure = tuple([self._key(part) for part in parts])
            found = self._numbers.setdefault(structure, len(self._numbers))
            self._inner[id(thing)] = found
            self._kept.append(thing)
        return ("#", found)


class Verdicts:
    """What rules said, by the values they read. Structures are numbered so that keys stay small."""

    def __init__(self) -> None:
        self._numbers: dict[object, int] = {}
        self.keys = Keys(self._numbers)
        self._batches: dict[tuple[object, ...], Batch] = {}
        self.plans: dict[tuple[int, ...], Any] = {}
        """Which rules are asked together, by the ids of the rules; whoever judges keeps it here."""
        self._kept: list[Rule] = []

    def batch(
        self,
        asked: Sequence[tuple[Rule, SimpleNamespace]],
        severities: Mapping[str, Severity],
        reads: Sequence[tuple[str, str]],
    ) -> Batch:
        """The verdicts of these rules with these parameters and severities, by the values of these fields."""
        those = [(id(rule), tuple(sorted(vars(params).items())), severities.get(rule.id)) for rule, params in asked]
        key = (tuple(reads), *those)
        found = self._batches.get(key)
        if found is None:
            found = self._batches[key] = {}
            self._kept.extend(rule for rule, _ in asked)  # an id is only good while its object lives
        return found

    def trim(self) -> None:
        """Forget everything once there is too much of it."""
        if len(self._numbers) > LIMIT or len(self._kept) > MOST_RULES or self.keys.objects > MOST_OBJECTS:
            self.__init__()  # type: ignore[misc]


SHARED = Verdicts()
"""The verdicts of this process."""


def _parts(thing: Any) -> list[Any]:
    return [getattr(thing, f.name) for f in fields(thing)]
