"""Repairs: how a change of the model is written in a platform's own text and typed at its own prompt.

What a platform proposes is only a proposal: the caller applies the edits, judges everything again, and shows nobody a
change that does not prove out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Protocol

from roce_audit.platforms.portreading import PortReading
from roce_audit.records import dataclass
from roce_audit.values import Place

Texts = Mapping[str, Sequence[str]]
"""Path as shown -> lines of that file."""


@dataclass(frozen=True, slots=True)
class Edit:
    """One line of a file, changed: `old` None adds `new` (one line or several) behind `line`, `new` None takes the line away.

    Lines count from 1 in the text as it was read; `line` 0 with `old` None adds before the first.
    """

    path: str
    line: int
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Change:
    """Edits that belong together, and what to type for them: `do`, and `undo` for the way back.

    `safe` is the source that calls these statements non-disruptive; "" where none does. `lasts` is False where the next boot
    undoes them: the text then shows the change, and is no place to make it. `reaches`: the ports whose common statement it
    changes for all of them.
    """

    edits: tuple[Edit, ...]
    do: tuple[str, ...]
    undo: tuple[str, ...]
    safe: str = ""
    lasts: bool = True
    reaches: frozenset[str] = frozenset()
    in_file: bool = False
    """Its lines are those of a file that people keep, and are typed nowhere."""


class Repairs(Protocol):
    """What a platform can change."""

    @property
    def before(self) -> Sequence[str]:
        """What is typed before the commands of a device."""
        ...

    @property
    def after(self) -> Sequence[str]:
        """What is typed after them, so that the change survives a reboot."""
        ...

    @property
    def whole_lines(self) -> bool:
        """Whether each command says everything by itself, whatever was typed before it."""
        ...

    @property
    def listing(self) -> tuple[str, str]:
        """How a command begins and ends whose rest is an item of a list, so that several of them are one; empty where none is."""
        ...

    @property
    def cautions(self) -> Mapping[str, str]:
        """Words of a command -> whom else it concerns, besides the port that is changed."""
        ...

    def say(self, path: str, value: object, places: Sequence[Place], port: PortReading, texts: Texts) -> list[Change]:
        """Ways to give the model path this value. `places` are the lines that say it now, the deciding one first."""
        ...

    def rewrite(self, path: str, value: object, places: Sequence[Place], texts: Texts) -> list[Change]:
        """Ways to give the path of a host's model this value in what people wrote for the host, which these lines say."""
        ...

    def like(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """Ways to write for `port` what is written for `similar`.

        `places` say the setting of the port, `wanted` that of its similar; none wanted: all of the similar port's own statements that
        the port lacks.
        """
        ...

    def mirror(
        self, port: PortReading, similar: PortReading, places: Sequence[Place], wanted: Sequence[Place], texts: Texts
    ) -> list[Change]:
        """Ways to write in the definitions behind this port (policies, profiles, maps) what the device of the similar port has there.

        `places` say the setting here, `wanted` there.
        """
        ...

    def bind(self, port: PortReading, header: str, texts: Texts) -> list[Change]:
        """Ways to apply to a port what this header defines and nothing applies yet."""
        ...

    def drop(self, port: PortReading, place: Place, texts: Texts) -> list[Change]:
        """Ways to take away the statement on this line."""
        ...

    def rename(self, port: PortReading, place: Place, names: Mapping[str, str], texts: Texts) -> list[Change]:
        """Ways to write other words in the statement on this line, which concerns the port or the device that it is of."""
        ...


def line_at(place: Place, texts: Texts) -> str:
    """The text of a line; "" where there is none."""
    lines = texts.get(place.path, ())
    return lines[place.line - 1] if 0 < place.line <= len(lines) else ""


def reworded(words: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    """The words with others in place of those that are named; none where none of these is there, or one is there twice."""
    counts = {words.count(old) for old in names}
    return tuple(names.get(word, word) for word in words) if counts <= {0, 1} and 1 in counts else ()


def together(changes: Sequence[Change]) -> Change:
    """Several changes as one."""
    return Change(
        tuple(dict.fromkeys(edit for change in changes for edit in change.edits)),
        tuple(line for change in changes for line in change.do),
        tuple(line for change in reversed(changes) for line in change.undo),
        "; ".join(dict.fromkeys(change.safe for change in changes)) if all(change.safe for change in changes) else "",
        all(change.lasts for change in changes),
        frozenset().union(*(change.reaches for change in changes)),
        all(change.in_file for change in changes),
    )


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    shorter = min(len(one), len(other))
    return next((n for n in range(shorter) if one[n] != other[n]), shorter)


def changed_words(edit: Edit) -> tuple[int, int]:
    """Where the words begin and end, in the old line, that a rewritten line says otherwise."""
    old, new = edit.old or "", edit.new or ""
    start = _alike(old, new)
    end = len(old) - _alike(old[start:][::-1], new[start:][::-1])
    while start and old[start - 1].isalnum():
        start -= 1
    while end < len(old) and old[end].isalnum():
        end += 1
    return start, end


def each_line_once(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Edits that rewrite different words of one line as one edit."""
    kept: dict[tuple[str, int] | Edit, Edit] = {}
    for edit in edits:
        at = (edit.path, edit.line) if edit.old is not None and edit.new is not None else edit
        other = kept.setdefault(at, edit)
        if other == edit:
            continue
        first, second = sorted((other, edit), key=changed_words)
        (_, end), (start, _) = changed_words(first), changed_words(second)
        if end <= start and first.old == second.old:
            new = (first.new or "").removesuffix((first.old or "")[end:]) + (second.new or "")[end:]
            kept[at] = replace(first, new=new)
        else:
            kept[edit] = edit
    yield from kept.values()


def between(path: str, before: Sequence[str], after: Sequence[str]) -> list[Edit]:
    """The edits that make the one text of the other."""
    shorter = min(len(before), len(after))
    same = next((n for n in range(shorter) if before[n] != after[n]), shorter)  # most of a file stays as it is
    end = next((n for n in range(shorter - same) if before[-1 - n] != after[-1 - n]), shorter - same)
    old, new = before[same : len(before) - end], after[same : len(after) - end]
    edits: list[Edit] = []
    for step, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if step == "replace" and j - i == m - k:
            edits += [Edit(path, same + i + n + 1, old[i + n], new[k + n]) for n in range(j - i)]
        elif step != "equal":
            edits += [Edit(path, same + n + 1, old[n], None) for n in range(i, j)]
            edits += [Edit(path, same + i, None, "\n".join(new[k:m]))] if m > k else []
    return edits


def applied(lines: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """The lines after the edits of one file. Raises ValueError where a line is not what an edit says, or is changed twice."""
    after = list(lines)
    changed: set[int] = set()
    for edit in _from_the_end(edits):
        if edit.old is None:
            after[edit.line : edit.line] = (edit.new or "").split("\n")
            continue
        if edit.line in changed or lines[edit.line - 1] != edit.old:
            raise ValueError(f"{edit.path}:{edit.line} is changed twice, or is not what it was")
        changed.add(edit.line)
        if edit.new is None:
            del after[edit.line - 1]
        else:
            after[edit.line - 1] = edit.new
    return after


def numbered(numbers: Sequence[int], edits: Sequence[Edit]) -> list[int]:
    """The numbers that belong to the lines of a file, after edits that `applied` took: 0 for each line that they wrote."""
    after = list(numbers)
    for edit in _from_the_end(edits):
        written = [] if edit.new is None else [0] * (edit.new.count("\n") + 1)
        after[edit.line - (edit.old is not None) : edit.line] = written
    return after


def as_read(edit: Edit, numbers: Sequence[int]) -> Edit | None:
    """The edit with the number that belongs to its line; None where a change wrote that line."""
    if edit.line == 0:
        return edit
    number = numbers[edit.line - 1]
    return replace(edit, line=number) if number else None


def _from_the_end(edits: Sequence[Edit]) -> list[Edit]:
    """So that the numbers of the lines before stay true; what is added behind one line keeps its order."""
    ordered = sorted(enumerate(edits), key=lambda pair: (pair[1].line, pair[1].old is None, pair[0]), reverse=True)
    return [edit for _, edit in ordered]
