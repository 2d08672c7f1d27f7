"""The blocks of PicOS say what its `set` lines say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roce_audit.platforms.picos import PLATFORM
from roce_audit.platforms.picos.outline import bare_words
from roce_audit.text.document import DeviceInput, Document

LINES = (Path(__file__).parents[3] / "fixtures" / "picos" / "whole" / "leaf07.set").read_text(encoding="utf-8")
_NAMED = {"gigabit-ethernet", "aggregate-ethernet", "classifier", "pfc-profile", "forwarding-class", "interface"}
_NAMED |= {"scheduler-profile", "scheduler", "code-point", "vlan-id", "queue"}


def blocks(lines: str) -> str:
    """The lines as the device shows them in blocks: names behind their kind, a last value behind a colon."""
    root: dict[str, Any] = {}
    for line in lines.splitlines():
        if not line.startswith("set "):
            continue
        words, here = bare_words(line)[1:], root
        while words:
            if words[0] in _NAMED and here is not root and len(words) > 2:
                step, words = f'{words[0]} "{words[1]}"', words[2:]
            elif len(words) == 2:
                step, words = f"{words[0]}: {words[1]}", []
            else:
                step, words = words[0], words[1:]
            here = here.setdefault(step, {})
    return "\n".join(_shown(root, 0))


def _shown(tree: dict[str, Any], depth: int) -> list[str]:
    found: list[str] = []
    for step, inner in tree.items():
        if inner or ": " not in step:
            found += [f"{' ' * 4 * depth}{step} {{", *_shown(inner, depth + 1), f"{' ' * 4 * depth}}}"]
        else:
            found.append(f"{' ' * 4 * depth}{step}")
    return found


def read(text: str, command: str | None = None) -> Any:
    document = Document("leaf", text, command)
    assert PLATFORM.recognise(document) >= 60
    return PLATFORM.read(DeviceInput("leaf", "picos", (document,)))


def test_blocks_say_what_the_lines_say() -> None:
    text = blocks(LINES)
    reading, plain = read(text), read(LINES)
    assert [port.name for port in reading.ports] == [port.name for port in plain.ports]
    assert [port.facts for port in reading.ports] == [port.facts for port in plain.ports]
    assert [port.labels for port in reading.ports] == [port.labels for port in plain.ports]
    assert not [one for one in reading.seen if one.observation.kind == "unread-line"]
    assert PLATFORM.hostname(Document("leaf", text)) == "pod3-leaf07"
    assert reading.complete_because
    assert read(text, "show running-config").complete_because


def test_a_port_is_shown_at_its_block() -> None:
    text = "/*XORP Configuration File, v1.0*/\n" + blocks(LINES)
    lines = text.split("\n")
    port = next(port for port in read(text).ports if port.name == "ae1")
    assert lines[port.header.line - 1].strip() == 'aggregate-ethernet "ae1" {'


def test_blocks_that_are_cut_off_are_told_and_nothing_is_absent() -> None:
    text = blocks(LINES)
    reading = read(text[: len(text) * 3 // 4])
    assert {one.observation.kind for one in reading.seen} == {"truncated"}
    assert not reading.complete_because


@pytest.mark.parametrize(
    "text",
    [
        "system {\n    host-name qfx;\n}\nclass-of-service {\n    interfaces {\n        et-* {\n        }\n    }\n}\n",
        "interface ethernet-1/1 {\n    mtu 9000\n}\nqos {\n}\n",
        "interface {\n    name: x\n}\n",
    ],
)
def test_blocks_of_others_are_not_ours(text: str) -> None:
    assert PLATFORM.recognise(Document("a", text)) < 60
