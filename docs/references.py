"""Reference pages that are made from schemas, the formulas and the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent
_MADE = "Made by `python docs/generate.py`."


def documents() -> dict[str, str]:
    """Path below docs/ -> text."""
    return {
        "reference/policy.md": "".join(_policy()),
        "reference/report.md": "".join(_report()),
        "reference/formulas.md": "".join(_formulas()),
        "reference/model.md": "".join(_model()),
    }


def _policy() -> Iterator[str]:
    from roce_audit.policy.schema import PolicyForm

    schema = PolicyForm.model_json_schema()
    yield f"# Policy file\n\n{_MADE} What the entries are for, with examples: [the policy file](../how-to/policy.md); "
    yield "the JSON Schema for editors: [policy.schema.json](../policy.schema.json).\n\n"
    yield "Every key is optional; an unknown key is an error with a suggestion.\n"
    yield from _object("roce-audit.yaml", schema)
    for name, form in sorted(schema["$defs"].items()):
        yield from _object(name, form)


def _report() -> Iterator[str]:
    schema = json.loads((DOCS / "report.schema.json").read_text(encoding="utf-8"))
    yield f"# JSON report\n\n{_MADE} The JSON Schema: [report.schema.json](../report.schema.json); "
    yield "other formats: [report formats](../formats.md).\n"
    yield from _object("report", schema)
    for name, form in schema["$defs"].items():
        yield from _object(name, form)


def _object(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"\n## {name}\n\n"
    if schema.get("description"):
        yield f"{schema['description']}\n\n"
    yield "| key | value | |\n|---|---|---|\n"
    for key, value in schema.get("properties", {}).items():
        about = " ".join(str(value.get("description", "")).split()).replace("|", "\\|")
        yield f"| `{key}` | {_kind(value)} | {about} |\n"


def _kind(value: Mapping[str, Any]) -> str:
    if "$ref" in value:
        name = str(value["$ref"]).rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in value:
        return " or ".join(dict.fromkeys(_kind(one) for one in value["anyOf"]))
    if "enum" in value:
        return ", ".join(f"`{one}`" for one in value["enum"])
    if "const" in value:
        return f"`{value['const']}`"
    kind = value.get("type", "any")
    if kind == "array":
        return f"list of {_kind(value.get('items', {}))}"
    if kind == "object" and isinstance(value.get("additionalProperties"), dict):
        return f"by name: {_kind(value['additionalProperties'])}"
    if isinstance(kind, list):
        return " or ".join(kind)
    low, high = value.get("minimum"), value.get("maximum")
    return f"{kind} {low}..{high}" if low is not None and high is not None else str(kind)


def _formulas() -> Iterator[str]:
    from roce_audit.calculator.sums import ARCHITECTURES
    from roce_audit.formulas import FUNCTIONS

    yield f"# Formulas\n\n{_MADE} What rules may call. `roce-audit calc` shows the same arithmetic term by term.\n\n"
    yield "| function | gives | holds for | source |\n|---|---|---|---|\n"
    for function in FUNCTIONS.values():
        given = ", ".join(name for name, _ in function.parameters)
        holds = ARCHITECTURES[function.architecture]
        yield f"| `{function.name}({given})` | {function.result.__name__} | {holds} | {function.citation} |\n"


def _model() -> Iterator[str]:
    from dataclasses import is_dataclass

    from roce_audit import model
    from roce_audit.model.base import documentation

    yield f"# Model\n\n{_MADE} The fields that conditions of rules name; each holds a value, or why there is none.\n"
    for name in sorted(model.__all__):
        cls = getattr(model, name)
        if is_dataclass(cls) and isinstance(cls, type):
            yield f"\n## {name}\n\n{(cls.__doc__ or '').strip()}\n\n| field | |\n|---|---|\n"
            for field, about in documentation(cls).items():
                yield f"| `{field}` | {' '.join(about.split()).replace('|', chr(92) + '|')} |\n"
