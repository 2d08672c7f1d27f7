"""The calls and variables that a file in another language holds for hosts, as the script that runs them, line for line.

Terraform, Puppet, Chef, recipes of make, templates of Helm and their like are not understood here. What stands in them as a whole
command, or as a variable with its value, stands there whatever is around it; a condition around it makes it one that may run.
A value that is made elsewhere stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from roce_audit.patterns import lazy
from roce_audit.sources.repository.linecalls import HEAD, UNKNOWN, call, mentions, pending, variables
from roce_audit.sources.repository.templates.controls import control, is_conditional
from roce_audit.text.memo import of_text

_LONGEST = 2_000
_TRACED = lazy(r"^\++ (?=\S)", re.M)
_BLOCKS = lazy(
    r"^\s{0,40}(?:if|unless|elsif|elseif|case|when|switch|ifeq|ifneq|ifdef|ifndef)\b(?!\s{0,8}(?:=>|:|=)|[^\n]{0,300};\s{0,4}then)",
    re.M,
)
_TOLD = lazy(
    r"\s{0,60}-?\s{0,8}[\"']?(?:(?:desc|description|docs?|help|title|message|msg|summary|comment|expr|legend\w{0,10})[\"']?\s{0,8}(?:=>|[:=])"
    r"|!\s|(?:e?grep|assert\w{0,20}|expect\w{0,20}|echo|printf|notice|warning)\b(?![^\n]{0,300}>))"
)
"""A line that tells people something, looks for something, or expects it to fail."""
_MADE = lazy(
    r"^(?:export[ \t]{1,8})?([A-Za-z_]\w{0,40})[ \t]{0,8}[:?]{0,2}=[ \t]{0,8}([^\s#$]{1,200})[ \t]{0,8}$", re.M
)
_USED = lazy(r"\$[({]([A-Za-z_]\w{0,40})[)}]")
_IS_MAKE = lazy(r"^[\w./%-]{1,60}(?: [\w./%-]{1,60}){0,8}:(?!=)[^\n]{0,300}\n\t|^\.PHONY:", re.M)
_INSTALLS = lazy(r"%(?:post|firstboot)\b(.{0,300})")
"""The line above a script of a kickstart file, with its options (Kickstart syntax reference; VMware ESXi installation, %firstboot)."""
_INSTALLED_NIC = lazy(
    r"network[ \t](?=.{0,300}--device=(?P<nic>[\w.-]{1,40}))(?=.{0,300}--mtu=(?P<mtu>\d{2,5})).{0,600}"
)
"""What it tells the network of a NIC."""
_OTHER_SHELL = lazy(r"--interpreter[= ]\S{0,80}(?:python|perl|ruby)")
_MOST_LINES = 20_000
_SCRIPT = "#!/bin/sh"
_ABOVE = "#"
"""Stands before the line above a script of a kickstart file."""


def is_trace(text: str) -> bool:
    """Whether it is what a shell prints of its commands (`set -x`)."""
    head = text[:HEAD]
    return "+ " in head and sum(1 for _ in zip(range(2), _TRACED.finditer(head), strict=False)) == 2


@of_text
def outline(text: str) -> str:
    """The script, with as many lines as the text; empty where the text holds nothing of that kind."""
    lines = text[:HEAD].split("\n")[:_MOST_LINES]
    if (installing := _installing(text[:HEAD], lines)) is not None:
        return installing
    traced = is_trace(text)
    made = _makes(text)
    doubtful = not traced and _BLOCKS.search(text[:HEAD]) is not None
    found = [*(_traced(lines) if traced else _read(lines, made, doubtful))]
    if not any("export " in one or mentions(f"{one}\n") for one in found if one):
        return ""
    if found[0].startswith("if ") and found[0].endswith("then") and len(found) > 1:
        found[:2] = ["", f"{found[0]} {found[1]}"]
    if UNKNOWN in found[0]:
        found[0] = ""
    found[0] = found[0] or _SCRIPT
    return "\n".join(found)


def _installing(text: str, lines: list[str]) -> str | None:
    """Of a kickstart file what its scripts run on the new host: that is a script as it stands. None for other files."""
    kept: set[int] = set()
    above: dict[int, str] = {}
    begun: int | None = None
    for index, line in enumerate(lines if "\n%end" in text else ()):
        nic = _INSTALLED_NIC.match(line) if begun is None and line.startswith("network") else None
        if nic is not None:
            above[index] = f"ip link set dev {nic['nic']} mtu {nic['mtu']}"
        found = _INSTALLS.match(line) if line.startswith("%") else None
        if found is not None:
            begun = index + 1 if _OTHER_SHELL.search(found[1]) is None else None
            above[index] = f"{_ABOVE} {line}"
        elif line.startswith("%end") and begun is not None:
            kept.update(range(begun, index))
            begun = None
    if 0 in kept or not mentions("".join(f"{lines[index]}\n" for index in sorted(kept) if index < len(lines))):
        return None
    return "\n".join(
        (_SCRIPT, *(line if index in kept else above.get(index, "") for index, line in enumerate(lines[1:], 1)))
    )


def _makes(text: str) -> Mapping[str, str]:
    """The variables of a file of make that have one plain value."""
    if _IS_MAKE.search(text[:HEAD]) is None:
        return {}
    values: dict[str, set[str]] = {}
    for found in _MADE.finditer(text[:HEAD]):
        values.setdefault(found[1], set()).add(found[2])
    return {name: next(iter(those)) for name, those in values.items() if len(those) == 1}


def _traced(lines: list[str]) -> Iterator[str]:
    for line in lines:
        begins = _TRACED.match(line)
        said = line[begins.end() :] if begins is not None and len(line) <= _LONGEST else ""
        yield said if said and mentions(said + "\n") else ""


def _read(lines: list[str], made: Mapping[str, str], doubtful: bool) -> Iterator[str]:
    stack: list[str] = []
    named, goes_on, in_remark = "", False, False
    for line in lines:
        in_remark = in_remark or line.lstrip().startswith("/*")
        if in_remark or len(line) > _LONGEST or _TOLD.match(line) is not None:
            named, goes_on, in_remark = "", False, in_remark and "*/" not in line
            yield ""
            continue
        if goes_on:
            goes_on = line.rstrip().endswith("\\")
            yield line.strip()
            continue
        step = control(line, stack)
        if step is not None:
            yield step
            continue
        filled = _USED.sub(lambda one: made.get(one[1], one[0]), line) if made else line
        given = list(variables(filled, named))
        named = pending(filled)
        command = call(filled)
        goes_on = command.endswith("\\")
        said = [f"export {name}={value}" for name, value in given] if not goes_on else []
        said += [command] if command else []
        is_maybe = doubtful and not goes_on and not is_conditional(stack)
        yield f"if {UNKNOWN}; then {'; '.join(said)}; fi" if said and is_maybe else "; ".join(said)
