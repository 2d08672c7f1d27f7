"""Rule files: checked to the line and column, and cached as plain JSON."""

from __future__ import annotations

import copy
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from roce_audit.engine.rules import rulefile, rulepack
from roce_audit.engine.rules.rule import Rule, from_plain
from roce_audit.engine.rules.rulecompiler import RuleError
from roce_audit.engine.rules.scopes import ROOTS, compiler_for
from roce_audit.model import Class, Observation
from roce_audit.text.cachefiles import read_sealed, sealed
from roce_audit.values import known

GOOD = """\
title: A test rule
scope: port
asks: absent
when: port.admin_up
let:
  needed_bytes: roce_packet_bytes(roce.mtu_bytes) + params.spare
require: port.ip_mtu_bytes >= needed_bytes
severity: {error: port.ip_mtu_bytes < 1000, warning: "True"}
message: carries {port.ip_mtu_bytes|bytes}, needs {needed_bytes|bytes}
why: because
source:
  - {kind: document, title: Some standard, section: "1.2"}
confidence: consensus
owner: switch
params:
  spare: {value: 4, doc: spare bytes}
fix: {path: port.ip_mtu_bytes, value: needed_bytes, note: "at least {needed_bytes}"}
"""


def read(text: str, name: str = "a-rule", topic: str = "mtu") -> Rule:
    rule = from_plain(json.loads(json.dumps(rulefile.read_text(text, "x.yaml", topic, name))))
    assert rule.compiled.parts()
    return rule


def test_a_rule() -> None:
    rule = read(GOOD)
    assert (rule.id, rule.topic, rule.severity, rule.asks) == ("mtu/a-rule", "mtu", "error", "absent")
    assert rule.uses_class
    assert rule.reads == {
        ("port", "admin_up"),
        ("port", "ip_mtu_bytes"),
        ("roce", "mtu_bytes"),
        ("params", "spare"),
    }
    assert rule.source[0].section == "1.2"
    assert rule.parameters().spare == 4
    assert rule.parameters({"spare": 8}).spare == 8
    with pytest.raises(ValueError, match="did you mean 'spare'"):
        rule.parameters({"sparr": 8})
    with pytest.raises(ValueError, match="integer"):
        rule.parameters({"spare": "8"})


@pytest.mark.parametrize(
    ("old", "new", "line", "column", "complaint"),
    [
        ("port.ip_mtu_bytes >= needed", "port.ip_mtu_byte >= needed", 7, 10, "did you mean 'ip_mtu_bytes'"),
        ("+ params.spare", "+ params.spar", 6, 53, "did you mean 'spare'"),
        ("port.ip_mtu_bytes < 1000", "port.ip_mtu_bytes < roce.x", 8, 39, "no field 'x'"),
        ("{needed_bytes|bytes}", "{needed_bytes|bites}", 9, 65, "did you mean 'bytes'"),
        ("require: port.ip_mtu_bytes >= needed_bytes", "require: needed_bytes", 7, 10, "a condition is needed"),
        ("title: A test rule", "title: A test rule\nworst_by: port.admin_up", 2, 11, "a number is needed"),
        ("when: port.admin_up", "wenn: port.admin_up", 4, 1, "did you mean 'when'"),
        ("scope: port", "scope: prot", 2, 1, "did you mean 'port'"),
        ("asks: absent\n", "", 2, 1, "must say 'asks'"),
        ("warning: ", "warnning: ", 8, 45, "did you mean 'warning'"),
        ("kind: document", "kind: unverified", 11, 1, "unverified cannot be an error"),
        ("kind: document", "kind: hearsay", 12, None, "kind"),
        ("owner: switch", "owner: nobody", 14, 1, "owner"),
        ("needed_bytes: roce", "roce: roce", 6, None, "already means something else"),
        ("needed_bytes: roce", "Needed: roce", 6, 3, "Needed"),
        ("value: 4", "value: [4]", 16, None, "params"),
        ("value: 4, ", "", 16, 3, "needs a type"),
        ("path: port.ip_mtu_bytes", "path: port.ip_mtu_bytes + 1", 17, None, "a model path"),
        ("value: needed_bytes,", "value: port.trust,", 17, None, "is a number, not text"),
        ("confidence", "after: [mtu]\nconfidence", 13, None, "no rule id"),
        ("title: A test rule", "title: !!python/object:os.system x", 1, None, "tags"),
        ("title: A test rule", "title: [" * 60, 1, None, "nested"),
        ("title: A test rule", "title: A test rule\ntitle: again", 2, None, "second time"),
        ("title: A test rule", "title: 'A test rule", 1, None, ""),
        ("title: A test rule\n", "", None, None, "title"),
    ],
)
def test_mistakes_carry_line_column_and_suggestion(
    old: str, new: str, line: int | None, column: int | None, complaint: str
) -> None:
    assert old in GOOD
    with pytest.raises(RuleError) as error:
        read(GOOD.replace(old, new, 1))
    assert complaint in error.value.message
    assert error.value.path == "x.yaml"
    assert error.value.column >= 1
    if complaint:
        assert line is None or error.value.line == line
    assert column is None or error.value.column == column


def test_a_folded_expression_tells_the_character() -> None:
    with pytest.raises(RuleError) as error:
        read(GOOD.replace("when: port.admin_up", "when: >-\n  port.admin_up and\n  port.admin_upp"))
    assert error.value.line == 4
    assert "at character 19" in error.value.message


@pytest.mark.parametrize(("topic", "name"), [("mtv", "a-rule"), ("mtu", "A_rule"), ("mtu", "-x")])
def test_bad_ids(topic: str, name: str) -> None:
    with pytest.raises(RuleError):
        read(GOOD, name, topic)


def test_an_oversized_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "big.yaml"
    file.write_text(GOOD + "#" * 70_000)
    with pytest.raises(RuleError, match="larger than 64 KiB"):
        rulefile.read(file)


def test_severity_is_the_first_level_that_holds() -> None:
    text = """\
title: t
scope: input
severity: {error: input.relied_on, warning: input.kind == 'undefined', info: "True"}
require: input.kind != 'undefined' and input.kind != 'unapplied'
message: "{input.name}"
why: w
source: [{kind: definition, title: d}]
confidence: consensus
owner: plan
"""
    rule = read(text, topic="input")

    def level(kind: str, relied_on: bool) -> str:
        seen = Observation(kind, "x", "t", known(relied_on), known("q"))  # type: ignore[arg-type]
        return rule.severity_of({"input": seen})

    assert [level("undefined", True), level("undefined", False), level("unapplied", False)] == [
        "error",
        "warning",
        "info",
    ]
    assert rule.severity == "error"
    assert not rule.uses_class


def test_a_parameter_without_value_is_absent() -> None:
    text = GOOD.replace("{value: 4, doc: spare bytes}", "{type: integer, doc: d}")
    rule = read(text.replace("when: port.admin_up", "when: params.spare is not None"))
    when = rule.compiled.when
    assert when is not None
    assert when({"params": rule.parameters()}).value is False
    assert when({"params": rule.parameters({"spare": 3})}).value is True


def test_a_compiled_rule_travels_to_another_process() -> None:
    rule = read(GOOD)
    assert rule.compiled.parts()
    there = copy.copy(rule)
    assert "compiled" not in vars(there)
    assert there == rule
    assert there.reads == rule.reads


@pytest.mark.parametrize("scope", sorted(ROOTS))
def test_every_scope_resolves_its_roots(scope: str) -> None:
    compiler = compiler_for(scope)  # type: ignore[arg-type]
    for root, choices in ROOTS[scope].items():  # type: ignore[index]
        for key, model in choices:
            field = next(iter(model.__dataclass_fields__))
            compiled = compiler.compile(f"{root}.{field} is None")
            assert {key for key, _ in compiled.reads} <= {k for k, _ in choices}, (scope, root, key)


def _pack(folder: Path, rules: int = 1) -> Path:
    (folder / "mtu").mkdir(parents=True)
    for number in range(rules):
        (folder / "mtu" / f"rule-{number}.yaml").write_text(GOOD)
    return folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "roce-audit"


def _anew(folders: list[Path] | None = None) -> tuple[Rule, ...]:
    """The pack as a process that has not read it before gets it."""
    rulepack.LOADED.clear()
    return rulepack.load(folders)


def test_the_built_in_rules_load(cache: Path) -> None:
    rules = _anew()
    assert {"ecn/min-above-max", "mtu/below-roce", "pfc/link-pause-on"} <= {rule.id for rule in rules}
    assert [rule.id for rule in rules] == sorted(rule.id for rule in rules)
    assert all(a == b for a, b in zip(_anew(), rules, strict=True))


def test_one_process_has_an_unchanged_pack_once(tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a")
    assert rulepack.load([folder]) is rulepack.load([folder])
    for number in range(40):
        _pack(tmp_path / str(number))
        rulepack.load([tmp_path / str(number)])
    assert len(rulepack.LOADED) <= 8


def test_two_rules_of_one_id_are_an_error_with_both_paths(tmp_path: Path, cache: Path) -> None:
    first, second = _pack(tmp_path / "a"), _pack(tmp_path / "b")
    with pytest.raises(RuleError) as error:
        rulepack.load([first, second])
    assert str(first) in str(error.value)
    assert str(second) in str(error.value)


def test_an_unknown_cause_is_an_error(tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a")
    (folder / "mtu" / "late.yaml").write_text(GOOD + "after: [mtu/rule-9]\n")
    with pytest.raises(RuleError, match="did you mean 'mtu/rule-0'"):
        rulepack.load([folder])


def test_rules_that_follow_from_each_other_are_an_error(tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a")
    (folder / "mtu" / "one.yaml").write_text(GOOD + "after: [mtu/two]\n")
    (folder / "mtu" / "two.yaml").write_text(GOOD + "after: [mtu/one]\n")
    with pytest.raises(RuleError, match="would follow from itself"):
        rulepack.load([folder])


@pytest.mark.parametrize("name", ["mtu/x.yml", "x.yaml", "mtu/deep/x.yaml", "nonsense/x.yaml"])
def test_misplaced_files_are_not_skipped_silently(name: str, tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a")
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(GOOD)
    with pytest.raises(RuleError):
        rulepack.load([folder])


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no such folder"):
        rulepack.load([tmp_path / "none"])


def test_a_changed_file_is_read_again(tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a")
    assert rulepack.load([folder])[0].title == "A test rule"
    (folder / "mtu" / "rule-0.yaml").write_text(GOOD.replace("A test rule", "Another test rule"))
    assert rulepack.load([folder])[0].title == "Another test rule"


def test_a_file_changed_within_a_tick_of_the_clock_is_read_again(tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a")
    file = folder / "mtu" / "rule-0.yaml"
    was, before = file.stat(), _anew([folder])
    file.write_text(GOOD.replace("A test rule", "A best rule"))
    os.utime(file, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert [rule.title for rule in (*before, *_anew([folder]))] == ["A test rule", "A best rule"]


def test_the_same_rules_elsewhere_are_kept_once_and_named_by_their_own_files(tmp_path: Path, cache: Path) -> None:
    first, second = _pack(tmp_path / "a"), _pack(tmp_path / "b")
    _anew([first])
    assert [rule.path for rule in _anew([second])] == [str(second / "mtu" / "rule-0.yaml")]
    assert len(list(cache.glob("*.rules"))) == 1


def test_packs_of_long_ago_make_room(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulepack, "_MOST_KEPT", 16_000)
    for number in range(8):
        _anew([_pack(tmp_path / str(number), rules=number + 1)])
    assert 1 <= len(list(cache.glob("*.rules"))) < 4


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"reads": {}, "rules": [{}]}', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_cache_is_ignored(damage: bytes, tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a")
    before = rulepack.load([folder])
    (file,) = cache.glob("*.rules")
    for content in (damage, sealed(damage)):
        file.write_bytes(content)
        assert _anew([folder]) == before
    kept = json.loads(read_sealed(file))
    kept["rules"][0].pop("title")
    file.write_bytes(sealed(json.dumps(kept).encode()))
    assert _anew([folder]) == before


def test_a_rule_from_the_cache_reads_what_its_expressions_read(cache: Path) -> None:
    rules = rulepack.load()
    again = _anew([rulepack.builtin_folder()])
    assert [rule.known_reads for rule in again] == [rule.reads_by_use for rule in rules]
    for rule in again:
        assert rule.known_reads is not None
        conditions = [part for part in (rule.compiled.when, rule.compiled.require) if part is not None]
        assert rule.known_reads.deciding == {read for part in conditions for read in part.reads}
        assert rule.reads == {read for part in rule.compiled.parts() for read in part.reads}


def test_what_another_program_kept_is_read_again(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _pack(tmp_path / "a")
    rulepack.load([folder])
    assert all(rule.known_reads is not None for rule in _anew([folder]))
    monkeypatch.setattr(rulepack, "_program", lambda: "another")
    assert all(rule.known_reads is None for rule in _anew([folder]))


def test_a_module_by_which_rules_are_read_counts_for_the_program(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in rulepack.PROGRAM:
        (tmp_path / "package" / folder).mkdir(parents=True, exist_ok=True)
    module = tmp_path / "package" / "engine" / "rules" / "rulepack.py"
    other = tmp_path / "package" / "model" / "port.py"
    other.write_text("a = 1\n")
    monkeypatch.setattr(rulepack, "__file__", str(module))
    before = rulepack._program.__wrapped__()
    was = other.stat()
    other.write_text("a = 2\n")
    os.utime(other, ns=(was.st_atime_ns, was.st_mtime_ns))
    assert rulepack._program.__wrapped__() != before


def test_no_module_by_which_rules_are_read_lies_elsewhere() -> None:
    script = (
        "import sys\nfrom roce_audit.engine.rules import rulepack\nrulepack.load(use_cache=False)\n"
        "print(*(m.__file__ for name, m in sys.modules.items() if name.partition('.')[0] == 'roce_audit'), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    package = Path(rulepack.__file__).parents[2]
    assert {Path(file).parent for file in done.stdout.splitlines()} <= {package / folder for folder in rulepack.PROGRAM}


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert len(rulepack.load([_pack(tmp_path / "a")])) == 1


def test_a_warm_start_imports_no_heavy_package(tmp_path: Path, cache: Path) -> None:
    folder = _pack(tmp_path / "a", rules=3)
    rulepack.load([folder])
    script = (
        "import sys; from pathlib import Path; from roce_audit.engine.rules import rulepack\n"
        f"rules = rulepack.load([Path({str(folder)!r})])\n"
        "assert len(rules) == 3 and rules[0].compiled.parts()\n"
        "print([m for m in ('pydantic', 'ruamel.yaml', 'lark', 'rich', 'netmiko') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_class_is_a_root_of_port_rules() -> None:
    assert ("roce", Class) in ROOTS["port"]["roce"]


def test_a_fix_may_be_a_note_alone_but_no_half() -> None:
    whole = 'fix: {path: port.ip_mtu_bytes, value: needed_bytes, note: "at least {needed_bytes}"}'
    rule = read(GOOD.replace(whole, "fix: {note: ask the owner of the port}"))
    assert rule.compiled.fix_path is None
    assert rule.compiled.fix_note is not None
    with pytest.raises(RuleError, match="both the path and its value"):
        read(GOOD.replace(whole, "fix: {path: port.ip_mtu_bytes}"))


@pytest.mark.parametrize(
    "url", ["http://example.org/", "ftp://example.org/x", "example.org", "https://a b/", "https://a/<b>"]
)
def test_the_address_of_a_source_is_an_https_address(url: str) -> None:
    text = (rulepack.builtin_folder() / "pfc" / "priority-off.yaml").read_text()
    good = "https://doi.org/10.1145/2934872.2934908"
    assert rulefile.read_text(text, "priority-off.yaml", "pfc", "priority-off")["source"][0]["url"] == good
    with pytest.raises(RuleError):
        rulefile.read_text(text.replace(good, f"'{url}'"), "priority-off.yaml", "pfc", "priority-off")


def test_what_has_an_address_everywhere_has_it_in_every_rule() -> None:
    """Papers, standards, RFCs and sources of the kernel are cited with their address, the same one each time."""
    known: dict[str, str | None] = {}
    for rule in rulepack.load():
        for source in rule.source:
            assert known.setdefault(source.title, source.url) == source.url, (rule.id, source.title)
            if re.match(r"RFC \d|.*SIGCOMM|IEEE 802\.[13]Q?-\d|Linux(?: kernel)?, [\w-]+/", source.title):
                assert source.url, (rule.id, source.title)
