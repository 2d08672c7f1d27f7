"""What a first run would have to make of rules and statement tables: made when the package is built, see `hatch_build.py`.

`python -m roce_audit.readymade FOLDER` writes the files. Each is named by a digest of all that it is made of, so one that is not
of these rules and modules is never looked for.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from roce_audit import platforms
from roce_audit.engine.rules import rulepack
from roce_audit.text.cachefiles import sealed
from roce_audit.text.statements.table import StatementTable


def tables() -> Iterator[StatementTable]:
    """The statement tables of all platforms that have one."""
    for name in platforms.names():
        module = f"{platforms.__name__}.{name}.table"
        if find_spec(module) is not None:
            yield importlib.import_module(module).TABLE


def files() -> dict[str, bytes]:
    """Names and contents; the same each time."""
    made = [rulepack.kept_as(rulepack.builtin_folder()), *(table.grammar.kept_as() for table in tables())]
    return {name: sealed(content) for name, content in filter(None, made)}


def main(folder: Path) -> None:
    """Write them into a folder, which is made."""
    made = files()
    folder.mkdir()
    for name, content in made.items():
        (folder / name).write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
