"""The documentation: generated pages are up to date, links lead somewhere."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from roce_audit.cli import arguments
from roce_audit.engine.rules import rulepack
from roce_audit.policy import load_text

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted(DOCS.rglob("*.md"))]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def test_links_of_pages_lead_somewhere() -> None:
    assert [
        f"{page.relative_to(ROOT)} links to {target}"
        for page in PAGES
        for target in links_of(page)
        if not target.startswith("http") and not leads_somewhere(page, target)
    ] == []


def prose_of(page: Path) -> str:
    return re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)


def links_of(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", prose_of(page))


def leads_somewhere(page: Path, target: str) -> bool:
    """The file is there, and the heading in it."""
    file, _, heading = target.partition("#")
    other = page.parent / file if file else page
    return other.exists() and (not heading or other.suffix != ".md" or heading in headings_of(other))


@cache
def headings_of(page: Path) -> set[str]:
    """As links name them: small letters, blanks as hyphens, no signs."""
    lines = re.findall(r"^#+ (.*)$", prose_of(page), re.M)
    return {re.sub(r"[^\w -]", "", line.strip().lower()).replace(" ", "-") for line in lines}


@pytest.mark.parametrize("name", ["policy", "report", "rule"])
def test_every_key_of_a_schema_is_explained(name: str) -> None:
    schema = json.loads((DOCS / f"{name}.schema.json").read_text(encoding="utf-8"))
    forms = {"": schema} | schema["$defs"]
    assert [f"{form}.{key}" for form, one in forms.items() for key in unexplained(one)] == []


def unexplained(form: dict[str, Any]) -> Iterator[str]:
    for key, value in form.get("properties", {}).items():
        if not value.get("description"):
            yield key
        yield from (f"{key}.{inner}" for inner in unexplained(value))


def test_every_page_is_in_the_menu() -> None:
    menu = (DOCS / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w/-]+\.md", menu)) | {f"platforms/{p.name}" for p in (DOCS / "platforms").glob("*.md")}
    generated = {f"platforms/generated/{p.name}" for p in (DOCS / "platforms" / "generated").glob("*.md")}
    rules = {f"reference/rules/{rule.id}.md" for rule in rulepack.load([rulepack.builtin_folder()])}
    assert {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")} == named | generated | rules


def yaml_blocks(page: str) -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("page", ["how-to/policy.md", "how-to/accept.md"])
def test_policies_on_a_page_are_policies(page: str) -> None:
    found = [load_text(text, "roce-audit.yaml") for text in yaml_blocks(page)]
    assert found


def test_the_rule_on_the_page_is_a_rule(tmp_path: Path) -> None:
    rule, policy = yaml_blocks("how-to/add-a-rule.md")
    file = tmp_path / rule.partition("\n")[0].removeprefix("# ")
    file.parent.mkdir(parents=True)
    file.write_text(rule)
    assert [entry.text for entry in load_text(policy, "roce-audit.yaml").rules_paths] == [file.parents[1].name]
    (loaded,) = rulepack.load([file.parents[1]], use_cache=False)
    assert loaded.id == "pfc/house-rule"


def test_commands_on_the_pages_can_be_parsed() -> None:
    """Every `roce-audit ...` line in a shell block is one that the program takes."""
    seen = 0
    for page in PAGES:
        for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            for line in (line for line in block.splitlines() if line.startswith("roce-audit ")):
                words = shlex.split(re.split(r" [|>] ", line)[0], comments=True)
                if words[:1] == ["roce-audit"]:
                    arguments.parser().parse_args(words[1:])
                    seen += 1
    assert seen > 30


def test_commands_in_sentences_can_be_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    """`roce-audit check configs/` in a line or table, and `check --watch`; a verb or an option may be named alone."""
    seen, wrong = 0, []
    for page in PAGES:
        for code in re.findall(r"`((?:roce-audit )?[a-z][a-z-]* [^`]*)`", prose_of(page)):
            words = shlex.split(code)
            verb, *rest = words[1:] if words[0] == "roce-audit" else words
            if verb not in arguments._VERBS or (words[0] != "roce-audit" and not rest[0].startswith("-")):
                continue
            with suppress(SystemExit):
                arguments.parser().parse_args([verb, *rest])
            said = capsys.readouterr().err
            if said and "are required" not in said and "expected one argument" not in said:
                wrong.append(f"{page.relative_to(ROOT)}: {code}: {said}")
            seen += 1
    assert wrong == []
    assert seen > 50


@pytest.mark.docs
def test_the_site_builds_strictly(tmp_path: Path) -> None:
    if importlib.util.find_spec("material") is None:
        pytest.skip("mkdocs-material is not installed (pip install -e '.[docs]')")
    done = subprocess.run(
        [sys.executable, str(DOCS / "build.py"), str(tmp_path)],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "tutorial.html").is_file()
