"""Notes are told apart by their names: two of one name would be one."""

from __future__ import annotations

import sys
from collections import defaultdict

from roce_audit.platforms.shared.host.notes import Note
from roce_audit.platforms.shared.host.tools import tools


def test_each_note_has_a_name_of_its_own() -> None:
    assert tools()  # all readers of hosts are loaded
    found: dict[str, set[int]] = defaultdict(set)
    for name, module in list(sys.modules.items()):
        if name.startswith("roce_audit.platforms."):
            for value in vars(module).values():
                for note in (
                    value if isinstance(value, tuple) else value.values() if isinstance(value, dict) else (value,)
                ):
                    if isinstance(note, Note):
                        found[note.name].add(id(note))
    assert found
    assert {name for name, those in found.items() if len(those) > 1} == set()
