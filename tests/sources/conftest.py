"""Two platforms that exist only here, and a folder to write in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from roce_audit import platforms
from roce_audit.sources import detect
from roce_audit.text.document import Document

Write = Callable[[str, str], None]


@dataclass
class FakePlatform:
    """Recognises a text by its first word after `!`, or by words of a command; the name stands behind `hostname`."""

    name: str
    score: int = 90
    commands: tuple[str, ...] = ()
    kind: str = "switch"

    def recognise(self, document: Document) -> int:
        """Sure of `! <name>`, and of its commands."""
        by_command = any((document.command or "").startswith(c) for c in self.commands)
        return self.score if by_command or re.search(rf"^! {self.name}$", document.text, re.M) else 0

    def hostname(self, document: Document) -> str | None:
        """The name behind `hostname`."""
        found = re.search(r"^hostname (\S+)$", document.text, re.M)
        return found.group(1) if found else None


@pytest.fixture(autouse=True)
def two_platforms(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, FakePlatform]]:
    """`alpha`, a switch, and `host`, which knows the commands of a host."""
    known = {
        "alpha": FakePlatform("alpha"),
        "hostos": FakePlatform("hostos", 60, ("sysfs", "mlnx_qos", "dcb", "ethtool", "uname", "ip ")),
    }
    monkeypatch.setattr(platforms, "names", lambda: tuple(sorted(known)))
    monkeypatch.setattr(platforms, "platform", known.__getitem__)
    monkeypatch.setattr(platforms, "sibling_files", platforms.sibling_files.__wrapped__)  # not what it keeps of these
    detect.choose.cache_clear()
    yield known
    detect.choose.cache_clear()


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a text file below the working directory, which is empty at first."""
    monkeypatch.chdir(tmp_path)

    def write_one(path: str, text: str) -> None:
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    return write_one
