"""Rules of one's own: the text that a new one begins as, and the schema by which an editor completes and checks it."""

from __future__ import annotations

import json
from typing import Any

from roce_audit.engine import rulepack
from roce_audit.engine.findings import SEVERITIES
from roce_audit.engine.rulefile import RuleForm

SCHEMA_NAME = ".roce-audit-rule.schema.json"
"""Beside the topics of a pack; hidden, so that it is taken for no rule."""
_EXPRESSION = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "boolean"}, {"type": "number"}]}


def skeleton() -> str:
    """A rule that loads and whose examples hold as they stand, to be made into another."""
    return (rulepack.builtin_folder() / rulepack.SKELETON / "rule.yaml").read_text(encoding="utf-8")


def schema() -> str:
    """The JSON schema of a rule file of this version."""
    found: dict[str, Any] = RuleForm.model_json_schema()
    fields: dict[str, Any] = found["properties"]
    levels = [level for level in SEVERITIES if level != "none"]
    for name in ("require", "when"):
        fields[name] = _EXPRESSION
    fields["let"] = {"type": "object", "additionalProperties": _EXPRESSION}
    conditions = {"type": "object", "minProperties": 1, "properties": dict.fromkeys(levels, _EXPRESSION)}
    fields["severity"] = {"anyOf": [{"enum": levels}, {**conditions, "additionalProperties": False}]}
    fields["points_at"] = {"type": "object", "maxProperties": 16, "additionalProperties": _EXPRESSION}
    fix: dict[str, Any] = found["$defs"]["FixForm"]["properties"]
    for name in ("path", "value"):
        fix[name] = _EXPRESSION
    return json.dumps(found, indent=2, sort_keys=True) + "\n"
