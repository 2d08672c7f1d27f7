"""Rules of one's own: the text that a new one begins as, and the schema by which an editor completes and checks it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from roce_audit.engine.findings import SEVERITIES
from roce_audit.engine.rules import rulepack
from roce_audit.engine.rules.rulefile import RuleForm

SCHEMA_NAME = ".roce-audit-rule.schema.json"
"""Beside the topics of a pack; hidden, so that it is taken for no rule."""
_EXPRESSION = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "boolean"}, {"type": "number"}]}


def skeleton() -> str:
    """A rule that loads and whose examples hold as they stand, to be made into another."""
    return (rulepack.builtin_folder() / rulepack.SKELETON / "rule.yaml").read_text(encoding="utf-8")


def schema() -> str:
    """The JSON schema of a rule file of this version."""
    found: dict[str, Any] = RuleForm.model_json_schema()
    levels = [level for level in SEVERITIES if level != "none"]
    conditions = {"type": "object", "minProperties": 1, "properties": dict.fromkeys(levels, _EXPRESSION)}
    shapes: dict[str, Any] = {
        "require": _EXPRESSION,
        "when": _EXPRESSION,
        "let": {"type": "object", "additionalProperties": _EXPRESSION},
        "severity": {"anyOf": [{"enum": levels}, {**conditions, "additionalProperties": False}]},
        "points_at": {"type": "object", "maxProperties": 16, "additionalProperties": _EXPRESSION},
    }
    _shape(found["properties"], shapes)
    _shape(found["$defs"]["FixForm"]["properties"], {"path": _EXPRESSION, "value": _EXPRESSION})
    return json.dumps(found, indent=2, sort_keys=True) + "\n"


def _shape(fields: dict[str, Any], shapes: Mapping[str, Any]) -> None:
    """Fields as a file may write them, with what is said of them."""
    for name, shape in shapes.items():
        fields[name] = shape | {"description": fields[name]["description"]}
