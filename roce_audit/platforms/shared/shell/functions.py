"""Functions that a shell script defines: their commands, kept until the function is called."""

from __future__ import annotations

import re
from dataclasses import replace

from roce_audit.platforms.shared.shell.commands import Command

_DEFINED = re.compile(
    r"(?:function\s+)?([A-Za-z_][\w-]{0,60})\s*\(\s*\)\s*(\{?)\s*([\s\S]*)|function\s+([A-Za-z_][\w-]{0,60})\s*(\{?)\s*([\s\S]*)"
)


class Functions:
    """The functions of one script that is being followed, as far as they were defined."""

    def __init__(self) -> None:
        self.bodies: dict[str, list[Command]] = {}
        """Name -> its commands; of a function that is defined twice those of the later one."""
        self._open: tuple[str, int] | None = None
        """The function that is being defined, and how many of its braces are open."""

    @property
    def is_open(self) -> bool:
        """Whether what follows belongs to a function that is being defined."""
        return self._open is not None

    def begins(self, command: Command) -> bool:
        """Whether a command begins the definition of a function; takes it in."""
        found = _DEFINED.fullmatch(command.text)
        if found is None:
            return False
        name = found.group(1) or found.group(4)
        rest = found.group(3) or found.group(6) or ""
        self.bodies[name] = []
        self._open = (name, 1 if found.group(2) or found.group(5) else 0)
        if rest.strip():
            self.record(Command(command.number, ";", rest.strip(), until=command.until))
        return True

    def record(self, command: Command) -> None:
        """Take in a command of the function that is being defined, or the brace that ends it."""
        assert self._open is not None
        name, depth = self._open
        if command.is_data:
            self.bodies[name].append(command)
            return
        text = command.text.strip()
        if text.startswith("{") and (len(text) == 1 or text[1].isspace()):
            depth += 1
            text = text[1:].strip() if depth == 1 else text
        elif text.startswith("}"):
            depth -= 1
        self._open = (name, depth) if depth > 0 else None
        if depth > 0 and text:
            self.bodies[name].append(replace(command, text=text))
