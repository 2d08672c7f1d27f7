"""The arrows of the house: imports run one way only, heavy packages are imported where they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "roce_audit"

ALLOWED = {
    "records": set(),
    "patterns": set(),
    "values": set(),
    "model": {"values"},
    "formulas": set(),
    "text": {"values", "model"},
    "policy": {"values", "text"},
    "platforms": {"values", "model", "text"},
    "sources": {"values", "text", "platforms"},
    "fabric": {
        "values",
        "model",
        "text.block",
        "text.devicelists",
        "text.sentences",
        "text.series",
        "platforms.base",
        "platforms.portreading",
        "policy",
    },
    "engine": {"values", "model", "formulas", "fabric", "policy", "text", "platforms.base", "platforms.portreading"},
    "report": {
        "engine.findings",
        "engine.rules.rule",
        "text.decode",
        "text.names",
        "text.secrets.redact",
        "text.sentences",
        "text.wholefile",
    },
    "promises": {"model", "text", "platforms.base"},
    "readings": {"values", "model", "text", "platforms", "promises", "sources"},
    "audit": {
        "values",
        "model",
        "text",
        "policy",
        "platforms",
        "sources",
        "fabric",
        "engine",
        "promises",
        "readings",
    },
    "readymade": {"platforms", "engine", "text"},
    "answered": {"text", "sources", "engine", "readings", "audit", "report.drawing"},
    "history": {"engine", "audit", "fabric", "text.decode"},
    "fixing": {"values", "model", "text", "platforms", "sources", "fabric", "engine", "readings", "audit"},
    "views": {
        "values",
        "model",
        "formulas",
        "text",
        "policy",
        "platforms",
        "sources",
        "fabric",
        "engine",
        "audit",
        "report",
        "proof",
        "history",
    },
    "proof": {
        "values",
        "model",
        "text",
        "policy",
        "platforms",
        "promises",
        "sources",
        "fabric",
        "engine",
        "audit",
        "report",
    },
    "calculator": {"formulas"},
    "drafting": {"values", "model", "text", "policy", "fabric", "engine", "audit", "report"},
    "casefile": {"policy", "text", "model", "fabric", "sources", "engine", "audit", "report", "drafting"},
    "editor": {"values", "text", "sources.files", "engine", "report", "audit", "fixing", "views", "proof"},
    "cli": {
        "answered",
        "editor",
        "calculator",
        "casefile",
        "drafting",
        "values",
        "model",
        "text",
        "policy",
        "platforms",
        "sources",
        "fabric",
        "engine",
        "report",
        "audit",
        "fixing",
        "history",
        "proof",
        "readings",
        "views",
    },
}
ONLY_IN = {
    "netmiko": {"sources/live/terminal.py"},
    "lark": {"text/statements/parser.py"},
    "pygls": {"editor/server.py"},
    "distributed": {"readings/cluster.py"},
    "lsprotocol": {"editor/server.py"},
    "paramiko": {"sources/live/execchannel.py", "sources/live/ssh.py", "sources/live/trust.py"},
}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), path


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Every module a file imports, wherever the import stands, except for type checking."""
    return tuple(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def room(module: str) -> str:
    return module.removesuffix(".py").partition("/")[0]


def test_imports_follow_the_arrows() -> None:
    assert [
        f"{name} imports {target}; {mine} may import {sorted(ALLOWED[mine])}"
        for name, path in modules()
        if (mine := room(name)) in ALLOWED
        for target in imported(path)
        if target.startswith("roce_audit.") and not is_allowed(target.removeprefix("roce_audit."), mine)
    ] == []


def is_allowed(target: str, mine: str) -> bool:
    if (
        target.partition(".")[0] in (mine, "records", "patterns") or target == "__version__"
    ):  # no arrow: how all is written
        return True
    return any(target == allowed or target.startswith(f"{allowed}.") for allowed in ALLOWED[mine])


def test_a_platform_never_imports_another() -> None:
    wrong = []
    for name, path in modules():
        parts = name.split("/")
        if parts[0] != "platforms" or len(parts) < 3:
            continue
        for target in imported(path):
            other = target.removeprefix("roce_audit.platforms.").partition(".")[0]
            is_platform = target.startswith("roce_audit.platforms.") and (PACKAGE / "platforms" / other).is_dir()
            if is_platform and other not in (parts[1], "shared"):
                wrong.append(f"{name} imports {target}")
    assert wrong == []


@pytest.mark.parametrize("package", sorted(ONLY_IN))
def test_some_packages_are_imported_in_one_place(package: str) -> None:
    users = {name for name, path in modules() if any(t.split(".")[0] == package for t in imported(path))}
    assert users <= ONLY_IN[package]


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["--version"], {"pydantic", "lark", "ruamel", "rich", "netmiko", "importlib.metadata", "typing"}),
        (["check", "--help"], {"pydantic", "lark", "ruamel", "rich", "netmiko"}),
    ],
)
def test_starting_up_stays_light(arguments: list[str], absent: set[str]) -> None:
    code = (
        "import sys\nfrom roce_audit.cli.main import main\n"
        f"try:\n    main({arguments!r})\nexcept SystemExit:\n    pass\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.split(".")[0] for line in done.stderr.splitlines()} | set(done.stderr.splitlines())
    assert not loaded & absent


@pytest.mark.parametrize("init", sorted(PACKAGE.rglob("__init__.py")), ids=lambda init: str(init.relative_to(PACKAGE)))
def test_no_module_takes_the_place_of_what_its_package_exports(init: Path) -> None:
    # importing `package.name` later sets `package.name` to the module, whatever the package had by that name
    package = ".".join(init.relative_to(PACKAGE.parent).parent.parts)
    modules = {module.stem for module in init.parent.glob("*.py")} | {
        inner.parent.name for inner in init.parent.glob("*/__init__.py")
    }
    for node in ast.walk(ast.parse(init.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module != package:
            taken = {alias.asname or alias.name for alias in node.names} & modules
            assert all(node.module == f"{package}.{name}" for name in taken), f"{init}: {sorted(taken)}"
