"""Selftest on a user's own files: what is missed is told, what is noticed is counted, what was not tried is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from roce_audit.audit import Request, check
from roce_audit.cli.main import main
from roce_audit.policy import FILE_NAME, load
from roce_audit.proof import examples
from roce_audit.proof.breakage import Relevant, change, deletion, relevant, shape
from roce_audit.proof.mutation import Mutations, run
from roce_audit.values import Place

Capture = pytest.CaptureFixture[str]
FOR_EVER = 1e9


def network(platform: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Request:
    for name, text in examples.base(platform).items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    monkeypatch.chdir(folder)
    return Request((".",), load(folder / FILE_NAME))


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Mutations:
    with pytest.MonkeyPatch.context() as patch:
        request = network("eos", tmp_path_factory.mktemp("site"), patch)
        return run(request, ("deleted", "changed"), limit=None, seconds=FOR_EVER)


def missed(done: Mutations, kind: str = "deleted") -> dict[str, str]:
    return {one.breakage.line.text: one.reason for one in done.unnoticed if one.breakage.kind == kind}


def test_every_line_is_tried_and_accounted_for(tried: Mutations) -> None:
    assert tried.not_tried == 0
    assert tried.tried["deleted"] == tried.lines > 20
    reasons = [tried.missed("deleted", reason) for reason in ("nothing changes", "not asked there", "no rule")]
    assert sum(reasons) == tried.missed("deleted") < tried.lines / 2
    assert tried.problems == []


@pytest.mark.parametrize(
    "line", ["priority-flow-control priority 3 no-drop", "priority-flow-control on", "service-profile ROCE", "mtu 9214"]
)
def test_what_matters_is_noticed(tried: Mutations, line: str) -> None:
    assert line not in missed(tried)


def test_a_line_that_says_the_default_changes_nothing(tried: Mutations) -> None:
    default = {text for text, reason in missed(tried).items() if reason == "nothing changes"}
    assert default
    assert all(not one.fields for one in tried.unnoticed if one.reason == "nothing changes")


def test_numbers_are_changed_too(tried: Mutations) -> None:
    assert tried.tried["changed"] > 5
    assert missed(tried, "changed"), "some numbers may be anything"
    assert "priority-flow-control priority 3 no-drop" not in missed(tried, "changed")


def test_the_limit_holds_and_the_rest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    network("eos", tmp_path, monkeypatch)
    assert main(["selftest", ".", "--limit", "3"]) == 0
    said = capsys.readouterr().out
    assert "3 trials" in said
    assert "not tried: " in said
    assert main(["selftest", ".", "--limit", "3", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["trials"] == 3
    assert found["not_tried"] == found["lines_relevant"] - found["tried"]["deleted"] > 0
    assert main(["selftest", ".", "--limit", "0"]) == 2


def test_time_ends_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter(range(1000))
    request = network("eos", tmp_path, monkeypatch)
    done = run(request, ("deleted",), limit=None, seconds=2, clock=lambda: float(next(ticks)))
    assert 0 < done.trials < 5
    assert done.not_tried > 0


def test_files_are_not_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = network("eos", tmp_path, monkeypatch)
    before = (tmp_path / "leaf1.cfg").read_text()
    run(request, ("deleted",), limit=2, seconds=FOR_EVER)
    assert (tmp_path / "leaf1.cfg").read_text() == before


def test_nothing_recognised(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "notes.txt").write_text("nothing of ours\n")
    assert main(["selftest", str(tmp_path)]) == 3


def test_json_stays_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    request = network("sonic", tmp_path, monkeypatch)
    checked = check(request)
    broken = 0
    for line in relevant(checked.site, checked.devices, checked.lines):
        text = (tmp_path / line.places[0].path).read_text()
        changed = deletion(line, text).text
        assert json.loads(changed) != json.loads(text)
        broken += 1
    assert broken > 50


def one(text: str, at: int) -> Relevant:
    return Relevant((Place("x", at),), "eos", text.split("\n")[at - 1].strip())


def test_a_head_goes_with_its_block() -> None:
    text = "interface A\n   mtu 9000\n\n   no switchport\ninterface B\n   mtu 1500"
    assert deletion(one(text, 1), text).text == "interface B\n   mtu 1500"
    assert deletion(one(text, 2), text).text == text.replace("   mtu 9000\n", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("mtu 9214", "mtu 18428"),
        ("priority 3 no-drop", "priority 4 no-drop"),
        ('"xoff": "113664",', '"xoff": "227328",'),
        ("interface Ethernet1/1", None),
        ("no shutdown", None),
    ],
)
def test_the_last_number_of_a_line_is_changed(before: str, after: str | None) -> None:
    changed = change(one(before, 1), before)
    assert (changed.text if changed is not None else None) == after


def test_lines_of_one_shape_are_told_together() -> None:
    assert shape("  mtu  9214") == shape("mtu 1500")
