"""What the tools of a host claim of one NIC: equal claims, conflicts, doubts and refusals, by model path."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from roce_audit.values import Cell, Where, Why, absent, known, unknown

_PRIORITIES = 8


class Facts:
    """What the statements about one NIC claim, by model path.

    Several tools may show the same setting: equal claims join their places, different ones are a conflict. Paths that begin
    with `_` are notes between tools and a family, and never reach the model.
    """

    def __init__(self) -> None:
        self._claims: dict[str, list[Cell[Any]]] = {}
        self._fallback: dict[str, list[Cell[Any]]] = {}
        self._doubts: dict[str, Cell[Any]] = {}
        self._settled: dict[str, Cell[Any]] = {}
        self.refused: dict[str, Cell[Any]] = {}
        self.answered: set[str] = set()
        self.tools: set[str] = set()

    def claim(self, path: str, value: object, *at: Where) -> None:
        """A tool that shows the running state says that `path` is `value`."""
        self._claims.setdefault(path, []).append(known(value, *at))

    def claim_absent(self, path: str, *at: Where) -> None:
        """A tool that shows the running state says that there is no such thing."""
        self._claims.setdefault(path, []).append(absent(*at))

    def suggest(self, path: str, value: object, *at: Where) -> None:
        """A source that counts only where no tool shows the running state."""
        self._fallback.setdefault(path, []).append(known(value, *at))

    def doubt(self, path: str, why: Why, *at: Where) -> None:
        """Nothing at or below `path` is known, whatever else says it; `*` stands for each of the 8 priorities."""
        for one in each(path):
            self._doubts.setdefault(one, unknown(why, *at))

    def refuse(self, path: str, *at: Where) -> None:
        """The tool that shows `path` did not answer; another tool may still say it."""
        for one in each(path):
            self.refused.setdefault(one, unknown(Why.REFUSED, *at))

    def put(self, path: str, cell: Cell[Any]) -> None:
        """A family's conclusion; wins over all claims."""
        self._settled[path] = cell

    def cell(self, path: str) -> Cell[Any] | None:
        """What all sources together say; None where nobody speaks of it."""
        doubt = self._doubt(path)
        if doubt is not None:
            return doubt
        settled = self._settled.get(path)
        if settled is not None:
            return settled
        said = self._claims.get(path) or self._fallback.get(path)
        if not said:
            return None
        at = tuple(dict.fromkeys(where for cell in said for where in cell.at))
        if any(cell != said[0] for cell in said):
            return unknown(Why.CONFLICT, *at)
        return Cell(said[0].value, said[0].why, at)

    def or_unknown(self, path: str) -> Cell[Any]:
        """Like `cell`, and the right doubt where nobody speaks: refused or not visible."""
        said = self.cell(path)
        if said is not None:
            return said
        refused = self.refused.get(path)
        if refused is not None:
            return refused
        return unknown(Why.NO_DEFAULT if path in self.answered else Why.NOT_VISIBLE)

    def paths(self) -> Iterator[str]:
        """All paths of the model that somebody spoke of."""
        for path in dict.fromkeys((*self._claims, *self._fallback, *self._settled)):
            if not path.startswith("_"):
                yield path

    def below(self, path: str) -> Iterator[str]:
        """All paths below `path` (a note, or part of the model) that somebody spoke of."""
        for one in dict.fromkeys((*self._claims, *self._fallback, *self._settled)):
            if one.startswith(path + "."):
                yield one

    def doubted_below(self, path: str) -> tuple[str, ...]:
        """All paths below `path` that are in doubt, notes too."""
        return tuple(one for one in self._doubts if one.startswith(path + "."))

    def doubts(self) -> Iterator[tuple[str, Cell[Any]]]:
        """Paths of the model that are in doubt."""
        return ((path, cell) for path, cell in self._doubts.items() if not path.startswith("_"))

    def conflicts(self) -> Iterator[tuple[str, Cell[Any]]]:
        """Paths of which two sources say different things."""
        for path in self._claims:
            if path in self._settled:
                continue
            cell = self.cell(path)
            if cell is not None and cell.why is Why.CONFLICT and len(cell.at) > 1:
                yield path, cell

    def _doubt(self, path: str) -> Cell[Any] | None:
        while True:
            found = self._doubts.get(path)
            if found is not None or "." not in path:
                return found
            path = path.rpartition(".")[0]


def each(path: str) -> Sequence[str]:
    return [path.replace("*", str(i)) for i in range(_PRIORITIES)] if "*" in path else [path]


def whole(text: str, low: int, high: int) -> int:
    """A whole number within bounds; raises ValueError."""
    if not re.fullmatch(r"[0-9]{1,12}", text):
        raise ValueError(text)
    number = int(text)
    if not low <= number <= high:
        raise ValueError(f"{number} is outside {low}..{high}")
    return number


def one_of(text: str, words: Mapping[str, Any]) -> Any:
    """What a word means; raises ValueError for a word that is none of these."""
    if text not in words:
        raise ValueError(text)
    return words[text]


def matched(pattern: str, text: str) -> re.Match[str]:
    """The match of the whole text; raises ValueError for a text of another shape."""
    found = re.fullmatch(pattern, text)
    if found is None:
        raise ValueError(text)
    return found


def not_understood(facts: Facts, text: str, at: Where) -> None:
    """The reader of a statement that means: here stood something that nobody understood."""
    raise ValueError(text)
