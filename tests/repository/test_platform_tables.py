"""The generated tables of the platforms: up to date, linked, and without a path that the model does not have."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from types import ModuleType

import pytest

from roce_audit import platforms
from roce_audit.engine.rules import rulepack
from roce_audit.text.statements.forms import Capture, named

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    sys.path.insert(0, str(DOCS))
    try:
        return importlib.import_module("generate")
    finally:
        sys.path.remove(str(DOCS))


@pytest.fixture(scope="module")
def documents(generator: ModuleType) -> dict[str, str]:
    made: dict[str, str] = generator.documents()
    return made


def test_generated_documents_are_up_to_date(documents: dict[str, str]) -> None:
    stale = [name for name, text in documents.items() if (DOCS / name).read_text(encoding="utf-8") != text]
    assert stale == [], "run: python docs/generate.py"


def test_a_stale_document_fails_the_check(
    generator: ModuleType, documents: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "DOCS", tmp_path)
    monkeypatch.setattr(generator, "documents", lambda: documents)
    assert generator.main([]) == 0
    assert generator.main(["--check"]) == 0
    table = tmp_path / "platforms" / "generated" / "nxos.md"
    table.write_text(table.read_text(encoding="utf-8") + "| `mtu` | more |\n", encoding="utf-8")
    assert generator.main(["--check"]) == 1


@pytest.mark.parametrize("platform", platforms.names())
def test_each_page_links_its_table(platform: str) -> None:
    page = (DOCS / "platforms" / f"{platform}.md").read_text(encoding="utf-8")
    assert f"(generated/{platform}.md)" in page


@pytest.mark.parametrize("platform", platforms.names())
def test_every_path_of_a_table_is_in_the_model(platform: str, documents: dict[str, str]) -> None:
    """A path without a meaning is a misspelt one: nothing that it should darken would be darkened."""
    assert any(statement.paths for statement in platforms.platform(platform).load().documentation().statements)
    model = documents[f"platforms/generated/{platform}.md"].partition("## Model")[2].partition("## Defaults")[0]
    rows = re.findall(r"^\| `([^`]+)` \| ([^|]*) \|", model, re.M)
    assert rows
    assert [path for path, meaning in rows if not meaning.strip()] == []


def test_every_rule_about_ports_is_found_behind_some_field(documents: dict[str, str]) -> None:
    """What rules about the input, the fabric, counters, whole states and past runs read is no setting: all others are found."""
    text = "".join(text for name, text in documents.items() if name.startswith("platforms/generated/"))
    named = set(re.findall(r"[a-z]+/[a-z0-9-]+", text))
    rules = [
        rule
        for rule in rulepack.load([rulepack.builtin_folder()])
        if rule.scope in ("port", "hop", "link", "nic") and not {"counters", "states"} & set(rule.tags)
    ]
    assert sorted(rule.id for rule in rules if rule.id not in named) == []


TABLES = [name for name in platforms.names() if find_spec(f"roce_audit.platforms.{name}.table") is not None]


def _takes(make: object, names: Iterable[str]) -> bool:
    try:
        signature(make).bind(**dict.fromkeys(names))  # type: ignore[arg-type]
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("name", TABLES)
def test_every_row_makes_its_statement_of_all_that_it_may_capture(name: str) -> None:
    """With every part that may be left out, and without any of them."""
    table = importlib.import_module(f"roce_audit.platforms.{name}.table").TABLE
    rows = {(mode, row.text): row for mode, known in table.modes.items() for row in known.rows if not row.leaf}
    makers = [
        (at, elements, make)
        for at, row in rows.items()
        for elements, make in ((row.form, row.make), (row.no_form, row.no_make), (row.no_form, row.default_make))
        if make is not None
    ]
    wrong = [
        at
        for at, elements, make in makers
        if not _takes(make, set(named(elements)))
        or not _takes(make, {e.name for e in elements if isinstance(e, Capture) and e.name not in ("", "_")})
    ]
    assert wrong == []
