"""A memory of answers stays small, and emptying it changes no answer."""

from __future__ import annotations

import pytest

from roce_audit.text import block as blocks
from roce_audit.text import memo
from roce_audit.text.block import Part, block, key_of, texts, with_first
from roce_audit.text.memo import Memory, of_text


def test_a_full_memory_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memo, "ROOM", 3)
    memory: Memory[int, int] = Memory()
    sizes = [memory.keep(n, n * n) and len(memory) for n in range(1, 10)]
    assert max(sizes) == 3
    assert memory.get(9) == 81
    assert memory.get(1) is None


def test_blocks_are_shared_while_there_is_room_and_right_when_there_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_INTERNED", Memory())  # what other tests hold stays what it is
    assert texts(("mtu 9214",)) is texts(("mtu 9214",))
    monkeypatch.setattr(memo, "ROOM", 1)
    for number in range(5):
        made = with_first(block("leaf1.cfg", 10, (f"mtu {number}",), (11,)), 10, f"interface Ethernet{number}")
        assert made.texts.statements == (f"interface Ethernet{number}", f"mtu {number}")
        assert [made.place(i).line for i in range(2)] == [10, 11]
    part = Part("own", block("leaf1.cfg", 1, ("mtu 9214",), (2,)))
    assert key_of((part,)) == key_of((part,))


def test_texts_are_kept_by_their_length(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    @of_text
    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    monkeypatch.setattr(memo, "LONGEST", 10)
    monkeypatch.setattr(memo, "IN_ALL", 12)
    assert [size("a" * 5), size("b" * 5), size("a" * 5)] == [5, 5, 5]
    assert len(asked) == 2
    size("c" * 5)  # the one asked least lately goes
    size("a" * 5)
    assert len(asked) == 3
    size("b" * 5)
    size("d" * 11)
    size("d" * 11)  # too long to be kept
    assert asked.count("b" * 5) == 2
    assert asked.count("d" * 11) == 2
