"""Which tools and NIC families there are, and which tool reads an answer or a file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

from roce_audit import platforms
from roce_audit.platforms.shared.host.answers import Family, Tool
from roce_audit.platforms.shared.host.boot import FamilyFile, KernelFile, Program
from roce_audit.platforms.shared.host.collector import Subject, full_address
from roce_audit.platforms.shared.host.parts import HostParts
from roce_audit.platforms.signature import literal_in
from roce_audit.text.document import Document

_HEAD = 20_000
"""Characters of a text in which a tool is looked for."""


@cache
def tools() -> tuple[Tool, ...]:
    """All tools of all platforms."""
    return tuple(tool for part in host_parts() for tool in part.tools)


@cache
def families() -> tuple[Family, ...]:
    """All NIC families of all platforms."""
    return tuple(family for part in host_parts() for family in part.families)


@cache
def programs() -> Mapping[str, Program]:
    """All programs that set NICs up, of all platforms, by their names."""
    return {program.name: program for part in host_parts() for program in part.programs}


@cache
def kernel_files() -> tuple[KernelFile, ...]:
    """All files of the kernel that scripts write to, of all platforms."""
    return tuple(file for part in host_parts() for file in part.kernel_files)


@cache
def family_files() -> tuple[FamilyFile, ...]:
    """All files that set the NICs of a family up, of all platforms."""
    return tuple(file for part in host_parts() for file in part.files)


@cache
def by_name() -> Mapping[str, Tool]:
    """Tool name -> tool."""
    return {tool.name: tool for tool in tools()}


@cache
def host_parts() -> tuple[HostParts, ...]:
    """What all platforms of hosts add to their reading."""
    loaded = (one.load().host for one in platforms.every() if one.kind == "host")
    return tuple(part for part in loaded if part is not None)


@cache
def _commands() -> tuple[tuple[Tool, re.Pattern[str]], ...]:
    return tuple((tool, re.compile(tool.commands)) for tool in tools() if tool.commands and not tool.prints_nothing)


@cache
def _signatures() -> tuple[tuple[Tool, tuple[str, ...], re.Pattern[str]], ...]:
    """What gives each tool away, and the words of which one stands in each such text."""
    return tuple(
        (tool, tool.words or (literal_in(tool.signature),), re.compile(tool.signature, re.M))
        for tool in tools()
        if tool.signature
    )


def tool_for(document: Document) -> tuple[Tool, Subject | None] | None:
    """The tool that reads a document, by its command or else by its text; and whom the command names."""
    found = by_command(document) or by_text(document)
    if found is None or found[0].is_silent or changes(found[0], document):
        return _of_silence(document) or found
    return found


def changes(tool: Tool, document: Document) -> bool:
    """Whether the command of an answer set something, and had the tool show what then holds."""
    return bool(tool.changes) and re.match(tool.changes, document.command or "") is not None


def _of_silence(document: Document) -> tuple[Tool, Subject | None] | None:
    """The tool of a command that printed nothing."""
    if not document.command or document.text.strip():
        return None
    return next(
        ((tool, None) for tool, pattern in _printing_nothing() if pattern.fullmatch(document.command) is not None), None
    )


@cache
def _printing_nothing() -> tuple[tuple[Tool, re.Pattern[str]], ...]:
    return tuple((tool, re.compile(tool.commands)) for tool in tools() if tool.prints_nothing)


def by_command(document: Document) -> tuple[Tool, Subject | None] | None:
    """The tool of the document's command, and whom the command names."""
    return of_command(document.command) if document.command is not None else None


@lru_cache(maxsize=16_384)
def of_command(command: str) -> tuple[Tool, Subject | None] | None:
    """The same of the command itself."""
    for tool, pattern in _commands():
        found = pattern.fullmatch(command)
        if found is not None:
            return tool, _subject(found)
    return None


def by_text(document: Document) -> tuple[Tool, None] | None:
    """The tool that alone prints such a text. A script may hold the answer of a tool (a mock, a test), and is none."""
    tool = _of_text(document.text)
    return (tool, None) if tool is not None else None


@lru_cache(maxsize=4)
def _of_text(text: str) -> Tool | None:
    """The same, remembered for the next platform that asks about the text."""
    head = text[:_HEAD]
    is_script = head.startswith("#!")
    for tool, words, signature in _signatures():
        looked_at = text if tool.anywhere else head
        if not any(word in looked_at for word in words):
            continue
        if (signature.match if is_script and not tool.scripts else signature.search)(looked_at):
            return tool
    return None


@cache
def _file_tools() -> tuple[tuple[Tool, re.Pattern[str]], ...]:
    return tuple((tool, re.compile(tool.files)) for tool in tools() if tool.files)


@lru_cache(maxsize=4096)
def file_tool(path: str) -> tuple[Tool, Subject | None, str] | None:
    """The tool that reads a file of the host, whose file it is, and what the file is called there."""
    for tool, pattern in _file_tools():
        found = pattern.fullmatch(path)
        if found is not None:
            return tool, _subject(found), found.groupdict().get("key") or ""
    return None


_KINDS: tuple[Literal["net", "rdma", "card"], ...] = ("net", "rdma", "card")


def _subject(found: re.Match[str]) -> Subject | None:
    groups = found.groupdict()
    if groups.get("pci"):
        return ("pci", full_address(groups["pci"]))
    for kind in _KINDS:
        if groups.get(kind):
            return (kind, groups[kind])
    return None
