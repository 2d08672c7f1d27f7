"""The path file: what it may say, and each mistake with its file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.policy import PolicyError, load
from roce_audit.policy.values import Policy


def policy(folder: Path, text: str | bytes) -> Policy:
    (folder / "roce-audit.yaml").write_text("mtu: {roce: 4096}\npath_file: ways.yaml\n")
    (folder / "ways.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    return load(folder / "roce-audit.yaml")


def refused(folder: Path, text: str | bytes) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        policy(folder, text)
    return [f"{Path(one.path).name}:{one.line}: {one.message}" for one in caught.value.problems]


def test_each_entry_knows_its_line(tmp_path: Path) -> None:
    text = 'paths:\n  - {from: leaf1, to: "leaf[2-9]", via: [spine1]}\n\n  - from: gpu1\n    to: leaf3\n    via: [[a, b], c]\n'
    first, second = policy(tmp_path, text).given_paths
    assert (first.start, first.end, first.via, first.at.line) == ("leaf1", "leaf[2-9]", (("spine1",),), 2)
    assert (second.start, second.via, second.at.line) == ("gpu1", (("a", "b"), ("c",)), 4)
    assert Path(first.at.path).name == "ways.yaml"


def test_two_ends_may_be_cabled_to_each_other(tmp_path: Path) -> None:
    (entry,) = policy(tmp_path, "paths: [{from: a, to: b, via: []}]\n").given_paths
    assert entry.via == ()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("paths:\n  - {from: a, too: b, via: []}\n", 2, "paths[1].too: unknown key; did you mean 'to'?"),
        ("paths:\n  - {from: a, to: b}\n", 2, "paths[1].via: is missing"),
        ("paths:\n  - {from: a, to: b, via: []}\n  - {from: a, to: b, via: [[]]}\n", 3, "needs at least 1 entries"),
        ("paths:\n  - {from: a, to: '', via: []}\n", 2, "an empty pattern matches nothing"),
        (f"paths:\n  - {{from: a, to: b, via: [{', '.join('x' * 9)}]}}\n", 2, "needs at most 8 entries, not 9"),
        ("paths:\n" + "- {from: a, to: b, via: []}\n" * 1001, 1, "needs at most 1000 entries, not 1001"),
        ("ways: []\n", 1, "ways: unknown key; known are paths"),
        ("", 1, "paths: is missing"),
        ("paths: [\n", 2, ""),
        (b"paths:\n  - \xff\n", 2, "is not UTF-8"),
        ("paths: !!python/name:os.system []\n", 1, "tag"),
    ],
)
def test_a_mistake_stops_with_its_line(tmp_path: Path, text: str | bytes, line: int, words: str) -> None:
    told = refused(tmp_path, text)
    assert any(one.startswith(f"ways.yaml:{line}: ") and words in one for one in told), told


def test_the_mistakes_of_both_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "roce-audit.yaml").write_text("roce: {}\npath_file: ways.yaml\n")
    (tmp_path / "ways.yaml").write_text("paths: 3\n")
    with pytest.raises(PolicyError) as caught:
        load(tmp_path / "roce-audit.yaml")
    assert {Path(one.path).name for one in caught.value.problems} == {"roce-audit.yaml", "ways.yaml"}


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "roce-audit.yaml").write_text("path_file: ways.yaml\n")
    with pytest.raises(PolicyError, match=r"roce-audit\.yaml:1: path_file: .*ways\.yaml: no such file"):
        load(tmp_path / "roce-audit.yaml")
    (tmp_path / "ways.yaml").mkdir()
    with pytest.raises(PolicyError, match=r"roce-audit\.yaml:1: path_file: .*ways\.yaml: is a directory"):
        load(tmp_path / "roce-audit.yaml")
