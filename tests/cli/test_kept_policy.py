"""Policies are kept as they were checked, and read anew when anything that they follow from is another."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from roce_audit.cli import request
from roce_audit.cli.errors import UsageError
from roce_audit.policy import Policy, PolicyError

ALL = """\
profile: nvidia-spectrum
roce: {dscp: [26], priority: [3]}
cnp: {dscp: [48], priority: [6]}
mtu: {roce: 4096}
lossless: true
classes:
  - {name: storage, dscp: [34], priority: 4, lossless: true, mtu: 1024}
fabrics:
  front: {devices: ["edge*"], roce: none}
  back: {devices: ["leaf*"], profile: dell, cnp: {dscp: [50]}}
ports:
  - {match: "leaf1:Ethernet1", roce: true, because: "a storage server"}
cables:
  - {between: [host, leaf], length_m: 2.5}
far_ends: ["{device} {port}"]
exclude: ["old/**"]
maintenance: [leaf7]
paths:
  "a/*.cfg": {platform: eos, complete: true}
rules:
  pfc/priority-off: {severity: warning}
  ecn/ratio-to-buffer: {params: {}}
ignore:
  - {rule: mtu/*, reason: lab, until: 2999-12-31}
rules_path: [own]
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a policy, which is the working directory, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "roce-audit.yaml").write_text(ALL)
    return folder


def policy(profile: str | None = None, *, no_cache: bool = False) -> Policy:
    options = argparse.Namespace(policy=None, profile=profile, topology=None, no_cache=no_cache)
    return request.policy(options, ["."])


def kept(place: Path) -> list[Path]:
    return sorted((place.parent / "cache/roce-audit").glob("*.policy"))


def _loads(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The policy files that are read from now on."""
    found: list[Path] = []
    load = request.load

    def seen(file: Path) -> Policy:
        found.append(file)
        return load(file)

    monkeypatch.setattr(request, "load", seen)
    return found


def test_a_kept_policy_is_the_same_to_the_last_line(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads = _loads(monkeypatch)
    assert policy() == policy()
    assert len(loads) == len(kept(place)) == 1
    assert {entry.rule for entry in policy().rules} > {"pfc/priority-off", "ecn/ratio-to-buffer"}, "and of the profile"


def test_without_a_cache_nothing_is_kept_or_taken(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = policy(no_cache=True)
    assert not kept(place)
    policy()
    loads = _loads(monkeypatch)
    assert policy(no_cache=True) == before
    assert len(loads) == len(kept(place)) == 1


CHANGES: dict[str, Callable[[Path], object]] = {
    "a number": lambda at: (at / "roce-audit.yaml").write_text(ALL.replace("2.5", "3.5")),
    "a comment, which moves lines": lambda at: (at / "roce-audit.yaml").write_text(f"# new\n{ALL}"),
    "what was kept is damaged": lambda at: kept(at)[0].write_bytes(
        kept(at)[0].read_bytes().replace(b"leaf7", b"leaf8")
    ),
    "what was kept is cut off": lambda at: kept(at)[0].write_bytes(kept(at)[0].read_bytes()[:-9]),
    "what was kept is nothing": lambda at: kept(at)[0].write_bytes(b""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_another_is_read_anew(place: Path, monkeypatch: pytest.MonkeyPatch, change: str) -> None:
    before = policy()
    CHANGES[change](place)
    loads = _loads(monkeypatch)
    after = policy()
    assert len(loads) == 1
    assert (after == before) is change.startswith("what was kept")
    assert policy() == after
    assert len(loads) == 1


def test_a_profile_of_the_command_line_makes_another_policy(place: Path) -> None:
    assert policy("dell") != policy()
    assert policy("dell") == policy("dell")
    with pytest.raises(UsageError):
        policy("no-such")


@pytest.mark.parametrize("wrong", ["profile: no-such\n", "paths:\n  a/*: {platform: no-such}\n", "roce: 5\n"])
def test_what_is_wrong_is_said_each_time(place: Path, wrong: str) -> None:
    (place / "roce-audit.yaml").write_text(wrong)
    for _ in range(2):
        with pytest.raises((UsageError, PolicyError)):
            policy()
    assert not kept(place)


def test_what_follows_from_a_further_file_is_not_kept(place: Path) -> None:
    (place / "ways.yaml").write_text("paths:\n  - {from: a, to: b, via: []}\n")
    (place / "roce-audit.yaml").write_text("path_file: ways.yaml\n")
    assert policy().given_paths
    assert not kept(place)


def test_a_secret_is_not_kept(place: Path) -> None:
    (place / "roce-audit.yaml").write_text('ports:\n  - {match: "a:b", roce: true, because: "password hunter2"}\n')
    assert policy().ports
    assert not kept(place)


def test_a_kept_policy_needs_no_checker(place: Path) -> None:
    """The second process imports neither pydantic nor a reader of YAML."""
    code = (
        "import argparse, sys\nfrom roce_audit.cli import request\n"
        "request.policy(argparse.Namespace(policy=None, profile=None, topology=None), ['.'])\n"
        "print('pydantic' in sys.modules, 'ruamel.yaml' in sys.modules)"
    )
    said = [
        subprocess.run([sys.executable, "-c", code], env=os.environ, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said[0].startswith("True")
    assert said[1] == "False False\n"
