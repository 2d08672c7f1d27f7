"""Damage done to files line by line: each kind does what it says, and none of it stays unnoticed in a configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from roce_audit.audit import Request
from roce_audit.cli.main import main
from roce_audit.policy import FILE_NAME, load
from roce_audit.proof import damage, examples
from roce_audit.proof.breakage import Relevant
from roce_audit.proof.mutation import DAMAGE, run
from roce_audit.values import Place

TEXT = "hostname leaf1\ninterface Ethernet1\n   mtu 9214\n   noon 1\nend\n"


def line(number: int) -> Relevant:
    return Relevant((Place("a.cfg", number),), "eos", TEXT.split("\n")[number - 1])


def test_two_letters_are_swapped() -> None:
    broken = damage.misspelt(line(2), TEXT)
    assert broken is not None
    assert broken.text == TEXT.replace("interface", "itnerface")
    assert damage.misspelt(line(3), TEXT) is None, "no word is long enough"
    assert damage.misspelt(line(4), TEXT.replace("noon", "nooo")) is None, "swapping equal letters changes nothing"


def test_a_letter_is_replaced_by_one_that_looks_the_same() -> None:
    broken = damage.foreign_letter(line(2), TEXT)
    assert broken is not None
    assert broken.text == TEXT.replace("interface", "\u0456nterface")


def test_the_marks_of_a_merge_stand_around_the_line() -> None:
    lines = damage.conflict(line(3), TEXT).text.split("\n")
    assert lines[2:7] == ["<<<<<<< HEAD", "   mtu 9214", "=======", "   mtu 9214", ">>>>>>> main"]


def test_the_file_ends_within_the_line() -> None:
    assert damage.cut(line(3), TEXT).text == "hostname leaf1\ninterface Ethernet1\n   mtu"


@pytest.mark.parametrize("platform", ["eos", "sonic", "srlinux"])
def test_damage_is_noticed(platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in examples.base(platform).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    for kind in DAMAGE:
        done = run(Request((".",), load(tmp_path / FILE_NAME)), (kind,), limit=12, seconds=1e9)
        assert done.trials == 12
        assert done.problems == []
        assert [one for one in done.unnoticed if one.reason == "no rule"] == []


def test_the_verb_prints_each_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pfc = "   priority-flow-control on\n   priority-flow-control priority 3 no-drop\n"
    (tmp_path / "leaf1.cfg").write_text(TEXT.replace("   noon 1\n", pfc))
    assert main(["selftest", "--damage", "--seconds", "1e6", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    for words in (
        "a slip of the keyboard",
        "a letter of another alphabet",
        "an unfinished merge",
        "the end of the file",
    ):
        assert words in said
