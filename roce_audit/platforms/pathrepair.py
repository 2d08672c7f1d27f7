"""Repairs of platforms whose configuration is a tree of settings: paths of words, set and taken back one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from roce_audit.platforms.base import PortReading
from roce_audit.platforms.pathtexts import PathText, Said, Words
from roce_audit.platforms.repair import Change, Edit, Texts, together
from roce_audit.values import Place

_SHARED = frozenset({"bound", "device"})
"""Roles of blocks that a port has in common with others."""
_MOST_FILES = 64


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as it was last asked for."""

    lines: Sequence[str]
    text: PathText | None
    by_line: Mapping[int, Sequence[Said]]


@dataclass(frozen=True)
class PathRepairs:
    """One such platform."""

    text: Callable[[str, Sequence[str]], PathText | None]
    """The statements of a file; None for a form that is not written."""
    ports: Callable[[Words], Sequence[str]]
    """The ports that a statement is about; none for one that is about the switch."""
    renamed: Callable[[Words, str, str], Words]
    """A statement about one port (or several), said about another alone."""
    of_port: Callable[[str, Words], Words]
    """A port's name and the words of a setting -> the statement."""
    setting: Callable[[Words], Words]
    """A statement less its value: what it is about. The whole statement where it has none."""
    set: Callable[[Words], str]
    unset: Callable[[Words], str]
    values: Mapping[str, Callable[[object], Words]]
    """Model path -> the last words of the statement that says a value."""
    binding: Callable[[str], Words | None] = lambda header: None
    """The header of a definition -> the words with which a port applies it."""
    safe: Callable[[Words], str] = lambda words: ""
    """The source that calls this statement non-disruptive; "" where there is none."""
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    _read: dict[str, _Read] = field(default_factory=dict, repr=False, compare=False)

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """The value where another stands now, else as a statement of the port."""
        render = self.values.get(path)
        if render is None:
            return []
        words = render(value)
        about = self.setting(words)
        for place in places[:1]:
            for said in self._at(place, texts):
                old = self.setting(said.words)
                if old[-len(about) :] == about:
                    return list(self._said(port, (*old, *words[len(about) :]), place, texts))
        return list(self._said(port, self.of_port(port.name, words), None, texts))

    def like(
        self, port: PortReading, twin: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The twin's statements under the name of this port; where none is wanted, all that the port lacks."""
        if not wanted:
            return self._all_of_twin(port, twin, texts)
        found: list[Change] = []
        for number, place in enumerate(wanted):
            here = places[number] if number < len(places) else None
            for said in self._at(place, texts):
                if twin.name in self.ports(said.words) and not said.takes_back:
                    found += self._said(port, self.renamed(said.words, twin.name, port.name), here, texts)
        return [*found[:1], together(found)] if len(found) > 1 else found

    def mirror(
        self, port: PortReading, twin: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The other device's statement in place of the one here, or added; then each definition made like its namesake."""
        found: list[Change] = []
        for place in wanted[:1]:
            for said in self._at(place, texts):
                words = said.words
                if twin.name in self.ports(words):
                    words = self.renamed(words, twin.name, port.name)
                for here in (*places[:1], None):
                    found += self._said(port, words, here, texts)
        whole = list(self._definitions(port, twin, texts))
        return [*found, *whole, together(whole)] if len(whole) > 1 else [*found, *whole]

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """The port's statement that applies what the header defines."""
        words = self.binding(header)
        return [] if words is None else list(self._said(port, self.of_port(port.name, words), None, texts))

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """The statement taken out, or taken back for this port alone."""
        return [change for said in self._at(place, texts) for change in self._dropped(port, said, place.path, texts)]

    def _dropped(self, port: PortReading, said: Said, path: str, texts: Texts) -> Iterator[Change]:
        text = self._text(path, texts)
        names = self.ports(said.words)
        alone = not names or set(names) == {port.name}
        if text is None or not (alone or port.name in names):
            return
        words = said.words if alone else self.renamed(said.words, port.name, port.name)
        edits = text.erase(said) if alone else text.take_back(words)
        if edits:
            back, forth = (self.set(words),), (self.unset(words),)
            do, undo = (back, forth) if said.takes_back else (forth, back)
            yield Change(tuple(edits), do, undo, safe=self.safe(words))

    def _said(self, port: PortReading, words: Words, here: Place | None, texts: Texts) -> Iterator[Change]:
        """The statement in place of the one here, or of the port's own one about the same, or added."""
        path = here.path if here is not None else port.header.path
        text = self._text(path, texts)
        if text is None or any(said.words == words and not said.takes_back for said in text.said):
            return
        old = next(iter(self._at(here, texts)), None) if here is not None else self._same(text, words)
        if old is None:
            yield from self._change(text.write(words, None), words, (self.set(words),), (self.unset(words),))
        elif set(self.ports(old.words)) != set(self.ports(words)):  # it is about other ports too, which keep it
            again = self.renamed(old.words, port.name, port.name)
            if self.ports(words) and port.name in self.ports(old.words):
                yield from self._change(text.write(words, None), words, (self.set(words),), (self.set(again),))
        elif self.setting(old.words) == self.setting(words) and not old.takes_back:
            yield from self._change(text.write(words, old), words, (self.set(words),), (self.set(old.words),))
        else:
            gone, back = self.unset(old.words), self.set(old.words)
            if old.takes_back:
                gone, back = back, gone
            edits = [*text.erase(old), *text.write(words, None)]
            yield from self._change(edits, words, (gone, self.set(words)), (self.unset(words), back))

    def _change(self, edits: Sequence[Edit], words: Words, do: Sequence[str], undo: Sequence[str]) -> Iterator[Change]:
        if edits:
            yield Change(tuple(edits), tuple(do), tuple(undo), safe=self.safe(words))

    def _same(self, text: PathText, words: Words) -> Said | None:
        about, names = self.setting(words), set(self.ports(words))
        return next(
            (s for s in text.said if self.setting(s.words) == about and set(self.ports(s.words)) == names), None
        )

    def _all_of_twin(self, port: PortReading, twin: PortReading, texts: Texts) -> list[Change]:
        """Statement by statement, then everything at once: the smallest change that proves out is wanted first."""
        have = {words for words in self._own(port, texts)}
        missing = [w for w in self._own(twin, texts) if self.renamed(w, twin.name, port.name) not in have]
        found = [c for w in missing for c in self._said(port, self.renamed(w, twin.name, port.name), None, texts)]
        return [*found, together(found)] if len(found) > 1 else found

    def _own(self, port: PortReading, texts: Texts) -> list[Words]:
        """What the port's own blocks say, said about it alone."""
        found = [
            self.renamed(said.words, port.name, port.name)
            for part in port.parts
            if part.role == "own"
            for index in range(len(part.block.offsets))
            for said in self._at(part.block.place(index), texts)
            if port.name in self.ports(said.words)
        ]
        return list(dict.fromkeys(found))

    def _definitions(self, port: PortReading, twin: PortReading, texts: Texts) -> Iterator[Change]:
        """Each definition behind the port made like its namesake behind the twin."""
        mine, theirs = (self._shared(reading, texts) for reading in (port, twin))
        for name, there in theirs.items():
            here = mine.get(name, [])
            if (not here and name[0] != "device") or [s.words for _, s in here] == [s.words for _, s in there]:
                continue
            changes: list[Change] = []
            abouts = {self.setting(said.words) for _, said in there}
            for path, said in here:
                if self.setting(said.words) not in abouts and not self.ports(said.words):
                    changes += self._dropped(port, said, path, texts)
            for _, said in there:
                if not self.ports(said.words) and not said.takes_back:
                    changes += self._said(port, said.words, None, texts)
            if changes:
                yield together(changes)

    def _shared(self, port: PortReading, texts: Texts) -> dict[tuple[str, str, str], list[tuple[str, Said]]]:
        found: dict[tuple[str, str, str], list[tuple[str, Said]]] = {}
        for part in port.parts:
            if part.role in _SHARED:
                for index in range(len(part.block.offsets)):
                    place = part.block.place(index)
                    into = found.setdefault((part.role, part.kind, part.name), [])
                    into += [(place.path, said) for said in self._at(place, texts) if (place.path, said) not in into]
        return found

    def _at(self, place: Place | None, texts: Texts) -> Sequence[Said]:
        return () if place is None else self._file(place.path, texts).by_line.get(place.line, ())

    def _text(self, path: str, texts: Texts) -> PathText | None:
        return self._file(path, texts).text

    def _file(self, path: str, texts: Texts) -> _Read:
        lines = texts.get(path, ())
        found = self._read.get(path)
        if found is None or found.lines is not lines:
            if len(self._read) >= _MOST_FILES:
                self._read.clear()
            text = self.text(path, lines)
            by_line: dict[int, list[Said]] = {}
            for said in text.said if text is not None else ():
                by_line.setdefault(said.line, []).append(said)
            found = self._read[path] = _Read(lines, text, by_line)
        return found
