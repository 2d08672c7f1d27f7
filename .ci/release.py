"""`release.py vX.Y.Z`: prints the notes of that release; ends with 1 where tag, version and changelog do not agree."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
VERSION = re.compile(r'^__version__ = "([^"]+)"$', re.M)
DATED = re.compile(
    r"^## (?P<version>\d+\.\d+\.\d+) \((?P<date>\d{4}-\d\d-\d\d)\)\n(?P<notes>.*?)(?=^## |\Z)", re.M | re.S
)


def notes(tag: str, root: Path = ROOT) -> str:
    """The changelog's section of a release. Raises ValueError where something does not agree."""
    found = VERSION.search((root / "roce_audit" / "__init__.py").read_text(encoding="utf-8"))
    version = found.group(1) if found else None
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, and roce_audit/__init__.py says {version}")
    for section in DATED.finditer((root / "CHANGELOG.md").read_text(encoding="utf-8")):
        if section["version"] == version:
            return section["notes"].strip() + "\n"
    raise ValueError(f"CHANGELOG.md has no section '## {version} (YYYY-MM-DD)'")


def main() -> int:
    """The notes on standard output."""
    try:
        sys.stdout.write(notes(sys.argv[1]))
    except (ValueError, IndexError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
