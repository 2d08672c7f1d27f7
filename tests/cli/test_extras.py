"""What is not installed: the base installation judges files; a verb that needs an extra names it in one line."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = (
    "netmiko",
    "paramiko",
    "sqlalchemy",
    "alembic",
    "keyring",
    "psycopg",
    "pygls",
    "lsprotocol",
    "watchfiles",
    "distributed",
)
RUN = """
import sys
from importlib.machinery import PathFinder

names = set(sys.argv.pop(1).split(","))
found = PathFinder.find_spec
PathFinder.find_spec = lambda name, *where: None if name.partition(".")[0] in names else found(name, *where)

from roce_audit.cli.main import main

sys.exit(main(sys.argv[1:]))
"""
SITE = "fixtures/fabric"


def run(*words: str, without: tuple[str, ...] = EXTRAS) -> subprocess.CompletedProcess[str]:
    """The program where these packages cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", RUN, ",".join(without), *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("check", SITE), 0),
        (("check", SITE, "--color", "always"), 0),
        (("show", "--roce", SITE), 0),
        (("fix", f"{SITE}/backend/spine1.cfg"), 0),
        (("diff", SITE, "fixtures/fabric-faulty"), 1),
        (("rules",), 0),
        (("explain", "pfc/priority-off"), 0),
        (("init", "-o", "-", SITE), 0),
        (("calc", "headroom", "--speed", "400G", "--cable", "40", "--mtu", "9216"), 0),
        (("host-probe",), 0),
        (("completion", "bash"), 0),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_the_base_installation_judges_files(words: tuple[str, ...], code: int) -> None:
    done = run(*words)
    assert (done.returncode, "pip install" in done.stderr) == (code, False)
    assert done.stdout


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("collect", "-i", "inventory.yaml", "-o", "snapshot"), "live"),
        (("collect", "-i", "inventory.yaml", "--print-commands"), "live"),
        (("audit", SITE), "history"),
        (("audit", "-i", "inventory.yaml"), "history,live"),
        (("history",), "history"),
        (("diff", "last", SITE), "history"),
        (("lsp",), "lsp"),
        (("check", "--watch", "."), "watch"),
        (("check", "--executor", "dask://127.0.0.1:8786", SITE), "cluster"),
    ],
    ids=" ".join,
)
def test_a_verb_without_its_extra_names_it(words: tuple[str, ...], extra: str) -> None:
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.endswith(f"pip install 'roce-audit[{extra}]'")


def test_only_the_missing_extra_is_named() -> None:
    done = run("audit", "-i", "inventory.yaml", without=("netmiko",))
    assert done.stderr.rstrip() == (
        "roce-audit: audit -i needs more than is installed (netmiko): pip install 'roce-audit[live]'"
    )


def test_every_extra_for_users_is_in_all_and_all_is_in_dev() -> None:
    extras = PROJECT["optional-dependencies"]
    (all_of,) = extras["all"]
    assert set(all_of.removeprefix("roce-audit[").removesuffix("]").split(",")) == extras.keys() - {
        "all",
        "docs",
        "dev",
    }
    assert "roce-audit[all]" in extras["dev"]
