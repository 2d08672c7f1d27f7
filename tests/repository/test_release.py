"""What a release is made of: version, changelog, workflow, packages, container, locked development."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from ruamel.yaml import YAML

from roce_audit import __version__

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONTAINERFILE = (ROOT / "Containerfile").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def release() -> ModuleType:
    spec = importlib.util.spec_from_file_location("release", ROOT / ".ci" / "release.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def site(folder: Path, version: str, changelog: str) -> Path:
    (folder / "roce_audit").mkdir()
    (folder / "roce_audit" / "__init__.py").write_text(f'"""Words."""\n\n__version__ = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(changelog)
    return folder


def test_the_notes_are_the_section_of_the_version(release: ModuleType, tmp_path: Path) -> None:
    text = "# Changelog\n\n## 1.1.0 (2030-01-02)\n\n- New.\n- Newer.\n\n## 1.0.0 (2029-01-02)\n\n- Old.\n"
    assert release.notes("v1.1.0", site(tmp_path, "1.1.0", text)) == "- New.\n- Newer.\n"


@pytest.mark.parametrize(
    ("tag", "changelog", "said"),
    [
        ("v1.0.0", "## 1.1.0 (2030-01-02)\n\n- New.\n", "__init__.py says 1.1.0"),
        ("v1.1.0", "## 1.1.0 (Unreleased)\n\n- New.\n", "no section"),
        ("v1.1.0", "## 1.0.0 (2029-01-02)\n\n- Old.\n", "no section"),
    ],
)
def test_what_does_not_agree_is_no_release(
    release: ModuleType, tmp_path: Path, tag: str, changelog: str, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        release.notes(tag, site(tmp_path, "1.1.0", changelog))


def test_the_changelog_has_a_section_for_this_version() -> None:
    newest = re.search(r"^## (\S+) \((?:Unreleased|\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    assert newest is not None
    assert newest.group(1) == __version__
    assert PROJECT["dynamic"] == ["version"]


def test_the_workflow_publishes_what_was_built_and_checked() -> None:
    jobs = YAML(typ="safe").load(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert (jobs["publish"]["needs"], jobs["announce"]["needs"]) == ("build", "publish")
    steps = [step.get("run", step.get("uses", "")) for step in jobs["build"]["steps"]]
    order = [
        ".ci/release.py",
        ".ci/run",
        "-m build",
        ".ci/check_packages",
        "attest-build-provenance",
        "upload-artifact",
    ]
    at = [next(i for i, step in enumerate(steps) if word in step) for word in order]
    assert at == sorted(at)
    assert "attestations" in jobs["build"]["permissions"]
    assert "contents" not in jobs["publish"]["permissions"]
    for step in steps:
        for script in re.findall(r"\.ci/\w+(?:\.py)?", step):
            assert (ROOT / script).is_file()


@pytest.mark.packages
def test_packages_build_install_and_judge(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for command in (
        [sys.executable, "-m", "build", "--installer", "uv", "--outdir", str(tmp_path), str(ROOT)],
        [str(ROOT / ".ci" / "check_packages"), str(tmp_path)],
    ):
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"roce_audit-{__version__}-py3-none-any.whl",
        f"roce_audit-{__version__}.tar.gz",
    ]


def instructions() -> list[tuple[str, str]]:
    joined = re.sub(r"\\\n\s*", "", "\n".join(x for x in CONTAINERFILE.splitlines() if not x.startswith("#")))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def test_the_container_is_small_and_runs_as_nobody() -> None:
    found = instructions()
    bases = [rest.split()[0] for word, rest in found if word == "FROM"]
    assert all(re.fullmatch(r"docker\.io/library/python:\d+\.\d+-slim", base) for base in bases)
    last = found[[word for word, _ in found].index("FROM", 1) :]
    assert not [rest for word, rest in last if word == "COPY" and "--from=" not in rest]
    for _, rest in (one for one in found if "apt-get install" in one[1]):
        assert "--no-install-recommends git" in rest
        assert "rm -rf /var/lib/apt/lists/*" in rest
    (user,) = [rest for word, rest in found if word == "USER"]
    assert int(user.partition(":")[0]) > 0
    assert ("ENTRYPOINT", '["roce-audit"]') in found


def test_the_container_is_built_from_what_the_package_needs() -> None:
    lines = [x for x in (ROOT / ".dockerignore").read_text().splitlines() if not x.startswith("#")]
    assert lines[0] == "*"
    given = {line[1:] for line in lines if line.startswith("!")}
    assert given == {"LICENSE", "README.md", "hatch_build.py", "pyproject.toml", "roce_audit", "rules"}
    assert all((ROOT / name).exists() for name in given)


def builder() -> str | None:
    """A program here that builds container images and answers."""
    for name in ("podman", "docker", "buildah"):
        if shutil.which(name) and subprocess.run([name, "info"], capture_output=True, check=False).returncode == 0:
            return name
    return None


@pytest.mark.container
def test_the_container_judges_a_folder() -> None:
    program = builder()
    if program is None:
        pytest.skip("NOT TESTED: no podman, docker or buildah here that answers; the Containerfile was only read")
    tag = ["-t", "roce-audit:test"]
    build = [program, "build", *tag, "-f", "Containerfile", "."]
    subprocess.run(build, cwd=ROOT, check=True)
    if program != "buildah":
        mount = f"{ROOT / 'fixtures' / 'fabric'}:/work:ro"
        done = subprocess.run([program, "run", "--rm", "-v", mount, tag[1], "check", "."], check=False)
        assert done.returncode == 0


def test_development_is_locked_with_hashes() -> None:
    """Every package that is named in pyproject.toml has a version and hashes in requirements-dev.txt."""
    lock = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    locked = {
        m.group(1): m.group(2) for m in re.finditer(r"^([a-z0-9-]+)(?:\[\w+\])?==(.*?)(?=^\S|\Z)", lock, re.M | re.S)
    }
    extras = PROJECT["optional-dependencies"].values()
    texts = [text for of in (PROJECT["dependencies"], *extras) for text in of]
    named = {re.split(r"[^\w.-]", text)[0].lower().replace(".", "-") for text in texts} - {"roce-audit"}
    assert sorted(name for name in named if "--hash=sha256:" not in locked.get(name, "")) == []
