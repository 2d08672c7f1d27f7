"""Where the page of a rule is published."""

from __future__ import annotations

from functools import cache

from roce_audit.engine.rules.rulepack import builtin_folder

DOCUMENTATION = ""
"""Base URL of the documentation, with its last slash. Empty as long as it is published nowhere: then no report links to it."""


def rule_page(rule: str) -> str:
    """The URL of a rule's page; empty where there is none, as for the rules of a site's own pack."""
    return f"{DOCUMENTATION}reference/rules/{rule}.html" if DOCUMENTATION and _is_builtin(rule) else ""


@cache
def _is_builtin(rule: str) -> bool:
    return (builtin_folder() / f"{rule}.yaml").is_file()
