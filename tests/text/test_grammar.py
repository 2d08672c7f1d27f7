"""Grammar tables that were kept parse like fresh ones; damaged or foreign ones are not used."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.text.statements.parser import parser

GRAMMAR = """
port: "mtu" INT -> mtu
    | "shutdown" -> shutdown
INT: /[0-9]+/
_BLANK: / +/
%ignore _BLANK
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "roce-audit"


def parsed(text: str) -> object:
    return parser(GRAMMAR, ["port"]).parse(text, start="port")


def test_kept_tables_parse_like_fresh_ones(cache: Path) -> None:
    fresh = parsed("mtu 9000")
    (kept,) = cache.iterdir()
    assert parsed("mtu 9000") == fresh
    assert list(cache.iterdir()) == [kept]


def test_keywords_are_whole_words_in_kept_tables_too(cache: Path) -> None:
    from lark.exceptions import UnexpectedInput

    for _ in range(2):
        with pytest.raises(UnexpectedInput):
            parsed("mtu9 000")
        with pytest.raises(UnexpectedInput):
            parsed("shutdownx")


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
