"""`rules --new` and `rules --test`, the schema of a rule file, and the rules that the documentation shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from roce_audit.cli.main import main
from roce_audit.drafting import ownrules
from roce_audit.engine.rules import rulefile, rulepack
from roce_audit.engine.rules.rule import from_plain
from roce_audit.text.structured.yamltext import parse

ROOT = Path(__file__).parent.parent.parent
SCHEMA = json.loads(ownrules.schema())
Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_rule_loads_and_its_examples_hold_as_they_stand(here: Path, capsys: Capture) -> None:
    assert main(["rules", "--new", "mtu/house-rule"]) == 0
    said = capsys.readouterr().out
    assert "our-rules/mtu/house-rule.yaml" in said
    assert 'rules_path: ["our-rules"]' in said
    text = (here / "our-rules/mtu/house-rule.yaml").read_text()
    named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert named
    assert (here / "our-rules/mtu" / named.group(1)).resolve().read_text() == ownrules.schema()
    assert main(["rules", "--test", "our-rules"]) == 0
    assert capsys.readouterr().out.splitlines() == ["ok     mtu/house-rule", "1 rule · 3 examples · 0 wrong"]


def test_a_new_rule_goes_where_the_policy_looks_and_never_over_another(here: Path, capsys: Capture) -> None:
    (here / "roce-audit.yaml").write_text("rules_path: [house]\n")
    assert main(["rules", "--new", "pfc/house-rule", "--policy", "roce-audit.yaml"]) == 0
    assert (here / "house/pfc/house-rule.yaml").is_file()
    assert "rules_path" not in capsys.readouterr().out
    assert main(["rules", "--new", "pfc/house-rule", "--policy", "roce-audit.yaml"]) == 2
    assert "exists" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["house-rule", "pcf/house-rule", "pfc/House", "../pfc/x", "pfc/a/b"])
def test_a_new_rule_needs_a_topic_and_a_name(here: Path, name: str, capsys: Capture) -> None:
    assert main(["rules", "--new", name]) == 2
    assert "topic/the-bad-thing" in capsys.readouterr().err
    assert not list(here.iterdir())


def test_an_example_that_does_not_hold_is_told_with_the_reason(here: Path, capsys: Capture) -> None:
    main(["rules", "--new", "mtu/house-rule"])
    file = here / "our-rules/mtu/house-rule.yaml"
    file.write_text(file.read_text().replace("mtu 8000", "mtu 9100", 1))
    capsys.readouterr()
    assert main(["rules", "--test", "our-rules"]) == 1
    told = capsys.readouterr().out
    assert "WRONG  mtu/house-rule" in told
    assert "eos bad: one port was left small: mtu/house-rule should be fails" in told


def test_a_rule_without_an_example_is_told(here: Path, capsys: Capture) -> None:
    main(["rules", "--new", "mtu/house-rule"])
    file = here / "our-rules/mtu/house-rule.yaml"
    file.write_text(file.read_text().partition("examples:")[0])
    capsys.readouterr()
    assert main(["rules", "--test", "our-rules"]) == 1
    assert "no example" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("severity: warning ", "severty: warning ", "severty: unknown key; did you mean 'severity'?"),
        ("severity: warning ", "severity: critical ", "'critical' is no severity (error, warning, info)"),
        ("scope: port ", "scope: ports ", "did you mean 'port'?"),
        ("port.ip_mtu_bytes >= params", "port.ip_mtu_byte >= params", "did you mean 'ip_mtu_bytes'?"),
        (">= params.least", ">= (params.least", "'(' was never closed"),
        (">= params.least", "== 'big'", "cannot compare a number with text"),
        ("params:", "let: {Big: '1'}\nparams:", "lower-case letters, digits and '_'"),
        ("kind: definition", "kind: blog", "must be 'document', 'definition' or 'unverified', not 'blog'"),
        ("kind: definition,", "kind: document, url: somewhere,", "an address like https://"),
        ("|bytes}", "|bites}", "did you mean 'bytes'?"),
        ("why: What", "\twhy: What", "a tab: YAML indents with blanks"),
        ("title: The", "title: !!python/name:os.system The", "tags are not read"),
        ("eos:", "eoss:", "there is no platform 'eoss', did you mean 'eos'?"),
        ("@ leaf1.cfg", "@ leaf9.cfg", "there is no file leaf9.cfg"),
        ("8000  <-", "8000", "write <- where the finding must point"),
    ],
)
def test_a_mistake_in_a_rule_is_told_in_words(here: Path, old: str, new: str, said: str, capsys: Capture) -> None:
    main(["rules", "--new", "mtu/house-rule"])
    file = here / "our-rules/mtu/house-rule.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))
    capsys.readouterr()
    assert main(["rules", "--test", "our-rules"]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("mtu/house-rule.yaml", "", "the file is empty"),
        ("mtu/below-roce.yaml", None, "mtu/below-roce exists already"),
        ("mtu/house-rule.yml", None, "rule files end in .yaml"),
        ("house/rule.yaml", None, "'house' is no topic"),
        ("mtu/House.yaml", None, "must be lower-case words"),
        ("mtu/house-rule.yaml", "a: &a [1,1,1,1,1,1,1,1]\n", ""),
    ],
)
def test_a_file_that_is_no_rule_is_told_in_words(
    here: Path, name: str, text: str | None, said: str, capsys: Capture
) -> None:
    file = here / "pack" / name
    file.parent.mkdir(parents=True)
    bomb = "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 8)}]\n" for a, b in zip("abcdefg", "bcdefgh", strict=True))
    file.write_text(ownrules.skeleton() if text is None else text and text + bomb)
    assert main(["rules", "--test", "pack"]) == 2
    assert (said or "aliases counted out") in capsys.readouterr().err
    assert main(["rules", "--test", str(file)]) == 2
    assert "give the folder of rules" in capsys.readouterr().err


def test_a_folder_without_rules_is_told(here: Path, capsys: Capture) -> None:
    (here / "empty").mkdir()
    assert main(["rules", "--test", "empty"]) == 2
    assert "no rule in this folder" in capsys.readouterr().err


def test_the_schema_takes_every_rule_and_refuses_what_the_loader_refuses() -> None:
    checker = jsonschema.Draft202012Validator(SCHEMA)
    for file in sorted(rulepack.builtin_folder().glob("*/*.yaml")):
        if file.parent.name != rulepack.PROFILES:
            errors = [error.message for error in checker.iter_errors(parse(file.read_text()).value)]
            assert not errors, (file, errors)
    good = parse(ownrules.skeleton()).value
    assert isinstance(good, dict)
    assert checker.is_valid(good)
    for wrong in (
        {"sevirity": "error"},
        {"severity": "loud"},
        {"scope": "cable"},
        {"owner": "nobody"},
        {"require": []},
    ):
        assert not checker.is_valid({**good, **wrong}), wrong


def _shown(page: str) -> list[str]:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
    return [block for block in blocks if "\nrequire:" in block]


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/how-to/add-a-rule.md"])
def test_the_rule_that_the_documentation_shows_loads(page: str) -> None:
    shown = _shown(page)
    assert shown
    for text in shown:
        assert from_plain(rulefile.read_text(text, page, "ecn", "shown")).compiled.parts()


def test_a_folder_of_rules_that_is_not_there_is_said_with_the_line_of_the_policy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("roce-audit.yaml").write_text("profile: base\nrules_path: [house]\n")
    assert main(["check", "."]) == 2
    assert capsys.readouterr().err == "roce-audit: roce-audit.yaml:2: rules_path: no such folder of rules: house\n"
