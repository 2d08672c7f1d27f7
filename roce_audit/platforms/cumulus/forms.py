"""Which of the forms of Cumulus Linux a text has, and the names that it gives."""

from __future__ import annotations

import re
from enum import Enum, auto

from roce_audit.platforms.cumulus import marks
from roce_audit.platforms.cumulus.state import is_answer
from roce_audit.platforms.signature import compiled
from roce_audit.text.document import Document


class Form(Enum):
    """A form of configuration, or an answer that shows state."""

    TREE = auto()
    """NVUE's tree as YAML or JSON."""
    COMMANDS = auto()
    """`nv set` commands."""
    SETTINGS = auto()
    """traffic.conf, qos_features.conf, qos_infra.conf, switchd.conf."""
    INTERFACES = auto()
    """/etc/network/interfaces."""
    NET = auto()
    """`net add` commands."""
    ANSWER = auto()
    """nv show."""
    OTHER = auto()


_TREE, _TREE_SURE, _BRANCH, _NV, _NET, _SETTING, _STANZA = map(
    compiled,
    (marks.TREE, marks.TREE_SURE, marks.BRANCH, marks.NV, marks.NET, marks.SETTING, marks.STANZA),
)
_HEAD = 4_000_000
_NO_SETTINGS = ("lldpctl", "lldpcli", "sudo lldp", "net show lldp", "vtysh", "sudo vtysh")
"""Beginnings of commands whose answers tell of far ends or routes alone; FRR writes one JSON document a VRF into one answer."""
_HOSTNAMES = {
    "nv set system hostname ": re.compile(r"^[ \t]*(?:\S{1,200}[#$] ?)?nv set system hostname (\S{1,253})", re.M),
    "net add hostname ": re.compile(r"^[ \t]*net add hostname (\S{1,253})", re.M),
    '"hostname"': re.compile(
        r'"system"\s{0,9}:\s{0,9}\{[^{}]{0,2000}?"hostname"\s{0,9}:\s{0,9}"([A-Za-z0-9][\w.-]{0,252})"'
    ),
}
"""Words that stand in a text which names its device in one of these ways -> the pattern; words are found quickly."""
_HOSTNAME = re.compile(r"""^[ \t]+["']?hostname["']?[ \t]*:[ \t]*["']?([A-Za-z0-9][\w.-]{0,252})["']?,?[ \t]*$""", re.M)
_SYSTEM = re.compile(r"""^([ \t]+)["']?system["']?[ \t]*:""", re.M)


def form_of(document: Document) -> Form:
    """The form of a document that is Cumulus Linux's."""
    text = document.text[:_HEAD]
    command = document.command or ""
    if command.startswith("nv show") or (not command and is_answer(text)):
        return Form.ANSWER
    if command.startswith(_NO_SETTINGS):
        return Form.OTHER
    if command.startswith(("nv set", "nv unset")) or (command and "-o commands" in command):
        return Form.COMMANDS
    if command.startswith(("net add ", "net del ")):
        return Form.NET
    if _TREE.search(text) is not None and not _has_commands(text) and (_BRANCH.search(text) or _TREE_SURE.search(text)):
        return Form.TREE
    if command.startswith("nv "):
        return Form.TREE if command.startswith("nv config show") else Form.OTHER
    if _has_commands(text):
        return Form.COMMANDS
    for pattern, form in (
        (_SETTING, Form.SETTINGS),
        (_STANZA, Form.INTERFACES),
        (_NET, Form.NET),
    ):
        if pattern.search(text) is not None:
            return form
    return Form.TREE if text.lstrip()[:1] in ("{", "-", "[") else Form.OTHER


def _has_commands(text: str) -> bool:
    """Whether a text holds `nv` commands; a tree, which is long and indented, is not looked through for them in vain."""
    return ("nv set " in text or "nv unset " in text) and _NV.search(text) is not None


def hostname(document: Document) -> str | None:
    """The name that the text gives its device."""
    for words, pattern in _HOSTNAMES.items():
        found = pattern.search(document.text) if words in document.text else None
        if found is not None:
            return found.group(1).strip("\"'")
    system = _SYSTEM.search(document.text)
    if system is None:
        return None
    below = document.text[system.end() : system.end() + 20_000]
    found = _HOSTNAME.search(below)
    return found.group(1) if found is not None else None
