"""Formats with one result a primary line: SARIF, JUnit, GitHub, GitLab."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

import pytest
from report_samples import finding, full, member, report

from roce_audit.engine.findings import Coverage, Fix, Location, Report, Suppressed
from roce_audit.report import Options, render
from roce_audit.report.registry import format_names, wants

NAMES = ("sarif", "junit", "github", "gitlab")


def out(name: str, made: Report, **options: Any) -> str:
    return "".join(render(name, made, Options(**options)))


def sarif(made: Report, **options: Any) -> dict[str, Any]:
    run: dict[str, Any] = json.loads(out("sarif", made, **options))["runs"][0]
    return run


def gitlab(made: Report, **options: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(out("gitlab", made, **options))
    return found


def two_lines() -> Report:
    """One finding of three ports at two lines."""
    return report(
        finding(
            members=(member("Ethernet1/1", 57), member("Ethernet1/2", 57), member("Ethernet1/3", 64)),
            locations=(
                Location("leaf1.cfg", 57, " no priority-flow-control", "primary", "", "policy-map A"),
                Location("leaf1.cfg", 64, " no priority-flow-control", "primary", "", "interface Ethernet1/3"),
                Location("host.txt", 3, "pfc 3", "related", "the far end"),
            ),
        )
    )


def test_a_port_that_fails_for_two_classes_is_named_once() -> None:
    twice = replace(member("Ethernet1/3", 57), fingerprint="m-of-the-other-class")
    made = report(
        finding(members=(member("Ethernet1/3", 57), twice, member("Ethernet1/4", 57)), fix=Fix(False, (), "on"))
    )
    (result,) = sarif(made)["results"]
    assert [one["name"] for one in result["locations"][0]["logicalLocations"]] == ["Ethernet1/3", "Ethernet1/4"]
    assert result["properties"]["subjects"] == ["leaf1:Ethernet1/3", "leaf1:Ethernet1/4"]
    named = "leaf1 Ethernet1/3, leaf1 Ethernet1/4: PFC is off for priority 3, which carries the class roce."
    assert result["message"]["text"] == f"{named} Fix: on."
    for name in ("junit", "github", "gitlab"):
        assert out(name, made).count("leaf1 Ethernet1/3, ") == out(name, made).count("leaf1 Ethernet1/3")


def fingerprints(made: Report) -> list[str]:
    by_gitlab = [issue["fingerprint"] for issue in gitlab(made)]
    by_sarif = [r["partialFingerprints"]["primaryLocationLineHash"] for r in sarif(made)["results"]]
    assert by_gitlab == by_sarif
    return by_gitlab


@pytest.mark.parametrize("name", format_names())
def test_stanzas_are_wanted_by_the_formats_that_say_so_and_by_no_other(name: str) -> None:
    made = two_lines()
    bare = replace(made.findings[0], locations=tuple(replace(at, block="") for at in made.findings[0].locations))
    now = datetime(2026, 1, 1, tzinfo=UTC)
    is_other = out(name, made, now=now) != out(name, report(bare), now=now)
    assert is_other == ("blocks" in wants(name))


def test_one_result_a_primary_line_with_the_members_of_that_line() -> None:
    results = sarif(two_lines())["results"]
    assert [r["locations"][0]["physicalLocation"]["region"]["startLine"] for r in results] == [57, 64]
    assert [r["properties"]["subjects"] for r in results] == [
        ["leaf1:Ethernet1/1", "leaf1:Ethernet1/2"],
        ["leaf1:Ethernet1/3"],
    ]
    assert [issue["location"]["lines"]["begin"] for issue in gitlab(two_lines())] == [57, 64]
    assert out("github", two_lines()).count("::error ") == 2
    assert out("junit", two_lines()).count("<failure") == 2


def test_a_result_is_known_again_after_it_moved_and_its_group_grew() -> None:
    before = fingerprints(two_lines())
    one = two_lines().findings[0]
    moved = replace(
        one,
        members=tuple(
            replace(m, line=m.line + 10) for m in (*one.members, member("Ethernet1/9", 57), member("Ethernet1/10", 90))
        ),
        locations=(
            *(replace(at, line=at.line + 10, text=at.text + "  ") for at in one.locations),
            Location("leaf1.cfg", 100, " no priority-flow-control", "primary", "", "interface Ethernet1/10"),
        ),
        message="another value",
        fingerprint="other",
    )
    after = fingerprints(report(moved))
    assert after[:2] == before
    assert len(set(after)) == 3


@pytest.mark.parametrize(
    "change",
    [{"block": "policy-map B"}, {"text": " priority-flow-control off"}],
)
def test_another_block_or_statement_is_another_result(change: dict[str, str]) -> None:
    one = two_lines().findings[0]
    other = report(replace(one, locations=(replace(one.locations[0], **change), *one.locations[1:])))
    before, after = fingerprints(two_lines()), fingerprints(other)
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_equal_statements_of_one_block_are_told_apart() -> None:
    one = two_lines().findings[0]
    twice = report(replace(one, locations=tuple(replace(at, block="") for at in one.locations)))
    first, second = fingerprints(twice)
    assert (first.partition(":")[0], first[-2:], second[-2:]) == (second.partition(":")[0], ":1", ":2")


def test_unknown_findings_only_under_strict() -> None:
    for name in NAMES:
        assert "ecn/off" not in out(name, full())
        assert "ecn/off" in out(name, full(), strict=True)
    open_ = next(r for r in sarif(full(), strict=True)["results"] if r["ruleId"] == "ecn/off")
    assert (open_["kind"], open_["level"]) == ("open", "none")
    assert 'type="unknown"' in out("junit", full(), strict=True)


def test_consequences_are_told_with_their_cause() -> None:
    for name in NAMES:
        assert "mtu/below-roce" not in out(name, full())
    assert "And 1 consequence." in out("sarif", full())


def test_sarif_says_what_was_suppressed_and_baselined() -> None:
    results = {r["ruleId"]: r for r in sarif(full())["results"]}
    assert results["ets/zero"]["suppressions"][0]["justification"] == "lab (until 2027-01-31)"
    assert results["ets/zero"]["suppressions"][0]["kind"] == "external"
    assert results["ets/sum"]["suppressions"][0]["justification"] == "accepted in the baseline"
    assert {rule: r["baselineState"] for rule, r in results.items()} == {
        "pfc/priority-off": "new",
        "ets/zero": "new",
        "ets/sum": "unchanged",
    }
    inline = finding(suppressed=Suppressed("lab", "leaf1.cfg", 56, "2027-01-31"))
    assert sarif(report(inline))["results"][0]["suppressions"][0]["kind"] == "inSource"
    assert "suppressions" not in sarif(two_lines())["results"][0]
    for name in ("gitlab", "github"):
        assert "ets/" not in out(name, full()).partition("judged")[0]


def test_sarif_of_nothing_is_a_whole_log() -> None:
    log = json.loads(out("sarif", report()))
    assert log["version"] == "2.1.0"
    assert log["runs"][0]["results"] == []
    assert log["runs"][0]["tool"]["driver"]["rules"] == []
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is True
    assert gitlab(report()) == []
    crashed = sarif(report(problems=("rule x/y crashed",)))["invocations"][0]
    assert crashed["executionSuccessful"] is False
    assert "rule x/y crashed" in crashed["toolExecutionNotifications"][0]["message"]["text"]


def test_sarif_rules_have_help_and_results_point_at_them() -> None:
    run = sarif(full(), strict=True)
    rules = run["tool"]["driver"]["rules"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    rule = rules[0]
    assert rule["help"]["markdown"].startswith("PFC is off.")
    assert "**Why**: Without PFC the class drops packets." in rule["help"]["markdown"]
    assert "**" not in rule["help"]["text"]
    assert run["automationDetails"]["id"] == "roce-audit/base/"


def test_sarif_paths() -> None:
    def location(path: str) -> dict[str, str]:
        made = report(finding(locations=(Location(path, 0, "", "primary"),), members=()))
        where: dict[str, Any] = sarif(made)["results"][0]["locations"][0]["physicalLocation"]
        assert "region" not in where
        found: dict[str, str] = where["artifactLocation"]
        return found

    assert location("configs/leaf 1%.cfg") == {"uri": "configs/leaf%201%25.cfg", "uriBaseId": "%SRCROOT%"}
    assert location("/etc/leaf1.cfg") == {"uri": "file:///etc/leaf1.cfg"}
    assert unquote(location("a\nb.cfg")["uri"]) == "a\nb.cfg"


def test_github_shows_the_worst_ten_of_a_kind_and_lists_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    many = [
        finding(
            f"mtu/i{i:02}",
            severity=severity,
            members=(member("Ethernet1/1", i),),
            locations=(Location("l.cfg", i, "mtu 1500", "primary"),),
        )
        for i in range(1, 14)
        for severity in ("error", "warning")
    ]
    lines = out("github", report(*many)).splitlines()
    assert [line.partition(" ")[0] for line in lines[:20]] == ["::error"] * 10 + ["::warning"] * 10
    assert lines[20] == "not annotated, for GitHub shows 10 of a kind: 3 errors, 3 warnings"
    assert lines[21] == "::group::findings without annotation"
    assert lines[22].startswith("- l.cfg:11: error[mtu/i11] leaf1 Ethernet1/3: PFC is off")
    assert lines[-2] == "::endgroup::"
    assert lines[-1].startswith("13 errors, 13 warnings, 0 infos")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "/tmp/x")
    assert '-f markdown="$GITHUB_STEP_SUMMARY"' in out("github", report(*many))


def test_github_names_cannot_speak_to_the_runner() -> None:
    evil = "x,line=1::\n::error::owned\n##[error]owned"
    made = report(
        *(
            finding(
                f"a/r{i}",
                message=evil,
                device=evil,
                members=(member(evil, i, evil),),
                locations=(Location(evil, i, evil, "primary"),),
            )
            for i in range(1, 13)
        )
    )
    lines = out("github", made).splitlines()
    commands = [line for line in lines if line.startswith("::")]
    assert all(re.match(r"::(error file=[^:,]*,line=\d+,title=a/r\d+::|group::|endgroup::)", line) for line in commands)
    assert not [line for line in lines if not line.startswith("::") and "##[" in line]
    assert next(line for line in lines if "owned" in line and not line.startswith("::")).startswith("- ")


def test_junit_is_never_empty_and_follows_fail_on() -> None:
    empty = ET.fromstring(out("junit", report()))
    assert empty.attrib["tests"] == "1"
    nothing = ET.fromstring(out("junit", report(coverage=Coverage())))
    assert nothing.attrib["failures"] == "1"
    warning = report(finding(severity="warning"))
    assert ET.fromstring(out("junit", warning)).attrib["failures"] == "0"
    assert ET.fromstring(out("junit", warning)).attrib["skipped"] == "1"
    assert ET.fromstring(out("junit", warning, fail_on="info")).attrib["failures"] == "1"
    assert ET.fromstring(out("junit", full(), fail_on="never")).find(".//testcase/failure[@type='error']") is None
    crashed = ET.fromstring(out("junit", report(problems=("boom <&>",))))
    assert crashed.attrib["errors"] == "1"


def test_junit_is_read_by_a_parser_of_others() -> None:
    junitparser = pytest.importorskip("junitparser")
    suites = junitparser.JUnitXml.fromstring(out("junit", full(), strict=True).encode())
    cases = [case for suite in suites for case in suite]
    assert suites.tests == len(cases)
    assert suites.failures == sum(isinstance(r, junitparser.Failure) for case in cases for r in case.result)
    first = next(case for case in cases if case.classname == "pfc/priority-off")
    assert "leaf1.cfg:57" in first.name
    assert "PFC is off for priority 3" in first.result[0].message
    skipped = next(case for case in cases if case.classname == "ets/zero")
    assert skipped.result[0].message.startswith("suppressed (lab): ")


def _unknown_properties(thing: Any, cls: Any, om: Any) -> list[str]:
    """Property names of `thing` that the SARIF object model does not have, and required ones it lacks."""
    known = {a.metadata.get("schema_property_name", a.name): a for a in cls.__attrs_attrs__}
    import attr

    problems = [f"{cls.__name__}.{name}" for name in thing if name not in known]
    problems += [
        f"{cls.__name__} lacks {name}" for name, a in known.items() if a.default is attr.NOTHING and name not in thing
    ]
    for name, value in thing.items():
        inner = CLASSES.get(name)
        for item in value if isinstance(value, list) else [value]:
            if inner and isinstance(item, dict):
                problems += _unknown_properties(item, getattr(om, inner), om)
    return problems


CLASSES = {
    "runs": "Run",
    "tool": "Tool",
    "driver": "ToolComponent",
    "rules": "ReportingDescriptor",
    "shortDescription": "MultiformatMessageString",
    "fullDescription": "MultiformatMessageString",
    "help": "MultiformatMessageString",
    "defaultConfiguration": "ReportingConfiguration",
    "automationDetails": "RunAutomationDetails",
    "invocations": "Invocation",
    "toolExecutionNotifications": "Notification",
    "results": "Result",
    "message": "Message",
    "locations": "Location",
    "relatedLocations": "Location",
    "location": "Location",
    "physicalLocation": "PhysicalLocation",
    "artifactLocation": "ArtifactLocation",
    "region": "Region",
    "snippet": "ArtifactContent",
    "logicalLocations": "LogicalLocation",
    "suppressions": "Suppression",
}


@pytest.mark.parametrize("made", [report(), full(), two_lines(), report(problems=("boom",))])
def test_sarif_has_only_properties_of_the_object_model(made: Report) -> None:
    om = pytest.importorskip("sarif_om")
    log = json.loads(out("sarif", made, strict=True))
    assert set(_unknown_properties(log, om.SarifLog, om)) == set()


@pytest.mark.parametrize("made", [report(), full(), two_lines(), report(problems=("boom",))])
def test_sarif_has_the_required_values_of_the_right_types(made: Report) -> None:
    """By models of the format that are not ours."""
    models = pytest.importorskip("sarif_pydantic")
    log = models.Sarif.model_validate_json(out("sarif", made, strict=True))
    assert len(log.runs[0].results or ()) == len(sarif(made, strict=True)["results"])


@pytest.mark.parametrize("made", [report(), full(), two_lines()])
def test_sarif_has_what_github_documents(made: Report) -> None:
    run = sarif(made, strict=True)
    for rule in run["tool"]["driver"]["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
        assert rule["properties"]["problem.severity"] in ("error", "warning", "recommendation")
        assert rule["properties"]["precision"] in ("very-high", "high", "medium", "low")
        assert len(rule["properties"]["tags"]) <= 20
    for result in run["results"]:
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
        region = result["locations"][0]["physicalLocation"]["region"]
        assert 1 <= region["startColumn"] <= region["endColumn"]
        for related in result.get("relatedLocations", ()):
            assert related["message"]["text"]
    hashes = [result["partialFingerprints"]["primaryLocationLineHash"] for result in run["results"]]
    assert len(hashes) == len(set(hashes))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_one_line_is_not_repeated_whole(name: str) -> None:
    made = report(finding(locations=(Location("config_db.json", 1, "x" * 1_000_000, "primary"),)))
    assert len(out(name, made)) < 20_000


def test_tags_of_a_rule_stand_once() -> None:
    (rule,) = sarif(report(finding("app/x", owner="app")))["tool"]["driver"]["rules"]
    assert rule["properties"]["tags"] == ["roce", "app"]
