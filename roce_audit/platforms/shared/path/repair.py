"""Repairs of platforms whose configuration is a tree of settings: paths of words, set and taken back one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice

from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Change, Edit, Texts, applied, between, reworded, together
from roce_audit.platforms.shared.path.texts import PathText, Said, common
from roce_audit.records import dataclass
from roce_audit.text.structured.nodes import Words
from roce_audit.values import Place

_SHARED = frozenset({"bound", "device"})
"""Roles of blocks that a port has in common with others."""
_MOST_FILES = 64
_MOST_STEPS = 60
_MOST_TURNS = 256
_ALIKE = 2
"""Words with which a statement must begin like the one whose place it takes."""


@dataclass(frozen=True, slots=True)
class _Read:
    """A file as it was last asked for."""

    lines: Sequence[str]
    text: PathText | None
    by_line: Mapping[int, Sequence[Said]]


@dataclass(frozen=True, slots=True)
class _Step:
    """A statement to be made, or (with its file) to be taken away."""

    words: Words
    path: str = ""

    @property
    def says(self) -> bool:
        return not self.path


class _Draft(dict[str, list[str]]):
    """Texts that change while a change is put together."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._texts = texts

    def get(self, path: str, default: object = None) -> Sequence[str]:  # type: ignore[override]
        """The lines as they are by now."""
        return self[path] if path in self else self._texts.get(path, ())

    def apply(self, change: Change) -> None:
        """Make a change."""
        for path in dict.fromkeys(edit.path for edit in change.edits):
            self[path] = applied(self.get(path), [edit for edit in change.edits if edit.path == path])


INDEX = "[]"
"""In the words of a statement: the number that stands in the path of the model, as that of a code point."""


@dataclass(frozen=True, slots=True)
class Value:
    """The last words of a statement, and how the value is written behind them; `own`: a port may say it for itself; `beside`: the
    word of another statement beside which it is written where nothing says it yet.
    """

    about: Words
    write: Callable[[object], str] = str
    own: bool = False
    beside: str = ""


@dataclass(frozen=True)
class PathRepairs:
    """One such platform."""

    text: Callable[[str, Sequence[str]], PathText | None]
    """The statements of a file; None for a form that is not written."""
    ports: Callable[[Words], Sequence[str]]
    """The ports that a statement is about; none for one that is about the switch."""
    renamed: Callable[[Words, str, str], Words]
    """A statement about one port (or several), said about another alone."""
    said_of: Callable[[Words, Words], Words | None]
    """A statement said about the ports that another one names; None where that cannot be."""
    of_port: Callable[[str, Words], Words]
    """A port's name and the words of a setting -> the statement."""
    setting: Callable[[Words], Words]
    """A statement less its value: what it is about. The whole statement where it has none."""
    set: Callable[[Words], str]
    unset: Callable[[Words], str]
    values: Mapping[str, Value | Sequence[Value]]
    """Model path -> the statement that says it; of several that may decide, whichever stands in the text."""
    lists: Callable[[Words], bool] = lambda words: False
    """Whether a statement adds to a list, so that the old one is to be taken back as well."""
    sweeping: Callable[[Words], bool] = lambda words: False
    """Whether a statement changes many settings at once, so that it is never added."""
    names: Callable[[Words], bool] = lambda words: False
    """Whether a statement only names or addresses a thing, so that it is nobody else's."""
    guards: Callable[[Words], bool] = lambda words: False
    """Whether a statement also keeps traffic out, or in, so that it is never taken away for another reason."""
    binding: Callable[[str], Words | None] = lambda header: None
    """The header of a definition -> the words with which a port applies it."""
    safe: Callable[[Words], str] = lambda words: ""
    """The source that calls this statement non-disruptive; "" where there is none."""
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    whole_lines: bool = True
    listing: tuple[str, str] = ("", "")
    cautions: Mapping[str, str] = field(default_factory=dict)
    _read: dict[tuple[str, bool], _Read] = field(default_factory=dict, repr=False, compare=False)
    _turns: dict[tuple[str, tuple[_Step, ...]], tuple[list[Sequence[str]], list[Change]]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """The value where another stands now, else as a statement of the port."""
        name, _, number = path.removesuffix("]").partition("[")
        ways = self.values.get(name, ())
        for way in (ways,) if isinstance(ways, Value) else ways:
            wanted = replace(way, about=tuple(number if word == INDEX else word for word in way.about))
            found = self._say(wanted, value, places, port, texts)
            if found:
                return found
        return []

    def _say(
        self, wanted: Value, value: object, places: Sequence[Place], port: PortReading, texts: Texts
    ) -> list[Change]:
        for place in places or (
            port.header,
        ):  # a port begins with the first statement that names it, which may be this one
            for said in self._at(place, texts):
                old = self.setting(said.words)
                if old[-len(wanted.about) :] == wanted.about:
                    new = (*old, *wanted.write(value).split())
                    own = self.renamed(new, port.name, port.name) if port.name in self.ports(new) else new
                    return self._said(port, own, place, texts)
        words = (*wanted.about, *wanted.write(value).split())
        for place in places if wanted.beside else ():
            text = self._text(place.path, texts)
            for said in self._at(place, texts) or self._first_within(place, texts):
                if text is not None and wanted.beside in said.words:
                    all_words = (*said.words[: said.words.index(wanted.beside)], *words)
                    return list(self._added(text, all_words, self.unset(all_words)))
        return self._said(port, self.of_port(port.name, words), None, texts) if wanted.own else []

    def rewrite(self, path: str, value: object, places: Sequence[Place], texts: Texts) -> list[Change]:
        """Nobody sets a switch up by a host's script."""
        return []

    def like(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The similar port's statements under the name of this port; where none is wanted, all that the port lacks."""
        if not wanted:
            return self._all_of_similar(port, similar, texts)
        found: list[list[Change]] = []
        steps: list[_Step] = []
        for number, place in enumerate(wanted):
            here = places[number] if number < len(places) else None
            for said in self._at(place, texts):
                if similar.name in self.ports(said.words) and not said.takes_back:
                    words = self.renamed(said.words, similar.name, port.name)
                    steps.append(_Step(words))
                    found.append(self._said(port, words, here, texts))
        every = self._in_turn(port, steps, texts) if len(steps) > 1 else []
        return [*(change for changes in found[:1] for change in changes), *every]

    def mirror(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The other device's statement in place of the one here, or added; then each definition made like its namesake."""
        found: list[Change] = []
        for place in wanted[:1]:
            for said in self._at(place, texts):
                words = said.words
                if similar.name in self.ports(words):
                    words = self.renamed(words, similar.name, port.name)
                for here in (*places[:1], None):
                    if all(common(old.words, words) >= _ALIKE for old in self._at(here, texts)):
                        found += self._said(port, words, here, texts)
        definitions = list(self._definitions(port, similar, texts))
        for steps in definitions:
            found += self._shared_in_turn(port, steps, texts)
        if len(definitions) > 1:
            found += self._shared_in_turn(port, [step for steps in definitions for step in steps], texts)
        return found

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """The port's statement that applies what the header defines."""
        words, text = self.binding(header), self._text(port.header.path, texts)
        if words is None or text is None or self._last(text, self.of_port(port.name, words)):
            return []  # what another one does here would be lost
        return self._said(port, self.of_port(port.name, words), None, texts)

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """The statement taken back for this port alone, then taken out."""
        return [change for said in self._at(place, texts) for change in self._dropped(port, said, place.path, texts)]

    def rename(self, port: PortReading, place: Place, names: Mapping[str, str], texts: Texts) -> list[Change]:
        """The statement with the other words."""
        text = self._text(place.path, texts)
        return [
            change
            for said in self._at(place, texts)
            if text is not None and not said.takes_back
            for words in [reworded(said.words, names)]
            for change in (self._replaced(text, said, words) if words else ())
        ]

    def _dropped(self, port: PortReading, said: Said, path: str, texts: Texts) -> Iterator[Change]:
        text = self._text(path, texts)
        names = self.ports(said.words)
        if text is None or said.takes_back or self.guards(said.words) or (names and port.name not in names):
            return
        if len(names) > 1:
            words = self.renamed(said.words, port.name, port.name)
            edits = text.take_back(words, self._last(text, words))
            yield from self._change(edits, words, (self.unset(words),), (self.set(words),))
        yield from self._change(text.erase(said), said.words, (self.unset(said.words),), (self.set(said.words),))

    def _said(self, port: PortReading, words: Words, here: Place | None, texts: Texts) -> list[Change]:
        """The statement in place of the one here, or of the port's own one about the same, or added.

        Where the one here is about other ports too, it is added for this one; then it is changed for all of them.
        """
        path = here.path if here is not None else port.header.path
        text = self._text(path, texts)
        if text is None:
            return []
        old = next(iter(self._at(here, texts)), None) if here is not None else self._same(text, words)
        if old is None:
            return [] if self.sweeping(words) else list(self._added(text, words, self.unset(words)))
        if self.ports(old.words) == self.ports(words):
            return list(self._replaced(text, old, words))
        if not self.ports(words) or port.name not in self.ports(old.words):
            return []
        again = self.set(self.renamed(old.words, port.name, port.name))
        wide = self.said_of(words, old.words)
        reaches = frozenset(self.ports(old.words))
        of_all = self._replaced(text, old, wide) if wide is not None else ()
        return [*self._added(text, words, again), *(replace(change, reaches=reaches) for change in of_all)]

    def _added(self, text: PathText, words: Words, undo: str) -> Iterator[Change]:
        if not any(said.words == words and said.line == self._last(text, words) for said in text.said):
            edits = text.write(words, None, self._last(text, words))
            yield from self._change(edits, words, (self.set(words),), (undo,))

    def _replaced(self, text: PathText, old: Said, words: Words) -> Iterator[Change]:
        if old.words == words and not old.takes_back:
            return
        if self.setting(old.words) == self.setting(words) and not old.takes_back:
            new, before = [self.set(words)], [self.set(old.words)]
            if self.lists(words):
                new.insert(0, self.unset(old.words))
                before.insert(0, self.unset(words))
            yield from self._change(text.write(words, old), words, new, before)
            return
        same = None if self.lists(words) else self._same(text, words)
        if same is not None and not same.takes_back and same.words != words:
            yield from self._change(
                text.write(words, same), words, (self.set(words),), (self.set(same.words),)
            )  # the old one may stay beside it
        else:
            same = None
        edits = [*text.erase(old), *text.write(words, same)]
        do, undo = [self.set(words)], [self.unset(words) if same is None else self.set(same.words)]
        if not old.takes_back:
            do.insert(0, self.unset(old.words))
            undo.append(self.set(old.words))
        for change in self._change(edits, words, do, undo):
            yield change if self.safe(old.words) else replace(change, safe="")

    def _last(self, text: PathText, words: Words) -> int:
        """The last line that says something of this setting, for the port (or one of the ports) of the statement."""
        names, about = set(self.ports(words)), self.setting(words)
        last = 0
        for said in text.said:
            theirs = self.ports(said.words)
            if bool(names) != bool(theirs) or (names and names.isdisjoint(theirs)):
                continue
            alike = self.said_of(said.words, words) if names else said.words
            if alike is not None and self.setting(alike) == about:
                last = max(last, said.line)
        return last

    def _change(self, edits: Sequence[Edit], words: Words, do: Sequence[str], undo: Sequence[str]) -> Iterator[Change]:
        if edits:
            yield Change(tuple(edits), tuple(do), tuple(undo), safe=self.safe(words))

    def _in_turn(self, port: PortReading, steps: Sequence[_Step], texts: Texts) -> list[Change]:
        """Several steps as one change: each is written into the text that the one before leaves, and may need its blocks."""
        draft = _Draft(texts)
        done: list[Change] = []
        for step in steps[:_MOST_STEPS]:
            found: Iterable[Change] = ()
            if step.says:
                found = self._said(port, step.words, None, draft)
            else:
                text = self._text(step.path, draft)
                gone = next((s for s in text.said if s.words == step.words), None) if text is not None else None
                found = self._dropped(port, gone, step.path, draft) if gone is not None else ()
            for change in islice(found, 1):
                done.append(change)
                draft.apply(change)
        edits = tuple(edit for path, lines in draft.items() for edit in between(path, texts.get(path, ()), lines))
        return [replace(together(done), edits=edits)] if edits else []

    def _shared_in_turn(self, port: PortReading, steps: Sequence[_Step], texts: Texts) -> list[Change]:
        """The same for steps that are about no port: worked out once for all ports of a file."""
        paths = dict.fromkeys((port.header.path, *(step.path for step in steps if step.path)))
        of = (port.header.path, tuple(steps))
        lines = [texts.get(path, ()) for path in paths]
        found = self._turns.get(of)
        if found is None or any(was is not now for was, now in zip(found[0], lines, strict=True)):
            if len(self._turns) >= _MOST_TURNS:
                self._turns.clear()
            found = self._turns[of] = lines, self._in_turn(port, steps, texts)
        return found[1]

    def _same(self, text: PathText, words: Words) -> Said | None:
        about, names = self.setting(words), set(self.ports(words))
        return next(
            (s for s in text.said if self.setting(s.words) == about and set(self.ports(s.words)) == names), None
        )

    def _all_of_similar(self, port: PortReading, similar: PortReading, texts: Texts) -> list[Change]:
        """Statement by statement, then everything at once: the smallest change that proves out is wanted first."""
        have = self._own(port, texts)
        wanted = [self.renamed(words, similar.name, port.name) for words in self._own(similar, texts)]
        missing = [words for words in wanted if words not in have]
        found = [change for words in missing for change in self._said(port, words, None, texts)]
        return [*found, *self._in_turn(port, list(map(_Step, missing)), texts)] if len(missing) > 1 else found

    def _own(self, port: PortReading, texts: Texts) -> list[Words]:
        """What the port's own blocks say, said about it alone."""
        found = [
            self.renamed(said.words, port.name, port.name)
            for part in port.parts
            if part.role == "own"
            for index, statement in enumerate(part.block.texts.statements)
            if statement and not statement.startswith("interface ")
            for said in self._at(part.block.place(index), texts)
            if port.name in self.ports(said.words) and not said.takes_back and not self.names(said.words)
        ]
        return list(dict.fromkeys(found))

    def _definitions(self, port: PortReading, similar: PortReading, texts: Texts) -> Iterator[list[_Step]]:
        """What makes each definition behind the port like its namesake behind the similar port."""
        mine, theirs = (self._shared(reading, texts) for reading in (port, similar))
        for name, there in theirs.items():
            here = mine.get(name, {})
            if not there or (not here and name[0] != "device") or list(here) == list(there):
                continue
            abouts = {self.setting(words) for words in there}
            steps = [_Step(words, path) for words, path in here.items() if self.setting(words) not in abouts]
            yield [*steps, *(_Step(words) for words in there if words not in here)]

    def _shared(self, port: PortReading, texts: Texts) -> dict[tuple[str, str, str], dict[Words, str]]:
        """Role, kind and name of what several ports share -> its statements, each with its file."""
        found: dict[tuple[str, str, str], dict[Words, str]] = {}
        for part in port.parts:
            if part.role not in _SHARED:
                continue
            into = found.setdefault((part.role, part.kind, part.name), {})
            for index in range(len(part.block.offsets)):
                place = part.block.place(index)
                into |= {
                    said.words: place.path
                    for said in self._at(place, texts)
                    if not (said.takes_back or self.ports(said.words) or self.names(said.words))
                }
        return found

    def _at(self, place: Place | None, texts: Texts) -> Sequence[Said]:
        return () if place is None else self._file(place.path, texts).by_line.get(place.line, ())

    def _first_within(self, place: Place, texts: Texts) -> Sequence[Said]:
        """The first statement of the block that this line opens."""
        read = self._file(place.path, texts)
        opens = 0 < place.line <= len(read.lines) and read.lines[place.line - 1].rstrip().endswith("{")
        line = min((line for line in read.by_line if line > place.line), default=0) if opens else 0
        return read.by_line.get(line, ())

    def _text(self, path: str, texts: Texts) -> PathText | None:
        return self._file(path, texts).text

    def _file(self, path: str, texts: Texts) -> _Read:
        lines = texts.get(path, ())
        at = (path, isinstance(texts, _Draft) and path in texts)  # a draft does not take the place of the file
        found = self._read.get(at)
        if found is None or found.lines is not lines:
            if len(self._read) >= _MOST_FILES:
                self._read.clear()
            text = self.text(path, lines)
            by_line: dict[int, list[Said]] = {}
            for said in text.said if text is not None else ():
                by_line.setdefault(said.line, []).append(said)
            found = self._read[at] = _Read(lines, text, by_line)
        return found
