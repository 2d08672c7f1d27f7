"""One document as words: flat `set / ...` lines, the blocks of `info`, or JSON, all as paths from the root."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from roce_audit.platforms.srlinux.values import plain
from roce_audit.records import dataclass
from roce_audit.text.document import Document
from roce_audit.text.statements.misspelling import with_verb_inside
from roce_audit.text.structured import braces
from roce_audit.text.structured.jsontext import JsonText
from roce_audit.text.structured.nodes import Node, Words
from roce_audit.text.structured.positions import Path

ROOTS = frozenset({"interface", "qos", "system", "network-instance"})
"""Nodes at the root that we read."""
_ALL_ROOTS = ROOTS | {
    "acl", "bfd", "oam", "platform", "routing-policy", "tunnel", "tunnel-interface", "maintenance", "sampling", "tools",
    "time-synchronization", "network-instances",
}  # fmt: skip
_TREES = ROOTS | {"acl"}
"""Nodes at the root of a JSON text whose statements are read."""
_LISTS = frozenset({"interface", "network-instance"})
"""Roots behind which the name of an entry stands."""
_ROOT_WORDS = frozenset((word,) for word in _ALL_ROOTS)
_PROMPT = re.compile(r"^[ \t]*(?:--\{.*|[A-Z]:[\w.-]{1,64}# .*)$", re.M)
_LEAVING = frozenset({"exit", "top", "back", "commit", "enter", "save", "quit", "baseline", "discard", "info", "diff"})
_RANGE = re.compile(r"\{([0-9]+(?:\.\.[0-9]+)?(?:,[0-9]+(?:\.\.[0-9]+)?)*)\}")
_SPAN = re.compile(r"([0-9]{1,5})(?:\.\.([0-9]{1,5}))?\Z")
MOST = 4_096
"""Statements that one line may stand for."""
_MOST_IN_ALL = 50_000
"""Statements of a document, beyond which ranges are no longer written out."""
_KEY_LEAVES = (
    "interface-id", "name", "index", "value", "sequence", "sequence-id", "id", "slot", "ip-prefix", "pfc-queue-name",
    "queue-name", "forwarding-class", "drop-probability", "profile",
)  # fmt: skip
_SEVERAL_KEYS = {"wred-slope": ("traffic-type", "drop-probability", "enable-ecn"), "acl-filter": ("name", "type")}
"""Lists whose entries are told apart by more than one leaf."""
_GNMI_STEP = re.compile(r"([^/\[\]]+)((?:\[[^\[\]]*\])*)")
_GNMI_KEY = re.compile(r"\[([^=\[\]]+)=([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class Line:
    """One statement as words from the root, with the line of each."""

    words: tuple[str, ...]
    lines: tuple[int, ...]
    deletes: bool = False
    """It removes what stands at and below it."""
    broken: bool = False
    """What should follow is no word: an entry of a list without its key, or a value that is none."""


def of_text(document: Document) -> tuple[list[Line], braces.Braces]:
    """The statements of flat lines and blocks, ranges written out; and what was read, for its damage."""
    found = tree_of(document.text, document.first_line)
    lines: list[Line] = []
    context: tuple[str, ...] = ()
    for full, node in _closed(found):
        words, at = list(map(_bare, full)), [node.line] * (len(full) - len(node.words)) + list(node.lines)
        verb = words[0] if words and words[0] in ("set", "delete", "insert") else ""
        mistyped = words[0] if not verb and len(words) > 2 and words[1] == "/" else ""
        if verb or mistyped:
            del words[0], at[0]
        rooted = bool(words) and words[0].startswith("/")
        if rooted:
            words[0] = words[0][1:]
            if not words[0]:
                del words[0], at[0]
        if not words or words[0] in _LEAVING:
            context = ()
            continue
        if mistyped:
            words, at = with_verb_inside(mistyped, words, _LISTS), [at[0], *at]
        if words[0] not in _ALL_ROOTS and context:
            words, at = [*context, *words], [at[0]] * len(context) + at
        elif not node.is_block:
            context = tuple(words) if rooted and not verb else ()
        many = expanded(tuple(words)) if len(lines) < _MOST_IN_ALL else [tuple(words)]
        placed = tuple([document.line(number - document.first_line) for number in at])
        lines.extend(Line(each, placed, verb == "delete") for each in many)
    return lines, found


def tree_of(text: str, first_line: int = 1) -> braces.Braces:
    """The blocks and flat lines of a text, without the prompts between them."""
    return braces.read(_PROMPT.sub("", text), first_line=first_line)


def _closed(found: braces.Braces) -> Iterator[tuple[Words, Node]]:
    """The statements up to where a block that is never closed runs into the next one of the root."""
    head: Words = ()
    for words, node in found.root.walk():
        if head and node.is_block and words[len(head) : len(head) + 1] in _ROOT_WORDS:
            return
        if node.is_block and node.line == found.damage and not head:
            head = words
        yield words, node


def _bare(word: str) -> str:
    """A word as it stands in a statement of ours: no blanks in it."""
    return "\u00a0".join(word.split()) or '""'


def expanded(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The statements that ranges in a line stand for: `ethernet-1/{1..4,7}`. A range too large stays as it is."""
    found: list[tuple[str, ...]] = [()]
    for word in words:
        each = _spelled(word) if "{" in word else (word,)
        if len(found) * len(each) > MOST:
            each = (word,)
        found = [(*before, one) for before in found for one in each] if len(each) > 1 else [
            (*before, each[0]) for before in found
        ]  # fmt: skip
    yield from found


def _spelled(word: str) -> tuple[str, ...]:
    found = _RANGE.search(word)
    if found is None:
        return (word,)
    numbers: list[int] = []
    for piece in found[1].split(","):
        span = _SPAN.match(piece)
        if span is None or int(span[2] or span[1]) - int(span[1]) >= MOST or len(numbers) > MOST:
            return (word,)
        numbers.extend(range(int(span[1]), int(span[2] or span[1]) + 1))
    before, after = word[: found.start()], word[found.end() :]
    ends = _spelled(after) if "{" in after else (after,)
    return tuple(f"{before}{n}{end}" for n in numbers for end in ends)[:MOST]


def of_json(json: JsonText) -> Iterator[Line]:
    """The statements of a JSON text: a datastore, an answer of JSON-RPC or gNMI, or a list of these."""
    for value, path, prefix in _stores(json.value, ()):
        for words, place, broken in _members(value, path, prefix):
            yield Line(words, (json.line_of(place),) * len(words), broken=broken)


_Statement = tuple[tuple[str, ...], Path, bool]
"""Words, place, and whether what should follow is no word."""
_Store = tuple[Any, Path, tuple[str, ...]]


def _stores(value: Any, path: Path) -> Iterator[_Store]:
    """Every object that stands at the root of the data model, or at a path that is given with it."""
    if isinstance(value, list):
        for index, element in enumerate(value):
            yield from _stores(element, (*path, index))
    elif isinstance(value, dict):
        if any(_node(key) in _TREES for key in value):
            yield value, path, ()
        elif isinstance(value.get("values"), dict) and isinstance(value.get("Path"), str):
            steps = _gnmi_path(value["Path"])
            for key, inner in value["values"].items():
                if steps and steps[0] in _TREES:
                    yield inner, (*path, "values", key), steps
                elif not steps:
                    yield from _stores(inner, (*path, "values", key))
        else:
            for key in ("result", "updates", "notification"):
                if key in value:
                    yield from _stores(value[key], (*path, key))


def _gnmi_path(text: str) -> tuple[str, ...]:
    words: list[str] = []
    for step in _GNMI_STEP.finditer(text[:2_000]):
        words.append(_node(step[1]))
        for index, (key, value) in enumerate(_GNMI_KEY.findall(step[2])):
            words.extend((_bare(value),) if index == 0 else (key, _bare(value)))
    return tuple(words)


def _node(key: str) -> str:
    return key.rpartition(":")[2]


def _members(value: Any, path: Path, prefix: tuple[str, ...]) -> Iterator[_Statement]:
    """Every statement at and below a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            name = _node(key)
            if not key.startswith("_") and (prefix or name in _TREES):
                yield from _member((*prefix, name), inner, (*path, key))
    else:
        yield from _member(prefix, value, path)


def _member(words: tuple[str, ...], value: Any, path: Path) -> Iterator[_Statement]:
    if isinstance(value, dict):
        yield words, path, False
        yield from _members(value, path, words)
    elif isinstance(value, list):
        entries = any(isinstance(element, dict) for element in value)
        for index, element in enumerate(value):
            here = (*path, index)
            if isinstance(element, dict):
                yield from _entry(words, element, here)
            elif element is None and not entries:  # a leaf that is there, and has no value
                yield words, path, False
            else:
                yield from _valued(words, element, here)
    elif value is None:
        yield words, path, False
    else:
        yield from _valued(words, value, path)


def _valued(words: tuple[str, ...], value: Any, path: Path) -> Iterator[_Statement]:
    text = _scalar(value)
    yield (words, path, True) if text is None else ((*words, text), path, False)


def _entry(words: tuple[str, ...], element: Mapping[str, Any], path: Path) -> Iterator[_Statement]:
    """An entry of a list; what stands in one without all of its keys is nobody's."""
    members = {_node(key): key for key in element}
    several = _SEVERAL_KEYS.get(words[-1])
    if several is not None:
        leaves = [leaf for leaf in several if leaf in members]
        missing = len(leaves) < len(several)
    else:
        leaves = [leaf for leaf in _KEY_LEAVES if leaf in members][:1]
        missing = not leaves
    head = words
    for leaf in leaves:
        text = _scalar(element[members[leaf]])
        if text is None:
            missing = True
            break
        head = (*head, leaf, text) if head is not words else (*head, text)
    if missing:
        yield words, path, True
        return
    used = {members[leaf] for leaf in leaves}
    yield head, (*path, members[leaves[-1]]), False
    yield from _members({key: inner for key, inner in element.items() if key not in used}, path, head)


def _scalar(value: Any) -> str | None:
    """A value as a word; None for what is no scalar."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)) or value is None:
        return None
    return _bare(plain(str(value)[:1_000]))
