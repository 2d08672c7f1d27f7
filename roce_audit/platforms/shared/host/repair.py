"""Repairs of hosts: a tool's command, and the line in which the answers show what it does.

What a host bundle holds are answers, so nothing in it is a place to make a change: the edited answer only serves the proof. What
people wrote for the host (job scripts, manifests, files of variables) is changed itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from types import MappingProxyType

from roce_audit.patterns import lazy
from roce_audit.platforms.portreading import PortReading
from roce_audit.platforms.repair import Change, Edit, Texts, line_at
from roce_audit.records import dataclass
from roce_audit.values import Place

_MOST_CONTINUED = 12
"""Lines of one command that are looked through."""


def _nothing(value: str) -> Sequence[str]:
    return ()


Whole = Callable[[Mapping[str, str], Sequence[str], Sequence[str]], Iterable[str]]
"""{dev} and {rdma}, and the lines of the answer before and after -> the commands that make the one of the other."""
_ANSWER = lazy(r"^(?:@@ |NIC +:)")
"""How an answer of a bundle, or another card's part of an answer, begins."""


@dataclass(frozen=True, slots=True)
class HostLine:
    """One form in which an answer shows a setting.

    `pattern` has a group `value`, and may name the port as DEV and its RDMA device as RDMA. `command` may name {dev},
    {rdma}, {value} and other groups of the pattern; "" where another form of the same setting has the command.
    `adds` gives lines that the tool prints below this one once the value is set.
    """

    setting: str
    pattern: str
    command: str = ""
    adds: Callable[[str], Sequence[str]] = _nothing
    write: Callable[[object], str] = str
    """A value of the model -> what stands in the group `value`."""
    with_others: bool = False
    """The other lines of the same answer (or of the same card's part of it) that show this setting change with it."""
    whole: Whole | None = None
    """The commands where they need more than this line; in place of `command`."""
    lasts: bool = False
    """Whether the command still holds after the next boot."""
    above: str = ""
    """What the line above must show."""


@dataclass(frozen=True, slots=True)
class HostRepairs:
    """What can be set on a host; `paths`: model path -> the setting behind it."""

    lines: Sequence[HostLine]
    paths: Mapping[str, str]
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    whole_lines: bool = True
    listing: tuple[str, str] = ("", "")
    cautions: Mapping[str, str] = MappingProxyType({})

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """The command of the setting behind the path."""
        setting = self.paths.get(path)
        if setting is None:
            return []
        shown = [one for one in self._shown(port, places, texts) if one[0].setting == setting]
        return _written(port, shown, {_key(form, found): form.write(value) for form, _, found in shown}, texts)

    def rewrite(self, path: str, value: object, places: Sequence[Place], texts: Texts) -> list[Change]:
        """The value in the lines of a script, a template or a file of variables that say it now."""
        setting = self.paths.get(path)
        forms = [form for form in self.lines if form.setting == setting]
        edits = [edit for place in places for edit in islice(_rewritten(forms, value, place, texts), 1)]
        if not edits or len(edits) < len(places):
            return []  # one of them is written in a way that is not known
        edits = list(dict.fromkeys(edits))
        do = tuple(f"{(edit.new or '').strip()}   # {edit.path}:{edit.line}" for edit in edits)
        undo = tuple(f"{(edit.old or '').strip()}   # {edit.path}:{edit.line}" for edit in edits)
        return [Change(tuple(edits), do, undo, in_file=True)]

    def like(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """The similar port's values of all settings that these lines show."""
        words = {_key(form, found): found["value"] for form, _, found in self._shown(similar, wanted, texts)}
        return _written(port, list(self._shown(port, places, texts)), words, texts)

    def mirror(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """Hosts have no definitions that several ports share."""
        return []

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """Hosts define nothing by name."""
        return []

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """A setting of a host is changed, never taken away."""
        return []

    def rename(self, port: PortReading, place: Place, names: Mapping[str, str], texts: Texts) -> list[Change]:
        """Hosts define nothing by name."""
        return []

    def _shown(self, port: PortReading, places: Sequence[Place], texts: Texts) -> Iterator[_Shown]:
        """The settings that these lines show of the port."""
        for place in places:
            form, found = self._form(port, place, texts)
            if form is None or found is None:
                continue
            yield form, place, found
            for number in _part(place, texts) if form.with_others else ():
                other = Place(place.path, number)
                also, match = self._form(port, other, texts)
                if also is not None and match is not None and also.setting == form.setting and other not in places:
                    yield also, other, match

    def _form(self, port: PortReading, place: Place, texts: Texts) -> tuple[HostLine | None, re.Match[str] | None]:
        line, above = line_at(place, texts), line_at(Place(place.path, place.line - 1), texts)
        for form in self.lines:
            found = _pattern(form.pattern, port.name, _rdma(port)).search(line)
            if found is not None and (not form.above or re.search(form.above, above)):
                return form, found
        return None, None


_Shown = tuple[HostLine, Place, re.Match[str]]


def _key(form: HostLine, found: re.Match[str]) -> tuple[object, ...]:
    """What the line is about: the setting, and what its pattern names besides the value."""
    return (form.setting, *(text for name, text in found.groupdict().items() if name != "value"))


def _part(place: Place, texts: Texts) -> range:
    """The lines of the answer (or of the card's part of it) in which a line stands."""
    lines = texts.get(place.path, ())
    first, last = place.line, place.line
    while first > 1 and not _ANSWER.match(lines[first - 1]):
        first -= 1
    while last < len(lines) and not _ANSWER.match(lines[last]):
        last += 1
    return range(first, last + 1)


def _written(
    port: PortReading, shown: Sequence[_Shown], words: Mapping[tuple[object, ...], str], texts: Texts
) -> list[Change]:
    edits: list[Edit] = []
    do: dict[str, None] = {}
    undo: dict[str, None] = {}
    for form, place, found in shown:
        value = words.get(_key(form, found))
        if value is None:
            return []
        if value == found["value"]:
            continue
        old = line_at(place, texts)
        edits.append(Edit(place.path, place.line, old, old[: found.start("value")] + value + old[found.end("value") :]))
        added = "\n".join(form.adds(value))
        edits += [Edit(place.path, place.line, None, added)] if added else []
        if form.command:
            do[_command(form, found, port, value)] = None
            undo[_command(form, found, port, found["value"])] = None
    for form, place, _ in shown if edits else ():
        if form.whole is not None:
            before, after = _around(place, edits, texts)
            names = {"dev": port.name, "rdma": _rdma(port)}
            do |= dict.fromkeys(form.whole(names, before, after))
            undo |= dict.fromkeys(form.whole(names, after, before))
    lasts = all(form.lasts for form, _, _ in shown)
    return [Change(tuple(edits), tuple(do), tuple(undo), lasts=lasts)] if do else []


def _rewritten(forms: Sequence[HostLine], value: object, place: Place, texts: Texts) -> Iterator[Edit]:
    """The line, or the one of those it is continued in, that shows the setting, with another value."""
    lines = texts.get(place.path, ())
    for number in range(place.line, min(len(lines), place.line + _MOST_CONTINUED) + 1):
        old = lines[number - 1]
        for form in forms:
            found = _pattern(form.pattern, "", "").search(old)
            if found is not None:
                new = old[: found.start("value")] + form.write(value) + old[found.end("value") :]
                yield Edit(place.path, number, old, new)
        if not old.rstrip().endswith("\\"):
            return


def _around(place: Place, edits: Sequence[Edit], texts: Texts) -> tuple[list[str], list[str]]:
    """The answer in which a line stands, before and after the edits of its lines."""
    part, lines = _part(place, texts), texts.get(place.path, ())
    changed = {edit.line: edit.new for edit in edits if edit.path == place.path and edit.old is not None}
    before = [lines[number - 1] for number in part]
    return before, [changed.get(number) or lines[number - 1] for number in part]


@lru_cache(4096)
def _pattern(pattern: str, dev: str, rdma: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("DEV", re.escape(dev)).replace("RDMA", re.escape(rdma) or "(?!)"))


def _rdma(port: PortReading) -> str:
    nic = port.facts.nic.value_or_none()
    return nic.rdma_device.or_else("") if nic is not None else ""


def _command(form: HostLine, found: re.Match[str], port: PortReading, value: str) -> str:
    words = {
        **{name: text.lower() for name, text in found.groupdict().items()},
        "dev": port.name,
        "rdma": _rdma(port),
        "value": value,
        "lower": value.lower(),
        "first": value.split()[0] if value.split() else "",
        "list": ",".join(value.split()),
    }
    return form.command.format(**words)
