"""YAML as paths of words. Lines of plain blocks are changed as lines; all else by a round trip of ruamel.yaml, in which
comments, order, quotes and flow style stay.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from roce_audit.patterns import lazy
from roce_audit.platforms.repair import Edit, between
from roce_audit.platforms.shared.path.texts import Said
from roce_audit.platforms.shared.path.trees import TreeForm, TreeText, is_one_a_line
from roce_audit.text.structured.nodes import Node, Words
from roce_audit.text.structured.positions import Path, Spot, locate
from roce_audit.text.structured.yamlblock import key_of, scalar
from roce_audit.text.structured.yamltext import YamlText

if TYPE_CHECKING:
    from ruamel.yaml import YAML

_LARGEST = 2**16
"""Characters: the round trip goes about 30 KB a second."""
_INDENTS = ((2, 2, 0), (2, 4, 2), (4, 4, 0), (4, 6, 4), (4, 4, 2))
"""Depths of mappings and sequences, and of the dash within, as people write them; the first that fits is taken."""


_NUMBER = lazy(r"[ \t]*(?:- )?([\"']?)[0-9]{1,4}\1[ \t]*:")


def _quotes_of_numbers(lines: Sequence[str]) -> str:
    """The sign in which all keys that are numbers stand; "" where they stand in none, or some do."""
    signs = {found[1] for found in map(_NUMBER.match, lines) if found is not None}
    return signs.pop() if len(signs) == 1 else ""


def _plain(quote: str) -> TreeForm:
    """How leaves and blocks are written, a line each."""

    def key(word: str) -> str:
        return f"{quote}{word}{quote}" if word.isdigit() else word

    return TreeForm(
        leaf=lambda words: f"{key(words[0])}: {words[1]}" if len(words) > 1 else f"{key(words[0])}: {{}}",
        opens=lambda words: f"{key(words[0])}:",
        split=lambda words: [*((word,) for word in words[:-2]), words[-2:]],
        step="  ",
    )


class YamlPaths:
    """A text whose statements are the leaves of the mapping at `root`; of `said` the blocks themselves are left out.

    `word` is a key or scalar as a word of a statement; `names` tells a statement whose last word is a key (`3: {}`) from
    one that ends with a value; `plain` is the mapping as lines, where it is a plain block.
    """

    def __init__(
        self,
        path: str,
        lines: Sequence[str],
        said: Sequence[Said],
        *,
        root: Path,
        word: Callable[[object], str],
        names: Callable[[Words], bool],
        plain: Node | None,
    ) -> None:
        self._path, self._lines, self.root = path, lines, root
        self.word, self.names = word, names
        self._quote = _quotes_of_numbers(lines)
        self._plain = None if plain is None else TreeText(path, lines, plain, _plain(self._quote))
        around = {one.words[:depth] for one in said for depth in range(len(one.words))}
        self.said: Sequence[Said] = [one for one in dict.fromkeys(said) if one.words not in around]

    def write(self, words: Words, instead_of: Said | None, behind: int = 0) -> list[Edit]:
        """In place of a statement that differs in its last word, or added where its blocks are."""
        if instead_of is None:
            plain = self._plain.write(words, None, behind) if self._plain is not None and not self.names(words) else []
            return plain or self._edited(lambda tree: self._add(tree, words))
        if words[:-1] != instead_of.words[:-1]:
            return []
        plain = self._plain.write(words, instead_of, behind) if self._plain is not None else []
        return plain or self._edited(lambda tree: self._replace(tree, words, instead_of.words[-1]))

    def erase(self, said: Said) -> list[Edit]:
        """Without the leaf, and without the blocks that hold nothing else."""
        plain = self._plain.erase(said) if self._plain is not None else []
        return plain or self._edited(lambda tree: self._remove(tree, said.words))

    def take_back(self, words: Words, behind: int) -> list[Edit]:
        """A tree only says what there is."""
        return []

    def _edited(self, change: Callable[[Any], bool]) -> list[Edit]:
        """The edits of a change made in the loaded tree; none where the text would not come back as it was."""
        text = "\n".join(self._lines)
        if len(text) > _LARGEST:
            return []
        for indents in _INDENTS:
            yaml = _round_trip(indents, text)
            document = yaml.load(text)
            if _dumped(yaml, document, text) == text:
                tree = document
                for step in self.root:
                    tree = tree[step]
                after = _dumped(yaml, document, text) if change(tree) else text
                return between(self._path, self._lines, after.split("\n"))
        return []

    def _add(self, tree: Any, words: Words) -> bool:
        keys = words if self.names(words) else words[:-1]
        for key in keys[:-1]:
            known = self._key(tree, key)
            if known is None:
                known = self._new_key(key)
                tree[known] = {}
            tree = tree[known]
            if not isinstance(tree, dict):
                return False
        if self._key(tree, keys[-1]) is not None:
            return False
        tree[self._new_key(keys[-1])] = {} if self.names(words) else scalar(words[-1], True)
        return True

    def _replace(self, tree: Any, words: Words, old: str) -> bool:
        holder, key = self._find(tree, (*words[:-1], old))
        if holder is None:
            return False
        if self.word(holder[key]) == old:
            holder[key] = _like(holder[key], words[-1])
            return True
        if self._key(holder, words[-1]) is not None:
            return False
        new, at, comment = self._new_key(words[-1]), list(holder).index(key), holder.ca.items.pop(key, None)
        holder.insert(at, new, holder.pop(key))
        if comment is not None:
            holder.ca.items[new] = comment
        return True

    def _remove(self, tree: Any, words: Words) -> bool:
        holder, key = self._find(tree, words)
        if holder is None:
            return False
        del holder[key]
        way = words[:-1] if self._find(tree, words[:-1])[0] is not None else words[:-2]
        while way:
            holder, key = self._find(tree, way)
            if holder is None or holder[key]:
                break
            del holder[key]
            way = way[:-1]
        return True

    def _find(self, tree: Any, words: Words) -> tuple[Any, Any]:
        """What holds the last word, and at which key or index: as a key, as a value, or in a list. (None, None): nothing."""
        holder: Any = None
        at: Any = None
        for number, word in enumerate(words):
            last = number == len(words) - 1
            if isinstance(tree, dict):
                holder, at = tree, self._key(tree, word)
                if at is None:
                    return None, None
                tree = tree[at]
            elif isinstance(tree, list) and last:
                found = next((index for index, item in enumerate(tree) if self.word(item) == word), None)
                return (None, None) if found is None else (tree, found)
            else:
                return (holder, at) if last and holder is not None and self.word(tree) == word else (None, None)
        return holder, at

    def _new_key(self, word: str) -> object:
        """A key as the text writes others of its kind."""
        from ruamel.yaml.scalarstring import DoubleQuotedScalarString, SingleQuotedScalarString

        if not (self._quote and word.isdigit()):
            return key_of(word, True)
        return SingleQuotedScalarString(word) if self._quote == "'" else DoubleQuotedScalarString(word)

    def _key(self, tree: Any, word: str) -> Any:
        return next((key for key in tree if self.word(key) == word), None)


def plain_block(tree: YamlText, root: Path, lines: Sequence[str], word: Callable[[object], str]) -> Node | None:
    """The mapping at `root` of a text that begins on line 1, key by key; None where it is more than keys and scalars, each on a
    line of its own.
    """
    value, spot = tree.value, locate(tree.root, root)
    for step in root:
        value = value[step]
    below = _nodes(value, spot, lines, word)
    found = Node((), (0,), 0, spot.last, True, below or ())
    return found if below is not None and is_one_a_line(found, closes=False) else None


def _nodes(
    value: Mapping[str | int, Any], spot: Spot, lines: Sequence[str], word: Callable[[object], str]
) -> list[Node] | None:
    found: list[Node] = []
    for key, inner in value.items():
        at = (spot.members or {})[key]
        opens = lines[at.at - 1].partition(" #")[0].rstrip().endswith(":")
        is_block = opens and (inner is None or isinstance(inner, dict))
        below = _nodes(inner, at, lines, word) if is_block and inner else []
        is_leaf = not opens and at.last == at.at and not (inner and isinstance(inner, (dict, list)))
        if below is None or not (is_block or is_leaf):
            return None
        words = (word(key),) if is_block or inner in (None, {}, []) else (word(key), word(inner))
        found.append(Node(words, (at.at,), at.at, at.last, is_block, below))
    return found


def _round_trip(indents: tuple[int, int, int], text: str) -> YAML:
    from ruamel.yaml import YAML

    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    yaml.width = _LARGEST
    yaml.explicit_start = text.startswith("---")
    mapping, sequence, offset = indents
    yaml.indent(mapping=mapping, sequence=sequence, offset=offset)
    return yaml


def _dumped(yaml: YAML, document: object, before: str) -> str:
    out = io.StringIO()
    yaml.dump(document, out)
    text = out.getvalue()
    return text if before.endswith("\n") else text.removesuffix("\n")


def _like(old: object, new: str) -> object:
    """A scalar in the quotes of the old one."""
    from ruamel.yaml.scalarstring import ScalarString

    return type(old)(new) if isinstance(old, ScalarString) else scalar(new, True)
