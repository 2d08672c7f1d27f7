"""Where examples lie: a base of files per platform, example texts beside it, and texts in the rule files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from roce_audit import platforms
from roce_audit.engine.rules.rule import Rule
from roce_audit.engine.suggestions import did_you_mean
from roce_audit.proof.edits import Changed, Tree, apply
from roce_audit.proof.exampletext import Example, ExampleError, ExampleSet, parse

BASE = "base"


def folder(platform: str) -> Path:
    """The folder of a platform's examples (it may not exist)."""
    return platforms.folder(platform) / "examples"


def with_base() -> tuple[str, ...]:
    """The platforms that have a base: those on which examples can run."""
    return tuple(name for name in platforms.names() if (folder(name) / BASE).is_dir())


@cache
def base(platform: str) -> Tree:
    """The good network of a platform, by path inside its folder."""
    root = folder(platform) / BASE
    files = sorted(file for file in root.rglob("*") if file.is_file())
    return {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in files}


def collect(rules: Iterable[Rule]) -> tuple[ExampleSet, ...]:
    """All examples of these rules, by rule and platform. Raises ExampleError."""
    return tuple(found for rule in rules for found in of_rule(rule))


def of_rule(rule: Rule) -> Iterator[ExampleSet]:
    """The examples of one rule, platform by platform; the platform's folder comes before the rule's own file."""
    for name in rule.examples:
        if name not in platforms.names():
            message = f"examples: there is no platform '{name}'{did_you_mean(name, platforms.names())}"
            raise ExampleError(rule.path, 1, message)
    for platform in platforms_of(rule):
        file = _file(rule, platform)
        if file.is_file():
            yield parse(file.read_text(encoding="utf-8"), _shown(file), rule.id, platform)
        else:
            yield parse(rule.examples[platform], f"{rule.path} (examples.{platform})", rule.id, platform)


def platforms_of(rule: Rule) -> tuple[str, ...]:
    """The platforms that have examples of this rule."""
    return tuple(name for name in with_base() if name in rule.examples or _file(rule, name).is_file())


def _file(rule: Rule, platform: str) -> Path:
    return folder(platform) / f"{rule.id}.txt"


def strays(rules: Iterable[Rule]) -> tuple[str, ...]:
    """Example files that belong to no rule: a rule was renamed, or its name misspelt."""
    ids = {rule.id for rule in rules}
    return tuple(
        _shown(file)
        for platform in platforms.names()
        for file in sorted(folder(platform).glob("*/*.txt"))
        if file.parent.name != BASE and f"{file.parent.name}/{file.stem}" not in ids
    )


def _shown(file: Path) -> str:
    """The path from the package on: the same wherever the package lies."""
    return file.relative_to(Path(platforms.__file__).parent.parent.parent).as_posix()


def good_tree(found: ExampleSet) -> Tree:
    """The files of the good example. Raises ExampleError."""
    tree = base(found.platform)
    return tree if found.good is None else apply(tree, found.good).tree


def case_tree(found: ExampleSet, example: Example) -> Changed:
    """The files of one case and its marked lines. Raises ExampleError."""
    return apply(good_tree(found), example)
