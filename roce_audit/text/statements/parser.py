"""Parsers of statement grammars: built by lark once, kept as plain tables afterwards.

The tables are marshalled data, never a pickle, and are found by a digest of the grammar and of the versions that made them.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from collections.abc import Sequence
from typing import Any

from roce_audit import __version__
from roce_audit.text.cachefiles import cache_file, read_sealed, write_sealed


def parser(grammar: str, starts: Sequence[str]) -> Any:
    """A lark parser (LALR, contextual lexer) whose keywords are whole words; one start symbol a mode."""
    import lark

    words = (__version__, lark.__version__, sys.version, grammar, *starts)
    digest = hashlib.sha256("\0".join(words).encode()).hexdigest()[:24]
    file = cache_file(f"grammar-{digest}.tables")
    if file is not None:
        try:
            data, memo = marshal.loads(read_sealed(file))
            return lark.Lark._load_from_dict(data, memo)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, EOFError, TypeError, KeyError, AttributeError):
            pass  # none yet, or damaged: build it
    built = _build(grammar, starts)
    if file is not None:
        _keep(file, built)
    return built


def _build(grammar: str, starts: Sequence[str]) -> Any:
    from lark import Lark

    return Lark(grammar, parser="lalr", start=list(starts), edit_terminals=_whole_words, maybe_placeholders=False)


def _whole_words(terminal: Any) -> None:
    """`on` must not match the beginning of `once`: every terminal ends where the word ends."""
    from lark.lexer import PatternRE, PatternStr

    if terminal.name == "_BLANK":
        return  # the blank between words
    literal = isinstance(terminal.pattern, PatternStr)
    terminal.pattern = PatternRE(f"(?:{terminal.pattern.to_regexp()})(?!\\S)", terminal.pattern.flags)
    terminal.priority += literal


def _keep(file: Any, built: Any) -> None:
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    data, memo = built.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if not callable(value)}
    try:
        write_sealed(file, marshal.dumps((data, memo)))
    except ValueError:
        return  # something in the tables is no plain data: this version of lark cannot be cached
