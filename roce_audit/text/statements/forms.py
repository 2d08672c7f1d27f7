"""The language of a row: how a statement is written.

    mtu <64..65535>                              a word, and a number in a range
    flowcontrol receive <on|off>                 one of these words
    class [type qos|queuing] <name> [<...>]      what may be left out, alternatives, any words behind it
    match dscp <values:dscp...>                  one or more words, read together as what the table calls `dscp`
    random-detect {weight <weight:0..15>, <?ecn>}    options in any order, each at most once; `<?ecn>`: True where the word is there
    match <negated?not> cos <priorities>         such a word under another name

A capture `<name:type>` has a name under which its value is handed on. `<name>` alone is any word; a range or a list of words
alone is called `value`; `<_:type>`, `<>` and `<...>` are not handed on. What needs more than captures, alternatives and options
is a reader of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from roce_audit.patterns import lazy
from roce_audit.records import dataclass

ANY = ""
"""The type of a capture that takes any word."""


@dataclass(frozen=True, slots=True)
class Word:
    """One of these words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Capture:
    """A word (`many`: one or more) that is read as `type`; one without a name, or named `_`, is not handed on."""

    name: str
    type: str
    many: bool = False

    @property
    def words(self) -> tuple[str, ...]:
        """The words it may be, where the type lists them."""
        return tuple(self.type.split("|")) if "|" in self.type else ()


@dataclass(frozen=True, slots=True)
class Flag:
    """A word that may be there; its name is handed on as True where it is."""

    name: str
    word: str


@dataclass(frozen=True, slots=True)
class Maybe:
    """What may be left out."""

    elements: Form


@dataclass(frozen=True, slots=True)
class Options:
    """Any of these, in any order, each at most once."""

    options: tuple[Form, ...]


Element = Word | Capture | Flag | Maybe | Options
Form = tuple[Element, ...]

_TOKEN = lazy(r"<[^<>]*>|[\[\]{},]|[^\s\[\]{},<>]+")
_CAPTURE = lazy(r"(?:(?P<name>[a-z_][a-z0-9_]*):)?(?P<type>[^:.]*(?:\.\.[^:.]*)?)(?P<many>\.\.\.)?")
_CLOSING = {"[": "]", "{": "}"}


class FormError(ValueError):
    """A row that is not written as rows are: a mistake in a platform's table."""


def form(text: str) -> Form:
    """The elements of a row; raises FormError."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s", "", text):
        raise FormError(f"{text!r}: not the form of a statement")
    elements, rest = _elements(tokens, 0, "", text)
    if rest != len(tokens) or not elements:
        raise FormError(f"{text!r}: a bracket too many, or nothing")
    return elements


def _elements(tokens: list[str], at: int, closing: str, text: str) -> tuple[Form, int]:
    found: list[Element] = []
    while at < len(tokens) and tokens[at] != closing and not (closing == "}" and tokens[at] == ","):
        token = tokens[at]
        if token == "[":
            inner, at = _elements(tokens, at + 1, "]", text)
            found.append(Maybe(inner))
        elif token == "{":
            options: list[Form] = []
            while at < len(tokens) and tokens[at] in ("{", ","):
                inner, at = _elements(tokens, at + 1, "}", text)
                options.append(inner)
            found.append(Options(tuple(options)))
        elif token in ("]", "}", ","):
            raise FormError(f"{text!r}: {token} without its beginning")
        else:
            found.append(_captured(token, text) if token.startswith("<") else Word(tuple(token.split("|"))))
        at += 1
    if closing and at >= len(tokens):
        raise FormError(f"{text!r}: {closing} is missing")
    return tuple(found), at


def _captured(token: str, text: str) -> Element:
    inner = token[1:-1]
    name, flag, word = inner.partition("?")
    if flag:
        return Flag(name or word.replace("-", "_"), word)
    parts = _CAPTURE.fullmatch(inner)
    if parts is None:
        raise FormError(f"{text!r}: {token} is no capture")
    name, kind, many = parts["name"], parts["type"], parts["many"] is not None
    if name is not None:
        return Capture(name, kind, many)
    if not kind:
        return Capture("", ANY, many)
    if name is None and ".." not in kind and "|" not in kind and not kind.isidentifier():
        raise FormError(f"{text!r}: {token} is no name of a capture; a range is written 1..9")
    if "|" in kind or ".." in kind:
        return Capture("value", kind, many)
    return Capture(kind, ANY, many)


def named(elements: Form) -> Iterator[str]:
    """The names of all captures that are handed on."""
    for element in elements:
        match element:
            case Capture(name=name) | Flag(name=name):
                yield from () if name in ("", "_") else (name,)
            case Maybe(elements=inner):
                yield from named(inner)
            case Options(options=options):
                for option in options:
                    yield from named(option)
            case Word():
                pass


def negated(elements: Form) -> Form:
    """What stands behind `no`: the leading words, and of the rest as much as somebody likes to write."""
    fixed = 0
    while fixed < len(elements) and isinstance(elements[fixed], Word):
        fixed += 1
    tail: Form = ()
    for element in reversed(elements[fixed:]):
        inner = element.elements if isinstance(element, Maybe) else (element,)
        tail = (Maybe((*inner, *tail)),)
    return (*elements[:fixed], *tail)


def leads(elements: Form) -> Iterator[tuple[str | None, ...]]:
    """All sequences of words that the form begins with; None stands for a word that a capture takes."""
    yield from _sequences(elements, ())


def _sequences(elements: Form, before: tuple[str | None, ...]) -> Iterator[tuple[str | None, ...]]:
    if not elements:
        yield before
        return
    first, rest = elements[0], elements[1:]
    match first:
        case Options():
            for option in first.options:
                yield from _sequences(option, before)
            yield before
        case Maybe():
            yield from _sequences((*first.elements, *rest), before)
            yield from _sequences(rest, before)
        case Flag():
            yield from _sequences(rest, (*before, first.word))
            yield from _sequences(rest, before)
        case Capture(many=True):
            yield (*before, None)
        case Capture():
            for word in first.words or (None,):
                yield from _sequences(rest, (*before, word))
        case Word():
            for word in first.words:
                yield from _sequences(rest, (*before, word))
