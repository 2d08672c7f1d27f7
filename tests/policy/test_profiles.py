"""Profiles: numbers of published guides below the site's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.audit import Request, check
from roce_audit.cli.main import main
from roce_audit.engine.rules.rulepack import PROFILES, builtin_folder, load
from roce_audit.engine.rules.selecting import check_policy
from roce_audit.formulas import versions
from roce_audit.policy import PolicyError, load_text
from roce_audit.policy.profiles import applied, names
from roce_audit.values import known

FOLDER = builtin_folder() / PROFILES


def test_every_profile_that_comes_along_fits_the_rules() -> None:
    rules = load()
    for name in names(FOLDER):
        check_policy(rules, applied(replace(load_text("", "p"), profile=known(name)), FOLDER))


def test_the_sites_own_words_go_before_the_profiles(tmp_path: Path) -> None:
    (tmp_path / "guide.yaml").write_text(
        "title: T\nsource: [{title: G}]\nrules:\n  a/b: {source: s, severity: info, params: {x: 1, y: 2}}\n"
        "  a/c: {source: s, params: {z: 3}}\n"
    )
    site = load_text("profile: guide\nrules:\n  a/b: {params: {y: 5}}\n", "p")
    merged = {entry.rule: entry for entry in applied(site, tmp_path).rules}
    assert merged["a/b"].severity == "info"
    assert dict(merged["a/b"].params) == {"x": 1, "y": 5}
    assert dict(merged["a/c"].params) == {"z": 3}


@pytest.mark.parametrize("text", ["title: T\nrules: {}\n", "title: [\n", "title: T\nsource: [{title: G}]\nrule: {}\n"])
def test_a_profile_names_its_guide_and_nothing_else(tmp_path: Path, text: str) -> None:
    (tmp_path / "guide.yaml").write_text(text)
    with pytest.raises(PolicyError):
        applied(load_text("profile: guide\n", "p"), tmp_path)


def _written(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(f"title: T\nsource: [{{title: G}}]\n{text}")
    return folder


def test_a_profile_extends_another_and_says_only_what_differs(tmp_path: Path) -> None:
    folder = _written(
        tmp_path,
        below="rules:\n  a/b: {source: s, severity: info, params: {x: 1, y: 2}}\n  a/c: {source: s, params: {z: 3}}\n",
        above="extends: below\nlossless: false\nrules:\n  a/b: {source: s, params: {y: 5}}\n",
    )
    policy = applied(load_text("profile: above\nroce: {priority: 3}\n", "p"), folder)
    merged = {entry.rule: (entry.severity, dict(entry.params)) for entry in policy.rules}
    assert merged == {"a/b": ("info", {"x": 1, "y": 5}), "a/c": (None, {"z": 3})}
    assert (policy.lossless.get(), policy.classes[0].lossless.get()) == (False, False)
    said = applied(load_text("profile: above\nlossless: true\nroce: {priority: 3}\n", "p"), folder)
    assert (said.lossless.get(), said.classes[0].lossless.get()) == (True, True)


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        ({"a": "extends: b\n", "b": "extends: a\n"}, "extends itself: a -> b -> a"),
        ({"a": "extends: nobody\n"}, "a.yaml: extends 'nobody', and no profile is called so"),
    ],
)
def test_what_cannot_be_extended_is_said(tmp_path: Path, texts: dict[str, str], words: str) -> None:
    with pytest.raises(PolicyError, match=words):
        applied(load_text("profile: a\n", "p"), _written(tmp_path, **texts))


def test_a_template_of_another_form_is_refused_with_its_line() -> None:
    site = load_text("rules:\n  ecn/unlike-profile:\n    params: {min_bytes: 150 kB}\n", "p")
    with pytest.raises(PolicyError, match="p:3: '150 kB' is neither a number nor a range"):
        check_policy(load(), site)


def test_a_fabric_has_a_profile_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "guide.yaml").write_text(
        "title: T\nsource: [{title: G}]\nrules:\n"
        '  fleet/firmware-below-floor: {source: s, severity: info, params: {floors: "bnxt_en 233 bad"}}\n'
    )
    hosts = Path(platforms.__file__).parent / "bnxt" / "examples" / "base"
    site = "roce: {dscp: [26], priority: [3]}\nfabrics:\n  one: {devices: [gpu1], profile: guide}\n  two: {devices: [gpu2]}\n"
    policy = applied(load_text(site, "p"), tmp_path)
    assert [dict(entry.params) for entry in policy.rules_of_fabrics["one"]] == [{"floors": "bnxt_en 233 bad"}]
    report = check(Request((str(hosts / "gpu1"), str(hosts / "gpu2")), policy=policy)).report
    floors = [f for f in report.findings if f.rule == "fleet/firmware-below-floor" and f.verdict == "fails"]
    assert {(f.device, f.severity) for f in floors} == {("gpu1", "info")}


def test_a_fabrics_profile_must_exist(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "roce-audit.yaml").write_text("fabrics:\n  one: {devices: [a], profile: nobody}\n")
    assert main(["check", str(tmp_path)]) == 2
    assert "there is no profile 'nobody'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("profile", "rule", "driver", "version", "is_good"),
    [
        ("mori", "fleet/firmware-below-floor", "bnxt_en", "231.1.162.1", False),
        ("mori", "fleet/firmware-below-floor", "bnxt_en", "235.2.40.0", False),
        (
            "mori",
            "fleet/firmware-below-floor",
            "bnxt_en",
            "232.1.133.2",
            True,
        ),  # a branch of which the list says nothing
        ("mori", "fleet/firmware-below-floor", "bnxt_en", "237.1.145.0", True),
        ("mori", "fleet/firmware-below-floor", "ionic", "1.117.1-a-63", False),
        ("validate-dcb", "fleet/driver-below-floor", "mlx5", "2.50.51000.0", False),
        ("validate-dcb", "fleet/driver-below-floor", "mlx5", "2.60.21096.0", True),
        ("validate-dcb", "fleet/driver-below-floor", "icea", "1.9.50.0", False),
    ],
)
def test_lists_of_versions_are_those_of_the_last_edition(
    profile: str, rule: str, driver: str, version: str, is_good: bool
) -> None:
    policy = applied(load_text(f"profile: {profile}\n", "p"), FOLDER)
    floors = next(str(dict(entry.params)["floors"]) for entry in policy.rules if entry.rule == rule)
    assert versions.meets(version, driver, floors) is is_good
