"""Inline suppressions, in the comment syntax of every platform that has one, and what becomes of bad ones."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.engine.findings import Finding, Report
from roce_audit.engine.rules.rulepack import builtin_folder, load
from roce_audit.policy import Policy
from roce_audit.policy import load as load_policy
from roce_audit.proof.examples import case_tree, collect, with_base
from roce_audit.report import Options, render

RULES = load([builtin_folder()])
TODAY = date(2026, 1, 1)
RULE = "mtu/below-roce"
COMMENTING = [
    name for name in with_base() if platforms.platform(name).comment and platforms.platform(name).kind == "switch"
]
MARK = 'roce-audit: ignore[{rule}] reason="{reason}"{until}'


def judged(folder: Path, monkeypatch: pytest.MonkeyPatch, **more: object) -> Report:
    monkeypatch.chdir(folder)
    policy = folder / "roce-audit.yaml"
    site = load_policy(policy) if policy.exists() else Policy.empty()
    return check(Request((".",), site, **{"rules": RULES, "today": TODAY, **more})).report  # type: ignore[arg-type]


def bad(platform: str, folder: Path, rule: str = RULE) -> None:
    """The files of the platform's first bad example of the rule."""
    found = next(found for found in collect(RULES) if (found.rule, found.platform) == (rule, platform))
    for name, text in case_tree(found, found.bad[0]).tree.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def of(report: Report, rule: str = RULE) -> list[Finding]:
    return [f for f in report.findings if f.rule == rule and f.verdict == "fails"]


def comment(
    folder: Path,
    platform: str,
    finding: Finding,
    rule: str = RULE,
    reason: str = "r",
    until: str = " until=2027-01-31",
    is_indented: bool = True,
) -> None:
    """Write the comment before the line that the finding points at."""
    at = next(at for at in finding.locations if at.role == "primary")
    file = folder / at.path
    lines = file.read_text().split("\n")
    line = lines[at.line - 1]
    indent = line[: len(line) - len(line.lstrip())] if is_indented else ""
    sign = platforms.platform(platform).comment
    lines.insert(at.line - 1, f"{indent}{sign} {MARK.format(rule=rule, reason=reason, until=until)}")
    file.write_text("\n".join(lines))


@pytest.mark.parametrize("is_indented", [True, False])
@pytest.mark.parametrize("platform", COMMENTING)
def test_the_comment_of_every_platform(
    platform: str, is_indented: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad(platform, tmp_path)
    (finding, *_) = of(judged(tmp_path, monkeypatch))
    assert finding.suppressed is None
    comment(tmp_path, platform, finding, is_indented=is_indented)
    report = judged(tmp_path, monkeypatch)
    after = [f for f in of(report) if {m.fingerprint for m in f.members} & {m.fingerprint for m in finding.members}]
    assert any(f.suppressed is not None and f.suppressed.reason == "r" for f in after), platform
    assert not of(report, "input/suppression-unused")
    assert not of(report, "input/unread-line")
    assert all(f.suppressed is None for f in of(judged(tmp_path, monkeypatch, honour_suppressions=False)))


def test_in_what_people_write_for_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rule = "app/traffic-outside-class"
    bad("linux", tmp_path, rule)
    finding = next(f for f in of(judged(tmp_path, monkeypatch), rule) if f.locations[0].path.endswith("env.txt"))
    comment(tmp_path, "linux", finding, rule)
    report = judged(tmp_path, monkeypatch)
    assert [f.suppressed.reason for f in of(report, rule) if f.suppressed is not None] == ["r"]
    assert not of(report, "input/suppression-unused")


@pytest.mark.parametrize(
    ("changed", "rule", "words"),
    [
        ({"reason": " "}, "input/suppression-invalid", "has no reason"),
        ({"until": " until=2025-12-31"}, "input/suppression-invalid", "ended on 2025-12-31"),
        (
            {"until": ""},
            "input/suppression-invalid",
            "has no date, so it is refused; say until when it holds (until=YYYY-MM-DD)",
        ),
        ({"until": " until=2026-02-30"}, "input/suppression-invalid", "no such date"),
        ({"rule": "mtu/other"}, "input/suppression-unused", "matches no finding: no rule is called 'mtu/other'"),
        ({"rule": "pfc/priority-off"}, "input/suppression-unused", "matches no finding"),
    ],
)
def test_a_bad_one_is_told_and_covers_nothing(
    changed: dict[str, str], rule: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad("eos", tmp_path)
    (finding, *_) = of(judged(tmp_path, monkeypatch))
    comment(tmp_path, "eos", finding, **changed)
    report = judged(tmp_path, monkeypatch)
    assert all(f.suppressed is None for f in of(report))
    (told,) = of(report, rule)
    assert words in told.message
    assert told.locations[0].line == finding.locations[0].line


def test_without_a_reason_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad("eos", tmp_path)
    (finding, *_) = of(judged(tmp_path, monkeypatch))
    comment(tmp_path, "eos", finding)
    file = tmp_path / finding.locations[0].path
    file.write_text(file.read_text().replace(' reason="r"', ""))
    report = judged(tmp_path, monkeypatch)
    assert "has no reason" in of(report, "input/suppression-invalid")[0].message
    assert all(f.suppressed is None for f in of(report))


def test_a_rule_that_may_not_be_suppressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad("eos", tmp_path)
    (finding, *_) = of(judged(tmp_path, monkeypatch))
    comment(tmp_path, "eos", finding)
    strict = tuple(replace(rule, not_suppressible=True) if rule.id == RULE else rule for rule in RULES)
    report = judged(tmp_path, monkeypatch, rules=strict)
    assert all(f.suppressed is None for f in of(report))
    assert of(report, "input/suppression-unused")


def test_sarif_says_who_accepted_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad("eos", tmp_path)
    (finding, *_) = of(judged(tmp_path, monkeypatch))
    comment(tmp_path, "eos", finding, reason="new host on Monday", until=" until=2026-02-01")
    log = json.loads("".join(render("sarif", judged(tmp_path, monkeypatch), Options())))
    (by,) = next(r["suppressions"] for r in log["runs"][0]["results"] if r["ruleId"] == RULE)
    assert by["kind"] == "inSource"
    assert by["justification"] == "new host on Monday (until 2026-02-01)"
    assert by["location"]["physicalLocation"]["region"]["startLine"] == finding.locations[0].line


def test_a_comment_in_the_port_s_stanza_covers_what_is_missing_in_its_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line to change stands in the policy, for all ports; the comment accepts the fault on its own port alone."""
    rule = "ecn/off-on-lossless-queue"
    bad("nxos", tmp_path, rule)
    (finding,) = of(judged(tmp_path, monkeypatch, select=(rule,)), rule)
    file = tmp_path / "leaf1.cfg"
    lines = file.read_text().split("\n")
    primary = next(at for at in finding.locations if at.role == "primary")
    header = lines.index("interface Ethernet1/2")
    assert "interface" not in lines[primary.line - 1]
    lines.insert(header + 1, f"  ! {MARK.format(rule=rule, reason='lab', until=' until=2027-01-31')}")
    file.write_text("\n".join(lines))
    after = of(judged(tmp_path, monkeypatch, select=(rule,)), rule)
    assert {f.subject for f in after if f.suppressed} == {"Ethernet1/2"}
    assert all("1/2" not in f.subject.split(", ") for f in after if not f.suppressed)
    assert [f for f in after if not f.suppressed]


def test_a_comment_that_is_not_indented_covers_the_block_that_it_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "ecn/off-on-lossless-queue"
    bad("nxos", tmp_path, rule)
    file = tmp_path / "leaf1.cfg"
    lines = file.read_text().split("\n")
    lines.insert(
        lines.index("interface Ethernet1/2") + 1, f"! {MARK.format(rule=rule, reason='lab', until=' until=2027-01-31')}"
    )
    file.write_text("\n".join(lines))
    after = of(judged(tmp_path, monkeypatch, select=(rule,)), rule)
    assert {f.subject for f in after if f.suppressed} == {"Ethernet1/2"}


def test_an_entry_of_the_policy_without_a_date_covers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bad("nxos", tmp_path)
    policy = tmp_path / "roce-audit.yaml"
    before = policy.read_text() if policy.exists() else ""
    policy.write_text(f'{before}ignore:\n  - {{rule: {RULE}, reason: "new host on Monday"}}\n')
    report = judged(tmp_path, monkeypatch)
    assert all(f.suppressed is None for f in of(report))
    (refused,) = of(report, "input/suppression-invalid")
    assert "has no date, so it is refused; say until when it holds (until: YYYY-MM-DD)" in refused.message
    assert (refused.locations[0].path, refused.locations[0].line) == ("roce-audit.yaml", before.count("\n") + 2)
    policy.write_text(policy.read_text().replace('Monday"', 'Monday", until: 2026-01-01'))
    assert [f.suppressed.until for f in of(judged(tmp_path, monkeypatch)) if f.suppressed] == ["2026-01-01"]
