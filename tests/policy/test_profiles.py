"""Profiles: numbers of published guides below the site's own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from roce_audit.engine.rulepack import PROFILES, builtin_folder, load
from roce_audit.engine.selecting import check_policy
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
        "title: T\nsource: [{title: G}]\nrules:\n  a/b: {severity: info, params: {x: 1, y: 2}}\n  a/c: {params: {z: 3}}\n"
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
