"""What is made when the package is built: always the same, for every rule and table, and never believed for anything else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from roce_audit import platforms, readymade
from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rule import Rule
from roce_audit.text import cachefiles
from roce_audit.text.statements import parser as parsers
from roce_audit.text.statements.table import StatementTable

ROOT = Path(__file__).parents[2]
FILE = ROOT / "fixtures" / "fabric-faulty" / "backend" / "leaf1.cfg"
HEAVY = ("lark", "pydantic", "ruamel")


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return readymade.files()


@pytest.fixture
def ready(tmp_path: Path, made: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an installed package, and a user who has run nothing yet."""
    folder = tmp_path / "_ready"
    folder.mkdir()
    for name, content in made.items():
        (folder / name).write_bytes(content)
    monkeypatch.setattr(cachefiles, "READY", folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return folder


def _anew(folders: list[Path] | None = None) -> tuple[Rule, ...]:
    rulepack.LOADED.clear()
    return rulepack.load(folders)


def _kept(tmp_path: Path) -> list[str]:
    """What was made and kept for the user."""
    return sorted(path.suffix for path in (tmp_path / "cache").rglob("*") if path.is_file())


def test_the_same_tree_gives_the_same_bytes(tmp_path: Path, made: dict[str, bytes]) -> None:
    command = [sys.executable, "-m", "roce_audit.readymade", str(tmp_path / "again")]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "1"}, check=True)
    assert {path.name: path.read_bytes() for path in (tmp_path / "again").iterdir()} == made


def test_every_table_of_statements_is_made() -> None:
    for platform in platforms.every():
        platform.load().documentation()
    modules = [module for name, module in sys.modules.items() if name.startswith("roce_audit.platforms.")]
    loaded = {
        id(one): one.name for module in modules for one in vars(module).values() if isinstance(one, StatementTable)
    }
    assert loaded == {id(table): table.name for table in readymade.tables()}


def test_a_first_run_makes_nothing(ready: Path, tmp_path: Path) -> None:
    rules = _anew()
    assert rules == rulepack.load(use_cache=False)
    assert all(rule.known_reads is not None for rule in _anew())
    for table in readymade.tables():
        if table.grammar.kept_as() is not None:
            assert table.grammar._parser
    assert _kept(tmp_path) == []


def test_a_changed_rule_is_seen(ready: Path, tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    shutil.copytree(rulepack.builtin_folder(), folder)
    assert {Path(rule.path).parents[1] for rule in _anew([folder])} == {folder}
    assert _kept(tmp_path) == []
    file = folder / "mtu" / "below-roce.yaml"
    file.write_text(file.read_text().replace("title: ", "title: Otherwise, ", 1))
    (changed,) = (rule for rule in _anew([folder]) if rule.id == "mtu/below-roce")
    assert changed.title.startswith("Otherwise, ")
    assert _kept(tmp_path) == [".rules"]


def test_what_another_program_was_built_with_is_not_believed(
    ready: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rulepack, "_program", lambda: "another")
    assert all(rule.known_reads is None for rule in _anew())
    assert _kept(tmp_path) == [".rules"]


@pytest.mark.parametrize(
    "damage",
    [b"", b"no seal", cachefiles.sealed(b"[]"), cachefiles.sealed(b"{")],
    ids=["empty", "no seal", "a list", "cut off"],
)
def test_damaged_files_are_ignored(damage: bytes, ready: Path, tmp_path: Path) -> None:
    expected = rulepack.load(use_cache=False)
    for file in ready.iterdir():
        file.write_bytes(damage)
    assert _anew() == expected
    assert parsers.parser('port: "mtu" -> mtu', ["port"]).parse("port", "mtu") == parsers.Found("mtu", ())
    assert _kept(tmp_path) == [".rules", ".tables"]


def test_what_lies_beside_the_modules_may_belong_to_another_user(ready: Path, tmp_path: Path) -> None:
    """As the modules do: an administrator installs, others run."""
    for file in ready.iterdir():
        file.chmod(0o664)
        if os.geteuid() == 0:
            os.chown(file, 12345, 12345)
    _anew()
    assert _kept(tmp_path) == []


def _imports(python: Path, folder: Path, *options: str) -> set[str]:
    """Which heavy packages the first check of a file imports, in an environment and for a user who has kept nothing."""
    shutil.copy(FILE, folder)  # away from the policy of its fabric, which is read with both
    script = (
        "import sys\nfrom roce_audit.cli.main import main\n"
        f"assert main(['check', '-f', 'json=report.json', {FILE.name!r}]) == 1\n"
        f"print(*(name for name in {HEAVY!r} if name in sys.modules))"
    )
    environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [python, "-I", *options, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.splitlines()[-1].split())


def _checkout(folder: Path) -> Path:
    """What git has of this tree, without its history: a build writes beside the modules."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout.decode()
    for name in names.rstrip("\0").split("\0"):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def _environment(venv: Path, *packages: str) -> Path:
    """The Python of a new environment in which these are installed."""
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(venv)], check=True)
    python = venv / "bin" / "python"
    subprocess.run([*uv, "pip", "install", "--quiet", "--python", str(python), *packages], cwd=venv, check=True)
    return python


@pytest.mark.packages
@pytest.mark.parametrize("options", [(), ("-e",)], ids=["wheel", "editable"])
def test_an_installed_package_needs_neither_lark_nor_yaml_for_its_first_check(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    checkout = _checkout(tmp_path / "checkout")
    python = _environment(tmp_path / "venv", *options, str(checkout))
    (tmp_path / "user").mkdir()
    assert _imports(python, tmp_path / "user") == set()
    assert not list((tmp_path / "user" / "cache").rglob("*.rules"))
    if options:
        rule = checkout / "rules" / "mtu" / "below-roce.yaml"
        rule.write_text(rule.read_text() + "# changed\n")
        assert "pydantic" in _imports(python, tmp_path / "user")
        assert list((tmp_path / "user" / "cache").rglob("*.rules"))


@pytest.mark.packages
def test_a_build_without_what_it_needs_gives_a_package_that_works(tmp_path: Path) -> None:
    checkout = _checkout(tmp_path / "checkout")
    builder = _environment(tmp_path / "builder", "hatchling", "editables")
    built = subprocess.run(
        [builder, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    assert "built without ready-made rules and tables, a first run makes them: ModuleNotFoundError" in built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    python = _environment(tmp_path / "venv", str(wheel))
    (tmp_path / "user").mkdir()
    assert _imports(python, tmp_path / "user") == {"lark", "pydantic"}  # the rules are plain YAML, read without ruamel
