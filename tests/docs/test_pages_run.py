"""What the pages tell people to type is typed: every block of commands is run as written, or says why it is not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from docs_commands import Block, all_blocks

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if any("roce-audit" in b.commands for b in all_blocks(page))]
RUN = [page for page in PAGES if any(b.exit is not None for b in all_blocks(page))]
FOLDERS = ("configs", "network", "snapshot", "fleet")
"""What the pages call the files of a site."""
FAULTY = ROOT / "fixtures" / "fabric-faulty"
ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name not in ("SLURM_ARRAY_TASK_ID", "ROCE_AUDIT_HISTORY")},
    "PYTHONPATH": str(ROOT),
    "COLUMNS": "100",
}
UNEXPECTED = (2, 3, 70, 126, 127)
"""How a command ends that was typed wrong, found nothing or met a fault of the program."""
WRAPPER = f"""
roce-audit() {{
    "{sys.executable}" -m roce_audit "$@"
    local code=$?
    case $code in {"|".join(map(str, UNEXPECTED))}) echo "$code: roce-audit $*" >> "$ENDED" ;; esac
    return $code
}}
command -v jq >/dev/null || jq() {{ cat >/dev/null; }}
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_block_is_run_or_says_why_not(page: Path) -> None:
    for block in all_blocks(page):
        if "roce-audit" in block.commands:
            assert block.marked, f"{page.relative_to(ROOT)}: neither `run` nor `not run`:\n{block.commands}"
            assert block.exit is not None or block.why_not, f"{page.relative_to(ROOT)}: no reason:\n{block.commands}"
        assert block.exit is not None or not block.output, f"{page.relative_to(ROOT)}: nobody sees this output"


def site(folder: Path, commands: str) -> None:
    """A repository with the folders that the page names; a page that names and makes none is about the folder itself."""
    named = [name for name in FOLDERS if re.search(rf"\b{name}\b", commands)]
    for name in named or ([] if "my-network" in commands else ["."]):
        shutil.copytree(FAULTY, folder / name, dirs_exist_ok=True)
        (folder / name / "roce-audit.yaml").unlink()
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    (folder / ".gitignore").write_text("fixtures\n")
    (folder / "var/lib/node_exporter").mkdir(parents=True)
    for words in ("init -q -b main .", "add -A", "commit -q -m site", "update-ref refs/remotes/origin/main HEAD"):
        command = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *words.split()]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)


@pytest.mark.sweep
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_a_page_runs_as_written(page: Path, tmp_path: Path) -> None:
    """In one shell; every block ends as the page says, and no command in it was typed wrong."""
    found = [block for block in all_blocks(page) if block.exit is not None]
    commands = "\n".join(f"{block.first}\n{block.commands}" for block in found)
    site(tmp_path, commands)
    script = ["set +e", f'ENDED="{tmp_path}/.git/ended"', WRAPPER]
    for number, block in enumerate(found):
        script += [
            block.first,
            f'exec >"{tmp_path}/.git/out{number}"',
            block.commands.replace(" /var/lib/", " var/lib/").replace("=/var/lib/", "=var/lib/"),
            f'code=$?; [ {block.exit} -lt 0 -o $code = {block.exit} ] || {{ echo "block {number} ended with $code" >&2; exit 99; }}',
        ]
    done = subprocess.run(
        ["bash", "-c", "\n".join(script)], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    ended = tmp_path / ".git/ended"
    assert not ended.exists(), ended.read_text() + done.stderr[-2000:]
    for number, block in enumerate(found):
        assert missing(block, (tmp_path / f".git/out{number}").read_text().splitlines()) == []


def missing(block: Block, printed: Sequence[str]) -> list[str]:
    """Lines that the page shows and that are not printed, in this order; blanks and numbers may be others."""
    lines = iter([_shape(line) for line in printed])
    return [line for line in block.output if not any(one.startswith(_shape(line)) for one in lines)]


def _shape(line: str) -> str:
    return " ".join(re.sub(r"\d[\d,.]*", "0", line).replace("...", "").split())
