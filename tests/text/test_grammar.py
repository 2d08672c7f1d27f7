"""Statements are understood as lark understands them; tables that were kept do as fresh ones, damaged or foreign ones are not used."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import PatternRE, PatternStr

from roce_audit.text.statements.forms import Capture, Flag, Form, Maybe, Options, Word
from roce_audit.text.statements.grammar import Grammar
from roce_audit.text.statements.parser import Found, parser
from roce_audit.text.statements.rows import row

GRAMMAR = """
port: "mtu" size -> mtu
    | "shutdown" -> shutdown
!size: INT
"""
TERMINALS = """
INT.1: /[0-9]{1,20}/
ANY.-1: /\\S+/
_BLANK: / +/
%ignore _BLANK
"""
FORMS = (
    "mtu <64..65535>",
    "flowcontrol receive <on|off>",
    "class [type qos|queuing] <name>",
    "class default",
    "match dscp <values:dscp...>",
    "match <negated?not> cos <priorities>",
    "random-detect {weight <weight:0..15>, <?ecn>, minimum <low> maximum <high>}",
    "description <...>",
    "queue 1 weight <value>",
    "queue <number> priority",
    "priority <priority:0..7> [no-drop [<?pause>] <seconds>]",
)
WORDS = (
    "on",
    "off",
    "not",
    "default",
    "no",
    "ecn",
    "1",
    "7",
    "0" * 20,
    "9" * 21,
    "٣",
    "x\ty",
    "capture_0",
    "<any>",
    "type",
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "roce-audit"


def parsed(text: str) -> Found | None:
    return parser(GRAMMAR, ["port"]).parse("port", text)


def written(form: Form, choose: random.Random) -> Iterator[str]:
    """The words of one statement of this form."""
    for element in form:
        match element:
            case Word(words=words):
                yield choose.choice(words)
            case Capture():
                count = choose.randint(1, 3) if element.many else 1
                yield from (choose.choice(element.words or WORDS) for _ in range(count))
            case Flag():
                yield from [element.word] * choose.randint(0, 1)
            case Maybe(elements=inner):
                yield from written(inner, choose) if choose.random() < 0.5 else ()
            case Options(options=options):
                for option in choose.sample(options, choose.randint(0, len(options))):
                    yield from written(option, choose)


def whole_words(terminal: Any) -> None:
    """`on` is no beginning of `once`, and a word of a row is no name."""
    if terminal.name != "_BLANK":
        terminal.priority += isinstance(terminal.pattern, PatternStr)
        terminal.pattern = PatternRE(f"(?:{terminal.pattern.to_regexp()})(?!\\S)", terminal.pattern.flags)


def by_lark(lark: Lark, start: str, text: str) -> Found | None:
    def words(node: Any) -> tuple[str, ...]:
        return tuple(word for part in node.children for word in (words(part) if hasattr(part, "data") else [str(part)]))

    try:
        tree = lark.parse(text, start=start)
    except UnexpectedInput:
        return None
    return Found(str(tree.data), tuple((str(part.data), words(part)) for part in tree.children))


def test_statements_are_understood_as_lark_does(cache: Path) -> None:
    rows = tuple(row(text, dict) for text in FORMS)
    grammar = Grammar({"one": rows[:6], "other": rows}, {"dscp": str}, ("no", "default"))
    lark = Lark(
        grammar.text + TERMINALS,
        parser="lalr",
        start=["mode_0", "mode_1"],
        edit_terminals=whole_words,
        maybe_placeholders=False,
    )
    ours, choose, understood = parser(grammar.text, ["mode_0", "mode_1"]), random.Random(1), 0
    for _ in range(3000):
        words = list(written(choose.choice(rows).form, choose))
        if choose.random() < 0.5:
            words.insert(choose.randrange(len(words) + 1), choose.choice(WORDS))
        start, text = choose.choice(["mode_0", "mode_1"]), choose.choice([" ", " ", "  "]).join(words)
        assert ours.parse(start, text) == by_lark(lark, start, text), text
        understood += ours.parse(start, text) is not None
    assert 500 < understood < 2500


def test_kept_tables_parse_like_fresh_ones(cache: Path) -> None:
    fresh = parsed("mtu 9000")
    assert fresh == Found("mtu", (("size", ("9000",)),))
    (kept,) = cache.iterdir()
    assert parsed("mtu 9000") == fresh
    assert list(cache.iterdir()) == [kept]


def test_keywords_are_whole_words_in_kept_tables_too(cache: Path) -> None:
    for _ in range(2):
        assert parsed("mtu9 000") is None
        assert parsed("shutdownx") is None
        assert parsed("shutdown") == Found("shutdown", ())


@pytest.mark.parametrize("content", [b"", b"\x00", b"no tables", b"(" * 64])
def test_damaged_tables_are_built_again(cache: Path, content: bytes) -> None:
    fresh = parsed("mtu 9000")
    (kept,) = cache.iterdir()
    kept.write_bytes(content)
    assert parsed("mtu 9000") == fresh
    assert kept.read_bytes() != content


def test_tables_that_others_can_write_are_not_used(cache: Path) -> None:
    fresh = parsed("mtu 9000")
    (kept,) = cache.iterdir()
    kept.chmod(0o666)
    assert parsed("mtu 9000") == fresh
    assert kept.stat().st_mode & 0o022 == 0
