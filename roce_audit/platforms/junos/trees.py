"""One document as statements: the configuration as JSON or XML (`show configuration | display json`, `| display xml`).

Elements become the words of the same statement in blocks. What differs: the elements around the entries of some lists, and
those that hold a key or a first value, have no word there (Juniper, Junos XML Protocol Developer Guide, mapping of
configuration statements to XML and JSON; github Juniper/yang, junos-qfx-conf-class-of-service).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from roce_audit.platforms.junos.texts import SHOWN, Line, Text, bare
from roce_audit.text.comments import Comment, words_to_us
from roce_audit.text.document import Document
from roce_audit.text.structured import jsontext, xmltext
from roce_audit.text.structured.nodes import Words
from roce_audit.text.structured.positions import Path, PlacedError
from roce_audit.values import Place

_AROUND = "rpc-reply|rpc|edit-config|load-configuration|config|data|configuration"
"""The configuration, and what NETCONF puts around it (RFC 6241, edit-config; Junos XML, load-configuration)."""
_MOST_AROUND = 5
_START = re.compile(rf"\s*(?:<\?xml|<!DOCTYPE|<(?:\w{{1,20}}:)?(?:{_AROUND})[\s>]|\{{\s*\"configuration\")")
_ROOT = "configuration"
_WRAPPERS = frozenset({("interfaces", "interface"), ("vlans", "vlan"), ("routing-instances", "instance")})
"""(statement, element in it) of lists whose entries are written with their name alone."""
_KEYS = frozenset(
    {
        "name",
        "bits",
        "bundle",
        "class-name",
        "classifier-name",
        "filter-name",
        "profile-name",
        "rate",
        "rewrite-rule-name",
    }
)
"""Elements whose values are written without their names, behind the word of the element around them."""
_CLASSIFIER = re.compile(r"classifier-[a-z0-9.-]{1,30}-name")
"""The same for the classifier of a unit, by the marks that it knows: `classifier-dscp-name`."""
_NAMED_KEYS = {"drop-profile-map": ("loss-priority", "protocol"), "member-range": ("end-range",)}
"""Elements that are written in one line with what else stands in them."""
_WORDS = {"ieee-802.3ad": "802.3ad", "end-range": "to"}
_NO_WORD = frozenset({"undocumented"})
_METADATA = ("@", "attributes")
_VALUE = "data"
"""Where JSON in the manner of `export-format json verbose` has the value of a leaf."""


@dataclass(slots=True)
class _Element:
    """A container, or a leaf with its value (None where it has none). `marks` are `inactive`, `delete`, `replace`."""

    name: str
    value: str | None
    line: int
    last: int
    marks: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    below: list[_Element] = field(default_factory=list)


def of_tree(document: Document) -> Text | None:
    """All statements of a document that is JSON or XML; None for any other."""
    text = SHOWN.sub("", document.text)
    if _START.match(text) is None:
        return None
    try:
        ends = "<>" if text.lstrip().startswith("<") else "{}"
        body, first = _begun(text, ends, document)
        root, twice = (_of_xml(xmltext.parse(body, first_line=first)), 0) if ends == "<>" else _of_json(body, first)
    except PlacedError as error:
        return Text([], error.line, f"this cannot be read ({error.message})")
    tops = list(_configurations(root, 0))
    if not tops:
        return Text([], root.line, "there is no configuration in it")
    lines = [line for top in tops for one in top.below for line in _statements(one, (), (), _ROOT)]
    comments = tuple(note for top in tops for note in _comments(top, document.path))
    return Text(lines, twice, "this key stands twice in one object" if twice else "", comments=comments)


def _begun(text: str, ends: str, document: Document) -> tuple[str, int]:
    """The text without what stands before and behind it, and the line on which it begins."""
    first, last = text.index(ends[0]), text.rfind(ends[1])
    return text[first : last + 1] or ends[0], document.first_line + text.count("\n", 0, first)


def _configurations(element: _Element, depth: int) -> Iterator[_Element]:
    if element.name == _ROOT:
        yield element
    elif depth < _MOST_AROUND:
        for one in element.below:
            yield from _configurations(one, depth + 1)


# elements to statements -----------------------------------------------------------------------------------------------


def _statements(element: _Element, around: Words, numbers: tuple[int, ...], parent: str) -> Iterator[Line]:
    """The statements of an element and of everything in it."""
    words, keyed = list(around), []
    if element.name not in _NO_WORD and (parent, element.name) not in _WRAPPERS:
        words.append(_WORDS.get(element.name, bare(element.name)))
    if element.value is not None:
        words.append(bare(element.value))
    for one in element.below:
        if one.value is not None and (one.name in _KEYS or _CLASSIFIER.fullmatch(one.name)):
            words.append(bare(one.value))
            keyed.append(one)
    for name in _NAMED_KEYS.get(element.name, ()):
        for one in element.below:
            if one.name == name and one.value is not None:
                words += [_WORDS.get(name, name), bare(one.value)]
                keyed.append(one)
    inner = [one for one in element.below if one not in keyed]
    lines = (*numbers, *[element.line] * (len(words) - len(numbers)))
    full = tuple(words)
    if element.marks & {"delete", "replace"} and full:
        yield Line(full, lines, "delete")
    if "delete" in element.marks:
        return
    if len(full) > len(around):
        yield Line(full, lines, is_block=bool(inner))
    for one in inner:
        yield from _statements(one, full, lines, element.name)
    if "inactive" in element.marks and full:
        yield Line(full, lines, "deactivate")


def _comments(element: _Element, path: str) -> Iterator[Comment]:
    """Annotations that speak to us, each bound to the element that it stands at."""
    for one in element.below:
        for note in one.notes:
            said = words_to_us(note)
            if said is not None:
                yield Comment(said.removesuffix("*/").strip(), Place(path, one.line), one.line, one.last)
        yield from _comments(one, path)


# XML and JSON to elements ---------------------------------------------------------------------------------------------


def _of_xml(found: xmltext.Element) -> _Element:
    marks = frozenset(_marks(found.attributes))
    element = _Element(_local(found.name), None, found.line, found.last, marks)
    notes: list[str] = []
    for one in found.below:
        if one.name == "junos:comment":
            notes.append(one.text)
            continue
        inner = _of_xml(one)
        inner.notes, notes = tuple(notes), []
        element.below.append(inner)
    if found.below and found.text:
        raise xmltext.XmlError(found.line, 1, f"text between the elements of {element.name}: {found.text[:40]}")
    element.value = found.text or None
    return element


def _local(name: str) -> str:
    return name.rpartition(":")[2]


def _marks(attributes: Mapping[str, object]) -> Iterator[str]:
    """`inactive="inactive"`, `delete="delete"`, `operation="replace"`; in JSON `"inactive": true`."""
    for name, value in attributes.items():
        if name == "operation" or name.endswith(":operation"):
            yield str(value)
        elif value in (True, "true", name):
            yield name


def _of_json(text: str, first_line: int) -> tuple[_Element, int]:
    """The root, and the line of a key that stands twice (0: there is none)."""
    found = jsontext.parse(text, first_line=first_line)
    root = _Element("", None, first_line, first_line)
    root.below = list(_members(found, found.value, ()))
    return root, next((twice.line for twice in found.duplicates), 0)


def _members(found: jsontext.JsonText, members: Mapping[str, Any], path: Path) -> Iterator[_Element]:
    for name, value in sorted(
        members.items(), key=lambda one: one[0] != "name"
    ):  # tools sort keys; the name stands first
        if name in _METADATA or name.startswith("@"):
            continue
        about = members.get(f"@{name}")
        if not isinstance(value, list):
            yield _one(found, _local(name), value, about, (*path, name))
            continue
        for number, each in enumerate(value):
            said = about[number] if isinstance(about, Sequence) and number < len(about) else None
            if isinstance(
                about, dict
            ):  # of a leaf without a value, which is written [null] (RFC 7951, 6.9; RFC 7952, 5.2.2)
                said = about
            yield _one(found, _local(name), each, said, (*path, name, number))


def _one(found: jsontext.JsonText, name: str, value: object, about: object, path: Path) -> _Element:
    element = _Element(name, None, found.line_of(path), found.last_line_of(path))
    attributes = dict(about) if isinstance(about, dict) else {}
    if isinstance(value, dict):
        for key in _METADATA:
            attributes |= value[key] if isinstance(value.get(key), dict) else {}
        if _VALUE in value and not isinstance(value[_VALUE], dict | list):
            value = value[_VALUE]
        else:
            element.below = list(_members(found, value, path))
    if value is not None and not isinstance(value, dict | list):
        element.value = str(value).lower() if isinstance(value, bool) else str(value)
    element.marks = frozenset(_marks(attributes))
    note = next((attributes[key] for key in ("comment", "junos:comment", "annotate") if key in attributes), None)
    element.notes = (str(note),) if note is not None else ()
    return element
