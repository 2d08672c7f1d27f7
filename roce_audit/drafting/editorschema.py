"""The schema of the policy file, where an editor finds it: beside the file, named in its first line by a path that moves with both."""

from __future__ import annotations

import json

SCHEMA_NAME = ".roce-audit.schema.json"
"""Hidden, so that a check passes it over."""
_LINE = f"# yaml-language-server: $schema={SCHEMA_NAME}\n"


def schema() -> str:
    """The JSON schema of the policy file of this version."""
    from roce_audit.policy.schema import PolicyForm

    return json.dumps(PolicyForm.model_json_schema(), indent=2, sort_keys=True) + "\n"


def named(text: str) -> str:
    """The policy with the line that names its schema; as it is where it names one already."""
    return text if "# yaml-language-server:" in text else _LINE + text
