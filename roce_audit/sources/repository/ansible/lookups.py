"""Values of Ansible that are the text of a file: `{{ lookup('template', 'qos.j2') }}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roce_audit.patterns import lazy
from roce_audit.text.jinja.values import Open, value_of

_BEGINS = r"-?\s{0,9}(?:lookup|query|q)\(\s{0,9}[\"'](?:ansible\.builtin\.)?(?:template|file)[\"']\s{0,9},\s{0,9}"
BEHIND_BRACES = lazy(rf"{_BEGINS}[\"'](?:\./)?([\w./-]{{1,200}})[\"']")
"""One with a plain name, behind the `{{` of a value."""
_VALUE = lazy(rf"\s{{0,80}}\{{\{{{_BEGINS}(?P<file>[^(),{{}}\n]{{1,200}})[,)]")


def file_named(value: str, variables: Mapping[str, Any]) -> str:
    """The name of the file, perhaps made of variables; "" where it is none, or is open."""
    found = _VALUE.match(value)
    if found is None:
        return ""
    try:
        name = value_of("{{ " + found["file"] + " }}", variables)
    except Open:
        return ""
    return name if isinstance(name, str) else ""
