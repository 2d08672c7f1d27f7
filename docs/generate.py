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

from roce_audit.drafting import editorschema, ownrules  # noqa: E402
from roce_audit.views import traceform  # noqa: E402

DOCS = Path(__file__).parent


def documents() -> dict[str, str]:
    """Path below docs/ -> text."""
    import pictures
    import profilepages
    import references
    import rulepages

    return {
        "reference/cli.md": "".join(_commands()),
        "policy.schema.json": editorschema.schema(),
        "rule.schema.json": ownrules.schema(),
        "trace.schema.json": traceform.schema(),
        **rulepages.documents(),
        **references.documents(),
        **profilepages.documents(),
        **pictures.documents(),
        **dict(statements.pages()),
    }


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
