"""The documentation: the tutorial's commands run as written, generated pages are up to date, links lead somewhere."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from docs_commands import blocks

from roce_audit.cli import arguments
from roce_audit.engine import rulepack
from roce_audit.policy import load_text

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


@pytest.mark.sweep
def test_the_tutorial_runs_as_written(tmp_path: Path) -> None:
    """In one shell, in a folder that has the fixtures; every block ends as the page says."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    script = [f'roce-audit() {{ "{sys.executable}" -m roce_audit "$@"; }}']
    promised = list(blocks(DOCS / "tutorial.md"))
    for i, (commands, code) in enumerate(promised):
        script += [commands, f'code=$?; [ $code = {code} ] || {{ echo "block {i} ended with $code" >&2; exit 99; }}']
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(promised) > 10
    assert "not tried: " in done.stdout


def test_links_of_pages_lead_somewhere() -> None:
    assert [
        f"{page.relative_to(DOCS)} links to {target}"
        for page in PAGES
        for target in links_of(page)
        if not target.startswith("http") and not (page.parent / target).exists()
    ] == []


def links_of(page: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
    return re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)


def test_every_page_is_in_the_menu() -> None:
    menu = (DOCS / "mkdocs.yml").read_text(encoding="utf-8")
    named = set(re.findall(r"[\w/-]+\.md", menu)) | {f"platforms/{p.name}" for p in (DOCS / "platforms").glob("*.md")}
    generated = {f"platforms/generated/{p.name}" for p in (DOCS / "platforms" / "generated").glob("*.md")}
    rules = {f"reference/rules/{rule.id}.md" for rule in rulepack.load([rulepack.builtin_folder()])}
    assert {page.relative_to(DOCS).as_posix() for page in PAGES} == named | generated | rules


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
