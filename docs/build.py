"""Build the documentation site: `python docs/build.py [FOLDER]` (default: build/site). Every warning fails.

Needs `pip install -e '.[docs]'`. Links that lead nowhere and pages that are in no menu are warnings of MkDocs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parent
PAGES = ("*.md", "*.svg", "*.json")


def stage(folder: Path) -> Path:
    """Copy the pages and the configuration; the menu of platforms is the folder. Gives the configuration's path."""
    for pattern in PAGES:
        for file in DOCS.rglob(pattern):
            target = folder / "pages" / file.relative_to(DOCS)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
    platforms = [f"      - {_title(file)}: platforms/{file.name}" for file in sorted((DOCS / "platforms").glob("*.md"))]
    config = (DOCS / "mkdocs.yml").read_text(encoding="utf-8").replace("PLATFORMS\n", "\n".join(platforms) + "\n")
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    return folder / "mkdocs.yml"


def _title(page: Path) -> str:
    """The page's heading, as a YAML word."""
    heading = page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ").strip()
    return f'"{heading}"'


def main(arguments: list[str]) -> int:
    """Stage and build."""
    target = Path(arguments[0] if arguments else "build/site").absolute()
    with tempfile.TemporaryDirectory(prefix="roce-audit-") as folder:
        config = stage(Path(folder))
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(config), "-d", str(target)]
        return subprocess.run(command, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
