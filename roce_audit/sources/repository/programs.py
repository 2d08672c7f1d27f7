"""What the programs of a repository do with its other files: data that they load, and templates that they render with these."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.records import dataclass
from roce_audit.sources.files import YAML, Candidate, template_by_name
from roce_audit.sources.repository import terraform
from roce_audit.sources.repository.python.files import Files, Render, as_data, distinct, holder
from roce_audit.sources.repository.python.program import follow
from roce_audit.sources.repository.python.pushes import HEAD, may_push, speaks_of_qos

PROGRAM = ".py"
_RENDERS = lazy(r"\b(?:get_template|from_string|template_path)\b|\bTemplate\(")
_LOADS = lazy(r"\b(?:safe_load|full_load|DictReader)\b|\b(?:json|yaml|YAML\([^()\n]{0,40}\))\.loads?\(")
_TEXTS = (
    ".j2",
    ".jinja",
    ".jinja2",
    *YAML,
    ".json",
    ".csv",
    ".txt",
    ".tmpl",
    ".tpl",
    ".conf",
    ".cfg",
    ".sls",
    terraform.TEMPLATE,
)
"""How the names of files end that a program may load or render."""
_MOST_PROGRAMS = 200
_MOST_DATA = 200_000
_MOST_ROWS = 512

Rendered = tuple[str, str, str, str]
"""(template, host, values as JSON, the file that renders it)."""
Beside = tuple[str, str, str]
"""(program, what it calls a file of data, the text of that)."""


@dataclass(frozen=True, slots=True)
class Programs:
    """What the programs of a repository render, and the data that they load."""

    rendered: tuple[Rendered, ...]
    beside: tuple[Beside, ...]


NO_PROGRAMS = Programs((), ())


def of_programs(
    those: Iterable[Candidate],
    text_of: Callable[[Candidate], str],
    given_to: Callable[[Candidate], Mapping[str, Any]],
) -> Programs:
    """What programs of Python and plans of Terraform do with the other files of a repository; `given_to` has the values of a plan that has
    several files.
    """
    candidates = list(those)
    programs = [one for one in candidates if one.name.endswith(PROGRAM)][:_MOST_PROGRAMS]
    plans = [one for one in candidates if one.name.endswith(terraform.PLAN)][:_MOST_PROGRAMS]
    known: Mapping[str, Callable[[], str]] = {
        one.path: cache(partial(text_of, one))
        for one in candidates
        if (programs or plans) and one.name.endswith(_TEXTS)
    }

    @cache
    def are_ours() -> bool:
        """Whether any template of the repository may be of a switch."""
        return any(speaks_of_qos(read()) for path, read in known.items() if template_by_name(path))

    rendered: list[Rendered] = []
    beside: list[Beside] = []
    for one in programs if known else ():
        text = text_of(one)
        if len(text) > HEAD or (
            not (may_push(text) and _LOADS.search(text)) and not (_RENDERS.search(text) and are_ours())
        ):
            continue
        its = Files(holder(one.path, known))
        if follow(text, its) is not None:
            rendered += _rows(one.path, its.renders)
            beside += [(one.path, name, data) for name, data in its.read.items() if data and len(data) < _MOST_DATA]
    for one in plans if known else ():
        held = holder(one.path, known)
        plan = text_of(one)
        if "templatefile(" not in plan:
            continue
        loaded = {name: as_data(held(file)[1]) for name, file in terraform.decoded_files(plan)}
        for name, values in terraform.rendered_files(plan, given_to(one), loaded):
            path, text = held(name)
            rendered += [(path, "", json.dumps(values, default=str), one.path)] if text else []
    return Programs(tuple(rendered[:_MOST_ROWS]), tuple(beside[:_MOST_ROWS]))


def _rows(program: str, renders: Iterable[Render]) -> list[Rendered]:
    found = distinct(list(renders))
    return [(one.path, one.host, json.dumps(one.values, default=str), program) for one in found]
