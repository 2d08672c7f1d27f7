"""Answers that are kept: the same bytes in every format, and never one where anything that it was made of is another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import synthetic

from roce_audit import answered
from roce_audit.answered import Question
from roce_audit.audit import Request
from roce_audit.cli import check as verb
from roce_audit.cli.main import main
from roce_audit.engine.baseline import Accepted, Baseline
from roce_audit.policy import load
from roce_audit.policy.values import Policy
from roce_audit.readings import keys, stamps, store
from roce_audit.sources import lines
from roce_audit.values import Place

ROOT = Path(__file__).parents[2]
POLICY = "cables:\n  - {between: [leaf, host], length_m: 3}\nrules_path: [own]\n"
RULE = """\
title: MTU is small
scope: port
asks: present
require: port.ip_mtu_bytes > 1000
severity: info
message: "MTU {port.ip_mtu_bytes|bytes}"
why: It is small.
source: [{kind: unverified, title: nobody}]
confidence: debated
owner: switch
"""
DAY = date(2026, 1, 2)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(store, "_WORTH_BYTES", 0)
    return tmp_path / "cache" / "roce-audit"


def written(file: Path, text: str) -> None:
    """A file that was written long ago, as its stamp says."""
    file.parent.mkdir(exist_ok=True, parents=True)
    file.write_text(text)
    os.utime(file, (1_700_000_000, 1_700_000_000))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    for name, text in synthetic.fleet(4, 4, diverse=True).items():
        written(folder / f"{name}.cfg", text if name != "leaf3" else text.replace("mtu 9214\n", "mtu 1500\n", 1))
    written(folder / "roce-audit.yaml", POLICY)
    written(folder / "own" / "mtu" / "own-small.yaml", RULE)
    written(tmp_path / "cables.yaml", "links: []\n")
    written(tmp_path / "other.yaml", "links: []\n")
    monkeypatch.chdir(folder)
    return folder


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["check", *words])
    return code, capsys.readouterr().out


def test_an_answer_is_given_again_without_judging(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    words = [["leaf3.cfg", "--context", "."], [".", "-f", "json"], [".", "-f", "sarif"], [".", "-v", "-f", "text"]]
    fresh = [said(capsys, *these, "--no-cache") for these in words]
    assert not list(cache.glob("*.answer"))
    first = [said(capsys, *these) for these in words]
    monkeypatch.setattr(verb, "check", lambda *_: pytest.fail("judged again"))
    again = [said(capsys, *these) for these in words]
    assert [code for code, _ in fresh] == [1] * len(words)
    for old, new, third in zip(fresh, first, again, strict=True):
        assert _timeless(old) == _timeless(new) == _timeless(third)


def _timeless(told: tuple[int, str]) -> object:
    code, text = told
    if not text.startswith("{"):
        return told
    data = json.loads(text)
    return code, {name: value for name, value in data.items() if name not in ("generated", "started", "finished")}


def test_what_is_drawn_is_kept_with_the_answer(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pages = [tmp_path / f"{n}.html" for n in range(3)]
    said(capsys, ".", "-f", f"html={pages[0]}", "--no-cache")
    said(capsys, ".", "-f", "text")  # an answer without a drawing is no answer for a page
    said(capsys, ".", "-f", f"html={pages[1]}")
    monkeypatch.setattr(verb, "check", lambda *_: pytest.fail("judged again"))
    said(capsys, ".", "-f", f"html={pages[2]}")
    one, other, third = (page.read_text() for page in pages)
    assert "<svg" in one
    assert abs(len(one) - len(other)) < 100  # times apart
    assert len(other) == len(third)


def key(request: Request, wants: tuple[str, ...] = ()) -> str:
    question = Question(request, wants)
    question.kept()
    assert question._key is not None
    return question._key


def asked(**other: Any) -> Request:
    return Request((".",), load(Path("roce-audit.yaml")), today=DAY, topology="../cables.yaml", **other)


CHANGED: dict[str, Callable[[Request], Request]] = {
    "paths": lambda one: replace(one, paths=("leaf1.cfg",)),
    "policy": lambda one: replace(one, policy=replace(one.policy, cables=())),
    "topology": lambda one: replace(one, topology="../other.yaml"),
    "context": lambda one: replace(one, context=(".",)),
    "select": lambda one: replace(one, select=("mtu/*",)),
    "ignore": lambda one: replace(one, ignore=("mtu/*",)),
    "honour_suppressions": lambda one: replace(one, honour_suppressions=False),
    "today": lambda one: replace(one, today=date(2026, 1, 3)),
    "baseline": lambda one: replace(one, baseline=Baseline.holding([Accepted("f", "mtu/x", "leaf1:e1", "info", "")])),
    "remembered": lambda one: replace(one, remembered={"roce": "3"}),
    "blocks": lambda one: replace(one, blocks=False),
    "narrow": lambda one: replace(one, narrow=True),
}
NOT_KEPT: dict[str, Callable[[Request], Request]] = {
    "rules": lambda one: replace(one, rules=()),
    "since": lambda one: replace(one, since="../earlier"),
    "instead": lambda one: replace(one, instead={"leaf1.cfg": "hostname leaf1\n"}),
}
NO_PART = {"readers", "progress"}
"""How a request is carried out."""


def test_every_field_of_a_request_is_thought_of() -> None:
    assert {field.name for field in fields(Request)} == CHANGED.keys() | NOT_KEPT.keys() | NO_PART


@pytest.mark.parametrize("field", CHANGED)
def test_another_request_is_another_question(site: Path, field: str) -> None:
    assert key(CHANGED[field](asked())) != key(asked()) == key(asked())


@pytest.mark.parametrize("field", NOT_KEPT)
def test_what_is_no_question_of_files_alone_has_no_answer(site: Path, field: str) -> None:
    question = Question(NOT_KEPT[field](asked()), ())
    assert question.kept() is None
    assert question._file is None


def test_how_a_request_is_carried_out_makes_no_difference(site: Path) -> None:
    assert key(asked()) == key(asked(readers=store.readers(2, True), progress=lambda *_: None))


FILES: dict[str, Callable[[Path], None]] = {
    "a letter": lambda at: written(at / "leaf1.cfg", (at / "leaf1.cfg").read_text().replace("9214", "9215", 1)),
    "a new file": lambda at: written(at / "leaf9.cfg", (at / "leaf1.cfg").read_text().replace("leaf1", "leaf9")),
    "a file less": lambda at: (at / "leaf2.cfg").unlink(),
    "another name": lambda at: (at / "leaf2.cfg").rename(at / "leaf8.cfg"),
    "what is no configuration": lambda at: written(at / "notes.txt", "words\n"),
    "a template that is skipped": lambda at: written(at / "leaf.j2", "words\n"),
    "the policy": lambda at: written(at / "roce-audit.yaml", f"# as before\n{POLICY}"),
    "a rule of one's own": lambda at: written(at / "own/mtu/own-small.yaml", RULE.replace("1000", "1001")),
    "a rule more": lambda at: written(at / "own/mtu/own-other.yaml", RULE),
    "the topology": lambda at: written(at.parent / "cables.yaml", "links: []\n# one\n"),
    "a topology among the files": lambda at: written(at / "topology.yaml", "links: []\n"),
}


@pytest.mark.parametrize("change", FILES)
def test_another_file_is_another_question(site: Path, change: str) -> None:
    before = key(asked())
    FILES[change](site)
    assert key(asked()) != before


@pytest.mark.parametrize("what", ["program", "folder", "wants", "built-in rules"])
def test_what_stands_around_a_request_counts(site: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    request = Request((str(site),), Policy.empty(), today=DAY)
    before = key(request)
    if what == "program":
        monkeypatch.setattr(store, "program", lambda: "another")
        question = Question(request, ())
        assert store.load(question._file).tables == ()  # type: ignore[arg-type]
        return
    if what == "folder":
        monkeypatch.chdir(site.parent)
    elif what == "built-in rules":
        written(site.parent / "pack" / "mtu" / "own-small.yaml", RULE)
        monkeypatch.setattr(answered.rulepack, "builtin_folder", lambda: site.parent / "pack")
    assert key(request, ("site",) if what == "wants" else ()) != before


OPENED = """\
import sys, json
opened, active = [], [True]
def hook(event, arguments):
    if event == "open" and active[0] and isinstance(arguments[0], str):
        opened.append(arguments[0])
sys.addaudithook(hook)
from roce_audit.cli.main import main
code = main(sys.argv[1:])
active[0] = False
print("\\n" + json.dumps([code, opened]))
"""


def test_every_file_that_a_run_opens_is_in_its_key(site: Path, tmp_path: Path) -> None:
    """What Python itself opens, the program and its own files in the cache are not asked of."""
    words = [
        "check",
        ".",
        "--topology",
        "../cables.yaml",
        "-j",
        "1",
        "-f",
        f"html={tmp_path}/pages/a.html",
        "-f",
        "json",
    ]
    (tmp_path / "pages").mkdir()
    ran = subprocess.run(
        [sys.executable, "-c", OPENED, *words], capture_output=True, text=True, check=True, env={**os.environ}
    )
    code, opened = json.loads(ran.stdout.splitlines()[-1])
    assert code == 1, ran.stderr
    known = {os.path.abspath(file.real) for file in Question(asked(), ())._files()}
    assert len(known) > 10
    apart = [Path(sys.prefix), Path(sys.base_prefix), ROOT / "roce_audit", tmp_path / "cache", tmp_path / "pages"]
    apart += [Path(sys.pycache_prefix)] if sys.pycache_prefix is not None else []
    apart += [Path(path) for path in ("/proc", "/dev", "/sys", "/etc", "/usr")]
    strangers = {
        path
        for path in map(os.path.abspath, opened)
        if path not in known and not any(Path(path).is_relative_to(folder) for folder in apart)
    }
    assert {path for path in strangers if not path.startswith(str(ROOT / "rules" / "profiles"))} == set()
    assert {path for path in known if path.startswith(str(site)) and path.endswith(".cfg")} <= set(opened) | {
        os.path.abspath(path) for path in opened
    }


def test_a_file_that_is_written_while_it_is_judged_keeps_no_answer(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    real = verb.check

    def slow(*given: Any) -> Any:
        found = real(*given)
        (site / "leaf1.cfg").write_text((site / "leaf1.cfg").read_text().replace("9214", "9000"))
        return found

    monkeypatch.setattr(verb, "check", slow)
    said(capsys, ".")
    assert not list(cache.glob("*.answer"))


def test_secrets_and_crashes_keep_no_answer(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.setattr(answered, "_may_be_kept", lambda text: "leaf3" not in text)
    said(capsys, ".")
    assert not list(cache.glob("*.answer"))


def test_a_line_of_a_file_that_nobody_planned_keeps_no_answer(site: Path, cache: Path) -> None:
    question = Question(asked(), ())
    assert question.kept() is None
    checked = verb.check(question.request)
    checked.lines(Place("/elsewhere.cfg", 1))
    question.keep(verb.answer_of(checked, ()), checked.lines)
    assert not list(cache.glob("*.answer"))
    checked.lines.opened.remove("/elsewhere.cfg")
    question.keep(verb.answer_of(checked, ()), checked.lines)
    assert len(list(cache.glob("*.answer"))) == 1


def test_what_did_not_change_is_quoted_by_what_the_answer_before_says(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stamps, "_OLD_ENOUGH_NS", -(10**12))
    said(capsys, ".")
    written(site / "leaf1.cfg", "! nothing new\n" + (site / "leaf1.cfg").read_text())
    real, whole = lines.read_plain, list[str]()
    monkeypatch.setattr(lines, "read_plain", lambda path, limit: whole.append(path) or real(path, limit))
    changed = said(capsys, ".")
    assert whole == ["leaf1.cfg"]
    assert said(capsys, ".", "--no-cache") == changed
    assert len(whole) > 2


def test_a_damaged_answer_is_none(site: Path, capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    first = said(capsys, ".")
    (file,) = cache.glob("*.answer")
    whole = file.read_bytes()
    for damaged in (b"", whole[:100], whole[: len(whole) // 2], whole.replace(b"leaf3", b"leaf4")):
        file.write_bytes(damaged)
        assert said(capsys, ".") == first


def test_policy_is_empty_where_there_is_none(site: Path) -> None:
    assert key(Request((".",), Policy.empty(), today=DAY)) != key(asked())


def test_the_program_is_in_the_head_of_the_file() -> None:
    assert keys.program() in store.written(store.Content()).decode()


def test_of_long_texts_each_line_is_looked_at() -> None:
    assert answered._may_be_kept("mtu 9216")
    assert answered._may_be_kept("one\nshares 80 %\nhttps://example.com/page")
    assert not answered._may_be_kept("password hunter2")
    assert not answered._may_be_kept("one\nsnmp-server community hunter2\ntwo")
    assert not answered._may_be_kept("one\n-----BEGIN RSA PRIVATE KEY-----\nabc")


def test_the_site_is_let_go_before_the_answer_is_kept(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[weakref.ref[Any]] = []
    check, keep = verb.check, answered.Question.keep

    def checked(*given: Any) -> Any:
        made = check(*given)
        judged.append(weakref.ref(made.site.hops))
        return made

    monkeypatch.setattr(verb, "check", checked)
    left: list[object] = []
    monkeypatch.setattr(answered.Question, "keep", lambda *given: (left.append(judged[0]()), keep(*given)))
    main(["check", ".", "-f", "json"])
    assert left == [None]
