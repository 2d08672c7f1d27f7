"""Documents that are made from the program: references of rules, commands, policy, report, formulas and model, pictures.

`python docs/generate.py` writes them; with `--check` a difference fails.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]  # this checkout, not what is installed

import statements  # noqa: E402

from roce_audit.drafting import editorschema  # noqa: E402
from roce_audit.engine import rulepack  # noqa: E402
from roce_audit.engine.rule import Rule, Source  # noqa: E402

DOCS = Path(__file__).parent


def documents() -> dict[str, str]:
    """Path below docs/ -> text."""
    import pictures
    import references

    return {
        "reference/rules.md": "".join(_rules()),
        "reference/cli.md": "".join(_commands()),
        "policy.schema.json": editorschema.schema(),
        **references.documents(),
        **pictures.documents(),
        **dict(statements.pages()),
    }


def _rules() -> Iterator[str]:
    rules = sorted(rulepack.load([rulepack.builtin_folder()], use_cache=False), key=lambda rule: rule.id)
    yield "# Rules\n\nMade from `rules/` by `python docs/generate.py`.\n"
    for topic in dict.fromkeys(rule.topic for rule in rules):
        yield f"\n## {topic}\n\n| rule | severity | scope | asks | says |\n|---|---|---|---|---|\n"
        yield from (_row(rule) for rule in rules if rule.topic == topic)
    for rule in rules:
        yield from _rule(rule)


def _row(rule: Rule) -> str:
    return f"| [{rule.id}](#{_anchor(rule)}) | {rule.severity} | {rule.scope} | {rule.asks or ''} | {rule.title} |\n"


def _anchor(rule: Rule) -> str:
    return rule.id.replace("/", "")


def _rule(rule: Rule) -> Iterator[str]:
    yield f"\n### {rule.id}\n\n**{rule.title}.** {rule.why.strip()}\n\n"
    if rule.when is not None:
        yield f"- asked when: `{' '.join(rule.when.split())}`\n"
    yield f"- must hold: `{' '.join(rule.require.split())}`\n"
    for name, text in rule.let.items():
        yield f"- where `{name}` = `{' '.join(text.split())}`\n"
    for name, parameter in rule.params.items():
        yield f"- parameter `{name}` = {parameter.value}: {parameter.doc}\n"
    levels = ", ".join(
        level if len(rule.severities) == 1 else f"{level} if `{test}`" for level, test in rule.severities
    )
    yield f"- severity: {levels}; confidence: {rule.confidence}; owner: {rule.owner}\n"
    if rule.after:
        yield f"- a consequence of: {', '.join(rule.after)}\n"
    yield f"- source: {'; '.join(map(_source, rule.source))}\n"


def _source(source: Source) -> str:
    text = f"{source.title}, {source.section}" if source.section else source.title
    return {"document": text, "definition": f"by definition: {text}"}.get(source.kind, f"unverified: {text}")


def _commands() -> Iterator[str]:
    import os

    from roce_audit.cli import arguments

    os.environ["COLUMNS"] = "100"
    parser = arguments.parser()
    yield "# Commands\n\nMade from the program by `python docs/generate.py`.\n"
    yield f"\n```text\n{parser.format_help()}```\n"
    yield from _verbs(parser, "##")


def _verbs(parser: argparse.ArgumentParser, head: str) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                name = verb.prog.removeprefix("roce-audit ")
                yield f"\n{head} {name}\n\n```text\n{verb.format_help().rstrip()}\n```\n"
                yield from _verbs(verb, f"{head}#")


def main(arguments: list[str]) -> int:
    """Write the documents, or with --check compare them."""
    different = 0
    for name, text in documents().items():
        path = DOCS / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif old != text:
            different += 1
            diff = difflib.unified_diff(
                old.splitlines(), text.splitlines(), f"docs/{name}", "made now", lineterm="", n=1
            )
            print("\n".join(list(diff)[:40]))
    if different:
        print("run: python docs/generate.py")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
