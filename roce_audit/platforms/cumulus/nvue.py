"""NVUE: the tree of `startup.yaml` and `nv config show` (YAML or JSON), and lists of `nv set` commands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from roce_audit.platforms.cumulus.statements import Line
from roce_audit.platforms.cumulus.table import KINDS, UNNAMED
from roce_audit.platforms.cumulus.values import bounded
from roce_audit.text.document import Document
from roce_audit.text.statements.misspelling import meant, with_verb_inside
from roce_audit.text.structured.jsontext import JsonText
from roce_audit.text.structured.jsontext import parse as parse_json
from roce_audit.text.structured.positions import Path, Placed
from roce_audit.text.structured.yamltext import YamlText
from roce_audit.text.structured.yamltext import parse as parse_yaml
from roce_audit.values import Place

Tree = YamlText | JsonText
BRANCHES = ("system", "qos", "interface", "acl", "nve")
"""Branches of the tree that are read."""
_QOS = "qos"
"""The branch whose statements count as misunderstood where its own name is misspelt."""
POLICE = "police"
"""The word in an access list that polices."""
_FACTORY = "acl-default-"
"""What the lists are called that come with the system: they are long, and for the control plane."""
_COMMAND = re.compile(
    r"^[ \t]*(?:[\w.-]{1,64}@[^\s#$]{1,100}[#$] ?|\$ )?(?:sudo )?nv "
    r"(set|unset|(?!(?:show|config|action|list)\b)[a-z]{2,10}(?=[ \t]+(?:system|qos|interface)\b))\b[ \t]*(.*)$",
    re.M,
)
_QUOTES = "\"'"


def tree_of(document: Document) -> Tree:
    """The parsed text; raises PlacedError for a text that is neither JSON nor YAML."""
    if document.text.lstrip()[:1] in ("{", "["):
        return parse_json(document.text, first_line=document.first_line)
    return parse_yaml(document.text, first_line=document.first_line)


def header_of(tree: Tree) -> tuple[Mapping[str, Any], Path]:
    """The header with model and version, and its path; an empty one where there is none."""
    for path, block in _blocks(tree.value):
        if isinstance(block.get("header"), dict):
            return block["header"], (*path, "header")
    return {}, ()


def tree_lines(document: Document, tree: Tree, *, lists_in_full: bool = True) -> Iterator[Line]:
    """All leaves of the branches that are read, in the order of the text; of access lists, which are the most of many trees, only
    their names where not `lists_in_full`, and those in full that police.
    """
    texts = document.text.split("\n")
    for path, branches, unset in what_is_set(tree.value):
        for branch in branches:
            if branch not in BRANCHES and meant(str(branch), (_QOS,)) is None:
                line = tree.line_of((*path, branch))
                yield Line(
                    (word_of(branch),), Place(document.path, line), texts[line - document.first_line].strip(), unset
                )
                continue
            placed = tree.placed((*path, branch))
            if branch == "acl" and not lists_in_full:
                said = _lists((branch,), branches[branch], placed, may_police=POLICE in document.text)
            else:
                said = _leaves((branch,), branches[branch], placed)
            for words, below, *around in (*(() if unset else _heads(branch, branches[branch], placed)), *said):
                place, quote = _stands(document, texts, below)
                yield Line(words, place, quote, unset, partial(_key, document, texts, tuple(around)))


def _stands(document: Document, texts: Sequence[str], placed: Placed) -> tuple[Place, str]:
    line = placed.at
    return Place(document.path, line), texts[line - document.first_line].strip()


def _key(document: Document, texts: Sequence[str], around: Sequence[Placed], number: int) -> tuple[Place, str] | None:
    """Where the key stands that is the word of this number; None for the last one, and for a value."""
    return _stands(document, texts, around[number]) if number < len(around) else None


def what_is_set(value: object) -> Iterator[tuple[Path, Mapping[str, Any], bool]]:
    """(path, branches, whether they are taken away) of what is set and unset; a bare tree is set."""
    for path, block in _blocks(value):
        if "set" not in block and "unset" not in block:
            yield path, block, False
        for name in ("set", "unset"):
            if isinstance(block.get(name), dict):
                yield (*path, name), block[name], name == "unset"


def paths_of(tree: Tree) -> Iterator[Sequence[str]]:
    """The first two words of all that a tree sets, also of branches that are not read."""
    for _, branches, unset in what_is_set(tree.value):
        for branch, inner in () if unset else branches.items():
            yield from ((str(branch), str(key)) for key in inner) if isinstance(inner, Mapping) else ((str(branch),),)


def paths_set(text: str) -> Iterator[Sequence[str]]:
    """The words of all that commands set, also of branches that are not read."""
    return (found.group(2).split() for found in _COMMAND.finditer(text) if found.group(1) == "set")


def _blocks(value: object) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The objects that hold `header`, `set` or `unset`, or a tree."""
    for path, block in enumerate(value) if isinstance(value, list) else ((None, value),):
        if isinstance(block, dict):
            yield (() if path is None else (path,)), block


_Said = tuple[tuple[str, ...], Placed, *tuple[Placed, ...]]
"""The words of a leaf or of a block, and where it stands; of a leaf also where the keys around it do, from the outermost."""


def _heads(branch: str, value: object, placed: Placed) -> Iterator[_Said]:
    """The keys under which blocks stand: interfaces, and in the branch `qos` kinds of blocks and their names."""
    if branch not in ("interface", "qos") or not isinstance(value, dict):
        return
    for key, inner in value.items():
        words, below = (branch, word_of(key)), placed.below(key)
        if branch == "interface" or words[1] in UNNAMED:
            yield words, below
        elif isinstance(inner, dict) and words[1] in KINDS:
            for name in inner:
                yield (*words, word_of(name)), below.below(name)


def _leaves(words: tuple[str, ...], value: object, placed: Placed) -> list[_Said]:
    found: list[_Said] = []
    _add_leaves(words, value, (placed,), found)
    return found


def _add_leaves(words: tuple[str, ...], value: object, way: tuple[Placed, ...], found: list[_Said]) -> None:
    """`way`: where the keys stand that are the words so far."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            _add_leaves((*words, word_of(key)), inner, (*way, way[-1].below(key)), found)
    elif isinstance(value, list) and value:
        for index, inner in enumerate(value):
            _add_leaves(words, inner, (*way[:-1], way[-1].below(index)), found)
    elif value is None or value in ({}, []):
        found.append((words, way[-1], *way[:-1]))
    else:
        found.append(((*words, word_of(value)), way[-1], *way[:-1]))


def _lists(words: tuple[str, ...], value: object, placed: Placed, *, may_police: bool) -> list[_Said]:
    """Of each access list its name, and of one that polices all that it says; of one of the factory's only that it does."""
    if not isinstance(value, dict):
        return _leaves(words, value, placed)
    found: list[_Said] = []
    for name, inner in value.items():
        its, below = (*words, word_of(name)), placed.below(name)
        polices = may_police and _holds(inner, POLICE)
        if polices and not its[-1].startswith(_FACTORY):
            found += _leaves(its, inner, below)
        else:
            found.append(((*its, POLICE) if polices else its, below))
    return found


def _holds(value: object, word: str) -> bool:
    """Whether a key or a scalar of a tree is this word."""
    if isinstance(value, dict):
        return any(word_of(key) == word or _holds(inner, word) for key, inner in value.items())
    if isinstance(value, list):
        return any(_holds(inner, word) for inner in value)
    return value is not None and word_of(value) == word


def word_of(value: object) -> str:
    """A key or scalar as one word."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return _word(value if isinstance(value, str) else str(value))


@lru_cache(maxsize=16_384)
def _word(text: str) -> str:
    return "_".join(bounded(text).split()) or '""'


APPLIES = re.compile(r"(?m)^[ \t]{0,40}(?:sudo[ \t]{1,4})?nv[ \t]{1,4}config[ \t]{1,4}(?:apply|patch|replace)\b")
"""A command that puts in force what was staged."""

KEEPS = re.compile(r"(?m)^[ \t]{0,40}(?:(?:sudo[ \t]{1,4})?nv[ \t]{1,4}config[ \t]{1,4}save\b|# apply: false$)")
"""What says that a program looks after that: it saves, or a task says that it does not apply."""


def command_lines(document: Document) -> Iterator[Line]:
    """All `nv set` and `nv unset` commands of a text, and the one that was typed to get this answer."""
    if document.command is not None:
        typed = _COMMAND.match(document.command)
        if typed is not None:
            yield _command(typed, Place(document.path, max(document.first_line - 1, 1)))
    row, counted = 0, 0
    for found in _COMMAND.finditer(document.text):
        row += document.text.count("\n", counted, found.start())
        counted = found.start()
        yield _command(found, Place(document.path, document.line(row)))


def _command(found: re.Match[str], place: Place) -> Line:
    text = found.group(2).partition(" #")[0]
    words = text.split()
    if "description" in words:
        at = words.index("description")
        words = [*words[: at + 1], "_".join(words[at + 1 :])]
    verb = found.group(1)
    if verb not in ("set", "unset"):
        words = with_verb_inside(verb, words, ("interface",))
    plain = tuple(bounded(word.strip(_QUOTES)) or '""' for word in words)
    return Line(plain, place, found.group().strip(), verb == "unset")
