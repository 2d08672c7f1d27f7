"""One run of a module, written as a task of YAML without loops and variables, for platforms whose readers take playbooks as they stand."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from roce_audit.text.plays import Run
from roce_audit.text.structured.positions import Path


def lines_of(run: Run) -> Iterator[tuple[str, int]]:
    """The lines of the task, each with the line of the file that says it."""
    name = f"{run.collection}.{run.name}" if run.collection else run.name
    yield f"- {name}:", run.line()
    yield from _below(run, run.arguments, (), "    ")


def _below(run: Run, value: Any, way: Path, margin: str) -> Iterator[tuple[str, int]]:
    """The lines of what a mapping or a list holds."""
    inside: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in inside:
        begins = f"{margin}{json.dumps(str(key))}:" if isinstance(value, dict) else f"{margin}-"
        line = run.line(*way, key)
        if isinstance(inner, dict | list) and inner:
            yield begins, line
            yield from _below(run, inner, (*way, key), f"{margin}  ")
        elif isinstance(inner, str) and "\n" in inner and not inner.startswith((" ", "\n")):
            yield f"{begins} |", line
            for number, text in enumerate(inner.rstrip("\n").split("\n"), line + 1):
                yield f"{margin}  {text}", number
        else:
            yield f"{begins} {json.dumps(inner, default=str)}", line
