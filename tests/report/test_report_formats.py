"""The formats, read in full where that is possible; hostile input stays harmless in all of them."""

import csv
import io
import json
import unicodedata
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_samples import ROCE, finding, full, member, report

from roce_audit.engine.findings import Checks, Coverage, Fix, Location, MissingInput, Report, UnreadLine
from roce_audit.fabric.traffic.radius import Reach
from roce_audit.report import Options, UnknownFormat, format_names, render, write
from roce_audit.report.prepare import prepare

SCHEMA = Path(__file__).parents[2] / "docs" / "report.schema.json"

TOTALS = (
    "1 error, 0 warnings, 0 infos · 2,210 checks passed, 7 failed, 12 undetermined, 300 not applicable · "
    "1 line unread · 1 suppressed · 1 baselined"
)


def text(made: Report, **options: Any) -> str:
    return "".join(render("text", made, Options(**options)))


def as_json(made: Report) -> dict[str, Any]:
    found: dict[str, Any] = json.loads("".join(render("json", made)))
    return found


def valid(document: dict[str, Any]) -> None:
    schema = json.loads(SCHEMA.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(document)


def test_text_in_full() -> None:
    assert (
        text(full()) == """\
2 devices, 12 RoCE ports
classes roce = DSCP 26 -> priority 3, lossless; cnp = DSCP 48 -> priority 6 (inferred)

error[pfc/priority-off] leaf1 Ethernet1/1, 1/2, 1/3 and 3 more: PFC is off for priority 3, which
  carries the class roce.
   --> leaf1.cfg:57  sets port.pfc.mode
    |
 57 |         priority-flow-control mode off
    |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   ::: host3.txt:112  the far end
    |
112 | pfc 0 0 0 1 0 0 0 0
    = also: leaf1.cfg:64 (Ethernet1/2), leaf1.cfg:71 (Ethernet1/3), leaf1.cfg:78 (Ethernet1/4),
      leaf1.cfg:85 (Ethernet1/5), leaf1.cfg:92 (Ethernet1/6)
    = spread: on 6 of 64 ports
    = on the way of 512 of 1,024 RoCE NICs
    = why: Without PFC the class drops packets (roce-audit explain pfc/priority-off)
    = fix: [*] both ends in one step
    = also causes 1 finding (-v)

Assumed
  fabric backend  412 devices · 9,812 RoCE ports (9,420 by cabling, 380 by their own configuration,
                  12 by similar ports) · 61 unclear · 1,204 not RoCE
  class  roce     DSCP 26 -> priority 3, lossless (405 of 412 devices agree) ·
                  [inferred; pin: roce-audit init]
  class  cnp      DSCP 48 -> priority 6 · [inferred; pin: roce-audit init]

Undetermined  128 checks. You can decide 128:
  cable length of 64 links (128 checks): policy cables:

not checked on any RoCE port:
  leaf1.cfg: pfc, ecn
1 device not reached:
  leaf9
1 file not recognised:
  ci.yml: no device document
Notes:
  configs/leaf2.cfg looks whole: complete: true
3 files excluded by the policy

"""
        "1 of 1 finding has a proved change: roce-audit fix\n" + TOTALS + "\n"
    )


def test_quiet_is_findings_and_summary() -> None:
    quiet = text(full(), verbosity=-1)
    assert quiet.startswith("error[pfc/priority-off]")
    assert "fabric" not in quiet
    assert "not understood" not in quiet
    assert quiet.splitlines()[-1].startswith("1 error, 0 warnings")


def test_verbose_shows_what_was_folded() -> None:
    loud = text(full(), verbosity=1)
    assert "= also causes: info[mtu/below-roce] leaf1 Ethernet1/3: MTU 1500." in loud
    assert "unknown[ecn/off] Ethernet1/3: " in loud
    assert "suppressed: warning[ets/zero]" in loud
    assert "(lab, until 2027-01-31; roce-audit.yaml:9)" in loud
    assert "baselined: warning[ets/sum]" in loud
    assert "1 rule had nothing to check: link/fec" in loud
    assert "1 line not understood:\n  leaf1.cfg:88: qos frobnicate" in loud
    assert "= source: IEEE 802.1Qbb" in loud


def test_unknown_findings_are_shown_under_strict() -> None:
    for name in ("text", "concise"):
        assert "unknown[ecn/off]" not in "".join(render(name, full()))
        assert "unknown[ecn/off]" in "".join(render(name, full(), Options(strict=True)))


def test_many_infos_are_folded() -> None:
    infos = [finding(f"mtu/i{i}", severity="info", subject=f"Ethernet1/{i}") for i in range(13)]
    assert "and 3 more infos (-v)" in text(report(*infos))
    assert text(report(*infos)).count("info[") == 10
    assert text(report(*infos), verbosity=1).count("info[") == 13


def test_why_and_source_are_told_once_a_rule() -> None:
    two = report(finding(subject="Ethernet1/1", fingerprint="a"), finding(subject="Ethernet1/2", fingerprint="b"))
    assert text(two).count("why: ") == 1
    assert text(two, verbosity=1).count("why: ") == 2


def test_a_consequence_without_its_cause_is_shown() -> None:
    assert "error[pfc/priority-off]" in text(report(finding(because_of="gone")))


def test_many_related_lines_and_members_are_cut_with_a_count() -> None:
    places = tuple(Location("l.cfg", i, f"line {i}", "related") for i in range(1, 10))
    made = finding(
        locations=(*finding().locations, *places),
        members=tuple(member(f"Ethernet1/{i}", 100 + i) for i in range(20)),
    )
    short = text(report(made))
    assert short.count(":::") == 3
    assert "and 6 more related lines (-v)" in short
    assert "and 15 more lines (-v)" in short
    assert text(report(made), verbosity=1).count(":::") == 9


def test_long_source_lines_are_cut_and_not_wrapped() -> None:
    made = finding(locations=(Location("leaf1.cfg", 57, "x" * 500, "primary"),))
    assert "57 | " + "x" * 54 + "…\n" in text(report(made), width=60)


@pytest.mark.parametrize(
    ("coverage", "words"),
    [
        (replace(ROCE, ports_roce={"no": 5, "undecided": 2}), "nothing to judge: no RoCE evidence"),
        (replace(ROCE, ports_roce={"yes": 0, "no": 0}), "nothing to judge: no port is in what was given"),
        (Coverage(), "nothing to judge: no device recognised"),
    ],
)
def test_nothing_to_judge_is_said(coverage: Coverage, words: str) -> None:
    made = report(coverage=coverage, checks=Checks())
    assert words in text(made)
    assert words in "".join(render("concise", made))
    assert words not in text(report())


def test_many_files_that_were_not_recognised_are_told_by_their_kinds_the_rarest_first() -> None:
    rows = (*[(f"{n}.txt", "text") for n in range(9)], ("a.json", "JSON"), ("b.md", "Markdown"), ("c.md", "Markdown"))
    said = text(report(coverage=Coverage(unrecognised=rows)))
    assert "12 files not recognised:\n  JSON: a.json\n  Markdown: b.md, c.md\n  text: 0.txt and 8 more\n" in said
    every = text(report(coverage=Coverage(unrecognised=rows)), verbosity=1)
    assert all(f"  {path}: {why}\n" in every for path, why in rows)


def test_where_no_device_is_no_rule_is_named() -> None:
    assert "had nothing to check" in text(report(nothing_to_judge=("pfc/x",)), verbosity=1)
    assert "had nothing to check" not in text(report(coverage=Coverage(), nothing_to_judge=("pfc/x",)), verbosity=1)


def test_internal_errors_are_shown_even_when_quiet() -> None:
    assert "internal error: rule pfc/x crashed" in text(report(problems=("rule pfc/x crashed",)), verbosity=-1)


def test_what_the_user_can_decide_is_listed_the_rest_is_counted() -> None:
    needs = (
        *(MissingInput(f"input {i}", 10 - i, "ask") for i in range(5)),
        MissingInput("line leaf1.cfg:3 not understood", 7, "see input/unread-line", 0, "finding"),
        MissingInput("trust", 4, "show qos (its answer is not read)", 1, "nobody"),
    )
    made = report(coverage=replace(ROCE, missing_input=needs))
    assert (
        "Undetermined  51 checks. 7 follow from findings above. 4 need what this version cannot see. You can decide 40:\n"
        "  input 0 (10 checks): ask\n  input 1 (9 checks): ask\n  input 2 (8 checks): ask\n  and 2 more inputs (-v)\n"
    ) in text(made, width=200)
    loud = text(made, verbosity=1)
    assert "input 4 (6 checks): ask" in loud
    assert "trust (4 checks): show qos (its answer is not read)" in loud


def test_concise_in_full() -> None:
    assert (
        "".join(render("concise", full(), Options(strict=True)))
        == """\
leaf1.cfg:57: error[pfc/priority-off] leaf1 Ethernet1/1, 1/2, 1/3 and 3 more: PFC is off for priority 3, which carries the class roce.
leaf1.cfg:57: unknown[ecn/off] Ethernet1/3: PFC is off for priority 3, which carries the class roce. (no line)
"""
        + TOTALS
        + "\n"
    )


def test_findings_are_sorted_by_severity_rule_device_and_subject() -> None:
    made = report(
        finding("b/x", severity="warning"),
        finding("z/x", subject="Ethernet1/10", members=()),
        finding("z/x", subject="Ethernet1/9", members=()),
        finding("z/x", device="leaf0"),
        finding("a/x", severity="none", verdict="unknown"),
    )
    order = [(f["rule"], f["device"], f["subject"]) for f in as_json(made)["findings"]]
    assert order == [
        ("z/x", "leaf0", "Ethernet1/3"),
        ("z/x", "leaf1", "Ethernet1/9"),
        ("z/x", "leaf1", "Ethernet1/10"),
        ("b/x", "leaf1", "Ethernet1/3"),
        ("a/x", "leaf1", "Ethernet1/3"),
    ]


def test_json_keeps_the_contract() -> None:
    document = as_json(full())
    valid(document)
    assert document["summary"] == {
        "error": 1,
        "warning": 0,
        "info": 0,
        "unknown": 1,
        "suppressed": 1,
        "baselined": 1,
        "fixable": 1,
    }
    assert document["policy"]["inferred"]["roce.priority"]["value"] == [3]
    assert document["coverage"]["ports_roce"] == {"yes": 12, "no": 2, "undecided": 1, "not_data": 4}
    assert document["coverage"]["lines_unread"] == 1
    first, *_, unknown = document["findings"]
    assert first["values"] == {"port.pfc.priorities": [4]}
    assert first["fix"]["commands"][0] == "interface Ethernet1/1"
    assert len(first["members"]) == 6
    assert (unknown["verdict"], unknown["severity"], unknown["rule_severity"]) == ("unknown", "none", "warning")
    assert unknown["why"] == "no line"
    valid(as_json(report(coverage=Coverage())))


def test_the_schema_refuses_what_is_not_in_it() -> None:
    document = as_json(full())
    for damage in ({"extra": 1}, {"schema": "other/1"}, {"findings": [{"rule": "a/b"}]}):
        with pytest.raises(jsonschema.ValidationError):
            valid({**document, **damage})
    document["findings"][0]["severity"] = "none"
    with pytest.raises(jsonschema.ValidationError):
        valid(document)


def test_values_that_json_does_not_know() -> None:
    values = {"a": float("inf"), "b": frozenset({"x", 1}), "c": (1, {"d": object})}
    document = as_json(report(finding(values=values)))
    assert document["findings"][0]["values"] == {"a": "inf", "b": [1, "x"], "c": [1, {"d": str(object)}]}


def test_json_is_the_same_every_time() -> None:
    made = full()
    turned = replace(made, findings=tuple(reversed(made.findings)))
    assert "".join(render("json", made)) == "".join(render("json", turned))


@pytest.mark.parametrize("name", format_names())
def test_secrets_stay_out(name: str) -> None:
    secret = "Hunter2x"
    line = f"snmp-server community {secret}"
    made = report(
        finding(locations=(Location("a", 1, line, "primary"), Location("b", 2, f"key 7 {secret}", "related"))),
        finding("input/unread-line", message=f"not understood: {line}", subject=line, values={"line": line}),
        coverage=replace(ROCE, unread=(UnreadLine("a", 1, f" password {secret}"),)),
        problems=(f"crash near: {line}",),
    )
    out = "".join(render(name, made, Options(verbosity=1, strict=True)))
    assert secret not in out
    assert "redacted" in out or name == "prometheus"  # which quotes no line


HOSTILE = st.text(st.sampled_from('\x00\x07\x08\t\n\r\x1b[31m]0;\x7f\x85\x9b\u2028\u202e\ud800ax"<&')).filter(bool)


@pytest.mark.parametrize("name", format_names())
@given(words=HOSTILE)
def test_no_control_character_in_the_output(name: str, words: str) -> None:
    bad = finding(
        device=words,
        subject=words,
        message=words,
        title=words,
        why=words,
        source=words,
        spread=words,
        owner=words,
        unknown_because=words,
        members=(member(words, 1, words), member(words + "2", 2, words)),
        locations=(Location(words, 1, words, "primary", words), Location(words, 2, words, "related", words)),
        fix=Fix(True, (words,), words),
        values={words: words},
    )
    made = report(
        bad,
        replace(bad, severity="none", verdict="unknown", fingerprint="u"),
        replace(bad, because_of=bad.fingerprint, fingerprint="c"),
        coverage=replace(
            ROCE,
            unread=(UnreadLine(words, 1, words),),
            unreached=(words,),
            unrecognised=((words, words),),
            missing_input=(MissingInput(words, 1, words),) * 5,
            notes=(words,),
            blind=((words, words),),
        ),
        problems=(words,),
        nothing_to_judge=(words,),
        fabrics=(replace(full().fabrics[0], name=words, classes=(words,), by_rank={words: 1}),),
    )
    out = "".join(render(name, made, Options(verbosity=1, strict=True)))
    out.encode("utf-8")
    assert not [c for c in out if unicodedata.category(c) in ("Cc", "Cs", "Zl") and c != "\n"]


def test_a_device_name_cannot_forge_a_line() -> None:
    made = report(finding(device="leaf1\nok: all good", members=()))
    assert not [line for line in text(made).splitlines() if line.startswith("ok:")]
    assert len("".join(render("concise", made)).splitlines()) == 2


def test_unknown_formats_are_refused_with_a_hint() -> None:
    with pytest.raises(UnknownFormat, match="did you mean 'concise'"):
        write("consise", report(), io.StringIO())
    stream = io.StringIO()
    write("concise", report(), stream)
    assert stream.getvalue().endswith("300 not applicable\n")


@pytest.mark.parametrize("width", [34, 62])
def test_narrow_terminals_break_at_blanks(width: int) -> None:
    *lines, end = text(full(), width=width).splitlines()
    assert end.startswith("1 error, 0 warnings")
    # quoted lines and commands are no prose
    prose = [line for line in lines if " | " not in line and "priority-flow-control" not in line]
    assert not [line for line in prose if len(line) > width and len(line.split()) > 1]
    assert any("the far end" in line for line in lines)


def test_findings_of_one_severity_stand_by_the_nics_on_whose_way_they_are() -> None:
    made = report(
        finding("mtu/far"),
        finding("pfc/few", reach=Reach(4, 8)),
        finding("app/one", reach=Reach(1, 8)),
        finding("ets/all", severity="warning", reach=Reach(8, 8)),
    )
    assert [found.rule for found in prepare(made).findings] == ["pfc/few", "app/one", "mtu/far", "ets/all"]


def test_nothing_is_said_of_nics_where_none_is_known() -> None:
    assert "on the way of" not in text(report(finding(reach=None), finding("ets/zero", reach=Reach(0, 8))))


@pytest.mark.parametrize("name", ["text", "html", "markdown", "github", "junit"])
def test_people_read_on_the_way_of_how_many_nics_a_finding_is(name: str) -> None:
    said = "on the way of 512 of 1,024 RoCE NICs"
    assert said in "".join(render(name, report(finding(reach=Reach(512, 1024))), Options()))
    assert said not in "".join(render(name, report(finding()), Options()))


def test_programs_read_on_the_way_of_how_many_nics_a_finding_is() -> None:
    made = report(finding(reach=Reach(512, 1024)))
    (row,) = csv.DictReader(io.StringIO("".join(render("csv", made, Options()))))
    assert row["nics_on_the_way"] == "512"
    (result,) = json.loads("".join(render("sarif", made, Options())))["runs"][0]["results"]
    assert (result["properties"]["nicsOnTheWay"], result["properties"]["nicsOfFabric"]) == (512, 1024)


def test_lines_that_were_not_understood_are_counted_and_not_quoted_in_the_headline() -> None:
    two = (member("no such mode", 5), member("queue-limit odd", 9), member("queue-limit odd", 12))
    far = member("trust all", 3, "leaf2")
    unread = finding("input/unread-line", severity="warning", members=two)
    assert "] 3 lines of leaf1: " in text(report(unread))
    assert "] 4 lines of 2 devices: leaf1 (3), leaf2 (1): " in text(report(replace(unread, members=(*two, far))))
    assert "] leaf1 no such mode: " in text(report(replace(unread, members=two[:1], subject="no such mode")))


def test_a_port_that_fails_for_two_classes_is_named_once_where_it_stands() -> None:
    port = member("Ethernet1/2", 64)
    made = report(finding(members=(member("Ethernet1/3", 57), port, replace(port, fingerprint="of the second class"))))
    assert "leaf1.cfg:64 (Ethernet1/2)" in text(made)


@pytest.mark.parametrize(
    ("key", "first", "below"),
    [("roce.priority", True, "[inferred; pin"), ("mtu.roce", False, "[inferred in part; pin")],
    ids=["the class", "its MTU alone"],
)
def test_a_class_that_the_policy_gives_is_not_inferred(key: str, first: bool, below: str) -> None:
    made = full()
    (value, *_) = made.inferred.values()
    shown = text(replace(made, inferred={key: value}))
    assert ("(inferred)" in shown.split("\n\n")[0]) is first
    assert below in shown
