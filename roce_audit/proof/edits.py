"""Trees of files, and the edits of examples applied to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from roce_audit.engine.suggestions import did_you_mean
from roce_audit.proof.exampletext import Edit, Example, ExampleError
from roce_audit.records import dataclass
from roce_audit.text.structured.indented import blanks

Tree = Mapping[str, str]
"""Path inside the example -> text of the file."""
Mark = tuple[str, int]
"""Path and line; line 0 is the file as a whole."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A tree after an example, and the lines that the example marks."""

    tree: Tree
    marks: frozenset[Mark]


def apply(tree: Tree, example: Example) -> Changed:
    """The tree that the example describes. Raises ExampleError for an unknown file and for a line that is not found."""
    if example.files:
        marks = frozenset((file.path, line) for file in example.files for line in file.marked)
        return Changed({file.path: file.text for file in example.files}, marks)
    files: dict[str, _File] = {}
    current: _File | None = None
    for edit in example.edits:
        if edit.step in ("file", "new"):
            current = _open(files, tree, edit, example.path)
        elif current is not None:
            current.change(edit, example.path)
    changed = dict(tree) | {name: file.text() for name, file in files.items()}
    return Changed(changed, frozenset((name, line) for name, file in files.items() for line in file.marks()))


def _open(files: dict[str, _File], tree: Tree, edit: Edit, path: str) -> _File:
    name = edit.text
    if edit.step == "new":
        if name in tree or name in files:
            raise ExampleError(path, edit.line, f"{name} exists already: write '@ {name}' to change it")
        file = files[name] = _File([])
    elif name in files:
        file = files[name]
        file.start()
    elif name in tree:
        file = files[name] = _File([_Line(text) for text in tree[name].removesuffix("\n").split("\n")])
    else:
        raise ExampleError(path, edit.line, f"there is no file {name}{did_you_mean(name, tree)}")
    file.marked |= edit.marked
    return file


@dataclass(slots=True)
class _Line:
    text: str
    marked: bool = False

    @property
    def indent(self) -> str:
        return blanks(self.text)


@dataclass(slots=True)
class _File:
    """A file being changed: `at` is the line before which the next change is made."""

    lines: list[_Line]
    marked: bool = False
    at: int = 0
    indent: str = ""
    """Indentation of the lines that are added next."""
    walking: bool = False
    """The last step was an anchor: a further anchor is looked for below it only."""

    def start(self) -> None:
        self.at, self.indent, self.walking = 0, "", False

    def change(self, edit: Edit, path: str) -> None:
        if edit.step == "anchor":
            self._anchor(edit, path)
        elif edit.step == "remove":
            at = self._find(edit.text, self.at)
            if at is None:
                raise ExampleError(path, edit.line, f"no line '{edit.text.strip()}' below this place")
            self.indent = self.lines.pop(at).indent
            self.at = at
        else:
            self.lines.insert(self.at, _Line(self.indent + edit.text, edit.marked))
            self.at += 1
        self.walking = edit.step == "anchor"

    def _anchor(self, edit: Edit, path: str) -> None:
        """Below the last place; the first anchor after a change may also stand above it."""
        at = self._find(edit.text, self.at)
        if at is None and not self.walking:
            at = self._find(edit.text, 0)
        if at is None:
            raise ExampleError(path, edit.line, f"no line '{edit.text.strip()}' to go to")
        line = self.lines[at]
        line.marked |= edit.marked
        self.at = at + 1
        below = self.lines[self.at].indent if self.at < len(self.lines) else ""
        self.indent = max(line.indent, below, key=len)

    def _find(self, text: str, start: int) -> int | None:
        wanted = text.strip()
        return next((i for i in range(start, len(self.lines)) if self.lines[i].text.strip() == wanted), None)

    def text(self) -> str:
        return "".join(line.text + "\n" for line in self.lines)

    def marks(self) -> Sequence[int]:
        marked = [i for i, line in enumerate(self.lines, 1) if line.marked]
        return [0, *marked] if self.marked else marked
