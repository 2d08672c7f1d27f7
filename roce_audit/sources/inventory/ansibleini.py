"""Ansible's INI form: `[group]`, `[group:children]`, `[group:vars]`, and hosts with `key=value`."""

from __future__ import annotations

import re
import shlex

from roce_audit.sources.inventory.ansiblegroups import Groups
from roce_audit.sources.inventory.files import names_in, text_of
from roce_audit.sources.live.targets import InventoryError
from roce_audit.values import Place

_SECTION = re.compile(r"\[([^\]:\s]+)(?::(children|vars|hosts))?\]\s*(?:#.*)?")


def read(path: str, groups: Groups) -> None:
    """Add the groups and hosts of a file. Raises InventoryError."""
    group, kind = "ungrouped", "hosts"
    for number, line in enumerate(text_of(path).split("\n"), 1):
        text = line.strip()
        if not text or text[0] in "#;":
            continue
        section = _SECTION.fullmatch(text)
        try:
            if section is not None:
                group, kind = section[1], section[2] or "hosts"
                groups.add(group)
            elif text.startswith("["):
                raise ValueError(f"this is no section: {text[:60]}")
            elif kind == "children":
                groups.child(group, text.split()[0])
            elif kind == "vars":
                key, equals, value = text.partition("=")
                if not equals:
                    raise ValueError("a variable is written key=value")
                groups.say(group, {key.strip(): _plain(value.strip())})
            else:
                _host(text, group, Place(path, number), groups)
        except ValueError as error:
            raise InventoryError((f"{path}:{number}: {error}",)) from None


def _host(text: str, group: str, place: Place, groups: Groups) -> None:
    words = shlex.split(text, comments=True)
    said = {}
    for word in words[1:]:
        key, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"behind a host stand variables as key=value, not {word[:40]!r}")
        said[key] = value
    for name in names_in(words[0]):
        groups.host(name, group, said, place)


def _plain(value: str) -> str:
    """A value without its quotes."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"" else value
