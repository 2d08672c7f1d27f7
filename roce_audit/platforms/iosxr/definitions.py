"""Policies, class-maps and PFC profiles that a group defines for the whole router: they hold as if they stood outside of it.

A group that `apply-group` names at the top gives the router what it has not itself (Configuration Groups, System Setup and Software
Installation Guide for Cisco 8000 Series Routers); one behind quotes is a pattern, and defines nothing.
"""

from __future__ import annotations

from dataclasses import replace

from roce_audit.patterns import lazy
from roce_audit.text.document import Document

_APPLIED = lazy(r"^apply-group (\S[^\n]{0,400})$", 8)
_GROUP = "group "
_END = "end-group"
_DEFINES = lazy(r" (?:policy-map|class-map|hw-module profile priority-flow-control) [^'\"]*")


def outside_groups(document: Document) -> Document:
    """The same configuration with these definitions behind the group that holds them, each line on its own line."""
    applied = {name for names in _APPLIED.findall(document.text) for name in names.split()}
    if not applied:
        return document
    kept: list[str] = []
    numbers: list[int] = []
    held: list[tuple[str, int]] = []
    is_applied = is_held = False
    for index, line in enumerate(document.text.split("\n")):
        number = document.line(index)
        if line.startswith(_GROUP):
            is_applied, is_held = line.removeprefix(_GROUP).strip() in applied, False
        elif line[:1] == " " and line[1:2] not in (" ", "!"):
            is_held = is_applied and _DEFINES.fullmatch(line) is not None
        elif line[:1] != " ":
            is_held = False
        if is_held:
            held.append((line[1:], number))
            continue
        kept.append(line)
        numbers.append(number)
        if line.rstrip() == _END:
            kept += [text for text, _ in held]
            numbers += [place for _, place in held]
            held, is_applied = [], False
    return replace(document, text="\n".join(kept), lines=tuple(numbers), first_line=1) if not held else document
