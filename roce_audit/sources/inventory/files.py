"""Reading the files of an inventory: limits, YAML with lines, ranges in names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from pathlib import Path

from roce_audit.sources.live.targets import InventoryError
from roce_audit.text.structured.yamltext import YamlError, YamlText, parse

MAX_BYTES = 16 * 2**20
MAX_NAMES = 200_000
_RANGE = re.compile(r"\[(\d{1,9})[-:](\d{1,9})(?:[-:](\d{1,6}))?\]|\[([A-Za-z]):([A-Za-z])\]")
_TAGS = re.compile(r"(?<=[:\-]) !(?:vault|unsafe|vault-encrypted)\b")


def text_of(path: str | Path) -> str:
    """The text of a file. Raises InventoryError."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InventoryError((f"{path}: {error.strerror or 'cannot be read'}",)) from None
    if len(raw) > MAX_BYTES:
        raise InventoryError((f"{path}: is larger than {MAX_BYTES:,} bytes",))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InventoryError((f"{path}:{line}: is not UTF-8",)) from None


def yaml_of(path: str | Path, *, tags: bool = False) -> YamlText:
    """The only document of a YAML file. `tags`: Ansible's own are allowed; what they stand before is never used."""
    text = text_of(path)
    if tags:
        text = _TAGS.sub(lambda m: " " * len(m.group()), text)
    try:
        return parse(text, max_characters=MAX_BYTES, own_tags=True)
    except YamlError as error:
        raise InventoryError((f"{path}:{error.line}: {error.message}",)) from None


def names_in(pattern: str) -> list[str]:
    """The names a pattern stands for: `gpu[001-064]`, `leaf[1:9:2]`, `rack[a:f]`. Raises ValueError for too many or none."""
    pieces: list[Iterable[str]] = []
    count = 1
    at = 0
    for found in _RANGE.finditer(pattern):
        members = _members(found)
        count *= len(members)
        if not members or count > MAX_NAMES:
            raise ValueError(f"{pattern} stands for {'no name' if not members else f'more than {MAX_NAMES:,} names'}")
        pieces += [[pattern[at : found.start()]], members]
        at = found.end()
    return ["".join(combined) for combined in itertools.product(*pieces, [pattern[at:]])]


def _members(found: re.Match[str]) -> list[str]:
    if found[4]:
        return [chr(c) for c in range(ord(found[4]), ord(found[5]) + 1)]
    first, last, step = int(found[1]), int(found[2]), int(found[3] or 1) or 1
    if last - first > MAX_NAMES * step:
        raise ValueError(f"{found.group()} stands for more than {MAX_NAMES:,} names")
    width = len(found[1]) if found[1].startswith("0") else 0
    return [str(number).zfill(width) for number in range(first, last + 1, step)]
