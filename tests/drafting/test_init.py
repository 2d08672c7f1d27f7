"""`init`: what it writes loads, changes no verdict on any tree, and never takes the place of a file unasked."""

from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from ruamel.yaml import YAML

from roce_audit import platforms
from roce_audit.audit import Checked, Request, check
from roce_audit.cli.main import main
from roce_audit.drafting.existing import Existing
from roce_audit.drafting.policyfile import draft
from roce_audit.drafting.proof import changes
from roce_audit.drafting.yamltext import key, literal, patterns
from roce_audit.policy import FILE_NAME, Policy, load, load_text
from roce_audit.text import globs

ROOT = Path(__file__).parents[2]
FABRIC = ROOT / "fixtures" / "fabric"
BASES = sorted(Path(platforms.__file__).parent.glob("*/examples/base"))
TREES = [
    *sorted(p for p in (ROOT / "fixtures").glob("fabric*") if p.is_dir()),
    *sorted({p.parent.parent for p in (ROOT / "fixtures").glob("*/*/golden.txt")}),
    *BASES,
]


def copied(tree: Path, folder: Path) -> Path:
    """The tree without its policy file."""
    shutil.copytree(tree, folder / "site")
    (folder / "site" / FILE_NAME).unlink(missing_ok=True)
    return folder / "site"


def judged(site: Path, policy: Policy) -> Checked:
    with contextlib.chdir(site):
        return check(Request((".",), policy))


@pytest.mark.parametrize("tree", TREES, ids=[str(t.relative_to(ROOT)) for t in TREES])
def test_freezing_changes_no_verdict(tree: Path, tmp_path: Path) -> None:
    site = copied(tree, tmp_path)
    before = judged(site, Policy.empty())
    text = draft(before, Policy.empty(), None, str(site)).text
    frozen = load_text(text, FILE_NAME, folder=site)
    with contextlib.chdir(site):
        assert changes(before, Request((".",), frozen)) == ()
    assert judged(site, frozen).report.inferred == {}, "everything inferred is written down"


@pytest.mark.parametrize("tree", TREES[:2], ids=["fabric", "fabric-faulty"])
def test_an_existing_policy_is_kept_and_added_to(tree: Path) -> None:
    policy = load(tree / FILE_NAME)
    old = (tree / FILE_NAME).read_text()
    with contextlib.chdir(tree):
        request = Request((".",), policy)
        before = check(request)
        text = draft(before, policy, old, str(tree)).text
        assert changes(before, replace(request, policy=load_text(text, FILE_NAME, folder=tree))) == ()
    rest = iter(text.splitlines())
    assert all(line in rest for line in old.splitlines()), "every line of it stands there, in order"
    assert "- {name: roce, dscp: [26], priority: [3], lossless: true}" in text
    assert "roce.priority [3]: 7 of 7 devices agree" in text


def test_the_evidence_and_the_open_questions_stand_there(tmp_path: Path) -> None:
    site = copied(FABRIC, tmp_path)
    text = draft(judged(site, Policy.empty()), Policy.empty(), None, str(site)).text
    for words in (
        "# roce.dscp [26]: 7 of 7 devices agree",
        "# cnp.dscp [48]: 4 of 4 hosts agree",
        "# mtu.roce 4096: 4 of 4 devices agree",
        '#   - {match: "tor1:Ethernet1/49", roce: false}',
        "#   - {between: [host, leaf], length_m: 5}   # 8 links",
    ):
        assert words in text
    uncommented = "\n".join(
        line.removeprefix("# ") if line.startswith("# ports:") else line for line in text.split("\n")
    )
    assert load_text(uncommented.replace("#   - {match", "    - {match"), FILE_NAME).ports


def test_files_that_look_whole_are_proposed(tmp_path: Path) -> None:
    (tmp_path / "leaf1.cfg").write_text(
        "".join(line for line in (FABRIC / "backend/leaf1.cfg").read_text().splitlines(True) if line[0] != "!")
    )
    with contextlib.chdir(tmp_path):
        text = draft(judged(tmp_path, Policy.empty()), Policy.empty(), None, str(tmp_path)).text
    assert '#   "leaf1.cfg": {complete: true}' in text


def test_it_is_written_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = copied(FABRIC, tmp_path)
    assert main(["init", str(site)]) == 0
    first = (site / FILE_NAME).read_text()
    assert "proved: with it every verdict is as without it" in capsys.readouterr().out
    assert main(["init", str(site)]) == 2
    assert "--force" in capsys.readouterr().err
    assert (site / FILE_NAME).read_text() == first
    assert main(["init", "--force", str(site)]) == 0
    assert (site / FILE_NAME).read_text().startswith(first.rstrip())
    capsys.readouterr()
    assert main(["init", "-o", "-", str(site)]) == 0
    assert load_text(capsys.readouterr().out, FILE_NAME).fabrics


def test_nothing_recognised_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of ours\n")
    assert main(["init", str(tmp_path)]) == 3
    assert not (tmp_path / FILE_NAME).exists()


def test_patterns_cover_their_own_devices_alone() -> None:
    mine, others = ["leaf1", "leaf2", "gpu1", "Spine", "odd*name"], ["leafy", "gpu-x", "spine2"]
    made = patterns(mine, others)
    assert all(any(globs.matches(glob, name) for glob in made) for name in mine)
    assert not any(globs.matches(glob, name) for glob in made for name in others)
    assert patterns(["leaf1", "leaf2"], ["spine1"]) == ["leaf*"]


@pytest.mark.parametrize("name", ["leaf[1]", "a*b", "what?", "plain-1"])
def test_a_literal_matches_itself_alone(name: str) -> None:
    assert globs.matches(literal(name), name)
    assert not globs.matches(literal(name), name.replace("*", "xx").replace("?", "x").replace("[1]", "1") + "z")


@pytest.mark.parametrize("name", ["backend", "true", "2024", "a: b", 'q"uote', "no", "a-b_c"])
def test_any_fabric_name_is_a_key(name: str) -> None:
    text = f"fabrics:\n  {key(name)}:\n    devices: [x]\n"
    assert [fabric.name for fabric in load_text(text, FILE_NAME).fabrics] == [name]


def test_a_fabric_in_one_line_is_left_alone() -> None:
    assert not Existing("fabrics:\n  a: {devices: [x]}\nports: []\n  b:\n").add_to_fabric("a", ["mtu: {roce: 4096}"])
    assert not Existing("fabrics:\n  a: {devices: [x]}\nports: []\n  b:\n").add_to_fabric("b", ["mtu: {roce: 4096}"])


def test_the_schema_lies_beside_the_policy_and_is_named_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = copied(FABRIC, tmp_path)
    monkeypatch.chdir(site)
    assert main(["check", "-f", f"json={tmp_path}/before.json"]) == 0
    assert main(["init", "--schema"]) == 0
    policy, schema = site / FILE_NAME, site / ".roce-audit.schema.json"
    assert policy.read_text().startswith(f"# yaml-language-server: $schema={schema.name}\n")
    jsonschema.validate(YAML(typ="safe").load(policy), json.loads(schema.read_text()))
    assert main(["check", "-f", f"json={tmp_path}/after.json"]) == 0
    before, after = (json.loads((tmp_path / name).read_text())["coverage"] for name in ("before.json", "after.json"))
    assert before["documents"] == after["documents"]
    assert before["unrecognised"] == after["unrecognised"]
    assert main(["init", "--schema", "--force"]) == 0
    assert policy.read_text().count("yaml-language-server") == 1
    assert main(["init", "--schema", "-o", "-"]) == 2
    assert "--schema writes a file" in capsys.readouterr().err
