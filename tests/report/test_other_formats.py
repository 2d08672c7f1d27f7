"""JSON lines, CSV, Prometheus, Markdown; and writing several of them at once."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from report_samples import ROCE, finding, full, member, report

from roce_audit.engine.findings import Coverage, Fix, Location, Report, UnreadLine
from roce_audit.report import Options, format_names, render
from roce_audit.report.deliver import Output, OutputError, deliver, outputs

NOW = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)


def out(name: str, made: Report, **options: Any) -> str:
    return "".join(render(name, made, Options(**options)))


def test_json_lines() -> None:
    run, *findings = [json.loads(line) for line in out("jsonl", full()).splitlines()]
    assert run["record"] == "run"
    assert run["summary"]["unknown"] == 1
    assert {f["record"] for f in findings} == {"finding"}
    whole = json.loads(out("json", full()))
    assert findings == [{"record": "finding", **f} for f in whole["findings"] if f["verdict"] == "fails"]
    assert len(out("jsonl", full(), strict=True).splitlines()) == len(findings) + 2


def test_csv_has_a_row_a_member() -> None:
    rows = list(csv.DictReader(io.StringIO(out("csv", full()))))
    mine = [row for row in rows if row["rule"] == "pfc/priority-off"]
    assert [row["subject"] for row in mine] == [f"Ethernet1/{i}" for i in range(1, 7)]
    assert mine[0]["line"] == "57"
    assert mine[0]["fix"] == "both ends in one step; interface Ethernet1/1; priority-flow-control mode on"
    assert {row["rule"]: row["status"] for row in rows}["ets/zero"] == "suppressed: lab"
    assert "ecn/off" not in {row["rule"] for row in rows}
    assert "ecn/off" in {row["rule"] for row in csv.DictReader(io.StringIO(out("csv", full(), strict=True)))}


@pytest.mark.parametrize("word", ["=1+1", "+1", "-1", "@x", " =1"])
def test_csv_cells_are_no_formulas(word: str) -> None:
    made = report(finding(members=(member(word, 1, word),), message=word))
    (row,) = csv.DictReader(io.StringIO(out("csv", made)))
    assert row["device"] == row["subject"] == row["message"] == f"'{word.strip()}"


def samples(text: str) -> dict[str, float]:
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def test_prometheus_counts_open_findings_by_device() -> None:
    found = samples(out("prometheus", full(), now=NOW))
    assert found['roce_audit_findings{severity="error",topic="pfc",device="leaf1"}'] == 1
    assert not [name for name in found if "findings" in name and "ets" in name]
    assert found['roce_audit_summary{kind="suppressed"}'] == 1
    assert found['roce_audit_ports{roce="yes"}'] == 12
    assert found["roce_audit_lines_unread"] == 1
    assert found["roce_audit_last_success_timestamp_seconds"] == NOW.timestamp()


def test_prometheus_carries_the_last_success_over_a_failed_run() -> None:
    good = out("prometheus", report(), now=NOW)
    later = replace(report(), problems=("boom",))
    bad = samples(out("prometheus", later, now=NOW.replace(year=2027), previous=good))
    assert bad["roce_audit_up"] == 0
    assert bad["roce_audit_last_success_timestamp_seconds"] == NOW.timestamp()
    assert bad["roce_audit_last_run_timestamp_seconds"] > NOW.timestamp()
    nothing = samples(out("prometheus", report(coverage=Coverage()), now=NOW))
    assert "roce_audit_last_success_timestamp_seconds" not in nothing


def test_prometheus_labels_are_escaped() -> None:
    evil = 'a"} 1\nroce_audit_up 1\\'
    text = out("prometheus", report(finding(device=evil, members=(member("x", 1, evil),)), problems=("boom",)))
    assert "roce_audit_up 1" not in text.splitlines()
    assert 'device="a\\"} 1 roce_audit_up 1\\\\"' in text


def test_markdown_shows_causes_and_what_was_not_judged() -> None:
    text = out("markdown", full())
    assert text.startswith("<!-- roce-audit -->\n### 🛑 roce-audit\n")
    assert "| fabric | backend | 412 devices" in text
    assert "🛑 **error** `pfc/priority-off` **leaf1 Ethernet1/1, 1/2, 1/3 and 3 more**: PFC is off" in text
    assert "- `leaf1.cfg:57`: `priority-flow-control mode off`" in text
    assert "also causes 1 finding: `mtu/below-roce`" in text
    assert "Not checked: 1 line not understood; 1 missing input" in text
    assert "ecn/off" not in text
    assert "ecn/off" in out("markdown", full(), strict=True)


def test_markdown_is_cut_with_counts() -> None:
    many = [
        finding(f"a/r{i:04}", why="why " * 150, locations=(Location("l.cfg", i, "x" * 500, "primary"),))
        for i in range(900)
    ]
    unread = tuple(UnreadLine("l.cfg", i, "y" * 400) for i in range(500))
    text = out("markdown", report(*many, coverage=replace(ROCE, unread=unread)))
    assert len(text) < 65_000
    shown = text.count("🛑 **error**")
    assert f"…and {900 - shown} more errors." in text
    assert "- and 490 more" in text


@pytest.mark.parametrize(
    "word",
    [
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "@octocat",
        "#12",
        "http://evil.example",
        "a|b",
        "`x`",
        "**x**",
    ],
)
def test_markdown_names_do_not_format_or_mention(word: str) -> None:
    made = report(
        finding(
            device=word,
            message=word,
            members=(),
            locations=(Location(word, 1, f"`` {word} ``", "primary"),),
        ),
        coverage=replace(ROCE, notes=(word,), unread=(UnreadLine(word, 1, word),)),
    )
    text = out("markdown", made)
    prose_only = "\n".join(line for line in text.splitlines() if not line.startswith("- "))
    assert word not in prose_only
    code = next(line for line in text.splitlines() if line.startswith("- `"))
    assert "``` ``" in code


class _Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)


@given(
    st.lists(st.sampled_from([*"<>[]()!*_`|#@&\\~-+=$ \n\t1.a", "</details>", "<img>", "](x)", "```", "---"])).map(
        "".join
    )
)
def test_markdown_renders_to_nothing_but_its_own_elements(words: str) -> None:
    made = report(
        finding(
            device=words,
            message=words,
            why=words,
            source=words,
            spread=words,
            members=(member(words, 1, words), member(words, 2, words)),
            locations=(Location(words, 1, words, "primary"), Location(words, 2, words, "related", words)),
            fix=Fix(False, (words,), words),
        ),
        coverage=replace(ROCE, unread=(UnreadLine(words, 1, words),), unrecognised=((words, words),)),
        fabrics=(replace(full().fabrics[0], name=words, classes=(words,)),),
        problems=(words,),
    )
    rendered = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(out("markdown", made))
    own = {
        "h3",
        "p",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "strong",
        "code",
        "details",
        "summary",
        "ul",
        "li",
        "pre",
    }
    assert _Tags(rendered).tags <= own
    assert rendered.count("<details>") == rendered.count("</details>") == 2


def _files(tmp_path: Path, *names: str) -> list[str]:
    return [f"{name}={tmp_path / f'out.{name}'}" for name in names]


def test_several_formats_in_one_run(tmp_path: Path) -> None:
    wanted = outputs(["concise", *_files(tmp_path, "json", "sarif", "junit")])
    stdout = io.StringIO()
    deliver(full(), wanted, stdout, Options(color=False), Options())
    assert stdout.getvalue() == out("concise", full())
    assert json.loads((tmp_path / "out.json").read_text())["schema"] == "roce-audit/report/1"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.json", "out.junit", "out.sarif"]


def test_what_cannot_be_asked_for(tmp_path: Path) -> None:
    for texts, words in (
        (["text", "json"], "only one format can go to standard output"),
        (["json="], "the name of the file is missing"),
        ([f"json={tmp_path / 'no' / 'x'}"], "no such folder"),
        ([f"json={tmp_path}"], "is a folder"),
        ([f"json={tmp_path / 'x'}", f"sarif={tmp_path / '.' / 'x'}"], "same file"),
    ):
        with pytest.raises(OutputError, match=words):
            outputs(texts)
    read = tmp_path / "leaf1.cfg"
    read.write_text("hostname leaf1\n")
    with pytest.raises(OutputError, match="is what is to be read"):
        outputs([f"json={tmp_path / '.' / 'leaf1.cfg'}"], [str(tmp_path), str(read)])
    assert outputs([f"json={tmp_path / 'report.json'}"], [str(read)])


@pytest.mark.parametrize(
    ("name", "is_refused"), [("leaf1.cfg", True), ("config_db.json", True), ("report.json", False)]
)
def test_no_report_takes_the_place_of_a_configuration_in_a_folder(tmp_path: Path, name: str, is_refused: bool) -> None:
    (tmp_path / name).write_text("hostname leaf1\n")
    if is_refused:
        with pytest.raises(OutputError, match="has the name of a configuration"):
            outputs([f"json={tmp_path / name}"], [str(tmp_path)])
    else:
        assert outputs([f"json={tmp_path / name}"], [str(tmp_path)])
    assert outputs([f"json={tmp_path / 'new.cfg'}"], [str(tmp_path)])


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "report.json"
    target.write_text("old")
    target.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(target)
    before = target.stat().st_ino
    deliver(report(), [Output("json", str(link))], io.StringIO(), Options(), Options())
    assert link.is_symlink()
    assert target.stat().st_ino != before
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    json.loads(target.read_text())

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", broken)
    held = target.read_text()
    wanted = [Output("json", str(target)), Output("concise", None)]
    stdout = io.StringIO()
    with pytest.raises(OutputError, match="No space left"):
        deliver(full(), wanted, stdout, Options(), Options())
    assert target.read_text() == held
    assert stdout.getvalue()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.json", "report.json"]


def test_every_format_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^## `(\w+)`", text, re.MULTILINE)) == sorted(format_names())
